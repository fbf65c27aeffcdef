"""The kinds of events: who may sign each, how its payload is read, where it stands in the state.

A kind that is not here is carried: its signature is checked like any other, its payload is not
understood, and it changes nothing but the list `other_events`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.formats import payloads
from generator.formats.event import GRAPH_SNAPSHOT, INTEGRITY, RECORD_CREATED
from generator.formats.fields import Fields
from generator.formats.keys import Role

OTHER_EVENTS = "other_events"
ENDORSEMENT = "endorsement"

_ANY = frozenset(Role)
_REGISTRY = frozenset((Role.REGISTRY,))


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event.

    `collection` is its list under `current` in the state, empty where the kind has none of its own;
    `parse` reads the payload, None where another module does.
    """

    name: str
    collection: str
    roles: frozenset[Role]
    parse: Callable[[Fields], payloads.Payload] | None = None


_KINDS = (
    EventKind(RECORD_CREATED, "", _REGISTRY),
    EventKind(GRAPH_SNAPSHOT, "graph_snapshots", _REGISTRY),
    EventKind("timestamp_anchored", "timestamps", _ANY, payloads.parse_timestamp),
    EventKind(
        "storage_attested",
        "storage",
        frozenset((Role.REGISTRY, Role.OPERATOR)),
        payloads.parse_stored_copy,
    ),
    EventKind(
        "author_claim",
        "author_claims",
        frozenset((Role.REGISTRY, Role.AUTHOR)),
        payloads.parse_author_claim,
    ),
    EventKind(
        "author_attestation",
        "author_attestations",
        frozenset((Role.AUTHOR,)),
        payloads.parse_author_attestation,
    ),
    EventKind("citation", "citations", _ANY, payloads.parse_citation),
    EventKind("replication", "replications", _ANY, payloads.parse_replication),
    EventKind(INTEGRITY, "integrity", _REGISTRY),
    EventKind("challenge", "challenges", _ANY, payloads.parse_challenge),
    EventKind("response", "responses", _ANY, payloads.parse_response),
    EventKind("correction", "corrections", _ANY, payloads.parse_correction),
    EventKind("withdrawal", "withdrawals", _ANY, payloads.parse_withdrawal),
    EventKind("key_rotation", "key_rotations", _ANY, payloads.parse_key_rotation),
    EventKind(
        "alias_added",
        "added_aliases",
        frozenset((Role.REGISTRY, Role.AUTHOR)),
        payloads.parse_alias_added,
    ),
    EventKind(ENDORSEMENT, "endorsements", _ANY, payloads.parse_endorsement),
)
# For these an operator may ask for several signers. A creation and an integrity finding have no
# signed envelope, so nobody would stand behind one; an endorsement counts for what it endorses.
ENDORSABLE = tuple(
    kind.name for kind in _KINDS if kind.name not in {RECORD_CREATED, INTEGRITY, ENDORSEMENT}
)
KINDS: Mapping[str, EventKind] = MappingProxyType({kind.name: kind for kind in _KINDS})
# Under `current`, in this order. `graph_snapshots` is the registry's; the rest is ours.
COLLECTIONS = (
    *(kind.collection for kind in _KINDS if kind.collection),
    OTHER_EVENTS,
)


def collection_of(event_type: str) -> str:
    """Name the list under `current` that an event of a kind stands in.

    Args:
        event_type: any type.

    Returns:
        The collection; `other_events` for a kind that is not known; empty for `record_created`.
    """
    kind = KINDS.get(event_type)
    return OTHER_EVENTS if kind is None else kind.collection
