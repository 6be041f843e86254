"""Finds parts that are one file each: protocols and rubrics, in-tree or from other packages.

A package adds a protocol by an entry point in the group `hustings.protocols` (or
`hustings.rubrics`) that names its module.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import getdoc, iscoroutinefunction
from types import ModuleType
from typing import Any, TypeVar

import hustings.protocols
import hustings.rubrics
from hustings.core.errors import NotFound, ScriptError
from hustings.core.protocol import Occasion, Protocol
from hustings.core.rubric import Rubric
from hustings.core.seats import Player, Seat
from hustings.core.settings import Settings

T = TypeVar("T")


def protocols() -> dict[str, Protocol]:
    """All that can be played, by name."""
    return {name: read_protocol(name, module) for name, module in modules(hustings.protocols).items()}


def find_protocol(name: str) -> Protocol:
    return found(name, protocols(), "protocol", "hustings protocols")


def rubrics() -> dict[str, type[Rubric]]:
    return {name: read_rubric(name, module) for name, module in modules(hustings.rubrics).items()}


def find_rubric(name: str) -> type[Rubric]:
    return found(name, rubrics(), "rubric", "the files in hustings/rubrics")


def modules(package: ModuleType) -> dict[str, ModuleType]:
    """Files of a package, then what entry points add; nobody may take a name that is taken."""
    own = {
        info.name: import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    }
    for point in sorted(entry_points(group=package.__name__), key=lambda point: point.name):
        if point.name in own:
            raise ScriptError(
                f"{point.value!r} calls itself {point.name!r}, a name that is taken: rename its entry point"
            )
        own[point.name] = _imported(point)
    return dict(sorted(own.items()))


def _imported(point: EntryPoint) -> ModuleType:
    try:
        return import_module(point.value)
    except ImportError as error:
        raise ScriptError(
            f"{point.name!r} ({point.value}) cannot be imported: install its package anew, or remove it ({error})"
        ) from error


def found(name: str, known: Mapping[str, T], what: str, where: str) -> T:
    if name in known:
        return known[name]
    near = get_close_matches(name, known, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise NotFound(f"no {what} {name!r}.{hint} There are {', '.join(known)}; see: {where}")


def read_protocol(name: str, module: ModuleType) -> Protocol:
    """A protocol from its file; what is missing is said to its author."""
    doc, play = getdoc(module) or "", getattr(module, "play", None)
    missing = [
        *(["a docstring whose first line sums it up"] if not doc else []),
        *(["`async def play(stage)`"] if not iscoroutinefunction(play) else []),
        *(
            ["`SEATS`, or `seating(occasion)`"]
            if not hasattr(module, "SEATS") and not hasattr(module, "seating")
            else []
        ),
        *(["`RULES`, read by every seat"] if not hasattr(module, "RULES") else []),
    ]
    if missing or play is None:
        raise ScriptError(f"protocol {name!r} ({module.__name__}) lacks {'; '.join(missing)}")
    return Protocol(
        name=name,
        summary=doc.splitlines()[0],
        description=doc,
        version=getattr(module, "VERSION", 1),
        play=play,
        settings=getattr(module, "Settings", Settings),
        seating=getattr(module, "seating", None) or at_fixed_seats(module.SEATS),
        rules=module.RULES,
        rubric=getattr(module, "RUBRIC", None),
        retries=getattr(module, "RETRIES", 0),
        order=getattr(module, "ORDER", "fixed"),
    )


def at_fixed_seats(seats: Iterable[Seat]) -> Callable[[Occasion[Any]], Mapping[Seat, Player]]:
    return lambda _: {seat: Player() for seat in seats}


def read_rubric(name: str, module: ModuleType) -> type[Rubric]:
    """The one rubric that file defines."""
    own = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
    kinds = [kind for kind in own if issubclass(kind, Rubric)]
    if len(kinds) != 1:
        raise ScriptError(f"rubric {name!r} ({module.__name__}) defines {len(kinds)} rubrics: it takes exactly one")
    return kinds[0]
