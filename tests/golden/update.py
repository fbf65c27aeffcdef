"""Rebuild the expected sites of tests/golden/.

    python tests/golden/update.py

Each expected site is kept as its manifest, which names the digest of every file, and the full bytes
of the files a reviewer wants to see change: one of each kind.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from generator.config import Configuration  # noqa: E402
from tests.factories import BUNDLES, REAL_MIRROR, TEST_MIRROR, build, put, tree  # noqa: E402
from tests.vectors.reading import BUNDLES as VECTORS  # noqa: E402

# With authors and a TeX title; without an abstract.
RECORDS = ("GBVRHPPHVQL7BCWO4WS46S4DLR", "X37TDJUWWIYSUEPBPRJS2QZTTV")
REAL_FILES = (
    *(f"pith/{suffix}/index.html" for suffix in RECORDS),
    f"pith/{RECORDS[0]}.json",
    f"pith/{RECORDS[0]}/badge.svg",
    f"pith/{RECORDS[0]}/bundle.json",
    f"pith/{RECORDS[0]}/events.json",
    f"pith/{RECORDS[0]}/graph.json",
    f"pith/{RECORDS[0]}/state.json",
    "index.html",
    "404.html",
    "about/index.html",
    "arxiv/1704.05258/index.html",
    "browse/index.html",
    "browse/category/hep-th/index.html",
    "browse/year/2017/index.html",
    "doi/10.48550/arxiv.1704.05258/index.html",
    "p/25YK7L2R/index.html",
    "pith-mirrors.json",
    "pith-signing-key.json",
    "report.json",
    "report/index.html",
    "verify/index.html",
)
# Test vectors for what no real bundle shows: every verdict, contradiction, findings, hostile text.
VECTOR_NAMES = (
    "hostile-event-names-html",
    "hostile-text-direction",
    "hostile-text-html",
    "v7-signature-bit-flipped",
    "valid-integrity-two-findings",
    "valid-whole",
)
VECTOR_FILES = ("index.html", "report.json", "report/index.html")


@dataclass(frozen=True, slots=True)
class ExpectedSite:
    """What a site is built from, and which of its files are kept whole; None for record pages."""

    bundles: dict[str, bytes]
    configuration: Configuration
    files: tuple[str, ...]
    kept: tuple[str, ...] = ()


def expected_sites() -> dict[str, ExpectedSite]:
    """The expected sites by the name of their folder."""
    real = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
    names = {f"{name}.json": (VECTORS / f"{name}.json").read_bytes() for name in VECTOR_NAMES}
    return {
        "site": ExpectedSite(real, REAL_MIRROR, REAL_FILES),
        "vectors": ExpectedSite(names, TEST_MIRROR, VECTOR_FILES, ("index.html", "state.json")),
    }


def chosen(expected: ExpectedSite, site: dict[str, bytes]) -> dict[str, bytes]:
    """Pick what is kept of a built site.

    Args:
        expected: what to keep.
        site: the built site.

    Returns:
        Its manifest and the chosen files.
    """
    records = [p for p in site if p.startswith("pith/") and p.rpartition("/")[2] in expected.kept]
    return {path: site[path] for path in ("manifest.json", *expected.files, *records)}


def build_expected(expected: ExpectedSite) -> dict[str, bytes]:
    """Build a site and pick what is kept of it.

    Args:
        expected: what to build.

    Returns:
        Path to bytes.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        put(folder / "bundles", expected.bundles)
        build(folder / "bundles", folder / "site", configuration=expected.configuration)
        return chosen(expected, tree(folder / "site"))


def main() -> None:
    """Write the files anew and remove those that are no longer kept."""
    for name, expected in expected_sites().items():
        files = build_expected(expected)
        for path in [path for path in tree(HERE / name) if path not in files]:
            (HERE / name / path).unlink()
        put(HERE / name, files)
        print(f"{len(files)} files in tests/golden/{name}")


if __name__ == "__main__":
    main()
