"""`Result` of a debate for programs and notebooks: outcome, reasons, cost, HTML, and all export formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hustings.errors import Unsuitable, UserError
from hustings.judging.arguments import Claim, arguments_of
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import ArgumentResult, Briefing, Control, Judgement
from hustings.report import wording
from hustings.script.debate import Proceedings
from hustings.text.figures import held_text, on_one_line
from hustings.transcript.models import Transcript
from hustings.transcript.notes import BudgetStopped, Cancelled, Ending, Failed, Outcome, Played

from .database_place import database_url
from .inputs import checked

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries


class Unfinished(UserError):
    """A run is paused, by request or because a provider refuses the key. All of it is kept, and it can resume."""

    def __init__(self, run_id: str, reason: str = "") -> None:
        self.run_id = run_id
        super().__init__(f"{run_id!r} is paused", why=reason, fix=f"continue: hustings.resume({run_id!r})")


@dataclass(frozen=True)
class Result:
    """The full result of a debate. One that failed, or that a cap stopped, is a result with that outcome."""

    dossier: Dossier = field(repr=False)

    @classmethod
    @checked
    def of(cls, run_id: str, *, database: str | Path | None = None) -> Result:
        """Result of a finished debate, by its id or the id of one of its judgings."""
        from hustings.runs.queries import open_runs  # noqa: PLC0415  heavy

        with open_runs(database_url(database)) as runs:
            return cls.at(runs, run_id)

    @classmethod
    def at(cls, runs: RunQueries, run_id: str) -> Result:
        from hustings.runs.dossiers import dossier  # noqa: PLC0415  heavy

        return cls(dossier(runs, run_id))

    def __hash__(self) -> int:
        return hash(self.run_id)

    # -- outcome -----------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | Played:
        """The outcome of judging; for a debate that was not judged, how it ended."""
        return self.judgement.outcome if self.judgement else self.ending

    @property
    def degraded(self) -> tuple[str, ...]:
        """What weakens the verdict; read this first."""
        return self.judgement.degraded if self.judgement else ()

    @property
    def briefing(self) -> Briefing | None:
        """The briefing for the decision; None if the debate was not judged."""
        return self.judgement.briefing if self.judgement else None

    @property
    def bottom_line(self) -> str:
        """The outcome in a sentence; for a debate that was not judged, how it ended."""
        return self.briefing.bottom_line if self.briefing else f"Not judged: {ended(self.ending)}."

    @property
    def trace(self) -> Sequence[ArgumentResult]:
        """The trace table: the result of each argument, and why."""
        return self.judgement.trace if self.judgement else ()

    @property
    def scores(self) -> Mapping[str, float | None]:
        """How well each side argued, out of ten; None if it could not be scored."""
        return {total.side: total.score for total in self.judgement.totals} if self.judgement else {}

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Questions that stayed open."""
        return self.briefing.unresolved if self.briefing else ()

    @property
    def control(self) -> Control | None:
        """What the same models answer without a debate, if a control was run."""
        return self.judgement.control if self.judgement else None

    @checked
    def record_outcome(self, option: str, *, source: str = "", database: str | Path | None = None) -> None:
        """Record what really happened in the matter of the debate; recorded again, the latest counts."""
        from hustings.db.real_outcomes import RealOutcome  # noqa: PLC0415  heavy
        from hustings.engine.service import open_service  # noqa: PLC0415  heavy

        with open_service(database_url(database)) as service:
            service.control.record_outcome(self.run_id, RealOutcome(option.strip(), source.strip()))

    # -- record ------------------------------------------------------------------------

    @property
    def run_id(self) -> str:
        """Id of the debate, for `Result.of`, `resume` and commands."""
        return self.transcript.run_id

    @property
    def motion(self) -> str:
        """The question."""
        return self.transcript.debate_metadata.topic or ""

    @property
    def ending(self) -> Ending:
        """How the debate itself ended, independent of judging."""
        return self.proceedings.ending

    @property
    def proceedings(self) -> Proceedings:
        """Transcript, notes, result of the protocol, and ending."""
        return self.dossier.proceedings

    @property
    def transcript(self) -> Transcript:
        """What was said, as a typed model."""
        return self.proceedings.transcript

    @property
    def judgement(self) -> Judgement | None:
        """All that judging found, with the figures behind the outcome."""
        return self.dossier.judgement

    # -- cost --------------------------------------------------------------------------

    @property
    def cost(self) -> str:
        """The cost in words, with judging and control."""
        return self.dossier.cost

    @property
    def spent(self) -> float:
        """Total cost in dollars, with judging and control."""
        return sum(expense.spent for expense in self.dossier.expenses)

    @property
    def calls(self) -> int:
        """Model calls, with judging and control."""
        return sum(expense.calls for expense in self.dossier.expenses)

    @property
    def tokens(self) -> int:
        """Known tokens read and written, with judging and control."""
        return sum(expense.tokens for expense in self.dossier.expenses)

    # -- formats -----------------------------------------------------------------------

    @checked
    def to(self, form: str) -> str:
        """The result in any format of `hustings export`."""
        from hustings.runs.registry import find_export  # noqa: PLC0415

        return find_export(form).render(self.dossier)

    def to_markdown(self) -> str:
        return self.to("md")

    def to_html(self) -> str:
        """The report as one self-contained file."""
        return self.to("html")

    def to_json(self) -> str:
        return self.to("json")

    def to_csv(self) -> str:
        """The trace table."""
        return self.to("csv")

    def to_argdown(self) -> str:
        return self.to("argdown")

    def to_df(self) -> Any:
        """The trace table as a pandas DataFrame, one row per argument."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise Unsuitable("a frame needs pandas", fix="pip install pandas") from None
        judged = {argument.id: argument.model_dump(mode="json") for argument in self.trace}
        rows = [judged.get(claim.id) or _not_judged(claim) for claim in arguments_of(self.dossier).claims]
        return pandas.DataFrame(rows, columns=list(ArgumentResult.model_fields))

    @checked
    def save(self, path: str | Path) -> Path:
        """Write the result to a file; the file's suffix chooses the format."""
        from hustings.runs.registry import export_to  # noqa: PLC0415

        place = Path(path)
        content = export_to(place.name).render(self.dossier).encode()
        try:
            place.write_bytes(content)
        except OSError as error:
            what = f"can't write {str(place)!r}"
            raise Unsuitable(what, why=f"{error.strerror}", fix="choose another file") from None
        return place

    def __repr__(self) -> str:
        return f"<Result {self.run_id}: {self.outcome.kind}>"

    def _repr_html_(self) -> str:
        return shown(self.dossier)


