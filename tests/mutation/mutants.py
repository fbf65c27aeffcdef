"""Makes mutants: a module of the package with one decision taken out of it.

A decision is a condition, a comparison, a call for its effect or a case of a `match`. In modules
named in `READERS` it is also the checked reading of a field and each word that a field may hold; in
the table of kinds, who may sign a kind, how it is read and where it stands.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent / "generator"

READERS = ("generator.formats.payloads",)
TABLE = "generator.formats.kinds"
# Of `Fields`: each checks what it gives.
_CHECKED = frozenset(("array", "constant", "integer", "object", "required", "text", "token"))
_ROLES = ("REGISTRY", "AUTHOR", "OPERATOR")

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
        for change in _changes_in(module, node, parents.get(id(node))):
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
            elif not name and isinstance(child, ast.Assign | ast.AnnAssign):
                inner = "constants"
            if inner and not isinstance(child, ast.ClassDef):
                yield id(child), inner
            pending.append((child, inner))


def _changes_in(module: str, node: ast.AST, parent: ast.AST | None) -> Iterator[int]:
    if module == TABLE and isinstance(node, ast.Call) and _is_named(node.func, "EventKind"):
        yield from _kind_changes(node)
    elif module in READERS and isinstance(node, ast.Call):
        yield from (0 for _ in range(_unread(node) is not None))
    elif module in READERS and isinstance(node, ast.Tuple) and isinstance(parent, ast.Assign):
        yield from range(len(node.elts))
    else:
        yield from _changes(node, parent)


def _changes(node: ast.AST, parent: ast.AST | None) -> Iterator[int]:
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield from (0, 1)
    elif isinstance(node, ast.Match):
        # What no case takes goes on as the last one says.
        yield from range(len(node.cases) - 1)
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
    if isinstance(node, ast.Call):
        return _change_call(node, change, before)
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        condition = f"`{ast.unparse(node.test)}`"
        node.test = ast.Constant(value=bool(change))
        # Several expressions of one function may hang on one condition; a statement is known by it.
        place = f"condition of `{before}`" if isinstance(node, ast.IfExp) else condition
        return f"{place} always {bool(change)}"
    if isinstance(node, ast.BoolOp | ast.Tuple | ast.Match):
        return f"`{_take_out(node, change)}` out of `{before}`"
    if isinstance(node, ast.Compare):
        return f"`{before}` {_compare_otherwise(node, change)}"
    if isinstance(node, ast.UnaryOp):
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        return f"`{before}` without its not"
    assert isinstance(node, ast.Expr)
    node.value = ast.Constant(value=None)
    return f"`{before}` not run"


def _take_out(node: ast.BoolOp | ast.Tuple | ast.Match, change: int) -> str:
    if isinstance(node, ast.Match):
        return f"case {ast.unparse(node.cases.pop(change).pattern)}"
    parts = node.elts if isinstance(node, ast.Tuple) else node.values
    return ast.unparse(parts.pop(change))


def _compare_otherwise(node: ast.Compare, change: int) -> str:
    if change >= 2:
        node.ops[change - 2] = _BOUNDARY[type(node.ops[change - 2])]()
        return f"at boundary {change - 1}"
    # A comparison cannot become a constant in place; a tautology does the same.
    same = ast.Constant(value=0)
    node.left, node.comparators = same, [same]
    node.ops = [ast.Eq() if change else ast.NotEq()]
    return f"always {bool(change)}"


def _change_call(node: ast.Call, change: int, before: str) -> str:
    if _is_named(node.func, "EventKind"):
        return _change_kind(node, change)
    unread = _unread(node)
    assert unread is not None
    # In place, so that whatever holds the call holds the value instead.
    node.func = ast.parse("(lambda value: value)", mode="eval").body
    node.args, node.keywords = [unread], []
    return f"`{before}` not checked"


def _unread(node: ast.Call) -> ast.expr | None:
    """Give what a checked reading of a field would be without its check."""
    owner, key = node.func, node.args[0] if node.args else None
    if isinstance(owner, ast.Attribute) and owner.attr in _CHECKED and key is not None:
        return _field(owner.value, key)
    if not isinstance(owner, ast.Name) or key is None:
        return None
    if any(keyword.arg == "subject" for keyword in node.keywords):
        return key
    is_reader = owner.id.startswith("_") and len(node.args) > 1 and _is_named(key, "payload")
    # `_only` and `_refuse` stand as statements, which are left out as a whole elsewhere.
    return _field(key, node.args[1]) if is_reader and owner.id not in {"_only", "_refuse"} else None


def _field(owner: ast.expr, key: ast.expr) -> ast.expr:
    return ast.parse(f"{ast.unparse(owner)}.value.get({ast.unparse(key)})", mode="eval").body


def _kind_changes(node: ast.Call) -> Iterator[int]:
    # 0 to 2: the roles, one at a time; 3: the list in the state; 4: the reading of the payload.
    yield from range(3)
    yield from (3 for _ in range(bool(ast.literal_eval(node.args[1]))))
    yield from (4 for _ in range(len(node.args) > 3))


def _change_kind(node: ast.Call, change: int) -> str:
    name = ast.unparse(node.args[0]).strip("'")
    if change == 3:
        node.args[1] = ast.Constant("other_events")
        return f"{name} in another list"
    if change == 4:
        del node.args[3]
        return f"{name} with any payload"
    role = f"Role.{_ROLES[change]}"
    roles = f"({ast.unparse(node.args[2])}) ^ {{{role}}}"
    node.args[2] = ast.parse(roles, mode="eval").body
    return f"{name} with {role} turned round"


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
