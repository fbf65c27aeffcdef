"""The peer of the page measurements: the same record as one plain page, made by Hugo.

Its layout is in hugo/: a handful of lines of our own, no theme. It says title, authors, abstract,
facts and the canonical record, and proves nothing, so it is the floor that a record page of this
mirror can be compared with.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = "record/index.html"


def hugo_version(program: str) -> str:
    """Ask Hugo which it is.

    Args:
        program: its path.

    Returns:
        The version without build details.
    """
    finished = subprocess.run([program, "version"], capture_output=True, text=True, check=True)
    # The wheel from PyPI says first where it is.
    version = finished.stdout.strip().splitlines()[-1]
    name, number = version.split()[:2]
    return f"{name} {number.partition('-')[0]}"


def build_peer(program: str, record: Path, folder: Path) -> Path:
    """Make the plain page of a record.

    Args:
        program: path of Hugo.
        record: the record's resolver file, `pith/<suffix>.json` of a built site.
        folder: where to work; it must not exist.

    Returns:
        The folder of Hugo's site; its page is PAGE.
    """
    # A copy, as Hugo leaves a lock beside its configuration.
    shutil.copytree(HERE / "hugo", folder)
    content = folder / "content"
    content.mkdir()
    data = front_matter(json.loads(record.read_text(encoding="utf-8")))
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    (content / "record.md").write_text(text, encoding="utf-8")
    command = [program, "--source", str(folder), "--destination", str(folder / "public")]
    command += ["--cacheDir", str(folder / "cache"), "--quiet"]
    subprocess.run(command, check=True)
    return folder / "public"


def front_matter(record: dict[str, Any]) -> dict[str, Any]:
    """Choose what the plain page says.

    Args:
        record: the resolver file, read.

    Returns:
        Hugo's front matter.
    """
    paper = record.get("paper") or {}
    canonical = record["canonical_record"]
    source = canonical["source"]
    metadata = canonical["metadata"]
    facts = [
        ("Pith Number", record["pith_number"]),
        ("Source", f"{source['kind']}:{source['id']} v{source['version']}"),
        ("Submitted", metadata["submitted_at"]),
        ("Category", metadata["primary_cat"]),
        ("Licence", metadata["license"]),
        ("SHA-256", record["canonical_sha256"]),
        ("Signature", record["receipt"]["signature_b64"]),
        *((alias["alias_kind"], alias["alias_value"]) for alias in record["source_aliases"]),
    ]
    return {
        "title": paper.get("title") or record["pith_number"],
        "authors": paper.get("authors_text") or "Authors not known.",
        "abstract": paper.get("abstract") or paper.get("abstract_excerpt") or "",
        "facts": [{"name": name, "value": value} for name, value in facts],
        # As text: Hugo would change the case of keys.
        "canonical": json.dumps(canonical, indent=2, sort_keys=True, ensure_ascii=False),
    }
