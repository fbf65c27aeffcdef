// The drop zone of /verify/: every check of every bundle that is dropped, and the merge of those
// that are of one record. Files are read where they are; this page may open no connection (its CSP).
(function (pith) {
  "use strict";

  const FILES_MAX_COUNT = 100;
  const { make, fill, valueOf, outcomeMark, checksTable, drawn } = pith.view;
  const encoder = new TextEncoder();

  /** What stands in the page: words and trust from its data block, and the places to fill. */
  function readPage() {
    const data = JSON.parse(document.getElementById("drop-data").textContent);
    const [status, files, states] = ["status", "files", "states"].map((name) =>
      document.getElementById(`drop-${name}`)
    );
    return { ...data, status, files, states, names: new Map() };
  }

  // ---- Getting at the bytes ----

  /** Read a file: {name, bytes}, or {name, problem} in words. */
  async function readFile(file, words) {
    const limit = pith.LIMITS.bundleMaxLength;
    if (file.size > limit) {
      const values = { n: file.size, limit };
      return { name: file.name, problem: fill(words.too_large, values) };
    }
    try {
      return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
    } catch {
      // A folder, a file that has gone, or one that may not be read.
      return { name: file.name, problem: words.unreadable };
    }
  }

  /** List what was dropped or pasted: files, and a problem for each folder. */
  function itemsOf(transfer, words) {
    const files = [];
    for (const item of transfer.items) {
      const file = item.kind === "file" ? item.getAsFile() : null;
      const folder = item.kind === "file" && item.webkitGetAsEntry?.()?.isDirectory;
      if (folder) {
        files.push({ name: file?.name ?? "", problem: words.folder });
      } else if (file !== null) {
        files.push(file);
      }
    }
    return files;
  }

  // ---- Showing ----

  function article(name, outcome, words) {
    const title = make("h3", {}, make("bdi", {}, name));
    const shown = make("article", { class: "checked" }, title);
    if (outcome !== null) {
      shown.append(make("p", { class: "word" }, outcomeMark(outcome, words)));
    }
    return shown;
  }

  function showProblem({ name, problem }, page) {
    const shown = article(name, null, page.words);
    shown.append(make("p", { class: "problem" }, problem));
    page.files.append(shown);
  }

  function showReport(part, page, alone) {
    const { report, name } = part;
    const shown = article(name, report.verdict, page.words);
    if (report.pithNumber !== null) {
      shown.append(make("p", {}, valueOf(numberOf(report))));
    }
    if (report.missing) {
      shown.append(make("p", { class: "problem" }, page.words[`no_${report.missing}`]));
    }
    shown.append(make("p", {}, page.words.verdicts[report.verdict]));
    const count = make("summary", {}, fill(page.words.checks, { n: report.checks.length }));
    const table = make("details", {}, count, ...checksTable(report.checks, page.words));
    // Of several files only what needs a look stands open.
    table.open = alone || report.checks.some((check) => check.outcome === "failed");
    shown.append(table);
    page.files.append(shown);
  }

  const numberOf = (report) => String(report.pithNumber);

  function facts(rows) {
    const entries = rows.map(([label, value]) =>
      make("div", {}, make("dt", {}, label), make("dd", {}, valueOf(String(value))))
    );
    return make("dl", { class: "facts" }, ...entries);
  }

  /** Make a button that saves a text as a file; the text goes nowhere else. */
  function saveButton(label, name, text) {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      make("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 0);
    });
    return button;
  }

  function showState(parts, served, { words, states }) {
    const { merged } = served.report;
    const suffix = merged.state.pithNumber.split(":").at(-1);
    const title = fill(words.state_of, { number: merged.state.pithNumber });
    const shown = article(title, served.report.verdict, words);
    const count = (key) => merged.json.get(key);
    const names = parts.map((part) => part.name).join(", ");
    const one = served.name === "" ? words.united : fill(words.served, { name: served.name });
    shown.append(make("p", {}, parts.length > 1 ? fill(words.merged_from, { names }) : names));
    shown.append(parts.length > 1 ? make("p", { class: "note" }, one) : "");
    shown.append(
      facts([
        ["state_sha256", merged.digest],
        ...words.counts.map(([key, label]) => [label, count(key)]),
      ])
    );
    const head = make("summary", {}, "state.json");
    const text = make("pre", { tabindex: "0" }, make("code", {}, merged.text));
    shown.append(saveButton(words.save, `${suffix}.state.json`, merged.text));
    shown.append(make("details", {}, head, text));
    states.append(shown);
  }

  // ---- The work ----

  /** Merge the admitted parts of each record, in the order of their Pith Numbers. */
  async function showStates(parts, page) {
    page.states.replaceChildren();
    const groups = new Map();
    for (const part of parts.filter(({ report }) => report.merged !== null)) {
      const number = numberOf(part.report);
      groups.set(number, [...(groups.get(number) ?? []), part]);
    }
    for (const number of [...groups.keys()].sort(pith.compareText)) {
      await showGroup(number, groups.get(number), page);
    }
  }

  async function showGroup(number, parts, page) {
    const size = parts.reduce((sum, part) => sum + part.bytes.length, 0);
    if (size > page.united_max_length) {
      const problem = fill(page.words.too_many_bytes, { n: size, limit: page.united_max_length });
      page.states.append(make("p", { class: "problem" }, `${number}: ${problem}`));
      return;
    }
    showState(parts, await pith.servedPart(parts, page.trust), page);
    await drawn();
  }

  /** Number a name that was there before, so that two files called bundle.json are told apart. */
  function distinct(name, names) {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  }

  /** Read, check and show one item; gives the part to merge, or null. */
  async function checkItem(item, page, alone) {
    const read = item instanceof Blob ? await readFile(item, page.words) : { ...item };
    read.name = distinct(read.name, page.names);
    if (read.problem !== undefined) {
      showProblem(read, page);
      return null;
    }
    page.status.textContent = fill(page.words.checking, { name: read.name });
    await drawn();
    const report = await pith.checkAll(read.bytes, page.trust, read.name);
    const part = { ...read, report };
    showReport(part, page, alone);
    return part;
  }

  /** Check items one after the other, then merge all that has been checked so far. */
  async function checkItems(items, page, parts) {
    if (items.length === 0) {
      page.status.textContent = page.words.nothing;
      return;
    }
    for (const item of items.slice(0, FILES_MAX_COUNT)) {
      const part = await checkItem(item, page, items.length === 1);
      if (part !== null) {
        parts.push(part);
      }
    }
    await showStates(parts, page);
    const over = items.length - FILES_MAX_COUNT;
    const left = over > 0 ? fill(page.words.too_many, { n: over }) : "";
    const done = fill(page.words.done, { n: items.length - Math.max(over, 0) });
    page.status.textContent = [done, left].filter((text) => text !== "").join(" ");
  }

  function start() {
    const page = readPage();
    const parts = [];
    let queue = Promise.resolve();
    const enqueue = (items) => {
      queue = queue
        .then(() => checkItems(items, page, parts))
        .catch((error) => {
          page.status.textContent = fill(page.words.broken, { reason: String(error) });
        });
    };
    listen(document.getElementById("drop"), page, enqueue);
    document.getElementById("drop-clear").addEventListener("click", () => {
      queue = queue.then(() => {
        parts.length = 0;
        page.names.clear();
        [page.files, page.states, page.status].forEach((place) => place.replaceChildren());
      });
    });
  }

  function listen(zone, page, enqueue) {
    const input = document.getElementById("drop-input");
    input.addEventListener("change", () => {
      enqueue([...input.files]);
      input.value = ""; // so that the same file can be chosen again
    });
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      enqueue(itemsOf(event.dataTransfer, page.words));
    });
    // A file that misses the zone must not replace the page.
    for (const kind of ["dragover", "drop"]) {
      document.addEventListener(kind, (event) => event.preventDefault());
    }
    document.addEventListener("paste", (event) => {
      const files = itemsOf(event.clipboardData, page.words);
      const text = event.clipboardData.getData("text/plain");
      if (files.length > 0) {
        enqueue(files);
      } else if (text.trimStart().startsWith("{")) {
        enqueue([{ name: page.words.pasted, bytes: encoder.encode(text) }]);
      }
    });
    zone.hidden = false;
  }

  start();
})((globalThis.PithMirror ??= {}));
