// The verification of a bundle, V1 to V10, as the numbered list of docs/formats/verification.md.
//
// V1 to V3 stop at the first failure, since nothing after them could be read; V4 to V7 all run and
// all must verify, or the record is not admitted and V8 to V10 are not run. Each row has the seven
// fields of a row of report.json. V11 needs the merged state and is made by other scripts.
(function (pith) {
  "use strict";

  const { VERIFIED, FAILED, NOT_CHECKABLE } = pith.OUTCOMES;
  const TYPE = "pith_open_graph_bundle";
  const VERSION = "1.0";
  const SOURCE_KIND = "arxiv";
  const REGISTRY = new Set(["registry"]);
  // The two forms arXiv has used: since April 2007 `YYMM.NNNN(N)`, before that `archive/YYMMNNN`.
  const ARXIV_ID = /^(?:[0-9]{4}\.[0-9]{4,5}|[a-z]+(?:-[a-z]+)*(?:\.[A-Z]{2})?\/[0-9]{7})$/;
  const SHORT_LENGTHS = [12, 16, 8]; // in the registry's order (part 4)
  const ADMISSION = ["V1", "V2", "V3", "V4", "V5", "V6", "V7"];
  const READING = [
    ["V1", "size and strict JSON"],
    ["V2", "bundle type and version"],
    ["V3", "schema"],
  ];

  /** The four verdicts of a build, and one for a browser that lacks what admission needs. */
  pith.VERDICTS = Object.freeze({
    VERIFIED: "verified",
    PARTLY: "partly checkable",
    DISPUTED: "checks failed",
    REJECTED: "not published",
    MISSING: "not checkable",
  });

  function check(step, name, subject, outcome, expected, found, note = "") {
    return { step, name, subject, outcome, expected, found, note };
  }

  function equal(step, name, subject, expected, found) {
    const outcome = expected === found ? VERIFIED : FAILED;
    return check(step, name, subject, outcome, expected, pith.shorten(found));
  }

  /** A row whose expected value needs a digest that this browser could not compute. */
  function uncomputed(step, name, subject, found) {
    const note = pith.MISSING.DIGEST;
    return check(step, name, subject, NOT_CHECKABLE, "a SHA-256", pith.shorten(found), note);
  }

  function failed(step, name, error) {
    return check(step, name, error.subject, FAILED, error.expected, error.found);
  }

  /** Run a reader; gives what it read, or the FormatError it threw. */
  function attempt(read) {
    try {
      return { value: read(), error: null };
    } catch (error) {
      if (error instanceof pith.FormatError) {
        return { value: null, error };
      }
      throw error;
    }
  }

  /** Draw the verdict from all checks of a bundle (record admission, protocol part 8). */
  pith.verdictOf = function (checks) {
    const admission = checks.filter(({ step }) => ADMISSION.includes(step));
    const steps = new Set(admission.map(({ step }) => step));
    // Every step must have run: an empty list is a rejection, never a pass.
    if (steps.size !== ADMISSION.length || admission.some((row) => row.outcome !== VERIFIED)) {
      return pith.VERDICTS.REJECTED;
    }
    const outcomes = new Set(checks.map(({ outcome }) => outcome));
    if (outcomes.has(FAILED)) {
      return pith.VERDICTS.DISPUTED;
    }
    return outcomes.has(NOT_CHECKABLE) ? pith.VERDICTS.PARTLY : pith.VERDICTS.VERIFIED;
  };

  /**
   * Check the bytes of one bundle under the trust of a page, V1 to V10; `origin` is its name.
   * `verified` is set only if V1 to V7 verified; nothing else may be merged or shown as proven.
   */
  pith.checkBundle = async function (bytes, trust, origin = "") {
    const keys = await pith.pinnedKeys(trust);
    const report = {
      origin,
      digest: await pith.sha256Hex(bytes),
      missing: await missingAbility(),
      pithNumber: null,
    };
    const reading = readBundle(bytes);
    if (reading.bundle === null) {
      return { ...report, ...conclusion(reading.checks) };
    }
    const bundle = await pith.addressed(reading.bundle);
    const creation = await bestCreation(bundle, keys);
    const rows = [
      ...reading.checks,
      addressCheck(bundle),
      ...identifierChecks(bundle),
      ...sourceChecks(bundle),
      ...creation.checks,
    ];
    const checks = rows.sort((a, b) => Number(a.step.slice(1)) - Number(b.step.slice(1)));
    report.pithNumber = bundle.record.pithNumber?.text ?? null;
    if (isRefused(checks)) {
      return { ...report, ...conclusion(checks) };
    }
    return { ...report, ...(await checkRest(bundle, keys, creation.event, checks)) };
  };

  /** Check V8 to V10 of a bundle that V1 to V7 do not refuse. */
  async function checkRest(bundle, keys, creation, admission) {
    const events = await pith.judgeEvents(bundle, keys, creation);
    const snapshots = await pith.checkSnapshots(bundle, events);
    const checks = [...admission, ...events.map((event) => event.check), ...snapshots];
    if (pith.verdictOf(admission) === pith.VERDICTS.REJECTED) {
      return { checks, verdict: pith.VERDICTS.MISSING, verified: null };
    }
    const pithNumber = bundle.record.pithNumber.text;
    const verified = { bundle, pithNumber, receipt: receiptOf(creation), events };
    return { ...conclusion(checks), verified };
  }

  function conclusion(checks) {
    return { checks, verdict: pith.verdictOf(checks), verified: null };
  }

  /** Name what this browser lacks: "digest", "ed25519", or null. */
  async function missingAbility() {
    const { digest, ed25519 } = await pith.abilities();
    if (!digest) {
      return "digest";
    }
    return ed25519 ? null : "ed25519";
  }

  /** Tell whether a row of V1 to V7 did not verify for another cause than this browser's lack. */
  function isRefused(checks) {
    const codes = Object.values(pith.MISSING);
    return checks.some(({ outcome, note }) => outcome !== VERIFIED && !codes.includes(note));
  }

  // ---- V1 to V3 ----

  function readBundle(bytes) {
    const json = attempt(() => parseJsonObject(bytes));
    if (json.error !== null) {
      return unreadable(bytes, 0, json.error);
    }
    const type = attempt(() => requireType(json.value));
    if (type.error !== null) {
      return unreadable(bytes, 1, type.error);
    }
    const bundle = attempt(() => pith.parseBundle(json.value));
    if (bundle.error !== null) {
      return unreadable(bytes, 2, bundle.error);
    }
    return { bundle: bundle.value, checks: readingChecks(bytes, READING.length) };
  }

  function unreadable(bytes, passed, error) {
    const last = failed(...READING[passed], error);
    return { bundle: null, checks: [...readingChecks(bytes, passed), last] };
  }

  function parseJsonObject(bytes) {
    const value = pith.parseJson(bytes, pith.LIMITS);
    if (value instanceof Map) {
      return value;
    }
    throw new pith.FormatError("bundle", "a JSON object", pith.jsonKind(value));
  }

  function requireType(value) {
    const fields = new pith.Fields("", value);
    fields.constant("bundle_type", TYPE);
    fields.constant("bundle_version", VERSION);
  }

  function readingChecks(bytes, count) {
    const kind = `${TYPE} ${VERSION}`;
    const spelled = "every field of its type and spelling";
    const words = [
      ["strict JSON within the bounds", `${bytes.length} bytes of strict JSON`],
      [kind, kind],
      [spelled, spelled],
    ];
    return READING.slice(0, count).map(([step, name], index) =>
      check(step, name, "bundle", VERIFIED, ...words[index])
    );
  }

  // ---- V4 to V6: what follows from the record ----

  function addressCheck({ record, canonicalDigest }) {
    const place = ["V4", "content address", "canonical_sha256"];
    return record.digest === null
      ? uncomputed(...place, canonicalDigest)
      : equal(...place, record.digest, canonicalDigest);
  }

  function identifierChecks({ record, pithNumber, shortPithNumber }) {
    // Split the claim as `pith:<YYYY>:<suffix>` and compare part by part, so that a row says which.
    const cut = pithNumber.lastIndexOf(":");
    const head = pithNumber.slice(0, Math.max(cut, 0));
    const suffix = pithNumber.slice(cut + 1);
    const suffixPlace = ["V5", "suffix", "pith_number"];
    const shortPlace = ["V5", "short form", "short_pith_number"];
    const expected = record.pithNumber;
    const year = `pith:${record.submittedAt.text.slice(0, 4)}`;
    return [
      expected === null
        ? uncomputed(...suffixPlace, suffix)
        : equal(...suffixPlace, expected.suffix, suffix),
      equal("V5", "year", "pith_number", year, head),
      expected === null
        ? uncomputed(...shortPlace, shortPithNumber)
        : equal(...shortPlace, expected.short, shortPithNumber),
    ];
  }

  function sourceChecks(bundle) {
    const { source } = bundle.record;
    const named = ({ kind, versionedId }) => `${kind} ${versionedId}`;
    const first = equal("V6", "source", "source", named(source), named(bundle.source));
    return [first, aliasRuleCheck(source) ?? aliasCheck(bundle)];
  }

  /** Say why the aliases have no known rule; null for an arXiv id, which has one. */
  function aliasRuleCheck(source) {
    if (source.kind !== SOURCE_KIND) {
      const expected = `source kind ${SOURCE_KIND}`;
      const note = "the alias rules of other sources are not known";
      return check("V6", "aliases", "source_aliases", NOT_CHECKABLE, expected, source.kind, note);
    }
    if (ARXIV_ID.test(source.id)) {
      return null;
    }
    const expected = "an arXiv id, YYMM.NNNNN or archive/YYMMNNN";
    const subject = "canonical_record.source.id";
    return check("V6", "arXiv id", subject, FAILED, expected, pith.quote(source.id));
  }

  function aliasCheck({ record, aliases }) {
    if (record.pithNumber === null) {
      return uncomputed("V6", "aliases", "source_aliases", aliasText(aliases[0]));
    }
    const expected = expectedAliases(record);
    const differs = (alias, index) =>
      alias.kind !== aliases[index]?.kind || alias.value !== aliases[index]?.value;
    const first = expected.findIndex(differs);
    const wrong = first < 0 && aliases.length > expected.length ? expected.length : first;
    if (wrong < 0) {
      const text = "the six aliases in the registry's order";
      return check("V6", "aliases", "source_aliases", VERIFIED, text, text);
    }
    const texts = [aliasText(expected[wrong]), aliasText(aliases[wrong])];
    return check("V6", "aliases", `source_aliases[${wrong}]`, FAILED, ...texts);
  }

  /** Compute the six aliases of an arXiv record (protocol part 4). */
  function expectedAliases({ source, pithNumber }) {
    const short = (length) => ({
      kind: `pith_short_${length}`,
      value: pithNumber.suffix.slice(0, length),
    });
    return [
      { kind: "arxiv", value: source.id },
      { kind: "arxiv_version", value: source.versionedId },
      { kind: "doi", value: `10.48550/arxiv.${source.id}` },
      ...SHORT_LENGTHS.map(short),
    ];
  }

  function aliasText(alias) {
    return alias === undefined ? "nothing" : `${alias.kind}: ${pith.shorten(alias.value)}`;
  }

  // ---- V4 and V7 on a `record_created` event: the record it carries, and the receipt over it ----

  /** Find the creation that proves the record: `event` (null if none does) and its rows. */
  async function bestCreation(bundle, keys) {
    const creations = bundle.events.filter(
      (event) => pith.eventTypeOf(event) === pith.RECORD_CREATED
    );
    if (creations.length === 0) {
      // No creation would let "all verify" pass on an empty list: absence is a failure of its own.
      const row = (step, name) =>
        check(step, name, "events", FAILED, "a record_created event", "none");
      return { event: null, checks: [row("V4", "record_created"), row("V7", "receipt signature")] };
    }
    const checked = [];
    for (const event of creations) {
      checked.push({ event, checks: await pith.checkCreation(event, bundle.record.digest, keys) });
      await pith.breathe();
    }
    const proven = checked.filter(({ checks }) => proves(checks));
    if (proven.length > 0) {
      return smallestReceipt(proven);
    }
    const open = checked.find(({ checks }) => !isRefused(checks)) ?? checked[0];
    return { event: null, checks: open.checks };
  }

  function proves(checks) {
    const steps = new Set(checks.map(({ step }) => step));
    return steps.has("V4") && steps.has("V7") && checks.every((row) => row.outcome === VERIFIED);
  }

  /** Choose a creation: the receipt's time is not signed, so the smallest spelling decides. */
  function smallestReceipt(proven) {
    const spelled = proven.map((item) => [pith.canonicalJson(receiptOf(item.event).json), item]);
    spelled.sort(([first], [second]) => pith.compareText(first, second));
    return spelled[0][1];
  }

  function receiptOf(event) {
    const payload = new pith.Fields("record_created", event).object("payload");
    return pith.parseReceipt(payload.required("receipt"), payload.at("receipt"));
  }

  /** Check that a creation carries the record of a digest (V4) and a receipt over it (V7). */
  pith.checkCreation = async function (event, digest, keys) {
    const name = "record_created payload";
    const read = attempt(() => new pith.Fields("record_created", event).object("payload"));
    if (read.error !== null) {
      return [failed("V4", name, read.error)];
    }
    const receipt = await receiptChecks(read.value, digest, keys);
    return [await payloadCheck(read.value, name, digest), ...receipt];
  };

  async function payloadCheck(payload, name, digest) {
    const key = "canonical_sha256";
    const read = attempt(() => ({
      record: payload.object("canonical_record").value,
      claimed: pith.parseDigest(payload.required(key), payload.at(key)),
    }));
    if (read.error !== null) {
      return failed("V4", name, read.error);
    }
    const place = ["V4", "content address in record_created", "record_created.payload"];
    const { record, claimed } = read.value;
    if (digest === null) {
      return uncomputed(...place, claimed);
    }
    const found = [await pith.canonicalDigest(record), claimed].find((one) => one !== digest);
    return equal(...place, digest, found ?? digest);
  }

  async function receiptChecks(payload, digest, keys) {
    const place = ["V7", "receipt signature", payload.at("receipt")];
    const read = attempt(() => pith.parseReceipt(payload.required("receipt"), place[2]));
    if (read.error !== null) {
      return [failed("V7", "receipt signature", read.error)];
    }
    const receipt = read.value;
    const key = keys.get(receipt.keyId);
    if (key === undefined) {
      const expected = "a signature by a trusted key";
      const note = "no key of this id is pinned in this mirror";
      return [check(...place, NOT_CHECKABLE, expected, `key id ${receipt.keyId}`, note)];
    }
    // An author's pinned key speaks for claims of that author; it cannot mint records.
    const fault = pith.rolesFault(key, REGISTRY);
    if (fault !== null) {
      return [check(...place, FAILED, ...fault)];
    }
    const signature = await signatureCheck(place, key, digest, receipt.signature);
    return [signature, timeCheck(payload.at("receipt.signed_at"), key, receipt.signedAt)];
  }

  async function signatureCheck(place, key, digest, signature) {
    const expected = `an Ed25519 signature of ${digest ?? "the record"} by ${key.keyId}`;
    const signed = await pith.hasSigned(key, digest, signature);
    if (signed === null) {
      const note = digest === null ? pith.MISSING.DIGEST : pith.MISSING.ED25519;
      return check(...place, NOT_CHECKABLE, expected, "a signature", note);
    }
    return signed
      ? check(...place, VERIFIED, expected, expected)
      : check(...place, FAILED, expected, "another signature");
  }

  function timeCheck(subject, key, moment) {
    const fault = pith.windowFault(key, moment);
    const inside = [`inside the window of key ${key.keyId}`, `signed at ${moment.text}`];
    // The receipt signs the digest alone (protocol part 2).
    const note = "signed_at is reported by the signer; the signature does not cover it";
    const outcome = fault === null ? VERIFIED : FAILED;
    return check("V7", "receipt time", subject, outcome, ...(fault ?? inside), note);
  }
})((globalThis.PithMirror ??= {}));
