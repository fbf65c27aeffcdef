"""The kept corpus runs through every harness; atheris, if installed, looks a little further."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from generator.config import parse_configuration
from generator.formats.canonical import JsonObject
from generator.formats.raw import RawBundle
from generator.merge import RecordState
from generator.state import state_json
from generator.verify import check_bundle
from tests.fuzz import harnesses
from tests.fuzz.choices import Choices
from tests.fuzz.harnesses import HARNESSES
from tests.fuzz.making import configuration_text, make_bundle, spelled
from tests.fuzz.seeds import seeds

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
SLOWEST = 5.0  # seconds an input may take
LARGEST = 64 * 1024 * 1024  # bytes that Python may hold while it runs
# How long the suite lets atheris look, a harness. `make fuzz` looks for longer.
SECONDS = os.environ.get("FUZZ_SECONDS", "2")


def corpus_of(harness: str) -> list[Path]:
    """List the kept inputs of a harness."""
    return sorted((CORPUS / harness).iterdir())


@pytest.mark.parametrize("harness", HARNESSES)
def test_kept_inputs_find_nothing(harness: str) -> None:
    """No kept input, past findings included, makes a harness raise, hang or take much memory."""
    HARNESSES[harness](corpus_of(harness)[0].read_bytes())  # fills caches, which are no leak
    tracemalloc.start()
    try:
        for path in corpus_of(harness):
            tracemalloc.reset_peak()
            before, start = tracemalloc.get_traced_memory()[0], time.monotonic()
            HARNESSES[harness](path.read_bytes())
            assert time.monotonic() - start < SLOWEST, path.name
            assert tracemalloc.get_traced_memory()[1] - before < LARGEST, path.name
    finally:
        tracemalloc.stop()


def test_corpus_is_small_and_holds_nothing_twice() -> None:
    """Each harness has inputs, none of them long, no two of them equal, and no others are there."""
    assert {path.name for path in CORPUS.iterdir()} == set(HARNESSES)
    for harness in HARNESSES:
        inputs = [path.read_bytes() for path in corpus_of(harness)]
        assert 5 <= len(inputs) <= 150, harness
        assert len(set(inputs)) == len(inputs), harness
        assert max(map(len, inputs)) <= 4096, harness


def test_seeds_are_in_the_corpus() -> None:
    """What fuzzing starts from is what seeds.py writes."""
    wrong = [
        f"{harness}/{name}"
        for harness, name, data in seeds()
        if (CORPUS / harness / f"seed-{name}.bin").read_bytes() != data
    ]
    assert wrong == []


def test_seeds_reach_whole_bundles() -> None:
    """Bundles made without any choice are right, so that damage is done to something."""
    text = configuration_text(Choices(b"")).encode()
    configuration = parse_configuration(text, name="test", read=lambda _: b"")
    raw = RawBundle("test", spelled(make_bundle(Choices(b""))))
    assert check_bundle(raw, configuration.trust).verified is not None


def test_an_exception_that_is_not_ours_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A harness swallows errors of our own tree and nothing else."""

    def broken(_: bytes, *, subject: str) -> None:
        raise KeyError(subject)

    monkeypatch.setattr(harnesses, "parse_json", broken)
    with pytest.raises(KeyError):
        HARNESSES["json"](b"{}")


def test_a_state_that_depends_on_order_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """The merge harness notices a state that tells in which order its parts came."""
    calls = []

    def counting(state: RecordState) -> JsonObject:
        calls.append(state)
        return {**state_json(state), "call": len(calls)}

    monkeypatch.setattr(harnesses, "state_json", counting)
    with pytest.raises(AssertionError):
        HARNESSES["merge"](b"")


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris not installed")
@pytest.mark.parametrize("harness", HARNESSES)
def test_atheris_finds_nothing(harness: str, tmp_path: Path) -> None:
    """A short run from the kept corpus, the fuzzer's choices fixed, ends without a finding."""
    command = [sys.executable, str(HERE / "run.py"), harness, "--work", str(tmp_path), "-seed=1"]
    finished = subprocess.run(
        [*command, f"-max_total_time={SECONDS}"], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr[-4_000:]
    assert list((tmp_path / "findings").iterdir()) == []
