// Digests, pinned keys and signatures, by the browser's own WebCrypto.
//
// A page that is not served securely has no `crypto.subtle`, and an older browser has no Ed25519.
// What could not be computed is null here, never false: it becomes "not checkable" in a report.
(function (pith) {
  "use strict";

  const ALGORITHM = "Ed25519";
  const ROLES = ["registry", "author", "operator"];
  const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const SUFFIX_LENGTH = 26; // characters
  const PUBLIC_KEY_LENGTH = 32; // bytes, RFC 8032 5.1.5

  // Numbers of RFC 8032 5.1, most significant digit first.
  const FIELD_PRIME = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";
  const GROUP_ORDER = "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed";
  const ZERO = "0".repeat(64);
  const ONE = "1".padStart(64, "0");
  const MINUS_ONE = FIELD_PRIME.replace(/ed$/, "ec");
  // y of the eight points of small order; a signature under such a key proves nothing.
  const SMALL_ORDER_Y = [
    ZERO,
    ONE,
    MINUS_ONE,
    "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
    "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
  ];

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

  let known = null;

  /** Tell what this browser can compute: digests, Ed25519; and if the page is secure. */
  pith.abilities = function () {
    known ??= lookForAbilities();
    return known;
  };

  async function lookForAbilities() {
    const secure = globalThis.isSecureContext === true;
    const digest = globalThis.crypto?.subtle !== undefined;
    return { digest, ed25519: digest && (await hasEd25519()), secure };
  }

  async function hasEd25519() {
    try {
      // The base point of the curve (RFC 8032 5.1): a key like any other.
      const base = fromHex("58".padEnd(64, "6"));
      await crypto.subtle.importKey("raw", base, { name: ALGORITHM }, false, ["verify"]);
      return true;
    } catch (error) {
      return false;
    }
  }

  /** Digest bytes, or a text in UTF-8; gives hex, or null where this browser cannot. */
  pith.sha256Hex = async function (data) {
    if (!(await pith.abilities()).digest) {
      return null;
    }
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  };

  /** Digest the canonical JSON of a value (protocol part 1); null where this browser cannot. */
  pith.canonicalDigest = function (value) {
    return pith.sha256Hex(pith.canonicalJson(value));
  };

  /** Derive the id of a record from its digest: 26 characters of base32 (part 1; RFC 4648 6). */
  pith.deriveSuffix = function (digest) {
    const bits = [...fromHex(digest)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const groups = bits.match(/.{5}/g).slice(0, SUFFIX_LENGTH);
    return groups.map((group) => BASE32[parseInt(group, 2)]).join("");
  };

  // ---- Pinned keys: from the page, never from a bundle (protocol part 8) ----

  /** Read the keys of a page's trust; gives a Map by key id; throws FormatError. */
  pith.pinnedKeys = async function (trust) {
    const { ed25519 } = await pith.abilities();
    const keys = await Promise.all(trust.keys.map((row) => pinnedKey(row, ed25519)));
    return new Map(keys.map((key) => [key.keyId, key]));
  };

  async function pinnedKey(row, ed25519) {
    const subject = `public key ${row.key_id}`;
    const raw = pith.parseBase64(row.public_key_b64, subject, PUBLIC_KEY_LENGTH);
    if (!isCanonicalPoint(raw) || SMALL_ORDER_Y.includes(yOf(raw))) {
      const expected = "a public key of Ed25519 (RFC 8032 5.1)";
      const found = "a point of small order, or a spelling that is not canonical";
      throw new pith.FormatError(subject, expected, found);
    }
    const time = (name) => (row[name] === null ? null : pith.parseInstant(row[name], name));
    return {
      keyId: row.key_id,
      publicKeyB64: row.public_key_b64,
      signerId: row.signer_id,
      roles: row.roles,
      fingerprint: row.fingerprint,
      validFrom: time("valid_from"),
      validUntil: time("valid_until"),
      revokedAt: time("revoked_at"),
      eventProfile: row.event_profile,
      verifier: ed25519
        ? await crypto.subtle.importKey("raw", raw, { name: ALGORITHM }, false, ["verify"])
        : null,
    };
  }

  /** Tell whether a pinned key signed the raw bytes of a digest; null where this browser cannot. */
  pith.hasSigned = async function (key, digest, signature) {
    if (digest === null || key.verifier === null) {
      return null;
    }
    // docs/formats/events.md, "Keys and signatures": libraries differ in these, so none is asked.
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
    if (bigEndian(s) >= GROUP_ORDER || !isCanonicalPoint(r)) {
      return false;
    }
    return crypto.subtle.verify({ name: ALGORITHM }, key.verifier, signature, fromHex(digest));
  };

  /** Spell 32 little-endian bytes as a number whose texts order as the numbers do. */
  function bigEndian(bytes) {
    return hex([...bytes].reverse());
  }

  function yOf(encoded) {
    const copy = Uint8Array.from(encoded);
    copy[31] &= 0x7f;
    return bigEndian(copy);
  }

  /** Tell whether y is below the prime, and x = 0 has no sign (RFC 8032 5.1.3). */
  function isCanonicalPoint(encoded) {
    const y = yOf(encoded);
    const signed = encoded[31] >= 0x80;
    return y < FIELD_PRIME && !(signed && (y === ONE || y === MINUS_ONE));
  }

  /** Say why a key may not sign something, as [expected, found]; null if it may. */
  pith.rolesFault = function (key, allowed) {
    if (key.roles.some((role) => allowed.has(role))) {
      return null;
    }
    const expected = ROLES.filter((role) => allowed.has(role)).join(" or ");
    const found = key.roles.join(", ");
    return [`a key with the role ${expected}`, `key ${key.keyId} with the role ${found}`];
  };

  /** Say why a signature of a moment does not count, as [expected, found]; null if it does. */
  pith.windowFault = function (key, moment) {
    const found = `signed at ${moment.text}`;
    if (pith.compareInstants(moment, key.validFrom) < 0) {
      return [`signed from ${key.validFrom.text} on (key ${key.keyId})`, found];
    }
    if (key.validUntil !== null && pith.compareInstants(moment, key.validUntil) >= 0) {
      return [`signed before ${key.validUntil.text} (key ${key.keyId})`, found];
    }
    if (key.revokedAt !== null && pith.compareInstants(moment, key.revokedAt) >= 0) {
      const end = key.revokedAt.text;
      return [`signed before the revocation at ${end} (key ${key.keyId})`, found];
    }
    return null;
  };
})((globalThis.PithMirror ??= {}));
