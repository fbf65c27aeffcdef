"""What a measurement says of the machine, and what it needs of it: programs, cores, a place."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - a folder of our own is made below it
_ROOM_FOR_A_RECORD = 250_000  # bytes: site, staged copies and a copy by cp
_PEER_SECONDS = 3


def machine() -> str:
    """Name the machine.

    Returns:
        Processor, cores this process may use, system, Python.
    """
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    model = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    cores = len(os.sched_getaffinity(0))
    processor = model[1] if model else platform.processor() or platform.machine()
    return (
        f"{processor}, {cores} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def commit() -> str:
    """Name the commit that is measured.

    Returns:
        Its short name, with a mark if files differ from it, or a word where Git knows nothing.
    """
    command = ["git", "describe", "--always", "--dirty"]
    finished = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    return finished.stdout.strip() or "unknown"


def program(*names: str, remedy: str = "") -> str:
    """Find a program, or end with what to do: a measurement without its peer is none.

    Args:
        names: any of these.
        remedy: how to get it, if not as a package of that name.

    Returns:
        Its path.
    """
    places = "/usr/bin:/usr/local/bin:/usr/sbin:/usr/local/sbin"
    beside = str(Path(sys.executable).parent)  # programs that come as wheels
    for name in names:
        found = (
            shutil.which(name) or shutil.which(name, path=beside) or shutil.which(name, path=places)
        )
        if found:
            return found
    raise SystemExit(
        f"{names[0]} is missing; {remedy or f'install it with: apt-get install {names[0]}'}"
    )


def use_cores(count: int) -> tuple[int, ...]:
    """Keep this process, and all it starts, to some cores.

    Args:
        count: how many.

    Returns:
        Their numbers.
    """
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < count:
        raise SystemExit(f"{count} cores are wanted, and only {len(cores)} are there")
    os.sched_setaffinity(0, cores[:count])
    return tuple(cores[:count])


def work_folder(count: int, wanted: Path | None) -> Path:
    """Choose where to measure: memory if it has room, so that the disk is not what is measured.

    Args:
        count: records.
        wanted: what the command line says.

    Returns:
        An existing folder.
    """
    if wanted is not None:
        # Not made here: it would be left behind.
        if not wanted.is_dir():
            raise SystemExit(f"there is no folder {wanted}")
        return wanted
    need = count * _ROOM_FOR_A_RECORD
    if _MEMORY_FOLDER.is_dir() and shutil.disk_usage(_MEMORY_FOLDER).free > need:
        return _MEMORY_FOLDER
    return Path(tempfile.gettempdir())


def kind_of_place(folder: Path) -> str:
    """Say what a folder lies on, without naming it.

    Args:
        folder: any.

    Returns:
        A word for a table.
    """
    return "memory" if folder.resolve().is_relative_to(_MEMORY_FOLDER) else "disk"


def openssl_rate(*, core: int | None = None) -> float | None:
    """Ask OpenSSL how many Ed25519 signatures one core verifies in a second.

    Args:
        core: the only one that it may use; any by default.

    Returns:
        The rate, or None where there is no `openssl` that can say.
    """
    openssl = shutil.which("openssl")
    if openssl is None:
        return None
    command = [openssl, "speed", "-seconds", str(_PEER_SECONDS), "ed25519"]
    if core is not None:
        command = [program("taskset"), "--cpu-list", str(core), *command]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    rates = re.search(r"EdDSA \(Ed25519\).*?([0-9.]+)\s*$", finished.stdout, re.MULTILINE)
    return float(rates[1]) if rates else None
