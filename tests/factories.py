"""What several tests make: trust, reports and states of bundles, archives, files, built sites.

The bundles themselves come from `tests/vectors/builders.py`, which knows the protocol and nothing
of the program; here their bytes meet the program.
"""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from generator.build import BuildOptions, BuildSummary, build_site
from generator.config import Configuration, parse_configuration
from generator.facts import KnownRecord
from generator.formats.raw import RawBundle
from generator.layout import STATE_FOLDER
from generator.merge import RecordState, merge_bundles
from generator.record_files import check_raw_bundle, known_record
from generator.standing import MergePolicy, UncheckableEvents
from generator.verify import BundleReport, VerifiedBundle
from tests.vectors.builders import PAPER, SIGNED_AT, Json, Paper, compact
from tests.vectors.builders import record_of as record_of_paper
from tests.vectors.builders import suffix_of as suffix_of_record
from tests.vectors.reading import CONFIGURATION

if sys.version_info >= (3, 14):
    from compression import zstd as _zstd
else:
    from backports import zstd as _zstd


def read_configuration(path: Path) -> Configuration:
    """Read a `mirror.toml` and the files it names, as the command line does."""
    return parse_configuration(
        path.read_bytes(), name=path.name, read=lambda name: (path.parent / name).read_bytes()
    )


ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
zstd = _zstd
BUNDLES = ROOT / "bundles"
# The vectors' trust: test keys whose secrets are derived from labels.
TEST_MIRROR = read_configuration(CONFIGURATION)
# The repository's own: the registry's real key. Without what depends on the versions of other
# programs.
_OWN = read_configuration(ROOT / "mirror.toml")
REAL_MIRROR = replace(
    _OWN, presentation=replace(_OWN.presentation, full_text_search=False, parquet=False)
)
CARRY = MergePolicy(UncheckableEvents.CARRY)
ACCEPT = MergePolicy(UncheckableEvents.ACCEPT)
ACCEPTING = replace(TEST_MIRROR, policy=ACCEPT)
# When a receipt says it was signed, but for the one in the builders.
LATER = "2026-05-19T00:00:00Z"
assert SIGNED_AT < LATER


def raw(bundle: Json | bytes, *, origin: str = "test.json") -> RawBundle:
    """Spell a bundle as a file would hold it."""
    return RawBundle(origin, bundle if isinstance(bundle, bytes) else compact(bundle))


def report_on(
    bundle: Json | bytes, *, configuration: Configuration = TEST_MIRROR, origin: str = "test.json"
) -> BundleReport:
    """Make every check on a bundle, V1 to V11."""
    return check_raw_bundle(raw(bundle, origin=origin), configuration)


def verified(bundle: Json | bytes, *, configuration: Configuration = TEST_MIRROR) -> VerifiedBundle:
    """Check a bundle that has to be admitted."""
    report = report_on(bundle, configuration=configuration)
    assert report.verified is not None, report.checks
    return report.verified


def state_of(
    *bundles: Json | bytes,
    policy: MergePolicy = CARRY,
    configuration: Configuration = TEST_MIRROR,
) -> RecordState:
    """Merge bundles of one record."""
    parts = [verified(bundle, configuration=configuration) for bundle in bundles]
    return merge_bundles(parts, policy=policy)


def known_of(
    bundle: Json | bytes,
    *,
    policy: MergePolicy = CARRY,
    configuration: Configuration = TEST_MIRROR,
) -> KnownRecord:
    """Gather what is known of a record whose bundle has to be admitted."""
    configuration = replace(configuration, policy=policy)
    return known_record(report_on(bundle, configuration=configuration), configuration)


def suffix_of(paper: Paper = PAPER) -> str:
    """Give the id of a paper's record."""
    return suffix_of_record(record_of_paper(paper))


def tar_of(members: Iterable[tuple[str, bytes]]) -> bytes:
    """Pack files into a tar archive; the names are taken as they are."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zip_of(members: Iterable[tuple[str, bytes]], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Pack files into a zip archive; the names are taken as they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return buffer.getvalue()


def put(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder but build states, by relative path, following no link."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.parent.name != STATE_FOLDER
    }


def build(
    bundles: Path,
    site: Path,
    *,
    configuration: Configuration = TEST_MIRROR,
    allow_removal: bool = False,
) -> BuildSummary:
    """Build a site in this process."""
    options = BuildOptions(
        bundles=bundles, site=site, templates=(TEMPLATES,), allow_removal=allow_removal
    )
    return build_site(options, configuration)


def built(
    folder: Path, files: Mapping[str, bytes], *, configuration: Configuration = TEST_MIRROR
) -> dict[str, bytes]:
    """Build a site of files in a fresh folder and read it."""
    put(folder / "bundles", files)
    build(folder / "bundles", folder / "site", configuration=configuration)
    return tree(folder / "site")
