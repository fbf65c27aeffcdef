"""The checks that readers make in their browser: the button of a record page, and /verify/."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page, Route, expect

from generator.formats.canonical import parse_json_object

pytestmark = [
    pytest.mark.browser,
    pytest.mark.loopback,
    pytest.mark.xdist_group("built_site"),
]

RECORD = "pith/25YK7L2RIECSQVFXE2XY6P4TVQ/"
BUTTON = "Check this record in your browser"
NO_ED25519 = """
const refuse = () => Promise.reject(new DOMException("not here", "NotSupportedError"));
SubtleCrypto.prototype.importKey = refuse;
SubtleCrypto.prototype.generateKey = refuse;
SubtleCrypto.prototype.verify = refuse;
"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page that may not throw, nor log an error, in any test here."""
    context = chromium.new_context()
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert errors == []


def press_button(page: Page) -> None:
    """Reach the button with the tab key and press it, as a reader without a mouse does."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == BUTTON:
            page.keyboard.press("Enter")
            return
    pytest.fail("the tab key never reaches the button")


def ending(page: Page) -> Locator:
    """The sentence in which the check of a record page ends."""
    return page.locator("#self-check [role=status]")


def check_record(page: Page, address: str, *, by_keyboard: bool = True) -> list[str]:
    """Open a record page, press the button, wait for the end; give the text of each step."""
    page.goto(address)
    if by_keyboard:
        press_button(page)
    else:
        page.get_by_role("button", name=BUTTON).click()
    expect(ending(page)).to_contain_text(re.compile("in this browser|stopped"))
    return page.locator("#self-check > ol > li").all_inner_texts()


def step_of(steps: list[str], title: str) -> str:
    """Give the text of the one step with a title."""
    (step,) = [text for text in steps if text.startswith(title)]
    return step


def copy_of(site: Path, folder: Path) -> Path:
    """Copy what one record page needs to a folder; give the page."""
    shutil.copytree(site / "assets", folder / "assets")
    shutil.copytree(site / RECORD, folder / RECORD)
    return folder / RECORD / "index.html"


def change(path: Path, old: str, new: str) -> None:
    """Replace a text that must occur in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def values_of(record: Path) -> dict[str, str]:
    """Read what a check has to show, from the files of a record."""
    state = parse_json_object((record / "state.json").read_bytes(), subject="state.json")
    bundle = parse_json_object((record / "bundle.json").read_bytes(), subject="bundle.json")
    return {
        "Digest it": str(bundle["canonical_sha256"]),
        "Derive the Pith Number": str(bundle["pith_number"]),
        "Take the key": "8d4b5ee74e4693bcd1df2446408b0d54",
        "Merge the events": str(state["state_sha256"]),
    }


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_button_walks_to_the_end_with_the_right_values(
    page: Page, built_site: Path, served_site: str, scheme: str
) -> None:
    """From a disk and from a server, by keyboard alone, each step shows its value and its mark."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    base = served_site if scheme == "http" else f"{built_site.as_uri()}/"
    steps = check_record(page, f"{base}{RECORD}index.html")
    for title, value in values_of(built_site / RECORD).items():
        assert value in step_of(steps, title)
        assert "✓ verified" in step_of(steps, title)
    assert "✓ verified" in step_of(steps, "Check the receipt’s signature")
    assert "○ not checkable" in step_of(steps, "Check an event\nevents[1] graph_snapshot")
    expect(ending(page)).to_contain_text("Nothing failed in this browser")
    assert all(url.startswith(base) for url in requests)
    fetched = {url.removeprefix(base) for url in requests if url.endswith(".json")}
    here = {f"{RECORD}bundle.json", f"{RECORD}state.json"}
    assert fetched == (here if scheme == "http" else set())


def test_every_real_record_checks_without_failure(page: Page, built_site: Path) -> None:
    """On each page of the built site, opened from a disk, nothing fails.

    The state is merged wherever the page had room for the bundle; elsewhere the page says so.
    """
    pages = sorted(built_site.glob("pith/*/index.html"))
    assert len(pages) == 16
    merged = 0
    for path in pages:
        steps = check_record(page, path.as_uri(), by_keyboard=False)
        if 'id="self-check-bundle"' in path.read_text(encoding="utf-8"):
            expect(ending(page)).to_contain_text("Nothing failed in this browser")
            assert "✓ verified" in step_of(steps, "Merge the events"), path
            merged += 1
        else:
            expect(ending(page)).to_contain_text("its receipt verified in this browser")
            expect(ending(page)).to_contain_text("drop bundle.json on the verification page")
    assert merged


def test_sentence_agrees_with_the_verdict_of_the_mirror(page: Page, demo_site: Path) -> None:
    """In the example registry the browser finds a failure where the mirror did, and only there."""
    sentences = {
        "verified": "Everything verified",
        "partly-checkable": "Nothing failed in this browser",
        "checks-failed": "The record itself verified in this browser",
    }
    base = "https://mirror.test/"

    def serve(route: Route) -> None:
        route.fulfill(path=demo_site / route.request.url.removeprefix(base))

    page.route(f"{base}**", serve)
    seen = set()
    for path in sorted(demo_site.glob("pith/*/index.html"))[::3]:
        address = base + path.relative_to(demo_site).as_posix()
        steps = check_record(page, address, by_keyboard=False)
        classes = page.locator("section.verdict").get_attribute("class") or ""
        (verdict,) = [name for name in sentences if name in classes.split()]
        expect(ending(page)).to_contain_text(sentences[verdict])
        assert "✓ verified" in step_of(steps, "Merge the events")
        seen.add(verdict)
    assert seen == set(sentences)


def test_without_javascript_there_is_no_button(plain: BrowserContext, built_site: Path) -> None:
    """A page that cannot check anything offers no button, and says what would make it one."""
    tab = plain.new_page()
    tab.goto((built_site / RECORD / "index.html").as_uri())
    assert tab.locator("#self-check button").count() == 0
    assert "With JavaScript" in tab.locator("#self-check noscript p").inner_text()


def test_button_moves_nothing_when_it_appears(page: Page, built_site: Path) -> None:
    """The place of the button is kept free: making it moves nothing below it."""
    path = (built_site / RECORD / "index.html").as_uri()
    place = "document.querySelector('#record').getBoundingClientRect().top + scrollY"
    page.route("**/verify-record.*.js", lambda route: route.abort())
    page.goto(path)
    before = page.evaluate(place)
    page.unroute("**/verify-record.*.js")
    page.goto(path)
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    assert page.evaluate(place) == before


def test_page_with_another_hash_fails(page: Page, built_site: Path, tmp_path: Path) -> None:
    """A page that shows another hash than its record's is found out."""
    path = copy_of(built_site, tmp_path)
    digest = values_of(built_site / RECORD)["Digest it"]
    change(path, f"<code>{digest}</code>", f"<code>{'0' * 64}</code>")
    steps = check_record(page, path.as_uri())
    assert "✗ failed" in step_of(steps, "Digest it")
    assert "0" * 64 in step_of(steps, "Digest it")
    expect(ending(page)).to_contain_text("Do not rely on this page")


