"""Plain English wherever people read: comments and docstrings, messages, pages and documentation.

`python tools/plain_words.py` prints what is left, and a line of JSON at the end. The words and phrases are data:
tests/phrases.toml. Places where one of them is meant are in plain_words.toml, each with its reason.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path

ROOT = Path(__file__).parent.parent
PHRASES = ROOT / "tests" / "phrases.toml"
ALLOWED = ROOT / "tools" / "plain_words.toml"
MOST_ALLOWED = 10
STILTED = re.compile(
    r"\b(whoever|whomever|somebody|so many|is none|nobody is|mend(s|ed|ing)?|left alone)\b", re.IGNORECASE
)
"""For comments and docstrings."""
CORES = ("whoever", "whomever", "somebody", "so many", "is none", "nobody is", "mend", "left alone")
"""One of these stands in every hit, and is found many times faster."""
PROMPTS = ("protocols", "script", "rubrics")
"""Folders of the package whose words are part of a run's calls."""
GENERATED = re.compile(r"<!-- begin (\S+) -->.*?<!-- end \1 -->", re.DOTALL)
RECORDS = "first-light.md"
"""Written by `make first-light` from records, in the words of models."""
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w/])//[^\n]*", re.DOTALL)
SHORT, SHORTEST = 60, 4
"""Characters that `{}` stands for at most, and those of a string that need not be read."""


@dataclass(frozen=True)
class Phrase:
    group: str
    better: str
    pattern: re.Pattern[str]
    core: str
    """The longest piece between blanks, in small letters: a text without it need not be searched."""


@dataclass(frozen=True)
class Text:
    """Something that people read, in one line; its place, and the number of its first line."""

    place: str
    line: int
    said: str


def phrases(file: Path = PHRASES) -> list[Phrase]:
    """All words and phrases to be found, from their file."""
    data = tomllib.loads(file.read_text("utf-8"))
    found = [
        Phrase("words", better, re.compile(rf"\b({word})\b", re.IGNORECASE), word if word.isalpha() else "")
        for word, better in data["words"].items()
    ]
    for group, rows in data["phrases"].items():
        for old, better in rows.items():
            pieces = old.split("{}")
            pattern = rf".{{0,{SHORT}}}?".join(map(re.escape, pieces))
            begins, ends = (r"\b" if edge.isalnum() else "" for edge in (old[0], old[-1]))
            core = max(pieces, key=len).strip().lower()
            found.append(Phrase(group, better, re.compile(begins + pattern + ends, re.IGNORECASE), core))
    return found


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Comments, docstrings and the strings below attributes, each with its line; none if no word of it is stilted."""
    small = path.read_text("utf-8").replace("is None", "").lower()
    if not any(word in small for word in CORES):
        return
    if path.suffix != ".py":
        text = path.read_text("utf-8")
        yield from ((text.count("\n", 0, one.start()) + 1, one.group()) for one in COMMENT.finditer(text))
        return
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """String literals, those with values as one text with `{}`; docstrings only of commands, whose help they are."""
    waiting: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and len(node.value) > SHORTEST:
                yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
            waiting += [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and "commands" not in path.parts):
            waiting += ast.iter_child_nodes(node)


def texts(root: Path = ROOT) -> Iterator[Text]:
    """Every text that people read: messages of the package, pages of the browser, documentation."""
    for path in sorted((root / "src" / "hustings").rglob("*.py")):
        if not set(PROMPTS) & set(path.relative_to(root).parts):
            place = path.relative_to(root).as_posix()
            yield from (Text(place, line, f'"{" ".join(said.split())}"') for line, said in messages(path))
    for path in sorted((root / "src" / "hustings").rglob("*.j2")):
        yield from _lines(path, root, path.read_text("utf-8"))
    for path in sorted((root / "frontend" / "src").rglob("*.ts*")):
        if "client" not in path.parts and ".test." not in path.name:
            yield from _lines(path, root, COMMENT.sub(_blank, path.read_text("utf-8")))
    for path in [
        root / "README.md",
        *sorted(page for page in (root / "docs").glob("*.md") if page.name != RECORDS),
        *sorted((root / "docs").glob("how-to/*.md")),
    ]:
        if path.exists():
            yield from _paragraphs(path, root, GENERATED.sub(_blank, path.read_text("utf-8")))


def _blank(found: re.Match[str]) -> str:
    return "\n" * found.group().count("\n")


def _lines(path: Path, root: Path, text: str) -> Iterator[Text]:
    place = path.relative_to(root).as_posix()
    yield from (Text(place, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _paragraphs(path: Path, root: Path, text: str) -> Iterator[Text]:
    """Lines of a paragraph are one text, since a phrase may run over the end of a line."""
    line = 1
    for paragraph in text.split("\n\n"):
        yield Text(path.relative_to(root).as_posix(), line, " ".join(paragraph.split()))
        line += paragraph.count("\n") + 2


def old_phrases(found: Sequence[Phrase], read: Iterator[Text], allowed: dict[str, str]) -> Iterator[str]:
    for _, some in groupby(read, key=lambda text: text.place):
        together = [*some]
        whole = "\n".join(text.said for text in together)
        small = whole.lower()
        likely = [phrase for phrase in found if phrase.core in small and phrase.pattern.search(whole)]
        for text, phrase in product(together, likely):
            for hit in phrase.pattern.finditer(text.said):
                if f"{text.place}: {hit.group().lower()}" not in allowed:
                    yield f"{text.place}:{text.line}: {hit.group()!r}; better: {phrase.better}"


def stilted(path: Path, allowed: dict[str, str]) -> Iterator[str]:
    place = path.relative_to(ROOT).as_posix()
    for line, text in comments(path):
        for found in STILTED.finditer(text):
            if f"{place}: {found.group().lower()}" not in allowed:
                yield f"{place}:{line}: {found.group()!r}; say it as you would say it aloud"


def main() -> int:
    allowed: dict[str, str] = tomllib.loads(ALLOWED.read_text("utf-8"))["allowed"]
    known = phrases()
    pages = (path for path in (ROOT / "frontend" / "src").rglob("*.ts*") if "client" not in path.parts)
    read = sorted([*(ROOT / "src").rglob("*.py"), *pages])
    found = [text for path in read for text in stilted(path, allowed)]
    found += old_phrases(known, texts(), allowed)
    if len(allowed) > MOST_ALLOWED:
        found.append(f"{ALLOWED.name}: {len(allowed)} places are allowed; {MOST_ALLOWED} is the most")
    print("\n".join(found) or "words: everything that people read is in plain English")
    print(json.dumps({"old_phrases": len(known), "left": len(found)}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
