"""Mutants of a source file: one small change each, of the kind that a tired author makes."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256

Edit = Callable[[ast.AST], ast.AST | None]
"""Changes a node, or gives the one to stand in its place."""
Path = tuple[tuple[str, int | None], ...]
"""From the module down to a node: fields, and positions in those that are lists."""


@dataclass(frozen=True)
class Mutant:
    module: str
    place: str
    """The function, what stood there, and what stands there now: the same as long as the code is."""
    source: str
    path: Path
    edit: Edit

    @property
    def name(self) -> str:
        return f"{self.module}.{self.place}"

    @property
    def line(self) -> str:
        """The line of the source that it changes, without its indent; of a text over many lines also its hash."""
        node = _at(ast.parse(self.source), self.path)
        node = node.ifs[0] if isinstance(node, ast.comprehension) else node
        first, *more = self.source.splitlines()[node.lineno - 1 : node.end_lineno]
        if not more or not isinstance(node, ast.Constant):
            return first.strip()
        return f"{first.strip()} sha256:{sha256(chr(10).join([first, *more]).encode()).hexdigest()[:16]}"

    def tree(self) -> ast.Module:
        tree = ast.parse(self.source)
        new = self.edit(_at(tree, self.path))
        (field, i), parent = self.path[-1], _at(tree, self.path[:-1])
        if new is not None and i is None:
            setattr(parent, field, new)
        elif new is not None:
            getattr(parent, field)[i] = new
        return ast.fix_missing_locations(tree)


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """All mutants of a file; changes that read alike are told apart by a number."""
    tree = ast.parse(source)
    seen: dict[str, int] = {}
    for path, owner in _walk(tree):
        node = _at(tree, path)
        for edit in _edits(node):
            changed = copy.deepcopy(node)
            place = f"{owner}: {_text(node)} -> {_text(edit(changed) or changed)}"
            seen[place] = seen.get(place, 0) + 1
            number = f" #{seen[place]}" if seen[place] > 1 else ""
            yield Mutant(module, place + number, source, path, edit)


def _walk(node: ast.AST, path: Path = (), owner: str = "") -> Iterator[tuple[Path, str]]:
    """Every node that may change, with the name of the function it is in."""
    for name, child in ast.iter_fields(node):
        if name in UNTOUCHED:
            continue
        for i, item in enumerate(child) if isinstance(child, list) else [(None, child)]:
            if isinstance(item, ast.AST) and not _is_words(item) and not _is_type(node, item, owner):
                inside = f"{owner}.{item.name}".strip(".") if isinstance(item, NAMED) else owner
                yield (*path, (name, i)), inside or "module"
                yield from _walk(item, (*path, (name, i)), inside)


def _is_words(node: ast.AST) -> bool:
    """Docstrings, imports, type variables, `__all__`: nothing that runs."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Call(func=ast.Name(id="TypeVar")) | ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case _:
            return False


def _is_type(parent: ast.AST, node: ast.AST, owner: str) -> bool:
    """Types under another name, and those that `cast` takes for granted."""
    match parent, node:
        case ast.Call(func=ast.Name(id="cast")), ast.Constant():
            return True
        case ast.Module(), ast.Assign(value=ast.Subscript() | ast.BinOp(op=ast.BitOr())):
            return not owner
        case _:
            return False


def _edits(node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.Compare():
            yield from (_swapped_in(i) for i in range(len(node.ops)))
        case ast.BoolOp() | ast.BinOp() if type(node.op) in SWAP:
            yield _swapped
        case ast.UnaryOp(op=ast.Not()):
            yield lambda node: node.operand
        case ast.Constant(value=bool() | int() | float() | str() | bytes()):
            yield _other
        case ast.If() | ast.IfExp() | ast.While():
            yield lambda node: _with_test(node, True)
            yield lambda node: _with_test(node, False)
        case ast.comprehension(ifs=[_, *_]):
            yield from (_without_filter(i) for i in range(len(node.ifs)))
        case ast.Continue() | ast.Break() | ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield lambda _: ast.Pass()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant) or value.value is not None:
            yield lambda _: ast.Return(ast.Constant(None))
        case _:
            return


def _swapped_in(i: int) -> Edit:
    def edit(node: ast.AST) -> None:
        node.ops[i] = SWAP[type(node.ops[i])]()

    return edit


def _swapped(node: ast.AST) -> None:
    node.op = SWAP[type(node.op)]()


def _other(node: ast.AST) -> None:
    match node.value:
        case bool():
            node.value = not node.value
        case int() | float():
            node.value += 1
        case str():
            node.value += "X"
        case bytes():
            node.value += b"X"


def _with_test(node: ast.AST, value: bool) -> None:
    node.test = ast.Constant(value)


def _without_filter(i: int) -> Edit:
    def edit(node: ast.AST) -> None:
        del node.ifs[i]

    return edit


def _at(tree: ast.AST, path: Path) -> ast.AST:
    for name, i in path:
        child = getattr(tree, name)
        tree = child if i is None else child[i]
    return tree


def _text(node: ast.AST) -> str:
    """One line of it."""
    match node:
        case ast.comprehension():
            return " ".join(f"if {ast.unparse(part)}" for part in node.ifs) or "no filter"
        case ast.If() | ast.While():
            return f"if {ast.unparse(node.test)}"
        case _:
            return ast.unparse(node).replace("\n", " ")[:60]


NAMED = (ast.FunctionDef, ast.ClassDef)
UNTOUCHED = {"annotation", "returns", "bases", "type_comment"}
SWAP: dict[type, type] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
