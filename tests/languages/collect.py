"""Collects the entries of interface text from templates and code, and updates the catalogues.

    python tests/languages/collect.py            # write the entries of today into languages/*.po
    python tests/languages/collect.py --check    # only tell whether that would change one

New entries are added untranslated, those that are gone are dropped; translations are kept.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from babel.messages.extract import extract_from_file
from jinja2.ext import babel_extract

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
LANGUAGES = TEMPLATES / "languages"
_TEMPLATE_ENDINGS = (".html", ".svg", ".atom", ".xml", ".txt")
_IN_CODE = {"message": None, "messages": (1, 2), "Message": None, "pgettext": ((1, "c"), 2)}
_IN_TEMPLATES = ("_", "gettext", "ngettext", "pgettext")
_JINJA_OPTIONS = {
    "trimmed": "false",
    "newstyle_gettext": "true",
    "trim_blocks": "true",
    "lstrip_blocks": "true",
    "silent": "false",
}


@dataclass(frozen=True, order=True)
class Entry:
    """An entry of the catalogue: context, text for one, text for many (or empty)."""

    context: str
    one: str
    many: str
    places: tuple[str, ...] = ()


def collect() -> tuple[Entry, ...]:
    """Collect the entries of templates and code.

    Returns:
        The entries, each once, by text.
    """
    places: dict[tuple[str, str, str], list[str]] = {}
    for where, context, found in _all():
        one, many = (found, "") if isinstance(found, str) else (found[0], found[1])
        places.setdefault((context, one, many), []).append(where)
    return tuple(
        Entry(context, one, many, tuple(sorted(set(found))))
        for (context, one, many), found in sorted(places.items())
    )


def _all() -> Iterator[tuple[str, str, str | tuple[str, ...]]]:
    for path in sorted((ROOT / "generator").rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        rows = extract_from_file("python", path, keywords=_IN_CODE, options={"encoding": "utf-8"})
        for _, found, _, context in rows:
            yield where, context or "", found
    for path in sorted(TEMPLATES.rglob("*")):
        if path.suffix not in _TEMPLATE_ENDINGS or path.is_relative_to(TEMPLATES / "assets"):
            continue
        where = path.relative_to(ROOT).as_posix()
        with path.open("rb") as file:
            for _, function, texts, _ in babel_extract(file, _IN_TEMPLATES, (), _JINJA_OPTIONS):
                yield where, *_of_template(function, texts)


def _of_template(
    function: str, found: str | tuple[str | None, ...] | None
) -> tuple[str, str | tuple[str, ...]]:
    found = (found,) if isinstance(found, str) else found or ()
    texts = tuple(text for text in found if text is not None)
    if function == "pgettext":
        return texts[0], texts[1]
    return ("", texts[:2]) if function == "ngettext" else ("", texts[0])


def updated(catalogue: polib.POFile, entries: tuple[Entry, ...]) -> polib.POFile:
    """Bring a catalogue up to the entries of today.

    Args:
        catalogue: as it is.
        entries: all of them.

    Returns:
        A catalogue with exactly those entries, in their order, its translations kept.
    """
    known = {(e.msgctxt or "", e.msgid, e.msgid_plural or ""): e for e in catalogue}
    count = int(catalogue.metadata["Plural-Forms"].partition("nplurals=")[2][0])
    fresh = polib.POFile(wrapwidth=100)
    fresh.metadata = catalogue.metadata
    fresh.header = catalogue.header
    for entry in entries:
        old = known.get((entry.context, entry.one, entry.many))
        fresh.append(
            polib.POEntry(
                msgctxt=entry.context or None,
                msgid=entry.one,
                msgid_plural=entry.many or "",
                msgstr=old.msgstr if old else "",
                msgstr_plural=(
                    (old.msgstr_plural if old else dict.fromkeys(range(count), ""))
                    if entry.many
                    else {}
                ),
                flags=[flag for flag in old.flags if flag != "fuzzy"] if old else [],
                tcomment=old.tcomment if old else "",
                occurrences=[(place, "") for place in entry.places],
            )
        )
    return fresh


def main() -> int:
    """Update every catalogue, or check that none has to be.

    Returns:
        The exit code: 1 if a catalogue is not up to date.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check
    entries, stale = collect(), []
    for path in sorted(LANGUAGES.glob("*.po")):
        text = str(updated(polib.pofile(str(path)), entries)).rstrip() + "\n"
        if text != path.read_text(encoding="utf-8"):
            stale.append(path.name)
            if not check:
                path.write_text(text, encoding="utf-8")
    verb = "not up to date" if check else "updated"
    sys.stdout.write(f"{len(entries)} entries; {verb}: {', '.join(stale) or 'none'}\n")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
