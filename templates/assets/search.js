// The search page: what is typed is looked up as an identifier and searched for in titles, authors,
// names, and, where there is a full-text index, abstracts. Nothing is sent anywhere.
(function (pith) {
  "use strict";
  const { search } = pith;

  const SHOWN = 25; // results at once
  const DELAY = 150; // ms without a key until the search begins
  const ABSTRACTS = 10; // further results from the full-text index

  const form = document.getElementById("search-form");
  const block = document.getElementById("search-data");
  if (form === null || block === null) {
    return;
  }
  const page = JSON.parse(block.textContent);
  const parts = {
    box: form.elements.namedItem("q"),
    status: document.getElementById("search-status"),
    named: document.getElementById("search-named"),
    results: document.getElementById("search-results"),
    more: document.getElementById("search-more"),
    abstracts: document.getElementById("search-abstracts"),
  };
  let asked = 0; // only the answer to the last question is shown

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  const addressOf = (suffix) => `../pith/${suffix}/index.html`;

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...children);
    return element;
  }

  /** Copy a mark that the page holds, such as that of a verdict. */
  function mark(kind, word) {
    const template = document.querySelector(`template[data-${kind}="${CSS.escape(word)}"]`);
    return template === null ? word : template.content.cloneNode(true);
  }

  const bdi = (text) => make("bdi", { lang: "" }, text);

  function authorsLine({ authors, authorCount }) {
    const line = make("p", { class: "note by" });
    authors.forEach((name, index) => line.append(index === 0 ? "" : ", ", bdi(name)));
    const more = authorCount - authors.length;
    line.append(more > 0 ? ` ${fill(page.words.more_authors, { n: more })}` : "");
    return line;
  }

  function dateOf(date) {
    return make("time", { datetime: date }, date);
  }

  /** Make the entry of a record, as in every other list of this site. */
  function entryOf(row) {
    const href = addressOf(row.suffix);
    const link = make("a", { class: "title", href }, row.title === "" ? row.suffix : bdi(row.title));
    const line = make("p", { class: "line" });
    row.warnings.forEach((word) => line.append(mark("warning", word), " "));
    line.append(row.title === "" ? make("span", {}, page.words.untitled) : "", " ");
    line.append(make("span", {}, row.arxivId), " ", dateOf(row.date), " ");
    line.append(make("span", {}, row.category), " ", mark("verdict", row.verdict), " ");
    line.append(make("code", {}, row.suffix));
    return make("li", {}, link, row.authors.length > 0 ? authorsLine(row) : "", line);
  }

  /** Say what an identifier names: a record of this mirror, or nothing here. */
  function showNamed(identifier, rows) {
    parts.named.replaceChildren();
    if (identifier === null) {
      return;
    }
    if (rows.length > 0) {
      const list = make("ol", { class: "records" }, ...rows.map(entryOf));
      parts.named.append(make("p", { class: "note" }, page.words.named), list);
      return;
    }
    const absent = make("p", {}, page.words.not_here);
    if (page.registry !== null && identifier.kind === "pith" && identifier.name.length === 26) {
      const href = `${page.registry.url}pith/${identifier.name}`;
      const link = make("a", { href, rel: "external" }, fill(page.words.ask, { name: page.registry.name }));
      absent.append(" ", link);
    }
    parts.named.append(absent);
  }

  /** Add the next results to the list. */
  async function showMore(found, question) {
    const from = parts.results.children.length;
    const rows = await search.rows(found.numbers.slice(from, from + SHOWN));
    if (question !== asked) {
      return;
    }
    parts.results.append(...rows.map(entryOf));
    parts.more.hidden = parts.results.children.length >= found.numbers.length;
    parts.more.onclick = async () => {
      await showMore(found, question);
      parts.results.children[from + SHOWN]?.querySelector("a").focus();
    };
  }

  function countText(found, rows) {
    const { words } = page;
    const text = fill(words.found, { n: Math.max(found.numbers.length, rows.length) });
    return found.cut ? `${text} ${words.cut}` : text;
  }

  /** Ask the full-text index, if the site has one and the page came from a server. */
  async function askFullText(text) {
    if (!page.full_text || !location.protocol.startsWith("http") || text === "") {
      return [];
    }
    page.pagefind ??= import(new URL("../pagefind/pagefind.js", location.href).href);
    const pagefind = await page.pagefind;
    const { results } = await pagefind.search(text);
    return Promise.all(results.slice(0, ABSTRACTS + SHOWN).map((result) => result.data()));
  }

  const suffixIn = (url) => /pith\/([A-Z2-7]{26})\//.exec(url)?.[1];

  /** Show an excerpt as text; the words that were found are marked. */
  function excerptOf(html) {
    const excerpt = make("p", { class: "note" });
    const parsed = new DOMParser().parseFromString(html, "text/html");
    for (const node of parsed.body.childNodes) {
      const text = node.textContent ?? "";
      excerpt.append(node.nodeName === "MARK" ? make("mark", {}, text) : text);
    }
    return excerpt;
  }

  function showAbstracts(hits, known) {
    const others = hits.filter(({ url }) => suffixIn(url) !== undefined && !known.has(suffixIn(url)));
    parts.abstracts.hidden = others.length === 0;
    const list = parts.abstracts.querySelector("ol");
    list.replaceChildren(
      ...others.slice(0, ABSTRACTS).map(({ url, meta, excerpt }) => {
        const suffix = suffixIn(url);
        const link = make("a", { class: "title", href: addressOf(suffix) }, bdi(meta.title || suffix));
        return make("li", {}, link, excerptOf(excerpt));
      }),
    );
  }

  /** Answer what stands in the box; a later question makes this one void. */
  async function answer() {
    const question = ++asked;
    const text = parts.box.value.trim();
    remember(text);
    const identifier = text === "" ? null : search.identifierOf(text);
    const rows = identifier === null ? [] : await search.lookUp(identifier);
    // What an identifier names is the answer; else its parts may be words.
    const typed = rows.length > 0 ? "" : parts.box.value.trimStart();
    const found = await search.find(typed);
    if (question !== asked) {
      return [];
    }
    showNamed(identifier, rows);
    parts.results.replaceChildren();
    parts.abstracts.hidden = true;
    await showMore(found, question);
    parts.status.textContent = text === "" ? "" : countText(found, rows);
    const first = await search.rows(found.numbers.slice(0, 250));
    // An identifier has no other forms that a full-text index could find.
    const hits = await askFullText(identifier === null ? text : "").catch(() => []);
    if (question === asked) {
      showAbstracts(hits, new Set([...first, ...rows].map((row) => row.suffix)));
    }
    return rows;
  }

  /** Keep the question in the address, so that it can be sent and bookmarked. */
  function remember(text) {
    const address = new URL(location.href);
    address.search = text === "" ? "" : new URLSearchParams({ q: text }).toString();
    try {
      history.replaceState(null, "", address);
    } catch {
      // Pages of a disk may not change their address.
    }
  }

  function complain(error) {
    parts.status.textContent = fill(page.words.broken, { file: error.message });
    return [];
  }

  let timer = 0;
  parts.box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => answer().catch(complain), DELAY);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(timer);
    const rows = await answer().catch(complain);
    if (rows.length === 1) {
      location.assign(addressOf(rows[0].suffix));
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]") !== null;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      parts.box.focus();
    }
  });
  parts.box.value = new URLSearchParams(location.search).get("q") ?? "";
  if (parts.box.value !== "") {
    answer().catch(complain);
  }
})((globalThis.PithMirror ??= {}));
