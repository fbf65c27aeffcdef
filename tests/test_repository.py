"""The repository as a reader gets it: complete, and naming no machine and no registry."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Assembled, so that this file does not hold what it looks for.
REGISTRY_HOSTS = tuple(
    name.replace(" ", ".")
    for name in (
        "pypi org",
        "pythonhosted org",
        "npmjs org",
        "npmjs com",
        "yarnpkg com",
        "deb debian org",
        "archive ubuntu com",
    )
)
MACHINE_FOLDERS = ("work", "root", "opt/pypi", "tmp/team", "Users")
LEFTOVERS = ("TO" + "DO", "FIX" + "ME", "X" * 3, "raise Not" + "ImplementedError")
PROSE = {".py", ".md", ".toml", ".html", ".css", ".js", ".xml", ".sh", ".cfg", ""}


def repository_files() -> tuple[Path, ...]:
    """List what is, or would be, committed.

    Returns:
        The files, sorted; empty outside a Git checkout.
    """
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    names = sorted(set(listing.stdout.decode().split("\0")) - {""})
    return tuple(path for name in names if (path := ROOT / name).is_file())


FILES = repository_files()
pytestmark = pytest.mark.skipif(not FILES, reason="not a Git checkout")


def found_in_files(pattern: str, *, suffixes: set[str] | None = None) -> list[str]:
    """Search the repository's files.

    Args:
        pattern: a regular expression over bytes that are ASCII.
        suffixes: only in files with one of these suffixes; everywhere when None.

    Returns:
        `path: match`, by path.
    """
    expression = re.compile(pattern.encode())
    return [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in FILES
        if suffixes is None or path.suffix in suffixes
        if (match := expression.search(path.read_bytes()))
    ]


@pytest.mark.parametrize(
    "name",
    [
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "Makefile",
        ".ci/run",
        "bundles/README.md",
        "docs/cli.md",
        "docs/formats/verification.md",
        "mirror.toml",
        "site/README.md",
        "tests/corpus/README.md",
    ],
)
def test_file_a_reader_expects_is_there(name: str) -> None:
    """Each file that a reader of a repository looks for exists and says something."""
    assert (ROOT / name).stat().st_size > 40


def test_licence_is_the_whole_apache_licence() -> None:
    """LICENSE is the full text that pyproject.toml names, not a pointer to it."""
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Version 2.0, January 2004" in text
    assert "9. Accepting Warranty or Additional Liability" in text


def test_no_file_names_a_package_registry() -> None:
    """Which registry is used is the machine's configuration and stands in no file."""
    assert found_in_files("|".join(map(re.escape, REGISTRY_HOSTS))) == []


def test_no_file_names_a_path_of_a_machine() -> None:
    """No absolute path of the machine a file was made on is left in it."""
    folders = "|".join(map(re.escape, MACHINE_FOLDERS))
    # Something before the slash makes it a relative path or a URL.
    assert found_in_files(rf"(?<![\w.~)}}/-])/(?:{folders})/") == []


def test_nothing_is_left_for_later() -> None:
    """No source or page holds a note that something is still to be written."""
    words = "|".join(LEFTOVERS)
    assert found_in_files(rf"\b(?:{words})\b", suffixes=PROSE) == []


def test_no_npm_lock_file() -> None:
    """The one npm package is pinned in package.json; a lock file would name a registry."""
    names = {path.name for path in FILES}
    assert not names & {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock"}


def test_version_is_stated_once_and_logged() -> None:
    """The version in generator/__init__.py has an entry in the change log."""
    source = (ROOT / "generator" / "__init__.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "([^"]+)"$', source, flags=re.MULTILINE)
    assert version is not None
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace(
        "[", ""
    )
