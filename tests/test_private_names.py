"""No module leans on a private name of a dependency, which may go in any release."""

import ast
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[1] / "src"
NAMED_TUPLES = {"_asdict", "_fields", "_replace"}
"""Underscored so that no field is called so; anybody may use them."""


@cache
def trees():
    return {name_of(path): ast.parse(path.read_text("utf-8")) for path in sorted((SOURCE / "hustings").rglob("*.py"))}


def name_of(path):
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


@cache
def nodes(tree):
    return tuple(ast.walk(tree))


@cache
def ours():
    """Every private name that we define anywhere."""
    return NAMED_TUPLES.union(*map(own, trees().values()))


def test_no_module_leans_on_a_private_name_of_a_dependency():
    assert {name: found for name, tree in trees().items() if (found := set(leans(tree)))} == {}


def test_no_class_redefines_a_private_name_of_a_dependency():
    assert [(name, found) for name, tree in trees().items() for found in redefined(tree, name)] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import dbos._dbos", "_dbos"),
        ("from dbos._dbos import thing", "_dbos"),
        ("from httpx2 import _models", "_models"),
        ("import httpx2\nhttpx2.Client()._transport", "_transport"),
        ("import httpx2\nclass Mine(httpx2.AsyncHTTPTransport):\n def f(self): self._pool.close()", "_pool"),
        ("from httpx2 import Client\nclass Mine(Client):\n def f(self): super()._send()", "_send"),
    ],
)
def test_leaning_would_be_found(source, found):
    assert set(leans(ast.parse(source))) == {found}


def test_a_redefined_name_would_be_found(monkeypatch):
    source = "from httpx2 import Client\nclass Mine(Client):\n def _send_single_request(self): pass"
    monkeypatch.setitem(sys.modules, "leaning", ModuleType("leaning"))
    exec(source, vars(sys.modules["leaning"]))
    assert list(redefined(ast.parse(source), "leaning")) == ["_send_single_request"]


def private(name):
    return name.startswith("_") and not name.startswith("__")


def foreign(module):
    top = (module or "").partition(".")[0]
    return top not in sys.stdlib_module_names and top != "hustings"


def leans(tree):
    """Private names of foreign modules, of other objects, and of oneself if only a foreign class can have set them."""
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and foreign(node.module):
            yield from filter(private, (*node.module.split("."), *(each.name for each in node.names)))
        elif isinstance(node, ast.Import):
            for each in node.names:
                yield from filter(private, each.name.split(".") if foreign(each.name) else ())
    known = ours() | standard(tree)
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and private(node.attr) and node.attr not in known:
            yield node.attr
    for node in filter(has_foreign_base(tree), classes(tree)):
        mine = own(node)
        yield from {each.attr for each in attributes_of_self(node) if private(each.attr) and each.attr not in mine}


def classes(tree):
    return (node for node in nodes(tree) if isinstance(node, ast.ClassDef))


@cache
def has_foreign_base(tree):
    """Whether a class has a base that was imported from a dependency."""
    imported = set()
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and foreign(node.module):
            imported |= {each.asname or each.name for each in node.names}
        elif isinstance(node, ast.Import):
            imported |= {(each.asname or each.name).partition(".")[0] for each in node.names if foreign(each.name)}
    return lambda node: any(
        isinstance(part, ast.Name) and part.id in imported for base in node.bases for part in ast.walk(base)
    )


def own(tree):
    """The names that are defined or set here."""
    found = set()
    for node in nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
            case _:
                pass
    return found


def standard(tree):
    """Private names of the standard library, which comes with Python."""
    modules = {each.name for node in nodes(tree) if isinstance(node, ast.Import) for each in node.names}
    return {
        node.attr
        for node in nodes(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
        if not foreign(node.value.id)
    }


def attributes_of_self(tree):
    for node in nodes(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super"))):
                yield node
            case _:
                pass


def redefined(tree, name):
    """Private names of our classes that a foreign base has, too."""
    for node in filter(has_foreign_base(tree), classes(tree)):
        if mine := set(filter(private, own(node))):
            for base in getattr(import_module(name), node.name).__mro__[1:]:
                yield from (
                    mine & {*vars(base), *vars(base).get("__annotations__", ())} if foreign(base.__module__) else ()
                )
