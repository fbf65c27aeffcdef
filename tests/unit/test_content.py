"""content.py: the operator's Markdown → pages whose links work and whose policy holds."""

from __future__ import annotations

from html import unescape

import pytest

from generator.content import choose_content, read_pages, require_links
from generator.errors import RenderError
from generator.pages import Asset, ContentPage

ASSETS = {"plan.svg": Asset("assets/plan.0123456789abcdef.svg", "sha256-x")}
HEAD = "---\ntitle: House rules\n---\n"


def page_of(text: str, *, raw_html: bool = False, matter: str = HEAD) -> ContentPage:
    """Render one page, `rules.md`."""
    found = {"rules.md": (matter + text).encode()}
    return read_pages(found, "en", assets=ASSETS, raw_html=raw_html)["rules/index.html"]


def test_front_matter_names_the_page() -> None:
    """Title, description and menu entry come from the front matter and are not part of the text."""
    matter = "---\ntitle: House rules\ndescription: Of the house\nmenu: Rules\n---\n"
    page = page_of("Text: here.", matter=matter)
    assert (page.title, page.description, page.menu) == ("House rules", "Of the house", "Rules")
    assert page.html == "<p>Text: here.</p>"


@pytest.mark.parametrize(
    ("matter", "message"),
    [
        ("", "no title"),
        ("---\ndescription: x\n---\n", "no title"),
        ("---\ntitle: x\ntitel: y\n---\n", "titel"),
        ("---\ntitle: x\ncontents: maybe\n---\n", "maybe"),
    ],
)
def test_wrong_front_matter_is_an_error(matter: str, message: str) -> None:
    """A page without title, or with front matter nobody reads, is an error that names it."""
    with pytest.raises(RenderError, match=rf"content/rules\.md.*{message}"):
        page_of("Note: not front matter", matter=matter)


def test_contents_list_the_headings() -> None:
    """A page that asks for its contents gets a list of its second and third level headings."""
    page = page_of("## One {#first}\n\n### Two\n", matter="---\ntitle: x\ncontents: yes\n---\n")
    assert '<a href="#first">One</a>' in page.toc
    assert '<a href="#two">Two</a>' in page.toc
    assert page_of("## One").toc == ""


def test_html_is_text_unless_the_operator_lets_it_through() -> None:
    """HTML in Markdown is shown as it is written; with `raw_html` it counts."""
    assert "&lt;b&gt;x&lt;/b&gt;" in page_of("A <b>x</b>.").html
    assert "&lt;script&gt;" in page_of("<script>\nx\n</script>").html
    assert "<b>x</b>" in page_of("A <b>x</b>.", raw_html=True).html


@pytest.mark.parametrize(
    ("written", "href"),
    [
        ("[x](other.md)", "../other/index.html"),
        ("[x](other.md#one)", "../other/index.html#one"),
        ("[x](/browse/)", "../browse/index.html"),
        ("[x](/)", "../index.html"),
        ("[x](/pith-mirrors.json)", "../pith-mirrors.json"),
        ("[x](../stats/)", "../stats/index.html"),
        ("[x](#here)", "#here"),
        ("[x](https://example.org/a?b#c)", "https://example.org/a?b#c"),
        ("[x](mailto:a@example.org)", "mailto:a@example.org"),
        ("```{ .py #x title=y }\nz\n```", "y"),
        ("![x](/assets/plan.svg)", "../assets/plan.0123456789abcdef.svg"),
    ],
)
def test_links_are_resolved_from_the_page(written: str, href: str) -> None:
    """Links name Markdown files, paths of the site or the web, and work below any prefix."""
    found = {
        "rules.md": (HEAD + written + "\n\n## Here").encode(),
        "other.md": (HEAD + "## One").encode(),
    }
    html = read_pages(found, "en", assets=ASSETS, raw_html=False)["rules/index.html"].html
    assert f'"{href}"' in html


@pytest.mark.parametrize(
    "written",
    [
        "[x](javascript:alert(1))",
        "[x](JavaScript:alert(1))",
        "[x](data:text/html,y)",
        "[x](//example.org/)",
        "![x](https://example.org/a.png)",
        "![x](data:image/png;base64,AA)",
        "[x](file:///etc/passwd)",
        "[x](a%20b/)",
        "text\n{: onclick=alert(1) }",
        "text\n{: style=color:red }",
        "```{ .py onclick=alert(1) }\nx\n```",
        "```{ .py style=color:red }\nx\n```",
        "[x](http:other)",
        "[x](https:/other)",
        "a\x00b",
        "a\x1bb",
    ],
)
def test_what_would_leave_the_site_or_break_its_policy_is_refused(written: str) -> None:
    """Scripts, other hosts' pictures and attributes that the policy forbids are errors."""
    with pytest.raises(RenderError, match=r"content/rules\.md"):
        page_of(written)


def test_mail_addresses_are_links() -> None:
    """An address between angle brackets is a link to it, however the library spells it."""
    for written in ("<a@example.org>", "<mailto:a@example.org>"):
        html = unescape(page_of(written).html)
        assert 'href="mailto:a@example.org"' in html


def test_way_out_of_the_site_stays_in_it() -> None:
    """A link above the site's root ends at its root, as in a browser."""
    assert 'href="../index.html"' in page_of("[x](../../../)").html


def test_dead_link_between_pages_is_an_error() -> None:
    """A link to a heading that another content page does not have names both."""
    found = {
        "rules.md": (HEAD + "[x](other.md#gone)").encode(),
        "other.md": (HEAD + "## One").encode(),
    }
    with pytest.raises(RenderError, match=r"content/rules\.md.*other/index\.html.*#gone"):
        read_pages(found, "en", assets=ASSETS, raw_html=False)
    with pytest.raises(RenderError, match="#gone"):
        page_of("[x](#gone)")


def test_link_to_a_file_the_site_lacks_is_an_error() -> None:
    """After everything else is made, a link to nothing stops the build."""
    pages = {"rules/index.html": page_of("[x](/browse/year/2024/)")}
    require_links(pages, lambda path: path == "browse/year/2024/index.html")
    with pytest.raises(RenderError, match=r"browse/year/2024/index\.html"):
        require_links(pages, lambda _: False)


def test_table_columns_are_aligned_by_class() -> None:
    """Alignment is a class, since the pages' policy forbids style attributes."""
    html = page_of("| a | b |\n| - | -: |\n| 1 | 2 |\n").html
    assert '<td class="right">2</td>' in html
    assert "style=" not in html


def test_page_in_the_sites_language_comes_before_english() -> None:
    """A German site shows the German page where there is one, else the English, never another."""
    found = {"a.md": b"en", "a.de.md": b"de", "b.md": b"en", "c.fr.md": b"fr"}
    chosen = choose_content(found, "de")
    assert [(s.slug, s.language, s.data) for s in chosen] == [
        ("a", "de", b"de"),
        ("b", "en", b"en"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "A.md",
        "a b.md",
        "pith.md",
        "con.md",
        "com1.de.md",
        "manifest.md",
        "sub/a.md",
        "a.txt",
        "a.d_e.md",
    ],
)
def test_name_that_no_page_can_have_is_an_error(name: str) -> None:
    """A file whose page would stand elsewhere, or in the site's own folders, is named."""
    with pytest.raises(RenderError, match="content/"):
        choose_content({name: b""}, "en")


def test_page_that_is_no_utf8_is_an_error() -> None:
    """A page in another encoding is an error that names the file."""
    with pytest.raises(RenderError, match=r"rules\.md.*UTF-8"):
        read_pages({"rules.md": b"caf\xe9"}, "en", assets={}, raw_html=False)
