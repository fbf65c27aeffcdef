"""resources.py: what the package carries is found, and an operator's files go first."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import resources
from generator.errors import InputError
from generator.resources import (
    default_configuration,
    find_configuration,
    read_resources,
    templates_folder,
)
from tests.factories import ROOT, TEMPLATES, put


def test_checkout_carries_its_own_files() -> None:
    """In a checkout templates and configuration are those at its top."""
    assert templates_folder() == TEMPLATES
    assert default_configuration() == ROOT / "mirror.toml"


def test_packaged_files_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a wheel the files stand below the package."""
    put(tmp_path / "generator" / "packaged", {"mirror.toml": b"", "templates/x": b""})
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "generator")
    assert templates_folder() == tmp_path / "generator" / "packaged" / "templates"
    assert default_configuration() == tmp_path / "generator" / "packaged" / "mirror.toml"


def test_damaged_installation_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the files the error says what to do."""
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "generator")
    with pytest.raises(InputError, match="install the package again"):
        templates_folder()
    with pytest.raises(InputError, match=r"mirror\.toml"):
        default_configuration()


def test_configuration_is_looked_for_in_order(tmp_path: Path) -> None:
    """Beside the bundles, then in the working folder, then the packaged one."""
    beside, working = put(tmp_path / "a", {}), put(tmp_path / "b", {})
    bundles = put(beside / "bundles", {})
    assert find_configuration(bundles, working) == ROOT / "mirror.toml"
    put(working, {"mirror.toml": b""})
    assert find_configuration(bundles, working) == working / "mirror.toml"
    put(beside, {"mirror.toml": b""})
    assert find_configuration(bundles, working) == beside / "mirror.toml"


def test_earlier_folder_replaces_single_files(tmp_path: Path) -> None:
    """Assets, content, schemas and the registry's manifest are replaced file by file, sorted."""
    put(tmp_path, {"assets/a.css": b"mine", "content/about.md": b"mine"})
    found = read_resources([tmp_path, TEMPLATES])
    assert found.assets["a.css"] == b"mine"
    assert found.assets["site.css"] == (TEMPLATES / "assets" / "site.css").read_bytes()
    assert found.content["about.md"] == b"mine"
    assert "pith-number/v1.json" in found.schemas
    assert list(found.schemas) == sorted(found.schemas)


@pytest.mark.parametrize("name", ["assets/site.css", "content/about.md"])
def test_missing_file_is_an_input_error(name: str, tmp_path: Path) -> None:
    """A folder without a file that every site needs is refused by its name."""
    files = {
        path.relative_to(TEMPLATES).as_posix(): path.read_bytes()
        for path in TEMPLATES.rglob("*")
        if path.is_file()
    }
    put(tmp_path, {path: data for path, data in files.items() if path != name})
    with pytest.raises(InputError, match=Path(name).name):
        read_resources([tmp_path])


def test_unreadable_file_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be read is named."""
    put(tmp_path, {"assets/a.css": b"x"})
    reading = Path.read_bytes

    def forbidding(path: Path) -> bytes:
        if path.name == "a.css":
            raise PermissionError(13, "Permission denied", str(path))
        return reading(path)

    monkeypatch.setattr(Path, "read_bytes", forbidding)
    with pytest.raises(InputError, match="Permission denied"):
        read_resources([tmp_path, TEMPLATES])
