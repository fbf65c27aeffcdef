// Asks the search files of the site. They are scripts that call back with their content, since a
// page from a disk can load scripts and nothing else. docs/formats/search.md has the format.
(function (pith) {
  "use strict";
  const search = (pith.search ??= {});

  const BLOCK_LENGTH = 250; // records
  // A short prefix is in many shards; whoever types on needs fewer of them.
  const SHARDS_OF_A_PREFIX = 8;
  const FIELDS = ["t", "a", "c"]; // in the order of their weight: title, authors, names
  const pending = new Map(); // path -> promise of what the file said
  const received = new Map(); // path -> what the file said

  search.table = (table) => received.set(table.prefix === "" ? "index.js" : `t/t-${table.prefix}.js`, table);
  search.words = (key, entries) => received.set(`w/w-${key}.js`, entries);
  search.records = (number, rows) => received.set(`r/${number}.js`, rows);

  /** Load a search file, once. */
  function load(path) {
    if (!pending.has(path)) {
      const loaded = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = path;
        script.addEventListener("load", () => resolve(received.get(path)));
        script.addEventListener("error", () => reject(new Error(path)));
        document.head.append(script);
      });
      // What could not be loaded may be there when it is asked for again.
      loaded.catch(() => pending.delete(path));
      pending.set(path, loaded);
    }
    return pending.get(path);
  }

  const related = (code) => (key) => code.startsWith(key) || key.startsWith(code);

  /** Name the shards that may hold words with a code, or with codes that begin with it. */
  async function shardsFor(code) {
    const first = await load("index.js");
    const tables = first.tables === undefined
      ? [first]
      : await Promise.all(first.tables.filter(related(code)).slice(0, SHARDS_OF_A_PREFIX).map((prefix) => load(`t/t-${prefix}.js`)));
    const keys = tables.flatMap((table) => table.shards).filter(related(code));
    return { keys: keys.slice(0, SHARDS_OF_A_PREFIX), left: keys.length > SHARDS_OF_A_PREFIX };
  }

  /** Add the record numbers of an entry to what was found of a word: number -> best field. */
  function addEntry(found, entry) {
    FIELDS.forEach((field, weight) => {
      let number = 0;
      for (const step of Object.hasOwn(entry, field) ? entry[field] : []) {
        number += step;
        found.records.set(number, Math.min(weight, found.records.get(number) ?? weight));
      }
    });
    found.cut ||= Object.hasOwn(entry, "n");
  }

  /** Find the records of a word, or of every word that begins like it: {records, cut}. */
  async function recordsOf(word, { prefix }) {
    const code = prefix ? search.codeOf(word) : search.fullCodeOf(word);
    const { keys, left } = await shardsFor(code);
    const found = { records: new Map(), cut: left };
    for (const entries of await Promise.all(keys.map((key) => load(`w/w-${key}.js`)))) {
      const words = prefix
        ? Object.keys(entries).filter((name) => name.startsWith(word))
        : [word].filter((name) => Object.hasOwn(entries, name));
      words.forEach((name) => addEntry(found, entries[name]));
    }
    return found;
  }

  /** Keep the records that every word has, the best field first, then the newest. */
  function intersect(parts) {
    const [first, ...others] = [...parts].sort((a, b) => a.records.size - b.records.size);
    const scored = [];
    for (const [number, weight] of first.records) {
      if (others.every((part) => part.records.has(number))) {
        scored.push([others.reduce((sum, part) => sum + part.records.get(number), weight), number]);
      }
    }
    scored.sort(([a, m], [b, n]) => a - b || n - m);
    return scored.map(([, number]) => number);
  }

  /** Find the numbers of records that have all words of a text; the last word may be unfinished. */
  search.find = async function (text) {
    const words = search.wordsOf(text);
    if (words.length === 0) {
      return { numbers: [], cut: false };
    }
    const unfinished = /[\p{L}\p{N}]\s*$/u.test(text);
    const last = words.length - 1;
    const parts = await Promise.all(
      words.map((word, index) => recordsOf(word, { prefix: unfinished && index === last })),
    );
    return { numbers: intersect(parts), cut: parts.some((part) => part.cut) };
  };

  /** Fetch the rows of records by their numbers, in this order. */
  search.rows = async function (numbers) {
    const blocks = numbers.map((number) => load(`r/${Math.floor(number / BLOCK_LENGTH)}.js`));
    const loaded = await Promise.all(blocks);
    return numbers.map((number, index) => rowOf(loaded[index][number % BLOCK_LENGTH]));
  };

  function rowOf([suffix, title, authors, authorCount, date, arxivId, category, verdict, warnings]) {
    return { suffix, title, authors, authorCount, date, arxivId, category, verdict, warnings };
  }

  const withoutVersion = (id) => id.toLowerCase().replace(/v[0-9]+$/, "").replace(/^([a-z-]+)\.[a-z]{2}\//, "$1/");

  function isNamed(row, { kind, name, version }) {
    if (kind === "pith") {
      return row.suffix.startsWith(name);
    }
    const own = Number(/v([0-9]+)$/.exec(row.arxivId)?.[1] ?? 0);
    return withoutVersion(row.arxivId) === name && (version === 0 || version === own);
  }

  /** Find the records that an identifier names; a DOI that arXiv did not give names none here. */
  search.lookUp = async function (identifier) {
    if (identifier.kind === "doi") {
      return [];
    }
    // A short form is the beginning of one word; the parts of an arXiv id are whole words.
    const end = identifier.kind === "pith" ? "" : " ";
    const { numbers } = await search.find(identifier.name + end);
    const rows = await search.rows(numbers.slice(0, BLOCK_LENGTH));
    return rows.filter((row) => isNamed(row, identifier));
  };
})((globalThis.PithMirror ??= {}));
