// OpenTimestamps proofs, as far as V8 looks into them: is a proof well formed, and of what digest.
//
// The operations of a proof make messages, and whether a proof is well formed depends on the
// lengths of these messages and not on their bytes. So no operation is computed here, and none has
// to be known to the browser. Nothing here says that a block holds a merkle root.
// The format and every bound are in docs/formats/timestamps.md.
(function (pith) {
  "use strict";

  const MAGIC = "004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294";
  const VERSION = 1;
  const DIGESTS = new Map([
    [0x02, { name: "sha1", length: 20 }],
    [0x03, { name: "ripemd160", length: 20 }],
    [0x08, { name: "sha256", length: 32 }],
    [0x67, { name: "keccak256", length: 32 }],
  ]);
  const APPEND = 0xf0;
  const PREPEND = 0xf1;
  const REVERSE = 0xf2;
  const HEX = 0xf3;
  const BITCOIN = "0588960d73d71901";
  const PENDING = "83dfe30d2ef90c8e";
  const OTHER_CHAINS = ["06869a0d73d71b45", "30fe8087b5c7ead7"]; // Litecoin, Ethereum
  const URI = /^[A-Za-z0-9\-._/:]*$/;

  // The bounds of the package opentimestamps; ours stand in pith.LIMITS.
  const DEPTH_MAX = 255; // operations in a row
  const MESSAGE_MAX_LENGTH = 4096; // bytes
  const ATTESTATION_MAX_LENGTH = 8192; // bytes
  const URI_MAX_LENGTH = 1000; // bytes
  const EXPECTED = "an OpenTimestamps proof, version 1";

  /** Reads bytes in order; a number too large for JavaScript is inexact, and over every bound. */
  class Reader {
    constructor(bytes, subject, pieces) {
      this.bytes = bytes;
      this.subject = subject;
      this.pieces = pieces;
      this.position = 0;
    }

    refuse(found, expected = EXPECTED) {
      throw new pith.FormatError(this.subject, expected, found);
    }

    /** Give up to `length` bytes: fewer at the end. */
    upTo(length) {
      if (this.pieces === 0) {
        const limit = pith.LIMITS.timestampProofPiecesMaxCount;
        this.refuse("more", `a proof of at most ${limit} pieces`);
      }
      this.pieces -= 1;
      const piece = this.bytes.subarray(this.position, this.position + length);
      this.position += piece.length;
      return piece;
    }

    exactly(length) {
      const piece = this.upTo(length);
      if (piece.length !== length) {
        this.refuse("an end in the middle");
      }
      return piece;
    }

    byte() {
      return this.exactly(1)[0];
    }

    /** Read a number, little-endian base 128. */
    number() {
      let value = 0;
      for (let weight = 1; ; weight *= 128) {
        const byte = this.byte();
        const digit = byte & 0x7f;
        // 0 * Infinity is no number: digits of 0 add nothing, however far up they stand.
        value += digit === 0 ? 0 : digit * weight;
        if (byte < 0x80) {
          return value;
        }
      }
    }

    /** Read a length and that many bytes. */
    run(minimum, maximum) {
      const length = this.number();
      if (length < minimum || length > maximum) {
        this.refuse("bytes that break the format");
      }
      return this.exactly(length);
    }

    end() {
      if (this.upTo(1).length > 0) {
        this.refuse("bytes after its end");
      }
    }
  }

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /** Give the length of the message that an operation makes of one of `length` bytes. */
  function resultLength(tag, argument, length, reader) {
    const result = {
      [APPEND]: length + argument.length,
      [PREPEND]: length + argument.length,
      [REVERSE]: length,
      [HEX]: 2 * length,
    }[tag];
    if (result > MESSAGE_MAX_LENGTH) {
      reader.refuse("bytes that break the format");
    }
    return result ?? DIGESTS.get(tag).length;
  }

  /** Read an operation and the node below it. Gives the spelling by which it is told apart. */
  function readOperation(tag, length, depth, reader) {
    const binary = tag === APPEND || tag === PREPEND;
    if (!binary && tag !== REVERSE && tag !== HEX && !DIGESTS.has(tag)) {
      reader.refuse("bytes that break the format");
    }
    const argument = binary ? reader.run(1, MESSAGE_MAX_LENGTH) : new Uint8Array(0);
    const result = resultLength(tag, argument, length, reader);
    return { name: `${tag} ${hex(argument)}`, node: readNode(result, depth + 1, reader) };
  }

  /** Read an attestation: what it says as one text, and the height if it is Bitcoin's. */
  function readAttestation(reader) {
    const tag = hex(reader.exactly(8));
    const payload = reader.run(0, ATTESTATION_MAX_LENGTH);
    const inner = new Reader(payload, reader.subject, Infinity);
    if (tag === PENDING) {
      const uri = String.fromCharCode(...inner.run(0, URI_MAX_LENGTH));
      if (!URI.test(uri)) {
        reader.refuse("bytes that break the format");
      }
      inner.end();
      return { name: `${tag} ${uri}`, empty: uri === "" };
    }
    if (tag === BITCOIN || OTHER_CHAINS.includes(tag)) {
      // Told apart by its digits: two numbers beyond those of JavaScript are not one number.
      const name = `${tag} ${numberName(inner)}`;
      inner.end();
      return tag === BITCOIN ? { name, height: Number(BigInt(name.slice(17))) } : { name };
    }
    return { name: `${tag} ${hex(payload)}` };
  }

  /** Read a number of any size; gives it in hexadecimal with 0x, however it was spelled. */
  function numberName(reader) {
    let digits = "";
    let byte;
    do {
      byte = reader.byte();
      digits = (byte & 0x7f).toString(2).padStart(7, "0") + digits;
    } while (byte >= 0x80);
    return `0x${BigInt(`0b${digits}`).toString(16)}`;
  }

  /** Read a node: attestations and operations, equal ones once, the later for the earlier. */
  function readNode(length, depth, reader) {
    if (depth > DEPTH_MAX) {
      reader.refuse("more than 255 operations in a row");
    }
    const node = { length, attestations: new Map(), operations: new Map() };
    let more = true;
    while (more) {
      let tag = reader.byte();
      more = tag === 0xff;
      tag = more ? reader.byte() : tag;
      if (tag === 0x00) {
        const attestation = readAttestation(reader);
        node.attestations.set(attestation.name, attestation);
      } else {
        const operation = readOperation(tag, length, depth, reader);
        node.operations.set(operation.name, operation.node);
      }
    }
    return node;
  }

  /** List the attestations of a node and of all below it, each with the length of its message. */
  function leavesOf(root) {
    const leaves = [];
    const waiting = [root];
    while (waiting.length > 0) {
      const node = waiting.pop();
      for (const attestation of node.attestations.values()) {
        leaves.push({ length: node.length, ...attestation });
      }
      waiting.push(...node.operations.values());
    }
    return leaves;
  }

  function checkLeaves(leaves, reader) {
    const limit = pith.LIMITS.timestampAttestationsMaxCount;
    if (leaves.length > limit) {
      reader.refuse(`${leaves.length} attestations`, `at most ${limit} attestations`);
    }
    for (const leaf of leaves) {
      if (leaf.empty) {
        reader.refuse("''", "a calendar's URI, printable");
      }
      if (leaf.height !== undefined && leaf.length !== 32) {
        reader.refuse(`${leaf.length} bytes`, "a merkle root of 32 bytes");
      }
      if (leaf.height > pith.LIMITS.blockHeightMax) {
        reader.refuse("a greater one", `a block height up to ${pith.LIMITS.blockHeightMax}`);
      }
    }
  }

  /** Read all of an `.ots` file; gives the SHA-256 it starts from, in hex; throws FormatError. */
  pith.readProofDigest = function (bytes, subject) {
    const reader = new Reader(bytes, subject, pith.LIMITS.timestampProofPiecesMaxCount);
    const limit = pith.LIMITS.timestampProofMaxLength;
    if (bytes.length > limit) {
      reader.refuse(`${bytes.length} bytes`, `at most ${limit} bytes`);
    }
    if (hex(reader.upTo(MAGIC.length / 2)) !== MAGIC) {
      reader.refuse("other first bytes");
    }
    if (reader.number() !== VERSION) {
      reader.refuse("another version");
    }
    const tag = reader.byte();
    if (!DIGESTS.has(tag)) {
      reader.refuse("bytes that break the format");
    }
    const digest = reader.exactly(DIGESTS.get(tag).length);
    const root = readNode(digest.length, 0, reader);
    reader.end();
    if (DIGESTS.get(tag).name !== "sha256") {
      reader.refuse(DIGESTS.get(tag).name, "a proof of a sha256 digest");
    }
    checkLeaves(leavesOf(root), reader);
    return hex(digest);
  };
})((globalThis.PithMirror ??= {}));
