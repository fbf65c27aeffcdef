"""Take each decision out of the checks, one at a time, and show that a vector notices.

    python tests/mutation/mutate_checks.py [--list] [--no-allowed] [PART…]

A mutant *survives* if every vector still gives exactly what is expected of it. Survivors fail the
run, unless `allowed.toml` says why they change nothing that a bundle can show. PART narrows the
mutants to those whose label holds it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import signal
import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.mutation.mutants import Mutant, mutants_of  # noqa: E402

MODULES = (
    "generator.verify",
    "generator.verify_creation",
    "generator.verify_events",
    "generator.verify_payloads",
    "generator.verify_snapshots",
    "generator.standing",
    "generator.formats.bundle",
    "generator.formats.canonical",
    "generator.formats.checks",
    "generator.formats.digest",
    "generator.formats.event",
    "generator.formats.fields",
    "generator.formats.identifiers",
    "generator.formats.instant",
    "generator.formats.integrity",
    "generator.formats.keys",
    "generator.formats.kinds",
    "generator.formats.mirror1",
    "generator.formats.payloads",
    "generator.formats.receipt",
    "generator.formats.record",
    "generator.formats.rotation",
    "generator.formats.snapshot",
    "generator.formats.text",
)
WORKERS = 2
MUTANT_SECONDS = 30  # a mutant that loops for ever is noticed, too


# Of this process: the vectors, and which of them noticed a mutant. Those are tried first.
_VECTORS: list[Any] = []
_NOTICED: set[str] = set()


class _MutantTimeoutError(Exception):
    """A mutant ran longer than all vectors take."""


class _OneModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from mutated source, everything else as usual."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Claim the mutated module and no other."""
        if fullname != self.mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the mutated source."""
        exec(compile(self.mutant.source, "<mutant>", "exec"), module.__dict__)  # noqa: S102


def killer_of(mutant: Mutant) -> str | None:
    """Run the vectors against a mutant.

    Args:
        mutant: what to import in place of its module.

    Returns:
        The first vector that does not give what is expected, or None if the mutant survives.
    """
    finder = _OneModule(mutant)
    _forget()
    sys.meta_path.insert(0, finder)
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MUTANT_SECONDS)
    try:
        return _first_difference()
    except _MutantTimeoutError:
        return "(time)"
    finally:
        signal.alarm(0)
        sys.meta_path.remove(finder)
        _forget()


def _first_difference() -> str | None:
    try:
        reading = importlib.import_module("tests.vectors.reading")
        verify = importlib.import_module("generator.verify")
        raw = importlib.import_module("generator.formats.raw")
        trust = reading.vector_trust()
    except _MutantTimeoutError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a mutant breaks is noticed
        return f"(import: {type(error).__name__})"

    def of_bundle(vector: Any) -> dict[str, Any]:  # noqa: ANN401 - its class is imported anew
        report = verify.check_bundle(raw.RawBundle("test", vector.data), trust)
        found: dict[str, Any] = reading.said(report, vector.expected)
        return found

    def of_rotations(vector: Any) -> dict[str, Any]:  # noqa: ANN401 - the same
        found: dict[str, Any] = reading.said_of_rotations(vector.data, trust)
        return found

    if not _VECTORS:
        # They do not change with a mutant. The few large ones last: most are noticed before.
        stored = sorted(reading.stored_vectors(), key=lambda item: (len(item.data), item.name))
        _VECTORS.extend([*stored, *reading.stored_rotations()])
    for vector in sorted(_VECTORS, key=lambda item: item.name not in _NOTICED):
        try:
            said = of_rotations if "refused" in vector.expected else of_bundle
            found = said(vector)
        except _MutantTimeoutError:
            raise
        except Exception as error:  # noqa: BLE001 - a crash is a difference, too
            _NOTICED.add(vector.name)
            return f"{vector.name} ({type(error).__name__})"
        if any(vector.expected[key] != value for key, value in found.items()):
            _NOTICED.add(vector.name)
            return str(vector.name)
    return None


def _forget() -> None:
    for name in [*sys.modules]:
        if name.split(".")[0] == "generator" or name == "tests.vectors.reading":
            del sys.modules[name]


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise _MutantTimeoutError


def allowed() -> dict[str, str]:
    """Read why some survivors are right.

    Returns:
        Reason by label of a mutant, or by `<module> <function>` for all of a function.
    """
    table = tomllib.loads((HERE / "allowed.toml").read_text(encoding="utf-8"))
    return {label: row["why"] for row in table["survivors"] for label in row["labels"]}


def reason_for(mutant: Mutant, reasons: dict[str, str]) -> str | None:
    """Say why a mutant may survive.

    Args:
        mutant: a survivor.
        reasons: from `allowed`.

    Returns:
        The reason, or None if it may not.
    """
    return reasons.get(mutant.label) or reasons.get(mutant.label.split(":")[0])


def main() -> int:
    """Run the mutants and report the survivors."""
    parser = argparse.ArgumentParser(description="Show that every decision of a check is tested.")
    parser.add_argument("parts", nargs="*", help="only mutants whose label holds one of these")
    parser.add_argument("--list", action="store_true", help="say of each mutant what noticed it")
    parser.add_argument("--no-allowed", action="store_true", help="let no survivor pass")
    options = parser.parse_args()
    reasons = {} if options.no_allowed else allowed()
    mutants = [
        mutant
        for module in MODULES
        for mutant in mutants_of(module)
        if not options.parts or any(part in mutant.label for part in options.parts)
    ]
    before = _first_difference()
    if before is not None:
        print(f"without any change, {before} is not as expected: nothing would be shown")
        return 1
    # What no check runs is not tried: a whole function may be named in the list.
    tried = [mutant for mutant in mutants if mutant.label.split(":")[0] not in reasons]
    with ProcessPoolExecutor(WORKERS) as pool:
        killers = list(pool.map(killer_of, tried, chunksize=4))
    survivors = [mutant for mutant, killer in zip(tried, killers, strict=True) if killer is None]
    if options.list:
        for mutant, killer in zip(tried, killers, strict=True):
            print(f"{killer or 'SURVIVED'} <- {mutant.label}")
    unknown = [mutant for mutant in survivors if reason_for(mutant, reasons) is None]
    labels = {mutant.label for mutant in mutants} | {m.label.split(":")[0] for m in mutants}
    stale = [] if options.parts else sorted(set(reasons) - labels)
    for mutant in unknown:
        print(f"survived: {mutant.module}:{mutant.line} {mutant.label}")
    for label in stale:
        print(f"allowed.toml names what is not there: {label}")
    print(
        f"{len(tried)} mutants, {len(tried) - len(survivors)} noticed, "
        f"{len(survivors) - len(unknown)} allowed with a reason, {len(unknown)} survived"
    )
    return 1 if unknown or stale else 0


if __name__ == "__main__":
    sys.exit(main())
