"""Sink: where a build's files go. A folder, one archive or an object store; the same files in each.

A sink stages files, in several processes at once, and makes them the site by one `commit`, with the
manifest last. Leaving it without `commit` leaves what was there before as it was.
"""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from generator import layout
from generator.errors import OutputError
from generator.ledger import Ledger, LedgerRow
from generator.limits import DEFAULT_LIMITS, shorten
from generator.progress import OnProgress
from generator.render import SiteFile, SiteStream


@dataclass(frozen=True, slots=True)
class WriteSummary:
    """What a build did to the site, in files."""

    total: int
    written: int
    removed: int


class FileStager(Protocol):
    """Puts files aside; there is one in every process of a build."""

    @abstractmethod
    def sibling(self, stager: int) -> FileStager:
        """Give a stager of the same build for another process, told apart by a number from 1."""

    @abstractmethod
    def stage(self, file: SiteFile | SiteStream) -> LedgerRow:
        """Put a file aside, unless the site has the same bytes already.

        Raises:
            OutputError: the path is not one of a site, or cannot be written.
        """

    @abstractmethod
    def pieces(self, row: LedgerRow) -> Iterator[bytes]:
        """Read a file back that any stager of the build has put aside, in pieces of one length."""

    @abstractmethod
    def discard(self, row: LedgerRow) -> None:
        """Give up what was put aside and is not wanted after all."""


class Sink(Protocol):
    """Where the files of one build go."""

    database: sqlite3.Connection  # of the build
    ledger: Ledger
    stager: FileStager  # of this process

    def stage(self, file: SiteFile | SiteStream) -> None:
        """Put a file aside, unless the site has the same bytes already.

        Args:
            file: path and bytes; a second file of one path replaces the first.

        Raises:
            OutputError: the path is not one of a site, or cannot be written.
        """
        self.add(self.stager.stage(file))

    def add(self, row: LedgerRow) -> None:
        """Take over a file that was staged, here or in another process.

        Args:
            row: as `FileStager.stage` gave it; a second one of a path replaces the first.
        """
        self.ledger.add(row)

    def discard(self, rows: Iterable[LedgerRow]) -> None:
        """Give up files that were staged and never added."""
        for row in rows:
            self.stager.discard(row)

    def has(self, path: layout.SitePath) -> bool:
        """Tell whether the site has a file as this build leaves it."""
        return self.ledger.has(path)

    def read(self, path: layout.SitePath) -> bytes:
        """Read back a file of this build.

        Args:
            path: of a file that was staged, or kept.

        Returns:
            Its bytes, wherever they are now.

        Raises:
            OutputError: there is none.
        """
        row = self.ledger.find(path)
        if row is None:
            raise OutputError(path, expected="a file of this build", found="none")
        return b"".join(self.stager.pieces(row))

    @abstractmethod
    def commit(
        self,
        *,
        generator: str,
        allow_removal: bool = False,
        context: dict[str, str] | None = None,
        notes: tuple[str, ...] = (),
        part_max_count: int = DEFAULT_LIMITS.manifest_part_max_count,
        on_progress: OnProgress = lambda _: None,
    ) -> WriteSummary:
        """Make the staged files the site.

        Args:
            generator: name and version, for the manifest.
            allow_removal: also if most records of the site would go.
            context: under which the site was made, for a sink that keeps the state of a build.
            notes: for the operator, kept with the context.
            part_max_count: of files that one document of the manifest lists, on average.
            on_progress: called after each file.

        Returns:
            What was done.

        Raises:
            OutputError: most records would go, or something cannot be written.
        """


def require_site_path(path: str) -> None:
    """Refuse a path that no file of a site can have.

    Raises:
        OutputError: it is one.
    """
    if not layout.is_site_path(path):
        raise OutputError(repr(shorten(path)), expected="a relative ASCII path", found="another")


def require_pages(ledger: Ledger, subject: str, *, allow_removal: bool) -> None:
    """Refuse to take most records off a site.

    A wrong key or a wrong folder takes all records away at once; a wish seldom does.

    Args:
        ledger: complete.
        subject: the site, for the message.
        allow_removal: that it is meant.

    Raises:
        OutputError: most would go.
    """
    pages, gone = ledger.record_pages()
    if gone * 2 > pages and not allow_removal:
        raise OutputError(
            subject,
            expected="at least half of the site's records to stay",
            found=f"{gone} of {pages} would be removed",
            hint="--allow-removal, if that is meant",
        )
