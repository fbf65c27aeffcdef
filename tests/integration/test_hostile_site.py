"""A site built from hostile, well-signed bundles: their text stays text, on every page and file."""

from __future__ import annotations

import html.parser
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit
from xml.parsers import expat

import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser

from generator import layout
from generator.cli import main
from generator.formats.canonical import parse_json
from generator.limits import DEFAULT_LIMITS
from tests.factories import TEMPLATES, build, put, suffix_of, tree
from tests.vectors.builders import OLD, OTHER, PAPER, bundle_of, compact
from tests.vectors.reading import BUNDLES, CONFIGURATION

# One worker builds the sites for all tests here.
pytestmark = pytest.mark.xdist_group("hostile_site")

# Names of files that operators never choose; only reports show them.
NAMES = {
    "<script>alert(1)</script>.json": b"{",
    '"><img src=x onerror=alert(1)>.json': b"{",
    "line\nbreak\u202e.json": b"{",
    "javascript:alert(1).json": b"{",
    "{{7*7}}.json": b"{",
}
GOOD = {f"good-{p.source_id[:4]}.json": compact(bundle_of(p)) for p in (PAPER, OTHER, OLD)}
ACTIVE = {"script", "iframe", "object", "embed", "applet", "base", "form", "foreignobject", "use"}
UNPROVEN = ("reported", "carried")
JOINERS = "\u200c\u200d"


def hostile_files() -> dict[str, bytes]:
    """Every hostile vector, and good bundles under hostile names."""
    return {**{path.name: path.read_bytes() for path in BUNDLES.glob("hostile-*")}, **NAMES}


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    put(folder / "bundles", {**hostile_files(), **GOOD})
    build(folder / "bundles", folder / "site")
    put(folder / "only-good", GOOD)
    build(folder / "only-good", folder / "good")
    return folder


@pytest.fixture(name="site", scope="module")
def _site(folder: Path) -> dict[str, bytes]:
    return tree(folder / "site")


@pytest.fixture(name="good", scope="module")
def _good(folder: Path) -> dict[str, bytes]:
    return tree(folder / "good")


@pytest.fixture(name="every_vector", scope="module")
def _every_vector(vector_site: Callable[[str], Path]) -> dict[str, bytes]:
    return tree(vector_site("carry"))


class _Elements(html.parser.HTMLParser):
    """Notes every element with its attributes, as a browser's tokenizer would see them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str]]] = []
        self.odd: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.odd.append(f"{tag} with an attribute twice")
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_comment(self, data: str) -> None:
        """Note a comment: our pages have one, in these words."""
        if data.strip() not in {f"citation_author: {way}, not proven" for way in UNPROVEN}:
            self.odd.append(f"comment {data[:40]}")

    def handle_pi(self, data: str) -> None:
        """Note a processing instruction: our pages have none."""
        self.odd.append(f"instruction {data[:40]}")

    def unknown_decl(self, data: str) -> None:
        """Note a marked section: our pages have none."""
        self.odd.append(f"section {data[:40]}")


def pages(site: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """Give the HTML pages of a site with their text."""
    for path, data in site.items():
        if path.endswith(".html"):
            yield path, data.decode()


def shapes(site: dict[str, bytes]) -> set[tuple[str, str]]:
    """Name every kind of element and attribute on the pages of a site."""
    found = set()
    for _, text in pages(site):
        for tag, attributes in _Elements(text).found:
            found |= {(tag, ""), *((tag, name) for name in attributes)}
    return found


def is_ours(tag: str, attributes: dict[str, str]) -> bool:
    """Tell whether an active element is one that the templates write."""
    if tag == "form":
        return set(attributes) <= {"class", "id", "role", "action"}
    if tag != "script":
        return False
    if "src" in attributes:
        return (
            re.fullmatch(r"(?:\.\./)*assets/[a-z-]+\.[0-9a-f]{16}\.js", attributes["src"])
            is not None
        )
    return attributes.get("type") in {"application/json", "application/ld+json"}  # data alone


def test_pages_have_no_element_or_attribute_of_a_bundle(
    every_vector: dict[str, bytes], site: dict[str, bytes]
) -> None:
    """No script or form but the site's own, no handler, no embedded thing, no comment."""
    for files in (site, every_vector):
        for path, text in pages(files):
            elements = _Elements(text)
            assert elements.odd == [], path
            active = [item for item in elements.found if item[0] in ACTIVE]
            assert [item for item in active if not is_ours(*item)] == [], path
            names = {name for _, attributes in elements.found for name in attributes}
            assert not {name for name in names if name.startswith("on")}, path
            assert names.isdisjoint({"srcdoc", "formaction", "background", "xlink:href"}), path


