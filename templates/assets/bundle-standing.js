// What each event counts for, as a function of the set of events alone: docs/formats/state.md,
// Standings. No rule looks at the order of arrival.
(function (pith) {
  "use strict";

  const COUNTS = "counts";
  const SUPERSEDED = "superseded";
  const RESCINDED = "rescinded";
  const WITHDRAWN = "withdrawn";
  const CONTRADICTED = "contradicted";
  const WAITING = "waiting for signers";
  const CARRIED = "carried";
  const SET_ASIDE = "set aside";

  /** In these standings an event stands in the lists under `current`; in the others it does not. */
  pith.IN_STATE = new Set([COUNTS, SUPERSEDED, RESCINDED, WITHDRAWN, CONTRADICTED]);

  const isA = (event, kind) => event.payload !== null && event.payload.kind === kind;
  const momentKey = (instant) => `${instant.seconds}.${instant.nanoseconds}`;

  /** Find events that contradict each other: one row each, in the order of its first event. */
  pith.findEquivocations = function (events) {
    const groups = new Map();
    for (const { signed, event, identity } of events) {
      // Only a signed envelope can contradict another: else anyone could make a signer look false.
      if (!signed || event === null || event.createdAt === null || event.signer === null) {
        continue;
      }
      const place = [event.signer.signerId, event.eventType, event.target];
      // These are tokens of printable ASCII, so a line feed keeps them apart.
      const key = [...place, momentKey(event.createdAt)].join("\n");
      const [signerId, eventType, target] = place;
      const created = { signerId, eventType, target, createdAt: event.createdAt, identities: [] };
      const group = groups.get(key) ?? created;
      group.identities.push(identity);
      groups.set(key, group);
    }
    const found = [...groups.values()].filter((group) => group.identities.length > 1);
    found.forEach((group) => group.identities.sort(pith.compareText));
    return found;
  };

  /** Decide what each event counts for: a Map from identity to standing; in merge order. */
  pith.findStandings = function (events, equivocations, policy) {
    const contradicted = new Set(equivocations.flatMap((group) => group.identities));
    const standings = new Map();
    for (const event of events) {
      const standing = contradicted.has(event.identity) ? CONTRADICTED : admission(event, policy);
      standings.set(event.identity, standing);
    }
    // Each rule takes away from what still counts, so that no rule acts through a void event.
    wait(events, standings, policy, true);
    withdraw(events, standings);
    wait(events, standings, policy, false);
    rescind(events, standings);
    supersede(events, standings);
    return standings;
  };

  function admission(event, policy) {
    if (event.outcome === "failed") {
      return SET_ASIDE;
    }
    const carried = event.outcome === "not checkable" && policy.uncheckable_events !== "accept";
    return carried ? CARRIED : COUNTS;
  }

  function counting(events, standings) {
    return events.filter((event) => standings.get(event.identity) === COUNTS);
  }

  /** Let events below the threshold of their kind wait: a signer and all endorsers count once. */
  function wait(events, standings, policy, withdrawals) {
    const signers = new Map();
    for (const event of counting(events, standings)) {
      if (event.signer !== null && event.signed) {
        const about = isA(event, "endorsement") ? event.payload.endorses : event.identity;
        signers.set(about, (signers.get(about) ?? new Set()).add(event.signer.signerId));
      }
    }
    const thresholds = new Map(Object.entries(policy.thresholds));
    for (const event of counting(events, standings)) {
      const behind = signers.get(event.identity)?.size ?? 0;
      const enough = behind >= (thresholds.get(event.eventType) ?? 0);
      if (isA(event, "withdrawal") === withdrawals && !enough) {
        standings.set(event.identity, WAITING);
      }
    }
  }

  /** Let a signer take back own events; a withdrawal itself cannot be taken back. */
  function withdraw(events, standings) {
    const byIdentity = new Map(events.map((event) => [event.identity, event]));
    for (const event of counting(events, standings)) {
      if (!isA(event, "withdrawal") || event.signer === null || !event.signed) {
        continue;
      }
      const target = byIdentity.get(event.payload.about);
      if (target !== undefined && mayWithdraw(event, target, standings)) {
        standings.set(target.identity, WITHDRAWN);
      }
    }
  }

  function mayWithdraw(event, target, standings) {
    return (
      !isA(target, "withdrawal") &&
      target.signer !== null &&
      target.signed &&
      target.signer.signerId === event.signer.signerId &&
      pith.IN_STATE.has(standings.get(target.identity))
    );
  }

  /** What a finding is about: detector, kind of finding, paper version and reference. */
  function placeOf(finding) {
    const where = [finding.payload.get("paper_version"), finding.payload.get("ref_index")];
    return [finding.detector, finding.findingType, pith.canonicalJson(where)].join("\n");
  }

  /** Let a detector take back its finding about one place: the newest word of it counts. */
  function rescind(events, standings) {
    const newest = new Map();
    const findings = counting(events, standings).filter((event) => event.integrity !== null);
    for (const { outcome, integrity } of findings) {
      // Only a verified word: else, where unchecked events count, anyone could take one back.
      if (outcome === "verified" && integrity.verdictClass === "rescinded") {
        const place = placeOf(integrity);
        const earlier = newest.get(place);
        if (earlier === undefined || pith.compareInstants(earlier, integrity.auditedAt) < 0) {
          newest.set(place, integrity.auditedAt);
        }
      }
    }
    for (const { identity, integrity } of findings) {
      const taken = newest.get(placeOf(integrity));
      if (taken === undefined || integrity.verdictClass === "rescinded") {
        continue;
      }
      if (pith.compareInstants(integrity.auditedAt, taken) <= 0) {
        standings.set(identity, RESCINDED);
      }
    }
  }

  /** Let the newest snapshot of a target count: in merge order it is the last. */
  function supersede(events, standings) {
    const last = new Map();
    for (const { eventType, event, identity } of counting(events, standings)) {
      if (eventType !== "graph_snapshot" || event === null) {
        continue;
      }
      if (last.has(event.target)) {
        standings.set(last.get(event.target), SUPERSEDED);
      }
      last.set(event.target, identity);
    }
  }
})((globalThis.PithMirror ??= {}));
