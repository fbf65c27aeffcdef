// Several bundles of one record: which bytes a mirror would serve, and their state. The rules are
// in docs/formats/state.md, Several bundles of one record.
(function (pith) {
  "use strict";

  const encoder = new TextEncoder();

  /** Say which events a part gives: all, or of a bundle with a failed check the verified ones. */
  function offered(part, whole) {
    const { bundle, events } = part.report.verified;
    const given = whole ? bundle.events : verifiedEvents(events).map((event) => event.json);
    const keys = new Set(given.map(pith.canonicalJson));
    return { part, whole, bundle, events: given, keys };
  }

  const verifiedEvents = (events) => events.filter((event) => event.outcome === "verified");

  /** Spell the union of parts as bytes that anyone gets from the same events. */
  function spellUnion(offers) {
    const own = offers.map((offer) => pith.withoutEvents(offer.bundle));
    const united = new Map(pith.smallest(own, pith.spellingOf, pith.compareSpellings));
    const chosen = new Map();
    for (const event of offers.flatMap((offer) => offer.events)) {
      const spelling = pith.spellingOf(event);
      const present = chosen.get(spelling[0]);
      if (present === undefined || pith.compareSpellings(spelling, present.spelling) < 0) {
        chosen.set(spelling[0], { spelling, event });
      }
    }
    const listed = [...chosen.values()].sort(compareListed);
    united.set("events", listed.map((item) => item.event));
    return encoder.encode(pith.compactJson(united));
  }

  /** The creation comes first, then the smallest canonical JSON. */
  function compareListed(left, right) {
    const [mine, other] = [left, right].map(({ event }) =>
      event instanceof Map && event.get("event_type") === "record_created" ? 0 : 1
    );
    return mine - other || pith.compareText(left.spelling[0], right.spelling[0]);
  }

  function compareBytes(left, right) {
    const length = Math.min(left.length, right.length);
    for (let index = 0; index < length; index += 1) {
      if (left[index] !== right[index]) {
        return left[index] - right[index];
      }
    }
    return left.length - right.length;
  }

  const compareParts = (left, right) =>
    compareBytes(left.bytes, right.bytes) || pith.compareText(left.name, right.name);

  /** Find a sound part that holds every event of the others, or null. */
  function wholePart(offers) {
    const union = new Set(offers.flatMap((offer) => [...offer.keys]));
    const whole = offers.filter((offer) => offer.whole && offer.keys.size === union.size);
    return whole.length === 0 ? null : whole.map((offer) => offer.part).sort(compareParts)[0];
  }

  function mostVerified(left, right) {
    const [mine, other] = [left, right].map(
      (part) => verifiedEvents(part.report.verified.events).length
    );
    return other - mine || compareBytes(left.bytes, right.bytes);
  }

  /**
   * Choose or make the bundle that a mirror serves for a record found in several files.
   * `parts` are `{name, bytes, report}` of admitted bundles of one record; gives such a part, with
   * an empty name where the union was spelled anew.
   */
  pith.servedPart = async function (parts, trust) {
    const sound = parts.filter((part) => part.report.verdict !== "checks failed");
    const whole = new Set(sound.length > 0 ? sound : parts);
    const offers = parts.map((part) => offered(part, whole.has(part)));
    const served = wholePart(offers);
    if (served !== null) {
      return served;
    }
    const bytes = spellUnion(offers);
    const report = await pith.checkAll(bytes, trust);
    // Anyone can blow up a union until it is over a bound; then the best part is served.
    return report.verified === null
      ? [...parts].sort(mostVerified)[0]
      : { name: "", bytes, report };
  };
})((globalThis.PithMirror ??= {}));
