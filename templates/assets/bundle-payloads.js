// The payloads of event kinds: their shape, and the rules beyond it that V8 applies.
// The rules are in docs/formats/events.md; an unknown field is refused, since a signature would
// cover words that nobody here understands.
(function (pith) {
  "use strict";

  const RELATIONS = [
    "supports",
    "refutes",
    "extends",
    "uses_method",
    "depends_on",
    "replaces",
    "compares",
    "cites",
  ];
  const REPLICATION_KINDS = ["replication", "falsification", "formal_bridge"];
  const REPLICATION_OUTCOMES = ["confirmed", "partial", "refuted", "inconclusive"];
  const PUBLIC_KEY_LENGTH = 32; // bytes, RFC 8032 5.1.5

  const EVENT_ID = /^sha256:[0-9a-f]{64}$/;
  const ORCID = /^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$/;
  const FINGERPRINT = /^[0-9a-f]{32}$/;
  const WEB_ADDRESS = /^https?:\/\/[!-~]{1,2000}$/;
  const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
  // White space as docs/formats/verification.md lists it; `\s` of JavaScript is another set.
  const BLANK =
    /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

  function refuse(subject, expected, found) {
    throw new pith.FormatError(subject, expected, found);
  }

  function only(payload, ...known) {
    const unknown = [...payload.value.keys()].filter((key) => !known.includes(key));
    if (unknown.length > 0) {
      const first = unknown.sort(pith.compareText)[0];
      refuse(payload.path, `only ${known.join(", ")}`, pith.quote(first));
    }
  }

  function words(payload, key) {
    const text = payload.text(key);
    const length = pith.textLength(text);
    const limit = pith.LIMITS.eventTextMaxLength;
    if (length > limit || BLANK.test(text)) {
      refuse(payload.at(key), `1 to ${limit} characters`, `${length} characters`);
    }
    return text;
  }

  function optionalWords(payload, key) {
    return payload.value.has(key) ? words(payload, key) : "";
  }

  function oneOf(payload, key, allowed) {
    const text = payload.text(key);
    if (!allowed.includes(text)) {
      refuse(payload.at(key), `one of ${allowed.join(", ")}`, pith.quote(text));
    }
    return text;
  }

  function matching(payload, key, pattern, expected) {
    const text = payload.text(key);
    // `$` of JavaScript, without the flag m, matches at the very end only.
    if (!pattern.test(text)) {
      refuse(payload.at(key), expected, pith.quote(text));
    }
    return text;
  }

  const webAddress = (payload, key) => matching(payload, key, WEB_ADDRESS, "an http(s) URL");
  const name = (payload, key) =>
    matching(payload, key, NAME, "a name of lower-case letters, digits, `_`, `.`, `-`");
  const eventId = (payload, key) => matching(payload, key, EVENT_ID, "sha256:<64 hex digits>");
  const about = (payload) =>
    payload.text("about") === "record" ? "record" : eventId(payload, "about");
  const time = (payload, key) => pith.parseInstant(payload.required(key), payload.at(key));

  /** Read an ORCID iD and its check character (ISO 7064, MOD 11-2). */
  function orcid(payload) {
    const text = matching(payload, "orcid", ORCID, "an ORCID iD, 0000-0000-0000-000X");
    let total = 0;
    for (const digit of text.replaceAll("-", "").slice(0, -1)) {
      total = (total + Number(digit)) * 2;
    }
    const check = (12 - (total % 11)) % 11;
    if (text.at(-1) !== (check === 10 ? "X" : String(check))) {
      refuse(payload.at("orcid"), "an ORCID iD with its check digit", pith.quote(text));
    }
    return text;
  }

  function timestamp(payload) {
    only(payload, "proof_type", "proof_b64");
    payload.constant("proof_type", "opentimestamps");
    const text = payload.text("proof_b64");
    const characters = [...text];
    const padding = characters.slice(-2).filter((character) => character === "=").length;
    // The length of the decoded proof follows from its base64 spelling.
    const length = Math.floor(characters.length / 4) * 3 - padding;
    const limit = pith.LIMITS.timestampProofMaxLength;
    if (length > limit) {
      refuse(payload.at("proof_b64"), `at most ${limit} bytes`, `${length} bytes`);
    }
    return { proof: pith.parseBase64(text, payload.at("proof_b64"), length) };
  }

  function storedCopy(payload) {
    only(payload, "store", "url", "sha256", "stored_at");
    name(payload, "store");
    webAddress(payload, "url");
    pith.parseDigest(payload.required("sha256"), payload.at("sha256"));
    time(payload, "stored_at");
    return {};
  }

  function authorClaim(payload) {
    only(payload, "method", "strength", "author_name", "orcid", "public_key_fingerprint");
    const method = oneOf(payload, "method", ["orcid", "key"]);
    const other = method === "orcid" ? "public_key_fingerprint" : "orcid";
    if (payload.value.has(other)) {
      refuse(payload.at(other), "nothing beside this method", "a value");
    }
    const strength = oneOf(payload, "strength", ["weak", "strong"]);
    words(payload, "author_name");
    if (method === "orcid") {
      orcid(payload);
      return { method, strength, fingerprint: null };
    }
    const key = "public_key_fingerprint";
    return { method, strength, fingerprint: matching(payload, key, FINGERPRINT, "32 hex digits") };
  }

  function authorAttestation(payload) {
    only(payload, "author_name", "statement");
    words(payload, "author_name");
    words(payload, "statement");
    return {};
  }

  function citation(payload) {
    only(payload, "relation", "cited_pith_number", "note");
    oneOf(payload, "relation", RELATIONS);
    const key = "cited_pith_number";
    const cited = pith.parsePithNumber(payload.required(key), payload.at(key));
    optionalWords(payload, "note");
    return { citedSuffix: cited.suffix };
  }

  function replication(payload) {
    only(payload, "kind", "outcome", "url", "system", "note");
    oneOf(payload, "kind", REPLICATION_KINDS);
    oneOf(payload, "outcome", REPLICATION_OUTCOMES);
    webAddress(payload, "url");
    optionalWords(payload, "system");
    optionalWords(payload, "note");
    return {};
  }

  function challenge(payload) {
    only(payload, "about", "reason");
    about(payload);
    words(payload, "reason");
    return {};
  }

  function response(payload) {
    only(payload, "challenge", "text");
    eventId(payload, "challenge");
    words(payload, "text");
    return {};
  }

  function correction(payload) {
    only(payload, "about", "text");
    about(payload);
    words(payload, "text");
    return {};
  }

  function withdrawal(payload) {
    only(payload, "about", "reason");
    const target = about(payload);
    words(payload, "reason");
    return { about: target };
  }

  function keyRotation(payload) {
    only(payload, "key_id", "algorithm", "public_key_b64", "valid_from", "retires_at");
    payload.constant("algorithm", "ed25519");
    payload.token("key_id");
    const key = "public_key_b64";
    pith.parseBase64(payload.required(key), payload.at(key), PUBLIC_KEY_LENGTH);
    time(payload, "valid_from");
    if (payload.value.has("retires_at")) {
      time(payload, "retires_at");
    }
    return {};
  }

  function aliasAdded(payload) {
    only(payload, "alias_kind", "alias_value");
    name(payload, "alias_kind");
    payload.token("alias_value");
    return {};
  }

  function endorsement(payload) {
    only(payload, "endorses");
    return { endorses: eventId(payload, "endorses") };
  }

  const READERS = new Map([
    ["timestamp_anchored", timestamp],
    ["storage_attested", storedCopy],
    ["author_claim", authorClaim],
    ["author_attestation", authorAttestation],
    ["citation", citation],
    ["replication", replication],
    ["challenge", challenge],
    ["response", response],
    ["correction", correction],
    ["withdrawal", withdrawal],
    ["key_rotation", keyRotation],
    ["alias_added", aliasAdded],
    ["endorsement", endorsement],
  ]);

  /** Read a payload (a Map) of a kind; null for a kind without a reader; throws FormatError. */
  pith.parsePayload = function (kind, payload, path) {
    const read = READERS.get(kind);
    return read === undefined ? null : { kind, ...read(new pith.Fields(path, payload)) };
  };

  // ---- Rules beyond the shape, for an event whose signature has verified ----

  function fault(expected, found, reason = "wrong payload") {
    return { outcome: "failed", expected, found, note: "", reason };
  }

  function timestampFault(payload, bundle) {
    let digest;
    try {
      digest = pith.readProofDigest(payload.proof, "payload.proof_b64");
    } catch (error) {
      if (!(error instanceof pith.FormatError)) {
        throw error;
      }
      return { ...fault(error.expected, error.found), note: error.subject };
    }
    if (digest === bundle.record.digest) {
      return null;
    }
    return fault(`a proof of ${bundle.record.digest}`, `a proof of ${digest}`);
  }

  function claimFault(payload, key) {
    const own = payload.method === "key" && payload.fingerprint === key.fingerprint;
    // An author speaks for the key that signs and for no other; only the registry saw an ORCID iD.
    if (own || payload.strength === "weak" || [...key.roles].includes("registry")) {
      return null;
    }
    return fault(
      "a strong claim by the registry, or by the claimed key itself",
      `a strong claim by ${payload.method} signed by ${key.keyId}`
    );
  }

  function citationFault(payload, bundle) {
    // The suffix alone is the id; the year before it is for people.
    return payload.citedSuffix === bundle.record.pithNumber.suffix
      ? fault("a citation of another record", "one of the record itself")
      : null;
  }

  function withdrawalFault(payload, key) {
    const roles = [...key.roles];
    if (payload.about !== "record" || roles.includes("registry") || roles.includes("author")) {
      return null;
    }
    return fault(
      "a key with the role registry or author",
      `key ${key.keyId} with the role ${roles.join(", ")}`,
      "wrong role"
    );
  }

  /** Check a payload against the record and its signer's pinned key; a failure, or null. */
  pith.checkPayload = function (event, payload, bundle, key) {
    switch (payload === null ? "" : payload.kind) {
      case "timestamp_anchored":
        return timestampFault(payload, bundle);
      case "author_claim":
        return key ? claimFault(payload, key) : null;
      case "citation":
        return citationFault(payload, bundle);
      case "withdrawal":
        return key ? withdrawalFault(payload, key) : null;
      default:
        return null;
    }
  };
})((globalThis.PithMirror ??= {}));
