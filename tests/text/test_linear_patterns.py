"""Every regular expression of the package takes time in proportion to its text: found in the source, run on repeats.

A pattern that does not may stop a server: it keeps the interpreter until it has ended.
"""

from __future__ import annotations

import ast
import re
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any, NamedTuple

import pytest

import hustings
from hustings.judging.person_names import person_pattern
from hustings.report import failure_text
from hustings.script.fence import without
from hustings.text.names import mentions

SOURCE = Path(hustings.__file__).parent
METHODS = frozenset({"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"})
ANYWHERE = METHODS - {"match", "fullmatch"}
"""Methods that look for a pattern at every place."""
ALPHABET = " \t\r\n\0.,:;!?…-_*#`~=|>/\\'\"“”„‘’«»「」『』()[]{}<>@%+aZé1中؟\u00a0\u2009"
STRINGS = (
    *(
        "<!--",
        "<i> ",
        "<a ",
        "</",
        "# ",
        "> ",
        "- ",
        "* ",
        "a ",
        "a.",
        "a. ",
        "a\n",
        "\n ",
        " \n",
        "\r\n",
        "1.",
        "1,",
        "1,1",
    ),
    *(
        "[](",
        "](",
        "![",
        "**a",
        "__a",
        "a_",
        "-_",
        "---\n",
        "```",
        "a:",
        "a: ",
        "'a",
        '\\"',
        "a@",
        "://",
        "https://a",
        "a (",
        "1 a",
    ),
)
SIZES = (1_250, 5_000, 40_000)
UNSUSPICIOUS = 0.001
"""Seconds of computing for the middle size: what takes less is not quadratic, which is millions of steps."""
LONGEST = 1.0
DOUBT, GROWTH = 7.0, 20.0
"""Times as long for four times, and for eight times the text: a quadratic pattern takes 16 and 64 times as long."""
NOTHING = 0.03
"""Seconds for the longest text that are no complaint."""


class Pattern(NamedTuple):
    where: str
    compiled: re.Pattern[Any]
    anywhere: bool
    """Whether it is looked for at every place, and not at one alone."""
    whole: bool
    """Whether it must fit all of a text."""


