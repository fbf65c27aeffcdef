"""The commands that pages tell a reader to run are run as written, against the static files."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

REPOSITORY = Path(__file__).resolve().parents[2]
SUFFIX = "25YK7L2RIECSQVFXE2XY6P4TVQ"
DIGEST = "d770afaf5141052854b726af8f3f93ac3fdc1aaf859c01551546d868cbf7c134"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Say nothing: the test's own output is what counts."""


@pytest.fixture(name="mirror", scope="module")
def _mirror(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("mirror")
    handler = functools.partial(_Quiet, directory=str(folder / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        text = (REPOSITORY / "mirror.toml").read_text(encoding="utf-8")
        configured = re.sub(
            r"^# base_url = .*$", f'base_url = "{address}"', text, flags=re.MULTILINE
        )
        assert configured != text
        (folder / "mirror.toml").write_text(configured, encoding="utf-8")
        subprocess.run(
            [
                *(sys.executable, "-m", "generator", "build"),
                *("--bundles", REPOSITORY / "bundles", "--site", folder / "site"),
                *("--config", folder / "mirror.toml"),
            ],
            check=True,
            cwd=REPOSITORY,
            capture_output=True,
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield address, folder / "site"
        server.shutdown()


def _run(script: str, folder: Path) -> str:
    # The page's python3 and pith-mirror are the ones under test.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_verify_command_of_a_record_page_prints_the_digest_it_says(
    mirror: tuple[str, Path], tmp_path: Path
) -> None:
    """Copied from the page, the command recomputes the canonical hash from this mirror's files."""
    page = HTMLParser((mirror[1] / "pith" / SUFFIX / "index.html").read_text(encoding="utf-8"))
    commands = [node.text() for node in page.css("pre") if "curl" in node.text()]
    assert len(commands) == 1
    assert mirror[0] in commands[0]
    assert f"# expect: {DIGEST}" in commands[0]
    assert _run(commands[0], tmp_path).strip() == DIGEST


def test_the_commands_of_the_verify_page_prove_a_record_by_hand(
    mirror: tuple[str, Path], tmp_path: Path
) -> None:
    """Every command block of /verify/, run in order, ends with the receipt's signature verified."""
    page = HTMLParser((mirror[1] / "verify" / "index.html").read_text(encoding="utf-8"))
    blocks = [node.text() for node in page.css("pre code")]
    assert len(blocks) >= 8
    script = "\n".join(blocks).replace("MIRROR=http://localhost:8000", f"MIRROR={mirror[0]}", 1)
    assert mirror[0] in script
    output = _run(script, tmp_path)
    for line in (
        f"{DIGEST}  record.json",
        SUFFIX,
        "8d4b5ee74e4693bcd1df2446408b0d54",
        "Signature Verified Successfully",
        "title proven",
        "abstract proven",
        "bundle.json: partly checkable",
    ):
        assert line in output
    assert "DIFFERENT" not in output


def test_a_badge_snippet_names_files_that_the_mirror_serves(
    mirror: tuple[str, Path], tmp_path: Path
) -> None:
    """Badge and page in the Markdown snippet are there under the addresses it gives."""
    page = HTMLParser((mirror[1] / "pith" / SUFFIX / "index.html").read_text(encoding="utf-8"))
    snippet = next(node.text() for node in page.css("pre") if node.text().startswith("[!["))
    image, target = re.findall(r"\((http[^)]+)\)", snippet)
    assert "<svg" in _run(f"curl -fsS {image}", tmp_path)
    assert SUFFIX in _run(f"curl -fsS {target}", tmp_path)
