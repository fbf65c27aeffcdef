"""The browser reads and spells JSON, times, texts and signatures exactly as the build does."""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from generator.errors import FormatError
from generator.formats.canonical import canonical_json, compact_json, parse_json
from generator.formats.digest import Digest
from generator.formats.instant import parse_instant
from generator.formats.keys import parse_base64
from generator.formats.text import canonical_text
from generator.limits import DEFAULT_LIMITS, shorten
from tests.browser.scripts_page import ScriptsPage, verifier
from tests.edwards import BASE, L, Point, challenge, signature, torsion
from tests.property.strategies import OBJECTS, VALUES
from tests.unit.test_ed25519 import MESSAGE, NONCE, OWN, SECRET, key_of, public_vectors

__all__ = ["verifier"]  # a fixture

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("verifier")]

REFUSED = None


def examples(strategy: st.SearchStrategy[bytes], count: int) -> list[bytes]:
    """Draw examples, so that a page may look at all of them at once."""
    drawn: list[bytes] = []

    @settings(max_examples=count, phases=[Phase.generate])
    @given(strategy)
    def draw(item: bytes) -> None:
        drawn.append(item)

    draw()
    assert len(drawn) > count // 2
    return drawn


def or_refused(read: Callable[[bytes], Any], item: bytes) -> Any:  # noqa: ANN401
    """Give what a reader gives, or REFUSED."""
    try:
        return read(item)
    except FormatError:
        return REFUSED


def in_page(expression: str) -> str:
    """Write a function of `bytes` and their `text` that gives REFUSED for a FormatError."""
    return f"""
    (bytes, given) => {{
        try {{
            const text = new TextDecoder("utf-8", {{ ignoreBOM: true }}).decode(bytes);
            return ({expression});
        }} catch (error) {{
            if (error instanceof PithMirror.FormatError) return null;
            throw error;
        }}
    }}
    """


# ---- JSON ----

TOKENS = st.text("0123456789.eE+-", min_size=1, max_size=36)
ROUND = st.builds("{}e{}".format, st.integers(-(10**17), 10**17), st.integers(-330, 330))
STRINGS = st.text('\\"u/bfnrtdD89abcAC0\x1f\x7f\u00e9\u2028\U0001f600 ', max_size=24)
PIECES = st.text(' \t\n\r[]{},:"\\u0dtruefalsn-1.eE\ufeff\u00a0', max_size=12)
DOCUMENTS = st.one_of(
    OBJECTS.map(lambda value: json.dumps(value, ensure_ascii=False)),
    VALUES.map(lambda value: json.dumps(value, indent=1)),
    TOKENS,
    ROUND,
    st.floats(allow_nan=True).map(json.dumps),
    STRINGS.map('"{}"'.format),
    STRINGS.map('{{"{0}":1,"{0} ":[]}}'.format),
    PIECES,
).map(lambda text: text.encode("utf-8", "surrogatepass"))
# A document with one piece of it gone, doubled or in another place.
SPOILT = st.builds(
    lambda data, at, end, piece: (
        data[: at % (len(data) + 1)] + piece + data[end % (len(data) + 1) :]
    ),
    DOCUMENTS,
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from([b"", b",", b"\x00", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b'"', b" ", b"0"]),
)
HAND_MADE = [
    *(b"[" * depth + b"]" * depth for depth in (63, 64, 65, 100_000)),
    *(b'{"[":' * depth + b"0" + b"}" * depth for depth in (64, 65)),
    *(b"[" * 64 + b"0" + b"]" * 63, b'"' + b"[" * 70 + b'"'),
    *(b"9007199254740991", b"-9007199254740991", b"9007199254740992", b"-0", b"-0.0", b"0e0"),
    *(b"1e9999", b"0e9999", b"0e10000", b"0e-0009999", b"1E400", b"5e-324", b"4e-324", b"1e-400"),
    *(b"1e16", b"1e15", b"123456789012345680.0", b"0.0001", b"0.00001", b"1e-5", b"1.5e+16"),
    *(b"0." + b"1" * 30, b"1" * 32, b"1" * 33, b"0.5" + b"0" * 29, b"0.5" + b"0" * 30, b"-1e-7"),
    *(b"1.7976931348623157e308", b"1.7976931348623159e308", b"2.2250738585072014e-308"),
    *(b'{"__proto__":{"a":1},"constructor":2}', b'{"a":1,"\\u0061":2}', b'{"":1,"":2}'),
    *(
        b'"\\ud83d\\ude00"',
        b'"\\ude00\\ud83d"',
        b'"\\ud83d"',
        b'"\\uD83D\\u0041"',
        b'{"\\ud800":1}',
    ),
    *(b"\xef\xbb\xbf{}", b"", b" ", b"null null", b"nul", b"truefalse", b"\x0b1", b"\xc2\xa01"),
    '{"\ue000":1,"\U00010000":2,"\ud7ff":3,"\uffff":4,"a":5,"A":6,"":7}'.encode(),
    b'"' + b"a" * 1_000_000 + b'"',
    b'"' + b"\\n" * 200_000 + b'"',
    b" " * 1_000_000 + b"1",
]


