"""Vectors of V8: the payload of each kind, and who may sign it (`docs/formats/events.md`)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.timestamps import generate as timestamps
from tests.vectors.builders import (
    AUTHOR,
    GONE,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    REVOKED,
    REVOKED_AUTHOR,
    SILENT,
    STRANGER,
    Json,
    SigningKey,
    bundle_with,
    creation_of,
    edited,
    event_of,
    record_of,
    signed,
)
from tests.vectors.kinds import (
    BY_NAME,
    CLAIM_BY_KEY,
    KINDS,
    LONGEST,
    OTHER_TYPES,
    RELATIONS,
    START,
    KindCase,
    proof_of,
)
from tests.vectors.vector import (
    CONTRADICTED,
    MALFORMED,
    NO_SIGNATURE,
    OTHER_RECORD,
    OUTSIDE_WINDOW,
    UNKNOWN_KEY,
    UNKNOWN_RULE,
    WRONG_PAYLOAD,
    WRONG_ROLE,
    Expectation,
    Vector,
    event_row,
    published,
    vector,
)

RECORD = record_of(PAPER)
CREATION = creation_of(RECORD)
KEYS = {"registry": REGISTRY, "author": AUTHOR, "operator": OPERATOR}
IN_BLOCK = timestamps.path_to_block(START)[0] + timestamps.bitcoin(100)


def only_with(*events: Json) -> Json:
    """A bundle of the creation and these events, no snapshot."""
    return bundle_with(RECORD, [CREATION, *events])


def about_record(case: KindCase, payload: Json, *, record: Json = RECORD) -> Json:
    """An unsigned event of a kind."""
    return event_of(record, case.name, payload, target=case.target)


def signer_for(case: KindCase) -> SigningKey:
    """A key that may sign a kind."""
    return REGISTRY if "registry" in case.roles else AUTHOR


def without_snapshot(*rows: tuple[str, ...], current: Json = None) -> Expectation:
    """What comes of the creation and one further event."""
    return published(*rows, sections=0, bindings=0, current=current)


def _valid(case: KindCase, name: str, why: str, payload: Json, *, key: SigningKey) -> Vector:
    bundle = only_with(signed(about_record(case, payload), key=key))
    expected = without_snapshot(current={case.collection: 1})
    return vector(f"valid-kind-{case.slug}{name}", why, bundle, expected)


def _failing(
    case: KindCase, name: str, why: str, event: Json, *, reason: str = MALFORMED
) -> Vector:
    expected = without_snapshot(event_row(1, reason), current={})
    return vector(f"v8-kind-{case.slug}-{name}", why, only_with(event), expected)


def payload_vectors() -> Iterator[Vector]:
    """Each field of each payload: missing, of another type, of a wrong value; and one unknown."""
    for case in KINDS:
        key, whole = signer_for(case), {**case.payload, **case.optional}
        for field in case.payload:
            why = "a field that the kind requires is missing"
            event = signed(about_record(case, edited(whole, (field, GONE))), key=key)
            yield _failing(case, f"without-{_slug(field)}", why, event)
        for field in {**whole, **case.wrong}:
            values = (*OTHER_TYPES, *case.wrong.get(field, ()))
            for label, value in values:
                why = f"`{field}` has another type or a value that its kind does not allow"
                event = signed(about_record(case, {**whole, field: value}), key=key)
                reason = WRONG_PAYLOAD if label in case.beyond_shape else MALFORMED
                yield _failing(case, f"{_slug(field)}-{label}", why, event, reason=reason)
        why = "an unknown field: a signature would cover words that nobody here understands"
        event = signed(about_record(case, {**whole, "comment": "new"}), key=key)
        yield _failing(case, "with-unknown-field", why, event)
        why = "the rules of a payload hold for events that nobody signed, too"
        event = about_record(case, {**whole, "comment": "new"})
        yield _failing(case, "unsigned-with-unknown-field", why, event)


def signer_vectors() -> Iterator[Vector]:
    """Who may sign each kind, and when."""
    for case in KINDS:
        for role, key in KEYS.items():
            if role in case.roles:
                why = f"a key with the role {role} may sign this kind"
                yield _valid(case, f"-by-{role}", why, dict(case.payload), key=key)
            else:
                why = f"a key with the role {role} may not sign this kind"
                event = signed(about_record(case, dict(case.payload)), key=key)
                yield _failing(case, f"signed-by-{role}", why, event, reason=WRONG_ROLE)
        key, event = signer_for(case), about_record(case, dict(case.payload))
        revoked = REVOKED if key is REGISTRY else REVOKED_AUTHOR
        why = "signed after the key was revoked"
        late = signed(event, key=revoked)
        yield _failing(case, "after-revocation", why, late, reason=OUTSIDE_WINDOW)
        why = "signed before the key was valid"
        early = signed(event, key=key, created_at="2026-04-30T23:59:59Z")
        yield _failing(case, "before-the-key", why, early, reason=OUTSIDE_WINDOW)
        why = "signed before the key was revoked: it stays"
        bundle = only_with(signed(event, key=revoked, created_at="2026-01-31T23:59:59Z"))
        expected = without_snapshot(current={case.collection: 1})
        yield vector(f"valid-kind-{case.slug}-before-revocation", why, bundle, expected)
        why = "genuine, and about another record"
        replay = signed(about_record(case, dict(case.payload), record=record_of(OTHER)), key=key)
        yield _failing(case, "of-another-record", why, replay, reason=OTHER_RECORD)
        why = "no envelope: carried, in no list of the state"
        expected = without_snapshot(event_row(1, NO_SIGNATURE), current={})
        yield vector(f"v8-kind-{case.slug}-unsigned", why, only_with(event), expected)
        why = "signed by a key that is not pinned: carried"
        bundle = only_with(signed(event, key=STRANGER))
        expected = without_snapshot(event_row(1, UNKNOWN_KEY), current={})
        yield vector(f"v8-kind-{case.slug}-of-a-stranger", why, bundle, expected)


def equivocation_vectors() -> Iterator[Vector]:
    """Two different events of each kind, of one signer, target and time, contradict each other."""
    for case in KINDS:
        key, event = signer_for(case), about_record(case, dict(case.payload))
        # The payload may be the same: the event is not.
        bundle = only_with(signed(event, key=key), signed({**event, "note": "again"}, key=key))
        expected = published(
            events=3,
            sections=0,
            bindings=0,
            standings={1: CONTRADICTED, 2: CONTRADICTED},
            equivocations=1,
            current={case.collection: 2},
        )
        why = "neither counts, and both stay in their list"
        yield vector(f"merge-kind-{case.slug}-equivocation", why, bundle, expected)


def value_vectors() -> Iterator[Vector]:
    """Values at a bound, and every word that a field may hold."""
    for case in KINDS:
        if case.optional:
            why = "with every field that may stand there"
            payload = {**case.payload, **case.optional}
            yield _valid(case, "-with-every-field", why, payload, key=signer_for(case))
    for name, field, values in (
        ("citation", "relation", RELATIONS),
        ("replication", "kind", ("replication", "falsification", "formal_bridge")),
        ("replication", "outcome", ("confirmed", "partial", "refuted", "inconclusive")),
    ):
        case = BY_NAME[name]
        for value in values:
            payload = {**case.payload, field: value}
            why = f"one of the values of `{field}`"
            yield _valid(case, f"-{field}-{_slug(value)}", why, payload, key=REGISTRY)
    for name, field, label, value in (
        ("author_attestation", "statement", "longest", "x" * LONGEST),
        ("author_attestation", "author_name", "one-letter", "A"),
        ("storage_attested", "store", "longest", "a" * 64),
        ("storage_attested", "store", "odd", "0_.-"),
        ("storage_attested", "url", "http", "http://archive.example/"),
        ("storage_attested", "url", "longest", "https://" + "a" * 2000),
        ("alias_added", "alias_value", "longest", "x" * 256),
        ("challenge", "about", "of-an-event", f"sha256:{'cd' * 32}"),
        ("correction", "about", "of-an-event", f"sha256:{'cd' * 32}"),
        ("citation", "cited_pith_number", "unknown", f"pith:1991:{'A' * 26}"),
        ("author_claim", "orcid", "with-check-letter", "0000-0002-1694-233X"),
        ("timestamp_anchored", "proof_b64", "in-a-block", proof_of(START, tree=IN_BLOCK)),
    ):
        case = BY_NAME[name]
        why = "allowed, at the bound of what is"
        payload = {**case.payload, field: value}
        yield _valid(case, f"-{_slug(field)}-{label}", why, payload, key=signer_for(case))


def author_claim_vectors() -> Iterator[Vector]:
    """A strong claim is the registry's word, or the word of the very key that is claimed."""
    case = BY_NAME["author_claim"]
    orcid = {**case.payload, "strength": "strong"}
    other_key = {**CLAIM_BY_KEY, "public_key_fingerprint": REGISTRY.fingerprint}
    for name, why, payload, key in (
        ("-strong-orcid-by-registry", "the registry saw the ORCID iD", orcid, REGISTRY),
        ("-strong-key-by-that-key", "the author speaks for the own key", CLAIM_BY_KEY, AUTHOR),
        ("-strong-key-by-registry", "the registry saw the key", CLAIM_BY_KEY, REGISTRY),
        (
            "-weak-key-of-another",
            "a weak claim is no more than said",
            {**other_key, "strength": "weak"},
            AUTHOR,
        ),
    ):
        yield _valid(case, name, why, payload, key=key)
    why = "an author claims strongly what only the registry could have seen"
    event = signed(about_record(case, orcid), key=AUTHOR)
    yield _failing(case, "strong-orcid-by-an-author", why, event, reason=WRONG_PAYLOAD)
    why = "a strong claim by a key that is not the claimed one"
    event = signed(about_record(case, other_key), key=AUTHOR)
    yield _failing(case, "strong-key-of-another", why, event, reason=WRONG_PAYLOAD)
    why = "an ORCID iD beside a claim by key, or the other way: which one is meant?"
    for name, payload in (
        ("key-with-orcid", {**CLAIM_BY_KEY, "orcid": "0000-0002-1825-0097"}),
        ("orcid-with-key", {**case.payload, "public_key_fingerprint": AUTHOR.fingerprint}),
    ):
        yield _failing(case, name, why, signed(about_record(case, payload)))
    why = "neither by ORCID iD nor by key: by nothing"
    payload = edited(case.payload, ("method", "email"), ("orcid", GONE))
    yield _failing(case, "method-other-without-either", why, signed(about_record(case, payload)))
    why = "no fingerprint of any key"
    for name, value in (
        ("missing", GONE),
        ("uppercase", AUTHOR.fingerprint.upper()),
        ("short", AUTHOR.fingerprint[:-1]),
        ("long", AUTHOR.fingerprint + "0"),
        ("null", None),
    ):
        payload = edited(CLAIM_BY_KEY, ("public_key_fingerprint", value))
        event = signed(about_record(case, payload))
        yield _failing(case, f"fingerprint-{name}", why, event)


