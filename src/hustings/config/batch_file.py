"""Reads the file of a batch, a table, lines of JSON or a grid in TOML, as debates to queue; all errors at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError

from hustings.db.caps import OnFailure
from hustings.errors import BrokenFile, HustingsError, Unreachable
from hustings.runs.batch_plan import QueuedDebate
from hustings.runs.grid import Grid, described, expand
from hustings.runs.request import DebateRequest
from hustings.script.complaints import Unfit, complaints

from .batch_table import PARTED, TABLES, debates_of_table
from .documents import document_in, further_document
from .own_catalogue import with_entries
from .paths import read_text
from .plan_run import needs_model, plan_run, with_model_found_here

if TYPE_CHECKING:
    from hustings.llm.environment import Environment

LONGEST_BATCH = 2**26
"""Largest batch file, in bytes."""
MOST_TOLD = 10
"""Errors of a file that are shown."""
MOST_PLACES = 5
"""Places of an error that are shown."""
GRID = ".toml"

Place = int | str
"""Number of a line, or name of a combination of a grid."""
Line = str | Mapping[str, Any] | Unfit
"""A line of JSON, or the fields of a debate, or what is wrong with them."""
Wanted = tuple[str, Place, Line]
"""Run id and place of a debate, and its line."""


class BatchLine(DebateRequest):
    """One line of a batch. What it leaves out is as with `hustings run`, but that nobody waits beside it."""

    on_failure: OnFailure = "go-on"


@dataclass(frozen=True)
class BatchFile:
    """The debates of a file, ready to be queued."""

    debates: Sequence[QueuedDebate]
    varied: str = ""
    """What varies in a grid."""
    remarks: tuple[str, ...] = ()
    """What the user should hear."""


def read_batch_file(
    file: Path,
    batch: str,
    environment: Environment,
    defaults: Mapping[str, Any] | None = None,
    *,
    for_estimate: bool = False,
) -> BatchFile:
    """Read the debates of a file. `defaults` are the fields of all debates that say no other.

    Local servers are not asked here: those of debates that are over need not answer.
    """
    text = read_text(file, LONGEST_BATCH)
    if (ending := file.suffix.lower()) in TABLES:
        rows = debates_of_table(text, wrong_with_field)
        wanted: Iterator[Wanted] = ((f"{batch}-{n}", place, row) for n, (place, row) in enumerate(rows, 1))
        varied = ""
    elif ending == GRID:
        grid = grid_of(text)
        wanted, varied = ((f"{batch}-{one.name}", one.cell, one.line) for one in expand(grid)), described(grid)
    else:
        wanted, varied = _lines(text, batch), ""
    requests, faults = _requests(wanted, defaults or {}, file.parent)
    with_model, remarks = _with_model(requests, environment)
    debates: list[QueuedDebate] = []
    for place, request in requests:
        with faults.at(place):
            plan = plan_run(
                request,
                environment if request.seats else with_model,
                for_estimate=for_estimate,
                check_servers=False,
                batch=batch,
            )
            debates.append(QueuedDebate(plan.spec, plan.follow_ups if plan.follow_ups.scripts else None))
    faults.must_be_none()
    return BatchFile(debates, varied, remarks)


def _lines(text: str, batch: str) -> Iterator[Wanted]:
    # Only a line feed ends a line of JSON: a text in it may hold other signs that end lines.
    return ((f"{batch}-{n}", n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())


def grid_of(text: str) -> Grid:
    """A grid; a question, or a list of them, may stand at its top."""
    try:
        found = tomllib.loads(text)
        if "question" in found:
            asked = found.pop("question")
            found["vary"] = {"question": asked if isinstance(asked, list) else [asked], **found.get("vary", {})}
        return Grid.model_validate(found)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFile("the file is no TOML", why=str(error), fix="quote texts, and put lists in brackets") from None
    except ValidationError as error:
        parts = ", ".join(Grid.model_fields)
        raise BrokenFile(
            "the file is no grid", why="; ".join(complaints(error)), fix=f"its parts are {parts}"
        ) from None


def _requests(
    wanted: Iterable[Wanted], defaults: Mapping[str, Any], folder: Path
) -> tuple[list[tuple[Place, BatchLine]], Faults]:
    """The request of each debate with its place, and what is wrong with the others."""
    requests, faults = list[tuple[Place, BatchLine]](), Faults()
    for run_id, place, line in wanted:
        with faults.at(place):
            requests.append((place, _request(line, defaults, folder).model_copy(update={"run_id": run_id})))
    if not requests and not faults.places:
        raise BrokenFile('the file is empty. Write one line per debate, such as {"question": "Should …?"}')
    return requests, faults


class Faults:
    """What is wrong with a file; the context notes what is raised in it."""

    def __init__(self) -> None:
        self.places: dict[str, dict[Place, None]] = {}
        self._order: dict[Place, int] = {}

    @contextmanager
    def at(self, place: Place) -> Generator[None]:
        self._order.setdefault(place, len(self._order))
        try:
            yield
        except ValidationError as error:
            self._note(place, complaints(error))
        except Unfit as error:
            self._note(place, error.complaints)
        except HustingsError as error:
            self._note(place, [str(error)])

    def _note(self, place: Place, found: Sequence[str]) -> None:
        for fault in found:
            self.places.setdefault(fault, {})[place] = None

    def must_be_none(self) -> None:
        if not self.places:
            return
        first = sorted(self.places.items(), key=lambda fault: self._order[next(iter(fault[1]))])
        told = [f"{_places([*places])}: {fault}" for fault, places in first]
        more = f"\n… and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
        raise BrokenFile("nothing was queued. Fix these:\n" + "\n".join(told[:MOST_TOLD]) + more)


def _places(places: Sequence[Place]) -> str:
    """`line 3`, `lines 1 to 20, 22`; the names of combinations as they are."""
    spans: list[list[Place]] = []
    for place in places:
        if spans and isinstance(place, int) and spans[-1][-1] == place - 1:
            spans[-1][1:] = [place]
        else:
            spans.append([place])
    told = [" to ".join(map(str, span)) for span in spans[:MOST_PLACES]]
    more = f" and {len(spans) - MOST_PLACES} more" if len(spans) > MOST_PLACES else ""
    kind = "" if isinstance(places[0], str) else "line " if len(places) == 1 else "lines "
    return kind + ", ".join(told) + more


def _with_model(
    requests: Sequence[tuple[Place, BatchLine]], environment: Environment
) -> tuple[Environment, tuple[str, ...]]:
    """Add a model found here if a debate has none, with a remark on it; looks at each kind of cast once."""
    seen = set[str]()
    for _, request in requests:
        kind = json.dumps([request.protocol, dict(request.settings)], sort_keys=True)
        if request.model or request.seats or kind in seen:
            continue
        seen.add(kind)
        try:
            if needs_model(with_entries(request), environment):
                found_here, sentence = with_model_found_here(environment)
                return found_here, (sentence,)
        except Unreachable as error:
            raise Unreachable(
                error.what,
                why=error.why,
                fix='-m MODEL for all debates, or "model" in a line: provider/model, or improviser to try it',
            ) from None
        except (HustingsError, ValidationError):
            continue  # told with the line
    return environment, ()


def wrong_with_field(name: str) -> str:
    """What is wrong with the name of a field; nothing if a line may have it."""
    if name in FIELDS:
        return ""
    near = get_close_matches(name.casefold(), FIELDS, 1)
    return f"unknown field {name!r}: " + (f"did you mean {near[0]!r}?" if near else "leave it out")


UNNAMED = {"run_id", "own_protocol"}
"""Fields that a line can't give: code comes from the command alone."""
FIELDS = ("file", *(name for name in BatchLine.model_fields if name not in UNNAMED))


