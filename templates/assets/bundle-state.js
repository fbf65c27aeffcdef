// `state.json`: the merged state, byte for byte as docs/formats/state.md spells it; and every check
// of a bundle, V1 to V11, in one call.
(function (pith) {
  "use strict";

  /** Give a value with all keys sorted by code point. */
  function sortedKeys(value) {
    if (value instanceof Map) {
      const keys = [...value.keys()].sort(pith.compareText);
      return new Map(keys.map((key) => [key, sortedKeys(value.get(key))]));
    }
    return Array.isArray(value) ? value.map(sortedKeys) : value;
  }

  /** Spell a merged state as a Map in its final key order, `state_sha256` last. */
  pith.stateJson = async function (state) {
    const ofOutcome = (outcome) => state.events.filter((event) => event.outcome === outcome);
    const ofStanding = (standing) =>
      state.events.filter((event) => state.standings.get(event.identity) === standing);
    const admitted = admittedEvents(state);
    const result = new Map([
      ["state_type", "pith_open_graph_state"],
      ["state_version", "1.0"],
      ["pith_number", state.pithNumber],
      ["merge_version", "pith-open-graph-merge-v1"],
      ["event_count", state.events.length],
      ["valid_event_count", admitted.length],
      ["invalid_event_count", ofOutcome("failed").length],
      ["equivocation_count", state.equivocations.length],
      ["current", current(state, admitted)],
      ["uncheckable_event_count", ofOutcome("not checkable").length],
      ["uncheckable_events", state.policy.uncheckable_events],
      ["thresholds", new Map(Object.entries(state.policy.thresholds))],
      ["profile", "mirror/1"],
      ["equivocations", state.equivocations.map(equivocation)],
      ["rejected_events", ofOutcome("failed").map(setAside)],
      ["carried_events", ofStanding("carried").map(setAside)],
      ["waiting_events", ofStanding("waiting for signers").map((event) => entry(state, event))],
    ]);
    result.set("state_sha256", await pith.sha256Hex(pith.canonicalJson(result)));
    return result;
  };

  function admittedEvents(state) {
    return state.events.filter((event) => pith.IN_STATE.has(state.standings.get(event.identity)));
  }

  function current(state, admitted) {
    const lists = new Map(pith.COLLECTIONS.map((name) => [name, []]));
    for (const event of admitted) {
      if (event.eventType !== "record_created") {
        lists.get(pith.collectionOf(event.eventType)).push(entry(state, event));
      }
    }
    const record = ["canonical_record", sortedKeys(state.record.json)];
    return new Map([record, ["source_aliases", state.aliases.map(alias)], ...lists]);
  }

  function alias({ kind, value, createdAt }) {
    return new Map([
      ["alias_kind", kind],
      ["alias_value", value],
      ["created_at", createdAt === null ? null : createdAt.text],
    ]);
  }

  function entry(state, judged) {
    return new Map([
      ...(judged.event === null ? findingFields(judged) : envelopeFields(judged)),
      ["event_type", judged.eventType],
      ["verification", judged.outcome],
      ["standing", state.standings.get(judged.identity)],
    ]);
  }

  function envelopeFields({ event, identity }) {
    return [
      ["event_id", event.eventId ?? identity],
      ["target", event.target],
      ["created_at", event.createdAt === null ? null : event.createdAt.text],
      ["signer", event.signer === null ? null : sortedKeys(event.signer.json)],
      ["payload", sortedKeys(event.payload)],
    ];
  }

  function findingFields({ integrity, identity }) {
    return [
      ["event_id", identity],
      ["signing_key_id", integrity.keyId],
      ["payload", sortedKeys(integrity.payload)],
    ];
  }

  function equivocation(group) {
    return new Map([
      ["signer_id", group.signerId],
      ["event_type", group.eventType],
      ["target", group.target],
      ["created_at", group.createdAt.text],
      ["event_ids", group.identities],
    ]);
  }

  function setAside({ identity, json, reason }) {
    return new Map([
      ["identity", identity],
      ["event_type", claimedType(json)],
      ["reason", reason],
    ]);
  }

  /** Give the type an item of `events` claims if it has the form of one, else an empty text. */
  function claimedType(json) {
    const type = json instanceof Map ? json.get("event_type") : "";
    return typeof type === "string" && /^[ -~]{1,256}$/.test(type) ? type : "";
  }

  /** Merge verified bundles and spell the state: `{state, json, text, digest}`. */
  pith.mergedState = async function (bundles, policy) {
    const state = pith.mergeBundles(bundles, policy);
    const json = await pith.stateJson(state);
    const [text, digest] = [pith.compactJson(json), json.get("state_sha256")];
    return { state, json, text, digest };
  };

  /** Make every check of a bundle, V1 to V11; `merged` is null if it is not admitted. */
  pith.checkAll = async function (bytes, trust, origin = "bundle") {
    const report = await pith.checkBundle(bytes, trust, origin);
    if (report.verified === null) {
      return { ...report, merged: null };
    }
    const merged = await pith.mergedState([report.verified], trust.policy);
    const claimed = pith.claimedStateChecks(report.verified, merged.state, merged.json);
    const checks = [...report.checks, ...claimed];
    return { ...report, checks, verdict: pith.verdictOf(checks), merged };
  };
})((globalThis.PithMirror ??= {}));
