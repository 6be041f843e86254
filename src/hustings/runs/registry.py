"""Find plug-ins (protocols, audits, rubrics, export formats, sections), ours or others', and read the catalogue.

A package adds a protocol by an entry point in the group `hustings.protocols` (or
`hustings.audits`, `hustings.rubrics`, `hustings.exports`, `hustings.sections`) that names its module.
"""

from __future__ import annotations

import pkgutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from inspect import getdoc, iscoroutinefunction
from itertools import groupby
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError

from hustings.errors import BrokenFile, NotFound, ScriptError, Unsuitable
from hustings.installation import PAGES_CURE
from hustings.judging.dossier import DebateSection, Dossier
from hustings.report.formats import Export
from hustings.script.catalogue import Catalogue
from hustings.script.complaints import words_of_error
from hustings.script.debate import DebateSpec
from hustings.script.protocol import Protocol, SeatingContext
from hustings.script.rubric import Rubric
from hustings.script.seats import Player, Seat
from hustings.script.stage import Settings

if TYPE_CHECKING:
    from .queries import RunQueries

T = TypeVar("T")


def protocols() -> dict[str, Protocol]:
    """All protocols, by name."""
    return PROTOCOLS.parts()


def find_protocol(name: str) -> Protocol:
    return PROTOCOLS.find(name)


def audits() -> dict[str, Protocol]:
    """Scripts about a finished debate, by name."""
    return AUDITS.parts()


def find_script(name: str) -> Protocol:
    """Find a protocol or an audit."""
    return PROTOCOLS.find(name) if PROTOCOLS.owns(name) or not AUDITS.has(name) else AUDITS.find(name)


def script_of(debate: DebateSpec) -> Protocol:
    """The script of a debate. One of a file must have been loaded by who wants it: nothing is run for a record."""
    return debate.script or find_script(must_be_loaded(debate).protocol)


def must_be_loaded(debate: DebateSpec) -> DebateSpec:
    if debate.protocol_file and not debate.script:
        raise Unsuitable(
            f"the protocol {debate.protocol!r} is a file, which only its own user may run",
            fix="go on at a terminal of that user: hustings resume, or hustings fork",
        )
    return debate


def must_be_startable(debate: DebateSpec) -> None:
    """Refuse a debate under a file that was not loaded, or with people: each page of theirs would have to run it."""
    if must_be_loaded(debate).protocol_file and any(one.model == "human" or one.hosted for one in debate.cast.values()):
        raise Unsuitable(
            f"{debate.protocol!r} is a file, and in its debates only models can speak",
            fix="name a model for every seat, or put the protocol into a package: docs/how-to/embedding.md",
        )


def is_taken(name: str) -> bool:
    """Whether a protocol or another script has this name."""
    return any(shelf.has(name) for shelf in (PROTOCOLS, AUDITS))


def rubrics() -> dict[str, type[Rubric]]:
    return RUBRICS.parts()


def find_rubric(name: str) -> type[Rubric]:
    return RUBRICS.find(name)


def exports() -> dict[str, Export]:
    """All formats in which a dossier can be written, by name."""
    return EXPORTS.parts()


def find_export(name: str) -> Export:
    return EXPORTS.find(name)


def export_to(file: str) -> Export:
    """The format that belongs to the suffix of a file name."""
    known = {export.SUFFIX: export for export in exports().values()}
    fitting = [suffix for suffix in known if file.endswith(f".{suffix}")]
    if not fitting:
        endings = ", ".join(f".{suffix}" for suffix in known)
        pdf = ". For a PDF, print the .html" if file.lower().endswith(".pdf") else ""
        raise Unsuitable(f"no export format for {file!r}", fix=f"use a name that ends with one of {endings}{pdf}")
    return known[max(fitting, key=len)]  # a transcript is JSON, too


def section_names() -> list[str]:
    """Scripts of audits that plug-ins show as a section of their debate. Knowing them loads nothing."""
    return SECTIONS.names()


def find_section(name: str) -> SectionPlugin:
    return SECTIONS.find(name)


def sections() -> dict[str, SectionPlugin]:
    """All plug-ins that add a section to finished debates, by the script of their audit."""
    return SECTIONS.parts()


def broken_plugins() -> dict[str, ScriptError]:
    """Plug-ins that cannot be used, and why. They raise an error only when they are asked for."""
    shelves = (PROTOCOLS, AUDITS, RUBRICS, EXPORTS, SECTIONS)
    return {name: error for shelf in shelves for name, error in shelf.broken().items()}