class Repeat(NamedTuple):
    """A text that begins with something, repeats something else, and ends in a third thing."""

    lead: Any
    unit: Any
    end: Any

    def text(self, size: int) -> Any:
        return self.lead + self.unit * (size // len(self.unit)) + self.end


NAMES = {"Ada Lovelace": "a", "a": "b", "_a": "c", "Иван Петров": "d", "1. 1": "e"}
PERSONS = person_pattern({"Ada Lovelace, the old countess": "Alder", "Иван Петров": "Elm", "a a": "Oak"})[0]
BUILT: dict[str, Callable[[str], object]] = {
    "judging/person_names.py": lambda text: PERSONS.sub("", text),
    "report/failure_text.py": lambda text: failure_text._told(text, "run"),
    "script/fence.py": lambda text: without("a1", text),
    "text/names.py": lambda text: mentions(text, NAMES),
    # These read nothing but names of our own: paths of routes, and seats of the records that are shipped.
    "testing/audit_suite.py": lambda text: None,
    "web/problems.py": lambda text: None,
}
"""Where a pattern is made of names at run time: what runs it."""


FORWARD = frozenset({"script/json_answer.py"})
"""Matches at a place that only moves forward, for a bounded number of objects; tests/conformance times it whole."""


def test_every_pattern_takes_time_in_proportion_to_its_text() -> None:
    slow = [complaint for pattern in patterns() if (complaint := slowness(pattern))]
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize("file", BUILT)
def test_patterns_made_of_names_take_time_in_proportion_to_their_text(file: str) -> None:
    assert not too_slow(file, BUILT[file], repeats(re.compile(r"Ada\s+Lovelace|_*a1|a\.\s?a|1\. 1")))


def slowness(pattern: Pattern) -> str:
    """The first repeat on which a pattern takes too long; empty if there is none."""
    texts = list(dict.fromkeys(repeats(pattern.compiled)))
    return next(
        filter(
            None,
            (
                too_slow(f"{pattern.where}: {name} of {pattern.compiled.pattern[:120]!r}", run, texts)
                for name, run in runs(pattern)
            ),
        ),
        "",
    )


def too_slow(what: str, run: Callable[[Any], object], texts: Iterable[Repeat]) -> str:
    """A complaint if something takes longer than in proportion on one of these texts."""
    for repeat in texts:
        seconds = took(run, repeat, SIZES[1])
        if seconds < UNSUSPICIOUS or seconds < DOUBT * took(run, repeat, SIZES[0]):
            continue
        before, seconds = (min(took(run, repeat, size) for _ in range(3)) for size in SIZES[1:])
        if seconds >= min(LONGEST, max(NOTHING, GROWTH * before)):
            return f"{what} on {repeat!r}: {before:.3f} s for {SIZES[1]:,} characters, {seconds:.3f} s for {SIZES[2]:,}"
    return ""


def runs(pattern: Pattern) -> Iterator[tuple[str, Callable[[Any], object]]]:
    compiled = pattern.compiled
    if pattern.anywhere:
        yield "search", lambda text: compiled.sub(text[:0], text)
    else:
        yield "match", compiled.match
    if pattern.whole:
        yield "fullmatch", compiled.fullmatch


def took(run: Callable[[Any], object], repeat: Repeat, size: int) -> float:
    """Seconds of computing for a text of this size."""
    text = repeat.text(size)
    began = time.thread_time()
    try:
        with computing_for(LONGEST):
            run(text)
    except TimeoutError:
        return LONGEST
    return time.thread_time() - began


@contextmanager
def computing_for(seconds: float) -> Generator[None]:
    """Ends what takes longer; patterns look for signals, so even one that would never end does."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# -- patterns of the package -----------------------------------------------------------------


def patterns() -> Iterator[Pattern]:
    uses = used_methods()
    for file, tree in modules().items():
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for call in ast.walk(tree):
            if not is_call_of_re(call):
                continue
            assert isinstance(call, ast.Call)
            assert isinstance(call.func, ast.Attribute)
            where, methods = f"{file}:{call.lineno}", {call.func.attr} & METHODS or methods_on(call, parents, uses)
            if file in FORWARD and methods in (METHODS, {"match", "search"}):
                methods = {"match"}
            for source in spelt(call.args[0], file):
                compiled = re.compile(source, flags_of(call, file))
                yield Pattern(
                    where,
                    compiled,
                    anywhere=bool(methods & ANYWHERE),
                    whole="fullmatch" in methods,
                )
            if not spelt(call.args[0], file):
                assert file in BUILT, f"{where}: give an example of this pattern in BUILT"


@cache
def modules() -> dict[str, ast.Module]:
    files = sorted(file for file in SOURCE.rglob("*.py") if "import re" in file.read_text("utf-8"))
    return {file.relative_to(SOURCE).as_posix(): ast.parse(file.read_text("utf-8")) for file in files}


def is_call_of_re(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in METHODS | {"compile"}
    )


def used_methods() -> dict[str, set[str]]:
    """What is done with a pattern anywhere in the package, by its name."""
    uses: dict[str, set[str]] = {}
    for tree in modules().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                name = getattr(node.value, "id", getattr(node.value, "attr", ""))
                uses.setdefault(name, set()).add(node.attr)
    # A match that begins at a place of its own may be tried at every place.
    for tree in modules().values():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "match"
                and len(node.args) > 1
            ):
                uses.setdefault(getattr(node.func.value, "id", ""), set()).add("search")
    return uses


def methods_on(call: ast.Call, parents: dict[ast.AST, ast.AST], uses: dict[str, set[str]]) -> set[str]:
    """The methods that are called on a compiled pattern: at once, or by the name that it is given."""
    node: ast.AST = call
    while not isinstance(node, ast.Assign | ast.stmt):
        node = parents[node]
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            return {node.attr}
    if isinstance(node, ast.Assign):
        names = [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
        if methods := set[str]().union(*(uses.get(name, set()) for name in names)):
            return methods
    return set(METHODS)


def spelt(node: ast.expr, file: str) -> list[Any]:
    """A pattern as the source spells it; what is known at run time alone is a word in it. Nothing: all of it is."""
    match node:
        case ast.IfExp():
            return [*spelt(node.body, file), *spelt(node.orelse, file)]
        case ast.JoinedStr():
            return ["".join(str((spelt(part, file) or [""])[0]) for part in node.values)]
        case ast.FormattedValue():
            known = value_of(node.value, file)
            return [known if isinstance(known, str | int) else "word"]
        case _:
            known = value_of(node, file)
            return [known] if isinstance(known, str | bytes) else []


def value_of(node: ast.expr, file: str) -> Any:
    module = import_module("hustings." + file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    try:
        return eval(compile(ast.Expression(node), file, "eval"), vars(module))
    except (NameError, AttributeError, TypeError):
        return None


def flags_of(call: ast.Call, file: str) -> int:
    place = 1 if isinstance(call.func, ast.Attribute) and call.func.attr == "compile" else 99
    given = [*call.args[place : place + 1], *(word.value for word in call.keywords if word.arg == "flags")]
    return int(value_of(given[0], file)) if given else 0


# -- texts that try a pattern ----------------------------------------------------------------


def repeats(compiled: re.Pattern[Any]) -> Iterator[Repeat]:
    """Texts that repeat signs, signs of the pattern, and what brings it to each of its loops and round in them."""
    flags = compiled.flags & ~re.UNICODE if isinstance(compiled.pattern, bytes) else compiled.flags
    tree = _parser.parse(compiled.pattern, flags)
    texts = [("", unit, end) for unit in dict.fromkeys((*ALPHABET, *STRINGS, *own_signs(tree))) for end in ENDS[:2]]
    for lead, sign in loops(tree, ""):
        texts += [(lead, sign, end) for end in ENDS] + [("", lead + sign, ""), ("", lead or sign, "")]
    for text in texts:
        yield Repeat(*(part.encode() if isinstance(compiled.pattern, bytes) else part for part in text))


ENDS = ("", "a", "\0")


def own_signs(tree: Any) -> set[str]:
    return {chr(value) for name, value in nodes(tree) if name in (op.LITERAL, op.NOT_LITERAL)}


def nodes(tree: Any) -> Iterator[tuple[Any, Any]]:
    for name, value in tree:
        yield name, value
        for part in parts(name, value):
            yield from nodes(part)


def parts(name: Any, value: Any) -> list[Any]:
    """The sequences inside a node."""
    if name is op.BRANCH:
        return value[1]
    if name in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    if name in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [value[2]]
    if name is op.SUBPATTERN:
        return [value[3]]
    if name is op.ATOMIC_GROUP:
        return [value]
    return []


def loops(tree: Any, lead: str) -> Iterator[tuple[str, str]]:
    """For each loop of a pattern a text that leads to it, and each kind of sign that goes round in it."""
    for name, value in tree:
        if name in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            body = shortest(value[2])
            signs = [sign for sign in ALPHABET if takes(value[2][0], sign)] if len(value[2]) == 1 else []
            for unit in dict.fromkeys([body, *signs[:3], *signs[-2:]]):
                if unit:
                    yield lead, unit
        for part in parts(name, value):
            yield from loops(part, lead)
        lead += shortest([(name, value)])


def shortest(tree: Any) -> str:
    """A short text that fits, but for what stands around it."""
    text = ""
    for name, value in tree:
        if name in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            text += shortest(value[2]) * max(1, min(value[0], 3))
        elif name in (op.ASSERT, op.ASSERT_NOT, op.AT, op.GROUPREF):
            continue
        elif inner := parts(name, value):
            text += shortest(inner[0])
        else:
            text += next(
                (sign for sign in (*LIKELY, *ALPHABET) if takes((name, value), sign)),
                chr(value) if name is op.LITERAL else "",
            )
    return text


LIKELY = "a1 A"


def takes(node: tuple[Any, Any], sign: str) -> bool:
    """Whether a node of one sign takes this one."""
    name, value = node
    if name is op.LITERAL:
        return value == ord(sign)
    if name is op.NOT_LITERAL:
        return value != ord(sign)
    if name is op.ANY:
        return sign != "\n"
    if name is op.RANGE:
        return value[0] <= ord(sign) <= value[1]
    if name is op.CATEGORY:
        return bool(re.match(CATEGORIES[str(value)], sign))
    if name is op.IN:
        negated = value[0][0] is op.NEGATE
        return any(takes(part, sign) for part in value[negated:]) != negated
    return False


CATEGORIES = {
    "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W", "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D",
}  # fmt: skip
