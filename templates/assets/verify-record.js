// The button "Check this record in your browser". Only this file is loaded with the page; the
// checks themselves (bundle-*.js, verify-*.js) are loaded when someone asks for them.
(function (pith) {
  "use strict";

  /** Load a classic script of this site; rejects with its address if it cannot be loaded. */
  function load({ path, integrity }) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = path;
      script.async = false;
      if (integrity) {
        script.integrity = integrity;
      }
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(path)));
      document.head.append(script);
    });
  }

  /** Make the button and the empty list, which has to be there before its items are announced. */
  function build(place, words) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.button;
    const list = document.createElement("ol");
    list.className = "steps";
    list.setAttribute("aria-live", "polite");
    list.setAttribute("aria-label", words.steps);
    const end = document.createElement("p");
    end.setAttribute("role", "status");
    place.append(button, list, end);
    return { button, list, end };
  }

  /** Check the record once; whatever goes wrong is said in the page. */
  async function run(page, parts) {
    parts.button.setAttribute("aria-disabled", "true");
    parts.list.replaceChildren();
    parts.end.textContent = page.words.running;
    try {
      if (!page.loaded) {
        await Promise.all(page.scripts.map(load));
        Object.assign(page.words, pith.words);
        page.loaded = true;
      }
      await pith.checkRecord(page, parts);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      parts.end.textContent = page.words.broken.replace("{reason}", () => reason);
    }
    parts.button.removeAttribute("aria-disabled");
  }

  const place = document.getElementById("self-check");
  const block = document.getElementById("self-check-data");
  if (place === null || block === null) {
    return;
  }
  const page = JSON.parse(block.textContent);
  const parts = build(place, page.words);
  parts.button.addEventListener("click", () => {
    // A button that is disabled loses the focus; this one only says that it does nothing now.
    if (parts.button.getAttribute("aria-disabled") === null) {
      run(page, parts);
    }
  });
})((globalThis.PithMirror ??= {}));
