"""What a page says, as values: the templates only spell it. Each fact carries how it is known.

The table of protocol part 2 decides between proven, reported and carried; design, "What a page
says".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from generator.drawing import Picture
from generator.formats.canonical import JsonObject
from generator.formats.checks import Check, Verdict
from generator.head import CitationText, RecordHead
from generator.messages import message


class HowKnown(Enum):
    """How this mirror knows a fact. The value is the word shown beside it."""

    PROVEN = "proven"  # bound by digest and signature to a trusted key
    COMPUTED = "computed"  # derived here from proven facts by fixed rules
    REPORTED = "reported"  # in a verified event, but only the signer's word
    CARRIED = "carried"  # present in the bundle, not checkable


@dataclass(frozen=True, slots=True)
class Fact:
    """A value to show. `text` is for people (TeX decoded, invisible characters made visible)."""

    text: str
    known: HowKnown
    note: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link: site paths are relative to the site's root, others absolute with http(s)."""

    label: str
    href: str
    external: bool = False
    note: str = ""  # words for what only the registry can do, so that nobody expects it here


@dataclass(frozen=True, slots=True)
class Chip:
    """A status chip, as on the registry's page: `not attested`, `not anchored`."""

    text: str
    positive: bool
    alarm: bool = False  # speaks against the record


@dataclass(frozen=True, slots=True)
class CompletenessRow:
    """A row of the record's completeness list: number 1 to 5, what, and how far it is."""

    number: int
    label: str
    status: str
    link: Link | None = None
    section: str = ""  # the part of the page that tells more; empty for none


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text to copy, with the language it is in."""

    label: str
    code: str


@dataclass(frozen=True, slots=True)
class AliasRow:
    """An alias; `path` is the site path of its page, empty where it has none."""

    kind: str
    value: str
    path: str


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event with this mirror's outcome on it; `number` counts from 1 in the order of merge."""

    number: int
    event_type: str
    created_at: str
    signer: str
    outcome: str
    why: str
    effect: str  # what it does to the merged state, in words


@dataclass(frozen=True, slots=True)
class EventMention:
    """An event as it is named elsewhere on the page; `anchor` is empty where its row is cut."""

    text: str
    anchor: str
    short: str = ""  # beside what already tells the kind


