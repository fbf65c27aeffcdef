"""What is fuzzed: bytes in, and only errors of our own tree or reports may come out.

Each harness is a function of bytes without any tie to a fuzzer, so that the kept corpus runs in the
ordinary test suite. A wrong result is an AssertionError; any other exception is a finding.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from checker import pith_check
from generator.config import Configuration, parse_configuration
from generator.display import shown_text
from generator.errors import MirrorError
from generator.formats.block_headers import parse_block_headers
from generator.formats.bundle import unite_bundles
from generator.formats.canonical import JsonObject, canonical_json, compact_json, parse_json
from generator.formats.checks import Check, Verdict
from generator.formats.event import parse_event
from generator.formats.fields import Fields
from generator.formats.integrity import parse_integrity_event
from generator.formats.kinds import KINDS
from generator.formats.raw import RawBundle
from generator.formats.snapshot import parse_snapshot
from generator.formats.timestamp_proof import Bitcoin, parse_timestamp_proof
from generator.limits import DEFAULT_LIMITS
from generator.load import Unreadable, load_bundles
from generator.merge import merge_bundles
from generator.record_files import build_record, check_raw_bundle, report_served
from generator.render import Renderer
from generator.site_frame import prepare_resources, site_frame
from generator.state import state_json
from generator.verify import VerifiedBundle
from tests.fuzz.choices import Choices
from tests.fuzz.making import (
    TYPES,
    configuration_text,
    damage,
    make_bundle,
    make_event,
    spelled,
)
from tests.fuzz.payloads import PAPERS, payload_of
from tests.vectors.builders import Json

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
# A file of a few kilobytes must not need the bounds of real archives to be found dangerous.
SMALL = replace(
    DEFAULT_LIMITS,
    bundle_max_length=64 * 1024,
    expansion_free_length=1024 * 1024,
    tar_header_max_length=64 * 1024,
    zip_members_max_count=1_000,
)
ENDINGS = (
    ".json",
    ".json.gz",
    ".json.zst",
    ".ndjson",
    ".ndjson.gz",
    ".jsonl.zst",
    ".tar",
    ".tar.gz",
    ".tar.zst",
    ".tgz",
    ".zip",
    ".other",
)


def fuzz_json(data: bytes) -> None:
    """Strict JSON: what is accepted has one canonical spelling, which is accepted again."""
    second = _second(lambda: pith_check.read_json(data))
    try:
        value = parse_json(data, subject="fuzz")
    except MirrorError as error:
        _check_message(error)
        assert second is None
        return
    assert second == (value,)
    spelling = canonical_json(value)
    assert canonical_json(parse_json(spelling, subject="fuzz")) == spelling
    assert json.loads(data) == value


def fuzz_bundle(data: bytes) -> None:
    """Whole bundles, made and damaged: every check, the state, and every file of the record."""
    choices = Choices(data)
    configuration = _configuration(choices)
    renders = choices.seldom(16)
    raw = RawBundle("fuzz.json", spelled(make_bundle(choices)))
    report = check_raw_bundle(raw, configuration)
    _check_rows(report.checks)
    if report.verified is None:
        assert report.verdict is Verdict.REJECTED
        return
    state = merge_bundles([report.verified], policy=configuration.policy)
    assert len(state.events) <= len(report.verified.events)
    assert state_json(state)["event_count"] == len(state.events)
    if renders:
        build_record(report, configuration=configuration, renderer=_renderer(configuration))


def fuzz_checker(data: bytes) -> None:
    """Whole bundles again: the independent checker comes to the same rows and the same state."""
    choices = Choices(data)
    text = configuration_text(choices)
    configuration = _configuration_of(text)
    bundle = spelled(make_bundle(choices, odds=40))
    report = check_raw_bundle(RawBundle("fuzz.json", bundle), configuration)
    second = pith_check.check_bundle(bundle, _second_configuration(text))
    rows = [(check.step, check.outcome.value) for check in report.checks]
    assert [(row.step, row.outcome) for row in second.rows] == rows
    assert second.verdict == report.verdict.value
    if report.verified is not None:
        state = merge_bundles([report.verified], policy=configuration.policy)
        assert pith_check.compact(second.state) == compact_json(state_json(state))


def fuzz_events(data: bytes) -> None:
    """Events and payloads of every kind, made and damaged, or read from JSON as it stands."""
    choices = Choices(data)
    kind = choices.pick(TYPES)
    paper = choices.pick(PAPERS)
    if choices.seldom(3):
        value = _loose_json(choices.rest())
        payload = value
    else:
        value = make_event(choices, paper, [], odds=2)
        payload = payload_of(kind, choices, paper, [])
        damage(payload, choices, odds=1)
        payload = json.loads(spelled(payload))
        value = json.loads(spelled(value))
    if isinstance(payload, dict):
        parse = KINDS[kind].parse if kind in KINDS else None
        if parse is not None:
            _ours(lambda: parse(Fields("payload", payload)))
    _ours(lambda: parse_integrity_event(value, path="event"))
    _ours(lambda: parse_snapshot(parse_event(value, path="event"), path="event"))


def fuzz_ots(data: bytes) -> None:
    """OpenTimestamps proofs, as the bytes of a file."""
    second = _second(lambda: pith_check.read_proof(data))
    try:
        proof = parse_timestamp_proof(data, subject="fuzz")
    except MirrorError as error:
        _check_message(error)
        assert second is None
        return
    assert second is not None
    digest, leaves = second[0]
    blocks = {(leaf.number, leaf.message) for leaf in leaves if leaf.tag == pith_check.BITCOIN}
    found = [item for item in proof.attestations if isinstance(item, Bitcoin)]
    assert digest == proof.digest.raw
    assert [(item.height, item.merkle_root) for item in found] == sorted(blocks)
    assert 0 < len(proof.attestations) <= DEFAULT_LIMITS.timestamp_attestations_max_count


def fuzz_headers(data: bytes) -> None:
    """Files of block headers."""
    second = _second(lambda: pith_check.read_headers(data))
    try:
        headers = parse_block_headers(data, subject="fuzz")
    except MirrorError as error:
        _check_message(error)
        assert second is None
        return
    assert second == ({header.height: header.raw for header in headers.headers},)
    for header in headers.headers:
        assert headers.at(header.height) is header
        assert header.has_proof_of_work
        assert header.time.text


def fuzz_merge(data: bytes) -> None:
    """Parts of one set of events: however they are united, the state is the same."""
    choices = Choices(data)
    configuration = _configuration(choices)
    plan = Choices(choices.take(12))
    whole = make_bundle(choices, odds=200)
    reports = [
        check_raw_bundle(RawBundle(f"{index}.json", spelled(part)), configuration)
        for index, part in enumerate(_parts(whole, plan))
    ]
    parts = [report.verified for report in reports if report.verified is not None]
    if len(parts) != len(reports):
        return
    merged = _state(parts, configuration)
    assert _state(parts[::-1], configuration) == merged
    assert _state([*parts, parts[0]], configuration) == merged
    united = unite_bundles(part.bundle for part in parts)
    assert unite_bundles(part.bundle for part in reversed(parts)) == united
    again = check_raw_bundle(RawBundle("united.json", united), configuration).verified
    assert again is not None
    assert _state([again], configuration) == merged
    served = report_served(reports, configuration).verified
    assert served is not None
    assert report_served(reports[::-1], configuration).verified == served
    if Verdict.DISPUTED not in {report.verdict for report in reports}:
        # A copy in which a check failed is not united with sound ones.
        assert _state([served], configuration) == merged


def fuzz_archives(data: bytes) -> None:
    """Files of every ending that bundles come in, compressed or packed here or as they stand."""
    choices = Choices(data)
    ending = choices.pick(ENDINGS)
    content = _packed(choices, ending)
    with tempfile.TemporaryDirectory(prefix="pith-fuzz-") as folder:
        path = Path(folder) / f"bundle{ending}"
        path.write_bytes(content)
        for loaded in load_bundles(path, limits=SMALL):
            if isinstance(loaded, Unreadable):
                _check_message(loaded.error)
            else:
                assert len(loaded.data) <= SMALL.bundle_max_length
            assert loaded.origin.isprintable()


def fuzz_text(data: bytes) -> None:
    """Titles and names with TeX in them: a page gets visible text of bounded length."""
    text = data.decode("utf-8", "replace")
    for limit in (20, 1_000):
        shown = shown_text(text, limit=limit)
        assert not set(shown) & {"\0", "\x1b", "\u202e", "\u2066", "\u200b"}, repr(shown)
        assert len(shown) <= 12 * limit + 100, len(shown)


def fuzz_config(data: bytes) -> None:
    """Text of `mirror.toml`; what follows a zero byte is the file it names, if it names one."""
    text, _, named = data.partition(b"\0")
    try:
        configuration = parse_configuration(text, name="mirror.toml", read=lambda _: named)
    except MirrorError as error:
        _check_message(error)
        return
    assert configuration.trust.by_id
    assert len(configuration.trust.digest.raw) == 32


HARNESSES: Mapping[str, Callable[[bytes], None]] = {
    "json": fuzz_json,
    "bundle": fuzz_bundle,
    "checker": fuzz_checker,
    "events": fuzz_events,
    "ots": fuzz_ots,
    "headers": fuzz_headers,
    "merge": fuzz_merge,
    "archives": fuzz_archives,
    "config": fuzz_config,
    "text": fuzz_text,
}


def _check_message(error: MirrorError) -> None:
    text = str(error)
    assert text.isprintable(), repr(text)
    assert len(text) < 4_000, text[:200]


def _check_rows(checks: tuple[Check, ...]) -> None:
    assert checks
    for check in checks:
        for text in (check.subject, check.expected, check.found, check.note):
            assert text.isprintable(), repr(text)
            assert len(text) < 1_000, text[:200]


T = TypeVar("T")


def _second(read: Callable[[], T]) -> tuple[T] | None:
    """What the independent checker reads, if it reads it."""
    try:
        return (read(),)
    except pith_check.Malformed:
        return None


@cache
def _second_configuration(text: str) -> pith_check.Configuration:
    with tempfile.TemporaryDirectory(prefix="pith-fuzz-") as folder:
        path = Path(folder) / "mirror.toml"
        path.write_text(text, encoding="utf-8")
        return pith_check.load_configuration(path)


def _ours(read: Callable[[], object]) -> None:
    try:
        read()
    except MirrorError as error:
        _check_message(error)


def _loose_json(data: bytes) -> Json:
    try:
        return parse_json(data, subject="fuzz")
    except MirrorError:
        return {}


@cache
def _configuration_of(text: str) -> Configuration:
    return parse_configuration(text.encode(), name="mirror.toml", read=lambda _: b"")


def _configuration(choices: Choices) -> Configuration:
    return _configuration_of(configuration_text(choices))


@cache
def _renderer_of(title: str) -> Renderer:
    configuration = _configuration_of(configuration_text(Choices(b"")))
    assert configuration.title == title
    return Renderer(
        [TEMPLATES], site_frame(configuration, prepare_resources([TEMPLATES], configuration))
    )


def _renderer(configuration: Configuration) -> Renderer:
    return _renderer_of(configuration.title)


def _parts(whole: Json, plan: Choices) -> list[Json]:
    """Two or three bundles that hold all the events between them, the creation in each."""
    creations = [event for event in whole["events"] if _is_creation(event)]
    others = [event for event in whole["events"] if not _is_creation(event)]
    parts = [{**whole, "events": [*others, *creations]}]
    for _ in range(plan.pick((1, 2))):
        mask = plan.below(1 << 16)
        chosen = [event for index, event in enumerate(others) if mask >> index & 1]
        cut = plan.below(len(chosen) + 1)
        parts.append({**whole, "events": [*chosen[cut:], *creations, *chosen[:cut]]})
    if plan.seldom(2):
        # Then no part holds all of the events, and the union is spelled anew.
        parts[0]["events"] = [*others[1:], *creations]
        parts.append({**whole, "events": [*creations, *others[:1]]})
    return parts


def _is_creation(event: Json) -> bool:
    return isinstance(event, dict) and event.get("event_type") == "record_created"


def _state(parts: list[VerifiedBundle], configuration: Configuration) -> JsonObject:
    return state_json(merge_bundles(parts, policy=configuration.policy))


def _packed(choices: Choices, ending: str) -> bytes:
    form = choices.below(3)
    data = choices.rest()
    if form == 0:
        return data
    # Damage below the compression is only reached if the compression is right.
    if form == 1 and ".tar" in ending:
        data = _tar(data)
    if ending == ".zip":
        return _zip(data)
    if ending.endswith(("gz", "tgz")):
        return gzip.compress(data, mtime=0)
    return zstd.compress(data) if ending.endswith("zst") else data


def _tar(data: bytes) -> bytes:
    """Members of the given bytes; the first of them change header bytes afterwards."""
    edits, content = data[:8], data[8:]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for index, piece in enumerate(content.split(b"\xff")[:4]):
            info = tarfile.TarInfo(f"{index}.ndjson")
            info.size = len(piece)
            archive.addfile(info, io.BytesIO(piece))
    packed = bytearray(buffer.getvalue())
    for at, value in zip(edits[::2], edits[1::2], strict=False):
        packed[at * 2] = value
    if edits:
        # tarfile believes only headers with a right sum.
        head = packed[:148] + b" " * 8 + packed[156:512]
        packed[148:156] = f"{sum(head):06o}\0 ".encode()
    return bytes(packed)


def _zip(data: bytes) -> bytes:
    edits, content = data[:8], data[8:]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for index, piece in enumerate(content.split(b"\xff")[:4]):
            archive.writestr(zipfile.ZipInfo(f"{index}.json"), piece)
    packed = bytearray(buffer.getvalue())
    for at, value in zip(edits[::2], edits[1::2], strict=False):
        packed[-1 - at % len(packed)] = value
    return bytes(packed)
