"""A real nginx on loopback with the configuration that docs/operations.md gives to operators."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_FRAME = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
{user}
events {{ worker_connections 256; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {configuration}
}}
"""


def documented_configuration() -> str:
    """Read the configuration of nginx out of the operator's documentation.

    Returns:
        The text of its code block.
    """
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    return text.partition("```nginx\n")[2].partition("```")[0]


@contextmanager
def nginx_serving(site: Path, folder: Path, *, below: str = "/") -> Iterator[str]:
    """Serve a site.

    Args:
        site: its folder.
        folder: an empty one for nginx's own files.
        below: the path under which the site is served, with slashes.

    Yields:
        The address, with trailing slash.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = folder / "root"
    place = root / below.strip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(site, target_is_directory=True)
    configuration = documented_configuration()
    for pattern, ours in (
        (r"listen 8080;", f"listen 127.0.0.1:{port};"),
        (r"root /srv/pith-mirror/site;", f"root {root};"),
        (r"error_page 404 /404.html;", f"error_page 404 {below}404.html;"),
    ):
        configuration, count = re.subn(pattern, ours, configuration)
        assert count == 1, f"docs/operations.md: {pattern}"
    # As root the workers would give up the right to read a test's folder.
    user = "user root;" if os.geteuid() == 0 else ""
    text = _FRAME.format(folder=folder, user=user, configuration=configuration)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert program is not None
    command = [program, "-p", str(folder), "-e", str(folder / "error.log")]
    process = subprocess.Popen([*command, "-c", str(folder / "nginx.conf")])
    address = f"http://127.0.0.1:{port}{below}"
    try:
        _wait_for(address, process, folder)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=10)


def _wait_for(address: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(100):
        assert process.poll() is None, (folder / "error.log").read_text(encoding="utf-8")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except urllib.error.URLError:
            time.sleep(0.05)
    raise AssertionError((folder / "error.log").read_text(encoding="utf-8"))
