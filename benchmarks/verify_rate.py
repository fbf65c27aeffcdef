"""How many signatures a second one core verifies. `peers.py` starts this, pinned to that core.

    python benchmarks/verify_rate.py BUNDLES.ndjson CONFIG

Two rates: of the signatures alone, as the program checks them, and of all checks on a bundle, V1 to
V11, counted in the same signatures.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from generator.config import parse_configuration
from generator.formats.digest import Digest
from generator.formats.keys import TrustedKey
from generator.load import load_bundles
from generator.record_builder import report_bundle

_AT_LEAST = 3.0  # seconds, as OpenSSL takes


def main() -> None:
    """Print one JSON object."""
    bundles, config = Path(sys.argv[1]), Path(sys.argv[2])
    configuration = parse_configuration(config.read_bytes(), name=config.name)
    loaded = tuple(load_bundles(bundles))
    calls: list[tuple[TrustedKey, Digest, bytes]] = []
    signed = TrustedKey.signed

    def noted(key: TrustedKey, message: Digest, signature: bytes) -> bool:
        calls.append((key, message, signature))
        return signed(key, message, signature)

    setattr(TrustedKey, "signed", noted)  # noqa: B010 - mypy would take it for a slip
    for bundle in loaded:
        report_bundle(bundle, configuration)
    setattr(TrustedKey, "signed", signed)  # noqa: B010
    if not calls or len(calls) % len(loaded):
        raise SystemExit(f"{len(calls)} signatures were checked in {len(loaded)} bundles")

    checks = [partial(report_bundle, bundle, configuration) for bundle in loaded]
    checks_rate = _rate(checks) * len(calls) / len(loaded)
    signatures_rate = _rate([partial(signed, *call) for call in calls])
    print(json.dumps({"signatures": signatures_rate, "checks": checks_rate}))


def _rate(calls: Sequence[Callable[[], object]]) -> float:
    """Run the calls over and over; gives calls a second."""
    done = 0
    started = perf_counter()
    while (seconds := perf_counter() - started) < _AT_LEAST:
        for call in calls:
            call()
        done += len(calls)
    return done / seconds


if __name__ == "__main__":
    main()
