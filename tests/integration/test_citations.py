"""Citations across records: who is linked, whatever the order of the input, and who is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

import jsonschema
import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser

from generator import record_builder, record_files
from generator.citations import RecordLinks
from generator.cli import main
from generator.config import Configuration
from generator.layout import STATE_FOLDER
from generator.limits import DEFAULT_LIMITS
from generator.render import Renderer, SiteFile
from generator.verify import BundleReport
from tests.statement_bundles import UNPINNED, bundle, citation, every_kind, numbered, say
from tests.vectors.builders import (
    AUTHOR,
    OLD,
    OTHER,
    PAPER,
    Json,
    Paper,
    compact,
    edited,
    number_of,
    record_of,
    sealed,
    signed,
    snapshot_event,
    snapshot_of,
    suffix_of,
)

ROOT = Path(__file__).resolve().parent.parent.parent
CITED_BY, CITES = "#cited-by + p + .citations", "#cites + .citations"
CONFIGURATION = ROOT / "tests" / "vectors" / "mirror.toml"
FIRST_OTHER_VERSION = replace(PAPER, version=1)
WITH_SUBJECT = replace(OLD, source_id="math.GT/0309136", category="math.GT", cross=())


class Shared(TypedDict):
    """What every record is rendered with."""

    configuration: Configuration
    renderer: Renderer


def build(
    folder: Path,
    bundles: Mapping[str, Json],
    *,
    site: str = "site",
    example: bool = False,
    status: int = 0,
) -> Path:
    """Build a site of bundles through the command line; what stood in the folder before is gone."""
    source = folder / "bundles"
    source.mkdir(exist_ok=True)
    for old in source.iterdir():
        old.unlink()
    for name, value in bundles.items():
        data = value if isinstance(value, bytes) else compact(value)
        (source / name).write_bytes(data)
    text = CONFIGURATION.read_text(encoding="utf-8")
    mark = 'title = "Test vectors"\n'
    (folder / "mirror.toml").write_text(
        text.replace(mark, f"{mark}example_registry = true\n") if example else text
    )
    command = ["build", "--config", folder / "mirror.toml", "--bundles", source]
    result = CliRunner().invoke(main, [*map(str, command), "--site", str(folder / site)])
    assert result.exit_code == status, result.output
    return folder / site


def tree(site: Path, *, besides: str = "report.json") -> dict[str, bytes]:
    """Read a site but for the report, which names the input files, and the manifest with it."""
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.name not in {besides, "manifest.json"}
        and path.is_file()
        and path.parent.name != STATE_FOLDER
    }


def suffix(paper: Paper) -> str:
    """Give the id of a paper's record."""
    return suffix_of(record_of(paper))


def links(site: Path, paper: Paper) -> dict[str, Any]:
    """Give what the resolver record of a paper says of this mirror."""
    text = (site / "pith" / f"{suffix(paper)}.json").read_text(encoding="utf-8")
    mirror: dict[str, Any] = json.loads(text)["mirror"]
    return mirror


def citing(site: Path, paper: Paper) -> list[tuple[str, str, str]]:
    """Give the incoming links of a paper: suffix, relation, what each was read from."""
    items = links(site, paper)["cited_by"]["items"]
    return [(item["pith_number"][10:], item["relation"], item["via"]) for item in items]


def page(site: Path, paper: Paper) -> LexborHTMLParser:
    """Read the record page of a paper."""
    path = site / "pith" / suffix(paper) / "index.html"
    return LexborHTMLParser(path.read_text(encoding="utf-8"))


def hrefs(site: Path, paper: Paper, selector: str) -> list[str]:
    """Give the links to records in one of the two citation lists of a page."""
    found = page(site, paper).css(f"{selector} > li > a")
    return [anchor.attributes["href"] or "" for anchor in found]


def text_of(tree: LexborHTMLParser, selector: str) -> str:
    """Give the text of the one element that a selector finds."""
    (node,) = tree.css(selector)
    return node.text()


def test_verified_citation_links_both_records(tmp_path: Path) -> None:
    """Both pages and both resolver records name the other end, with relation and signer."""
    event = say("citation", citation(OTHER, "refutes"), key=AUTHOR)
    site = build(tmp_path, {"a.json": bundle(event), "b.json": bundle(paper=OTHER)})
    (incoming,) = links(site, OTHER)["cited_by"]["items"]
    assert incoming == {
        "pith_number": number_of(record_of(PAPER)),
        "relation": "refutes",
        "via": "citation",
        "signer_id": AUTHOR.signer_id,
        "created_at": "2026-05-18T10:00:00Z",
        "event_id": event["event_id"],
    }
    (outgoing,) = links(site, PAPER)["cites"]["items"]
    assert outgoing["pith_number"] == number_of(record_of(OTHER))
    assert outgoing["records"] == [number_of(record_of(OTHER))]
    assert hrefs(site, OTHER, CITED_BY) == [f"../../pith/{suffix(PAPER)}/index.html"]
    assert hrefs(site, PAPER, CITES) == [f"../../pith/{suffix(OTHER)}/index.html"]
    text = text_of(page(site, OTHER), CITED_BY)
    assert "refutes" in text
    assert "Schrödinger picture" in text
    assert AUTHOR.signer_id in text


