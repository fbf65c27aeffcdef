"""Pages on which much is said: statements, citation lists and the two pictures, in Chromium."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext
from selectolax.lexbor import LexborHTMLParser

from tests.browser.conftest import NuChecker
from tests.browser.test_pages import open_and_watch, without_redirects
from tests.statement_bundles import bundle, citation, every_kind, headers_of, numbered, say
from tests.vectors.builders import (
    AUTHOR,
    OPERATOR,
    OTHER,
    PAPER,
    Json,
    compact,
    record_of,
    sealed,
    signed,
    suffix_of,
)
from tests.vectors.reading import CONFIGURATION

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("told_site")]

ROOT = Path(__file__).resolve().parent.parent.parent
HOSTILE = "</title></svg><script>alert(1)</script>\u202e\u200b" + "W" * 300
TOLD, WITHDRAWN, TWICE = PAPER, OTHER, numbered(1)
TIMELINE, NEIGHBOURHOOD = "#events ~ svg.picture", "#citations ~ svg.picture"


def hostile_bundle() -> Json:
    """Make a record of which every signer says the worst that the rules allow."""
    paper = TWICE
    replication = {
        "kind": "falsification",
        "outcome": "refuted",
        "url": "https://lab.example/" + "a" * 1_900,
        "system": HOSTILE,
        "note": HOSTILE,
    }
    event = signed(
        {
            **say("x" * 256, {}, paper=paper, day=19),
            "event_type": "w" * 256,
        },
        created_at="2026-05-30T10:00:00.000000001Z",
    )
    references = [{"doi": f"10.1000/{number}{'W' * 190}"} for number in range(150)]
    return bundle(
        say(
            "author_attestation",
            {"author_name": HOSTILE, "statement": HOSTILE},
            key=AUTHOR,
            paper=paper,
        ),
        say("replication", replication, key=OPERATOR, paper=paper),
        say("citation", citation(PAPER, note=HOSTILE), paper=paper),
        sealed({k: v for k, v in event.items() if k not in {"event_id", "signature_b64"}}),
        paper=paper,
        references=references,
    )


@pytest.fixture(scope="session")
def told_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example registry with every kind of event, links both ways, and hostile words."""
    folder = tmp_path_factory.mktemp("told")
    withdrawal = say(
        "withdrawal", {"about": "record", "reason": "The proof is wrong."}, paper=OTHER, day=25
    )
    bundles = {
        "every-kind": every_kind(),
        "withdrawn": bundle(withdrawal, paper=OTHER),
        "hostile": hostile_bundle(),
        **{
            f"citing-{number}": bundle(
                say("citation", citation(PAPER, "uses_method"), paper=numbered(number)),
                paper=numbered(number),
            )
            for number in range(2, 12)
        },
    }
    (folder / "bundles").mkdir()
    for name, value in bundles.items():
        (folder / "bundles" / f"{name}.json").write_bytes(compact(value))
    text = CONFIGURATION.read_text(encoding="utf-8").replace(
        "[mirror]\n", "[mirror]\nexample_registry = true\n"
    )
    trust = '\n[trust]\nblock_headers = "headers.txt"\n\n[thresholds]\nalias_added = 2\n'
    (folder / "mirror.toml").write_text(text + trust, encoding="utf-8")
    (folder / "headers.txt").write_bytes(headers_of(100))
    command = [sys.executable, "-m", "generator", "build", "--bundles", str(folder / "bundles")]
    finished = subprocess.run(
        [*command, "--config", str(folder / "mirror.toml"), "--site", str(folder / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return folder / "site"


def page_path(site: Path, paper: object = TOLD) -> Path:
    """Give the record page of a paper."""
    assert paper in (TOLD, WITHDRAWN, TWICE)
    return site / "pith" / suffix_of(record_of(paper)) / "index.html"


def test_told_pages_pass_the_nu_checker(nu_checker: NuChecker, told_site: Path) -> None:
    """The Nu HTML checker finds no error on pages with statements, lists and pictures."""
    assert nu_checker.errors("--skip-non-html", paths=[told_site]) == []


def test_told_pages_open_without_javascript(plain: BrowserContext, told_site: Path) -> None:
    """Each page has one heading and fits its window, whatever signers wrote, and asks nobody."""
    root = told_site.as_uri() + "/"
    wrong, asked = open_and_watch(plain, (urljoin(root, p) for p in without_redirects(told_site)))
    assert wrong == []
    assert {address.split(":")[0] for address in asked} <= {"file", "data"}


@pytest.mark.parametrize("width", [320, 390, 1_000])
@pytest.mark.parametrize("paper", [TOLD, WITHDRAWN, TWICE], ids=["told", "withdrawn", "hostile"])
def test_told_page_fits_its_window(
    width: int, paper: object, plain: BrowserContext, told_site: Path
) -> None:
    """No page has to be scrolled sideways, and each picture stands inside its column."""
    tab = plain.new_page()
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(page_path(told_site, paper).as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    pictures = tab.locator("svg.picture")
    assert pictures.count() >= 1
    for index in range(pictures.count()):
        box = pictures.nth(index).bounding_box()
        assert box is not None
        assert box["width"] > 200
        assert box["height"] > 20
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_pictures_have_names(plain: BrowserContext, told_site: Path) -> None:
    """A screen reader finds both pictures as images with a name that says what they show."""
    tab = plain.new_page()
    tab.goto(page_path(told_site).as_uri())
    timeline = tab.get_by_role("img", name=re.compile(r"^\d+ events with a signed time, from "))
    linked = tab.get_by_role(
        "img", name=re.compile(r"^Citations of pith:[A-Z2-7]{8}: cited by 11 records")
    )
    assert (timeline.count(), linked.count()) == (1, 1)
    assert timeline.is_visible()
    assert linked.is_visible()


def test_pictures_say_nothing_that_is_not_in_words(told_site: Path) -> None:
    """Every record in the neighbourhood is in a list, every row of the timeline in the table."""
    tree = LexborHTMLParser(page_path(told_site).read_text(encoding="utf-8"))
    lists = " ".join(node.text() for node in tree.css("ul.citations"))
    names = [node.text() for node in tree.css(f"{NEIGHBOURHOOD} text.id")]
    assert len(names) > 6
    own = suffix_of(record_of(TOLD))[:8]
    assert [name for name in names if name.rstrip("…") not in lists and name != own] == []
    dots = tree.css(f"{TIMELINE} circle")
    assert 2 < len(dots) <= len(tree.css("table.events tbody tr"))


@pytest.mark.parametrize("paper", [TOLD, WITHDRAWN, TWICE], ids=["told", "withdrawn", "hostile"])
def test_labels_stay_inside_their_picture(
    paper: object, scripted: BrowserContext, told_site: Path
) -> None:
    """Whatever stands in a label, no text leaves the box of its picture."""
    tab = scripted.new_page()
    tab.goto(page_path(told_site, paper).as_uri())
    outside = tab.evaluate(
        """() => [...document.querySelectorAll('svg.picture text')].filter(text => {
            const box = text.getBBox(), all = text.ownerSVGElement.viewBox.baseVal;
            return box.x < 0 || box.y < 0 || box.x + box.width > all.width
                || box.y + box.height > all.height;
        }).map(text => text.textContent)"""
    )
    assert outside == []


def test_pictures_follow_the_colour_scheme(chromium: Browser, told_site: Path) -> None:
    """Lines and texts of a picture take the colours of the page, light or dark."""
    colours = []
    for scheme in ("light", "dark"):
        context = chromium.new_context(color_scheme=scheme)
        tab = context.new_page()
        tab.goto(page_path(told_site).as_uri())
        colours.append(
            tab.evaluate(
                """() => ['circle', 'text', 'line'].map(name => {
                    const style = getComputedStyle(document.querySelector(`svg.picture ${name}`));
                    return `${style.fill} ${style.stroke}`;
                })"""
            )
        )
        context.close()
    light, dark = colours
    assert all(one != other for one, other in zip(light, dark, strict=True))


def test_pictures_are_bounded_and_inert(told_site: Path) -> None:
    """A picture has no script, no style attribute, no link, and no more than its share of marks."""
    tree = LexborHTMLParser(page_path(told_site, TWICE).read_text(encoding="utf-8"))
    pictures = tree.css("svg.picture")
    assert len(pictures) == 2
    for picture in pictures:
        assert picture.css("script, a, image, use, foreignObject, [style], [onload]") == []
        assert len(picture.css("circle, line, text")) < 120
        assert all(
            re.fullmatch(r"\d+", node.attributes.get(name) or "0")
            for node in picture.css("circle, line, text")
            for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r")
        )
    # Only data for the verifier, which no browser runs.
    assert tree.css('main script:not([type="application/json"])') == []


def test_links_on_a_told_page_lead_somewhere(told_site: Path) -> None:
    """Every place on the page that a statement names is there; every other link is web or site."""
    for paper in (TOLD, WITHDRAWN, TWICE):
        path = page_path(told_site, paper)
        tree = LexborHTMLParser(path.read_text(encoding="utf-8"))
        ids = {node.attributes["id"] for node in tree.css("[id]")}
        targets = [node.attributes["href"] or "" for node in tree.css("main a[href]")]
        assert [t for t in targets if t.startswith("#") and t[1:] not in ids] == []
        local = [t for t in targets if not t.startswith(("#", "http://", "https://"))]
        assert [t for t in local if not (path.parent / t.split("#")[0]).is_file()] == []


def test_withdrawn_record_says_so_before_its_title(plain: BrowserContext, told_site: Path) -> None:
    """A reader who sees the title has seen that the record was withdrawn."""
    tab = plain.new_page()
    tab.goto(page_path(told_site, WITHDRAWN).as_uri())
    banner = tab.get_by_role("complementary", name="Withdrawal")
    assert "The proof is wrong." in banner.inner_text()
    box, title = banner.bounding_box(), tab.locator("h1").bounding_box()
    assert box is not None
    assert title is not None
    assert box["y"] < title["y"] < 900
