"""Estimate: what a build will write, from a census of all bundles and a built sample of a few.

Every group of files grows by a rule of its own: those of records by their mean, listings by the
counts of the census and by what a page and a row take in the sample, and so on. Where the sample
is all there is, nothing is extrapolated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.census import Census
from generator.config import Configuration
from generator.errors import InputError
from generator.limits import DEFAULT_LIMITS
from generator.load import Loaded
from generator.plan import INDEX_LENGTH, LISTING_LENGTH, ListingKind
from generator.sample_site import Group, SampleSite, Size, measure_sample

_COUNTED = (
    ListingKind.YEAR,
    ListingKind.MONTH,
    ListingKind.CATEGORY,
    ListingKind.LICENCE,
    ListingKind.AUTHOR,
)

_CUT = 10  # files into which a full file of words falls, about


@dataclass(frozen=True, slots=True)
class GroupEstimate:
    """What the files of one group come to."""

    name: str
    files: int
    length: int  # bytes
    blocks: int  # bytes on a disk with blocks of 4 KiB


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a build will write, about. `groups` have every file once, also siblings."""

    bundles: int  # loaded, also what could not be read
    bundles_length: int  # bytes, decompressed
    records: int  # to be published
    sample_bundles: int  # built for the measure
    sample_records: int  # published of them
    is_whole: bool  # the sample is all there is, so nothing was extrapolated
    groups: tuple[GroupEstimate, ...]

    @property
    def files(self) -> int:
        """All files."""
        return sum(group.files for group in self.groups)

    @property
    def length(self) -> int:
        """All bytes."""
        return sum(group.length for group in self.groups)

    @property
    def blocks(self) -> int:
        """All bytes on a disk with blocks of 4 KiB, without those of folders."""
        return sum(group.blocks for group in self.groups)


@dataclass(frozen=True, slots=True)
class _Scale:
    """From the sample and the census to the whole site."""

    records: int
    census: Census
    sample: SampleSite

    @property
    def from_sample(self) -> float:
        """How many records stand for one of the sample."""
        return self.records / self.sample.records

    @property
    def from_census(self) -> float:
        """How many records stand for one readable bundle."""
        return self.records / max(1, self.census.readable)


def estimate_build(
    bundles: Iterable[Loaded],
    configuration: Configuration,
    templates: Sequence[Path],
    *,
    records: int | None = None,
) -> Estimate:
    """Estimate the site of some bundles.

    Args:
        bundles: as loaded; read once, and none is kept but the sample.
        configuration: the mirror's.
        templates: folders of templates, as for a build.
        records: how many records to plan for; by default as many as the bundles give.

    Returns:
        The estimate.

    Raises:
        ConfigurationError: the configuration asks for what nothing here can make.
        InputError: there is no bundle, or none of the sample would be published.
        RenderError: a template failed.
    """
    census = Census()
    for loaded in bundles:
        census.add(loaded)
    raws = census.sample.bundles
    # Most are published, so this is good enough to tell whether the site is too large for it.
    with_full_text = (records or census.records()) <= DEFAULT_LIMITS.full_text_max_count
    sample = measure_sample(raws, configuration, templates, full_text=with_full_text)
    if not sample.records:
        found = f"none in a sample of {len(raws)}" if raws else "none"
        raise InputError("bundles", expected="one or more that can be published", found=found)
    is_whole = census.sample.is_whole and records in {None, sample.records}
    published = records or (
        sample.records
        if census.sample.is_whole
        else round(census.records() * sample.records / max(1, sample.readable))
    )
    scale = _Scale(published, census, sample)
    return Estimate(
        bundles=census.bundles,
        bundles_length=census.length,
        records=published,
        sample_bundles=sample.bundles,
        sample_records=sample.records,
        is_whole=is_whole,
        groups=_as_measured(sample) if is_whole else _extrapolated(scale),
    )


def _as_measured(sample: SampleSite) -> tuple[GroupEstimate, ...]:
    return tuple(
        _spelled(group, [sample.sizes[group], *_siblings(sample, group).values()])
        for group in Group
    )


def _siblings(sample: SampleSite, group: Group) -> dict[str, Size]:
    return {ending: size for (of, ending), size in sample.siblings.items() if of is group}


def _extrapolated(scale: _Scale) -> tuple[GroupEstimate, ...]:
    found, listed = [], 0.0
    for group in Group:
        if group is Group.MANIFEST:
            continue
        measured = scale.sample.sizes[group]
        grow = _GROWTH.get(group)
        whole = grow(measured, scale) if grow else measured
        siblings = _siblings(scale.sample, group).values()
        parts = [whole, *(_like(sibling, measured, whole) for sibling in siblings)]
        listed += sum(part.manifest for part in parts)
        found.append(_spelled(group, parts))
    return (*found, _spelled(Group.MANIFEST, [Size(1, listed, listed)]))


