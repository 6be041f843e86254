"""A panel of lenses, and a moderator who routes questions until nothing new is said.

Openings are blind. The moderator reads what each exchange did; what is converged or
deadlocked, and when to stop, is counted from those readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.core.errors import SeatFailed
from hustings.core.forms import Form, IssueId, Link, OwnId, Quote, SeatId, Speech
from hustings.core.library import Lens, Library
from hustings.core.limits import at_most, quoting
from hustings.core.moves import Brief, F, or_none
from hustings.core.notes import Remark
from hustings.core.protocol import Occasion
from hustings.core.seats import Player, Seat, pick
from hustings.core.settings import Settings as ProtocolSettings
from hustings.core.stage import Stage

VERSION = 1
RETRIES = 1
ORDER = "adaptive"


class Settings(ProtocolSettings):
    panelists: int = Field(default=4, ge=2, le=6)
    """How many lenses are chosen, if no panel is named."""
    domain: Literal["auto", "technical", "business", "interpersonal", "health", "creative", "policy", "general"] = (
        "auto"
    )
    """Which part of the catalogue they come from; `auto` goes by the topic."""
    panel: tuple[Annotated[str, Field(max_length=200)], ...] = Field(default=(), max_length=6)
    """Named characters instead, each as "Name: role"; their lens is inferred from the role."""
    max_exchanges: int = Field(default=15, ge=1, le=15)
    """A guard against running away, not a goal."""


async def play(stage: Stage[Settings]) -> Settlement:
    panel, moderator = stage.team("panel"), stage.seat("moderator")

    with stage.round("openings"):
        heard = await stage.together(*(or_none(stage.ask(seat, OPENING)) for seat in panel))
    said = {seat.id: [opening.text] for seat, opening in zip(panel, heard, strict=True) if opening}
    panel = [seat for seat in panel if seat.id in said]
    if len(panel) < 2:
        raise SeatFailed("fewer than two panelists opened, and one voice is no debate")

    agenda = await stage.consult(moderator, find_issues(said))
    if not agenda.issues:
        advocate = next((seat for seat in panel if seat.role == "contrarian"), panel[0])
        with stage.round("devil's advocate"):
            against = await or_none(stage.ask(advocate, DEVILS_ADVOCATE))
        said[advocate.id] += [against.text] if against else []
        agenda = await stage.consult(moderator, find_issues(said))

    docket = Docket.of(agenda)
    route = await or_none(stage.consult(moderator, offer(FIRST_ROUTE, panel, docket))) if docket.issues else None
    while route and not docket.settled and docket.exchanges < stage.settings.max_exchanges:
        docket, route = await exchange(stage, panel, docket, route)

    summing_up = await or_none(stage.consult(moderator, SYNTHESIS.offering(seat=said)))
    return Settlement(status=docket.status, issues=docket.body(), exchanges=docket.exchanges, synthesis=summing_up)


async def exchange(
    stage: Stage[Settings], panel: Sequence[Seat], docket: Docket, route: Route
) -> tuple[Docket, Route | None]:
    """One question, one answer, one reading of it; without an answer the moderator only routes anew."""
    moderator, seat = stage.seat("moderator"), pick(panel, route.seat)
    others = [other for other in panel if other != seat] or [seat]
    with stage.round(f"exchange {docket.exchanges + 1}", moderator, seat):
        stage.say(moderator, route.question, kind="question", links=[Link(seat=seat.id, move="question")])
        answer = await or_none(stage.ask(seat, ANSWER.linking(lambda _: [Link(seat=moderator.id, move="answer")])))
    if answer is None:
        return docket.unanswered(), await or_none(stage.consult(moderator, offer(REROUTE, others, docket)))

    def read(reading: Reading) -> Docket:
        return docket.after(route.issue, seat.id, reading.verdict)

    brief = READ.about(seat=seat.title, issue=route.issue, open=", ".join(docket.unsettled) or "none")
    brief = offer(brief, others, docket).under(quoting(lambda reading: [(reading.quote, [answer.text])]))
    brief = brief.noting(lambda reading: [Remark("docket", read(reading).body())])
    reading = await or_none(stage.consult(moderator, brief))
    return (read(reading), reading.next) if reading else (docket, None)


def find_issues(said: Mapping[str, Sequence[str]]) -> Brief[Agenda]:
    """Every issue has an id of its own and quotes both sides."""
    return FIND_ISSUES.offering(own=["D"], seat=said).under(
        quoting(lambda agenda: [(side.quote, said.get(side.seat, ())) for i in agenda.issues for side in i.sides]),
        apart,
    )


def apart(agenda: Agenda) -> Sequence[str]:
    ids = [issue.id for issue in agenda.issues]
    return [] if len(set(ids)) == len(ids) else [f"each issue needs an id of its own, not {', '.join(ids)}"]


def offer(brief: Brief[F], seats: Sequence[Seat], docket: Docket) -> Brief[F]:
    """Whom to ask, and about what: open issues as long as there are any."""
    return brief.offering(seat=[seat.id for seat in seats], issue=docket.unsettled or docket.issues)


def brevity(route: Route) -> Sequence[str]:
    """A question that is not short is not precise."""
    return at_most(QUESTION_WORDS, Route.words, "the question")(route)


@dataclass(frozen=True)
class Docket:
    """Where each issue stands: counted from the moderator's readings, never claimed by anybody."""

    issues: Mapping[str, frozenset[str]]
    """Issue id to the seats that take part in it."""
    agreed: frozenset[tuple[str, str]] = frozenset()
    """Who gave in, on what."""
    restated: frozenset[tuple[str, str]] = frozenset()
    """Who only repeated themselves since something new was last said, on what."""
    waiting: frozenset[tuple[str, str]] = frozenset()
    """Who has not yet answered what was new, on what."""
    stale: int = 0
    exchanges: int = 0

    @classmethod
    def of(cls, agenda: Agenda) -> Docket:
        return cls({issue.id: frozenset(side.seat for side in issue.sides) for issue in agenda.issues})

    def after(self, issue: str, seat: str, verdict: Verdict) -> Docket:
        """The docket after that seat has answered on that issue."""
        here, news = (issue, seat), verdict in ("new_insight", "shifted")
        parties = self.issues[issue] | {seat}
        others = {(issue, party) for party in parties - {seat}}
        return replace(
            self,
            issues={**self.issues, issue: parties},
            agreed=self.agreed | {here} if verdict == "agreed" else self.agreed - ({here} if news else set()),
            restated=self.restated - others - {here}
            if news
            else self.restated | ({here} if verdict == "restated" else set()),
            waiting=(self.waiting | others if news else self.waiting) - {here},
            stale=0 if news else self.stale + 1,
            exchanges=self.exchanges + 1,
        )

    def unanswered(self) -> Docket:
        return replace(self, stale=self.stale + 1, exchanges=self.exchanges + 1)

    def state(self, issue: str) -> State:
        left = {(issue, seat) for seat in self.issues[issue]} - self.agreed
        if len(left) <= 1:
            return "converged"
        return "deadlocked" if left <= self.restated else "open"

    @property
    def unsettled(self) -> tuple[str, ...]:
        return tuple(issue for issue in self.issues if self.state(issue) == "open")

    @property
    def settled(self) -> bool:
        """Nothing is open, two exchanges brought nothing new, and nobody owes an answer on something new."""
        owed = [issue for issue, _ in self.waiting if self.state(issue) != "converged"]
        return not self.unsettled and self.stale >= 2 and not owed

    @property
    def status(self) -> Status:
        states = {self.state(issue) for issue in self.issues} or {"converged"}
        if "open" in states:
            return "open"
        return "partially converged" if len(states) > 1 else "converged" if "converged" in states else "deadlocked"

    def body(self) -> dict[str, JsonValue]:
        return {issue: self.state(issue) for issue in self.issues}


