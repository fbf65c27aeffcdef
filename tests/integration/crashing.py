"""Runs a build again and again, each time dying one file operation later.

    python -m tests.integration.crashing FAULT SITE OUT

An audit hook counts what touches the disk: opening a file for writing, making, renaming and
removing. At the n-th operation the process is killed (`kill`), or the operation fails as on a full
disk (`full`), for n from 1 on until a build meets no fault. Each attempt runs in a child and on a
copy of SITE, left as `OUT/<n>`; printed are the exit statuses as JSON.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from pathlib import Path

from generator.errors import OutputError
from generator.render import SiteFile, SiteStream
from generator.write import open_site

OLD = {
    "index.html": b"old home",
    "same.html": b"same",
    "a/changed.json": b"old",
    "gone/deep/stale.html": b"stale",
    "a/stale.html": b"stale",
}
NEW = {
    "index.html": b"new home",
    "same.html": b"same",
    "a/changed.json": b"new",
    "fresh/deep/new.html": b"new",
    "report.json": b"[1]",
}
KILLED, REFUSED, TOLERATED, UNDISTURBED = -int(signal.SIGKILL), 7, 0, 50
_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir"}


def write_site(site: Path, files: dict[str, bytes]) -> None:
    """Write files as one build, those in JSON as streams."""
    with open_site(site) as writer:
        for path, data in files.items():
            file = SiteFile(path, data)
            writer.stage(SiteStream(path, [data]) if path == "report.json" else file)
        writer.commit(generator="test")


class _Fault:
    """Makes the `step`-th file operation from now on fail."""

    def __init__(self, step: int, kind: str) -> None:
        self.left = step
        self.kind = kind
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            flags = arguments[2]
            if not isinstance(flags, int) or not flags & os.O_ACCMODE:
                return
        elif event not in _CHANGES:
            return
        self.left -= 1
        if self.left == 0:
            if self.kind == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, "No space left on device")


def attempt(site: Path, step: int, kind: str) -> int:
    """Write the new files in a child that fails at a step.

    Args:
        site: the folder.
        step: the operation that fails, from 1.
        kind: `kill` or `full`.

    Returns:
        Its exit status.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            fault = _Fault(step, kind)
            write_site(site, NEW)
            status = TOLERATED if fault.left <= 0 else UNDISTURBED
        except OutputError:
            status = REFUSED
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Fail at every step in turn."""
    kind, site, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    statuses: list[int] = []
    while UNDISTURBED not in statuses:
        copy = out / str(len(statuses))
        if site.exists():
            shutil.copytree(site, copy)
        statuses.append(attempt(copy, len(statuses) + 1, kind))
    sys.stdout.write(json.dumps(statuses))


if __name__ == "__main__":
    main()
