// V8: each event of an admitted record gets its own outcome (protocol parts 7 and 8).
// A failed event never takes the record with it: whoever could damage one event must not be able to
// hide the rest. The rules are in docs/formats/verification.md; the first that speaks decides.
(function (pith) {
  "use strict";

  const STEP = "V8";
  const PROFILE = "mirror/1";
  const RECORD_TARGET = "record";
  const AT_ONCE = 64; // events judged between two turns of the page
  const UNKNOWN_RULE = "how this signer derives event_id is not published; carried, not checked";

  const { VERIFIED, FAILED, NOT_CHECKABLE } = pith.OUTCOMES;

  const finding = (outcome, expected, found, note = "", reason = null) => ({
    outcome,
    expected,
    found,
    note,
    reason,
  });
  const failure = (reason, expected, found, note = "") =>
    finding(FAILED, expected, found, note, reason);

  const noDigest = (expected, found) =>
    finding(NOT_CHECKABLE, expected, found, pith.MISSING.DIGEST);

  /**
   * Judge every event of a bundle, in received order.
   * `creation` is the `record_created` event that V4 and V7 proved, or null if this browser could
   * not check it: then none is proven.
   */
  pith.judgeEvents = async function (bundle, keys, creation) {
    const facts = { bundle, keys, creation };
    const judged = [];
    for (let first = 0; first < bundle.events.length; first += AT_ONCE) {
      const some = bundle.events.slice(first, first + AT_ONCE);
      judged.push(...(await Promise.all(some.map((value, at) => judge(value, first + at, facts)))));
      await pith.breathe();
    }
    return judged;
  };

  async function judge(value, index, facts) {
    const path = `events[${index}]`;
    const kind = pith.eventTypeOf(value);
    try {
      return kind === pith.INTEGRITY
        ? await judgeIntegrity(value, path, facts)
        : await judgeEnvelope(value, path, facts);
    } catch (error) {
      if (!(error instanceof pith.FormatError)) {
        throw error;
      }
      return malformed(value, `${path} ${kind}`.trim(), placeInside(error.subject, path), error);
    }
  }

  /** Name a field inside an event: which place the event has in the bundle is not part of it. */
  function placeInside(subject, path) {
    const inside = subject.startsWith(path) ? subject.slice(path.length) : subject;
    return inside.replace(/^\./, "") || "the event";
  }

  async function malformed(value, subject, place, error) {
    const result = failure("malformed", error.expected, error.found, `malformed: ${place}`);
    const identity = await contentIdentity(value);
    return judgedEvent(value, pith.eventTypeOf(value), identity, subject, result);
  }

  /** Make a judged event: an item with its row, and what of it could be read (else null). */
  function judgedEvent(json, eventType, identity, subject, result, known = {}) {
    const { outcome, expected, found, note, reason } = result;
    return {
      json,
      eventType,
      identity,
      check: { step: STEP, name: "event", subject, outcome, expected, found, note },
      outcome,
      reason,
      signed: false,
      createdAt: null,
      signer: null,
      event: null,
      integrity: null,
      snapshot: null,
      payload: null,
      ...known,
    };
  }

  /** Identify an unproven event by all of its bytes, so that none can displace a verified one. */
  async function contentIdentity(value) {
    return `content:${await pith.canonicalDigest(value)}`;
  }

  // ---- Signed envelopes (part 8) ----

  async function judgeEnvelope(value, path, facts) {
    const event = pith.parseEvent(value, path);
    const snapshot =
      event.eventType === pith.GRAPH_SNAPSHOT ? pith.parseSnapshot(event, path) : null;
    const payload = pith.parsePayload(event.eventType, event.payload, `${path}.payload`);
    let result = subjectFailure(event, facts.bundle) ?? (await envelopeFinding(event, facts));
    if (result.outcome === VERIFIED) {
      // Only now: some payloads cost work, and unsigned ones are free to make.
      const key = facts.keys.get(event.signer?.keyId);
      result = pith.checkPayload(event, payload, facts.bundle, key) ?? result;
    }
    const verified = result.outcome === VERIFIED;
    const signed = verified && event.eventId !== null && event.signature !== null;
    const identity = verified ? provenIdentity(event, signed, facts) : await contentIdentity(value);
    const subject = `${path} ${event.eventType}`;
    return judgedEvent(value, event.eventType, identity, subject, result, {
      signed,
      createdAt: event.createdAt,
      signer: event.signer,
      event,
      snapshot,
      payload,
    });
  }

  /** Identify a verified event by what its signature covers: the envelope, or the record. */
  function provenIdentity(event, signed, facts) {
    return signed ? event.eventId : `receipt:${facts.bundle.record.digest}`;
  }

  function subjectFailure(event, bundle) {
    // A replay: a genuine event of another record says nothing about this one.
    if (event.subject === bundle.pithNumber) {
      return null;
    }
    const expected = `subject_pith_number ${bundle.pithNumber}`;
    return failure("another record", expected, event.subject, "an event of another record");
  }

  async function envelopeFinding(event, facts) {
    const result = await signatureFinding(event, facts.keys);
    if (event.eventType !== pith.RECORD_CREATED || result.outcome === FAILED) {
      return result;
    }
    if (event.target !== RECORD_TARGET) {
      // The receipt does not cover the target: another one is garbage around a genuine record.
      return failure("wrong target", `target ${RECORD_TARGET}`, event.target);
    }
    const fault = event.json === facts.creation ? null : await creationFault(event, facts);
    if (fault !== null) {
      return fault;
    }
    return result.outcome === VERIFIED ? result : provenByReceipt(event, result);
  }

  /** Say why a creation beside the proven one does not prove itself in the same way, or null. */
  async function creationFault(event, { bundle, keys }) {
    const checks = await pith.checkCreation(event.json, bundle.record.digest, keys);
    const fault = checks.find((check) => check.outcome !== VERIFIED);
    if (fault === undefined) {
      return null;
    }
    const { outcome, expected, found, name } = fault;
    if (Object.values(pith.MISSING).includes(fault.note)) {
      return finding(outcome, expected, found, fault.note);
    }
    const failed = fault.step === "V4" ? "wrong record" : "wrong receipt";
    return finding(outcome, expected, found, name, outcome === FAILED ? failed : "unknown key");
  }

  function provenByReceipt(event, result) {
    if (event.signature !== null) {
      // The receipt covers the record, not this envelope.
      const notes = [result.note, "the record itself is proven by its receipt"];
      return { ...result, note: notes.filter((note) => note !== "").join("; ") };
    }
    const text = "a receipt that verifies (V7)";
    return finding(VERIFIED, text, text, "through its receipt");
  }

  async function signatureFinding(event, keys) {
    const missing = missingParts(event);
    if (missing.length > 0) {
      const found = missing.map((name) => `no ${name}`).join(", ");
      return finding(NOT_CHECKABLE, "a signed envelope", found, "", "unsigned");
    }
    const key = keys.get(event.signer.keyId);
    if (key === undefined) {
      return unknownKey(event.signer.keyId);
    }
    return (
      roleFailure(event.eventType, key) ??
      signerFailure(event.signer, key) ??
      (await derivationFinding(event, key)) ??
      windowFinding(event, key)
    );
  }

  function missingParts({ eventId, signer, signature }) {
    const parts = [
      ["event_id", eventId],
      ["signer", signer],
      ["signature_b64", signature],
    ];
    return parts.filter(([, part]) => part === null).map(([name]) => name);
  }

  function unknownKey(keyId) {
    const note = "no key of this id is pinned in this mirror";
    const expected = "a signature by a trusted key";
    return finding(NOT_CHECKABLE, expected, `key id ${keyId}`, note, "unknown key");
  }

  function roleFailure(eventType, key) {
    // A key pinned for an author or an operator does not speak for the registry, nor the other way.
    const kind = pith.KINDS.get(eventType);
    const fault = kind === undefined ? null : pith.rolesFault(key, kind.roles);
    return fault === null ? null : failure("wrong role", ...fault);
  }

  function signerFailure(signer, key) {
    if (signer.fingerprint !== key.fingerprint) {
      const expected = `fingerprint ${key.fingerprint} (key ${key.keyId})`;
      return failure("wrong signer", expected, signer.fingerprint);
    }
    if (signer.signerId !== key.signerId) {
      const expected = `signer ${key.signerId} (key ${key.keyId})`;
      return failure("wrong signer", expected, signer.signerId);
    }
    return null;
  }

  /** Check event id and signature by profile mirror/1; null if both are right. */
  async function derivationFinding(event, key) {
    const digest = await envelopeDigest(event.json);
    if (digest === null) {
      return noDigest(`event_id by profile ${PROFILE}`, event.eventId);
    }
    if (event.eventId !== `sha256:${digest}`) {
      return wrongEventId(event, key, `event_id sha256:${digest} (profile ${PROFILE})`);
    }
    return signatureFault(key, digest, event.signature);
  }

  /** Digest an event without `event_id` and `signature_b64` (profile mirror/1). */
  function envelopeDigest(json) {
    const signed = [...json].filter(([key]) => key !== "event_id" && key !== "signature_b64");
    return pith.canonicalDigest(new Map(signed));
  }

  function wrongEventId(event, key, expected) {
    return key.eventProfile === PROFILE
      ? failure("wrong event id", expected, event.eventId)
      : finding(NOT_CHECKABLE, expected, event.eventId, UNKNOWN_RULE, "unknown rule");
  }

  /** Check an Ed25519 signature of a digest by a pinned key; null if it is one. */
  async function signatureFault(key, digest, signature) {
    const expected = `an Ed25519 signature of ${digest} by ${key.keyId}`;
    const signed = await pith.hasSigned(key, digest, signature);
    if (signed === null) {
      return finding(NOT_CHECKABLE, expected, "a signature", pith.MISSING.ED25519);
    }
    return signed ? null : failure("wrong signature", expected, "another signature");
  }

  function windowFinding(event, key) {
    if (event.createdAt === null) {
      return failure("outside window", "created_at in a signed envelope", "nothing");
    }
    const fault = pith.windowFault(key, event.createdAt);
    return fault === null
      ? finding(VERIFIED, `signed by ${key.keyId}`, event.eventId, `profile ${PROFILE}`)
      : failure("outside window", ...fault);
  }

  // ---- Integrity events, by the registry's own rule (part 7) ----

  async function judgeIntegrity(value, path, { bundle, keys }) {
    const integrity = pith.parseIntegrityEvent(value, path);
    const result =
      (await integrityContentFinding(integrity, bundle)) ??
      (await integritySignatureFinding(integrity, keys));
    // The signature covers the payload alone: two envelopes of one payload are one event.
    const identity =
      result.outcome === VERIFIED
        ? `sha256:${integrity.payloadDigest}`
        : await contentIdentity(value);
    const known = { createdAt: integrity.auditedAt, integrity };
    return judgedEvent(value, pith.INTEGRITY, identity, `${path} ${pith.INTEGRITY}`, result, known);
  }

  async function integrityContentFinding(event, bundle) {
    const fault =
      (await digestFault("evidence_hash", evidencePreimage(event), event.evidenceDigest)) ??
      (await digestFault("payload_sha256", event.payload, event.payloadDigest));
    if (fault !== null) {
      return fault;
    }
    // The payload's arXiv id alone binds the subject; another one is a replay.
    const { id } = bundle.record.source;
    return event.arxivId === id
      ? null
      : failure("another record", `arxiv_id ${id}`, event.arxivId, "a replay");
  }

  function evidencePreimage(event) {
    return new Map([
      ["d", event.detector],
      ["e", event.payload.get("evidence")],
    ]);
  }

  async function digestFault(name, preimage, claimed) {
    const computed = await pith.canonicalDigest(preimage);
    if (computed === null) {
      return noDigest(name, claimed);
    }
    return computed === claimed ? null : failure("wrong digest", `${name} ${computed}`, claimed);
  }

  async function integritySignatureFinding(event, keys) {
    const key = keys.get(event.keyId);
    if (key === undefined) {
      return unknownKey(event.keyId);
    }
    return (
      roleFailure(pith.INTEGRITY, key) ??
      (await signatureFault(key, event.payloadDigest, event.signature)) ??
      integrityWindowFinding(event, key)
    );
  }

  function integrityWindowFinding(event, key) {
    // `created_at` of the envelope is not signed; `audited_at` is.
    const fault = pith.windowFault(key, event.auditedAt);
    if (fault !== null) {
      return failure("outside window", ...fault);
    }
    const found = `payload_sha256 ${event.payloadDigest}`;
    return finding(VERIFIED, `signed by ${key.keyId}`, found, "the registry's own rule");
  }
})((globalThis.PithMirror ??= {}));
