"""Vectors of V1 and V2: bytes that are not strict JSON, or not a bundle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.vectors.builders import GONE, bundle_of, compact, edited
from tests.vectors.vector import Vector, published, unread, vector

CORPUS = Path(__file__).resolve().parent.parent / "corpus"

WHOLE = bundle_of()
TEXT = compact(WHOLE).decode()


def with_member(member: str) -> bytes:
    """The valid bundle with one more member, written by hand, at its end."""
    return f"{TEXT[:-1]},{member}}}".encode()


# Members that a lenient parser would let through in silence.
_MEMBERS = (
    ("nan", '"x":NaN', "NaN is not JSON (RFC 8259 6)"),
    ("infinity", '"x":Infinity', "Infinity is not JSON"),
    ("minus-infinity", '"x":-Infinity', "-Infinity is not JSON"),
    ("1e400", '"x":1E400', "parsed as a float it becomes infinity"),
    ("minus-1e400", '"x":-1E400', "parsed as a float it becomes minus infinity"),
    ("1e-400", '"x":1e-400', "parsed as a float it becomes zero"),
    ("exponent-10000", '"x":0e10000', "9,999 is the greatest exponent"),
    ("exponent-minus-10000", '"x":0e-10000', "-9,999 is the smallest exponent"),
    ("exponent-out-of-every-range", '"x":0e99999999999999999999', "no decimal library holds it"),
    ("integer-2-to-53", '"x":9007199254740992', "not exact in a JavaScript reader (RFC 7493 2.2)"),
    ("integer-minus-2-to-53", '"x":-9007199254740992', "the same below zero"),
    ("integer-of-5000-digits", f'"x":{"9" * 5000}', "costs quadratic time to read"),
    ("minus-zero", '"x":-0', "read as an integer it loses its sign"),
    ("float-too-precise", '"x":0.10000000000000001', "a float64 gives 0.1 back"),
    ("float-odd-above-2-to-53", '"x":9007199254740993.0', "a float64 gives an even number back"),
    ("float-token-of-33-characters", f'"x":1.{"0" * 31}', "longer than any float64 needs"),
    ("integer-token-of-33-characters", f'"x":{"0" * 33}', "leading zeros"),
    ("leading-zero", '"x":01', "not JSON"),
    ("plus-sign", '"x":+1', "not JSON"),
    ("bare-fraction", '"x":.5', "not JSON"),
    ("hexadecimal", '"x":0x10', "not JSON"),
    ("single-quotes", "'x':1", "not JSON"),
    ("comment", '"x":1/* no */', "not JSON"),
    ("trailing-comma", '"x":[1,]', "not JSON"),
    ("control-character-in-string", '"x":"\x01"', "control characters are escaped in JSON"),
    ("newline-in-string", '"x":"\n"', "control characters are escaped in JSON"),
    ("unknown-escape", '"x":"\\x41"', "not JSON"),
    ("lone-high-surrogate", '"x":"\\ud834"', "has no UTF-8 form, so no digest"),
    ("lone-first-surrogate", '"x":"\\uD800"', "has no UTF-8 form, so no digest"),
    ("lone-low-surrogate", '"x":"\\udd1e"', "has no UTF-8 form, so no digest"),
    ("reversed-surrogates", '"x":"\\udd1e\\ud834"', "two lone surrogates"),
    ("lone-surrogate-in-key", '"\\uDBFF":1', "has no UTF-8 form, so no digest"),
    ("lone-surrogate-in-nested-array", '"x":[{"y":["\\uDFFF"]}]', "has no UTF-8 form"),
    ("nesting-65", f'"x":{"[" * 64}{"]" * 64}', "one level more than is allowed"),
    ("nesting-of-objects-65", '"x":' + '{"a":' * 64 + "1" + "}" * 64, "one level too many"),
    ("nesting-100000", f'"x":{"[" * 100_000}', "would exhaust the parser's stack"),
    ("nesting-behind-brackets-in-strings", f'"s":"]]]]]]","x":{"[" * 64}{"]" * 64}', "not closed"),
    ("duplicate-nested-key", '"x":{"a":1,"b":2,"a":1}', "two readers may take different ones"),
    ("duplicate-key-by-escape", '"x":{"a":1,"\\u0061":2}', "the same key, spelled twice"),
)

_UNTERMINATED = "[" + "[]," * 70 + '"' + '\\"' * 100_000


def _whole_documents() -> Iterator[tuple[str, bytes, str]]:
    data = TEXT.encode()
    yield "empty-file", b"", "no value at all"
    yield "white-space-only", b" \n\t\r\n", "no value at all"
    yield "byte-order-mark", b"\xef\xbb\xbf" + data, "RFC 8259 8.1 forbids writing one"
    yield "utf-16", TEXT.encode("utf-16"), "JSON is UTF-8"
    yield "utf-16-without-mark", TEXT.encode("utf-16-le"), "JSON is UTF-8"
    yield "latin-1", with_member('"x":"é"').decode().encode("latin-1"), "JSON is UTF-8"
    yield "overlong-utf-8", with_member('"x":"?"').replace(b"?", b"\xc0\x80"), "not UTF-8"
    yield "surrogate-in-utf-8", with_member('"x":"?"').replace(b"?", b"\xed\xa0\x80"), "not UTF-8"
    yield "nul-at-the-end", data + b"\0", "bytes after the value"
    yield "trailing-bytes", data + b"x", "bytes after the value"
    yield "two-values", data + data, "bytes after the value"
    yield "closing-brace-missing", data[:-1], "cut off"
    duplicate = TEXT.replace("{", '{"bundle_version":"1.0",', 1)
    yield "duplicate-key", duplicate.encode(), "equal values too: a key stands once in an object"
    duplicate = TEXT.replace("{", '{"events":[],', 1)
    yield (
        "duplicate-key-other-value",
        duplicate.encode(),
        "a reader that takes the first sees no event",
    )
    with (CORPUS / "bundle-prefixes.jsonl").open(encoding="utf-8") as lines:
        prefix = json.loads(next(lines))["first_2000_bytes"]
    yield "real-bundle-cut-at-byte-2000", prefix.encode(), "what a broken download leaves"
    yield "top-level-array", b"[" + data + b"]", "a bundle is an object"
    yield "top-level-string", b'"pith_open_graph_bundle"', "a bundle is an object"
    yield "top-level-null", b"null", "a bundle is an object"
    yield "top-level-number", b"1", "a bundle is an object"
    yield "html-page", b"<!DOCTYPE html><title>502 Bad Gateway</title>", "what a proxy answers"
    yield "unterminated-string-of-quotes", _UNTERMINATED.encode(), "must not cost quadratic time"


def reading_vectors() -> Iterator[Vector]:
    """Vectors of V1 and V2."""
    for name, member, why in _MEMBERS:
        yield vector(f"v1-{name}", why, with_member(member), unread("V1"))
    for name, data, why in _whole_documents():
        yield vector(f"v1-{name}", why, data, unread("V1"))
    for name, path, value in (
        ("type-missing", "bundle_type", GONE),
        ("type-of-a-state", "bundle_type", "pith_open_graph_state"),
        ("type-in-capitals", "bundle_type", "PITH_OPEN_GRAPH_BUNDLE"),
        ("type-null", "bundle_type", None),
        ("version-missing", "bundle_version", GONE),
        ("version-2", "bundle_version", "2.0"),
        ("version-number", "bundle_version", 1.0),
        ("version-with-space", "bundle_version", "1.0 "),
    ):
        why = "another format, or another version of it, is not guessed at (protocol part 4)"
        yield vector(f"v2-{name}", why, edited(WHOLE, (path, value)), unread("V2"))
    yield vector("v2-empty-object", "nothing claimed", b"{}", unread("V2"))


def spelling_vectors() -> Iterator[Vector]:
    """Spellings that look odd and are right: strict is not narrow."""
    for name, data, why in (
        ("white-space-around", b" \r\n\t" + TEXT.encode() + b"\n", "insignificant (RFC 8259 2)"),
        ("indented", json.dumps(WHOLE, indent=2).encode(), "the digest is of the canonical JSON"),
        ("utf-8-unescaped", json.dumps(WHOLE, ensure_ascii=False).encode(), "the same text"),
        (
            "integer-2-to-53-minus-1",
            with_member('"x":[9007199254740991,-9007199254740991]'),
            "exact",
        ),
        ("float-that-survives", with_member('"x":[0.1,1.5E3,-2.5e-3,1e23,5e-324]'), "exact enough"),
        ("zero-with-exponent-9999", with_member('"x":[0e9999,0e-9999]'), "the greatest exponent"),
        ("float-of-32-characters", with_member(f'"x":1.{"0" * 30}'), "as long as is allowed"),
        ("nesting-64", with_member(f'"x":{"[" * 63}{"]" * 63}'), "as deep as is allowed"),
        (
            "brackets-in-strings",
            with_member(f'"x":"{"[{" * 99}\\"{"[" * 99}","y":[{"[]," * 99}[]]'),
            "brackets in a string are text",
        ),
        ("surrogate-pair", with_member('"x":"\\ud834\\udd1e"'), "one character, U+1D11E"),
        (
            "unknown-top-level-key",
            with_member('"x":{"y":null}'),
            "the registry's are not all known",
        ),
        (
            "same-key-in-two-objects",
            with_member('"x":[{"a":1},{"a":1}]'),
            "a key stands once in each object",
        ),
    ):
        yield vector(f"valid-{name}", why, data, published())