def test_page_with_another_record_fails(page: Page, built_site: Path, tmp_path: Path) -> None:
    """A record changed everywhere in the page has another digest, and its receipt fails."""
    path = copy_of(built_site, tmp_path)
    change(path, "cond-mat.mtrl-sci", "cond-mat.soft")
    steps = check_record(page, path.as_uri())
    assert "✗ failed" in step_of(steps, "Digest it")
    assert "✗ failed" in step_of(steps, "Check the receipt’s signature")
    assert not any(text.startswith("Check an event") for text in steps)
    expect(ending(page)).to_contain_text("Do not rely on this page")


def test_page_with_another_state_fails(page: Page, built_site: Path, tmp_path: Path) -> None:
    """A page that claims another state than its events give is found out."""
    path = copy_of(built_site, tmp_path)
    change(path, values_of(built_site / RECORD)["Merge the events"], "1" * 64)
    steps = check_record(page, path.as_uri())
    assert "✗ failed" in step_of(steps, "Merge the events")


def test_served_bundle_that_was_changed_fails(
    page: Page, built_site: Path, served_site: str
) -> None:
    """Where there is a server, the bundle that it serves is checked, and not a copy in the page."""
    body = (built_site / RECORD / "bundle.json").read_bytes()
    changed = body.replace(b"2017-04-18T10:06:23Z", b"2017-04-18T10:06:24Z")
    assert changed != body
    page.route("**/bundle.json", lambda route: route.fulfill(body=changed))
    steps = check_record(page, f"{served_site}{RECORD}index.html")
    assert "✗ failed" in step_of(steps, "Digest it")
    expect(ending(page)).to_contain_text("Do not rely on this page")


def test_served_state_that_was_changed_fails(
    page: Page, built_site: Path, served_site: str
) -> None:
    """A state.json that differs in one byte from the state merged here is found out."""
    body = (built_site / RECORD / "state.json").read_bytes()
    page.route("**/state.json", lambda route: route.fulfill(body=body + b" "))
    steps = check_record(page, f"{served_site}{RECORD}index.html")
    assert "✗ failed" in step_of(steps, "Merge the events")
    assert "other bytes" in step_of(steps, "Merge the events")


def test_bundle_that_is_no_json_fails_at_the_first_step(page: Page, served_site: str) -> None:
    """What cannot be read ends the check there, with no mark for any later step."""
    page.route("**/bundle.json", lambda route: route.fulfill(body='{"bundle_type":'))
    steps = check_record(page, f"{served_site}{RECORD}index.html")
    assert len(steps) == 1
    assert "✗ failed" in step_of(steps, "Read the bundle")


