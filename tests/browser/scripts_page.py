"""A page on the disk that loads the verifier's scripts as they stand in `templates/assets/`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from generator.check_script import PARTS
from generator.formats.canonical import JsonValue
from generator.resources import templates_folder

# In the order in which a page runs them.
VERIFIER_SCRIPTS = tuple(name for name in PARTS if name.startswith("bundle-"))

# One file with all items, cut in the page: far faster than texts through the driver's protocol. The
# answers come back as one text for the same reason.
_FOR_EACH = """
async ([lengths, given]) => {{
    const all = new Uint8Array(await document.querySelector("input").files[0].arrayBuffer());
    const each = {function};
    const answers = [];
    let start = 0;
    for (const length of lengths) {{
        answers.push(await each(all.slice(start, start + length), given));
        start += length;
    }}
    return JSON.stringify(answers);
}}
"""


@dataclass(frozen=True, slots=True)
class ScriptsPage:
    """An open page, and the folder from which it may be given bytes."""

    page: Page
    folder: Path

    def each(self, function: str, items: Iterable[bytes], given: JsonValue = None) -> list[Any]:
        """Run one function of the page on many byte strings.

        Args:
            function: a JavaScript function of bytes and `given`; it may be async.
            items: what it is called with, one after the other.
            given: what else it needs, such as the trust.

        Returns:
            What it gave, in the order of `items`.
        """
        listed = list(items)
        path = self.folder / "items.bin"
        path.write_bytes(b"".join(listed))
        self.page.set_input_files("input", path)
        program = _FOR_EACH.format(function=function)
        lengths = [len(item) for item in listed]
        answers: list[Any] = json.loads(self.page.evaluate(program, [lengths, given]))
        assert len(answers) == len(listed)
        return answers


def open_scripts(
    context: BrowserContext,
    folder: Path,
    names: Iterable[str] = VERIFIER_SCRIPTS,
    *,
    before: str = "",
) -> ScriptsPage:
    """Open a `file:` page that loads scripts.

    Args:
        context: a browser context; the page is closed with it.
        folder: where the page is written.
        names: files of `templates/assets/`, in the order of loading.
        before: JavaScript that runs before them, to take something away from the browser.

    Returns:
        The page, its scripts run without an error.
    """
    assets = templates_folder() / "assets"
    scripts = "".join(f'<script defer src="{(assets / name).as_uri()}"></script>' for name in names)
    path = folder / "scripts.html"
    head = '<!doctype html><meta charset="utf-8"><title>t</title><input type="file">'
    path.write_text(f"{head}{scripts}", encoding="utf-8")
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(before)
    page.goto(path.as_uri())
    assert errors == []
    return ScriptsPage(page, folder)


@pytest.fixture(scope="module")
def verifier(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptsPage]:
    """The page with all scripts of the verifier, one for all tests of a module."""
    context = chromium.new_context()
    yield open_scripts(context, tmp_path_factory.mktemp("verifier"))
    context.close()
