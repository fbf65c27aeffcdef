// The shapes of a bundle and of what it holds, read into plain objects (protocol parts 1 to 7).
// Nothing is verified here. Which field is read first decides which error is reported, so the order
// is that of docs/formats/verification.md and of the build.
(function (pith) {
  "use strict";

  const SUBMITTED_AT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;
  const CATEGORY = /^[a-z]+(?:-[a-z]+)*(?:\.[A-Za-z]+(?:-[A-Za-z]+)*)?$/;
  const CATEGORY_MAX_LENGTH = 40;
  const LICENSE = /^https?:\/\/[!-~]{1,240}$/;
  const EVENT_ID = /^sha256:[0-9a-f]{64}$/;
  const SIGNATURE_LENGTH = 64; // bytes, RFC 8032 5.1.6
  const TYPE_SHOWN = 60; // characters of an event's claimed type

  const RECORD_KEYS = ["metadata", "schema_version", "source"];
  const METADATA_KEYS = [
    "abstract_canon_sha256",
    "cross_cats_sorted",
    "license",
    "primary_cat",
    "submitted_at",
    "title_canon_sha256",
  ];
  const SOURCE_KEYS = ["id", "kind", "version"];

  const SEVERITIES = ["critical", "advisory", "informational"];
  const VERDICT_CLASSES = [
    "incontrovertible",
    "cross_source",
    "threshold_with_margin",
    "rescinded",
  ];
  const INTEGRITY_PAYLOAD_KEYS = [
    "arxiv_id",
    "audited_at",
    "detected_arxiv_id",
    "detected_doi",
    "detector",
    "detector_url",
    "detector_version",
    "event_type",
    "evidence",
    "evidence_hash",
    "external_url",
    "finding_type",
    "note",
    "paper_version",
    "ref_index",
    "resolved_title",
    "severity",
    "snippet",
    "verdict_class",
  ];

  pith.RECORD_CREATED = "record_created";
  pith.GRAPH_SNAPSHOT = "graph_snapshot";
  pith.INTEGRITY = "pith.integrity.v1";

  function refuse(subject, expected, found) {
    throw new pith.FormatError(subject, expected, found);
  }

  const digestAt = (fields, key) => pith.parseDigest(fields.required(key), fields.at(key));
  const instantAt = (fields, key) => pith.parseInstant(fields.required(key), fields.at(key));
  const signatureAt = (fields, key) =>
    pith.parseBase64(fields.required(key), fields.at(key), SIGNATURE_LENGTH);

  /** Read a field that may be absent; null then. */
  function optional(fields, key, read) {
    return fields.value.has(key) ? read(fields, key) : null;
  }

  // ---- The canonical record (part 1) ----

  /** Read a canonical record; its digest and number are not yet computed. */
  function parseRecord(value, subject) {
    const record = pith.fieldsOf(value, subject);
    // An unknown field's meaning would be signed without anyone here knowing it.
    refuseUnknown(record, RECORD_KEYS);
    record.constant("schema_version", "1.0");
    const metadata = record.object("metadata");
    refuseUnknown(metadata, METADATA_KEYS);
    const source = record.object("source");
    refuseUnknown(source, SOURCE_KEYS);
    return {
      json: record.value,
      source: parseSource(source),
      primaryCategory: category(metadata.text("primary_cat"), metadata.at("primary_cat")),
      crossCategories: crossCategories(metadata),
      license: license(metadata),
      submittedAt: submittedAt(metadata),
      titleDigest: digestAt(metadata, "title_canon_sha256"),
      abstractDigest: digestAt(metadata, "abstract_canon_sha256"),
    };
  }

  function refuseUnknown(fields, known) {
    const unknown = [...fields.value.keys()].filter((key) => !known.includes(key));
    if (unknown.length > 0) {
      const first = unknown.sort(pith.compareText)[0];
      refuse(fields.path, `only the fields ${known.join(", ")}`, pith.quote(first));
    }
  }

  function parseSource(source) {
    const kind = source.token("kind");
    const id = source.token("id");
    const version = source.integer("version", 1);
    return { kind, id, version, versionedId: `${id}v${version}` };
  }

  function category(text, path) {
    if (text.length > CATEGORY_MAX_LENGTH || !CATEGORY.test(text)) {
      refuse(path, "an arXiv category", pith.quote(text));
    }
    return text;
  }

  function crossCategories(metadata) {
    const path = metadata.at("cross_cats_sorted");
    const categories = metadata
      .array("cross_cats_sorted")
      .map((item) =>
        typeof item === "string"
          ? category(item, path)
          : refuse(path, "strings", pith.jsonKind(item))
      );
    const ascends = (text, index) =>
      index === 0 || pith.compareText(categories[index - 1], text) < 0;
    if (!categories.every(ascends)) {
      const expected = "categories sorted by code point, each once";
      refuse(path, expected, pith.quoteList(categories));
    }
    if (categories.includes(metadata.value.get("primary_cat"))) {
      refuse(path, "categories other than the primary", pith.quoteList(categories));
    }
    return categories;
  }

  function license(metadata) {
    const text = metadata.text("license");
    // Older papers have none. A page links to it, so no other scheme than the web's may stand here.
    if (text !== "" && !LICENSE.test(text)) {
      refuse(metadata.at("license"), "an http(s) URL or ''", pith.quote(text));
    }
    return text;
  }

  function submittedAt(metadata) {
    const text = metadata.text("submitted_at");
    const path = metadata.at("submitted_at");
    if (!SUBMITTED_AT.test(text)) {
      refuse(path, "YYYY-MM-DDThh:mm:ssZ, whole seconds", pith.quote(text));
    }
    return pith.parseInstant(text, path);
  }

  // ---- The bundle (part 4) ----

  /** Read the shape of a bundle (V3); events stay unread, so that one cannot take the record. */
  pith.parseBundle = function (value) {
    const bundle = new pith.Fields("", value);
    const events = bundle.array("events");
    const limit = pith.LIMITS.eventsMaxCount;
    if (events.length > limit) {
      refuse("events", `at most ${limit}`, String(events.length));
    }
    return {
      json: value,
      pithNumber: bundle.token("pith_number"),
      shortPithNumber: bundle.token("short_pith_number"),
      record: parseRecord(bundle.required("canonical_record"), "canonical_record"),
      canonicalDigest: digestAt(bundle, "canonical_sha256"),
      source: parseSource(bundle.object("source")),
      aliases: bundle
        .array("source_aliases")
        .map((item, index) => parseAlias(item, `source_aliases[${index}]`)),
      events,
      claimedState: optional(bundle, "state", (fields, key) => fields.object(key).value),
    };
  };

  function parseAlias(value, path) {
    const alias = pith.fieldsOf(value, path);
    const createdAt = alias.required("created_at");
    return {
      kind: alias.token("alias_kind"),
      value: alias.token("alias_value"),
      createdAt: createdAt === null ? null : instantAt(alias, "created_at"),
    };
  }

  /** Compute digest and Pith Number of a bundle's record; both null where this browser cannot. */
  pith.addressed = async function (bundle) {
    const { record } = bundle;
    const digest = await pith.canonicalDigest(record.json);
    return { ...bundle, record: { ...record, digest, pithNumber: numberOf(record, digest) } };
  };

  function numberOf(record, digest) {
    if (digest === null) {
      return null;
    }
    const suffix = pith.deriveSuffix(digest);
    // The year as written: `submitted_at` is UTC.
    const year = record.submittedAt.text.slice(0, 4);
    const short = `pith:${suffix.slice(0, 8)}`;
    return { year: Number(year), suffix, short, text: `pith:${year}:${suffix}` };
  }

  // ---- The receipt (part 2) ----

  /** Read the receipt of a `record_created` payload; its signature is not yet checked. */
  pith.parseReceipt = function (value, subject) {
    const receipt = pith.fieldsOf(value, subject);
    receipt.constant("kind", "pith_receipt");
    receipt.constant("algorithm", "ed25519");
    return {
      json: receipt.value,
      keyId: receipt.token("key_id"),
      signedAt: instantAt(receipt, "signed_at"),
      signature: signatureAt(receipt, "signature_b64"),
    };
  };

  // ---- Events (parts 4, 7 and 8) ----

  /** Tell the type an item of `events` claims, shortened; an empty text if it claims none. */
  pith.eventTypeOf = function (value) {
    const kind = value instanceof Map ? value.get("event_type") : undefined;
    return typeof kind === "string" ? pith.shorten(kind, TYPE_SHOWN) : "";
  };

  /** Read an event of any type but `pith.integrity.v1`; absent optional fields are null. */
  pith.parseEvent = function (value, path) {
    const event = pith.fieldsOf(value, path);
    return {
      json: event.value,
      eventType: event.token("event_type"),
      subject: event.token("subject_pith_number"),
      target: event.token("target"),
      payload: event.object("payload").value,
      createdAt: optional(event, "created_at", instantAt),
      signer: optional(event, "signer", signerAt),
      eventId: optional(event, "event_id", eventIdAt),
      signature: optional(event, "signature_b64", signatureAt),
    };
  };

  function signerAt(event, key) {
    const signer = event.object(key);
    return {
      json: signer.value,
      signerId: signer.token("signer_id"),
      signerType: signer.token("signer_type"),
      keyId: signer.token("key_id"),
      fingerprint: signer.token("public_key_fingerprint"),
    };
  }

  function eventIdAt(event, key) {
    const text = event.text(key);
    return EVENT_ID.test(text)
      ? text
      : refuse(event.at(key), "sha256:<64 hex digits>", pith.quote(text));
  }

  /** Read an integrity event (part 7); `event_id` and `created_at` are not signed, so not read. */
  pith.parseIntegrityEvent = function (value, path) {
    const event = pith.fieldsOf(value, path);
    event.constant("event_type", pith.INTEGRITY);
    const payload = event.object("payload");
    requireIntegrityKeys(payload);
    payload.constant("event_type", pith.INTEGRITY);
    return {
      json: event.value,
      payload: payload.value,
      payloadDigest: digestAt(event, "payload_sha256"),
      evidenceDigest: digestAt(payload, "evidence_hash"),
      signature: signatureAt(event, "signature_b64"),
      keyId: event.token("signing_key_id"),
      arxivId: payload.token("arxiv_id"),
      auditedAt: instantAt(payload, "audited_at"),
      detector: payload.token("detector"),
      findingType: payload.token("finding_type"),
      severity: oneOf(payload, "severity", SEVERITIES),
      verdictClass: oneOf(payload, "verdict_class", VERDICT_CLASSES),
    };
  };

  function requireIntegrityKeys(payload) {
    const missing = INTEGRITY_PAYLOAD_KEYS.filter((key) => !payload.value.has(key));
    const added = [...payload.value.keys()].filter((key) => !INTEGRITY_PAYLOAD_KEYS.includes(key));
    if (missing.length + added.length === 0) {
      return;
    }
    const first = [...missing, ...added].sort(pith.compareText)[0];
    const found = `${pith.quote(first)} ${missing.includes(first) ? "missing" : "added"}`;
    refuse(payload.path, "the 19 keys of an integrity payload", found);
  }

  function oneOf(payload, key, allowed) {
    const text = payload.text(key);
    return allowed.includes(text)
      ? text
      : refuse(payload.at(key), `one of ${allowed.join(", ")}`, pith.quote(text));
  }

  // ---- The graph snapshot (part 6) ----

  // Where only the length of a list stands in the snapshot, its digest can be checked for the empty
  // list alone. Name, key of the length, key of the list.
  const LISTS = [
    ["claims", "count", "items"],
    ["references", "count", "sample"],
    ["formal_canon", "evidence_count", null],
    ["author_claims", "count", null],
  ];
  const textAt = (fields, key) => fields.text(key);

  /** Read the payload of a `graph_snapshot` event; its digests are not yet checked. */
  pith.parseSnapshot = function (event, path) {
    const snapshot = new pith.Fields(`${path}.payload`, event.payload).object("graph_snapshot");
    const paper = snapshot.object("paper");
    return {
      json: snapshot.value,
      paper: {
        title: paper.text("title"),
        authorsText: optional(paper, "authors_text", textAt),
        abstractExcerpt: optional(paper, "abstract_excerpt", textAt),
        abstract: optional(paper, "abstract", textAt),
      },
      sections: parseSections(snapshot),
    };
  };

  function parseSections(snapshot) {
    const sections = LISTS.filter(([name]) => snapshot.value.has(name)).map(([name, ...keys]) =>
      parseListSection(snapshot.object(name), name, ...keys)
    );
    // An older snapshot has no integrity section.
    const integrity = optional(snapshot, "integrity", (fields, key) =>
      parseIntegritySection(fields.object(key), key)
    );
    return integrity === null ? sections : [...sections, integrity];
  }

  function parseListSection(section, name, countKey, itemsKey) {
    const count = section.integer(countKey);
    const preimage = itemsKey === null ? [] : section.array(itemsKey);
    const claimed = digestAt(section, "snapshot_sha256");
    return { name, claimed, preimage, count, listed: preimage.length };
  }

  function parseIntegritySection(section, name) {
    const preimage = new Map([
      ["detectors", section.array("detectors_run")],
      ["findings", section.array("findings")],
    ]);
    const claimed = digestAt(section, "snapshot_sha256");
    return { name, claimed, preimage, count: 0, listed: 0 };
  }
})((globalThis.PithMirror ??= {}));
