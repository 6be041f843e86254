"""A panel of lenses: a moderator routes questions until nothing new is said.

Openings are blind. The moderator reads what each exchange did; what is converged or
deadlocked, and when to stop, is counted from those readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.earlier.checks.likeness import quoting
from hustings.errors import SeatFailed
from hustings.script.catalogue import Catalogue, Lens
from hustings.script.checks import at_most
from hustings.script.forms import Form, IssueId, Link, OwnId, Quote, SeatId, Speech
from hustings.script.moves import Brief, Check, F, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.seats import Player, Seat, pick
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.transcript.notes import Remark

VERSION = 1
PROMPTS = "2"
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
    moderator, *panel = stage.seats

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
    first = offer(FIRST_ROUTE, panel, docket).under(brevity, quoting(lambda route: [(route.quote, every(said))]))
    route = await or_none(stage.consult(moderator, first)) if docket.issues else None
    while route and not docket.settled and docket.exchanges < stage.settings.max_exchanges:
        docket, route = await exchange(stage, said, docket, route)

    counted = SYNTHESIS.about(docket=docket.told()).offering(seat=said)
    summing_up = await or_none(stage.consult(moderator, counted))
    return Settlement(status=docket.status, issues=docket.body(), exchanges=docket.exchanges, synthesis=summing_up)


async def exchange(
    stage: Stage[Settings], said: Mapping[str, list[str]], docket: Docket, route: Route
) -> tuple[Docket, Route | None]:
    """One question, one answer, one reading of it; without an answer the moderator only routes anew."""
    moderator, panel = stage.seat("moderator"), [stage.seat(name) for name in said]
    seat = pick(panel, route.seat)
    with stage.round(f"exchange {docket.exchanges + 1}", moderator, seat):
        stage.say(moderator, route.said(), kind="question", links=[Link(seat=seat.id, move="question")])
        answer = await or_none(stage.ask(seat, ANSWER.linking(lambda _: [Link(seat=moderator.id, move="answer")])))
    if answer is None:
        others = [other for other in panel if other != seat]
        again = offer(REROUTE, others, docket).under(brevity, quoting(lambda r: [(r.quote, every(said))]))
        return docket.unanswered(), await or_none(stage.consult(moderator, again))
    said[seat.id].append(answer.text)
    reading = await or_none(stage.consult(moderator, read(docket, route, panel, seat, said)))
    return (
        (docket.after(route.issue, seat.id, reading.verdict), reading.next) if reading else (docket.unanswered(), None)
    )


def read(
    docket: Docket, route: Route, panel: Sequence[Seat], seat: Seat, said: Mapping[str, Sequence[str]]
) -> Brief[Reading]:
    """What the answer did is proved by a quote, noted as a docket, and decides what may be asked next."""

    def then(reading: Reading) -> Docket:
        return docket.after(route.issue, seat.id, reading.verdict)

    def goes_on(reading: Reading) -> Sequence[str]:
        left = then(reading).unsettled
        settled = f"{reading.next.issue} is settled by this; ask about {', '.join(left)}"
        return [settled] if left and reading.next.issue not in left else []

    brief = offer(
        READ.about(seat=seat.title, issue=route.issue, docket=docket.told(), words=QUESTION_WORDS), panel, docket
    )
    quotes: Check[Reading] = quoting(lambda r: [(r.quote, said[seat.id][-1:]), (r.next.quote, every(said))])
    return brief.under(quotes, goes_on).noting(lambda reading: [Remark("docket", then(reading).body())])


def every(said: Mapping[str, Sequence[str]]) -> list[str]:
    return [words for some in said.values() for words in some]


def find_issues(said: Mapping[str, Sequence[str]]) -> Brief[Agenda]:
    """Every issue has an id of its own and quotes both sides."""
    return FIND_ISSUES.offering(own=["D"], seat=said).under(
        quoting(lambda agenda: [(side.quote, said.get(side.seat, ())) for i in agenda.issues for side in i.sides]),
        apart,
    )


def apart(agenda: Agenda) -> Sequence[str]:
    """Issues are told apart by their ids, and have a seat on both sides and no seat twice."""
    ids = [issue.id for issue in agenda.issues]
    wrong = [] if len(set(ids)) == len(ids) else [f"each issue needs an id of its own, not {', '.join(ids)}"]
    for issue in agenda.issues:
        seats = [side.seat for side in issue.sides]
        if len(set(seats)) < len(seats) or len({side.says for side in issue.sides}) < 2:
            wrong.append(f"{issue.id} needs somebody who says yes, somebody who says no, and nobody twice")
    return wrong


def offer(brief: Brief[F], seats: Sequence[Seat], docket: Docket) -> Brief[F]:
    """Whom to ask, and about what: open issues as long as there are any."""
    return brief.offering(seat=[seat.id for seat in seats], issue=docket.unsettled or docket.issues)


def brevity(route: Route) -> Sequence[str]:
    """A question that is not short is not precise."""
    return at_most(QUESTION_WORDS, Route.counted, "the question")(route)


@dataclass(frozen=True)
class Docket:
    """Where each issue stands: counted from the moderator's readings, never claimed by anybody."""

    issues: Mapping[str, Mapping[str, str]]
    """Issue id to the seats that dispute it, and what each says to it: yes or no."""
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
        return cls({issue.id: {side.seat: side.says for side in issue.sides} for issue in agenda.issues})

    def after(self, issue: str, seat: str, verdict: Verdict) -> Docket:
        """The docket after that seat has answered on that issue; a seat from outside may bring news to it."""
        here, news = (issue, seat), verdict in ("new_insight", "shifted")
        others = {(issue, party) for party in self.issues[issue]} - {here}
        kept = self.restated - others - {here} if news else self.restated
        return replace(
            self,
            agreed=self.agreed | {here} if verdict == "agreed" else self.agreed - ({here} if news else set()),
            restated=kept | {here} if verdict == "restated" else kept,
            waiting=(self.waiting | others if news else self.waiting) - {here},
            stale=0 if news else self.stale + 1,
            exchanges=self.exchanges + 1,
        )

    def unanswered(self) -> Docket:
        return replace(self, stale=self.stale + 1, exchanges=self.exchanges + 1)

    def state(self, issue: str) -> State:
        """Converged if all who have not given in say the same, deadlocked if they only repeat it."""
        left = {seat: says for seat, says in self.issues[issue].items() if (issue, seat) not in self.agreed}
        if len(set(left.values())) < 2:
            return "converged"
        return "deadlocked" if {(issue, seat) for seat in left} <= self.restated else "open"

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

    def told(self) -> str:
        return ", ".join(f"{issue} {self.state(issue)}" for issue in self.issues) or "no issue"

    def body(self) -> dict[str, JsonValue]:
        return {issue: self.state(issue) for issue in self.issues}


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    """The moderator, and a panel in which at least one lens is contrarian."""
    settings, catalogue, topic = context.settings, context.catalogue, context.topic
    moderator = Seat("moderator", role="moderator", name="Moderator", duty=MODERATOR_DUTY)
    if settings.panel:
        return {moderator: Player()} | named_panel(settings.panel, catalogue)
    domain = catalogue.domain_of(topic).id if settings.domain == "auto" else settings.domain
    lenses = catalogue.panel(domain, settings.panelists, topic)
    return {moderator: Player()} | dict(panelist(lens.id, lens.name, lens) for lens in lenses)


