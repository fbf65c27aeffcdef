"""Text to copy from a record page: the verify command, the LaTeX lines, the badge in four markups.

Everything here is built from checked values (suffix, digest, configured URL), so nothing in it
needs quoting; the template escapes it for HTML like any other text.
"""

from __future__ import annotations

from generator import layout
from generator.pages import Snippet

# What a reader puts there when the mirror has not said where it is served.
_PLACEHOLDER = "http://localhost:8000/"


def verify_command(source: layout.SitePath, digest: str, *, base_url: str) -> str:
    """Give the command that recomputes a record's digest from this mirror's static files.

    Args:
        source: a file of the record that holds its canonical record.
        digest: the digest to expect, hex.
        base_url: where the mirror is served, with trailing slash, or empty.

    Returns:
        Shell lines for curl and python3.
    """
    program = (
        "import sys, json, hashlib; r = json.load(sys.stdin)['canonical_record']; "
        "b = json.dumps(r, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode(); "
        "print(hashlib.sha256(b).hexdigest())"
    )
    return (
        f"curl -s {base_url or _PLACEHOLDER}{source} \\\n"
        f'  | python3 -c "{program}"\n'
        f"# expect: {digest}"
    )


def latex_snippet(suffix: str) -> Snippet:
    """Give the lines for a LaTeX paper, as the registry's page does.

    They hold the suffix alone, so that they are the same for the registry's package and for the
    `pith.sty` that the mirror serves.

    Args:
        suffix: the record's id.

    Returns:
        The snippet.
    """
    return Snippet("LaTeX", f"\\usepackage{{pith}}\n\\pithnumber{{{suffix}}}")


def badge_snippets(suffix: str, pith_number: str, *, base_url: str) -> tuple[Snippet, ...]:
    """Give the badge in the markups people embed it with.

    Args:
        suffix: the record's id.
        pith_number: its full form, used as the alternative text.
        base_url: where the mirror is served, with trailing slash, or empty.

    Returns:
        Markdown, HTML, reStructuredText and LaTeX, in this order.
    """
    root = base_url or _PLACEHOLDER
    page = f"{root}pith/{suffix}/"
    image = f"{root}{layout.record_file(suffix, 'badge.svg')}"
    return (
        Snippet("Markdown", f"[![{pith_number}]({image})]({page})"),
        Snippet("HTML", f'<a href="{page}"><img src="{image}" alt="{pith_number}"></a>'),
        Snippet(
            "reStructuredText",
            f".. image:: {image}\n   :target: {page}\n   :alt: {pith_number}",
        ),
        Snippet("LaTeX", f"\\href{{{page}}}{{\\texttt{{{pith_number}}}}}"),
    )
