"""Compare: two sides of one record → what was gained, what was lost, what changed, in words. Pure.

A merge only ever gains events, so an event or a record that the later side lacks is an alarm: it
was withheld, damaged or forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from generator.event_words import kind_words
from generator.formats.canonical import JsonObject, JsonValue
from generator.limits import shorten
from generator.seen import Seen, SeenEvent
from generator.standing import Standing
from generator.terminal import Line, Tone


class Change(Enum):
    """What happened to a record. The value is the word shown, and that in JSON."""

    EQUAL = "equal"
    CHANGED = "changed"
    GAINED = "gained"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class RecordDiff:
    """What is different in one record.

    `words` are short phrases; `gained` and `lost` list the events of a record that both sides have.
    """

    pith_number: str
    change: Change
    old: Seen | None
    new: Seen | None
    gained: tuple[SeenEvent, ...] = ()
    lost: tuple[SeenEvent, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def is_alarm(self) -> bool:
        """Whether the record, or an event of it, is gone."""
        return self.change is Change.LOST or bool(self.lost)


# What became of an event that both sides have, by its new standing.
_BECAME = {
    Standing.COUNTS.value: "counts now",
    Standing.SUPERSEDED.value: "superseded",
    Standing.RESCINDED.value: "rescinded",
    Standing.WITHDRAWN.value: "withdrawn",
    Standing.CONTRADICTED.value: "contradicted by another event of its signer",
    Standing.WAITING.value: "waiting for signers now",
    Standing.CARRIED.value: "carried now, not checked",
    Standing.SET_ASIDE.value: "set aside: its check fails now",
}
# How a gained event is no plain gain.
_GAINED_AS = {
    Standing.SUPERSEDED.value: ", superseded already",
    Standing.RESCINDED.value: ", rescinded already",
    Standing.WITHDRAWN.value: ", withdrawn already",
    Standing.CONTRADICTED.value: ", contradicted by another event of its signer",
    Standing.WAITING.value: ", waiting for signers",
    Standing.CARRIED.value: ", carried, not checked",
    Standing.SET_ASIDE.value: ", set aside: its check fails",
}


def compare_record(old: Seen, new: Seen) -> RecordDiff:
    """Compare two sides of one record.

    Args:
        old: the earlier side.
        new: the later side.

    Returns:
        The difference; events are listed by identity.

    Raises:
        ValueError: the sides are of two records: the caller's mistake.
    """
    if old.pith_number != new.pith_number:
        raise ValueError("compare_record takes two sides of one record")
    gained = _missing(new.events, old.events)
    lost = _missing(old.events, new.events)
    words = (
        *_verdict_words(old, new),
        *_event_words(lost, "lost", {}),
        *_event_words(gained, "gained", _GAINED_AS),
        *_standing_words(old, new),
        *_text_words(old, new),
        *_receipt_words(old, new),
        *_alias_words(old, new),
        *_contradiction_words(old, new),
        *_status_words(old, new),
        *_policy_words(old, new),
    )
    equal = not words and old.state_sha256 == new.state_sha256
    if not words and not equal:
        words = ("another state_sha256, for a reason that is in none of the fields compared",)
    return RecordDiff(
        old.pith_number, Change.EQUAL if equal else Change.CHANGED, old, new, gained, lost, words
    )


def gained_record(new: Seen) -> RecordDiff:
    """Describe a record that only the later side has.

    Args:
        new: the later side.

    Returns:
        The difference.
    """
    return RecordDiff(new.pith_number, Change.GAINED, None, new, words=(_event_count(new),))


def lost_record(old: Seen, *, reason: str = "") -> RecordDiff:
    """Describe a record that only the earlier side has.

    Args:
        old: the earlier side.
        reason: why the later side has it no more, if its bundle is there and was rejected.

    Returns:
        The difference, an alarm.
    """
    words = tuple(filter(None, (_event_count(old), reason)))
    return RecordDiff(old.pith_number, Change.LOST, old, None, words=words)


def diff_lines(diff: RecordDiff) -> Iterator[Line]:
    """Say a difference as lines for a terminal.

    Args:
        diff: of one record.

    Yields:
        The record and what became of it, then what changed, then the events by identity.
    """
    tone, words = Tone.BAD if diff.is_alarm else Tone.PLAIN, list(diff.words)
    what = diff.change.value
    if diff.old is None or diff.new is None:
        what = f"{what}, {words.pop(0)}"
    yield Line(f"{diff.pith_number}: {what}", tone=tone)
    if diff.old is not None and diff.new is not None:
        old, new = diff.old.state_sha256, diff.new.state_sha256
        for digest in (old,) if old == new else (old, new):
            yield Line(f"state_sha256 {digest or 'not stated'}", indent=2)
    for word in words:
        yield Line(word, indent=2)
    for event in diff.lost:
        yield from _event_lines("LOST", event, Tone.BAD)
    for event in diff.gained:
        yield from _event_lines("gained", event, Tone.PLAIN)


def diff_json(diff: RecordDiff) -> JsonObject:
    """Spell a difference for `diff --json`.

    Args:
        diff: of one record.

    Returns:
        The object.
    """
    return {
        "pith_number": diff.pith_number,
        "change": diff.change.value,
        "alarm": diff.is_alarm,
        "old": _side_json(diff.old),
        "new": _side_json(diff.new),
        "words": list(diff.words),
        "lost": [_event_json(event) for event in diff.lost],
        "gained": [_event_json(event) for event in diff.gained],
    }


def _missing(
    events: Mapping[str, SeenEvent], others: Mapping[str, SeenEvent]
) -> tuple[SeenEvent, ...]:
    return tuple(event for identity, event in sorted(events.items()) if identity not in others)


def _verdict_words(old: Seen, new: Seen) -> Iterator[str]:
    if old.verdict and new.verdict and old.verdict != new.verdict:
        yield f"verdict: {old.verdict} → {new.verdict}"


def _event_words(
    events: Iterable[SeenEvent], verb: str, endings: Mapping[str, str]
) -> Iterator[str]:
    counts = Counter((event.event_type, endings.get(event.standing, "")) for event in events)
    for (event_type, ending), count in sorted(counts.items()):
        yield f"{kind_words(event_type, count)} {verb}{ending}"


def _standing_words(old: Seen, new: Seen) -> Iterator[str]:
    counts: Counter[tuple[str, str]] = Counter()
    for identity in old.events.keys() & new.events.keys():
        before, after = old.events[identity], new.events[identity]
        if after.standing != before.standing:
            became = _BECAME.get(after.standing) or _arrow(before.standing, after.standing)
            counts[after.event_type, became] += 1
        elif after.verification != before.verification:
            counts[after.event_type, _arrow(before.verification, after.verification)] += 1
    for (event_type, became), count in sorted(counts.items()):
        yield f"{kind_words(event_type, count)} {became}"


def _text_words(old: Seen, new: Seen) -> Iterator[str]:
    for name in ("title", "authors", "abstract"):
        before, after = old.texts.get(name), new.texts.get(name)
        if before is None and after is not None:
            yield f"{name} became known ({after[1]})"
        elif before is not None and after is None:
            yield f"{name} no longer known"
        elif before is not None and after is not None:
            if before[0] != after[0]:
                yield f"{name} spelled differently"
            if before[1] != after[1]:
                yield f"{name}: {_arrow(before[1], after[1])}"


def _receipt_words(old: Seen, new: Seen) -> Iterator[str]:
    if not old.receipt or not new.receipt:
        return
    for key in sorted(old.receipt.keys() | new.receipt.keys()):
        before, after = old.receipt.get(key, ""), new.receipt.get(key, "")
        if before != after:
            yield f"receipt, {shorten(key)}: {_arrow(before, after)}"


def _alias_words(old: Seen, new: Seen) -> Iterator[str]:
    for name in sorted(old.aliases.keys() | new.aliases.keys()):
        before, after = old.aliases.get(name), new.aliases.get(name)
        if before is None:
            yield f"alias {shorten(name)} gained"
        elif after is None:
            yield f"alias {shorten(name)} lost"
        elif before != after:
            yield f"alias {shorten(name)}, created_at: {_arrow(before, after)}"


def _contradiction_words(old: Seen, new: Seen) -> Iterator[str]:
    for text in sorted(new.equivocations - old.equivocations):
        yield f"contradiction found: {shorten(text, limit=400)}"
    for text in sorted(old.equivocations - new.equivocations):
        yield f"contradiction gone: {shorten(text, limit=400)}"


def _status_words(old: Seen, new: Seen) -> Iterator[str]:
    for key in sorted(old.status.keys() & new.status.keys()):
        if old.status[key] != new.status[key]:
            yield f"{key.replace('_', ' ')}: {'yes' if new.status[key] else 'no longer'}"


def _policy_words(old: Seen, new: Seen) -> Iterator[str]:
    if old.policy != new.policy:
        yield f"merged under other policies: {_arrow(old.policy, new.policy)}"


def _arrow(before: str, after: str) -> str:
    return f"{shorten(before) or 'nothing'} → {shorten(after) or 'nothing'}"


def _event_count(seen: Seen) -> str:
    count = len(seen.events)
    return f"with {count} {'event' if count == 1 else 'events'}"


def _event_lines(verb: str, event: SeenEvent, tone: Tone) -> Iterator[Line]:
    standing = ", ".join(filter(None, (event.verification, event.standing)))
    name = event.event_type or "(no type)"
    yield Line(f"{verb} {name} ({standing})" if standing else f"{verb} {name}", indent=2, tone=tone)
    yield Line(event.identity, indent=4, tone=tone)


def _event_json(event: SeenEvent) -> JsonValue:
    return {
        "identity": event.identity,
        "event_type": event.event_type,
        "verification": event.verification or None,
        "standing": event.standing or None,
    }


def _side_json(seen: Seen | None) -> JsonValue:
    if seen is None:
        return None
    return {
        "state_sha256": seen.state_sha256 or None,
        "verdict": seen.verdict or None,
        "event_count": len(seen.events),
    }
