"""The house stands as docs say: arrows point one way, and each power has one owner."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture import (
    CONFINED,
    DOORS,
    LAYERS,
    NOUNS,
    PACKAGE,
    WRITERS,
    Module,
    calls_of,
    clock_reads,
    functions,
    imported,
    nesting,
    package_modules,
    writes,
)

MODULES = package_modules()
ROOT = PACKAGE.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
# Knows the whole order, and the doors; everything else is a layer.
TOP = {"build", "__main__", *DOORS}
SHAPELESS_MODULES = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "core"}
SHAPELESS_VERBS = ("process_", "handle_", "do_")


def module_cases(*, besides: frozenset[str] = frozenset()) -> pytest.MarkDecorator:
    """Run a test for every module.

    Args:
        besides: modules that the rule is not for.

    Returns:
        The decorator.
    """
    cases = [module for module in MODULES if module.name not in besides]
    return pytest.mark.parametrize("module", cases, ids=lambda module: module.name)


each_module = module_cases()


def test_every_stage_of_the_flow_is_a_module() -> None:
    """The listing of the package tells the flow: one module a stage."""
    names = {module.name for module in MODULES}
    assert names >= (LAYERS.keys() | TOP | {"formats"})


@each_module
def test_module_imports_only_layers_below_it(module: Module) -> None:
    """A module imports only what its line in LAYERS allows, and by absolute name."""
    names = imported(module.tree)
    assert not {name for name in names if name.startswith(".")}
    inside = {name.split(".")[1] for name in names if name.startswith("generator.")}
    inside &= {m.layer for m in MODULES}
    if module.name in TOP:
        known = {"cli": TOP - {"__main__"}, "__main__": {"cli"}, "build": set[str]()}
        assert inside & TOP <= known.get(module.name, {"cli_setup"})
        return
    assert module.layer in LAYERS, "give the module a line in tests/architecture.py"
    assert inside - {module.layer} <= LAYERS[module.layer]
    assert module.layer == "formats" or module.layer not in inside


def test_layers_are_written_from_the_bottom_up() -> None:
    """Each line of LAYERS names only layers listed before it, so arrows go one way."""
    seen = {"formats"}
    for name, below in LAYERS.items():
        assert below - {name} <= seen | NOUNS, name
        seen.add(name)


def test_imports_have_no_cycle() -> None:
    """Within the package no module can be reached from itself along imports."""
    known = {m.name for m in MODULES}
    edges = {
        m.name: {n.removeprefix("generator.") for n in imported(m.tree)} & known - {m.name}
        for m in MODULES
    }
    done: set[str] = set()
    while ready := {name for name in edges.keys() - done if edges[name] <= done}:
        done |= ready
    assert edges.keys() - done == set()


@each_module
def test_module_uses_only_the_powers_it_owns(module: Module) -> None:
    """Signatures, templates, the database, the clock and the network each have one place."""
    roots = {name.split(".")[0] for name in imported(module.tree)}
    taken = {root for root in roots & CONFINED.keys() if module.name not in CONFINED[root]}
    assert taken == set()


@module_cases(besides=WRITERS)
def test_module_writes_to_disk_only_at_the_edge(module: Module) -> None:
    """Nothing but the sink and the command line creates, changes or deletes a file."""
    assert list(writes(module.tree)) == []


@module_cases(besides=DOORS)
def test_module_reads_no_wall_clock(module: Module) -> None:
    """The same input gives the same bytes whatever the time: no clock outside the command line."""
    assert list(clock_reads(module.tree)) == []


def test_only_verify_makes_verified_bundles() -> None:
    """The type that merge accepts is constructed in verify.py alone, so nothing gets around it."""
    makers = {m.name for m in MODULES if list(calls_of(m.tree, "VerifiedBundle"))}
    assert makers == {"verify"}


def test_only_the_command_line_prints() -> None:
    """Results go to stdout in the modules of the commands; everything else returns values."""
    printers = {m.name for m in MODULES for name in ("print", "echo") if [*calls_of(m.tree, name)]}
    assert printers == DOORS


@each_module
def test_module_stays_within_its_budget(module: Module) -> None:
    """A module has at most 400 lines, a function 60 lines and three levels of blocks."""
    assert len(module.path.read_text(encoding="utf-8").splitlines()) <= 400
    long = {f.name for f in functions(module.tree) if (f.end_lineno or 0) - f.lineno + 1 > 60}
    deep = {f.name for f in functions(module.tree) if nesting(f) > 3}
    assert (long, deep) == (set(), set())


@each_module
def test_names_say_what_they_are(module: Module) -> None:
    """No module is a drawer for anything, and no function's verb hides what it does."""
    assert module.name.rsplit(".", maxsplit=1)[-1] not in SHAPELESS_MODULES
    vague = {f.name for f in functions(module.tree) if f.name.startswith(SHAPELESS_VERBS)}
    assert vague == set()