def test_hostile_pages_are_made_of_the_same_parts(
    site: dict[str, bytes], every_vector: dict[str, bytes], good: dict[str, bytes]
) -> None:
    """Kinds of elements and attributes are those that the templates write for good bundles."""
    templates = "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.html"))
    written = set(re.findall(r"[\s\"]([a-z-]+)=\"", templates))
    for tag, name in (shapes(site) | shapes(every_vector)) - shapes(good):
        assert name in written or re.search(rf"<{tag}\b", templates), (tag, name)


def test_two_parsers_see_the_same_page(site: dict[str, bytes]) -> None:
    """A browser's tree has the elements that stand in the source: nothing was torn open."""
    for path, text in pages(site):
        tree_of_page = LexborHTMLParser(text)
        listed = [tag for tag, _ in _Elements(text).found]
        for tag in ("html", "head", "title", "body", "main", "h1", "a", "bdi", "img", "meta"):
            assert len(tree_of_page.css(tag)) == listed.count(tag), (path, tag)
        # A picture has a title of its own; the page has one.
        assert len(tree_of_page.css("head > title")) == listed.count("h1") == 1, path
        assert len(tree_of_page.css("svg > title")) == listed.count("title") - 1, path


def test_titles_hold_text_and_nothing_else(site: dict[str, bytes]) -> None:
    """Neither the window's title nor the heading has an element inside the shown text."""
    for path, text in pages(site):
        parsed = LexborHTMLParser(text)
        assert [child.tag for child in parsed.css("title *, h1 :not(bdi), .title bdi *")] == [], (
            path
        )


def test_links_lead_into_the_site_or_to_the_web(
    every_vector: dict[str, bytes], site: dict[str, bytes]
) -> None:
    """Every link is relative and leads to a file of the site, or is plain http(s)."""
    for files in (site, every_vector):
        for path, text in pages(files):
            for tag, attributes in _Elements(text).found:
                for name in ("href", "src"):
                    if name in attributes:
                        require_link(files, path, attributes[name])
                if tag == "meta" and attributes.get("http-equiv") == "refresh":
                    target = attributes["content"].removeprefix("0; url=")
                    require_link(files, path, target)


def require_link(site: dict[str, bytes], path: str, link: str) -> None:
    """Require that a link leads to a file of the site or to the web."""
    parts = urlsplit(link)
    if parts.scheme:
        assert parts.scheme in {"http", "https"}, (path, link)
        assert parts.netloc, (path, link)
        return
    assert not parts.netloc, (path, link)
    assert not parts.query, (path, link)
    if parts.path in {"", "./"}:
        return
    steps = path.split("/")[:-1]
    for step in parts.path.split("/"):
        if step == "..":
            steps.pop()
        else:
            steps.append(step)
    assert "/".join(steps) in site, (path, link)


def hidden(text: str) -> set[str]:
    """Find characters that are not seen, or that reorder what is."""
    return {
        f"U+{ord(char):04X}"
        for char in set(text)
        if not char.isprintable() and char not in JOINERS + "\n"
    }


def test_invisible_characters_are_made_visible(
    site: dict[str, bytes], every_vector: dict[str, bytes]
) -> None:
    """Pages hold no control, direction or zero-width character, spelled or as a reference."""
    for files in (site, every_vector):
        for path, text in pages(files):
            shown = LexborHTMLParser(text)
            assert hidden(text) == set(), path
            assert hidden(shown.text(deep=True)) == set(), path
            assert set(re.findall(r"&#\w+;", text)) <= {"&#39;", "&#34;"}, path
    marked = " ".join(text for _, text in pages(site))
    for code in ("202E", "2067", "200B", "FEFF", "0000", "001B", "009B", "FFFE"):
        assert f"⟨U+{code}⟩" in marked


