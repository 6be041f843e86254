"""Plain English in comments and docstrings of the source: phrases that nobody says aloud are refused."""

from __future__ import annotations

import ast
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
STILTED = re.compile(
    r"\b(whoever|whomever|somebody|so many|is none|nobody is|mend(s|ed|ing)?|left alone)\b", re.IGNORECASE
)
ALLOWED = ROOT / "tools" / "plain_words.toml"
MOST_ALLOWED = 10


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Comments, docstrings and the strings below attributes, each with its line."""
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def stilted(path: Path, allowed: dict[str, str]) -> Iterator[str]:
    place = path.relative_to(ROOT).as_posix()
    for line, text in texts(path):
        for found in STILTED.finditer(text):
            if f"{place}: {found.group().lower()}" not in allowed:
                yield f"{place}:{line}: {found.group()!r}; say it as you would say it aloud"


def main() -> int:
    allowed: dict[str, str] = tomllib.loads(ALLOWED.read_text("utf-8"))["allowed"]
    found = [text for path in sorted((ROOT / "src").rglob("*.py")) for text in stilted(path, allowed)]
    if len(allowed) > MOST_ALLOWED:
        found.append(f"{ALLOWED.name}: {len(allowed)} places are allowed; {MOST_ALLOWED} is the most")
    print("\n".join(found) or "words: comments and docstrings are in plain English")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
