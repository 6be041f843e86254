"""What the lane of every change leaves to other lanes, by name and reason: read from the marks in tests/."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Left(NamedTuple):
    test: str
    """A file, or a test in it."""
    whole: bool
    """Whether all its cases are left out."""
    lane: str
    """The first that runs it."""
    reason: str


def left() -> list[Left]:
    """Tests and cases that are marked `nightly` or `weekly`."""
    return [
        Left(_name(path, statement), _whole(statement, call), lane, str(ast.literal_eval(call.args[0])))
        for path, statement in _statements()
        for call in ast.walk(statement)
        for lane in ("nightly", "weekly")
        if isinstance(call, ast.Call) and _is_mark(call.func, lane)
    ]


def both() -> list[str]:
    """Files and tests that are marked `both_databases`."""
    found = ((path, statement, node) for path, statement in _statements() for node in ast.walk(statement))
    return [_name(path, statement) for path, statement, node in found if _is_mark(node, "both_databases")]


def _statements() -> Iterator[tuple[Path, ast.stmt]]:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for statement in ast.parse(path.read_text("utf-8")).body:
            yield path, statement


def _is_mark(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node) == f"pytest.mark.{name}"


def _name(path: Path, statement: ast.stmt) -> str:
    file = path.relative_to(ROOT).as_posix()
    test = isinstance(statement, ast.FunctionDef) and statement.name.startswith("test_")
    return f"{file}::{statement.name}" if test else file


def _whole(statement: ast.stmt, mark: ast.Call) -> bool:
    if isinstance(statement, ast.FunctionDef):
        return mark in statement.decorator_list
    return isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "pytestmark"