@dataclass(frozen=True)
class Shelf(Generic[T]):
    """Parts of one kind: the modules of one of our packages, and those that entry points add."""

    kind: str
    package: str
    """Empty where all parts come by entry points."""
    read: Callable[[str, ModuleType], T]
    """Turns a module into a part; gets its name, too."""
    group: str = ""
    """Entry point group, where it is not the name of the package."""

    def find(self, name: str) -> T:
        if name in self._own:
            return self.read(name, import_module(f"{self._own[name]}.{name}"))
        if claims := self._plugins().get(name):
            return self._plugged(claims)
        raise NotFound.among(self.parts(), self.kind, name)

    def owns(self, name: str) -> bool:
        """Whether it is ours. That is known without looking through every installed package."""
        return name in self._own

    def has(self, name: str) -> bool:
        return self.owns(name) or name in self._plugins()

    def names(self) -> list[str]:
        return sorted(self._own.keys() | self._plugins().keys())

    def parts(self) -> dict[str, T]:
        usable = set(self._plugins()) - set(self.broken())
        return {name: self.find(name) for name in sorted(self._own.keys() | usable)}

    def broken(self) -> dict[str, ScriptError]:
        unusable: dict[str, ScriptError] = {}
        for name, claims in self._plugins().items():
            try:
                self._plugged(claims)
            except ScriptError as error:
                unusable[name] = error
        return unusable

    @cached_property
    def _own(self) -> Mapping[str, str]:
        """Name of each part to the package that it is in."""
        modules = pkgutil.iter_modules(import_module(self.package).__path__) if self.package else ()
        return {info.name: self.package for info in modules if not info.ispkg}

    def _plugins(self) -> Mapping[str, tuple[EntryPoint, ...]]:
        """Entry points by name; several may claim the same name."""
        return _claims(self.group or self.package, tuple(sys.path))

    def _plugged(self, claims: tuple[EntryPoint, ...]) -> T:
        name, module = claims[0].name, claims[0].value
        if name in self._own:
            raise ScriptError(f"{module!r} calls itself {name!r}, a name that is taken: rename its entry point")
        if len({claim.value for claim in claims}) > 1:
            both = " and ".join(repr(claim.value) for claim in claims)
            raise ScriptError(f"{both} both call themselves {name!r}: remove or rename one of them")
        try:
            found = import_module(module)
        except Exception as error:  # a foreign module may fail in any way when it is imported
            raise ScriptError(
                f"{name!r} ({module}) can't be imported: reinstall its package, or remove it ({error})"
            ) from error
        return self.read(name, found)


@cache
def _claims(group: str, _places: tuple[str, ...]) -> Mapping[str, tuple[EntryPoint, ...]]:
    """Cached by search path: finding entry points reads every installed package, which is slow."""
    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    return {name: tuple(claims) for name, claims in groupby(points, key=lambda point: point.name)}


def read_protocol(name: str, module: ModuleType) -> Protocol:
    """Build a protocol from its module; the error lists everything that its author left out."""
    doc = getdoc(module) or ""
    if missing := missing_parts(module):
        raise ScriptError(f"protocol {name!r} ({module.__name__}) lacks {'; '.join(missing)}")
    return Protocol(
        name=name,
        summary=doc.splitlines()[0],
        description=doc,
        version=getattr(module, "VERSION", 1),
        play=module.play,
        settings=getattr(module, "Settings", Settings),
        seating=getattr(module, "seating", None) or at_fixed_seats(module.SEATS),
        rules=module.RULES,
        rubric=getattr(module, "RUBRIC", None),
        retries=getattr(module, "RETRIES", 0),
        order=getattr(module, "ORDER", "fixed"),
        regime=getattr(module, "REGIME", "natural"),
        table=getattr(module, "TABLE", True),
        about_document=getattr(module, "ABOUT_DOCUMENT", False),
        verdicts=getattr(module, "VERDICTS", ()),
        judge_result=getattr(module, "judge_result", None),
        describe_result=getattr(module, "describe_result", None),
    )


def missing_parts(module: ModuleType) -> list[str]:
    """What the author of a protocol left out."""
    return [
        *(["a docstring whose first line sums it up"] if not getdoc(module) else []),
        *(["`async def play(stage)`"] if not iscoroutinefunction(getattr(module, "play", None)) else []),
        *(
            ["`SEATS`, or `seating(occasion)`"]
            if not hasattr(module, "SEATS") and not hasattr(module, "seating")
            else []
        ),
        *(["`RULES`, read by every seat"] if not hasattr(module, "RULES") else []),
    ]


def read_audit(name: str, module: ModuleType) -> Protocol:
    reads = getattr(module, "READS_DOCUMENTS", False)
    return replace(read_protocol(name, module), audit=True, reads_documents=reads)


def at_fixed_seats(seats: Iterable[Seat]) -> Callable[[SeatingContext[Any]], Mapping[Seat, Player]]:
    return lambda _: {seat: Player() for seat in seats}


def read_rubric(name: str, module: ModuleType) -> type[Rubric]:
    """The only rubric that the module defines."""
    own = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
    kinds = [kind for kind in own if issubclass(kind, Rubric)]
    if len(kinds) != 1:
        raise ScriptError(f"rubric {name!r} ({module.__name__}) defines {len(kinds)} rubrics: it takes exactly one")
    return kinds[0]