def named_panel(entries: Sequence[str], catalogue: Catalogue) -> dict[Seat, Player]:
    """Characters as named, each with a lens of its own; if none is contrarian the last one doubts as well."""
    contrarian = next(lens for lens in catalogue.lenses if lens.contrarian)
    people = [[part.strip() for part in f"{entry}:".split(":")[:2]] for entry in entries]
    lenses = [[catalogue.lens_for(role or name)] for name, role in people]
    if len(people) == 1:
        people, lenses = [*people, [contrarian.name, ""]], [*lenses, [contrarian]]
    elif not any(lens.contrarian for (lens,) in lenses):
        lenses[-1].append(contrarian)
    names = [f"{name}, {role}" if role else name or f"Panelist {n}" for n, (name, role) in enumerate(people, 1)]
    return dict(panelist(f"p{n}", name, *some) for n, (name, some) in enumerate(zip(names, lenses, strict=True), 1))


def panelist(seat_id: str, name: str, *lenses: Lens) -> tuple[Seat, Player]:
    role = "contrarian" if any(lens.contrarian for lens in lenses) else "panelist"
    looks = [f"Your lens: {lens.name}. {lens.priority} You keep asking: {' '.join(lens.asks)}" for lens in lenses]
    return Seat(seat_id, role=role, name=name, duty=PANEL_DUTY), Player(" ".join(looks))


# -- forms -------------------------------------------------------------------------------

QUESTION_WORDS = 75
State = Literal["open", "converged", "deadlocked"]
Status = Literal["converged", "partially converged", "deadlocked", "open"]
Verdict = Literal["agreed", "restated", "new_insight", "shifted"]


class Side(Form):
    seat: SeatId
    says: Literal["yes", "no"] = Field(description="how they answer the disputed question")
    quote: Quote = Field(min_length=3, max_length=400, description="their claim, word for word")


class Issue(Form):
    id: OwnId
    question: str = Field(min_length=10, description="what exactly is disputed, as a question of yes or no")
    sides: tuple[Side, ...] = Field(min_length=2, max_length=6, description="seats that contradict each other on it")


class Route(Form):
    issue: IssueId = Field(description="what it is about")
    seat: SeatId = Field(description="whose position is challenged")
    quote: Quote = Field(min_length=3, max_length=300, description="the opposing claim they must answer, word for word")
    question: str = Field(min_length=10, description="what you ask them about it")

    def said(self) -> str:
        return f"“{self.quote}” {self.question}"

    def counted(self) -> str:
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
)

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
    "Read what {seat} has just answered on {issue}: did they give in, repeat themselves, bring something new, or "
    "shift? Quote it. The docket before this answer: {docket}. Then route the next question: back to the other side "
    "if something new or shifted awaits its answer, else to the next open issue, or to a lens that has not spoken on "
    "it. Never go round in turn. A question has at most {words} words, and quotes the claim to be answered.",
).under(lambda reading: brevity(reading.next))

REROUTE = Brief(
    "routing",
    Route,
    f"No answer came. Route the next question to somebody else, in at most {QUESTION_WORDS} words.",
)

SYNTHESIS = Brief(
    "synthesis",
    Synthesis,
    "The docket was counted as: {docket}. Sum up for whoever brought the question: what the panel found and who "
    "agrees, what should change because of it, what stays disputed and why, and what came up that nobody had thought "
    "of at the start. Say nothing that was not said.",
)