def test_links_do_not_depend_on_the_order_of_the_input(tmp_path: Path) -> None:
    """Citing before cited or after, in one file or in two bundles of one record: the same bytes."""
    one = say("citation", citation(OTHER))
    two = say("citation", citation(numbered(1), "cites"), day=19)
    back = say("citation", citation(PAPER, "supports"), paper=OTHER, day=20)
    parts = [bundle(one), bundle(two), bundle(back, paper=OTHER), bundle(paper=numbered(1))]
    forward = build(tmp_path, {f"{i}.json": b for i, b in enumerate(parts)}, site="forward")
    backward = build(tmp_path, {f"{9 - i}.json": b for i, b in enumerate(parts)}, site="backward")
    whole = [bundle(two, one), *parts[2:]]
    together = build(
        tmp_path, {"all.ndjson": b"\n".join(map(compact, reversed(whole)))}, site="together"
    )
    assert tree(forward) == tree(backward)
    assert (
        citing(forward, OTHER)
        == citing(together, OTHER)
        == [(suffix(PAPER), "extends", "citation")]
    )
    assert citing(forward, PAPER) == [(suffix(OTHER), "supports", "citation")]


def test_link_goes_with_the_citing_record(tmp_path: Path) -> None:
    """Without the citing record the cited one is as if it had never been cited."""
    rest = {"b.json": bundle(paper=OTHER), "c.json": bundle(paper=numbered(1))}
    before = tree(build(tmp_path, rest, site="never"))
    site = build(tmp_path, {"a.json": bundle(say("citation", citation(OTHER))), **rest})
    assert (site / "pith" / suffix(OTHER) / "cited-by.json").is_file()
    assert tree(build(tmp_path, rest)) == before


def test_link_goes_with_the_citation(tmp_path: Path) -> None:
    """A citation that its signer withdrew, or that another contradicts, makes no link."""
    event = say("citation", citation(OTHER))
    taken = say("withdrawal", {"about": event["event_id"], "reason": "Wrong."}, day=19)
    twin = say("citation", citation(numbered(1)), paper=OTHER)
    other_twin = say("citation", citation(PAPER), paper=OTHER)
    bundles = {
        "a.json": bundle(event, taken),
        "b.json": bundle(twin, other_twin, paper=OTHER),
        "c.json": bundle(paper=numbered(1)),
    }
    site = build(tmp_path, bundles)
    assert [citing(site, paper) for paper in (PAPER, OTHER, numbered(1))] == [[], [], []]
    assert list(site.rglob("cited-by.json")) == []


def test_unverified_event_makes_no_link(tmp_path: Path) -> None:
    """A citation by a key that nobody pinned, or a carried snapshot, links nothing."""
    record = record_of(PAPER)
    references = [{"arxiv_id": OTHER.source_id}]
    sample = edited(snapshot_of(PAPER), ("references.sample", references), ("references.count", 1))
    carried = signed(snapshot_event(record, sample), key=UNPINNED)
    value = bundle(say("citation", citation(OTHER), key=UNPINNED))
    value["events"][1] = carried
    site = build(tmp_path, {"a.json": value, "b.json": bundle(paper=OTHER)})
    assert citing(site, OTHER) == []
    assert links(site, PAPER)["cites"] == {"count": 0, "items": []}


def test_dangling_work_is_named_without_a_link(tmp_path: Path) -> None:
    """A work that is not in this mirror is named by its identifier and leads nowhere."""
    event = say("citation", citation(OTHER))
    references = [{"arxiv_id": "2401.99999v3"}, {"doi": "10.1000/<b>182"}, {"title": "?"}, 7]
    site = build(tmp_path, {"a.json": bundle(event, references=references)})
    found = links(site, PAPER)["cites"]
    assert found["count"] == 3
    assert [item["records"] for item in found["items"]] == [[], [], []]
    assert found["items"][1]["arxiv_id"] == "2401.99999v3"
    assert hrefs(site, PAPER, CITES) == []
    text = text_of(page(site, PAPER), CITES)
    for name in (number_of(record_of(OTHER)), "arXiv:2401.99999v3", "10.1000/<b>182"):
        assert name in text
    assert list(site.rglob("cited-by.json")) == []


