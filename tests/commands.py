"""Runs commands in this process, as a shell would see them: exit code, stdout, stderr."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from generator.cli import main
from tests.vectors.builders import Json, compact
from tests.vectors.reading import CONFIGURATION


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """Stdout as text."""
        return self.stdout.decode()

    @property
    def rows(self) -> list[Any]:
        """Stdout as JSON, a value a line."""
        return [json.loads(line) for line in self.text.splitlines()]


def run(*arguments: str | Path, env: dict[str, str] | None = None) -> Finished:
    """Run a command; an exception that is no exit is a bug and fails the test."""
    result = CliRunner(env=env).invoke(main, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Finished(result.exit_code, result.stdout_bytes, result.stderr)


def run_tested(*arguments: str | Path, env: dict[str, str] | None = None) -> Finished:
    """Run a command under the trust of the test vectors."""
    return run(*arguments, "--config", CONFIGURATION, env=env)


def put(folder: Path, **bundles: Json | bytes) -> Path:
    """Write bundles as `<name>.json` into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, bundle in bundles.items():
        data = bundle if isinstance(bundle, bytes) else compact(bundle)
        (folder / f"{name}.json").write_bytes(data)
    return folder
