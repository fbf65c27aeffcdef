"""Fuzz one harness with atheris (extra `fuzz`).

    python tests/fuzz/run.py HARNESS [--work DIR] [option of libFuzzer]...

New inputs are kept in `DIR/HARNESS/`, findings in `DIR/findings/`; DIR is `work/` beside this file.
What is worth keeping, `keep.py` takes into `corpus/`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import atheris

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

# Imported under instrumentation, so that libFuzzer sees which branches an input takes.
with atheris.instrument_imports(include=["generator", "opentimestamps", "checker"]):
    from tests.fuzz.harnesses import HARNESSES

BOUNDS = ("-timeout=5", "-rss_limit_mb=1024", "-max_len=4096", "-print_final_stats=1")


def main() -> None:
    """Fuzz until libFuzzer's own options say stop, or something is found."""
    parser = argparse.ArgumentParser(description="Fuzz one harness with atheris.")
    parser.add_argument("harness", choices=sorted(HARNESSES))
    parser.add_argument("--work", metavar="DIR", type=Path, default=HERE / "work")
    chosen, options = parser.parse_known_args()
    name, findings = chosen.harness, chosen.work / "findings"
    folders = (chosen.work / name, HERE / "corpus" / name)
    for folder in (*folders, findings):
        folder.mkdir(parents=True, exist_ok=True)
    words = HERE / f"{name}.dict"
    dictionary = [f"-dict={words}"] if words.is_file() else []
    prefix = f"-artifact_prefix={findings}/{name}-"
    arguments = [sys.argv[0], *BOUNDS, prefix, *dictionary, *options, *map(str, folders)]
    atheris.Setup(arguments, HARNESSES[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
