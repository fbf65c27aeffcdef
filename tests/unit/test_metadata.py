"""metadata.py, linkset.py, _head.html, _card.html: what pages tell machines, and what not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from generator import layout
from generator.config import Canonical, Configuration, Presentation, PreviewImages, Upstream
from generator.linkset import linkset_json
from generator.metadata import article_json_ld, canonical_address, record_head
from generator.pages import ContentPage
from generator.record_files import build_record
from generator.render import Renderer
from generator.site_frame import prepare_resources, site_frame
from tests import schema_org
from tests.factories import TEMPLATES, TEST_MIRROR, known_of, report_on, suffix_of
from tests.statement_bundles import bundle, say
from tests.vectors.builders import PAPER, Json, bundle_of, bundle_with, creation_of, record_of

RESOURCES = prepare_resources([TEMPLATES], TEST_MIRROR)
BASE = "https://mirror.test/pith/"
REGISTRY = Upstream("registry.test", "https://registry.test/")
PAGE = layout.record_page(suffix_of())
BARE = bundle_with(record_of(PAPER), [creation_of(record_of(PAPER))])
HOSTILE = "</script><script>alert(1)</script>\"><b> & \u2028 'x"


def mirror(
    *,
    base_url: str = BASE,
    upstream: bool = True,
    canonical: Canonical = Canonical.REGISTRY,
    example: bool = False,
    previews: PreviewImages = PreviewImages.SITE,
) -> Configuration:
    """Configure a mirror."""
    return replace(
        TEST_MIRROR,
        base_url=base_url,
        upstreams=(REGISTRY,) if upstream else (),
        example_registry=example,
        presentation=Presentation(canonical=canonical, preview_images=previews),
    )


def page_of(data: Json, configuration: Configuration) -> LexborHTMLParser:
    """Render the page of a record."""
    renderer = Renderer([TEMPLATES], site_frame(configuration, RESOURCES))
    unit = build_record(
        report_on(data, configuration=configuration),
        configuration=configuration,
        renderer=renderer,
    )
    (page,) = [file for file in unit.files if file.path.endswith("/index.html")]
    return LexborHTMLParser(page.data)


def metas(page: LexborHTMLParser) -> dict[str, list[str]]:
    """Give the contents of the meta elements by name or property."""
    found: dict[str, list[str]] = {}
    for node in page.css("head meta"):
        name = node.attributes.get("name") or node.attributes.get("property") or ""
        found.setdefault(name, []).append(node.attributes.get("content") or "")
    return found


def links(page: LexborHTMLParser, relation: str) -> list[str]:
    """Give the targets of the link elements with a relation."""
    return [
        node.attributes["href"] or ""
        for node in page.css("head link")
        if relation in (node.attributes.get("rel") or "").split()
    ]


def json_ld_of(page: LexborHTMLParser) -> list[dict[str, Any]]:
    """Read the JSON-LD of a page."""
    return [json.loads(node.text()) for node in page.css('script[type="application/ld+json"]')]


CANONICAL = (
    (mirror(), f"https://registry.test/pith/{suffix_of()}"),
    (mirror(base_url=""), f"https://registry.test/pith/{suffix_of()}"),
    (mirror(canonical=Canonical.MIRROR), f"{BASE}pith/{suffix_of()}/"),
    (mirror(canonical=Canonical.MIRROR, base_url=""), ""),
    (mirror(upstream=False), f"{BASE}pith/{suffix_of()}/"),
    (mirror(example=True), f"{BASE}pith/{suffix_of()}/"),
    (mirror(example=True, base_url=""), ""),
)


@pytest.mark.parametrize(("configuration", "address"), CANONICAL)
def test_canonical_address_follows_the_policy(configuration: Configuration, address: str) -> None:
    """The registry's page is canonical unless there is none, or the operator says otherwise."""
    assert canonical_address(suffix_of(), configuration) == address
    page = page_of(bundle_of(), configuration)
    assert links(page, "canonical") == ([address] if address else [])
    assert metas(page).get("og:url", []) == ([address] if address else [])


