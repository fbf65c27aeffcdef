"""What `peers.py` measured, as ratios beside their targets, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.timing import Timed

_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: ours by theirs, or ours alone where there is no peer."""

    number: str
    name: str
    ours: float
    theirs: float | None
    target: float | None  # None where none is set
    at_least: bool = False  # else at most
    unit: str = "s"

    @property
    def value(self) -> float:
        """What the target is for."""
        return self.ours if self.theirs is None else self.ours / self.theirs


def verdict(row: Row) -> str:
    """Say whether a target is met, and by how much of it.

    Args:
        row: a comparison.

    Returns:
        Words; none where there is no target.
    """
    if row.target is None:
        return ""
    apart = row.value / row.target - 1
    met = apart >= 0 if row.at_least else apart <= 0
    return f"{'met' if met else '**missed**'} by {abs(apart):.0%}"


def ratio_table(rows: Sequence[Row], elsewhere: Mapping[str, Row]) -> str:
    """Spell the comparisons.

    Args:
        rows: as measured at the first place.
        elsewhere: the same by number, as measured on disk; may lack some or all.

    Returns:
        A Markdown table.
    """
    lines = [
        "| | compared | ours | peer | value | target | | on disk |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: |",
    ]
    for row in rows:
        unit = f" {row.unit}" if row.theirs is None else ""
        peer = "" if row.theirs is None else _amount(row.theirs, row.unit)
        target = (
            "" if row.target is None else f"{'≥' if row.at_least else '≤'} {row.target:g}{unit}"
        )
        other = elsewhere.get(row.number)
        lines.append(
            f"| {row.number} | {row.name} | {_amount(row.ours, row.unit)} | {peer} |"
            f" {_number(row.value)}{unit} | {target} | {verdict(row)} |"
            f" {_number(other.value) if other else ''} |"
        )
    return "\n".join(lines)


def seconds_table(memory: Mapping[str, Timed], disk: Mapping[str, Timed], place: str) -> str:
    """Spell what every command took.

    Args:
        memory: medians by name, of the first place.
        disk: the same on disk; may be empty.
        place: what the first place is.

    Returns:
        A Markdown table.
    """
    lines = [
        f"| command | in {place}, s | on disk, s | largest process, MB |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, run in memory.items():
        other = f"{disk[name].seconds:.2f}" if name in disk else ""
        lines.append(f"| {name} | {run.seconds:.2f} | {other} | {run.peak / _MB:.0f} |")
    return "\n".join(lines)


def megabytes(length: int) -> float:
    """Give bytes in MB, which are 1,000,000 bytes."""
    return length / _MB


def _amount(value: float, unit: str) -> str:
    return f"{value:,.2f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def _number(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"