@pytest.mark.parametrize("what", ["bundle.json", "state.json", "checks.*.js"])
def test_what_cannot_be_loaded_is_said_in_the_page(page: Page, served_site: str, what: str) -> None:
    """A file that is not there ends the check in words, and the button can be pressed again."""
    page.route(f"**/{what}", lambda route: route.fulfill(status=404))
    check_record(page, f"{served_site}{RECORD}index.html")
    expect(ending(page)).to_contain_text("The check stopped")
    page.unroute(f"**/{what}")
    page.keyboard.press("Enter")
    expect(ending(page)).to_contain_text("Nothing failed in this browser")


def test_without_ed25519_no_signature_gets_a_mark(page: Page, built_site: Path) -> None:
    """A browser without Ed25519 says so, checks the rest, and marks no signature as verified."""
    page.add_init_script(NO_ED25519)
    steps = check_record(page, (built_site / RECORD / "index.html").as_uri())
    assert "✓ verified" in step_of(steps, "Digest it")
    assert "✓ verified" in step_of(steps, "Derive the Pith Number")
    for step in (
        text for text in steps if text.startswith(("Check the receipt", "Check an event"))
    ):
        assert "○ not checkable" in step
        assert "✓" not in step
    assert "this browser has no Ed25519" in step_of(steps, "Check the receipt’s signature")
    assert not any(text.startswith("Merge the events") for text in steps)
    expect(ending(page)).to_contain_text("This browser has no Ed25519")


def test_page_without_its_bundle_checks_the_record_and_says_so(page: Page, demo_site: Path) -> None:
    """A page with no room for its bundle proves its record from a disk, and names what is left."""
    pages = sorted(demo_site.glob("pith/*/index.html"))
    without = [path for path in pages if 'id="self-check-bundle"' not in path.read_text("utf-8")]
    assert without
    steps = check_record(page, without[0].as_uri())
    for title in ("Spell the record", "Digest it", "Derive", "Take the key", "Check the receipt"):
        assert "✓ verified" in step_of(steps, title)
    assert len(steps) == 5
    expect(ending(page)).to_contain_text("does not hold the events of this record")


# ---- /verify/ ----


@pytest.fixture
def drop(page: Page, built_site: Path) -> Iterator[Page]:
    """The verification page, opened from a disk; it may ask for nothing once it is loaded."""
    page.goto((built_site / "verify" / "index.html").as_uri())
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    yield page
    # The icon belongs to the page; browsers ask for it when they have time.
    assert [url for url in requests if not re.search(r"^blob:|/icon\.\w+\.svg$", url)] == []


def choose(page: Page, *files: Path | tuple[str, bytes]) -> None:
    """Choose files with the file input, and wait until they are checked."""
    given = [(file.name, file.read_bytes()) if isinstance(file, Path) else file for file in files]
    named: list[FilePayload] = [
        {"name": name, "mimeType": "application/json", "buffer": data} for name, data in given
    ]
    page.get_by_label("Bundle files").set_input_files(named)
    expect(page.locator("#drop-status")).to_contain_text("Files checked")


def file_text(page: Page, name: str) -> str:
    """Give what the page says of one file."""
    article = page.locator("#drop-files > article").filter(
        has=page.get_by_role("heading", name=name, exact=True)
    )
    return article.inner_text()


def test_dropped_files_get_the_verdicts_of_the_mirror(drop: Page, built_site: Path) -> None:
    """A real, a changed and a broken bundle are told apart; only the real one has a state."""
    real = (built_site / RECORD / "bundle.json").read_bytes()
    changed = real.replace(b"2017-04-18T10:06:23Z", b"2017-04-18T10:06:24Z")
    choose(drop, ("real.json", real), ("changed.json", changed), ("broken.json", real[:-9]))
    assert "◐ partly checkable" in file_text(drop, "real.json")
    assert "✗ not published" in file_text(drop, "changed.json")
    assert "content address" in file_text(drop, "changed.json")
    assert "✗ not published" in file_text(drop, "broken.json")
    assert "size and strict JSON" in file_text(drop, "broken.json")
    assert drop.locator("#drop-states > article").count() == 1


def test_table_has_the_rows_of_the_mirrors_report(drop: Page, built_site: Path) -> None:
    """The table of one file has a row for each check, as many as the record's page lists."""
    choose(drop, built_site / RECORD / "bundle.json")
    steps = drop.locator("#drop-files tbody th").all_inner_texts()
    record = (built_site / RECORD / "index.html").read_text("utf-8")
    table = record[record.index('<table class="checks">') :].split("</table>")[0]
    assert steps == re.findall(r'<th scope="row">(V[0-9]+)</th>', table)


