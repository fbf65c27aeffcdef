// Text, bounds and words: what every other script of the verifier needs.
// The bounds are those of generator/limits.py; hostile input is normal input.
(function (pith) {
  "use strict";

  const KIB = 1024;
  const MIB = 1024 * KIB;
  const TURN = 30; // milliseconds of work before the page gets a turn

  /** Every maximum that a check needs, named as in generator/limits.py. */
  pith.LIMITS = Object.freeze({
    bundleMaxLength: 8 * MIB, // bytes
    jsonMaxDepth: 64, // levels of arrays and objects
    jsonMaxInteger: Number.MAX_SAFE_INTEGER, // absolute value, RFC 7493 2.2
    jsonNumberMaxLength: 32, // characters
    jsonMaxExponent: 9999, // absolute value, as written
    eventsMaxCount: 10000, // events in one bundle
    tokenMaxLength: 256, // characters
    foundMaxLength: 160, // characters
    eventTextMaxLength: 10000, // characters
    timestampProofMaxLength: 64 * KIB, // bytes
    timestampProofPiecesMaxCount: 2048, // reads of the proof's parser
    timestampAttestationsMaxCount: 64, // attestations in one proof
    blockHeightMax: 499999999,
  });

  /** The three ends of a check (protocol part 8). */
  pith.OUTCOMES = Object.freeze({
    VERIFIED: "verified",
    FAILED: "failed",
    NOT_CHECKABLE: "not checkable",
  });

  /** Codes, as notes of rows that this browser could not check; the page has the words. */
  pith.MISSING = Object.freeze({ DIGEST: "no-digest", ED25519: "no-ed25519" });

  /** Bytes or values that are not the format: what was looked at, expected and found. */
  pith.FormatError = class FormatError extends Error {
    constructor(subject, expected, found) {
      super(`${subject}: expected ${expected}, found ${found}`);
      this.subject = subject;
      this.expected = expected;
      this.found = found;
    }
  };

  /** Count characters: code points, as the protocol does, not UTF-16 units. */
  pith.textLength = function (text) {
    let count = 0;
    for (const _ of text) {
      count += 1;
    }
    return count;
  };

  /** Order two texts by code point, which is also the order of their UTF-8 bytes; -1, 0 or 1. */
  pith.compareText = function (first, second) {
    const end = Math.min(first.length, second.length);
    let index = 0;
    while (index < end && first.charCodeAt(index) === second.charCodeAt(index)) {
      index += 1;
    }
    if (index === end) {
      return Math.sign(first.length - second.length);
    }
    return rank(first.charCodeAt(index)) < rank(second.charCodeAt(index)) ? -1 : 1;
  };

  /** Rank a UTF-16 unit by code point: half of a pair stands for one above U+FFFF. */
  function rank(unit) {
    return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
  }

  /** Quote hostile text: on one line, control and format characters escaped, cut at a length. */
  pith.shorten = function (text, limit = pith.LIMITS.foundMaxLength) {
    // Two units a character at most, so a text of megabytes costs no more than a short one.
    const piece = [...text.slice(0, 2 * limit)].slice(0, limit);
    const shown = piece.map((char) => (isPrintable(char) ? char : escaped(char))).join("");
    const left = pith.textLength(text) - piece.length;
    return left === 0 ? shown : `${shown}… (${left} more characters)`;
  };

  function isPrintable(char) {
    return char === " " || !/[\p{C}\p{Z}]/u.test(char);
  }

  function escaped(char) {
    const digits = char.codePointAt(0).toString(16);
    return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  }

  /** Quote a text as a value: shortened, in quotation marks, as the report of a build has it. */
  pith.quote = function (text) {
    return quoted(pith.shorten(text));
  };

  /** Quote the items of a list of texts, the whole cut at the length of a message. */
  pith.quoteList = function (texts) {
    const list = `[${texts.map(quoted).join(", ")}]`;
    return [...list].slice(0, pith.LIMITS.foundMaxLength).join("");
  };

  function quoted(text) {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    return mark + text.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark;
  }

  // White space as docs/formats/verification.md lists it; `\s` is another set.
  const BLANKS =
    /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

  /** Fold white space and letter case, as title and abstract are digested (protocol part 1). */
  pith.canonicalText = function (text) {
    const words = text.split(BLANKS).filter((word) => word !== "");
    return words.join(" ").toLowerCase();
  };

  let turnBegan = 0;

  /** Give the page a turn if work has gone on for long; to be awaited in long loops. */
  pith.breathe = async function () {
    if (performance.now() - turnBegan < TURN) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve));
    turnBegan = performance.now();
  };
})((globalThis.PithMirror ??= {}));
