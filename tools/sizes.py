"""Sizes that keep the house readable: file, function and parameter counts of every source file."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_FILE, MAX_FUNCTION, MAX_PARAMETERS = 500, 50, 7
"""400 lines drove several files to exactly 400; a file is split by idea, not by count."""
ROOT = Path(__file__).parent.parent


def too_large(path: Path) -> Iterator[str]:
    text = path.read_text()
    if (lines := len(text.splitlines())) > MAX_FILE:
        yield f"{path.relative_to(ROOT)}: {lines} lines; split it by idea, {MAX_FILE} is the most"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            where = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            if (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_FUNCTION:
                yield f"{where}: {length} lines; {MAX_FUNCTION} is the most"
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if (count := len([a for a in given if a.arg not in {"self", "cls"}])) > MAX_PARAMETERS:
                yield f"{where}: {count} parameters; {MAX_PARAMETERS} is the most"


def main() -> int:
    found = [
        line
        for folder in ("src", "tools", "tests", "benchmarks", "examples")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in too_large(path)
    ]
    print("\n".join(found) or "sizes: every file, function and signature is within its limit")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