def test_saved_state_is_the_mirrors_byte_for_byte(drop: Page, built_site: Path) -> None:
    """Two copies of one record are merged, and the state that is saved is state.json itself."""
    bundle = built_site / RECORD / "bundle.json"
    choose(drop, bundle, bundle)
    state = drop.locator("#drop-states > article")
    assert values_of(bundle.parent)["Merge the events"] in state.inner_text()
    assert "bundle.json, bundle.json (2)" in state.inner_text()
    with drop.expect_download() as download:
        drop.get_by_role("button", name="Save state.json").click()
    assert download.value.suggested_filename == "25YK7L2RIECSQVFXE2XY6P4TVQ.state.json"
    saved = Path(download.value.path()).read_bytes()
    assert saved == (bundle.parent / "state.json").read_bytes()


def test_parts_dropped_one_after_the_other_are_united(drop: Page, built_site: Path) -> None:
    """Two parts of a record that came at two times give the state of the whole."""
    bundle = json.loads((built_site / RECORD / "bundle.json").read_bytes())
    first = {**bundle, "events": bundle["events"][:1]}
    choose(drop, ("first.json", json.dumps(first).encode()))
    assert values_of(built_site / RECORD)["Merge the events"] not in drop.inner_text("#drop-states")
    choose(drop, ("whole.json", json.dumps(bundle).encode()))
    expect(drop.locator("#drop-states")).to_contain_text(
        values_of(built_site / RECORD)["Merge the events"]
    )
    expect(drop.locator("#drop-states")).to_contain_text("whole.json holds every event")


_DROP = """
(zone, files) => {
    const transfer = new DataTransfer();
    for (const [name, size, text] of files) {
        const data = text === null ? new Uint8Array(size) : atob(text);
        transfer.items.add(new File([data], name));
    }
    zone.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
}
"""


def test_files_can_be_dropped_and_large_ones_are_not_read(drop: Page, built_site: Path) -> None:
    """A file dropped on the zone is checked; one over the bound is refused in words."""
    text = base64.b64encode((built_site / RECORD / "bundle.json").read_bytes()).decode()
    files = [["good.json", 0, text], ["large.json", 9 * 1024 * 1024, None]]
    drop.locator("#drop").evaluate(_DROP, files)
    expect(drop.locator("#drop-status")).to_contain_text("Files checked")
    assert "◐ partly checkable" in file_text(drop, "good.json")
    assert "It was not read" in file_text(drop, "large.json")


def test_text_of_a_bundle_can_be_pasted(drop: Page, built_site: Path) -> None:
    """The text of a bundle on the clipboard is checked like a file."""
    text = (built_site / RECORD / "bundle.json").read_text("utf-8")
    drop.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
        }""",
        text,
    )
    expect(drop.locator("#drop-status")).to_contain_text("Files checked: 1.")
    assert "◐ partly checkable" in file_text(drop, "pasted text")


def test_hostile_names_and_texts_stay_text(drop: Page, built_site: Path) -> None:
    """Markup in a file's name or in a bundle is shown as it is and makes no element."""
    bundle = json.loads((built_site / RECORD / "bundle.json").read_bytes())
    bundle["pith_number"] = "<img src=x onerror=alert(1)>"
    choose(drop, ("<b>bold</b>.json", json.dumps(bundle).encode()))
    assert "<b>bold</b>.json" in drop.inner_text("#drop-files")
    assert "<img src=x" in drop.inner_text("#drop-files")
    assert drop.locator("#drop-files img, #drop-files bdi b").count() == 0


def test_clear_forgets_what_was_dropped(drop: Page, built_site: Path) -> None:
    """After Clear nothing is shown, and nothing from before is merged."""
    choose(drop, built_site / RECORD / "bundle.json")
    drop.get_by_role("button", name="Clear").click()
    expect(drop.locator("#drop-files > article")).to_have_count(0)
    expect(drop.locator("#drop-states > article")).to_have_count(0)


def test_page_may_open_no_connection(page: Page, served_site: str) -> None:
    """The policy of the verification page refuses every connection, also to its own host."""
    page.goto(f"{served_site}verify/index.html")
    answer = page.evaluate("fetch('../index.html').then(() => 'sent', () => 'refused')")
    assert answer == "refused"


def test_without_javascript_the_way_by_hand_remains(
    plain: BrowserContext, built_site: Path
) -> None:
    """Without scripts no dead form is shown; the sentence and the way by hand are."""
    tab = plain.new_page()
    tab.goto((built_site / "verify" / "index.html").as_uri())
    expect(tab.locator("#drop")).to_be_hidden()
    assert "needs JavaScript" in tab.locator(".drop-place noscript p").inner_text()
    for anchor in ("by-hand", "steps", "outcomes"):
        expect(tab.locator(f"#{anchor}")).to_be_visible()
