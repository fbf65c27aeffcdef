"""The wheel works where there is no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("built_site")]


def run(command: list[str], *, folder: Path) -> str:
    """Run a command in a folder with an environment that names no checkout.

    Args:
        command: program and arguments.
        folder: the working directory.

    Returns:
        What it printed on stdout.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_"))}
    finished = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A fresh virtual environment with the built wheel; the value is its bin folder.

    The dependencies are lent by the running environment through a .pth file, so nothing is
    downloaded. The checkout is not lent: a .pth file in a lent folder is not read.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder)]
    run([*build, str(repository)], folder=folder)
    (wheel,) = folder.glob("pith_mirror-*-py3-none-any.whl")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], folder=folder)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    run([*pip, "--no-deps", "--no-index", str(wheel)], folder=folder)
    (packages,) = (folder / "venv" / "lib").glob("python3*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


def tree(site: Path) -> dict[str, bytes]:
    """Read a whole folder but its build state.

    Args:
        site: the folder.

    Returns:
        Relative path to bytes.
    """
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file() and path.parent.name != ".pith-mirror"
    }


def test_installed_package_is_not_the_checkout(installed: Path, tmp_path: Path) -> None:
    """The wheel's own copy is what runs, so the comparison below compares two things."""
    command = [str(installed / "python"), "-c", "import generator; print(generator.__file__)"]
    assert Path(run(command, folder=tmp_path).strip()).is_relative_to(installed.parent)


def test_wheel_builds_the_same_site_in_an_empty_folder(
    installed: Path, built_site: Path, repository: Path, tmp_path: Path
) -> None:
    """In a folder with nothing but bundles, the installed command gives the checkout's bytes."""
    shutil.copytree(repository / "bundles", tmp_path / "bundles")
    command = [str(installed / "pith-mirror"), "build", "--bundles", "bundles", "--site", "site"]
    run(command, folder=tmp_path)
    here, there = tree(tmp_path / "site"), tree(built_site)
    assert here.keys() == there.keys()
    assert {path for path in here if here[path] != there[path]} == set()
    assert "index.html" in here