def seating(occasion: Occasion[Settings]) -> Mapping[Seat, Player]:
    """The moderator, and a panel in which at least one lens is contrarian."""
    settings, library, topic = occasion.settings, occasion.library, occasion.topic
    moderator = Seat("moderator", role="moderator", name="Moderator", duty=MODERATOR_DUTY)
    if settings.panel:
        return {moderator: Player()} | named_panel(settings.panel, library)
    domain = library.domain_of(topic).id if settings.domain == "auto" else settings.domain
    lenses = library.panel(domain, settings.panelists, topic)
    return {moderator: Player()} | dict(panelist(lens.id, lens.name, lens) for lens in lenses)


def named_panel(entries: Sequence[str], library: Library) -> dict[Seat, Player]:
    """Characters as named, each with a lens of its own; if none is contrarian the last one doubts as well."""
    contrarian = next(lens for lens in library.lenses if lens.contrarian)
    people = [[part.strip() for part in f"{entry}:".split(":")[:2]] for entry in entries]
    lenses = [[library.lens_for(role or name)] for name, role in people]
    if len(people) == 1:
        people, lenses = [*people, [contrarian.name, ""]], [*lenses, [contrarian]]
    elif not any(lens.contrarian for (lens,) in lenses):
        lenses[-1].append(contrarian)
    names = [f"{name}, {role}" if role else name or f"Panelist {n}" for n, (name, role) in enumerate(people, 1)]
    return dict(panelist(f"p{n}", name, *some) for n, (name, some) in enumerate(zip(names, lenses, strict=True), 1))


def panelist(seat_id: str, name: str, *lenses: Lens) -> tuple[Seat, Player]:
    role = "contrarian" if any(lens.contrarian for lens in lenses) else "panelist"
    looks = [f"Your lens: {lens.name}. {lens.priority} You keep asking: {' '.join(lens.asks)}" for lens in lenses]
    return Seat(seat_id, "panel", role, name, PANEL_DUTY), Player(" ".join(looks))


# -- forms -------------------------------------------------------------------------------