def test_joiners_stand_between_letters_alone(site: dict[str, bytes]) -> None:
    """A joiner is kept only where a script needs it, between two letters."""
    for path, text in pages(site):
        for match in re.finditer(f"(.)[{JOINERS}](.)", text, flags=re.DOTALL):
            assert {unicodedata.category(char) for char in match.groups()} == {"Lo"}, path


def test_every_json_file_is_strict_and_ascii(
    site: dict[str, bytes], every_vector: dict[str, bytes]
) -> None:
    """Each JSON file passes our strict parser; all are ASCII but bundles and what people copy."""
    for files in (site, every_vector):
        for path, data in files.items():
            if path.endswith(".json"):
                parse_json(data[: DEFAULT_LIMITS.bundle_max_length], subject=path)
                assert data.isascii() or path.endswith(("/bundle.json", "/cite.csl.json")), path


def test_every_svg_is_strict_and_passive(
    site: dict[str, bytes], every_vector: dict[str, bytes]
) -> None:
    """Each SVG is well-formed XML without entities, scripts, handlers or references."""
    for files in (site, every_vector):
        for path, data in files.items():
            if path.endswith(".svg"):
                require_passive(path, data)


def require_passive(path: str, data: bytes) -> None:
    """Require that an SVG only draws."""
    found: list[tuple[str, dict[str, str]]] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, attributes: found.append((tag, attributes))
    parser.EntityDeclHandler = lambda *_: pytest.fail(f"{path}: an entity")
    parser.Parse(data, True)  # noqa: FBT003 - the parser's own interface
    assert {tag.lower() for tag, _ in found}.isdisjoint(ACTIVE | {"image", "a", "style"}), path
    for _, attributes in found:
        assert not [name for name in attributes if name.startswith("on") or "href" in name], path
    assert hidden(data.decode()) == set(), path


def test_every_path_is_inside_the_site(folder: Path, site: dict[str, bytes]) -> None:
    """No bundle named a path: all are those of the layout, and nothing lies beside the site."""
    assert all(layout.is_site_path(path) for path in site)
    assert not [path for path in (folder / "site").rglob("*") if path.is_symlink()]
    assert {path.name for path in folder.iterdir()} == {"bundles", "site", "only-good", "good"}
    tops = {path.split("/")[0] for path in site}
    assert tops == {
        *(".nojekyll", ".well-known", "404.html", "about", "api", "arxiv", "assets", "browse"),
        *("doi", "index.html", "manifest.json", "p", "pith", "pith-mirrors.json", "schemas"),
        *("pith-signing-key.json", "report", "report.json", "verify", "stats", "stats.json"),
        *("catalogue.ndjson", "feed.atom", "llms.txt", "pith.sty", "robots.txt", "search"),
    }


def test_other_records_are_not_touched(site: dict[str, bytes], good: dict[str, bytes]) -> None:
    """The files of good records are byte for byte those of a build without the hostile ones."""
    for paper in (PAPER, OTHER, OLD):
        names = [path for path in good if suffix_of(paper) in path]
        assert len(names) >= 9
        assert {path for path in names if site[path] != good[path]} == set()
    aliases = [path for path in good if path.startswith(("arxiv/", "doi/", "p/"))]
    assert len(aliases) == 12
    assert {path for path in aliases if site[path] != good[path]} == set()


def test_hostile_file_names_are_shown_as_text(site: dict[str, bytes]) -> None:
    """The report names the files, escaped and visible, on its page and in its JSON."""
    page = LexborHTMLParser(site["report/index.html"].decode()).text(deep=True)
    for name in NAMES:
        shown = name.replace("\n", "\\u000a").replace("\u202e", "\\u202e")
        assert shown in page
    report = parse_json(site["report.json"], subject="report.json")
    assert isinstance(report, dict)
    assert isinstance(report["bundles"], list)
    assert len(report["bundles"]) == len(hostile_files()) + len(GOOD)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_terminal_sees_printable_text_alone(options: tuple[str, ...]) -> None:
    """Nothing that `verify` prints of any vector can move a cursor or reorder a line."""
    arguments = ["verify", str(BUNDLES), "--config", str(CONFIGURATION), *options]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 3
    assert hidden(result.output) == set()
