// The page for what is not there, on a compact mirror: other names of records (arxiv/…, doi/…, p/…)
// have no pages of their own there, so it leads on to the search for the name in the address.
(function () {
  "use strict";

  const LABELS = { arxiv: "arXiv:", doi: "doi:", p: "pith:" };
  const NAME = /^(arxiv|doi|p)\/(.+?)\/?(?:index\.html)?$/;

  /** Read the name out of the path below the mirror; null for any other address. */
  function nameIn(path) {
    try {
      const match = NAME.exec(decodeURIComponent(path));
      return match === null ? null : LABELS[match[1]] + match[2];
    } catch {
      return null; // not an encoded text at all
    }
  }

  const block = document.getElementById("find-name");
  if (block === null) {
    return;
  }
  const { base, search } = JSON.parse(block.textContent);
  const root = new URL(base).pathname;
  const name = location.pathname.startsWith(root) ? nameIn(location.pathname.slice(root.length)) : null;
  if (name !== null) {
    // On the host where the page is, which may be another copy of the configured one.
    location.replace(`${root}${search}?${new URLSearchParams({ q: name })}`);
  }
})();