def test_json_ld_is_valid_and_says_what_is_known() -> None:
    """A ScholarlyArticle with title, authors, date, licence, identifiers and the same elsewhere."""
    (article,) = json_ld_of(page_of(bundle_of(), mirror()))
    assert schema_org.faults(article) == []
    assert article["@type"] == "ScholarlyArticle"
    assert article["headline"] == article["name"]
    assert article["name"].endswith("in the Schrödinger picture")
    names = [author["name"] for author in article["author"]]
    assert names == ["Ada Q. Testova", "Hervé Exemplaire", "J. M. Sample"]
    assert article["datePublished"] == "2023-05-02"
    assert article["license"] == PAPER.license
    assert {row["propertyID"]: row["value"] for row in article["identifier"]} == {
        "Pith Number": f"pith:2023:{suffix_of()}",
        "arXiv": "2305.01234v2",
        "DOI": "10.48550/arxiv.2305.01234",
    }
    assert article["sameAs"] == [
        "https://doi.org/10.48550/arxiv.2305.01234",
        "https://arxiv.org/abs/2305.01234v2",
    ]
    record = article["subjectOf"]
    assert "title proven" in record["description"]
    assert "authors not proven: a signer says so" in record["description"]
    assert record["distribution"]["contentUrl"] == f"{BASE}pith/{suffix_of()}/bundle.json"


