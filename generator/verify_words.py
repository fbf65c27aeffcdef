"""What the scripts of the verifier say, by key: scripts hold no words of the interface.

The scripts fill in {names}. Names of checks and what they expected and found are those of
report.json, in English.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.formats.canonical import JsonValue, compact_json
from generator.language import Language
from generator.messages import message

WORDS_SCRIPT = "verify-words.js"
_OUTCOMES: dict[str, JsonValue] = {
    "verified": message("verified"),
    "failed": message("failed"),
    "not checkable": message("not checkable"),
}
_COMMON: dict[str, JsonValue] = {
    "outcomes": _OUTCOMES,
    "notes": {
        "no-digest": message("this browser computes no SHA-256 here"),
        "no-ed25519": message("this browser has no Ed25519"),
    },
    "expected": message("expected"),
    "found": message("found"),
    "expected_and_found": message("expected and found"),
    "no_digest": message(
        "This browser computes digests only on pages from https, from this computer or from a "
        "disk, so little could be checked."
    ),
    "no_ed25519": message(
        "This browser has no Ed25519, so no signature was checked; all else was."
    ),
}
_RECORD: dict[str, JsonValue] = {
    "source": message("source"),
    "fetched": message("bundle.json, fetched from this mirror now"),
    "embedded": message("the copy inside this page"),
    "bytes": message("bytes"),
    "canonical": message("canonical JSON"),
    "number": message("computed"),
    "key": message("key id"),
    "public_key": message("public key"),
    "fingerprint": message("fingerprint"),
    "signature": message("signature"),
    "signed_at": message("signed, says the signer,"),
    "step_read": message("Read the bundle"),
    "step_canonical": message("Spell the record as canonical JSON"),
    "step_digest": message("Digest it with SHA-256"),
    "step_number": message("Derive the Pith Number"),
    "step_key": message("Take the key pinned in this page"),
    "step_receipt": message("Check the receipt’s signature"),
    "step_event": message("Check an event"),
    "step_more_events": message("Check the other events, of which there are {n}"),
    "step_snapshot": message("Check digests, title and abstract of the snapshot"),
    "step_state": message("Merge the events"),
    "step_claimed": message("Compare the state that the bundle claims"),
    "own_record": message("the record on this page"),
    "own_digest": message("the hash on this page"),
    "own_number": message("the Pith Number of this page"),
    "own_fingerprint": message("the fingerprint on this page"),
    "own_state": message("the state that this mirror computed"),
    "own_state_file": message("state.json of this mirror"),
    "same_bytes": message("the bytes computed here"),
    "other_bytes": message("other bytes"),
    "end_verified": message("Everything verified. Checks made in this browser: {n}."),
    "end_record": message(
        "The record, its number and its receipt verified in this browser. Checks made: {n}."
    ),
    "end_partly": message("Nothing failed in this browser. Checks that could not be made: {n}."),
    "end_failed": message(
        "The record itself verified in this browser. Checks of what is around it that failed: {n}."
    ),
    "end_refused": message(
        "Do not rely on this page: in this browser the record did not verify. Checks that failed:"
        " {n}."
    ),
    "no_bundle": message(
        "This page was opened from a disk and does not hold the events of this record. To check "
        "them, drop bundle.json on the verification page."
    ),
}
_DROP: dict[str, JsonValue] = {
    "outcomes": {
        **_OUTCOMES,
        "partly checkable": message("partly checkable"),
        "checks failed": message("checks failed"),
        "not published": message("not published"),
    },
    "table": message("The checks of this bundle, in the order of the steps"),
    "columns": [
        message("Step"),
        message("Check"),
        message("Outcome"),
        message("Expected and found"),
    ],
    "checks": message("Checks: {n}"),
    "more_checks": message("Checks not shown: {n}; those that did not verify come first."),
    "verdicts": {
        "verified": message(
            "A mirror with the keys of this page would publish it: every check verified."
        ),
        "partly checkable": message(
            "A mirror with the keys of this page would publish it: nothing failed, but some "
            "checks could not be made."
        ),
        "checks failed": message(
            "A mirror with the keys of this page would publish the record, but a later check "
            "failed."
        ),
        "not published": message(
            "No mirror with the keys of this page would publish it: one of the checks V1 to V7 "
            "did not verify."
        ),
        "not checkable": message(
            "Nothing is said of it: a check that a mirror needs could not be made in this browser."
        ),
    },
    "counts": [
        ["event_count", message("events")],
        ["valid_event_count", message("events in the state")],
        ["invalid_event_count", message("failed events")],
        ["uncheckable_event_count", message("events that are not checkable")],
        ["equivocation_count", message("contradictions")],
    ],
    "state_of": message("Merged state of {number}"),
    "merged_from": message("Merged from {names}."),
    "served": message("{name} holds every event of the others."),
    "united": message("No file holds every event, so the union was spelled anew."),
    "save": message("Save state.json"),
    "checking": message("Checking {name}…"),
    "done": message("Files checked: {n}."),
    "nothing": message("There was no file in it."),
    "pasted": message("pasted text"),
    "too_large": message("The file has {n} bytes; a bundle has at most {limit}. It was not read."),
    "too_many": message("Left out, since they were too many at once: {n}."),
    "too_many_bytes": message("its files have {n} bytes together; at most {limit} are united."),
    "folder": message("This is a folder. Drop the files in it."),
    "unreadable": message("This cannot be read: it may be a folder, or a file that has gone."),
}


def words_script(language: Language) -> bytes:
    """Spell what the steps of a record's check say, as a script.

    Args:
        language: of the site.

    Returns:
        `verify-words.js`, ASCII.
    """
    words = language.say_all({**_COMMON, **_RECORD})
    return b"(globalThis.PithMirror ??= {}).words = " + compact_json(words) + b";\n"


def drop_words() -> Mapping[str, JsonValue]:
    """Give what the verification page says, as messages."""
    return {**_COMMON, **_DROP}
