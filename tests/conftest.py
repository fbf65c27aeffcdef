"""What every test shares: a clean environment, derandomised properties, one built site."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# Set before anything of ours is imported, so that no test can pass by the luck of the machine it
# runs on; determinism tests start subprocesses with other values.
os.environ["TZ"] = "UTC"
os.environ["LC_ALL"] = "C.UTF-8"
for _name in ("LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "SOURCE_DATE_EPOCH"):
    os.environ.pop(_name, None)
time.tzset()

# `ci` finds the same thing twice: no random seed, no deadline that a busy machine could miss, no
# example database. `explore` is for looking further: HYPOTHESIS_PROFILE=explore make pytest.
settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=100,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's own bundles, built once per worker through the command line."""
    site = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "generator", "build", "--bundles", "bundles"]
    finished = subprocess.run(
        [*command, "--site", str(site)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return site
