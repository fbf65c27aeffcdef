// The kinds of events: who may sign each, how its payload is read, where it stands in the state.
// The same table as generator/formats/kinds.py; the rules are in docs/formats/events.md.
(function (pith) {
  "use strict";

  const ANY = new Set(["registry", "author", "operator"]);
  const REGISTRY = new Set(["registry"]);
  const OTHER_EVENTS = "other_events";

  // name, list under `current`, roles that may sign it
  const ROWS = [
    ["record_created", "", REGISTRY],
    ["graph_snapshot", "graph_snapshots", REGISTRY],
    ["timestamp_anchored", "timestamps", ANY],
    ["storage_attested", "storage", new Set(["registry", "operator"])],
    ["author_claim", "author_claims", new Set(["registry", "author"])],
    ["author_attestation", "author_attestations", new Set(["author"])],
    ["citation", "citations", ANY],
    ["replication", "replications", ANY],
    ["pith.integrity.v1", "integrity", REGISTRY],
    ["challenge", "challenges", ANY],
    ["response", "responses", ANY],
    ["correction", "corrections", ANY],
    ["withdrawal", "withdrawals", ANY],
    ["key_rotation", "key_rotations", ANY],
    ["alias_added", "added_aliases", new Set(["registry", "author"])],
    ["endorsement", "endorsements", ANY],
  ];

  /** The known kinds by name; a kind that is not here is carried and its payload not read. */
  pith.KINDS = new Map(
    ROWS.map(([name, collection, roles]) => [name, { name, collection, roles }])
  );

  /** The lists under `current` in the state, in their order. */
  pith.COLLECTIONS = [...ROWS.map((row) => row[1]).filter((name) => name !== ""), OTHER_EVENTS];

  /** Name the list that an event of a kind stands in; empty for `record_created`. */
  pith.collectionOf = function (eventType) {
    const kind = pith.KINDS.get(eventType);
    return kind === undefined ? OTHER_EVENTS : kind.collection;
  };
})((globalThis.PithMirror ??= {}));