@pytest.mark.parametrize(
    ("cited", "reference"),
    [
        (PAPER, {"pith_number": number_of(record_of(PAPER))}),
        (PAPER, {"arxiv_id": "2305.01234"}),
        (PAPER, {"arxiv_id": "arXiv:2305.01234v2"}),
        (PAPER, {"doi": "https://doi.org/10.48550/ARXIV.2305.01234"}),
        (OLD, {"arxiv_id": "hep-th/9704123"}),
        (OLD, {"doi": "10.48550/arXiv.hep-th/9704123"}),
        (WITH_SUBJECT, {"arxiv_id": "math/0309136"}),
        (WITH_SUBJECT, {"arxiv_id": "math.GT/0309136v1"}),
    ],
)
def test_reference_finds_the_record_by_any_name(
    cited: Paper, reference: Json, tmp_path: Path
) -> None:
    """Pith Number, arXiv id old or new, and arXiv's DOI lead to the record."""
    site = build(
        tmp_path,
        {"a.json": bundle(paper=OTHER, references=[reference]), "b.json": bundle(paper=cited)},
    )
    assert citing(site, cited) == [(suffix(OTHER), "cites", "reference")]


@pytest.mark.parametrize(
    "reference",
    [
        {"arxiv_id": "2305.01234v3"},
        {"pith_number": number_of(record_of(PAPER), year="2022")},
        {"doi": "10.1000/182"},
        {"cites": number_of(record_of(PAPER))},
        number_of(record_of(PAPER)),
    ],
)
def test_reference_to_something_else_finds_nothing(reference: Json, tmp_path: Path) -> None:
    """Another version, another year, an added name, another key: no link."""
    alias = say("alias_added", {"alias_kind": "doi", "alias_value": "10.1000/182"})
    site = build(
        tmp_path,
        {"a.json": bundle(paper=OTHER, references=[reference]), "b.json": bundle(alias)},
    )
    assert citing(site, PAPER) == []


def test_id_without_version_is_every_version(tmp_path: Path) -> None:
    """An arXiv id without a version leads to each version that is here."""
    bundles = {
        "a.json": bundle(paper=OTHER, references=[{"arxiv_id": "2305.01234"}]),
        "b.json": bundle(),
        "c.json": bundle(paper=FIRST_OTHER_VERSION),
    }
    site = build(tmp_path, bundles)
    for paper in (PAPER, FIRST_OTHER_VERSION):
        assert citing(site, paper) == [(suffix(OTHER), "cites", "reference")]
    assert len(links(site, OTHER)["cites"]["items"][0]["records"]) == 2
    assert len(hrefs(site, OTHER, CITES)) == 2


def test_record_does_not_cite_itself(tmp_path: Path) -> None:
    """Its own names in its references are no links; another version of its paper is one."""
    own = [
        {"pith_number": number_of(record_of(PAPER))},
        {"arxiv_id": "2305.01234"},
        {"arxiv_id": "2305.01234v2"},
        {"arxiv_id": "2305.01234v1"},
    ]
    bundles = {"a.json": bundle(references=own), "b.json": bundle(paper=FIRST_OTHER_VERSION)}
    site = build(tmp_path, bundles)
    assert citing(site, PAPER) == []
    assert citing(site, FIRST_OTHER_VERSION) == [(suffix(PAPER), "cites", "reference")]


def test_repeated_links_are_one(tmp_path: Path) -> None:
    """The same relation by the same signer is one link, the one signed last; others stay."""
    events = [
        say("citation", citation(OTHER), day=18),
        say("citation", citation(OTHER), day=20),
        say("citation", citation(OTHER), day=19),
        say("citation", citation(OTHER), key=AUTHOR, day=19),
        say("citation", citation(OTHER, "compares"), day=17),
    ]
    references = [{"arxiv_id": OTHER.source_id}, {"doi": f"10.48550/arxiv.{OTHER.source_id}v1"}]
    site = build(
        tmp_path, {"a.json": bundle(*events, references=references), "b.json": bundle(paper=OTHER)}
    )
    cited_by = links(site, OTHER)["cited_by"]
    found = [(i["relation"], i["via"], i["signer_id"], i["created_at"]) for i in cited_by["items"]]
    assert found == [
        ("extends", "citation", "registry.test", "2026-05-20T10:00:00Z"),
        ("extends", "citation", AUTHOR.signer_id, "2026-05-19T10:00:00Z"),
        ("cites", "reference", "registry.test", "2026-05-18T02:28:13Z"),
        ("compares", "citation", "registry.test", "2026-05-17T10:00:00Z"),
    ]
    assert (cited_by["count"], cited_by["record_count"]) == (4, 1)


