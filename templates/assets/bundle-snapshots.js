// V9 and V10: the digests inside a snapshot, and what of it is bound to the signed record.
(function (pith) {
  "use strict";

  const { VERIFIED, FAILED, NOT_CHECKABLE } = pith.OUTCOMES;
  // The registry cuts `abstract_excerpt` here; a text of this length or more proves nothing by a
  // mismatch (protocol part 6).
  const EXCERPT_LENGTH = 600; // characters
  const EXCERPT_SHOWN = 60; // characters

  /** Check every snapshot whose event did not fail: V9 of all, then V10 of all. */
  pith.checkSnapshots = async function (bundle, events) {
    const kept = events
      .map((judged, index) => ({ ...judged, path: `events[${index}] graph_snapshot` }))
      .filter(({ snapshot, outcome }) => snapshot !== null && outcome !== FAILED);
    const digests = [];
    const bindings = [];
    for (const { snapshot, path } of kept) {
      digests.push(...(await sectionChecks(snapshot, path)));
      bindings.push(...(await bindingChecks(bundle.record, snapshot.paper, `${path}.paper`)));
      await pith.breathe();
    }
    return [...digests, ...bindings];
  };

  // ---- V9 ----

  function sectionChecks(snapshot, path) {
    const check = (section) => sectionCheck(section, `${path}.${section.name}`);
    return Promise.all(snapshot.sections.map(check));
  }

  async function sectionCheck(section, subject) {
    const row = (outcome, expected, found, note = "") => ({
      step: "V9",
      name: "snapshot digest",
      subject,
      outcome,
      expected,
      found,
      note,
    });
    const { count, listed, claimed } = section;
    if (listed > count) {
      return row(FAILED, `a count of ${listed}, as listed`, String(count));
    }
    if (listed < count) {
      const expected = "the list the digest is taken over";
      return row(NOT_CHECKABLE, expected, "only its length", claimed);
    }
    const computed = await pith.canonicalDigest(new Map([["payload", section.preimage]]));
    if (computed === null) {
      return row(NOT_CHECKABLE, "a SHA-256", claimed, pith.MISSING.DIGEST);
    }
    if (computed === claimed) {
      return row(VERIFIED, computed, claimed);
    }
    // The rule is known for the empty list and for integrity. Another digest of a list that is not
    // empty may as well be taken over something we are not shown.
    return count > 0
      ? row(NOT_CHECKABLE, computed, claimed, "what is digested of such a list is not published")
      : row(FAILED, computed, claimed);
  }

  // ---- V10 ----

  const textDigest = (text) => pith.sha256Hex(pith.canonicalText(text));

  function bindingRow(name, subject, outcome, expected, found, note = "") {
    return { step: "V10", name, subject, outcome, expected, found, note };
  }

  async function bindingChecks(record, paper, path) {
    const checks = [await titleCheck(record, paper.title, `${path}.title`)];
    if (paper.abstract !== null) {
      checks.push(await abstractCheck(record, paper.abstract, `${path}.abstract`, true));
    }
    if (paper.abstractExcerpt) {
      checks.push(await excerptCheck(record, paper, `${path}.abstract_excerpt`));
    }
    return checks;
  }

  async function titleCheck(record, title, subject) {
    const name = "title binding";
    const expected = `title_canon_sha256 ${record.titleDigest}`;
    const computed = await textDigest(title);
    if (computed === null) {
      return uncomputed(name, subject, expected);
    }
    const outcome = computed === record.titleDigest ? VERIFIED : FAILED;
    return bindingRow(name, subject, outcome, expected, computed);
  }

  function uncomputed(name, subject, expected) {
    return bindingRow(name, subject, NOT_CHECKABLE, expected, "a text", pith.MISSING.DIGEST);
  }

  /** Check an excerpt: beside a bound abstract it must be its beginning, whatever its length. */
  async function excerptCheck(record, paper, subject) {
    const excerpt = paper.abstractExcerpt;
    const bound =
      paper.abstract !== null && (await textDigest(paper.abstract)) === record.abstractDigest;
    if (!bound) {
      const whole = pith.textLength(excerpt) < EXCERPT_LENGTH;
      return abstractCheck(record, excerpt, subject, whole);
    }
    const expected = "the beginning of the bound abstract";
    const begins = pith.canonicalText(paper.abstract).startsWith(pith.canonicalText(excerpt));
    const found = begins ? expected : pith.shorten(excerpt, EXCERPT_SHOWN);
    return bindingRow("abstract binding", subject, begins ? VERIFIED : FAILED, expected, found);
  }

  /** Check a text against the signed digest; a part (not `whole`) fails nothing by a mismatch. */
  async function abstractCheck(record, text, subject, whole) {
    const name = "abstract binding";
    const expected = `abstract_canon_sha256 ${record.abstractDigest}`;
    const computed = await textDigest(text);
    if (computed === null) {
      return uncomputed(name, subject, expected);
    }
    if (computed === record.abstractDigest || whole) {
      const outcome = computed === record.abstractDigest ? VERIFIED : FAILED;
      return bindingRow(name, subject, outcome, expected, computed);
    }
    const found = `the first ${pith.textLength(text)} characters`;
    const note = "an excerpt proves nothing of the whole";
    return bindingRow(name, subject, NOT_CHECKABLE, expected, found, note);
  }
})((globalThis.PithMirror ??= {}));
