"""A map of the house: the first line of every module, as a tree. `python tools/map.py [FOLDER …]`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]


def tree(folder: Path, depth: int = 0) -> Iterator[str]:
    """A line for the package, then one for each module in it, indented, packages last."""
    about = folder / "__init__.py"
    yield _line(f"{folder.name}/", first_line(about) if about.exists() else "", depth)
    for path in sorted(folder.glob("*.py")):
        if path != about:
            yield _line(path.stem, first_line(path), depth + 1)
    for inner in sorted(path for path in folder.iterdir() if any(path.glob("*.py"))):
        yield from tree(inner, depth + 1)


def _line(name: str, about: str, depth: int) -> str:
    return f"{'  ' * depth}{name:<{max(26 - 2 * depth, 0)}} {about}".rstrip()


def main(folders: list[str]) -> None:
    for folder in folders or ["src/hustings"]:
        print("\n".join(tree(ROOT / folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
