"""What a page tells a reader to type works against this mirror's files."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browser.conftest import unavailable

pytestmark = [pytest.mark.loopback, pytest.mark.xdist_group("built_site")]


def text_of(page: Path, identifier: str) -> str:
    """Read what a reader copies from a page.

    Args:
        page: an HTML file.
        identifier: the id of the element.

    Returns:
        Its text.
    """
    node = LexborHTMLParser(page.read_text(encoding="utf-8")).css_first(f"#{identifier}")
    assert node is not None
    return node.text()


def test_verify_command_gives_the_digest_it_promises(built_site: Path, served_site: str) -> None:
    """On each record page the shell command, run as it stands, prints the expected digest."""
    if shutil.which("curl") is None:
        unavailable("curl", "apt-get install curl")
    pages = sorted(built_site.glob("pith/*/index.html"))
    assert pages
    for page in pages:
        command = text_of(page, "code-verify")
        address = next(word for word in command.split() if word.startswith("http"))
        here = served_site + urlsplit(address).path.lstrip("/")
        finished = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command.replace(address, here)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.strip() == text_of(page, "code-hash")
        assert f"# expect: {finished.stdout.strip()}" in command
