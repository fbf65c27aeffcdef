"""Chromium, the Nu HTML checker and the built site on loopback."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

HERE = Path(__file__).resolve().parent
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page that asks for another host gets no answer, so such a request is seen and goes nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def unavailable(what: str, command: str) -> NoReturn:
    """End a test that cannot run here: skipped on a person's machine, failed in CI.

    Args:
        what: the missing program.
        command: how to install it.
    """
    message = f"{what} is missing; install it with: {command}"
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, driven by Playwright; no browser build is downloaded."""
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if executable is None:
        unavailable("Chromium", "apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=list(CHROMIUM_ARGUMENTS)
        )
        yield browser
        browser.close()


@pytest.fixture
def plain(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh context with JavaScript off."""
    context = chromium.new_context(java_script_enabled=False)
    yield context
    context.close()


@pytest.fixture
def scripted(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh context with JavaScript on."""
    context = chromium.new_context()
    yield context
    context.close()


class _Quiet(SimpleHTTPRequestHandler):
    """The standard library's handler without its log lines."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        """Say nothing."""


@pytest.fixture(scope="session")
def served_site(built_site: Path) -> Iterator[str]:
    """The built site on a free port of 127.0.0.1; the value ends with a slash."""
    handler = functools.partial(_Quiet, directory=str(built_site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@dataclass(frozen=True, slots=True)
class NuChecker:
    """The Nu HTML checker as a command."""

    java: str
    jar: Path

    def errors(self, *options: str, paths: list[Path]) -> list[str]:
        """Check files or folders.

        Args:
            options: further options of the checker.
            paths: files or folders; never empty.

        Returns:
            One line per error, in the checker's order: `file:line: message`.
        """
        assert paths, "a checker that is given nothing finds nothing"
        command = [self.java, "-Xss4m", "-jar", str(self.jar), "--format", "json", "--stdout"]
        finished = subprocess.run(
            [*command, *options, *map(str, paths)], capture_output=True, text=True, check=False
        )
        # A checker that dies prints no JSON and so fails here.
        messages = json.loads(finished.stdout)["messages"]
        return [
            f"{m.get('url', '')}:{m.get('lastLine', '')}: {m['message']}"
            for m in messages
            if m["type"] != "info"
        ]


@pytest.fixture(scope="session")
def nu_checker() -> NuChecker:
    """The checker from the npm package pinned in package.json, run by the machine's Java."""
    java = shutil.which("java")
    if java is None:
        unavailable("Java", "apt-get install default-jre-headless")
    jar = HERE / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
    if not jar.is_file():
        unavailable("The Nu HTML checker", "make browser-tools")
    return NuChecker(java=java, jar=jar)
