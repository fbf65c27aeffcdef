"""render.py: view models → bytes; everything from a bundle is escaped, every fault is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import RenderError
from generator.pages import Asset, ContentPage, NotFoundPage, SiteFrame
from generator.render import Renderer, json_file
from tests.factories import TEMPLATES, put

FRAME = SiteFrame(
    title="T<i>",
    operator="",
    base_url="",
    registry_name="",
    registry_url="",
    keys=(),
    generator="pith-mirror test",
    example=False,
    assets={name: Asset(f"assets/{name}", "sha256-") for name in ("icon.svg", "site.css")},
)


def rendered(folder: Path, text: str | bytes, *, path: str = "a/b.html") -> str:
    """Render a template of the given text."""
    data = text if isinstance(text, bytes) else text.encode()
    put(folder, {"t.html": data})
    return Renderer([folder], FRAME).page("t.html", path, ContentPage("x", "<b>")).data.decode()


def test_template_gets_site_page_root_and_path(tmp_path: Path) -> None:
    """A template sees what every page shares, its own view model, and where it stands."""
    text = "{{ site.generator }}|{{ page.title }}|{{ root }}|{{ path }}"
    assert rendered(tmp_path, text) == "pith-mirror test|x|../|a/b.html"


def test_values_are_escaped(tmp_path: Path) -> None:
    """Text is escaped for HTML without the template asking for it."""
    assert rendered(tmp_path, "{{ site.title }} {{ page.html }}") == "T&lt;i&gt; &lt;b&gt;"


def test_text_of_a_value_is_not_a_template(tmp_path: Path) -> None:
    """Braces in a value stay braces."""
    put(tmp_path, {"t.html": b"{{ page.title }}"})
    page = ContentPage("{{ 7*7 }} {% raw %}", "")
    assert Renderer([tmp_path], FRAME).page("t.html", "x", page).data == b"{{ 7*7 }} {% raw %}"


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("{{ _('100%% of <i>') }}", "100% of <i>"),
        ("{{ _('a') ~ _('b') | upper }}", "aB"),
        ("{{ _('%(x)s<br>', x=page.html) }}", "&lt;b&gt;<br>"),
        ("{% trans %}<br>{% endtrans %}", "<br>"),
        ("{% trans x=page.html %}<br>{{ x }}{% endtrans %}", "<br>&lt;b&gt;"),
        ("{{ ngettext('one', '%(num)s', 2) }}", "2"),
        ("{{ pgettext('c', 'one') }} {{ npgettext('c', 'one', '%(num)s', 2) }}", "one 2"),
        ("{% set one = 'one' %}{{ _(one) }}", "one"),
        ("{% if false %}{{ _('%(x)s') }}{% endif %}", ""),
    ],
)
def test_entries_are_markup_and_their_values_are_text(text: str, page: str, tmp_path: Path) -> None:
    """An entry stands in the page as it is written, its values escaped, wherever it is used."""
    assert rendered(tmp_path, text) == page


@pytest.mark.parametrize(
    ("text", "page"),
    [
        (
            "{% macro m(x, y='&') %}{{ x }}{{ y }}{% endmacro %}{{ m('<') }}{{ m(y=1, x=2) }}",
            "&lt;&amp;21",
        ),
        (
            "{% macro m() %}{{ caller('<') }}{% endmacro %}{% call(x) m() %}{{ x }}{% endcall %}",
            "&lt;",
        ),
        (
            "{% macro m() %}{{ kwargs }}{{ varargs }}{% endmacro %}{{ m(1, *[2],**{'class': 3}) }}",
            "{&#39;class&#39;: 3}(1, 2)",
        ),
        ("{{ dict(**{'class': '<'})['class'] }}{{ dict(class='>')['class'] }}", "&lt;&gt;"),
        ("{% for x in '<>' %}{{ loop.cycle('&', x) }}{% endfor %}", "&amp;&gt;"),
        ("{% for x in [[1], 2] recursive %}{{ x if x is number else loop(x) }}{% endfor %}", "12"),
        ("{% set x %}<{% endset %}{{ x }}{{ '<' if x is escaped }}{{ none }}{{ 1 }}", "<&lt;None1"),
        ("{% block b %}<{% endblock %}{{ self.b() }}", "<<"),
    ],
)
def test_calls_of_a_template_do_what_they_do_elsewhere(
    text: str, page: str, tmp_path: Path
) -> None:
    """Every kind of call works with every kind of argument, and its result is escaped once."""
    assert rendered(tmp_path, text) == page


@pytest.mark.parametrize(
    "text",
    [
        "{{ missing }}",
        "{{ page.missing }}",
        "{{ page.title.missing.deeper }}",
        "{{ 1 // 0 }}",
        "{{ 1 + 'x' }}",
        "{{ page.title[9] }}x{{ page['k'] }}",
        "{% if %}",
        "{{",
        "{% extends 'nothing.html' %}",
        "{% include 't.html' %}",
        "{{ range(10**9)|list|length if false else 'x'.join(1) }}",
        b"\xe9",
    ],
)
def test_fault_of_a_template_is_a_render_error(text: str | bytes, tmp_path: Path) -> None:
    """Whatever is wrong with a template, the error names it, its line and the page on one line."""
    with pytest.raises(RenderError) as caught:
        rendered(tmp_path, text)
    # Bytes that are no UTF-8 are found before there are lines.
    line = "" if isinstance(text, bytes) else ", line 1,"
    assert caught.value.subject == f"t.html{line} for a/b.html"
    assert str(caught.value).isprintable()


def test_missing_template_is_a_render_error(tmp_path: Path) -> None:
    """A template that is in no folder is an error of ours."""
    with pytest.raises(RenderError, match=r"nothing\.html for x"):
        Renderer([tmp_path], FRAME).page("nothing.html", "x", NotFoundPage())


def test_earlier_folder_replaces_a_template(tmp_path: Path) -> None:
    """An operator's folder replaces single templates; the rest comes from the packaged ones."""
    put(tmp_path, {"404.html": b"mine {{ page.title }}"})
    renderer = Renderer([tmp_path, TEMPLATES], FRAME)
    assert renderer.page("404.html", "404.html", NotFoundPage()).data == b"mine Page not found"
    put(
        tmp_path,
        {
            "content.html": b"{% extends 'packaged/content.html' %}{% block title %}mine"
            b"{% endblock %}"
        },
    )
    extended = renderer.page("content.html", "x/index.html", ContentPage("About", "text")).data
    assert b"<title>mine</title>" in extended
    assert b"<h1>About</h1>" in extended


def test_json_is_compact_and_ascii() -> None:
    """JSON files are spelled as the registry spells its own."""
    assert json_file("x.json", {"b": ["é", None], "a": 1}).data == b'{"b":["\\u00e9",null],"a":1}'
