// The merge of one record's events (pith-open-graph-merge-v1 as docs/formats/state.md reads it),
// and the claimed state of a bundle against it (V11).
(function (pith) {
  "use strict";

  /** Compare two spellings, [canonical, compact], part by part. */
  function compareSpellings(left, right) {
    return pith.compareText(left[0], right[0]) || pith.compareText(left[1], right[1]);
  }

  /** Give what tells two spellings of one value apart, smallest first. */
  pith.spellingOf = (value) => [pith.canonicalJson(value), pith.compactJson(value)];
  pith.compareSpellings = compareSpellings;

  /** Give a bundle's own fields: all but `events` and what is claimed to follow from them. */
  pith.withoutEvents = function (bundle) {
    return new Map([...bundle.json].filter(([key]) => key !== "events" && key !== "state"));
  };

  /** Give the item whose key is smallest; of equal ones the first. */
  function smallest(items, keyOf, compare) {
    const keyed = items.map((item) => [keyOf(item), item]);
    return keyed.reduce((best, next) => (compare(next[0], best[0]) < 0 ? next : best))[1];
  }
  pith.smallest = smallest;

  /** Merge the verified bundles of one record, one or more, in any order. */
  pith.mergeBundles = function (bundles, policy) {
    const events = eventSet(bundles.flatMap((bundle) => bundle.events));
    const equivocations = pith.findEquivocations(events);
    // The time in a receipt and those of the aliases are signed by nobody: the smallest decides.
    const ownFields = ({ bundle }) => pith.canonicalJson(pith.withoutEvents(bundle));
    const first = smallest(bundles, ownFields, pith.compareText);
    return {
      pithNumber: String(first.pithNumber),
      record: first.bundle.record,
      aliases: first.bundle.aliases,
      policy,
      events,
      equivocations,
      standings: pith.findStandings(events, equivocations, policy),
    };
  };

  function eventSet(events) {
    // Two spellings of one identity differ only in what is not signed; the smallest one decides.
    const chosen = new Map();
    for (const event of events) {
      const spelling = pith.spellingOf(event.json);
      const present = chosen.get(event.identity);
      if (present === undefined || compareSpellings(spelling, present.spelling) < 0) {
        chosen.set(event.identity, { spelling, event });
      }
    }
    return [...chosen.values()].map(({ event }) => event).sort(compareEvents);
  }

  /** Merge order: events without a time first, of these the creation; then by time and identity. */
  function compareEvents(left, right) {
    const [mine, other] = [left, right].map((event) => (event.createdAt === null ? 0 : 1));
    if (mine !== other) {
      return mine - other;
    }
    if (mine === 1) {
      const byTime = pith.compareInstants(left.createdAt, right.createdAt);
      return byTime || pith.compareText(left.identity, right.identity);
    }
    const [first, second] = [left, right].map((event) =>
      event.eventType === "record_created" ? 0 : 1
    );
    return first - second || pith.compareText(left.identity, right.identity);
  }

  // ---- V11 ----

  // What a claimed state says of these does not depend on any event.
  const OF_THE_RECORD = ["state_type", "state_version", "pith_number", "merge_version"];
  const OF_THE_RECORD_CURRENT = ["canonical_record", "source_aliases"];

  /** Compare the state a bundle claims with the one recomputed: no row, or one. */
  pith.claimedStateChecks = function (verified, state, recomputed) {
    const claimed = verified.bundle.claimedState;
    if (claimed === null) {
      return [];
    }
    let fault = firstDifference(recordPart(claimed), recordPart(recomputed), "state");
    let outcome = "failed";
    if (fault === null) {
      fault = firstDifference(claimed, recomputed, "state");
      // Where some event cannot be checked here, the claim may well be right.
      if (state.events.some((event) => event.outcome === "not checkable")) {
        outcome = "not checkable";
      }
    }
    const agreed = "the state recomputed here";
    const [subject, expected, found] = fault ?? ["state", agreed, agreed];
    outcome = fault === null ? "verified" : outcome;
    return [{ step: "V11", name: "claimed state", subject, outcome, expected, found, note: "" }];
  };

  const only = (object, keys) =>
    new Map(keys.filter((key) => object.has(key)).map((key) => [key, object.get(key)]));

  function recordPart(state) {
    const kept = only(state, OF_THE_RECORD);
    const current = state.get("current");
    if (current instanceof Map) {
      kept.set("current", only(current, OF_THE_RECORD_CURRENT));
    }
    return kept;
  }

  /** Find the first field that both have and that differs: [path, expected, found], or null. */
  function firstDifference(claimed, recomputed, path) {
    if (claimed instanceof Map && recomputed instanceof Map) {
      const shared = [...claimed.keys()].filter((key) => recomputed.has(key));
      for (const key of shared.sort(pith.compareText)) {
        const below = pith.shorten(`${path}.${key}`);
        const fault = firstDifference(claimed.get(key), recomputed.get(key), below);
        if (fault !== null) {
          return fault;
        }
      }
      return null;
    }
    const [expected, found] = [recomputed, claimed].map(pith.canonicalJson);
    return expected === found ? null : [path, pith.shorten(expected), pith.shorten(found)];
  }
})((globalThis.PithMirror ??= {}));
