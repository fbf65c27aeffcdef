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
    """One change: where it is, and what it does."""

    module: str  # as imported: "generator.formats.keys"
    function: str  # dotted inside the module: "TrustedKey.window_fault"
    line: int
    text: str
    node: int  # place of the changed node in a walk of the tree
    change: int  # which of the node's changes

    @property
    def label(self) -> str:
        """The mutant without its line, so that it is found again after other edits."""
        return f"{self.module.removeprefix('generator.')} {self.function}: {self.text}"

    @property
    def source(self) -> str:
        """The whole module with the change."""
        tree = _tree_of(self.module)
        if _change(list(ast.walk(tree))[self.node], self.change) != self.text:
            raise RuntimeError(f"{self.module} was edited while its mutants ran")
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants_of(module: str) -> Iterator[Mutant]:
    """Name every mutant of a module.

    Args:
        module: as imported, of the package `generator`.

    Yields:
        The mutants, in the order of the source's tree.
    """
    tree = _tree_of(module)
    names = dict(_functions(tree))
    parents = {id(c): node for node in ast.walk(tree) for c in ast.iter_child_nodes(node)}
    for index, node in enumerate(ast.walk(tree)):
        function = names.get(id(node))
        if function is None:
            continue
        for change in _changes(node, parents.get(id(node))):
            text = _change(copy.deepcopy(node), change)
            yield Mutant(module, function, getattr(node, "lineno", 0), text, index, change)


def _tree_of(module: str) -> ast.Module:
    path = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


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


def _changes(node: ast.AST, parent: ast.AST | None) -> Iterator[int]:
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield from (0, 1)
    elif isinstance(node, ast.BoolOp):
        yield from range(len(node.values))
    elif isinstance(node, ast.Compare):
        # A condition, and an operand of `and` or `or`, are already taken out as a whole.
        conditional = isinstance(parent, ast.If | ast.IfExp | ast.While)
        neutral = isinstance(parent.op, ast.And) if isinstance(parent, ast.BoolOp) else None
        yield from (value for value in (0, 1) if not conditional and value != neutral)
        yield from (2 + i for i, op in enumerate(node.ops) if type(op) in _BOUNDARY)
    elif (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield 0


def _change(node: ast.AST, change: int) -> str:
    before = ast.unparse(node).splitlines()[0]
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        condition = f"`{ast.unparse(node.test)}`"
        node.test = ast.Constant(value=bool(change))
        # Several expressions of one function may hang on one condition; a statement is known by it.
        place = f"condition of `{before}`" if isinstance(node, ast.IfExp) else condition
        return f"{place} always {bool(change)}"
    if isinstance(node, ast.BoolOp):
        gone = node.values.pop(change)
        return f"`{ast.unparse(gone)}` out of `{before}`"
    if isinstance(node, ast.Compare):
        return f"`{before}` {_compare_otherwise(node, change)}"
    if isinstance(node, ast.UnaryOp):
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        return f"`{before}` without its not"
    assert isinstance(node, ast.Expr)
    node.value = ast.Constant(value=None)
    return f"`{before}` not run"


def _compare_otherwise(node: ast.Compare, change: int) -> str:
    if change >= 2:
        node.ops[change - 2] = _BOUNDARY[type(node.ops[change - 2])]()
        return f"at boundary {change - 1}"
    # A comparison cannot become a constant in place; a tautology does the same.
    same = ast.Constant(value=0)
    node.left, node.comparators = same, [same]
    node.ops = [ast.Eq() if change else ast.NotEq()]
    return f"always {bool(change)}"
