"""Reads the file of a batch, a table, lines of JSON or a grid in TOML, as debates to queue; all errors at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError

from hustings.db.caps import OnFailure
from hustings.errors import BrokenFile, HustingsError, Unreachable
from hustings.runs.batch_plan import QueuedDebate
from hustings.runs.follow_ups import FollowUps
from hustings.runs.grid import Grid, described, expand
from hustings.runs.judging_spec import Tier, panel
from hustings.runs.request import DebateRequest, draw_up
from hustings.script.complaints import Unfit, complaints

from .batch_table import PARTED, QUESTION, TABLES, debates_of_table
from .documents import document_in, further_document
from .own_catalogue import with_entries
from .paths import read_text
from .prepare import affordable, linked, with_model

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
    """One line of a batch: a debate, and what follows it. What it leaves out is as with `hustings run`."""

    protocol: str = "structured"
    on_failure: OnFailure = "go-on"
    judges: str | tuple[str, ...] | None = "auto"
    """Models, `auto` or `none`, as with `hustings run --judges`."""
    tier: Tier | None = None
    control: bool = False
    summary: bool = False
    evaluate: Tier | bool | None = None
    """Evaluate it too, last: `quick` with one judge, else three; the judges that are named, or as configured."""

    @property
    def follow_ups(self) -> FollowUps | None:
        made = FollowUps.of(
            self.judges, control=self.control, summary=self.summary, evaluate=self.evaluate not in {None, False}
        )
        judging = made.judging and made.judging.model_copy(update={"tier": self.tier})
        tier = self.evaluate if isinstance(self.evaluate, str) else None
        evaluation = made.evaluation and made.evaluation.model_copy(update={"tier": tier})
        if judging is None and evaluation is None:
            return None
        return FollowUps(judging, control=self.control, summary=self.summary, evaluation=evaluation)


def read_batch_file(
    file: Path,
    batch: str,
    known: Environment,
    given: Mapping[str, Any] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[QueuedDebate], str]:
    """Debates of a file, and for a grid what varies in it. `given` are the fields of all debates that say no other."""
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
    return _all_drawn_up(wanted, batch, known, file.parent, given or {}, say), varied


def queued(text: str, batch: str, known: Environment, folder: Path = Path()) -> list[QueuedDebate]:
    """One debate per line of JSON."""
    return _all_drawn_up(_lines(text, batch), batch, known, folder, {}, lambda _: None)


def _lines(text: str, batch: str) -> Iterator[Wanted]:
    # Only a line feed ends a line of JSON: a text in it may hold other signs that end lines.
    return ((f"{batch}-{n}", n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())


def grid_of(text: str) -> Grid:
    """A grid; a question, or a list of them, may stand at its top."""
    try:
        found = tomllib.loads(text)
        for name in QUESTION:
            if name in found:
                asked = found.pop(name)
                found["vary"] = {name: asked if isinstance(asked, list) else [asked], **found.get("vary", {})}
        return Grid.model_validate(found)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFile("the file is no TOML", why=str(error), fix="quote texts, and put lists in brackets") from None
    except ValidationError as error:
        parts = ", ".join(Grid.model_fields)
        raise BrokenFile(
            "the file is no grid", why="; ".join(complaints(error)), fix=f"its parts are {parts}"
        ) from None


def _all_drawn_up(
    wanted: Iterable[Wanted],
    batch: str,
    known: Environment,
    folder: Path,
    given: Mapping[str, Any],
    say: Callable[[str], None],
) -> list[QueuedDebate]:
    """All debates, or what is wrong with them: each fault once, with the places that have it."""
    requests, drawn, wrong = list[tuple[Place, BatchLine]](), list[QueuedDebate](), Faults()
    for run_id, place, line in wanted:
        with wrong.at(place):
            requests.append((place, _request(line, given, folder).model_copy(update={"run_id": run_id})))
    if not requests and not wrong.places:
        raise BrokenFile('the file is empty. Write one line per debate, such as {"question": "Should …?"}')
    found = _with_model(requests, known, say)
    for place, request in requests:
        with wrong.at(place):
            drawn.append(_drawn_up(request, batch, known if request.seats else found))
    wrong.must_be_none()
    return drawn


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
    requests: Sequence[tuple[Place, BatchLine]], known: Environment, say: Callable[[str], None]
) -> Environment:
    """Add a model found here if a debate has none; looks at each kind of cast once."""
    seen = set[str]()
    for _, request in requests:
        kind = json.dumps([request.protocol, dict(request.settings)], sort_keys=True)
        if request.model or request.seats or kind in seen:
            continue
        seen.add(kind)
        try:
            found = with_model(with_entries(request), known, say)
        except Unreachable as error:
            raise Unreachable(
                error.what,
                why=error.why,
                fix='-m MODEL for all debates, or "model" in a line: provider/model, or improviser to try it',
            ) from None
        except (HustingsError, ValidationError):
            continue  # told with the line
        if found is not known:
            return found
    return known


def wrong_with_field(name: str) -> str:
    """What is wrong with the name of a field; nothing if a line may have it."""
    if name in FIELDS:
        return ""
    near = get_close_matches(name.casefold(), FIELDS, 1)
    return f"unknown field {name!r}: " + (f"did you mean {near[0]!r}?" if near else "leave it out")


UNNAMED = {"topic", "run_id", "own_protocol"}
"""Fields that a line gives otherwise, or can't give: code comes from the command alone."""
FIELDS = (*QUESTION, "file", *(name for name in BatchLine.model_fields if name not in UNNAMED))


def _request(line: Line, given: Mapping[str, Any], folder: Path) -> BatchLine:
    """The fields of a request; `file` and `documents` name files, from the folder of the batch."""
    if isinstance(line, Unfit):
        raise line
    said = LINE.validate_json(line) if isinstance(line, str) else dict(line)
    wrong = [why for name in said if (why := wrong_with_field(name))]
    asked = _merged(given, {name: value for name, value in said.items() if name in FIELDS})
    if "question" in asked:
        if "topic" in asked:
            wrong.append("question and topic are the same: leave one out")
        asked["topic"] = asked.pop("question")
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
    if not found.question and not wrong:
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


def _drawn_up(line: BatchLine, batch: str, known: Environment) -> QueuedDebate:
    """The run of a line; a panel that cannot judge it is refused now, not after the debate."""
    request = with_entries(line)
    spec = linked(affordable(draw_up(request, known, batch=batch), known), request)
    follow_ups = line.follow_ups
    if follow_ups and follow_ups.judging:
        panel(spec, follow_ups.judging, known)
    if follow_ups and follow_ups.evaluation:
        panel(spec, follow_ups.evaluation.as_judging, known)
    return QueuedDebate(spec, follow_ups)
