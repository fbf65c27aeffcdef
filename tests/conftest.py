"""What every test shares: a clean environment, derandomised properties, a few built sites."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Callable
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


# Sites are built once for all workers, through the command line. Tests read them; one that wants to
# change a site takes a copy.


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the repository's own bundles."""
    return _built_once(tmp_path_factory, "built", lambda _: (ROOT / "bundles", ROOT))


@pytest.fixture(scope="session")
def vector_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives the site of the test vectors under a policy on events that cannot be checked.

    The configuration stands beside it as `mirror.toml`.
    """
    vectors = ROOT / "tests" / "vectors"

    def built(policy: str) -> Path:
        def prepare(folder: Path) -> tuple[Path, Path]:
            text = (vectors / "mirror.toml").read_text(encoding="utf-8")
            text = text.replace("[build]\n", f'[build]\nuncheckable_events = "{policy}"\n')
            (folder / "mirror.toml").write_text(text, encoding="utf-8")
            return vectors / "bundles", folder

        return _built_once(tmp_path_factory, f"vectors-{policy}", prepare)

    return built


@pytest.fixture(scope="session")
def demo_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the example registry, as `make demo` makes it, its `bundles` beside it.

    Each kind of event, each standing and each failure occurs there.
    """

    def prepare(folder: Path) -> tuple[Path, Path]:
        command = [sys.executable, str(ROOT / "demo" / "generate.py")]
        subprocess.run([*command, "--out", str(folder / "bundles")], cwd=ROOT, check=True)
        return folder / "bundles", ROOT / "demo"

    return _built_once(tmp_path_factory, "demo", prepare)


def _built_once(
    factory: pytest.TempPathFactory, name: str, prepare: Callable[[Path], tuple[Path, Path]]
) -> Path:
    """Build a site, or wait for the worker that does.

    Args:
        factory: knows the folder of this run.
        name: of the site.
        prepare: fills a fresh folder, and names the folders of the bundles and of `mirror.toml`.

    Returns:
        The site; it and what is beside it belong to all workers.
    """
    base = factory.getbasetemp()
    # A worker's folder is inside that of the run.
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = base / f"shared-{name}"
    with (base / f"shared-{name}.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").is_file():
            folder.mkdir(exist_ok=True)
            bundles, configuration = prepare(folder)
            command = [sys.executable, "-m", "generator", "build", "--bundles", str(bundles)]
            command += ["--config", str(configuration / "mirror.toml")]
            finished = subprocess.run(
                [*command, "--site", str(folder / "site")],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            # 3: some bundles are rejected, as they are meant to be, but for the repository's own.
            assert finished.returncode == (0 if name == "built" else 3), finished.stderr
            (folder / "done").touch()
    return folder / "site"
