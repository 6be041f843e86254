"""Reads the file of a batch, lines of JSON or a grid in TOML, as debates ready to be queued; all errors at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError

from hustings.db.caps import OnFailure
from hustings.errors import BrokenFile, HustingsError
from hustings.runs.batch_plan import QueuedDebate
from hustings.runs.evaluation_spec import EvaluationRequest
from hustings.runs.follow_ups import FollowUps
from hustings.runs.grid import Grid, described, expand
from hustings.runs.judging_spec import Tier, panel
from hustings.runs.request import DebateRequest, draw_up
from hustings.script.complaints import complaints

from .documents import document_in, further_document
from .own_catalogue import with_entries
from .paths import read_text
from .prepare import affordable, linked

if TYPE_CHECKING:
    from hustings.llm.environment import Environment

LONGEST_BATCH = 2**26
"""Largest batch file, in bytes."""
MOST_TOLD = 10
"""Errors of a file that are shown."""
GRID = ".toml"


class BatchLine(DebateRequest):
    """One line of a batch: a debate, and who judges it, if it says so."""

    on_failure: OnFailure = "go-on"
    judges: str | tuple[str, ...] | None = None
    """Models, `auto` or `none`, as with `hustings run --judges`; without it, and without a tier, no judging."""
    tier: Tier | None = None
    control: bool = False
    evaluate: Tier | None = None
    """Evaluate it too, last: `quick` with one judge, else three; the judges that are named, or as configured."""

    @property
    def follow_ups(self) -> FollowUps | None:
        if self.judges is None and self.tier is None:
            return FollowUps(None, evaluation=EvaluationRequest(tier=self.evaluate)) if self.evaluate else None
        made = FollowUps.of("auto" if self.judges is None else self.judges, control=self.control)
        judging = made.judging and made.judging.model_copy(update={"tier": self.tier})
        named = judging.judges if judging else ()
        evaluation = EvaluationRequest(judges=named, tier=self.evaluate) if self.evaluate else None
        if judging is None and evaluation is None:
            return None
        return FollowUps(judging, control=self.control, evaluation=evaluation)


def read_batch_file(file: Path, batch: str, known: Environment) -> tuple[list[QueuedDebate], str]:
    """Debates of a file, and for a grid what varies in it."""
    text = read_text(file, LONGEST_BATCH)
    if file.suffix.lower() != GRID:
        return queued(text, batch, known, file.parent), ""
    grid = grid_of(text)
    cells = {f"{batch}-{line.name}": (line.cell, line.line) for line in expand(grid)}
    wanted = ((name, cell, line) for name, (cell, line) in cells.items())
    return _all_drawn_up(wanted, batch, known, file.parent), described(grid)


def queued(text: str, batch: str, known: Environment, folder: Path = Path()) -> list[QueuedDebate]:
    """One debate per line."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise BrokenFile(
            'the file is empty. Write one line per debate, such as {"protocol": "structured", "topic": "…"}'
        )
    wanted = ((f"{batch}-{number}", f"line {number}", line) for number, line in lines)
    return _all_drawn_up(wanted, batch, known, folder)


def grid_of(text: str) -> Grid:
    try:
        return Grid.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFile("the file is no TOML", why=str(error), fix="quote texts, and put lists in brackets") from None
    except ValidationError as error:
        parts = ", ".join(Grid.model_fields)
        raise BrokenFile(
            "the file is no grid", why="; ".join(complaints(error)), fix=f"its parts are {parts}"
        ) from None


def _all_drawn_up(
    wanted: Iterator[tuple[str, str, str | Mapping[str, Any]]], batch: str, known: Environment, folder: Path
) -> list[QueuedDebate]:
    """Debates by run id, place in the file and fields; a place is told once, however many debates it stands for."""
    drawn, wrong = list[QueuedDebate](), dict[str, str]()
    for run_id, place, line in wanted:
        try:
            request = _request(line, folder).model_copy(update={"run_id": run_id})
            drawn.append(_drawn_up(request, batch, known))
        except ValidationError as error:
            wrong[place] = "; ".join(complaints(error))
        except HustingsError as error:
            wrong[place] = str(error)
    if wrong:
        told = [f"{place}: {why}" for place, why in wrong.items()][:MOST_TOLD]
        more = f"\n… and {len(wrong) - MOST_TOLD} more" if len(wrong) > MOST_TOLD else ""
        raise BrokenFile("nothing was queued. Fix these:\n" + "\n".join(told) + more)
    return drawn


def _request(line: str | Mapping[str, Any], folder: Path) -> BatchLine:
    """The fields of a request; `file` and `documents` name files, from the folder of the batch."""
    asked = LINE.validate_json(line) if isinstance(line, str) else dict(line)
    file = asked.pop("file", None)
    if isinstance(file, str):
        asked["background"] = document_in(str(folder / file)).model_dump()
    if isinstance(further := asked.get("documents"), list):
        given = cast("list[object]", further)
        asked["documents"] = [further_document(one, folder) if isinstance(one, str) else one for one in given]
    return BatchLine.model_validate(asked)


LINE: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


def _drawn_up(line: BatchLine, batch: str, known: Environment) -> QueuedDebate:
    """The run of a line; a panel that cannot judge it is refused now, not after the debate."""
    request = with_entries(line)
    spec = linked(affordable(draw_up(request, known, batch=batch), known), request)
    if line.follow_ups and line.follow_ups.judging:
        panel(spec, line.follow_ups.judging, known)
    return QueuedDebate(spec, line.follow_ups)
