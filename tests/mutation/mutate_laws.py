"""Break the merge on purpose, once for each of its laws, and show that the law notices.

    python tests/mutation/mutate_laws.py [LAW…]

The laws are the tests of `tests/property/test_merge_laws.py` and `test_standing_laws.py`. A law
that no change here breaks could be one that cannot fail.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

_LAWS = ("tests.property.test_merge_laws", "tests.property.test_standing_laws")
_IMPORTED_ANEW = (*_LAWS, "tests.property.merge_pool", "tests.factories", "tests.vectors.reading")
# The first example that breaks a law is enough; the smallest one is for people.
settings.register_profile(
    "mutants", derandomize=True, database=None, deadline=None, phases=[Phase.generate]
)


@dataclass(frozen=True)
class Change:
    """One wrong line in place of a right one, and the law that it breaks."""

    law: str
    module: str
    before: str
    after: str


CHANGES = (
    Change(
        "test_order_of_bundles_changes_nothing",
        "generator.merge",
        "sorted(chosen.values(), key=_event_order)",
        "chosen.values()",
    ),
    Change(
        "test_order_of_events_changes_nothing",
        "generator.merge",
        "if present is None or _spelling(event) < _spelling(present):",
        "if present is None:",
    ),
    Change(
        "test_grouping_changes_nothing",
        "generator.merge",
        "for bundle in bundles for event in bundle.events)",
        "for bundle in bundles[-2:] for event in bundle.events)",
    ),
    Change(
        "test_union_of_bundles_is_one_file_in_any_grouping",
        "generator.formats.bundle",
        "parts = tuple(bundles)",
        "parts = tuple(bundles)[:2]",
    ),
    Change(
        "test_repetition_changes_nothing",
        "generator.merge",
        "chosen[event.identity] = event",
        "chosen[f'{event.identity} {len(chosen)}'] = event",
    ),
    Change(
        "test_events_are_never_lost",
        "generator.merge",
        "for event in events:\n        present",
        "for event in tuple(events)[-20:]:\n        present",
    ),
    Change(
        "test_listed_events_stay_listed",
        "generator.standing",
        "        Standing.CONTRADICTED,\n    )\n)",
        "    )\n)",
    ),
    Change(
        "test_counters_only_grow",
        "generator.standing",
        "if len(identities) > 1",
        "if len(identities) == 2",
    ),
    Change(
        "test_counters_agree_with_the_lists",
        "generator.state",
        '"valid_event_count": len(state.admitted)',
        '"valid_event_count": len(state.events)',
    ),
    Change(
        "test_events_stand_in_the_order_of_their_moments",
        "generator.merge",
        'moment or Instant(0, 0, "")',
        'Instant(0, 0, "")',
    ),
    Change(
        "test_outcome_decides_who_takes_part",
        "generator.standing",
        "policy.uncheckable is not UncheckableEvents.ACCEPT",
        "policy.uncheckable is UncheckableEvents.ACCEPT",
    ),
    Change(
        "test_contradictions_are_found_and_settle_nothing",
        "generator.standing",
        "event.event_type, event.target, event.created_at)",
        "event.event_type, event.target, str(event.created_at))",
    ),
    Change(
        "test_one_snapshot_of_a_target_is_current",
        "generator.standing",
        "last[event.event.target] = event.identity",
        "last.setdefault(event.event.target, event.identity)",
    ),
    Change(
        "test_signers_take_back_their_own_events_only",
        "generator.standing",
        "            and target.signer.signer_id == event.signer.signer_id\n",
        "",
    ),
    Change(
        "test_newest_word_of_a_detector_counts",
        "generator.standing",
        "finding.audited_at <= newest[finding.place]",
        "finding.audited_at < newest[finding.place]",
    ),
    Change(
        "test_thresholds_count_signers_and_not_events",
        "generator.standing",
        ".add(event.signer.signer_id)",
        ".add(event.identity)",
    ),
    Change(
        "test_void_events_act_on_no_other",
        "generator.standing",
        "for event in events}\n    for event in _counting(events, standings):",
        "for event in events}\n    for event in events:",
    ),
    Change(
        "test_unproven_events_change_nothing",
        "generator.standing",
        "if not judged.signed or event is None",
        "if event is None",
    ),
)


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a change in its source, everything else as usual."""

    def __init__(self, change: Change) -> None:
        self.change = change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Claim the changed module and no other."""
        if fullname != self.change.module:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(compile(changed(self.change), "<changed>", "exec"), module.__dict__)  # noqa: S102


def changed(change: Change) -> str:
    """Give the source of a module with a change.

    Args:
        change: the change.

    Returns:
        The source.

    Raises:
        ValueError: the line to change is not there, or not there once.
    """
    path = ROOT.joinpath(*change.module.split(".")).with_suffix(".py")
    source = path.read_text(encoding="utf-8")
    if source.count(change.before) != 1:
        raise ValueError(f"{change.law}: {change.before!r} is not once in {path.name}")
    return source.replace(change.before, change.after)


def is_broken(change: Change) -> bool:
    """Tell whether a law fails under its change.

    Args:
        change: the change.

    Returns:
        True if an example breaks it.
    """
    finder = _Changed(change)
    _forget()
    sys.meta_path.insert(0, finder)
    try:
        laws = [importlib.import_module(name) for name in _LAWS]
        law = next(getattr(module, change.law) for module in laws if hasattr(module, change.law))
        law()
    except AssertionError:
        return True
    finally:
        sys.meta_path.remove(finder)
        _forget()
    return False


def laws() -> set[str]:
    """Name every law.

    Returns:
        The tests of both modules.
    """
    modules = (importlib.import_module(name) for name in _LAWS)
    return {name for module in modules for name in vars(module) if name.startswith("test_")}


def _forget() -> None:
    for name in [*sys.modules]:
        if name.split(".")[0] == "generator" or name in _IMPORTED_ANEW:
            del sys.modules[name]


def main() -> int:
    """Make the changes and report the laws that hold all the same.

    Returns:
        1 if a law has no change here, or is not broken by it.
    """
    settings.load_profile("mutants")
    chosen = [change for change in CHANGES if change.law in sys.argv[1:] or not sys.argv[1:]]
    faults = sorted(f"no change breaks {law}" for law in laws() - {c.law for c in CHANGES})
    faults += [f"{change.law} holds all the same" for change in chosen if not is_broken(change)]
    print(
        "\n".join([*faults, f"{len(chosen)} laws, {len(chosen) - len(faults)} broken by a change"])
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