def test_no_function_body_is_written_twice() -> None:
    """Two functions of more than six lines in the package never have the same body."""
    bodies = Counter(
        "\n".join(ast.unparse(statement) for statement in f.body[1:])
        for module in MODULES
        for f in functions(module.tree)
    )
    twice = {body for body, count in bodies.items() if count > 1 and body.count("\n") >= 6}
    assert twice == set()


SNAPSHOT = """
import json, locale, logging, os, signal, sys

def snapshot():
    return {
        "cwd": os.getcwd(),
        "environment": dict(os.environ),
        "handlers": [len(logging.getLogger(n).handlers) for n in (None, "generator")],
        "level": logging.getLogger().level,
        "locale": locale.setlocale(locale.LC_ALL),
        "path": list(sys.path),
        "signals": [repr(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGTERM)],
        "recursion": sys.getrecursionlimit(),
    }

before = snapshot()
import importlib
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps([before, snapshot()]))
"""


def test_importing_every_module_changes_nothing_outside(tmp_path: Path) -> None:
    """A clean interpreter that imports the package keeps its folder, handlers and settings."""
    names = [f"generator.{m.name}".removesuffix(".__init__") for m in MODULES]
    names.remove("generator.__main__")  # importing it is running it
    finished = subprocess.run(
        [sys.executable, "-c", SNAPSHOT, *names],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    before, after = json.loads(finished.stdout)
    assert before == after
    assert list(tmp_path.iterdir()) == []


def test_scripts_never_make_markup_or_code_from_text() -> None:
    """No script of a page turns a string into markup or into code."""
    pattern = re.compile(
        r"\b(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcdoc|eval"
        r"|Function|setHTMLUnsafe)\b|document\.write|set(?:Timeout|Interval)\(\s*[\"'`]"
    )
    scripts = [path for path in TEMPLATES if path.suffix == ".js"]
    assert scripts
    for script in scripts:
        assert not pattern.findall(script.read_text(encoding="utf-8")), script.name


def test_templates_never_switch_escaping_off() -> None:
    """No template marks text as safe or turns autoescaping off."""
    pattern = re.compile(r"\|\s*safe\b|autoescape\s+false|\|\s*forceescape\b|Markup")
    found = [
        f"{path.name}:{number}"
        for path in TEMPLATES
        if path.suffix not in {".png", ".ico", ".woff2"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert TEMPLATES
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "open('a', 'w')",
        "open('a', mode='ab')",
        "open('a', mode)",
        "path.open('r+')",
        "gzip.open('a', 'wb')",
        "tarfile.open(name, 'w')",
        "path.write_text('a')",
        "path.replace(other)",
        "path.parent.mkdir()",
        "os.replace(a, b)",
        "tempfile.mkdtemp()",
        "shutil.rmtree(a)",
    ],
)
def test_the_write_rule_sees(source: str) -> None:
    """Each way of writing to disk is seen by the rule that forbids it."""
    assert len(list(writes(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "open('a')",
        "open('a', 'rb')",
        "path.open('rb')",
        "path.open()",
        "text.replace('a', 'b')",
        "dataclasses.replace(value, field=1)",
        "path.read_bytes()",
        "os.path.join(a, b)",
    ],
)
def test_the_write_rule_lets_pass(source: str) -> None:
    """Reading files and changing values is not taken for writing."""
    assert list(writes(ast.parse(source))) == []


def test_the_import_rule_sees_every_spelling() -> None:
    """Imports in functions, of names and under aliases are all seen."""
    source = "import a.b as c\ndef f():\n    from d import e\n    from . import g"
    assert imported(ast.parse(source)) == {"a.b", "d", "d.e", ".", "..g"}


def test_the_nesting_rule_counts_blocks_not_branches() -> None:
    """A chain of elif is one level; a block in a block is two."""
    chain = "def f():\n if a:\n  x\n elif b:\n  x\n elif c:\n  x"
    stack = "def f():\n for a in b:\n  with c:\n   if a:\n    while d:\n     x"
    assert nesting(ast.parse(chain).body[0]) == 1
    assert nesting(ast.parse(stack).body[0]) == 3


def test_the_clock_rule_sees_the_clock() -> None:
    """Reading the time is seen, naming a time is not."""
    assert len(list(clock_reads(ast.parse("datetime.datetime.now(tz=UTC)")))) == 1
    assert list(clock_reads(ast.parse("datetime.datetime(2026, 1, 1)"))) == []