@pytest.mark.parametrize("base_url", [BASE, ""])
@pytest.mark.parametrize("withdrawn", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_json_ld_is_valid_whatever_is_known(base_url: str, *, withdrawn: bool, whole: bool) -> None:
    """Without title, authors, addresses, or with a withdrawal, no property is wrong or empty."""
    events = [say("withdrawal", {"about": "record", "reason": "Wrong."})] if withdrawn else []
    data = bundle(*events) if whole else BARE
    article = article_json_ld(known_of(data), mirror(base_url=base_url, upstream=False))
    assert schema_org.faults(json.loads(json.dumps(article))) == []
    assert ("name" in article) == whole
    status = json.loads(json.dumps(article))["subjectOf"].get("creativeWorkStatus")
    assert status == ("withdrawn" if withdrawn and whole else None)


def test_checker_of_json_ld_finds_faults() -> None:
    """The table of schema.org refuses unknown types and properties, and values of a wrong type."""
    article = json.loads(json.dumps(article_json_ld(known_of(bundle_of()), mirror())))
    broken: tuple[tuple[str, Any], ...] = (
        ("@type", "Paper"),
        ("titel", "x"),
        ("datePublished", "May"),
        ("author", "Ada"),
        ("sameAs", "no url"),
        ("distribution", []),
        ("@context", "x"),
    )
    for name, value in broken:
        assert schema_org.faults({**article, name: value}), name


def test_scholar_tags_are_those_that_google_scholar_asks_for() -> None:
    """Title, one tag an author, the date with slashes, and no address of a PDF."""
    found = {
        name: value
        for name, value in metas(page_of(bundle_of(), mirror())).items()
        if name.startswith("citation_")
    }
    assert found == {
        "citation_title": ["Deterministic merging of signed event sets in the Schrödinger picture"],
        "citation_author": ["Ada Q. Testova", "Hervé Exemplaire", "J. M. Sample"],
        "citation_publication_date": ["2023/05/02"],
        "citation_arxiv_id": ["2305.01234"],
        "citation_doi": ["10.48550/arxiv.2305.01234"],
        "citation_abstract_html_url": ["https://arxiv.org/abs/2305.01234v2"],
    }


def test_unproven_title_is_told_to_no_machine() -> None:
    """Where no title is proven there are no Scholar tags and no name in the JSON-LD."""
    page = page_of(BARE, mirror())
    assert not any(name.startswith("citation_") for name in metas(page))
    (article,) = json_ld_of(page)
    assert "name" not in article
    assert metas(page)["og:title"] == ["Record of arxiv:2305.01234 v2"]


def test_invented_records_are_told_to_no_harvester() -> None:
    """An example registry has no JSON-LD, no Scholar tags and no DOI to cite by."""
    page = page_of(bundle_of(), mirror(example=True))
    assert json_ld_of(page) == []
    assert not any(name.startswith("citation_") for name in metas(page))
    assert links(page, "cite-as") == []
    assert links(page, "type") == ["https://schema.org/AboutPage"]
    assert links(page, "item") == ["bundle.json"]


def test_signposts_of_a_page() -> None:
    """The links of level 1 and the way to the link set, each with its type."""
    page = page_of(bundle_of(), mirror())
    assert links(page, "cite-as") == ["https://doi.org/10.48550/arxiv.2305.01234"]
    assert links(page, "type") == [
        "https://schema.org/AboutPage",
        "https://schema.org/ScholarlyArticle",
    ]
    assert links(page, "license") == [PAPER.license]
    assert links(page, "describedby") == [f"../{suffix_of()}.json", "state.json"]
    assert links(page, "item") == ["bundle.json"]
    assert links(page, "linkset") == ["linkset.json"]
    assert {*links(page, "alternate")} >= {f"../{suffix_of()}.json", "bundle.json", "state.json"}
    node = page.css_first('head link[rel="linkset"]')
    assert node is not None
    assert node.attributes["type"] == "application/linkset+json"


@pytest.mark.parametrize("base_url", [BASE, ""])
def test_link_set_names_every_file_and_the_way_back(base_url: str) -> None:
    """The link set holds all links of the page; each file of the site in it leads to the page."""
    known = known_of(bundle_of())
    contexts = json.loads(json.dumps(linkset_json(known, mirror(base_url=base_url))))["linkset"]
    root = base_url or "../../"
    page = f"{root}pith/{suffix_of()}/" + ("" if base_url else "index.html")
    assert contexts[0]["anchor"] == page
    described = [link["href"] for link in contexts[0]["describedby"]]
    names = ("state.json", "cite.bib", "cite.ris", "cite.csl.json")
    assert described == [
        f"{root}pith/{suffix_of()}.json",
        *(f"{root}pith/{suffix_of()}/{name}" for name in names),
    ]
    bundle_address = f"{root}pith/{suffix_of()}/bundle.json"
    assert contexts[0]["item"] == [{"href": bundle_address, "type": "application/json"}]
    back = {
        context["anchor"]: relation
        for context in contexts[1:]
        for relation, targets in context.items()
        if relation != "anchor" and targets == [{"href": page, "type": "text/html"}]
    }
    assert back == {**dict.fromkeys(described, "describes"), bundle_address: "collection"}


def test_pictures_are_named_by_absolute_addresses_only() -> None:
    """Without a base_url no image is named; with one it is the site's, or the record's own."""
    assert "og:image" not in metas(page_of(bundle_of(), mirror(base_url="")))
    (address,) = metas(page_of(bundle_of(), mirror()))["og:image"]
    assert address.startswith(f"{BASE}assets/preview.")
    own = mirror(previews=PreviewImages.RECORDS)
    found = metas(page_of(bundle_of(), own))
    assert found["og:image"] == [f"{BASE}pith/{suffix_of()}/preview.png"]
    assert found["twitter:card"] == ["summary_large_image"]
    assert (found["og:image:width"], found["og:image:height"]) == (["1200"], ["630"])


def test_hostile_title_stays_text_in_the_head() -> None:
    """A title with markup ends no element and no attribute of the head, and comes back whole."""
    paper = replace(PAPER, title=HOSTILE, authors=HOSTILE)
    page = page_of(bundle_of(paper), mirror())
    shown = record_head(known_of(bundle_of(paper)), mirror())
    assert shown.scholar is not None
    assert metas(page)["citation_title"] == [shown.scholar.title]
    assert json_ld_of(page)[0]["name"] == shown.scholar.title
    assert page.css("head b") == []
    assert [node.attributes.get("type") for node in page.css("head script:not([src])")] == [
        "application/ld+json"
    ]


def test_other_pages_have_a_card_of_their_own() -> None:
    """A page that is no record says its own title once, and its own address where there is one."""
    about = ContentPage('About "this"', "")
    for configuration in (mirror(), mirror(base_url="")):
        renderer = Renderer([TEMPLATES], site_frame(configuration, RESOURCES))
        page = LexborHTMLParser(renderer.page("content.html", "x/index.html", about).data)
        title, found = page.css_first("title"), metas(page)
        assert title is not None
        assert found["og:title"] == [title.text()]
        assert found["og:description"] == found["description"]
        assert found.get("og:url", []) == ([f"{BASE}x/"] if configuration.base_url else [])
        assert {len(value) for name, value in found.items() if name.startswith("og:")} == {1}


def test_record_page_has_each_card_tag_once() -> None:
    """The card of other pages does not come on top of that of a record."""
    found = metas(page_of(bundle_of(), mirror()))
    assert {len(value) for name, value in found.items() if name.startswith("og:")} == {1}


def test_head_stays_small() -> None:
    """What machines are told of a record with three authors costs less than 3.5 kB."""
    configuration = mirror()
    html = page_of(bundle_of(), configuration).html or ""
    head = html[html.index('<link rel="canonical"') : html.index('<link rel="icon"')]
    assert len(head.encode()) < 3_900
