"""Census: what all bundles say of themselves, unverified, counted in one pass and bounded memory.

For the estimate of a build: how many records there are, in how many listings they stand, and an
even sample of bundles to build for a measure.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable

from generator.authors import split_authors
from generator.formats.bundle import Bundle, shape_of
from generator.formats.digest import sha256
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS, Limits
from generator.load import Loaded
from generator.plan import ListingKind

_DIGEST_LENGTH = 8  # bytes of a digest that are enough to tell values apart here


class DistinctCount:
    """Counts different texts: exactly while they are few, then by their smallest digests.

    The digests of n different texts are spread evenly, so the k-th smallest tells n (Bar-Yossef and
    others, 2002); with 4,096 kept the error is about 2 %.
    """

    def __init__(self, *, kept: int) -> None:
        """Begin with none.

        Args:
            kept: how many digests are held.
        """
        self._kept = kept
        self._smallest: list[int] = []  # a heap of negated digests, the largest digest on top
        self._held: set[int] = set()

    def add(self, text: str) -> None:
        """Count a text, once however often it comes."""
        digest = int.from_bytes(sha256(text.encode()).raw[:_DIGEST_LENGTH], "big")
        if digest in self._held:
            return
        if len(self._smallest) < self._kept:
            heapq.heappush(self._smallest, -digest)
        elif digest < -self._smallest[0]:
            self._held.discard(-heapq.heappushpop(self._smallest, -digest))
        else:
            return
        self._held.add(digest)

    def count(self) -> int:
        """Tell how many different texts there were, about."""
        if len(self._smallest) < self._kept:
            return len(self._smallest)
        share = -self._smallest[0] / (1 << 8 * _DIGEST_LENGTH)
        return round((self._kept - 1) / share)


class EvenSample:
    """Every so manieth of a stream, so chosen that what is held stays within bounds."""

    def __init__(self, limits: Limits) -> None:
        """Begin with nothing.

        Args:
            limits: how many bundles, and how many bytes of them.
        """
        self._limits = limits
        self._step = 1
        self._seen = self._length = 0
        self.bundles: list[RawBundle] = []

    @property
    def is_whole(self) -> bool:
        """Whether every bundle that was offered is in it."""
        return self._step == 1

    def offer(self, raw: RawBundle) -> None:
        """Take a bundle if it is its turn; in need of room let every second one go."""
        index = self._seen
        self._seen += 1
        if index % self._step:
            return
        self.bundles.append(raw)
        self._length += len(raw.data)
        while len(self.bundles) > 1 and (
            len(self.bundles) > self._limits.sample_max_count
            or self._length > self._limits.sample_max_length
        ):
            self.bundles = self.bundles[::2]
            self._step *= 2
            self._length = sum(len(raw.data) for raw in self.bundles)


class Census:
    """The counts of one folder of bundles."""

    def __init__(self, *, limits: Limits = DEFAULT_LIMITS) -> None:
        """Begin with none.

        Args:
            limits: how much is held.
        """
        self._limits = limits
        self.bundles = self.length = 0  # all that was loaded, and its bytes
        self.readable = 0  # bundles of the right shape
        self.sample = EvenSample(limits)
        self._records = DistinctCount(kept=limits.distinct_kept_count)
        self._authors = DistinctCount(kept=limits.distinct_kept_count)
        self._folders: dict[ListingKind, Counter[str]] = {kind: Counter() for kind in ListingKind}
        self._memberships: Counter[ListingKind] = Counter()

    def add(self, loaded: Loaded) -> None:
        """Count one loaded thing.

        Args:
            loaded: a raw bundle, or what could not be read.
        """
        self.bundles += 1
        if not isinstance(loaded, RawBundle):
            return
        self.length += len(loaded.data)
        self.sample.offer(loaded)
        bundle = shape_of(loaded)
        if bundle is None:
            return
        self.readable += 1
        record, kinds = bundle.record, ListingKind
        self._records.add(str(record.digest))
        month = record.submitted_at.date[:7]
        names = split_authors(_authors_text(bundle))
        for name in names:
            self._authors.add(name)
        self._list(kinds.YEAR, (month[:4],))
        self._list(kinds.MONTH, (month,))
        self._list(kinds.LICENCE, (record.license,))
        self._list(kinds.CATEGORY, (record.primary_category, *record.cross_categories))
        self._list(kinds.AUTHOR, names)

    def records(self) -> int:
        """Tell how many different records the bundles are of, about; none of them is verified."""
        return self._records.count()

    def memberships(self, kind: ListingKind) -> int:
        """Count how often bundles stand in listings of a kind."""
        return self._memberships[kind]

    def folders(self, kind: ListingKind) -> tuple[int, ...]:
        """Give the bundles of each listing of a kind, of as many listings as are held."""
        return tuple(self._folders[kind].values())

    def folder_count(self, kind: ListingKind) -> int:
        """Tell how many listings of a kind there are, about."""
        held = len(self._folders[kind])
        return max(held, self._authors.count()) if kind is ListingKind.AUTHOR else held

    def _list(self, kind: ListingKind, names: Iterable[str]) -> None:
        folders = self._folders[kind]
        for name in set(names):
            self._memberships[kind] += 1
            if name in folders or len(folders) < self._limits.counted_listings_max_count:
                folders[name] += 1


def _authors_text(bundle: Bundle) -> str:
    """Give the authors that a snapshot of the bundle names, whoever says so."""
    for event in bundle.events:
        value: object = event
        for key in ("payload", "graph_snapshot", "paper", "authors_text"):
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str):
            return value
    return ""
