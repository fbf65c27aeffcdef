"""Take into `corpus/` what fuzzing found that goes a way through the program no kept input goes.

    python tests/fuzz/keep.py HARNESS [DIR]

DIR holds the candidates; it is `work/HARNESS` if it is not given. Shorter inputs come first, so a
long one is kept only for what the short ones do not reach. No fuzzer is needed for it.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from tests.fuzz.harnesses import HARNESSES  # noqa: E402

if TYPE_CHECKING:
    from _typeshed import TraceFunction

Step = tuple[str, int, int]  # file, line, next line
_WATCHED = tuple(str(ROOT / name) for name in ("generator", "checker"))


def steps_of(harness: str, data: bytes) -> set[Step]:
    """Run a harness and note each step from line to line in our own modules.

    Args:
        harness: its name.
        data: the input.

    Returns:
        The steps; those up to the finding if the input is one.
    """
    steps: set[Step] = set()
    last: dict[int, int] = {}

    def trace(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        name = frame.f_code.co_filename
        if not name.startswith(_WATCHED):
            return None
        if event == "line":
            steps.add((name, last.get(id(frame), 0), frame.f_lineno))
            last[id(frame)] = frame.f_lineno
        elif event == "call":
            last[id(frame)] = 0
        return trace

    sys.settrace(trace)
    try:
        HARNESSES[harness](data)
    except Exception as error:  # noqa: BLE001 - a finding is kept as well
        print(f"a finding: {type(error).__name__} {error}")
    finally:
        sys.settrace(None)
    return steps


def main() -> None:
    """Keep what is new."""
    harness = sys.argv[1]
    found = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "work" / harness
    kept = HERE / "corpus" / harness
    # Twice, since the first run also fills caches, on a way that no later run takes.
    seen = {step for _ in range(2) for path in kept.iterdir() for step in steps_of_file(path)}
    candidates = sorted((path.stat().st_size, path.name, path) for path in found.iterdir())
    for _, _, path in candidates:
        new = steps_of_file(path, harness) - seen
        if new:
            seen |= new
            data = path.read_bytes()
            name = f"{hashlib.sha256(data).hexdigest()[:16]}.bin"
            (kept / name).write_bytes(data)
            print(f"{name}: {len(data)} bytes, {len(new)} new steps")


def steps_of_file(path: Path, harness: str = "") -> set[Step]:
    """Give the steps of a file; the folder of a kept one names its harness."""
    return steps_of(harness or path.parent.name, path.read_bytes())


if __name__ == "__main__":
    main()
