// Strict JSON in, canonical JSON out (protocol part 1; RFC 8259, RFC 7493).
//
// The browser's own parser accepts a key twice, lone surrogates and numbers that do not survive,
// and would let a bundle name `__proto__`. Two byte strings would then have one digest, so a parser
// stands here: what it accepts and how it spells values stands in docs/formats/verification.md.
// Objects are Maps, integers are numbers, every other number is a Fraction.
(function (pith) {
  "use strict";

  /** A number with a point or an exponent: `text` spells it with the fewest digits (part 1). */
  pith.Fraction = class Fraction {
    constructor(text) {
      this.text = text;
    }
  };

  /** Name the JSON type of a value for a message. */
  pith.jsonKind = function (value) {
    if (value === null) {
      return "null";
    }
    if (value instanceof pith.Fraction) {
      return "a fraction";
    }
    if (Array.isArray(value)) {
      return "an array";
    }
    const kinds = { boolean: "a boolean", string: "a string", number: "an integer" };
    return kinds[typeof value] ?? "an object";
  };

  /** Parse bytes as strict JSON; throws FormatError for anything else. */
  pith.parseJson = function (bytes, limits = pith.LIMITS, subject = "bundle") {
    if (bytes.length > limits.bundleMaxLength) {
      const expected = `at most ${limits.bundleMaxLength} bytes`;
      throw new pith.FormatError(subject, expected, `${bytes.length} bytes`);
    }
    return new Parser(decodeUtf8(bytes, subject), limits, subject).document();
  };

  function decodeUtf8(bytes, subject) {
    let text;
    try {
      // Keep a byte order mark in sight: skipping it would give two byte strings one meaning.
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw new pith.FormatError(subject, "UTF-8", "other bytes");
    }
    if (text.startsWith("\ufeff")) {
      throw new pith.FormatError(subject, "JSON without byte order mark", "a byte order mark");
    }
    return text;
  }

  // Sticky patterns, each of one class repeated, so that no text can make a match slow.
  const WHITE_SPACE = /[ \t\n\r]*/y;
  const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
  const UNICODE_ESCAPE = /[0-9a-fA-F]{4}/y;
  const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
  const LITERALS = new Map([
    ["t", ["true", true]],
    ["f", ["false", false]],
    ["n", ["null", null]],
  ]);
  const ESCAPES = new Map([
    ['"', '"'],
    ["\\", "\\"],
    ["/", "/"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
  ]);

  /** One parse: a text and how far it is read (RFC 8259). Recursion is bounded by the depth. */
  class Parser {
    constructor(text, limits, subject) {
      this.text = text;
      this.limits = limits;
      this.subject = subject;
      this.position = 0;
      this.depth = 0;
    }

    document() {
      this.skip();
      const value = this.value();
      this.skip();
      if (this.position < this.text.length) {
        this.unexpected();
      }
      return value;
    }

    value() {
      const first = this.text[this.position];
      if (first === '"') {
        return this.string();
      }
      if (first === "{") {
        return this.nested(() => this.object());
      }
      if (first === "[") {
        return this.nested(() => this.array());
      }
      return LITERALS.has(first) ? this.literal(first) : this.number();
    }

    nested(read) {
      this.depth += 1;
      if (this.depth > this.limits.jsonMaxDepth) {
        this.refuse(`at most ${this.limits.jsonMaxDepth} levels of nesting`, "more");
      }
      this.position += 1;
      this.skip();
      const value = read();
      this.depth -= 1;
      return value;
    }

    object() {
      const members = new Map();
      if (this.takes("}")) {
        return members;
      }
      do {
        this.skip();
        this.member(members);
        this.skip();
      } while (this.takes(","));
      this.require("}");
      return members;
    }

    member(members) {
      if (this.text[this.position] !== '"') {
        this.unexpected();
      }
      const key = this.string();
      if (members.has(key)) {
        this.refuse("each key once in an object", `key ${pith.quote(key)} twice`);
      }
      this.skip();
      this.require(":");
      this.skip();
      members.set(key, this.value());
    }

    array() {
      const items = [];
      if (this.takes("]")) {
        return items;
      }
      do {
        this.skip();
        items.push(this.value());
        this.skip();
      } while (this.takes(","));
      this.require("]");
      return items;
    }

    string() {
      this.position += 1;
      let value = this.match(PLAIN_TEXT);
      while (this.takes("\\")) {
        value += this.escape() + this.match(PLAIN_TEXT);
      }
      // A control character, or the end of the text, stands where the closing quote should.
      this.require('"');
      if (!isWellFormed(value)) {
        this.refuse("Unicode text", "a lone surrogate");
      }
      return value;
    }

    escape() {
      const letter = this.text[this.position];
      this.position += 1;
      if (letter !== "u") {
        return ESCAPES.get(letter) ?? this.unexpected();
      }
      const digits = this.match(UNICODE_ESCAPE) ?? this.unexpected();
      return String.fromCharCode(parseInt(digits, 16));
    }

    literal(first) {
      const [word, value] = LITERALS.get(first);
      if (!this.text.startsWith(word, this.position)) {
        this.unexpected();
      }
      this.position += word.length;
      return value;
    }

    number() {
      const token = this.match(NUMBER) ?? this.unexpected();
      if (token.length > this.limits.jsonNumberMaxLength) {
        this.refuse("a number that survives", `a token of ${token.length} characters`);
      }
      return /[.eE]/.test(token) ? this.fraction(token) : this.integer(token);
    }

    integer(token) {
      const value = Number(token);
      // RFC 7493 2.2: beyond 2^53 two integers are one number; -0 is spelled in two ways.
      if (Math.abs(value) > this.limits.jsonMaxInteger || token === "-0") {
        this.refuse("an integer exact in every reader (below 2^53, no -0)", token);
      }
      return value;
    }

    fraction(token) {
      const exponent = token.split(/[eE]/)[1] ?? "0";
      const text = spellFraction(Number(token));
      if (Math.abs(Number(exponent)) > this.limits.jsonMaxExponent) {
        this.refuse("a number that survives", token);
      }
      if (text === null || decimalOf(token) !== decimalOf(text)) {
        this.refuse("a number that survives as a 64-bit float", token);
      }
      return new pith.Fraction(text);
    }

    /** Match a sticky pattern here and step over it; undefined if it does not match. */
    match(pattern) {
      pattern.lastIndex = this.position;
      const found = pattern.exec(this.text)?.[0];
      this.position += found?.length ?? 0;
      return found;
    }

    skip() {
      this.match(WHITE_SPACE);
    }

    takes(char) {
      const taken = this.text[this.position] === char;
      this.position += taken ? 1 : 0;
      return taken;
    }

    require(char) {
      if (!this.takes(char)) {
        this.unexpected();
      }
    }

    unexpected() {
      this.refuse("one JSON value", `something else at position ${this.position + 1}`);
    }

    refuse(expected, found) {
      throw new pith.FormatError(this.subject, expected, found);
    }
  }

  /** Tell whether a text has no half of a surrogate pair alone (RFC 7493 2.1). */
  function isWellFormed(text) {
    return !/\p{Surrogate}/u.test(text);
  }

  /** Spell a float with the fewest digits that give it again (part 1); null for an infinity. */
  function spellFraction(value) {
    if (!Number.isFinite(value)) {
      return null;
    }
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    const [mantissa, power] = Math.abs(value).toExponential().split("e");
    const exponent = Number(power);
    const digits = mantissa.replace(".", "");
    if (exponent < -4 || exponent >= 16) {
      const point = digits.length > 1 ? "." : "";
      const size = String(Math.abs(exponent)).padStart(2, "0");
      return `${sign}${digits[0]}${point}${digits.slice(1)}e${exponent < 0 ? "-" : "+"}${size}`;
    }
    if (exponent < 0) {
      return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
    }
    const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
    return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
  }

  /** Name the exact decimal value of a number token, so that equal names are equal values. */
  function decimalOf(token) {
    const [, sign, whole, places = "", power = "0"] =
      /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(token);
    const digits = (whole + places).replace(/^0+/, "");
    if (digits === "") {
      return "0";
    }
    const significant = digits.replace(/0+$/, "");
    const exponent = Number(power) - places.length + digits.length - significant.length;
    return `${sign}${significant}e${exponent}`;
  }

  /** Spell a value as canonical JSON (protocol part 1): the text whose UTF-8 is digested. */
  pith.canonicalJson = function (value) {
    if (value instanceof Map) {
      const keys = [...value.keys()].sort(pith.compareText);
      const member = (key) => `${JSON.stringify(key)}:${pith.canonicalJson(value.get(key))}`;
      return `{${keys.map(member).join(",")}}`;
    }
    if (Array.isArray(value)) {
      return `[${value.map(pith.canonicalJson).join(",")}]`;
    }
    // For a string without lone surrogates the built-in spelling is that of part 1.
    return value instanceof pith.Fraction ? value.text : JSON.stringify(value);
  };

  /** Spell a value as the registry serves it: compact, ASCII, keys in the given order (part 4). */
  pith.compactJson = function (value) {
    if (value instanceof Map) {
      const members = [...value].map(([key, item]) => `${ascii(key)}:${pith.compactJson(item)}`);
      return `{${members.join(",")}}`;
    }
    if (Array.isArray(value)) {
      return `[${value.map(pith.compactJson).join(",")}]`;
    }
    if (value instanceof pith.Fraction) {
      return value.text;
    }
    return typeof value === "string" ? ascii(value) : JSON.stringify(value);
  };

  function ascii(text) {
    const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return JSON.stringify(text).replace(/[^ -~]/g, escape);
  }
})((globalThis.PithMirror ??= {}));
