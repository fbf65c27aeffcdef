// Typed access to the fields of a JSON object, and the spellings that a field may have.
// Every error names the field's path; nothing is guessed and nothing is repaired.
(function (pith) {
  "use strict";

  const PRINTABLE = /^[ -~]+$/;
  const HEX_DIGEST = /^[0-9a-f]{64}$/;
  const PITH_NUMBER = /^pith:([0-9]{4}):([A-Z2-7]{26})$/;
  const DAY = "([0-9]{4})-([0-9]{2})-([0-9]{2})";
  const CLOCK = "([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]{1,9}))?";
  const RFC3339 = new RegExp(`^${DAY}T${CLOCK}(Z|[+-][0-9]{2}:[0-9]{2})$`);
  const NANOSECONDS = 1000000000;
  const TIME = "an RFC 3339 time";

  function refuse(subject, expected, found) {
    throw new pith.FormatError(subject, expected, found);
  }

  /** One object (a Map) and the path that leads to it; reading a field checks its type. */
  pith.Fields = class Fields {
    constructor(path, value) {
      this.path = path;
      this.value = value;
    }

    /** Give the path of a field, for messages. */
    at(key) {
      return this.path ? `${this.path}.${key}` : key;
    }

    /** Give a field of any type. */
    required(key) {
      return this.value.has(key)
        ? this.value.get(key)
        : refuse(this.at(key), "the field", "nothing");
    }

    /** Give a string field. */
    text(key) {
      const value = this.required(key);
      return typeof value === "string"
        ? value
        : refuse(this.at(key), "a string", pith.jsonKind(value));
    }

    /** Give a string field that names something: short, printable ASCII, not empty. */
    token(key) {
      const value = this.text(key);
      const limit = pith.LIMITS.tokenMaxLength;
      if (value.length > limit || !PRINTABLE.test(value)) {
        refuse(this.at(key), `1 to ${limit} printable ASCII characters`, pith.quote(value));
      }
      return value;
    }

    /** Give a string field that can have one value only. */
    constant(key, expected) {
      const value = this.text(key);
      return value === expected
        ? value
        : refuse(this.at(key), pith.quote(expected), pith.quote(value));
    }

    /** Give an integer field; a boolean or `2.0` is none. */
    integer(key, minimum = 0) {
      const value = this.required(key);
      if (typeof value !== "number") {
        refuse(this.at(key), "an integer", pith.jsonKind(value));
      }
      return value >= minimum ? value : refuse(this.at(key), `${minimum} or more`, String(value));
    }

    /** Give an array field. */
    array(key) {
      const value = this.required(key);
      return Array.isArray(value)
        ? value
        : refuse(this.at(key), "an array", pith.jsonKind(value));
    }

    /** Give an object field, with its path. */
    object(key) {
      return pith.fieldsOf(this.required(key), this.at(key));
    }
  };

  /** Take a value as an object. */
  pith.fieldsOf = function (value, path) {
    return value instanceof Map
      ? new pith.Fields(path, value)
      : refuse(path, "an object", pith.jsonKind(value));
  };

  /** Read a SHA-256 in its one spelling, 64 lower-case hex digits. */
  pith.parseDigest = function (value, subject) {
    const expected = "64 lower-case hex digits";
    if (typeof value !== "string") {
      refuse(subject, expected, pith.jsonKind(value));
    }
    return HEX_DIGEST.test(value) ? value : refuse(subject, expected, pith.quote(value));
  };

  /** Read a full Pith Number (protocol part 1). */
  pith.parsePithNumber = function (value, subject) {
    const expected = "pith:<YYYY>:<suffix>";
    if (typeof value !== "string") {
      refuse(subject, expected, pith.jsonKind(value));
    }
    const match = PITH_NUMBER.exec(value) ?? refuse(subject, expected, pith.quote(value));
    return { year: Number(match[1]), suffix: match[2], text: value };
  };

  /** Decode base64 of a known length, accepting only its canonical spelling (RFC 4648 3.5). */
  pith.parseBase64 = function (value, subject, length) {
    const expected = `base64 of ${length} bytes`;
    if (typeof value !== "string") {
      refuse(subject, expected, pith.jsonKind(value));
    }
    // Not one pattern for the whole: an engine may keep a state for each repetition of a group.
    if (value.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(value.replace(/={1,2}$/, ""))) {
      refuse(subject, expected, pith.quote(value));
    }
    const binary = atob(value);
    if (binary.length !== length) {
      refuse(subject, expected, `${binary.length} bytes`);
    }
    // Spare bits would give one signature two spellings, and one event two forms.
    if (btoa(binary) !== value) {
      refuse(subject, expected, "spare bits that are not zero");
    }
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  };

  /** Read an RFC 3339 time; `seconds` counts from 1970 without leap seconds. */
  pith.parseInstant = function (value, subject) {
    if (typeof value !== "string") {
      refuse(subject, TIME, pith.jsonKind(value));
    }
    const match = RFC3339.exec(value) ?? refuse(subject, TIME, pith.quote(value));
    const leap = match[6] === "60";
    const moment = utcMoment(match, leap) ?? refuse(subject, TIME, pith.quote(value));
    if (leap && (moment.getUTCHours() !== 23 || moment.getUTCMinutes() !== 59)) {
      refuse(subject, "second 60 only at 23:59 UTC (RFC 3339 5.7)", pith.quote(value));
    }
    const fraction = Number((match[7] ?? "0").padEnd(9, "0"));
    // A leap second is the nanoseconds from 10^9 on of the second before it.
    const nanoseconds = fraction + (leap ? NANOSECONDS : 0);
    return { seconds: moment.getTime() / 1000, nanoseconds, text: value };
  };

  /** Give the moment of a matched time, a leap second as the second before it; null if none. */
  function utcMoment(match, leap) {
    const [year, month, day, hour, minute] = match.slice(1, 6).map(Number);
    const second = leap ? 59 : Number(match[6]);
    const offset = offsetMinutes(match[8]);
    if (hour > 23 || minute > 59 || second > 59 || offset === null) {
      return null;
    }
    const moment = new Date(0);
    moment.setUTCFullYear(year, month - 1, day);
    // A day that does not exist has become one of the next month.
    if (year < 1 || moment.getUTCMonth() !== month - 1 || moment.getUTCDate() !== day) {
      return null;
    }
    moment.setUTCHours(hour, minute - offset, second);
    return moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999 ? null : moment;
  }

  function offsetMinutes(text) {
    if (text === "Z") {
      return 0;
    }
    const hours = Number(text.slice(1, 3));
    const minutes = Number(text.slice(4, 6));
    if (hours > 23 || minutes > 59) {
      return null;
    }
    return (text[0] === "-" ? -1 : 1) * (60 * hours + minutes);
  }

  /** Order two instants as moments, whatever their spelling; -1, 0 or 1. */
  pith.compareInstants = function (first, second) {
    return (
      Math.sign(first.seconds - second.seconds) ||
      Math.sign(first.nanoseconds - second.nanoseconds)
    );
  };
})((globalThis.PithMirror ??= {}));