def _not_judged(claim: Claim) -> dict[str, str]:
    given = {"id": claim.id, "seat": claim.seat, "turn_id": claim.turn_id, "claim": claim.claim}
    return {**given, "standing": "not judged"}


SIGNS = {"upheld": "✓", "partially_upheld": "◐", "refuted": "✕", "withdrawn": "↩", "uncertain": "?"}
LINE = "1px solid rgba(127,127,127,.35)"
CARE = "border-left:4px solid #b7791f;padding-left:.7em;margin:.4em 0"
HEADS = ("ID", "Argument", "Status", "Strength", "Why")
CELL = f"text-align:left;vertical-align:top;padding:.35em .7em;border-bottom:{LINE}"


def shown(dossier: Dossier) -> str:
    """The summary, and below it the trace table if the debate was judged."""
    judgement = dossier.judgement
    body = _judged(judgement, dossier.cost) if judgement else _unjudged(dossier)
    inner = "".join([*_head(dossier), *body, *_foot(dossier)])
    return f'<section style="border:{LINE};border-radius:6px;padding:.8em 1.1em;max-width:62em">{inner}</section>'


def show(text: str) -> str:
    """Escape text for HTML, with control characters made visible."""
    return escape(on_one_line(text))


def _head(dossier: Dossier) -> Iterator[str]:
    transcript = dossier.proceedings.transcript
    motion = transcript.debate_metadata.topic or transcript.run_id
    yield f'<div style="font-size:1.15em;font-weight:600;margin-bottom:.4em" dir="auto">{show(motion)}</div>'


def _judged(judgement: Judgement, cost: str) -> Iterator[str]:
    briefing = judgement.briefing
    yield _line("Bottom line", briefing.bottom_line)
    yield _line("How sure", wording.sure(briefing))
    for point in briefing.strongest:
        yield _line(f"Strongest, {show(point.side)}", wording.strong_point(point))
    yield _line("What would change it", briefing.would_change)
    for line in briefing.check_first:
        yield _line("Check before deciding", line)
    for name, text in wording.facts(judgement, cost).items():
        yield _line(name, text)
    if judgement.degraded:
        weak = ". ".join(judgement.degraded)
        yield f'<p style="{CARE}"><b>{wording.limits(judgement)}:</b> {show(weak)}.</p>'
    if judgement.trace:
        yield _table(judgement.trace)


def _table(trace: Sequence[ArgumentResult]) -> str:
    heads = "".join(f'<th scope="col" style="{CELL}">{head}</th>' for head in HEADS)
    return (
        '<table style="border-collapse:collapse;margin:.7em 0;width:100%">'
        '<caption style="text-align:left;font-weight:600;padding:.3em 0">What happened to each argument</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(map(_row, trace))}</tbody></table>"
    )


def _row(argument: ArgumentResult) -> str:
    standing = f"{SIGNS[argument.standing]} {wording.status(argument.standing)}"
    strength = "" if argument.strength is None else wording.strength(argument.strength)
    cells = [
        f'<td style="{CELL}" dir="auto">{show(text)}</td>'
        for text in (argument.claim, standing, strength, argument.reason)
    ]
    return f'<tr><th scope="row" style="{CELL};white-space:nowrap">{show(argument.id)}</th>{"".join(cells)}</tr>'


def _unjudged(dossier: Dossier) -> Iterator[str]:
    turns = dossier.proceedings.transcript.turns
    said = sum(1 for turn in turns if turn.said)
    yield _line("Outcome", f"{ended(dossier.proceedings.ending)}. Not judged.")
    yield _line("Said", f"{said} of {len(turns)} turns")
    yield _line("Cost", dossier.cost)


def ended(ending: Ending) -> str:
    match ending:
        case Played():
            return "finished"
        case BudgetStopped():
            spent, held = f"{ending.spent:g} of {ending.cap:g} {ending.unit}", held_text(ending.held, ending.held_calls)
            return ", ".join(filter(None, ["stopped at its limit", spent, held]))
        case Cancelled():
            return f"cancelled by {ending.by}"
        case Failed():
            return f"failed ({ending.code}) {ending.reason}".strip()


def _foot(dossier: Dossier) -> Iterator[str]:
    run_id = dossier.proceedings.transcript.run_id
    yield f'<p style="opacity:.7;font-size:.85em;margin:.5em 0 0">{show(run_id)}</p>'


def _line(label: str, text: str) -> str:
    return f'<p style="margin:.35em 0"><b>{label}:</b> {show(text)}</p>' if text else ""