def _request(line: Line, given: Mapping[str, Any], folder: Path) -> BatchLine:
    """The fields of a request; `file` and `documents` name files, from the folder of the batch."""
    if isinstance(line, Unfit):
        raise line
    said = LINE.validate_json(line) if isinstance(line, str) else dict(line)
    wrong = [why for name in said if (why := wrong_with_field(name))]
    asked = _merged(given, {name: value for name, value in said.items() if name in FIELDS})
    file = asked.pop("file", None)
    if isinstance(file, str):
        asked["background"] = document_in(str(folder / file)).model_dump()
    if isinstance(further := asked.get("documents"), list):
        named = cast("list[object]", further)
        asked["documents"] = [further_document(one, folder) if isinstance(one, str) else one for one in named]
    try:
        found = BatchLine.model_validate(asked)
    except ValidationError as error:
        raise Unfit(*wrong, *complaints(error)) from None
    if not found.topic and not wrong:
        wrong.append("no question")
    if wrong:
        raise Unfit(*wrong)
    return found


def _merged(given: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """What a debate says, and what was given for all, also of the parts of a field."""
    found = {**given, **said}
    for name in PARTED:
        parts = [one[name] for one in (given, said) if isinstance(one.get(name), Mapping)]
        if len(parts) > 1:
            found[name] = {**parts[0], **parts[1]}
    return found


LINE: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])