QUESTION_WORDS = 75
State = Literal["open", "converged", "deadlocked"]
Status = Literal["converged", "partially converged", "deadlocked", "open"]
Verdict = Literal["agreed", "restated", "new_insight", "shifted"]


class Side(Form):
    seat: SeatId
    quote: Quote = Field(min_length=3, max_length=400, description="their claim, word for word")


class Issue(Form):
    id: OwnId
    question: str = Field(min_length=10, description="what exactly is disputed")
    sides: tuple[Side, ...] = Field(min_length=2, max_length=4, description="seats that contradict each other on it")


class Route(Form):
    issue: IssueId = Field(description="what it is about")
    seat: SeatId = Field(description="whose position is challenged")
    question: str = Field(min_length=10, description="quotes the opposing claim they must answer")

    def words(self) -> str:
        return self.question


class Agenda(Form):
    agreements: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=5, description="what all share")
    issues: tuple[Issue, ...] = Field(max_length=4, description="contradictions, the best supported first")


class Reading(Form):
    verdict: Verdict = Field(
        description="agreed: gave in on the point; restated: repeated it without anything new; new_insight: a claim, "
        "distinction or evidence not heard before; shifted: narrowed or changed the claim"
    )
    quote: Quote = Field(min_length=3, max_length=400, description="the words of the answer that show it")
    next: Route = Field(description="the next question, should anything be left to ask")


class Finding(Form):
    finding: str = Field(min_length=10)
    seats: tuple[SeatId, ...] = Field(max_length=6, description="who agrees")
    basis: str = Field(min_length=5, description="what it rests on")


class Unresolved(Form):
    question: str = Field(min_length=5)
    why: str = Field(min_length=5, description="who holds what, and why it stayed open")


class Synthesis(Form):
    findings: tuple[Finding, ...] = Field(max_length=8)
    modifications: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=8, description="what should change"
    )
    unresolved: tuple[Unresolved, ...] = Field(max_length=8)
    surprises: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="what nobody had proposed in an opening"
    )


class Settlement(Form):
    status: Status
    """Counted from the docket, not claimed by the moderator."""
    issues: dict[str, JsonValue]
    exchanges: int
    synthesis: Synthesis | None


# -- prompts -----------------------------------------------------------------------------

MODERATOR_DUTY = (
    "You take no side and hold no opinion on the question. You find where the panel really contradicts itself, put "
    "each question to the seat that must answer it, and read truthfully what the answer did."
)

PANEL_DUTY = "You speak for yourself, through your lens. Other lenses will see what yours does not."

RULES = """\
Each panelist looks at the question through a lens of its own and opens without hearing the others.
Then the moderator asks one panelist at a time, wherever two of them contradict each other; nobody speaks unasked.
Everybody reads everything that was said. There is no fixed end: it goes on while something new is said.
Whoever is shown a better reason may change their mind, and should say so."""

OPENING = Brief(
    "opening",
    Speech,
    "State your position. Make two or three specific claims and say what each rests on. If you see a problem, name it "
    "plainly; if you think it sound, say why, and give the strongest objection somebody could raise. Write as you "
    "speak, in prose. About 300 words; take what you need.",
)

FIND_ISSUES = Brief(
    "agenda",
    Agenda,
    "Read everything said so far. List where panelists contradict each other, two or three issues, each with both "
    "sides in their own words; list nothing if they really agree. Say also what they share.",
)

FIRST_ROUTE = Brief(
    "routing",
    Route,
    f"Route the first question. Take the issue in which both sides have evidence and not only opinion, ask the seat "
    f"that is challenged, and quote the claim it must answer. At most {QUESTION_WORDS} words.",
).under(brevity)

DEVILS_ADVOCATE = Brief(
    "devil's advocate",
    Speech,
    "Everybody agrees, and that is a reason for doubt. Build the strongest case against what all have said: what do "
    "they overlook, and where will it fail?",
)

ANSWER = Brief(
    "answer",
    Speech,
    "Answer the moderator's last question. Deal with the argument that is put against you instead of repeating your "
    "own. If it is strong, say so and mend your position; if it is weak, say exactly where.",
    turn_type="rebuttal",
)

READ = Brief(
    "reading",
    Reading,
    f"Read what {{seat}} has just answered on {{issue}}: did they give in, repeat themselves, bring something new, "
    f"or shift? Quote it. Still open: {{open}}. Then route the next question: back to the other side if something "
    f"new or shifted awaits its answer, else to the next open issue, or to a lens that has not spoken on it. Never "
    f"go round in turn. At most {QUESTION_WORDS} words, with the claim to be answered.",
).under(lambda reading: brevity(reading.next))

REROUTE = Brief(
    "routing",
    Route,
    f"No answer came. Route the next question to somebody else, in at most {QUESTION_WORDS} words.",
).under(brevity)

SYNTHESIS = Brief(
    "synthesis",
    Synthesis,
    "Sum up for whoever brought the question: what the panel found and who agrees, what should change because of it, "
    "what stays disputed and why, and what came up that nobody had thought of at the start. Say nothing that was not "
    "said.",
)