def test_list_longer_than_its_count_is_not_followed(tmp_path: Path) -> None:
    """References that contradict their own count fail V9, and link nothing."""
    value = bundle(references=[{"arxiv_id": OTHER.source_id}])
    sample = edited(value["events"][1], ("payload.graph_snapshot.references.count", 0))
    value["events"][1] = sealed(sample)
    site = build(tmp_path, {"a.json": value, "b.json": bundle(paper=OTHER)}, status=3)
    assert citing(site, OTHER) == []


def test_only_linked_records_are_rendered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that cites nothing here, and that nobody here cites, is rendered once."""
    again: list[str] = []

    def link_record(
        report: BundleReport,
        links: RecordLinks,
        templates: frozenset[str],
        **rest: Unpack[Shared],
    ) -> tuple[SiteFile, ...]:
        assert report.pith_number is not None
        again.append(report.pith_number.suffix)
        return record_files.link_record(report, links, templates, **rest)

    monkeypatch.setattr(record_builder, "link_record", link_record)
    alone = bundle(paper=numbered(1), references=[{"arxiv_id": "2401.99999"}])
    bundles = {
        "a.json": bundle(say("citation", citation(OTHER))),
        "b.json": bundle(paper=OTHER),
        "c.json": alone,
    }
    build(tmp_path, bundles)
    assert again == sorted([suffix(PAPER), suffix(OTHER)])


def test_many_incoming_links_are_bounded_on_the_page(tmp_path: Path) -> None:
    """The page and the resolver show the newest links and how many more; the file has all."""
    limit = DEFAULT_LIMITS.shown_links_max_count
    count = limit + 20
    papers = [numbered(index) for index in range(count)]
    lines = [
        compact(bundle(_at(index, say("citation", citation(OTHER), paper=paper)), paper=paper))
        for index, paper in enumerate(papers)
    ]
    site = build(tmp_path, {"all.ndjson": b"\n".join(lines), "b.json": bundle(paper=OTHER)})
    cited_by = links(site, OTHER)["cited_by"]
    assert (cited_by["count"], cited_by["record_count"]) == (count, count)
    newest = [suffix(paper) for paper in reversed(papers)]
    assert [name for name, _, _ in citing(site, OTHER)] == newest[:limit]
    assert len(hrefs(site, OTHER, CITED_BY)) == limit
    assert "20 more are in" in page(site, OTHER).text()
    whole = json.loads((site / "pith" / suffix(OTHER) / "cited-by.json").read_text())
    assert [item["pith_number"][10:] for item in whole["items"]] == newest
    labels = [node.text() for node in page(site, OTHER).css("#citations ~ svg text")]
    assert f"and {count - DEFAULT_LIMITS.drawn_neighbours_max_count} more" in labels


def _at(index: int, event: Json) -> Json:
    time = f"2026-05-19T{index // 60:02}:{index % 60:02}:00Z"
    return sealed(edited(event, ("created_at", time)))


def test_files_fit_their_schemas(tmp_path: Path) -> None:
    """State, events, resolver and cited-by of every kind of event fit the schemas of the site."""
    back = say("citation", citation(PAPER, "supports"), paper=OTHER)
    bundles = {"a.json": every_kind(), "b.json": bundle(back, paper=OTHER)}
    site = build(tmp_path, bundles)
    folder = site / "pith"
    for name in (suffix(PAPER), suffix(OTHER)):
        for path, schema in (
            (folder / f"{name}.json", "pith-number/v1.json"),
            (folder / name / "events.json", "events.v1.json"),
            (folder / name / "state.json", "state.v1.json"),
            (folder / name / "cited-by.json", "cited-by.v1.json"),
        ):
            rules = json.loads((site / "schemas" / schema).read_text(encoding="utf-8"))
            jsonschema.Draft202012Validator(rules).validate(json.loads(path.read_bytes()))


def test_example_registry_is_marked_on_every_page(tmp_path: Path) -> None:
    """Each page of an example registry, aliases and 404 too, and each badge says what it is."""
    bundles = {"a.json": bundle()}
    site = build(tmp_path, bundles, example=True)
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 10
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert "Example registry." in text_of(LexborHTMLParser(text), "body > .example")
        assert 'name="robots" content="noindex"' in text
    badge = (site / "pith" / suffix(PAPER) / "badge.svg").read_text(encoding="utf-8")
    assert f"<title>example pith:{suffix(PAPER)[:8]}: verified</title>" in badge
    plain = build(tmp_path, bundles, site="plain")
    assert not [path for path in plain.rglob("*.html") if "Example registry" in path.read_text()]
    assert "example" not in (plain / "pith" / suffix(PAPER) / "badge.svg").read_text()
