"""Write the inputs that fuzzing starts from into `corpus/`: one or a few for each thing to reach.

    python tests/fuzz/seeds.py

What a fuzzer found later stands beside them under other names and is left alone.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from tests.fuzz.harnesses import ENDINGS  # noqa: E402
from tests.fuzz.making import TYPES  # noqa: E402

JSON = {
    "numbers": b'[0,-1,0.5,1e300,-0.0,1.5E-7,9007199254740991,{"a":[true,false,null]}]',
    "strings": b'{"\\u00e9":"\xc3\xa9","\\ud83d\\ude00":"\xf0\x9f\x98\x80","":"\\"\\\\\\/\\b"}',
    "lone-surrogate": b'["\\ud800"]',
    "duplicate-key": b'{"a":1,"\\u0061":2}',
    "deep": b"[" * 64 + b"]" * 64,
    "too-deep": b'{"a":' * 65 + b"1" + b"}" * 65,
    "brackets-in-strings": b'["' + b"[" * 70 + b'\\"","{"]',
    "exponent": b"0e99999999999999999999",
}

TEXTS = {
    "accents": 'Herv\\\'e, Schr\\"odinger, \\v{C}ech, na\\"\\i ve, Erd\\H{o}s, \\L{}ojasiewicz',
    "math": "$SL_2$ of $x^{2n}$ over $\\mathbb{Q}$, $\\sqrt[3]{x}$ and $\\alpha \\to \\infty$",
    "open": "$x^{2 and {\\'{e and \\begin{a} and \\",
    "invisible": "a\u0000b\u202ec\u200bd\u2066e\u001bf\u0301\u0301\u0301",
    "scripts": "\u0391\u03b8\u03ae\u03bd\u03b1, \u6570\u5b66, \u0639\u0644\u0645",
    "joined": "\U0001f469\u200d\U0001f52c and \u0646\u200c\u0627",
    "plain": "An ordinary title: with a dash -- and ``quotes''",
}


def seeds() -> Iterator[tuple[str, str, bytes]]:
    """Give harness, name and bytes of every seed.

    Yields:
        In the order of the harnesses.
    """
    yield from (("json", name, data) for name, data in JSON.items())
    for harness in ("bundle", "checker", "merge"):
        for length in (0, 40, 120, 300):
            yield harness, f"any-{length}", _any_bytes(harness, length)
    for index, kind in enumerate(TYPES):
        name = kind.replace("_", "-")
        yield "events", name, bytes([index, 0, 0]) + _any_bytes(kind, 40)
        yield "events", f"{name}-json", bytes([index, 0, 2]) + b'{"payload":{}}'
    yield from (("text", name, text.encode()) for name, text in TEXTS.items())
    yield from _file_seeds()
    yield from _archive_seeds()


def _any_bytes(label: str, length: int) -> bytes:
    return hashlib.shake_128(label.encode()).digest(length)


def _file_seeds() -> Iterator[tuple[str, str, bytes]]:
    for folder in ("made", "real"):
        for path in sorted((ROOT / "tests" / "timestamps" / folder).iterdir()):
            if path.suffix == ".ots" and path.stat().st_size <= 2048:
                yield "ots", f"{folder}-{path.stem}", path.read_bytes()
            if path.name == "headers.txt":
                yield "headers", folder, path.read_bytes()[:2048].rpartition(b"\n")[0] + b"\n"
    for name in ("mirror.toml", "tests/vectors/mirror.toml"):
        yield "config", Path(name).parent.name or "repository", (ROOT / name).read_bytes()
    text = (ROOT / "mirror.toml").read_bytes()
    yield "config", "rotations", text + b'[trust]\nrotations = "r"\n\0[]'
    headers = (ROOT / "tests/timestamps/made/headers.txt").read_bytes()[:700].rpartition(b"\n")[0]
    yield "config", "headers", text + b'[trust]\nblock_headers = "h"\n\0' + headers


def _archive_seeds() -> Iterator[tuple[str, str, bytes]]:
    lines = json.dumps({"a": 1}).encode() + b"\n[]\n\xff{}"
    for index, ending in enumerate(ENDINGS):
        for form in range(3):
            name = f"{ending[1:].replace('.', '-')}-{form}"
            yield "archives", name, bytes([index, form]) + bytes(8) + lines
    yield "archives", "gz-cut", bytes([1, 0]) + gzip.compress(lines, mtime=0)[:-6]


def main() -> None:
    """Write every seed."""
    for harness, name, data in seeds():
        path = HERE / "corpus" / harness / f"seed-{name}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main()
