"""The house keeps its shape: no import cycle, one meaning per name, the old words gone, and sizes that can be read."""

import ast
import re
import tokenize
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "hustings"
NAMES = tomllib.loads((ROOT / "tests" / "names.toml").read_text("utf-8"))
MOST_LINES, MOST_FILES = 80_000, 560
"""With room for the redesigned browser and the ways in from other programs. Raise them on purpose."""

OLD = {kind: frozenset(words.split()) for kind, words in NAMES["old"].items()}
CLASS = re.compile(rf"\bclass\s+(?:{'|'.join(sorted(OLD['classes']))})\b")
PART = re.compile(rf"(?:(?<![A-Za-z0-9])|(?<=[a-z0-9])(?=[A-Z]))(?i:{'|'.join(sorted(OLD['parts']))})")


@cache
def sources() -> tuple[Path, ...]:
    return tuple(sorted(SOURCE.rglob("*.py")))


def within(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def test_there_is_no_import_cycle():
    graph = grimp.build_graph("hustings")
    modules = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert list(cycles(modules)) == []


def cycles(imports):
    """Strongly connected components of more than one module (Tarjan)."""
    order, low, stack = {}, {}, []

    def visit(name):
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(imports[name]):
            if other not in order:
                yield from visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            at = stack.index(name)
            found, stack[at:] = stack[at:], []
            if len(found) > 1:
                yield sorted(found)

    for name in sorted(imports):
        if name not in order:
            yield from visit(name)


def test_a_cycle_would_be_found():
    assert list(cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == [["a", "b", "c"]]


def repeated(pairs):
    places = defaultdict(list)
    for name, place in pairs:
        places[name].append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_a_module_name_stands_for_one_module_unless_there_is_a_reason():
    modules = ((path.stem, within(path)) for path in sources() if path.stem != "__init__")
    assert sorted(repeated(modules)) == sorted(NAMES["modules"])


def test_a_class_name_stands_for_one_class_unless_there_is_a_reason():
    classes = (
        (node.name, within(path))
        for path in sources()
        for node in statements(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert sorted(repeated(classes)) == sorted(NAMES["classes"])


def statements(tree):
    """Every statement, without the expressions in it."""
    waiting = [tree]
    while waiting:
        yield (node := waiting.pop())
        waiting += (one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr))


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "examples", "benchmarks"])
def test_none_of_the_old_words_is_left(folder):
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path != Path(__file__) and "versions" not in path.parts
        for word in old_words(path)
    ]
    assert found == []


def old_words(path):
    text = path.read_text("utf-8")
    if CLASS.search(text):  # only then is it worth a closer look, and below too
        classes = {node.name for node in statements(ast.parse(text)) if isinstance(node, ast.ClassDef)}
        yield from OLD["classes"] & classes
    if SOURCE in path.parents and path.parent.name != "commands":  # called by what is typed
        yield from OLD["modules"] & {path.stem, path.parent.name}
    if not PART.search(text):
        return
    with tokenize.open(path) as file:
        names = {token.string for token in tokenize.generate_tokens(file.readline) if token.type == tokenize.NAME}
    for name in sorted(names):
        if OLD["parts"] & set(re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())):
            yield name


def test_the_package_stays_small_enough_to_read():
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in sources())
    assert (lines <= MOST_LINES, len(sources()) <= MOST_FILES) == (True, True), f"{lines} lines, {len(sources())} files"