def withdrawal_vectors() -> Iterator[Vector]:
    """The record itself can be withdrawn by the registry and by an author."""
    case = BY_NAME["withdrawal"]
    payload = {"about": "record", "reason": "The proof is wrong."}
    for role in ("registry", "author"):
        why = "the record is withdrawn by the registry or an author"
        yield _valid(case, f"-of-the-record-by-{role}", why, payload, key=KEYS[role])
    why = "an operator does not withdraw somebody's record"
    event = signed(about_record(case, payload), key=OPERATOR)
    yield _failing(case, "of-the-record-by-operator", why, event, reason=WRONG_ROLE)
    why = "nobody's word: carried"
    expected = without_snapshot(event_row(1, NO_SIGNATURE), current={})
    bundle = only_with(about_record(case, payload))
    yield vector("v8-kind-withdrawal-of-the-record-unsigned", why, bundle, expected)


def rotation_vectors() -> Iterator[Vector]:
    """A rotation in a bundle is shown, and changes no trust (protocol part 8)."""
    case = BY_NAME["key_rotation"]
    rotation = signed(about_record(case, dict(case.payload)))
    named = SigningKey(case.payload["key_id"], valid_from=case.payload["valid_from"])
    challenge = BY_NAME["challenge"]
    event = about_record(challenge, dict(challenge.payload))
    bundle = only_with(rotation, signed(event, key=named, created_at="2026-06-02T00:00:00Z"))
    rows = (event_row(2, UNKNOWN_KEY),)
    expected = published(*rows, events=3, sections=0, bindings=0, current={case.collection: 1})
    why = "signed by the key that a rotation in the same bundle names: not pinned, so carried"
    yield vector("v8-kind-key-rotation-in-a-bundle-pins-nothing", why, bundle, expected)


def profile_vectors() -> Iterator[Vector]:
    """Rules of a payload are not asked where the signature could not be checked."""
    case = BY_NAME["author_claim"]
    strong = {**case.payload, "strength": "strong"}
    other_id = (("event_id", f"sha256:{'3' * 64}"),)
    event = edited(signed(about_record(case, strong), key=SILENT), *other_id)
    expected = without_snapshot(event_row(1, UNKNOWN_RULE), current={})
    why = "how this signer derives ids is not published: carried"
    yield vector("v8-kind-author-claim-underivable", why, only_with(event), expected)
    case = BY_NAME["timestamp_anchored"]
    payload = {**case.payload, "proof_b64": proof_of(bytes(32))}
    why = "an unsigned proof is not read: it is free to make, and costs work to read"
    expected = without_snapshot(event_row(1, NO_SIGNATURE), current={})
    bundle = only_with(about_record(case, payload))
    yield vector("v8-kind-timestamp-anchored-unsigned-of-nothing", why, bundle, expected)


def _slug(field: str) -> str:
    return field.replace("_", "-")
