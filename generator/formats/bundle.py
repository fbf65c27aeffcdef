"""The portable graph bundle: its shape, and the union of two of one record (protocol part 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import (
    JsonObject,
    JsonValue,
    canonical_json,
    compact_json,
    parse_json_object,
)
from generator.formats.digest import Digest, parse_digest
from generator.formats.event import RECORD_CREATED, event_type_of
from generator.formats.fields import Fields, fields_of
from generator.formats.instant import Instant, parse_instant
from generator.formats.raw import RawBundle
from generator.formats.record import CanonicalRecord, Source, parse_record, parse_source
from generator.limits import DEFAULT_LIMITS, Limits

BUNDLE_TYPE = "pith_open_graph_bundle"
BUNDLE_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class ClaimedAlias:
    """An alias as the bundle lists it; the registry's time of creation may be unknown (null)."""

    kind: str
    value: str
    created_at: Instant | None


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle of the right shape. Nothing in it is verified yet."""

    json: JsonObject
    pith_number: str
    short_pith_number: str
    record: CanonicalRecord
    canonical_sha256: Digest
    source: Source
    aliases: tuple[ClaimedAlias, ...]
    events: tuple[JsonValue, ...]
    claimed_state: JsonObject | None

    @property
    def without_events(self) -> JsonObject:
        """The bundle's own fields: all but `events` and what is claimed to follow from them."""
        return {k: v for k, v in self.json.items() if k not in {"events", "state"}}

    @property
    def creations(self) -> tuple[JsonObject, ...]:
        """The `record_created` events, in received order, of any shape inside."""
        return tuple(
            event
            for event in self.events
            if isinstance(event, dict) and event_type_of(event) == RECORD_CREATED
        )


def parse_bundle(value: JsonObject, *, limits: Limits = DEFAULT_LIMITS) -> Bundle:
    """Read the shape of a bundle (check V3).

    Items of `events` stay unread: a malformed event must not take the record with it.

    Args:
        value: the document.
        limits: bound on the number of events.

    Returns:
        The bundle.

    Raises:
        FormatError: a field is missing or of the wrong type; further top-level fields are allowed,
        since
            the registry's are not all known.
    """
    bundle = Fields("", value)
    events = bundle.array("events")
    if len(events) > limits.events_max_count:
        raise FormatError(
            "events", expected=f"at most {limits.events_max_count}", found=str(len(events))
        )
    return Bundle(
        json=value,
        pith_number=bundle.token("pith_number"),
        short_pith_number=bundle.token("short_pith_number"),
        record=parse_record(bundle.required("canonical_record"), subject="canonical_record"),
        canonical_sha256=parse_digest(
            bundle.required("canonical_sha256"), subject="canonical_sha256"
        ),
        source=parse_source(bundle.object("source")),
        aliases=tuple(
            _parse_alias(item, path=f"source_aliases[{index}]")
            for index, item in enumerate(bundle.array("source_aliases"))
        ),
        events=tuple(events),
        claimed_state=bundle.object("state").value if "state" in value else None,
    )


def shape_of(raw: RawBundle) -> Bundle | None:
    """Read a bundle as far as its shape, to learn which record it is of. This verifies nothing.

    Args:
        raw: the bundle as loaded.

    Returns:
        The bundle, or None if check V1 or V3 would fail.
    """
    try:
        return parse_bundle(parse_json_object(raw.data, subject="bundle"))
    except FormatError:
        return None


def unite_bundles(bundles: Iterable[Bundle]) -> bytes:
    """Spell the union of bundles of one record, as bytes that any mirror gets from the same events.

    The events are a set (protocol part 8): each distinct object once, ordered by its canonical
    JSON. Of fields outside `events` the smallest spelling decides; a claimed `state` is dropped,
    since it speaks of one of the parts.

    Args:
        bundles: at least one, all verified and of one record, in any order.

    Returns:
        Compact ASCII JSON, as the registry serves a bundle.
    """
    parts = tuple(bundles)
    united = min((part.without_events for part in parts), key=_spelling)
    # Of two spellings of one event that differ in the order of keys, the smaller one.
    listed = sorted((event for part in parts for event in part.events), key=_spelling, reverse=True)
    events = {canonical_json(event): event for event in listed}
    # The creation comes first, as in every bundle the registry serves.
    ordered = sorted(
        events.items(), key=lambda item: (event_type_of(item[1]) != RECORD_CREATED, item[0])
    )
    united["events"] = [event for _, event in ordered]
    return compact_json(united)


def _spelling(value: JsonValue) -> tuple[bytes, bytes]:
    return canonical_json(value), compact_json(value)


def _parse_alias(value: JsonValue, *, path: str) -> ClaimedAlias:
    alias = fields_of(value, path=path)
    created_at = alias.required("created_at")
    return ClaimedAlias(
        kind=alias.token("alias_kind"),
        value=alias.token("alias_value"),
        created_at=None
        if created_at is None
        else parse_instant(created_at, subject=alias.at("created_at")),
    )
