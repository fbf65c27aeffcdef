// What the record page and /verify/ share: making elements, and showing outcomes and checks. All
// words of the interface come from the page; texts of checks are those of report.json, in English.
(function (pith) {
  "use strict";

  // The same signs as in templates/_macros.html: a check mark stands for "verified" alone.
  const SYMBOLS = new Map([
    ["verified", "✓"],
    ["failed", "✗"],
    ["not checkable", "○"],
    ["partly checkable", "◐"],
    ["checks failed", "▲"],
    ["not published", "✗"],
  ]);
  const SHOWN_CHECKS = 200; // rows of a table

  /** Make an element: `make("p", {class: "note"}, "text", node, …)`. Text is never read as HTML. */
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  /** Put values in place of {names} in a text of the interface. */
  function fill(text, values) {
    return text.replace(/\{([a-z_]+)\}/g, (name, key) => String(values[key] ?? name));
  }

  /** Show a value: one long word in code, to be compared letter by letter. */
  function valueOf(text, attributes = {}) {
    const sentence = text.includes(" ") || text.length < 8;
    return make("bdi", attributes, sentence ? text : make("code", {}, text));
  }

  /** Show an outcome or a verdict: its symbol and its word in the page's language. */
  function outcomeMark(outcome, words) {
    const symbol = make("span", { "aria-hidden": "true" }, SYMBOLS.get(outcome));
    const name = outcome.replaceAll(" ", "-");
    return make("span", { class: `outcome ${name}` }, symbol, ` ${words.outcomes[outcome]}`);
  }

  /** Say a check's note in the page's language where it is a code. */
  function noteOf(check, words) {
    return words.notes[check.note] ?? check.note;
  }

  /** Show what a check expected and found. */
  function findings(check, words) {
    const label = (text) => make("b", {}, text);
    const note = noteOf(check, words);
    // A check without a step is of this page and speaks its language; others speak report.json's.
    const english = check.step === "" ? {} : { lang: "en" };
    const own = note === check.note ? english : {};
    const lines =
      check.expected === check.found
        ? [[words.expected_and_found, check.found]]
        : [
            [words.expected, check.expected],
            [words.found, check.found],
          ];
    return [
      ...lines.map(([name, text]) => make("p", {}, label(name), " ", valueOf(text, english))),
      note === "" ? null : make("p", { class: "note" }, make("bdi", own, note)),
    ].filter((line) => line !== null);
  }

  function checkRow(check, words) {
    const subject = make("bdi", { class: "subject" }, check.subject);
    const mark = outcomeMark(check.outcome, words);
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, check.step),
      make("td", { lang: "en" }, `${check.name} `, subject),
      make("td", {}, mark),
      make("td", {}, ...findings(check, words))
    );
  }

  /** Order checks for a table that may be cut: those that did not verify first, else as made. */
  function mostTelling(checks) {
    if (checks.length <= SHOWN_CHECKS) {
      return checks;
    }
    const weight = ({ outcome }) => ["failed", "not checkable", "verified"].indexOf(outcome);
    return [...checks].sort((left, right) => weight(left) - weight(right)).slice(0, SHOWN_CHECKS);
  }

  /** Show checks as a table, with a note of how many do not fit. */
  function checksTable(checks, words) {
    const shown = mostTelling(checks);
    const heads = words.columns.map((text) => make("th", { scope: "col" }, text));
    const table = make(
      "table",
      { class: "checks" },
      make("caption", {}, words.table),
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...shown.map((check) => checkRow(check, words)))
    );
    const left = checks.length - shown.length;
    const note = make("p", { class: "note" }, fill(words.more_checks, { n: left }));
    return left > 0 ? [table, note] : [table];
  }

  /** Give the weakest outcome: failed, then not checkable, then verified; null of none. */
  function weakest(outcomes) {
    return ["failed", "not checkable", "verified"].find((word) => outcomes.includes(word)) ?? null;
  }

  /** Let the browser draw what has been added. */
  function drawn() {
    return new Promise((resolve) => setTimeout(resolve, 0));
  }

  pith.view = { make, fill, valueOf, outcomeMark, findings, checksTable, weakest, drawn };
})((globalThis.PithMirror ??= {}));
