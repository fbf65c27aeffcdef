"""What programs read first: `robots.txt` (RFC 9309) and `llms.txt` (llmstxt.org)."""

from __future__ import annotations

from collections.abc import Iterator

from generator import layout
from generator.config import Configuration, Profile
from generator.profiles import is_written
from generator.render import SiteFile
from generator.site_inputs import SiteInputs
from generator.site_sitemap import has_sitemap

_EXAMPLE = (
    "Every record here is an invented example, signed with test keys that anyone can use. Do not "
    "cite any of it."
)
_WHAT = (
    "A read-only static mirror of Pith Numbers: content-addressed identifiers of scholarly "
    "records. Each record was checked against pinned keys when this site was built, and anyone can "
    "check it again from the files here."
)
_NOTES = (
    (
        "A Pith Number is `pith:<year>:<suffix>`. The suffix, 26 characters of A-Z and 2-7, alone "
        "names the record. Replace `<suffix>` in the addresses below by it."
    ),
    (
        "A record proves, by digest and receipt, the arXiv id and version, the time of "
        "submission, the categories, the licence, and the digests of title and abstract. A title "
        "is shown only where its digest agrees."
    ),
    (
        "Authors are in no record. They are *reported*, which is the word of whoever signed a "
        "snapshot, or *carried*, which nobody here can check. So is an abstract of which only the "
        "beginning is known."
    ),
    "A check has three outcomes: verified, failed, not checkable. *Not checkable* is not a pass.",
    (
        "That a record is here says that it was registered. It says nothing of whether the paper "
        "is right, nor who wrote it."
    ),
    "Withdrawn records stay and are marked `withdrawn`. Do not present them as current.",
)


def robots_files(inputs: SiteInputs, *, has_parquet: bool) -> Iterator[SiteFile]:
    """Make both files.

    Args:
        inputs: the configuration and the catalogue.
        has_parquet: whether the site has the catalogue as Parquet.

    Returns:
        `robots.txt`, then `llms.txt`.
    """
    yield SiteFile(layout.ROBOTS, robots_txt(inputs.configuration).encode())
    text = llms_txt(
        inputs.configuration, records=inputs.catalogue.record_count(), has_parquet=has_parquet
    )
    yield SiteFile(layout.LLMS, text.encode())


def robots_txt(configuration: Configuration) -> str:
    """Say what robots may read: everything; of an example registry nothing.

    Args:
        configuration: the mirror's.

    Returns:
        The file. It counts only at the root of a host (RFC 9309 2.3).
    """
    rule = "Disallow: /" if configuration.example_registry else "Allow: /"
    lines = ["User-agent: *", rule]
    if has_sitemap(configuration):
        lines += ["", f"Sitemap: {configuration.base_url}{layout.SITEMAP}"]
    return "\n".join(lines) + "\n"


def llms_txt(configuration: Configuration, *, records: int, has_parquet: bool) -> str:
    """Say to a language model, or to whoever writes a program, what is where and what it is worth.

    Args:
        configuration: the mirror's.
        records: how many there are.
        has_parquet: whether the site has the catalogue as Parquet.

    Returns:
        The file, in English whatever the language of the pages.
    """
    example = [_EXAMPLE, ""] if configuration.example_registry else []
    number = f"{records:,} record{'s' if records != 1 else ''}."
    upstream = next(iter(configuration.upstreams), None)
    registry = (
        [f"The registry is [{_plain(upstream.name)}]({upstream.base_url})."] if upstream else []
    )
    lines = [
        f"# {_plain(configuration.title)}",
        "",
        f"> {_WHAT}",
        "",
        *example,
        " ".join([number, *registry]),
        "",
        *(f"- {note}" for note in _NOTES),
        "",
        "The files of one record:",
        "",
        *(
            f"- `{configuration.base_url}{path}`: {note}"
            for path, note in _ONE
            if is_written(path, configuration)
        ),
        "",
        *([_COMPACT, ""] if configuration.presentation.profile is Profile.COMPACT else []),
        *_section("All records", _whole(has_parquet), configuration),
        *_section("Formats and trust", _FORMATS, configuration),
        *_section("Optional", _OPTIONAL, configuration),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _whole(has_parquet: bool) -> tuple[tuple[str, str, str], ...]:  # noqa: FBT001 - private
    parquet = (
        "catalogue as Parquet",
        layout.CATALOGUE_PARQUET,
        "the same rows in columns, for range requests",
    )
    return (
        ("catalogue", layout.CATALOGUE, "one JSON object a line for each record, by suffix"),
        *((parquet,) if has_parquet else ()),
        ("feed", layout.FEED, "Atom, new and changed records, with archives"),
        ("browse", layout.BROWSE, "by year and category, for people"),
        ("manifest", layout.MANIFEST, "every file of the site with its SHA-256"),
        ("report", layout.REPORT, "the verdict on every bundle, with what failed"),
    )


_COMPACT = (
    "Other files of a record (merged state, events, resolver record, citations, second copies) are "
    "not written here. All follow from its bundle.json: `pith-mirror inspect` shows them. A record "
    "is found by arXiv id, DOI or short form in the catalogue."
)
_ONE = (
    (layout.record_page("<suffix>"), "the page, for people"),
    (layout.record_file("<suffix>", "bundle.json"), "the signed original: record, receipt, events"),
    (layout.record_file("<suffix>", "state.json"), "what follows from the events, merged"),
    (layout.record_file("<suffix>", "events.json"), "each event with the outcome of its check"),
    (layout.resolver("<suffix>"), "names and addresses of the record, short"),
)
_FORMATS = (
    ("pinned keys", layout.SIGNING_KEY, "the only keys this mirror trusts"),
    ("how to verify", layout.VERIFY, "by hand with common tools, or in the browser"),
    ("about", layout.ABOUT, "what this mirror proves, and what it does not"),
    ("schema of a bundle", layout.schema("bundle.v1.json"), "JSON Schema"),
    ("schema of a state", layout.schema("state.v1.json"), "JSON Schema"),
    ("schema of a catalogue row", layout.schema("catalogue-row.v1.json"), "JSON Schema"),
)
_OPTIONAL = (("other mirrors", layout.MIRRORS, "where the same bundles are served"),)


def _section(
    title: str, rows: tuple[tuple[str, str, str], ...], configuration: Configuration
) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    for name, path, note in rows:
        address = layout.address_of(path, base_url=configuration.base_url, source=layout.LLMS)
        yield f"- [{name}]({address}): {note}"
    yield ""


def _plain(text: str) -> str:
    """Take from a name what Markdown would read as a mark."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#" else char for char in text)
