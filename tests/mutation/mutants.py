"""Makes mutants: a module of the package with one decision taken out of it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent / "generator"

_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: where it is, what it does, and the module's source with it."""

    module: str  # as imported: "generator.formats.keys"
    function: str  # dotted inside the module: "TrustedKey.window_fault"
    line: int
    change: str
    source: str

    @property
    def label(self) -> str:
        """The mutant without its line, so that it is found again after other edits."""
        return f"{self.module.removeprefix('generator.')} {self.function}: {self.change}"


def mutants_of(module: str) -> Iterator[Mutant]:
    """Make every mutant of a module.

    Args:
        module: as imported, of the package `generator`.

    Yields:
        The mutants, in the order of the source.
    """
    path = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = dict(_functions(tree))
    seen = set()
    for index, node in enumerate(ast.walk(tree)):
        function = names.get(id(node))
        if function is None:
            continue
        for change in range(_count_changes(node)):
            mutated = copy.deepcopy(tree)
            target = list(ast.walk(mutated))[index]
            text = _change(target, change)
            source = ast.unparse(ast.fix_missing_locations(mutated))
            if source not in seen:
                seen.add(source)
                yield Mutant(module, function, getattr(node, "lineno", 0), text, source)


def _functions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, name = pending.pop()
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}".lstrip(".")
            if inner and not isinstance(child, ast.ClassDef):
                yield id(child), inner
            pending.append((child, inner))


def _count_changes(node: ast.AST) -> int:
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return 2
    if isinstance(node, ast.BoolOp):
        return len(node.values)
    if isinstance(node, ast.Compare):
        return 2 + (type(node.ops[0]) in _BOUNDARY)
    if isinstance(node, ast.UnaryOp):
        return int(isinstance(node.op, ast.Not))
    return int(isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))


def _change(node: ast.AST, change: int) -> str:
    before = ast.unparse(node).splitlines()[0]
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        condition = ast.unparse(node.test)
        node.test = ast.Constant(value=bool(change))
        return f"`{condition}` always {bool(change)}"
    if isinstance(node, ast.BoolOp):
        gone = node.values.pop(change)
        return f"`{ast.unparse(gone)}` out of `{before}`"
    if isinstance(node, ast.Compare) and change == 2:
        node.ops[0] = _BOUNDARY[type(node.ops[0])]()
        return f"`{before}` at its boundary"
    if isinstance(node, ast.Compare):
        # A comparison cannot become a constant in place; a tautology does the same.
        same = ast.Constant(value=0)
        node.left, node.comparators = same, [same]
        node.ops = [ast.Eq() if change else ast.NotEq()]
        return f"`{before}` always {bool(change)}"
    if isinstance(node, ast.UnaryOp):
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        return f"`{before}` without its not"
    assert isinstance(node, ast.Expr)
    node.value = ast.Constant(value=None)
    return f"`{before}` not run"
