"""Build state: what a build knew, in one SQLite file, so that the next one is short.

It lies in `site/.pith-mirror/`, is no file of the site, and may be deleted at any time: a build
without it makes the same site and takes longer. A seal beside it names its digest and that of the
manifest it belongs to. A state that is damaged, of another version, or of another site is not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from generator import layout
from generator.limits import DEFAULT_LIMITS
from generator.plain_files import status_of

# Raised with every change of a table: the tables of the catalogue and the ledger are in it.
VERSION = 1
_CHUNK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class BuildState:
    """What the last build left: its database, and under which context it was made."""

    path: Path
    context: dict[str, str]  # digests by name
    notes: tuple[str, ...]  # for the operator


def find_state(folder: Path) -> BuildState | None:
    """Find the state that the last build left.

    Args:
        folder: the site's.

    Returns:
        The state; None if there is none, or none that can be trusted to be of this very site.
    """
    path = folder / layout.STATE
    if status_of(path) is None:
        return None
    try:
        with (folder / layout.STATE_SEAL).open("rb") as file:
            seal = json.loads(file.read(DEFAULT_LIMITS.state_seal_max_length))
        state = BuildState(path, dict(seal["context"]), tuple(seal["notes"]))
        is_right = seal == _seal(
            state, state_digest=_digest_of(path), manifest=folder / layout.MANIFEST
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return state if is_right else None


def open_database(path: Path, *, previous: Path | None = None) -> sqlite3.Connection:
    """Open the database of one build.

    Args:
        path: a file that does not exist yet; `:memory:` keeps all in memory.
        previous: the state of the last build, of which a copy is taken.

    Returns:
        A connection with a transaction begun, and a second, empty file attached as `work`.
    """
    if previous is not None:
        shutil.copyfile(previous, path)
    db = sqlite3.connect(path, isolation_level=None)
    work = path if str(path) == ":memory:" else path.with_name(f"{path.name}-work")
    # As bytes: the name of a folder need not be text.
    db.execute("ATTACH ? AS work", (os.fsencode(work),))
    for name in ("main", "work"):
        # A working file needs no journal: after a crash it is thrown away.
        db.execute(f"PRAGMA {name}.journal_mode=OFF")
        db.execute(f"PRAGMA {name}.synchronous=OFF")
    db.execute("BEGIN")
    return db


def create_tables(db: sqlite3.Connection, schema: str) -> None:
    """Create tables inside the transaction of a build.

    Args:
        db: the build's database.
        schema: statements, each ended by a semicolon.
    """
    # `executescript` would end the transaction.
    for statement in schema.split(";"):
        if statement.strip():
            db.execute(statement)


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the database of the last build for reading alone.

    Args:
        path: which nobody changes meanwhile.

    Returns:
        A connection, and an empty file in memory attached as `work`.
    """
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None
    )
    db.execute("ATTACH ':memory:' AS work")
    return db


def spell_seal(state: BuildState, *, manifest: Path) -> bytes:
    """Spell the seal of a state.

    Args:
        state: its file closed.
        manifest: of the site it belongs to.

    Returns:
        The bytes.
    """
    seal = _seal(state, state_digest=_digest_of(state.path), manifest=manifest)
    return json.dumps(seal, indent=1).encode() + b"\n"


def _seal(state: BuildState, *, state_digest: str, manifest: Path) -> dict[str, object]:
    return {
        "type": "pith_mirror_build_state",
        "version": VERSION,
        "state_sha256": state_digest,
        "manifest_sha256": _digest_of(manifest),
        "context": state.context,
        "notes": list(state.notes),
        "note": "Of use to the next build alone. No part of the site; safe to delete.",
    }


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
