// Buttons that copy: one on every <pre class="whole">. Without this script each text is still
// selected by one click. The words come from the page; nothing leaves the browser.
(function () {
  "use strict";

  const SHOWN = 3000; // milliseconds for which a button says what it did

  /** Make an element with a class and a text. */
  function make(name, className, text) {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
  }

  /** Select the text of a block, so that the reader can copy it by hand. */
  function select(code) {
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  /** Copy a selection the old way: pages from plain http have no clipboard interface. */
  function copySelected(code) {
    select(code);
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    }
  }

  /** Copy the text of a block; tells whether it is in the clipboard now. */
  async function copy(code) {
    if (window.isSecureContext && navigator.clipboard) {
      try {
        await navigator.clipboard.writeText(code.textContent);
        return true;
      } catch {
        // Refused by the reader or by the browser's policy.
      }
    }
    return copySelected(code);
  }

  /** Put a button on a block, and what it did into the status line. */
  function addButton(pre, words, status) {
    const frame = make("div", "copyable", "");
    const button = make("button", "copy", words.copy);
    const label = pre.getAttribute("aria-label") ?? "";
    button.type = "button";
    button.setAttribute("aria-label", words.name.replace("{label}", () => label));
    button.addEventListener("click", async () => {
      const copied = await copy(pre.firstElementChild ?? pre);
      status.textContent = copied ? words.copied : words.selected;
      button.textContent = copied ? words.copied : words.copy;
      window.setTimeout(() => {
        button.textContent = words.copy;
        status.textContent = "";
      }, SHOWN);
    });
    pre.replaceWith(frame);
    frame.append(pre, button);
  }

  const data = document.getElementById("copy-words");
  if (data === null) {
    return;
  }
  const words = JSON.parse(data.textContent);
  const status = make("p", "unseen", "");
  status.setAttribute("role", "status");
  data.after(status);
  for (const pre of document.querySelectorAll("pre.whole")) {
    addButton(pre, words, status);
  }
})();