def both_spellings(data: bytes) -> list[str]:
    """Read strict JSON; give its canonical and its compact spelling."""
    value = parse_json(data, subject="bytes")
    return [canonical_json(value).decode(), compact_json(value).decode()]


def test_json_is_read_and_spelled_as_in_a_build(verifier: ScriptsPage) -> None:
    """Of 2,000 texts the browser refuses the same, and spells the others in the same bytes."""
    items = [*examples(DOCUMENTS, 1_200), *examples(SPOILT, 800), *HAND_MADE]
    program = in_page(
        "((value) => [PithMirror.canonicalJson(value), PithMirror.compactJson(value)])"
        "(PithMirror.parseJson(bytes))"
    )
    expected = [or_refused(both_spellings, item) for item in items]
    assert 500 < expected.count(REFUSED) < 1_500
    answers = verifier.each(program, items)
    assert [i for i, e, a in zip(items, expected, answers, strict=True) if e != a] == []


def test_json_of_the_greatest_length_is_read(verifier: ScriptsPage) -> None:
    """8 MiB are read, one byte more is not, whatever is in them; nor can their length hurt."""
    length = DEFAULT_LIMITS.bundle_max_length
    text = b'"' + b"\\\\" * (length // 2 - 1) + b'"'
    array = b"[" + b"1," * (length // 2 - 2) + b"1]"
    letters = b'"' + b"x" * (length - 2) + b'"'
    items = [text, text + b" ", array.ljust(length), letters, b"1" * length]
    expected = [
        or_refused(lambda data: bool(parse_json(data, subject="x")), item) for item in items
    ]
    assert expected == [True, REFUSED, True, True, REFUSED]
    assert verifier.each(in_page("Boolean(PithMirror.parseJson(bytes))"), items) == expected


# ---- Text ----

# What Python's version of Unicode does not know, a browser may.
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=40) | st.text(
    " \t\x1c\x85\xa0\u180e\u200b\u3000\ufeff'\"\\\u0130\u03a3\u03c3A\u0345\U00010400", max_size=40
)
KNOWN = [char for char in map(chr, range(0x3100)) if unicodedata.category(char) != "Cn"]


def test_texts_are_quoted_folded_and_ordered_as_in_a_build(verifier: ScriptsPage) -> None:
    """White space, letter case, escapes, cuts, quotation marks and order are those of a build."""
    items = [
        *examples(TEXTS.map(str.encode), 800),
        *("".join(KNOWN[start : start + 40]).encode() for start in range(0, len(KNOWN), 40)),
        *(("\U0001f600" * count).encode() for count in (2, 3, 4)),
    ]
    program = in_page(
        "[PithMirror.canonicalText(text), PithMirror.shorten(text, 3), PithMirror.quote(text),"
        " PithMirror.textLength(text), PithMirror.compareText(text, given)]"
    )
    pivot = "\uffee\U00010400"
    expected = [
        [
            canonical_text(text),
            shorten(text, limit=3),
            repr(shorten(text)),
            len(text),
            (text > pivot) - (text < pivot),
        ]
        for text in (item.decode() for item in items)
    ]
    answers = verifier.each(program, items, pivot)
    assert [i for i, e, a in zip(items, expected, answers, strict=True) if e != a] == []


# ---- Times, base64, bounds ----

TWO = st.integers(0, 99).map("{:02}".format)
CLOCK = st.sampled_from(["00:00:00", "23:59:59", "23:59:60", "24:00:00", "12:30:60", "00:59:60"])
TIMES = st.builds(
    "{}-{}-{}T{}{}{}".format,
    st.sampled_from(["0000", "0001", "0099", "1900", "2000", "2024", "2026", "9999"]),
    st.integers(0, 13).map("{:02}".format),
    st.sampled_from(["00", "01", "28", "29", "30", "31", "32"]),
    CLOCK | st.builds("{}:{}:{}".format, TWO, TWO, TWO),
    st.sampled_from(["", ".5", ".123456789", ".1234567890", ".", ".000"]),
    st.sampled_from(
        ["Z", "z", "+00:00", "-00:00", "+23:59", "-23:59", "+01:00", "+24:00", "+0100"]
    ),
)
ODD_TIMES = (
    *("2016-12-31T23:59:60Z", "2016-12-31T23:59:60.25Z", "2017-01-01T00:59:60.5+01:00"),
    *("2016-12-31T22:59:60-01:00", "2016-12-31T22:59:60+01:00", "9999-12-31T23:59:60.9Z"),
    *("0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00-00:01", "0001-01-01T00:00:00Z"),
    *("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59+00:01", "0000-12-31T23:59:59-00:01"),
    *(
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z",
        "0004-02-29T00:00:00Z",
    ),
)


def test_times_are_those_of_a_build(verifier: ScriptsPage) -> None:
    """Of 1,000 times the browser refuses the same, and puts the others at the same moment."""
    items = [*examples(TIMES.map(str.encode), 1_000), *map(str.encode, ODD_TIMES)]

    def read(data: bytes) -> list[int]:
        moment = parse_instant(data.decode(), subject="t")
        return [moment.seconds, moment.nanoseconds]

    expected = [or_refused(read, item) for item in items]
    assert 100 < expected.count(REFUSED) < 950
    program = in_page("((t) => [t.seconds, t.nanoseconds])(PithMirror.parseInstant(text, 't'))")
    answers = verifier.each(program, items)
    assert [i for i, e, a in zip(items, expected, answers, strict=True) if e != a] == []


BASE64 = st.one_of(
    st.binary(max_size=8).map(base64.b64encode),
    st.text("AQgwB/+=-_ \n\u00e9", max_size=12).map(str.encode),
)


def test_base64_is_that_of_a_build(verifier: ScriptsPage) -> None:
    """Only the canonical spelling of the right number of bytes is read, as in a build."""
    items = examples(BASE64, 600)

    def read(data: bytes) -> str:
        return parse_base64(data.decode(), subject="b", length=4).hex()

    expected = [or_refused(read, item) for item in items]
    assert len(set(expected)) > 20
    program = in_page(
        "[...PithMirror.parseBase64(text, 'b', 4)]"
        ".map((byte) => byte.toString(16).padStart(2, '0')).join('')"
    )
    answers = verifier.each(program, items)
    assert [i for i, e, a in zip(items, expected, answers, strict=True) if e != a] == []


def test_bounds_are_those_of_a_build(verifier: ScriptsPage) -> None:
    """Every bound that a script has is the one of limits.py."""
    bounds: dict[str, int] = verifier.page.evaluate("PithMirror.LIMITS")
    names = {field.name: getattr(DEFAULT_LIMITS, field.name) for field in fields(DEFAULT_LIMITS)}
    own = {
        "".join(part.capitalize() if i else part for i, part in enumerate(name.split("_"))): value
        for name, value in names.items()
    }
    assert len(bounds) > 10
    assert bounds == {name: own[name] for name in bounds}


# ---- Signatures ----

VERIFY = """
async (bytes) => {
    const b64 = (part) => btoa(String.fromCharCode(...part));
    const [raw, signature, message] = [bytes.slice(0, 32), bytes.slice(32, 96), bytes.slice(96)];
    const row = { key_id: "k", public_key_b64: b64(raw), signer_id: "s", roles: ["registry"],
        fingerprint: "", valid_from: "2026-01-01T00:00:00Z", valid_until: null, revoked_at: null,
        event_profile: "unknown" };
    const keys = await PithMirror.pinnedKeys({ keys: [row] });
    const digest = [...message].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return PithMirror.hasSigned(keys.get("k"), digest, signature);
}
"""


def made(a: Point, r: bytes, nonce: int) -> bytes:
    """Spell key, a signature that solves the equation for a spelling of R, and the message."""
    s = (nonce + challenge(r, a.encoded, MESSAGE.raw) * SECRET) % L
    return a.encoded + signature(r, s) + MESSAGE.raw


def signature_cases() -> list[bytes]:
    """Give key, signature and message of each case of docs/formats/events.md, and public ones."""
    cases = []
    for public, message, signed in public_vectors()[1:200]:
        s = int.from_bytes(signed[32:], "little")
        changed = bytearray(signed)
        changed[len(message) % 64] ^= 1
        alike = (signed, bytes(changed), *(signature(signed[:32], s + n * L) for n in (1, 7)))
        cases += [public + one + message for one in alike]
    eight = torsion()
    own_r = NONCE * BASE
    cases += [made(OWN, point.encoded, 0) for point in eight]
    cases += [made(OWN, (own_r + point).encoded, NONCE) for point in eight]
    cases += [made(OWN, (1 | 1 << 255).to_bytes(32, "little"), 0)]
    cases += [made(OWN, (2**255 - 19 + y).to_bytes(32, "little"), 0) for y in (0, 1)]
    mixed = next(OWN + point for point in eight if point.order == 8)
    cases += [made(mixed, (nonce * BASE).encoded, nonce) for nonce in range(1, 60)]
    cases += [made(mixed, point.encoded, 0) for point in eight]
    return cases


def test_signatures_verify_as_in_a_build(verifier: ScriptsPage) -> None:
    """The browser accepts exactly the signatures that a build accepts, the odd ones too."""
    cases = signature_cases()
    expected = [key_of(c[:32]).signed(Digest(c[96:]), c[32:96]) for c in cases]
    assert {True, False} == set(expected)
    assert verifier.each(VERIFY, cases) == expected


def test_keys_of_small_order_are_refused_by_a_page(verifier: ScriptsPage) -> None:
    """A page whose trust names a key of small order, or a key spelled otherwise, checks nothing."""
    points = [point.encoded for point in torsion()]
    others = [(2**255 - 19 + y).to_bytes(32, "little") for y in range(19)]
    program = f"""
    async (bytes) => {{
        try {{
            await ({VERIFY})(bytes);
            return "pinned";
        }} catch (error) {{
            return error instanceof PithMirror.FormatError ? "refused" : String(error);
        }}
    }}
    """
    answers = verifier.each(program, [raw + bytes(96) for raw in (*points, *others)])
    assert set(answers) == {"refused"}
    assert verifier.each(program, [OWN.encoded + bytes(96)]) == ["pinned"]
