"""Build context: digests of all that a site is made from beside its bundles.

What was made under one context may be kept under the same one, and under no other. The program
itself is part of it, by its own bytes: verdicts of another verifier are not reused.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from generator.config import Configuration
from generator.errors import InputError
from generator.record_files import RECORD_TEMPLATES
from generator.site_materials import SiteMaterials

# What verdicts, texts and files come from besides the program itself; the last ones are optional.
_PACKAGES = (
    "cryptography",
    "jinja2",
    "markdown",
    "markupsafe",
    "opentimestamps",
    "polib",
    "pycryptodomex",
    "pylatexenc",
    "brotli",
    "pagefind_bin",
    "pagefind_bin_extended",
    "pillow",
    "pyarrow",
)
_TEMPLATE = "template "  # begins the names of templates in a spelled context


@dataclass(frozen=True, slots=True)
class BuildContext:
    """What a build works with, each part as a SHA-256 (hex)."""

    program: str
    everything: str  # the program, the configuration, every file in the folders of templates
    records: str  # what the files of records depend on besides their bundles and templates
    templates: Mapping[str, str]  # the templates of records, each with all that it includes

    def as_digests(self) -> dict[str, str]:
        """Spell it for the build state."""
        templates = {f"{_TEMPLATE}{name}": digest for name, digest in self.templates.items()}
        return {
            "program": self.program,
            "everything": self.everything,
            "records": self.records,
            **templates,
        }

    def changed_templates(self, last: Mapping[str, str]) -> frozenset[str]:
        """Name the templates of records that are not what they were.

        Args:
            last: the context of the last build, spelled.

        Returns:
            Their names.
        """
        now = self.templates.items()
        return frozenset(name for name, digest in now if last.get(f"{_TEMPLATE}{name}") != digest)


def digest_of_program() -> str:
    """Digest the program itself, and the versions of what it works with.

    Returns:
        SHA-256, hex.

    Raises:
        InputError: a file of the program cannot be read.
    """
    parts = [platform.python_version().encode(), sys.byteorder.encode()]
    package = Path(__file__).resolve().parent
    for path in _files_below(package, ending=".py"):
        parts += [path.relative_to(package).as_posix().encode(), _read(path)]
    for name in _PACKAGES:
        try:
            parts.append(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            parts.append(f"no {name}".encode())
    return _joined(parts)


def digest_of_everything(
    program: str, configuration: Configuration, folders: Sequence[Path]
) -> str:
    """Digest whatever can change a byte of the site besides the bundles.

    Args:
        program: its digest.
        configuration: the mirror's.
        folders: of templates, the operator's first.

    Returns:
        SHA-256, hex.

    Raises:
        InputError: a file of the templates cannot be read.
    """
    parts = [program.encode(), _spelled(configuration)]
    for number, folder in enumerate(folders):
        for path in _files_below(folder):
            name = f"{number}/{path.relative_to(folder).as_posix()}"
            parts += [os.fsencode(name), _read(path)]
    return _joined(parts)


def build_context(program: str, everything: str, materials: SiteMaterials) -> BuildContext:
    """Tell apart what a change of the context means for records.

    Args:
        program: its digest.
        everything: as `digest_of_everything` gives it.
        materials: of which records depend on the configuration, on what every page shares (the
            names of the assets included), on the language, and on their templates.

    Returns:
        The context.

    Raises:
        RenderError: a template of records is missing or cannot be parsed.
    """
    renderer = materials.renderer
    shared = _spelled((materials.configuration, materials.frame, renderer.language_digest))
    return BuildContext(
        program=program,
        everything=everything,
        records=_joined([program.encode(), shared]),
        templates={name: renderer.template_digest(name) for name in sorted(RECORD_TEMPLATES)},
    )


def _spelled(value: object) -> bytes:
    # Configurations and view models are values through and through: what they print is all they
    # are.
    return repr(value).encode("utf-8", "surrogatepass")


def _files_below(folder: Path, ending: str = "") -> Iterator[Path]:
    for path in sorted(folder.rglob(f"*{ending}")):
        if path.is_file():
            yield path


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            str(path), expected="a readable file", found=error.strerror or "an error"
        ) from error


def _joined(parts: Sequence[bytes]) -> str:
    digest = sha256()
    for part in parts:
        # With its length, so that no two lists of parts are spelled alike.
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