def _like(sibling: Size, measured: Size, whole: Size) -> Size:
    """Let siblings grow as their files do."""
    files = whole.files / measured.files if measured.files else 0.0
    length = whole.length / measured.length if measured.length else 0.0
    return _resized(sibling, sibling.files * files, sibling.length * length)


def _resized(measured: Size, files: float, length: float) -> Size:
    """Give a group other files and bytes; what a file wastes on a disk stays as in the sample."""
    count = max(1.0, measured.files)
    waste, listed = (measured.blocks - measured.length) / count, measured.manifest / count
    return Size(files, length, length + files * waste, files * listed)


def _spelled(group: Group, sizes: Sequence[Size]) -> GroupEstimate:
    return GroupEstimate(
        group.value,
        files=round(sum(size.files for size in sizes)),
        length=round(sum(size.length for size in sizes)),
        blocks=round(sum(size.blocks for size in sizes)),
    )


def _in_proportion(size: Size, scale: _Scale) -> Size:
    factor = scale.from_sample
    return _resized(size, size.files * factor, size.length * factor)


def _blocks(size: Size, scale: _Scale) -> Size:
    files = -(-scale.records // DEFAULT_LIMITS.search_block_length)
    return _resized(size, files, size.length * scale.from_sample)


def _words(size: Size, scale: _Scale) -> Size:
    # A file that is full is cut by one more letter, into many that are far from full.
    length = size.length * scale.from_sample
    files = length / (DEFAULT_LIMITS.search_shard_max_length / _CUT)
    return _resized(size, max(size.files, files), length)


def _rows(size: Size, scale: _Scale) -> Size:
    more = scale.records // DEFAULT_LIMITS.sitemap_urls_max_count
    return _resized(size, size.files + more, size.length * scale.from_sample)


def _pages(counts: Iterable[float]) -> int:
    return sum(max(1, -(-round(count) // LISTING_LENGTH)) for count in counts)


def _listings(size: Size, scale: _Scale) -> Size:
    frame, row = size.frame_and_item()
    pages = float(_pages([scale.records]))  # by time of receipt
    rows = float(scale.records)
    statuses = [count * scale.from_sample for count in scale.sample.statuses]
    pages += _pages(statuses)
    rows += sum(statuses)
    for kind in _COUNTED:
        # More records of the same kind fill listings; but they bring new names of authors.
        names = _names(kind, scale) / max(1, scale.census.folder_count(kind))
        held = [count * scale.from_census / names for count in scale.census.folders(kind)]
        share = _names(kind, scale) / len(held) if held else 0.0
        pages += _pages(held) * share
        rows += scale.census.memberships(kind) * scale.from_census
    return _resized(size, pages, pages * frame + rows * row)


def _names(kind: ListingKind, scale: _Scale) -> float:
    """Tell how many listings of a kind there will be; only names of authors go on and on."""
    count = scale.census.folder_count(kind)
    return count * max(1.0, scale.from_census) if kind is ListingKind.AUTHOR else count


def _indexes(size: Size, scale: _Scale) -> Size:
    indexed = (kind for kind in _COUNTED if kind is not ListingKind.MONTH)
    names = sum(_names(kind, scale) for kind in indexed)
    frame, item = size.frame_and_item()
    files = max(size.files, names / INDEX_LENGTH * 2)  # leaves half full, as after a cut
    return _resized(size, files, max(size.length, files * frame + names * item))


def _feeds(size: Size, scale: _Scale) -> Size:
    frame, entry = size.frame_and_item()
    limits = DEFAULT_LIMITS
    archives, left = divmod(scale.records, limits.feed_archive_length)
    shown = max(left, min(limits.feed_entries_max_count, scale.records))
    categories = [
        min(limits.feed_entries_max_count, count * scale.from_census)
        for count in scale.census.folders(ListingKind.CATEGORY)
    ]
    files = 1 + archives + len(categories)
    entries = archives * limits.feed_archive_length + shown + sum(categories)
    return _resized(size, files, files * frame + entries * entry)


# What is not here stays as it is in the sample.
_GROWTH: dict[Group, Callable[[Size, _Scale], Size]] = {
    Group.RECORD: _in_proportion,
    Group.LISTING: _listings,
    Group.INDEX: _indexes,
    Group.FEED: _feeds,
    Group.BLOCK: _blocks,
    Group.WORDS: _words,
    Group.ROWS: _rows,
    Group.FRAGMENT: _in_proportion,
}
