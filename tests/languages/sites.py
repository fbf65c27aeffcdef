"""The example registry in another language, and what of its pages is no interface text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from generator.build import BuildOptions, build_site
from generator.formats.kinds import KINDS
from tests.factories import ROOT, TEMPLATES, put, read_configuration
from tests.languages.collect import collect
from tests.languages.pseudo import CLOSE, OPEN
from tests.languages.visible import Piece, pieces_of

# Text of bundles, of files and of reports: it is in whatever language it is in.
_DATA_PLACES = ("code", "pre", "blockquote", "[lang=en]", "[lang=]")
# What is spelled the same in every language.
_DATA = re.compile(
    r"[\d-]+T[\d:]+Z|(?:arxiv[: ]|arXiv )\S+(?: v\d+)?|(?:DOI |doi:)\S+"
    r"|pith:\S+|[A-Z2-7]{8}|[A-Z2-7]{26}|[0-9a-f]{16,64}|V\d+|v\d+"
    r"|(?:creativecommons\.org|https?:/)/\S+|CC BY[\w -]* \d\.\d|CC0 1\.0"
    r"|orcid:\S+|pith-mirror \d\S+|pith-number/v1\.0|\w+ \d\.\d\.\d"
    r"|cite\.\w+(?:\.json)?|[\w-]+\.json"
    r"|arXiv|DOI|BibTeX|RIS|CSL-JSON|JSON|SHA-256|Markdown|HTML|LaTeX|reStructuredText|\{\w+\}|\w+_(?:count|sha256)"
)
_CATEGORY = re.compile(r"[a-z-]+\.[A-Za-z-]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_EDGE = " ,;:.·()\n+[]'’\"“”←→–—#…"


def site_in(folder: Path, language: str, bundles: Path, *, catalogue: str | None = None) -> Path:
    """Build the example registry in a language.

    Args:
        folder: a fresh one.
        language: its code.
        bundles: of the example registry.
        catalogue: of the language, if the package has none.

    Returns:
        The site.
    """
    own = folder / "own"
    put(own, {} if catalogue is None else {f"languages/{language}.po": catalogue.encode()})
    configuration = read_configuration(ROOT / "demo" / "mirror.toml")
    presentation = replace(configuration.presentation, language=language, full_text_search=False)
    build_site(
        BuildOptions(bundles=bundles, site=folder / "site", templates=(own, TEMPLATES)),
        replace(configuration, presentation=presentation),
    )
    return folder / "site"


@dataclass(frozen=True, slots=True)
class Data:
    """The texts that pages take from bundles and from the configuration."""

    texts: frozenset[str]

    def is_one(self, text: str) -> bool:
        """Tell whether a text is data and no text of the interface.

        Args:
            text: outside of every bracket.

        Returns:
            True if it has no letter, is spelled alike in every language, or comes from a bundle.
        """
        text = text.strip(_EDGE)
        return not _LETTER.search(text) or text in self.texts or bool(_DATA.fullmatch(text))


def data_of(bundles: Path, site: Path) -> Data:
    """Gather the data of a site: what bundles, catalogue and configuration say.

    Args:
        bundles: of the site.
        site: already built; its catalogue has titles and names as they are shown.

    Returns:
        The texts. A word that is also an entry of the interface is none, or one that was not
        translated would pass as data.
    """
    found: set[str] = set()
    for path in sorted(bundles.glob("*.json")):
        if path.name != "10-cut-file.json":
            found.update(_texts(json.loads(path.read_bytes())))
    for line in (site / "catalogue.ndjson").read_text(encoding="utf-8").splitlines():
        found.update(_texts(json.loads(line)))
    configuration = read_configuration(ROOT / "demo" / "mirror.toml")
    found.update((configuration.title, configuration.operator))
    found.update(text.partition(".")[0] for text in tuple(found) if _CATEGORY.fullmatch(text))
    for key in configuration.trust.by_id.values():
        found.update((key.key_id, key.signer_id))
    # A title of a page that is there in English alone.
    for path in sorted((TEMPLATES / "content").glob("*.md")):
        found.update(re.findall(r"^title: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    return Data(frozenset(found) - {entry.one for entry in collect()})


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        text = " ".join(value.split())
        yield text.strip(_EDGE)
        yield text.replace("_", " ")
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def is_interface(piece: Piece) -> bool:
    """Tell whether a piece stands where the interface speaks.

    Args:
        piece: of a page.

    Returns:
        False inside of code, of quotations and of what says that it is in another language.
    """
    inside = replace(piece, inside=piece.inside[1:])  # the page's own language counts for nothing
    return not any(map(inside.is_inside, _DATA_PLACES))


def unmarked(text: str, data: Data) -> list[str]:
    """Find what of a text of the made-up language nobody translated.

    Args:
        text: as a page shows it.
        data: of the site.

    Returns:
        The parts outside of every bracket that are no data.
    """
    parts = re.split(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", text)
    return [part.strip() for part in parts if not _is_all_data(part, data)]


def _is_all_data(text: str, data: Data) -> bool:
    # Coarsest first: a title may hold what stands between the parts of a heading.
    return any(all(map(data.is_one, re.split(by, text))) for by in ("\0", " · ", " · |, |: |; "))


def pages(site: Path, choose: Callable[[str], bool] = lambda _: True) -> Iterator[tuple[str, str]]:
    """Read the pages of a site.

    Args:
        site: a built site.
        choose: tells by its path whether a page is wanted.

    Yields:
        Path and text, by path.
    """
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        if choose(name):
            yield name, path.read_text(encoding="utf-8")


def found_unmarked(name: str, html: str, data: Data) -> Iterator[str]:
    """Find the untranslated texts of a page of the made-up language.

    Args:
        name: of the page.
        html: of the page.
        data: of the site.

    Yields:
        A line for each: where, and what.
    """
    for piece in filter(is_interface, pieces_of(html)):
        for part in unmarked(piece.text, data):
            if part in KINDS and piece.is_inside("bdi"):
                continue  # as the event names itself
            place = f"{piece.inside[-1]}{' ' + piece.attribute if piece.attribute else ''}"
            yield f"{name}: <{place}> {part!r} in {piece.text!r}"
