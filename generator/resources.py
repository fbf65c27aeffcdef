"""Finds what the package carries: templates, schemas, the default configuration.

In a checkout they stand at the top; in a wheel they stand inside the package, as
`generator/packaged/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.check_script import join_check_script
from generator.errors import InputError

_PACKAGE = Path(__file__).resolve().parent
CONFIGURATION_NAME = "mirror.toml"
STYLESHEET, THEME = "site.css", "theme.css"
ABOUT, VERIFY, REGISTRY_MANIFEST = "about.md", "verify.md", "pith-mirrors.json"
_REQUIRED = (STYLESHEET, ABOUT, VERIFY, REGISTRY_MANIFEST)
_REINSTALL = "install the package again"
_CSS_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)  # CSS Syntax 3, 4.3.2


@dataclass(frozen=True, slots=True)
class SiteResources:
    """What the folders of templates hold besides templates: bytes by name, sorted."""

    assets: Mapping[str, bytes]
    schemas: Mapping[str, bytes]
    content: Mapping[str, bytes]
    registry: Mapping[str, bytes]
    root: Mapping[str, bytes]  # served under their own names at the site's root
    languages: Mapping[str, bytes]  # catalogues of interface text, as `de.po`


def templates_folder() -> Path:
    """Find the folder of templates, assets, content and schemas.

    Returns:
        Its path.

    Raises:
        InputError: the installation is damaged.
    """
    return _resource("templates")


def read_resources(folders: Sequence[Path]) -> SiteResources:
    """Read assets, schemas, content and the registry's manifest.

    Args:
        folders: folders of templates; a file in an earlier one replaces that of a later one.

    Returns:
        The resources.

    Raises:
        InputError: one cannot be read.
    """
    resources = SiteResources(
        assets=_without_empty_theme(join_check_script(_read_below(folders, "assets"))),
        schemas=_read_below(folders, "schemas"),
        content=_read_below(folders, "content"),
        registry=_read_below(folders, "registry"),
        root=_read_below(folders, "root"),
        languages=_read_below(folders, "languages"),
    )
    named = {**resources.assets, **resources.content, **resources.registry}
    for name in _REQUIRED:
        if name not in named:
            raise InputError(
                f"templates: {name}", expected="the file", found="nothing", hint=_REINSTALL
            )
    return resources


def _without_empty_theme(assets: Mapping[str, bytes]) -> dict[str, bytes]:
    # Pages load the operator's colours only where there are any.
    is_empty = not _CSS_COMMENT.sub(b"", assets.get(THEME, b"")).strip()
    return {name: data for name, data in assets.items() if name != THEME or not is_empty}


def _read_below(folders: Sequence[Path], name: str) -> dict[str, bytes]:
    found: dict[str, Path] = {}
    for folder in reversed(folders):
        for path in (folder / name).rglob("*"):
            if path.is_file():
                found[path.relative_to(folder / name).as_posix()] = path
    try:
        return {key: found[key].read_bytes() for key in sorted(found)}
    except OSError as error:
        raise InputError(
            str(error.filename), expected="a readable file", found=error.strerror or "an error"
        ) from error


def default_configuration() -> Path:
    """Find the configuration that is used where the operator has none.

    Returns:
        The path of the packaged `mirror.toml`, which pins the registry's published key.

    Raises:
        InputError: the installation is damaged.
    """
    return _resource(CONFIGURATION_NAME)


def find_configuration(bundles: Path, working_folder: Path) -> Path:
    """Find a mirror's configuration: beside the bundles, else in the working folder, else packaged.

    Args:
        bundles: the folder of bundles.
        working_folder: where the command was started.

    Returns:
        The path of the `mirror.toml` that counts.

    Raises:
        InputError: the installation is damaged.
    """
    for folder in (bundles.resolve().parent, working_folder):
        # Also a dangling link or a folder of that name: reading it fails, and that is an error to
        # show, not a reason to trust other keys.
        if os.path.lexists(folder / CONFIGURATION_NAME):
            return folder / CONFIGURATION_NAME
    return default_configuration()


def _resource(name: str) -> Path:
    for candidate in (_PACKAGE / "packaged" / name, _PACKAGE.parent / name):
        if candidate.exists():
            return candidate
    raise InputError(
        name,
        expected="a complete installation of pith-mirror",
        found="no such file in it",
        hint=_REINSTALL,
    )
