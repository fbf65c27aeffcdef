"""Update: what has changed since the last build → the records and pages to make again.

Without a last build, or under another context, everything has changed: it is the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from generator import layout
from generator.assemble import Assembly
from generator.build_context import BuildContext
from generator.build_state import BuildState, find_state, open_read_only
from generator.bundle_index import BundleIndex
from generator.catalogue import Catalogue, Family
from generator.changes import Damage, GoneInput, find_changes, find_damage, trusted_stamp
from generator.config import Configuration
from generator.content import require_links
from generator.formats.digest import sha256
from generator.formats.raw import RawBundle
from generator.full_text import NO_FULL_TEXT, make_full_text
from generator.ledger import Ledger, LedgerRow
from generator.load import InputFile, Place, PlacedBundle, find_inputs, load_input
from generator.precompress import sibling_paths, siblings_of, siblings_of_stream
from generator.progress import Stage, counted
from generator.record_builder import PageOrder
from generator.render import PlannedPage, SiteFile, SiteStream
from generator.sink import FileStager, WriteSummary
from generator.site_files import site_files
from generator.site_inputs import SiteInputs
from generator.site_materials import SiteMaterials, site_inputs


@dataclass(frozen=True, slots=True)
class LastBuild:
    """What the last build of a site left, for reading.

    `damage` is what somebody did to the site since; None if it is too much to mend in parts.
    """

    state: BuildState
    catalogue: Catalogue
    ledger: Ledger
    damage: Damage | None

    def holds(self, everything: str, bundles: Path) -> bool:
        """Tell whether a build would make exactly the site that is there.

        Args:
            everything: the digest of all that a site is made from beside its bundles.
            bundles: the folder of bundles, or one file.

        Returns:
            True if nothing looks different.
        """
        if self.state.context.get("everything") != everything or self.damage != Damage():
            return False
        known = self.catalogue.bundles.inputs()
        return not any(True for _ in find_changes(find_inputs(bundles), known, forced=frozenset()))

    def kept(self) -> WriteSummary:
        """Tell what a build does to the site that changes nothing."""
        return WriteSummary(total=self.ledger.counts()[0], written=0, removed=0)

    def is_of(self, context: BuildContext) -> bool:
        """Tell whether what it knows of records holds under a context as well."""
        return self.damage is not None and self.state.context.get("records") == context.records


@contextmanager
def open_last_build(folder: Path, program: str) -> Iterator[LastBuild | None]:
    """Open what the last build of a site left.

    Args:
        folder: the site's, locked.
        program: the digest of this program.

    Yields:
        The last build; None if there is none that can be gone on from.
    """
    state = find_state(folder)
    # Another program may have other tables.
    if state is None or state.context.get("program") != program:
        yield None
        return
    with closing(open_read_only(state.path)) as database:
        catalogue, ledger = Catalogue(database), Ledger(database)
        yield LastBuild(state, catalogue, ledger, find_damage(folder, ledger))


@dataclass(frozen=True, slots=True)
class SiteChange:
    """What an update means for the files about the whole site.

    `is_any` says whether there is anything to make; `kept` are files that stay what they are.
    """

    is_any: bool
    kept: frozenset[Family]
    notes: tuple[str, ...]  # of the last build


_FAMILY_RANGES = {
    Family.LISTINGS: layout.LISTING_RANGES,
    Family.SEARCH: layout.SEARCH_RANGES,
}


def update_records(
    assembly: Assembly, folder: Path, last: LastBuild | None, context: BuildContext, *, started: int
) -> SiteChange:
    """Make the files of every record that is new or has changed, and drop those that are gone.

    Args:
        assembly: the build under way, which goes on from the last one.
        folder: of bundles, or one file.
        last: the last build, of the same context for records; None to make everything.
        context: of this build.
        started: when the build began, in nanoseconds of the file system's clock.

    Returns:
        What that means for the files about the whole site.

    Raises:
        InputError: the folder is missing or unreadable.
        OutputError: a file cannot be staged.
        RenderError: a template failed.
    """
    bundles = assembly.catalogue.bundles
    damage = (last and last.damage) or Damage()
    for path in damage.paths:
        assembly.writer.ledger.doubt(path)
    known = last.catalogue.bundles.inputs() if last else ()
    forced = frozenset(
        key for suffix in damage.records for key in assembly.catalogue.bundles.inputs_of(suffix)
    )
    changes = find_changes(find_inputs(folder), known, forced=forced)
    reading = _Reading(bundles, damage.records, started)
    # Closed also when something fails: no worker may go on writing while the build is given up.
    with closing(assembly.workers.build(reading.read(changes))) as all_built:
        for built in counted(all_built, Stage.RECORDS, assembly.on_progress):
            assembly.add(built)
    assembly.settle()
    restyled = context.changed_templates(last.state.context) if last else frozenset()
    if bundles.is_touched() or restyled:
        assembly.link_records()
    if restyled:
        assembly.restyle_records(restyled)
    return _site_change(assembly.catalogue, last, damage, context)


def _site_change(
    catalogue: Catalogue, last: LastBuild | None, damage: Damage, context: BuildContext
) -> SiteChange:
    if last is None:
        return SiteChange(is_any=True, kept=frozenset(), notes=())
    is_same = last.state.context.get("everything") == context.everything
    is_any = not is_same or catalogue.bundles.is_touched() or damage != Damage()
    # What is damaged is made again, and so is all that is made with it.
    may_stay = is_same and all(map(layout.record_of, damage.paths))
    kept = frozenset(family for family in Family if not catalogue.has_changed(family))
    return SiteChange(is_any, kept if may_stay else frozenset(), last.state.notes)


def stage_site(
    assembly: Assembly, materials: SiteMaterials, context: BuildContext, change: SiteChange
) -> tuple[str, ...]:
    """Make the files of the site as a whole, but for pages that would be what they are.

    Args:
        assembly: the build under way, its records complete.
        materials: what stands beside them.
        context: of this build.
        change: as `update_records` gives it.

    Returns:
        Notes for the operator: what the site was asked to have and does not.

    Raises:
        OutputError: a file cannot be staged.
        RenderError: a template failed.
    """
    catalogue, writer = assembly.catalogue, assembly.writer
    full_text, notes = NO_FULL_TEXT, change.notes
    if Family.SEARCH not in change.kept:
        full_text = make_full_text(catalogue, materials.configuration)
        notes = (full_text.left_out,) if full_text.left_out else ()
    inputs = site_inputs(catalogue, materials, full_text)
    writer.ledger.drop(layout.SITE_RANGES)
    for family in change.kept:
        writer.ledger.keep_all(_FAMILY_RANGES[family])
    with closing(
        assembly.workers.render(_to_render(inputs, assembly, context, change))
    ) as rendered:
        for rows in counted(rendered, Stage.PAGES, assembly.on_progress):
            for row in rows:
                writer.add(row)
    require_links(materials.content, writer.has)
    return notes


def _to_render(
    inputs: SiteInputs, assembly: Assembly, context: BuildContext, change: SiteChange
) -> Iterator[PageOrder | LedgerRow]:
    configuration, ledger = inputs.configuration, assembly.writer.ledger
    for part in site_files(inputs, kept=change.kept):
        if not isinstance(part, PlannedPage):
            # Staged here, and handed through for the order: of two files of one path the last
            # one counts.
            yield from _staged(part, assembly.writer.stager, configuration)
            continue
        made_from = part.made_from(context.records)
        paths = (part.path, *sibling_paths(part.path, configuration))
        if ledger.is_made_from(part.path, made_from) and all(map(ledger.find, paths)):
            for path in paths:
                ledger.keep(path)
        else:
            yield PageOrder(part.template, part.path, part.page, made_from)


def _staged(
    part: SiteFile | SiteStream, stager: FileStager, configuration: Configuration
) -> Iterator[LedgerRow]:
    """Stage a file or a stream, and then its siblings, for which a stream is read back."""
    first = stager.stage(part)
    yield first
    if isinstance(part, SiteFile):
        siblings: Iterable[SiteFile | SiteStream] = siblings_of(part, configuration)
    else:
        siblings = siblings_of_stream(part.path, lambda: stager.pieces(first), configuration)
    yield from map(stager.stage, siblings)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads the bundles of changed inputs, and notes what is gone."""

    bundles: BundleIndex
    damaged: frozenset[str]  # ids of records that are to be made again in any case
    started: int

    def read(self, changes: Iterable[InputFile | GoneInput]) -> Iterator[PlacedBundle]:
        for change in changes:
            if isinstance(change, GoneInput):
                self.bundles.forget_input(change.key)
            else:
                yield from self._bundles_of(change)

    def _bundles_of(self, file: InputFile) -> Iterator[PlacedBundle]:
        key, count = file.key, 0
        for count, loaded in enumerate(load_input(file), start=1):
            place = Place(key, count - 1)
            known = self.bundles.known(place)
            if known is None or not isinstance(loaded, RawBundle):
                yield PlacedBundle(place, loaded)
                continue
            origin, digest, suffix = known
            is_same = (origin, digest) == (loaded.origin, str(sha256(loaded.data)))
            if not is_same or suffix in self.damaged:
                yield PlacedBundle(place, loaded)
        self.bundles.forget_from(Place(key, count))
        self.bundles.note_input(key, trusted_stamp(file.stamp, started=self.started))
