"""copy.js: a button on every text to copy, from a server and from a disk, and none without it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.loopback,
    pytest.mark.xdist_group("built_site"),
]

RECORD = "pith/25YK7L2RIECSQVFXE2XY6P4TVQ/"
PLACE = "document.querySelector('#record').getBoundingClientRect().top + scrollY"
# Reading the clipboard needs a permission that pages from a disk cannot be given; so what a page
# puts there is pasted into a field.
PASTE = """() => {
  const field = document.createElement("textarea");
  field.id = "pasted";
  document.body.append(field);
  field.focus();
}"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page that may not throw in any test here."""
    context = chromium.new_context()
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert errors == []


def pasted(page: Page) -> str:
    """Give what a paste into a field of the page puts there."""
    page.evaluate(PASTE)
    page.keyboard.press("Control+V")
    return page.locator("#pasted").input_value()


def copy_bibtex(page: Page) -> None:
    """Press the button of the BibTeX text with the keyboard, and wait for what it says."""
    button = page.get_by_role("button", name="Copy: BibTeX", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_text("Copied")
    expect(page.locator("#copy-words + [role=status]")).to_have_text("Copied")


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_button_copies_the_whole_text(
    page: Page, built_site: Path, served_site: str, scheme: str
) -> None:
    """From a disk and from a server the clipboard holds the BibTeX entry, to the last brace."""
    base = served_site if scheme == "http" else f"{built_site.as_uri()}/"
    page.goto(f"{base}{RECORD}index.html")
    copy_bibtex(page)
    expected = (built_site / RECORD / "cite.bib").read_text(encoding="utf-8").rstrip("\n")
    assert pasted(page) == expected


def test_button_copies_without_the_clipboard_interface(page: Page, built_site: Path) -> None:
    """Where the browser has no clipboard interface, as on plain http, the old way copies."""
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto((built_site / RECORD / "index.html").as_uri())
    copy_bibtex(page)
    expected = (built_site / RECORD / "cite.bib").read_text(encoding="utf-8").rstrip("\n")
    assert pasted(page) == expected


def test_text_is_selected_where_nothing_can_be_copied(page: Page, built_site: Path) -> None:
    """Where both ways are refused the text is selected, and the page says what to press."""
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.execCommand = () => false"
    )
    page.goto((built_site / RECORD / "index.html").as_uri())
    page.get_by_role("button", name="Copy: BibTeX", exact=True).click()
    status = page.locator("#copy-words + [role=status]")
    expect(status).to_have_text("Selected; press Ctrl+C to copy")
    assert page.evaluate("getSelection().toString()").startswith("@misc{pith25YK7L2RIECS")


def test_every_text_to_copy_has_a_button_with_its_name(page: Page, built_site: Path) -> None:
    """LaTeX lines, badges and commands have buttons too, each with a name of its own."""
    page.goto((built_site / RECORD / "index.html").as_uri())
    labels = page.locator("pre.whole").evaluate_all(
        "blocks => blocks.map(block => 'Copy: ' + block.getAttribute('aria-label'))"
    )
    names = page.locator(".copyable > button").evaluate_all(
        "buttons => buttons.map(button => button.getAttribute('aria-label'))"
    )
    assert names == labels
    assert {"Copy: BibTeX", "Copy: LaTeX lines", "Copy: Shell command"} <= set(names)


def test_buttons_move_nothing_when_they_appear(page: Page, built_site: Path) -> None:
    """Their place is kept free: with and without the script all stands where it stood."""
    path = (built_site / RECORD / "index.html").as_uri()
    page.route("**/copy.*.js", lambda route: route.abort())
    page.goto(path)
    before = page.evaluate(PLACE)
    page.unroute("**/copy.*.js")
    page.goto(path)
    expect(page.locator(".copyable").first).to_be_visible()
    assert page.evaluate(PLACE) == before


def test_without_javascript_there_is_no_button(plain: BrowserContext, built_site: Path) -> None:
    """Without a script the texts and the files are there, and no button that does nothing."""
    tab = plain.new_page()
    tab.goto((built_site / RECORD / "index.html").as_uri())
    assert tab.locator("button.copy").count() == 0
    assert tab.locator("#code-cite-1").inner_text().startswith("@misc{")
    assert tab.locator('a[href="cite.ris"]').is_visible()