@dataclass(frozen=True, slots=True)
class EquivocationRow:
    """Events of one signer that cannot all be meant, each with its identity."""

    text: str
    events: tuple[tuple[EventMention, str], ...]


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A value of a statement. `href` is http(s) or a place on the page; empty for no link."""

    label: str
    text: str
    href: str = ""
    exact: bool = False  # to be compared letter by letter
    outcome: str = ""  # of a check that was made here


@dataclass(frozen=True, slots=True)
class Statement:
    """What one event says, as its signer's word. `answers` are responses to a challenge."""

    heading: str
    quote: str  # the signer's own words, or empty
    lines: tuple[StatementLine, ...]
    signed: str  # by whom, with which key, when
    event: EventMention
    known: HowKnown
    standing: str
    counts: bool
    taken_back: bool  # by its signer or its detector
    answers: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementGroup:
    """The statements of one kind, oldest first; `left_out` older ones are not shown."""

    anchor: str
    heading: str
    intro: str
    statements: tuple[Statement, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class CitationRow:
    """A link to or from a record: `links` lead to records of this mirror, `text` names a work."""

    relation: str
    links: tuple[Link, ...]
    text: str
    signed: str
    event: EventMention | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class CitationList:
    """Some links of a record, and how many there are."""

    rows: tuple[CitationRow, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class CitationPart:
    """What a record page says of citations; `citing_count` counts records of this mirror."""

    cites: CitationList
    cited_by: CitationList
    citing_count: int
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """What a record page holds so that a browser can check the record without asking anyone.

    On a page from a disk no script can read `bundle.json`, so a small bundle stands in the page
    too. Where there is none, its `receipt` does, and the record alone can be checked there.
    """

    trust: JsonObject
    state_sha256: str
    bundle: JsonObject | None
    receipt: JsonObject | None


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Everything `record.html` shows. Tuples are in the order in which they are shown."""

    pith_number: str
    short_pith_number: str
    suffix: str
    verdict: Verdict
    verdict_text: str
    title: Fact | None
    title_missing: str  # why there is no title; empty if there is one
    authors: Fact | None
    authors_list: tuple[Link, ...]  # each to its own listing, as many as a page may hold
    author_count: int
    abstract: Fact | None
    source_line: Fact
    arxiv_id: str
    submitted_on: Fact
    year: int
    categories: tuple[Link, ...]  # the primary one first
    license: Fact
    license_url: str  # empty for none
    chips: tuple[Chip, ...]
    links: tuple[Link, ...]
    latex: Snippet
    badge_snippets: tuple[Snippet, ...]
    badge_width: int  # CSS pixels
    completeness: tuple[CompletenessRow, ...]
    bundle_note: str
    withdrawals: tuple[Statement, ...]  # of the record itself
    statements: tuple[StatementGroup, ...]
    citations: CitationPart
    receipt: tuple[tuple[str, Fact], ...]
    canonical_sha256: str
    aliases: tuple[AliasRow, ...]
    api: tuple[Link, ...]
    verify_command: str
    canonical_record: str  # JSON, indent 2, sorted keys
    check_counts: tuple[tuple[str, int], ...]  # outcomes, all checks
    checks: tuple[Check, ...]
    checks_left_out: int
    events: tuple[EventRow, ...]
    events_left_out: int
    timeline: Picture | None
    equivocations: tuple[EquivocationRow, ...]
    head: RecordHead
    cite: tuple[CitationText, ...] = ()
    self_check: SelfCheck | None = None


@dataclass(frozen=True, slots=True)
class ContentPage:
    """`content.html`: a page written in Markdown; its HTML is the operator's, not a bundle's.

    `links` holds site path and fragment of each link inside the site, `anchors` its own fragments.
    """

    title: str
    html: str
    description: str = ""
    menu: str = ""  # how the footer names it; empty for not at all
    toc: str = ""  # HTML of its table of contents, empty for none
    language: str = "en"
    path: str = ""  # site path
    source: str = ""  # the file it was written in
    links: tuple[tuple[str, str], ...] = ()
    anchors: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NotFoundPage:
    """`404.html`; served at any depth, so its links are made from `base_url` where there is one."""

    title: str = message("Page not found")


@dataclass(frozen=True, slots=True)
class TrustedKeyRow:
    """A pinned key, as every page's footer and the verify page name it."""

    key_id: str
    signer_id: str
    fingerprint: str
    fingerprint_base32: str
    window: str


@dataclass(frozen=True, slots=True)
class Asset:
    """A style sheet, a script or a picture of the site itself."""

    path: str  # site path, with a part of the digest
    integrity: str  # `sha256-` and the digest in base64


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What every page shares. In templates: `site`, beside `page`, `root` and `path`.

    `root` is the relative way to the site's root (`""`, `"../../"`), to be put before every site
    path.
    """

    title: str
    operator: str
    base_url: str  # with trailing slash, or empty
    registry_name: str  # empty if no upstream is configured
    registry_url: str
    keys: tuple[TrustedKeyRow, ...]
    generator: str  # name and version
    example: bool = False  # an example registry: every page says so
    assets: Mapping[str, Asset] = field(default_factory=dict)  # by name, as `site.css`
    integrity: bool = False  # whether pages state the digests of their assets
    defers_to_registry: bool = True  # whether record pages name the registry's as canonical
    full_text_search: bool = False
    compact: bool = False  # of a record there are only page, bundle and badge
    menu: tuple[Link, ...] = ()  # the operator's own pages
