// The steps that a record page shows after the button was pressed: what is computed, its value, and
// the outcome. A step gets its mark from checks that were made, and from nothing else.
(function (pith) {
  "use strict";

  const SHOWN_EVENTS = 40;

  const textOf = (id) => document.getElementById(id)?.textContent.trim() ?? "";
  const ofStep = (checks, ...steps) => checks.filter(({ step }) => steps.includes(step));
  const line = (label, value) => ({ label, value: pith.shorten(String(value ?? "")) });

  /** Compare a value computed here with what the page says, as a check like any other. */
  function compare(name, expected, found) {
    const outcome = expected === found ? "verified" : "failed";
    return { step: "", name, subject: "", outcome, expected, found, note: "" };
  }

  /** Get the bundle: fetched where there is a server, else as the page holds it, else null. */
  async function obtain(page) {
    if (/^https?:$/.test(location.protocol)) {
      return { how: "fetched", bytes: await download(page.bundle) };
    }
    const block = document.getElementById("self-check-bundle");
    const bytes = new TextEncoder().encode(block?.textContent ?? "");
    return block === null ? null : { how: "embedded", bytes };
  }

  async function download(path) {
    const response = await fetch(path);
    if (!response.ok) {
      throw new Error(`${path}: ${response.status}`);
    }
    return new Uint8Array(await response.arrayBuffer());
  }

  // ---- The steps; each is {title, subject, lines, checks} ----

  function readStep(source, report, { words }) {
    const lines = [line(words.source, words[source.how]), line(words.bytes, source.bytes.length)];
    // The page holds the bundle's meaning; only a downloaded file has the bundle's own digest.
    if (source.how === "fetched" && report.digest !== null) {
      lines.push(line("SHA-256", report.digest));
    }
    return { title: words.step_read, lines, checks: ofStep(report.checks, "V1", "V2", "V3") };
  }

  /** Spell the record that the page shows, which has line breaks, as canonical JSON. */
  function shownRecord() {
    const text = textOf("code-record");
    try {
      return pith.canonicalJson(readText(text));
    } catch (error) {
      if (error instanceof pith.FormatError) {
        return text;
      }
      throw error;
    }
  }

  const readText = (text) => pith.parseJson(new TextEncoder().encode(text));

  function canonicalStep(record, { words }) {
    const text = pith.canonicalJson(record);
    const length = new TextEncoder().encode(text).length;
    const checks = [compare(words.own_record, shownRecord(), text)];
    const lines = [line(words.bytes, length), { label: words.canonical, text }];
    return { title: words.step_canonical, lines, checks };
  }

  function digestStep(digest, rows, { words }) {
    if (digest === null) {
      return { title: words.step_digest, lines: [], checks: rows };
    }
    const own = compare(words.own_digest, textOf("code-hash"), digest);
    return { title: words.step_digest, lines: [line("SHA-256", digest)], checks: [...rows, own] };
  }

  function numberStep(number, rows, { words, pith_number: shown }) {
    if (number === null) {
      return { title: words.step_number, lines: [], checks: rows };
    }
    const checks = [...rows, compare(words.own_number, shown, number)];
    return { title: words.step_number, lines: [line(words.number, number)], checks };
  }

  async function keyStep(receipt, { words, trust }) {
    const keyId = receipt.get("key_id");
    const step = { title: words.step_key, lines: [line(words.key, keyId)], checks: [] };
    const key = trust.keys.find((known) => known.key_id === keyId);
    if (key === undefined || !(await pith.abilities()).digest) {
      return step;
    }
    const raw = Uint8Array.from(atob(key.public_key_b64), (character) => character.charCodeAt(0));
    const fingerprint = (await pith.sha256Hex(raw)).slice(0, 32);
    step.lines.push(line(words.public_key, key.public_key_b64));
    step.lines.push(line(words.fingerprint, fingerprint));
    step.checks.push(compare(words.own_fingerprint, key.fingerprint, fingerprint));
    return step;
  }

  function receiptStep(receipt, checks, { words }) {
    const lines = [line(words.signature, receipt.get("signature_b64"))];
    lines.push(line(words.signed_at, receipt.get("signed_at")));
    return { title: words.step_receipt, lines, checks };
  }

  function eventSteps(report, { words }) {
    const rows = ofStep(report.checks, "V8");
    const steps = rows.slice(0, SHOWN_EVENTS).map((row) => {
      return { title: words.step_event, subject: row.subject, lines: [], checks: [row] };
    });
    const rest = rows.slice(SHOWN_EVENTS);
    const title = pith.view.fill(words.step_more_events, { n: rest.length });
    return rest.length > 0 ? [...steps, { title, lines: [], checks: rest }] : steps;
  }

  async function stateStep(source, merged, { words, state_sha256: shown, state }) {
    const checks = [compare(words.own_state, shown, merged.digest)];
    // A compact mirror serves no state: the page's digest of it is all there is to compare.
    if (source.how === "fetched" && state !== null) {
      const served = new TextDecoder().decode(await download(state));
      const found = served === merged.text ? words.same_bytes : words.other_bytes;
      checks.push(compare(words.own_state_file, words.same_bytes, found));
    }
    return { title: words.step_state, lines: [line("state_sha256", merged.digest)], checks };
  }

  /** Give the steps of a bundle, in order. */
  async function* stepsOfBundle(source, page) {
    const { words } = page;
    const report = await pith.checkAll(source.bytes, page.trust, page.bundle);
    const rows = (...steps) => ofStep(report.checks, ...steps);
    yield readStep(source, report, page);
    if (rows("V1", "V2", "V3").some(({ outcome }) => outcome !== "verified")) {
      return;
    }
    const bundle = pith.parseJson(source.bytes);
    const record = bundle.get("canonical_record");
    yield canonicalStep(record, page);
    yield digestStep(await digestOf(record), rows("V4"), page);
    yield numberStep(report.pithNumber, rows("V5", "V6"), page);
    const receipt = receiptOf(bundle);
    yield await keyStep(receipt, page);
    yield receiptStep(receipt, rows("V7"), page);
    yield* eventSteps(report, page);
    yield { title: words.step_snapshot, lines: [], checks: rows("V9", "V10") };
    if (report.merged !== null) {
      yield await stateStep(source, report.merged, page);
    }
    yield { title: words.step_claimed, lines: [], checks: rows("V11") };
  }

  async function digestOf(record) {
    const able = (await pith.abilities()).digest;
    return able ? pith.sha256Hex(pith.canonicalJson(record)) : null;
  }

  /** Find the receipt of the first creation, to show it; an empty Map if there is none. */
  function receiptOf(bundle) {
    const creation = bundle
      .get("events")
      .find((event) => event instanceof Map && event.get("event_type") === "record_created");
    const inside = (value, key) => (value instanceof Map ? value.get(key) : undefined);
    const receipt = inside(inside(creation, "payload"), "receipt");
    return receipt instanceof Map ? receipt : new Map();
  }

  /** Give the steps of a page without its bundle: for the record and the receipt that it shows. */
  async function* stepsOfPage(page) {
    const record = readText(textOf("code-record"));
    yield canonicalStep(record, page);
    const digest = await digestOf(record);
    yield digestStep(digest, [], page);
    if (digest !== null) {
      const year = record.get("metadata").get("submitted_at").slice(0, 4);
      yield numberStep(`pith:${year}:${pith.deriveSuffix(digest)}`, [], page);
    }
    const receipt = readText(JSON.stringify(page.receipt));
    yield await keyStep(receipt, page);
    const payload = new Map([
      ["canonical_record", record],
      ["canonical_sha256", digest],
      ["receipt", receipt],
    ]);
    const keys = await pith.pinnedKeys(page.trust);
    const rows = await pith.checkCreation(new Map([["payload", payload]]), digest, keys);
    yield receiptStep(receipt, ofStep(rows, "V7"), page);
  }

  // ---- Showing ----

  function shownLine({ label, value, text }) {
    const { make, valueOf } = pith.view;
    if (text === undefined) {
      return make("p", {}, make("b", {}, label), " ", valueOf(value));
    }
    const attributes = { role: "group", "aria-label": label, tabindex: "0" };
    return make("pre", attributes, make("code", {}, text));
  }

  function shownCheck(check, words) {
    const { make, outcomeMark, findings } = pith.view;
    const name = make("span", check.step === "" ? {} : { lang: "en" }, check.name);
    const mark = outcomeMark(check.outcome, words);
    const head = make("p", {}, `${check.step} `.trimStart(), name, " ", mark);
    return make("div", { class: "finding" }, head, ...findings(check, words));
  }

  /** Show a step: title, mark, values; what did not verify with what was expected and found. */
  function showStep(step, list, words) {
    const { make, outcomeMark, findings, weakest } = pith.view;
    const outcome = weakest(step.checks.map((check) => check.outcome));
    const head = make("p", {}, make("strong", {}, step.title));
    if (step.subject) {
      head.append(" ", make("bdi", { class: "subject", lang: "en" }, step.subject));
    }
    if (outcome !== null) {
      head.append(" ", outcomeMark(outcome, words));
    }
    const odd = step.checks.filter((check) => check.outcome !== "verified");
    // An event has one check; it says by whom the event was signed, also where it verified.
    const told = step.subject
      ? step.checks.flatMap((check) => findings(check, words))
      : odd.map((check) => shownCheck(check, words));
    list.append(make("li", {}, head, ...step.lines.map(shownLine), ...told));
  }

  // What comes after the record: events, snapshots, a claimed state. Their failure is not its own.
  const AROUND = ["V8", "V9", "V10", "V11"];

  /** Say in one sentence what came of it. */
  function conclude(checks, words, { whole }) {
    const { fill } = pith.view;
    const ended = (word) => checks.filter((check) => check.outcome === word);
    const [failed, open] = [ended("failed"), ended("not checkable")];
    if (failed.length > 0) {
      const own = failed.some(({ step }) => !AROUND.includes(step));
      return fill(own ? words.end_refused : words.end_failed, { n: failed.length });
    }
    if (open.length > 0) {
      return fill(words.end_partly, { n: open.length });
    }
    return fill(whole ? words.end_verified : words.end_record, { n: checks.length });
  }

  /** Check the record of a page and show each step as it is made. */
  pith.checkRecord = async function (page, { list, end }) {
    const { words } = page;
    const source = await obtain(page);
    const steps = source === null ? stepsOfPage(page) : stepsOfBundle(source, page);
    const checks = [];
    for await (const step of steps) {
      if (step.checks.length > 0 || step.lines.length > 0) {
        checks.push(...step.checks);
        showStep(step, list, words);
        await pith.view.drawn();
      }
    }
    const able = await pith.abilities();
    const sentences = [conclude(checks, words, { whole: source !== null })];
    sentences.push(able.digest ? "" : words.no_digest);
    sentences.push(able.digest && !able.ed25519 ? words.no_ed25519 : "");
    sentences.push(source === null ? words.no_bundle : "");
    end.textContent = sentences.filter((sentence) => sentence !== "").join(" ");
  };
})((globalThis.PithMirror ??= {}));