def read_export(name: str, module: ModuleType) -> Export:
    """Check a format module; the error lists everything that its author left out."""
    missing = [
        *(["a docstring whose first line sums it up"] if not getdoc(module) else []),
        *([f"`FORMAT = {name!r}`"] if getattr(module, "FORMAT", None) != name else []),
        *(["`SUFFIX`, which ends its files"] if not getattr(module, "SUFFIX", "") else []),
        *(["`def render(dossier)`"] if not callable(getattr(module, "render", None)) else []),
    ]
    if missing:
        raise ScriptError(f"export {name!r} ({module.__name__}) lacks {'; '.join(missing)}")
    return cast("Export", _filled(module) if hasattr(module, "PAGE") else module)


@dataclass(frozen=True)
class SectionPlugin:
    """Shows an audit, whose script its entry point is named after, as a section of the debate."""

    read: Callable[[RunQueries, str], DebateSection | None]
    """The section from an audit on record; None while it is not over."""
    view: type[BaseModel]
    """What its sections have as their view."""


def read_section(name: str, module: ModuleType) -> SectionPlugin:
    missing = [
        *(["`VIEW`, the model of its view"] if not hasattr(module, "VIEW") else []),
        *(["`def read_section(runs, run_id)`"] if not callable(getattr(module, "read_section", None)) else []),
    ]
    if missing:
        raise ScriptError(f"section {name!r} ({module.__name__}) lacks {'; '.join(missing)}")
    return SectionPlugin(read=module.read_section, view=module.VIEW)


def _filled(module: ModuleType) -> SimpleNamespace:
    """A format that fills in a page built with the frontend: the page is read only when it is needed."""

    def render(dossier: Dossier) -> str:
        return module.render(dossier, _page(module.PAGE))

    return SimpleNamespace(**{**vars(module), "render": render})


def _page(path: str) -> str:
    try:
        return files("hustings").joinpath(path).read_text("utf-8")
    except FileNotFoundError:
        raise NotFound(
            "the page for shared debates is missing",
            why="hustings was installed without its pages",
            fix=f"{PAGES_CURE}. --to html works without them",
        ) from None


PROTOCOLS = Shelf("protocol", "hustings.protocols", read_protocol)
AUDITS = Shelf("audit", "hustings.judging.audits", read_audit, group="hustings.audits")
RUBRICS = Shelf("rubric", "hustings.rubrics", read_rubric)
EXPORTS = Shelf("export", "hustings.report.formats", read_export, group="hustings.exports")
SECTIONS = Shelf("section", "", read_section, group="hustings.sections")


@cache
def load_catalogue() -> Catalogue:
    """The catalogue of this package, read once."""
    return read_catalogue(files("hustings") / "data")


def read_catalogue(folder: Traversable) -> Catalogue:
    """Read the catalogue from a folder that contains the four files."""
    tables = {part: _table(folder, *place) for part, place in PLACES.items()}
    entries = {part: [_entry(*item) for item in table.items()] for part, table in tables.items()}
    try:
        return Catalogue.model_validate({**entries, "defaults": tables["defaults"]})
    except ValidationError as error:
        raise BrokenFile(_complaint(error, tables)) from error


def _table(folder: Traversable, name: str, inner: str = "") -> dict[str, Any]:
    try:
        table = tomllib.loads((folder / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise BrokenFile(f"{name} can't be read: restore it, or reinstall hustings ({error})") from error
    except ValueError as error:
        raise BrokenFile(f"{name} is not valid TOML in UTF-8: correct it ({error})") from error
    if not inner:
        return table
    if astray := sorted(table.keys() - {place[-1] for place in PLACES.values()}):
        raise BrokenFile(f"{name}, [{astray[0]}]", fix="start the title with 'domains.' or 'lenses.'")
    return table.get(inner, {})


def _entry(title: str, content: Any) -> Any:
    """Use the title of an entry as its id. A value that is no table is passed on, for the models to refuse."""
    try:
        return {**content, "id": title}
    except TypeError:
        return content


def _complaint(error: ValidationError, tables: dict[str, dict[str, Any]]) -> str:
    first = error.errors(include_url=False)[0]
    part, *path = first["loc"]
    name, *inner = PLACES[str(part)]
    where = [name]
    if path:
        title = list(tables[str(part)])[path[0]] if isinstance(path[0], int) else str(path[0])
        where += [f"[{'.'.join([*inner, title])}]", *map(str, path[1:])]
    value = first["input"]
    given = f", not {value!r}" if isinstance(value, str | int | float) else ""
    return (
        f"{', '.join(where)}: {words_of_error(first)}{given}. "
        "The comment at the top of the file shows how to write an entry."
    )


PLACES = {
    "personalities": ("personalities.toml",),
    "domains": ("lenses.toml", "domains"),
    "lenses": ("lenses.toml", "lenses"),
    "topics": ("topics.toml",),
    "defaults": ("defaults.toml",),
}
"""Part of the catalogue to the file that contains it, and the table within that file."""
