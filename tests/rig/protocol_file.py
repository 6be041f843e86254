"""A protocol as somebody would save it: one file, in no package, that tells when its code is run."""

from dataclasses import dataclass
from pathlib import Path

DUEL = '''"""Two speakers, one speech and one rebuttal each."""

from pydantic import Field

from hustings.protocol import Brief, Form, Seat, Settings, Speech, Stage, or_none


async def play(stage: Stage[Settings]) -> None:
    with stage.round("openings"):
        await stage.together(*(or_none(stage.ask(seat, OPEN)) for seat in stage.seats))
    with stage.round("rebuttals"):
        for seat in stage.seats:
            await or_none(stage.ask(seat, REBUT))


SEATS = (Seat("pro", duty="You speak for the motion."), Seat("con", duty="You speak against the motion."))
RULES = "Both speak once without hearing each other. Then each answers once."
RUBRIC = "argument"
OPEN = Brief("opening", Speech, "Make your case in two points.", words=200)
REBUT = Brief("rebuttal", Speech, "Answer the strongest point.", turn_type="rebuttal", words=150)
'''


REVIEW = '''"""Two readers name a risk each, and whoever finds it grave stops the plan."""

from collections.abc import Iterable, Sequence

from pydantic import Field

from hustings.protocol import (
    ArgumentRuling, Brief, Form, OwnId, Point, ProtocolResult, ResultSection, Seat, SeatNames, Settings, Stage,
    text_table,
)


async def play(stage: Stage[Settings]) -> "Review":
    with stage.round("risks"):
        risks = await stage.together(
            *(stage.ask(seat, NAME.offering(own=[seat.id.upper()])) for seat in stage.seats)
        )
    return Review(risks=tuple(risks))


class Risk(Form):
    id: OwnId
    claim: str = Field(min_length=10, description="the risk, in one sentence")

    def said(self) -> str:
        return f"[{self.id}] {self.claim}"

    def puts_forward(self) -> Sequence[Point]:
        return [Point(id=self.id, kind="argument", claim=self.claim, words=self.said())]


class Review(Form):
    risks: tuple[Risk, ...]


NAME = Brief("risk", Risk, "Name the gravest risk.")
RULES = "Both name one risk, without hearing each other."
RUBRIC = "argument"
SEATS = (Seat("ada", duty="You look at the cost."), Seat("ben", duty="You look at the people."))
VERDICTS = ("go", "wait", "stop")


def judge_result(result: Review) -> ProtocolResult:
    first, *others = result.risks
    return ProtocolResult(
        verdict=VERDICTS[len(result.risks)],
        reason=f"{len(result.risks)} risks were named.",
        sentence="Stop the plan.",
        would_change="A reader who finds nothing.",
        limit="Nobody checked the risks",
        rulings={first.id: ArgumentRuling(standing="upheld", reason="it was named first", happened="Read first")},
    )


def describe_result(result: Review, names: SeatNames) -> Iterable[ResultSection]:
    rows = [[risk.id, names(risk.id.partition("-")[0].lower()), risk.claim] for risk in result.risks]
    yield ResultSection(title="Risks of the plan", table=text_table("Risks", ("Id", "Reader", "Risk"), rows))
'''
"""One with a verdict, rulings and sections of its own."""


@dataclass(frozen=True)
class OwnFile:
    path: Path

    @property
    def trace(self) -> Path:
        """It is there if the code was run since it was last deleted."""
        return self.path.with_suffix(".ran")

    def write(self, text=DUEL):
        """Write the file. Every process that runs its code leaves a trace."""
        trace = f"\n__import__('pathlib').Path({str(self.trace)!r}).touch()\n"
        self.path.write_text(text + trace, "utf-8")
        return self

    def was_run(self):
        there = self.trace.exists()
        self.trace.unlink(missing_ok=True)
        return there


def own_file(folder, name="duel.py"):
    return OwnFile(folder / name).write()
