"""Runs test functions without pytest, quick ones first: a mutant that is noticed costs a blink."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import signature
from itertools import product
from types import ModuleType
from typing import Any

import pytest

Test = Callable[..., object]
importlib.import_module("tests.conftest")
"""It chooses how properties are drawn."""


def run(modules: Iterable[str], without: str) -> None:
    """Raises what the first failing test raises; tests with `without` in their name are left out."""
    tests = [test for name in modules for test in _tests(importlib.import_module(name)) if without not in test.__name__]
    for test in sorted(tests, key=_is_drawn):
        for values in _cases(test):
            with pytest.MonkeyPatch.context() as patch:
                wanted = {"monkeypatch": patch} if "monkeypatch" in signature(test).parameters else {}
                test(**values, **wanted)


def _tests(module: ModuleType) -> Iterator[Test]:
    return (
        value
        for name, value in vars(module).items()
        if name.startswith("test_") and value.__module__ == module.__name__
    )


def _is_drawn(test: Test) -> bool:
    """Whether a test draws a hundred cases of its own."""
    return hasattr(test, "hypothesis")


def _cases(test: Test) -> Iterator[Mapping[str, Any]]:
    """The values of every case of a test, as `parametrize` lists them."""
    tables = [_table(*mark.args[:2]) for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    for rows in product(*tables):
        yield {name: value for row in rows for name, value in row.items()}


def _table(names: str | tuple[str, ...], values: Iterable[Any]) -> list[dict[str, Any]]:
    if isinstance(names, str):
        return [{names: value} for value in values]
    return [dict(zip(names, row, strict=True)) for row in values]
