"""A panel of lenses: a moderator routes questions until nothing new is said.

Openings are blind. The moderator reads what each exchange did; what is converged or
deadlocked, and when to stop, is counted from those readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.errors import SeatFailed
from hustings.script import examples
from hustings.script.checks import answering, at_most, quoting
from hustings.script.docket import Docket, IssueReading, Stance, Status, told_apart
from hustings.script.forms import Form, IssueId, Link, OpposingQuote, OwnId, Quote, SeatId, Speech
from hustings.script.moves import Brief, Check, F, or_none
from hustings.script.panels import EMPHASES, GENERAL_LENSES, lens_panel, named_panel
from hustings.script.protocol import SeatingContext
from hustings.script.seats import Player, Seat, pick
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.quotes import is_quoted
from hustings.transcript.notes import Remark

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
    moderator, *panel = stage.seats
    field = await or_none(stage.consult(moderator, FIND_FIELD)) if undecided(stage.settings, panel) else None
    opening = OPENING.about(emphasis=EMPHASES.get(field.field, "") if field else "")

    with stage.round("openings"):
        heard = await stage.together(*(or_none(stage.ask(seat, opening)) for seat in panel))
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

    docket = Docket.of({issue.id: parties(issue.sides) for issue in agenda.issues})
    first = routing(FIRST_ROUTE, panel, docket, said)
    route, restated = await or_none(stage.consult(moderator, first)) if docket.issues else None, ""
    while route and not docket.settled and docket.exchanges < stage.settings.max_exchanges:
        docket, route, restated = await exchange(stage, said, docket, route, restated)

    counted = SYNTHESIS.about(docket=docket.told()).offering(seat=said)
    summing_up = await or_none(stage.consult(moderator, counted))
    return Settlement(status=docket.status, issues=docket.body(), exchanges=docket.exchanges, synthesis=summing_up)


async def exchange(
    stage: Stage[Settings], said: Mapping[str, list[str]], docket: Docket, route: Route, restated: str
) -> tuple[Docket, Route | None, str]:
    """One question, one answer, one reading of it; without an answer the moderator only routes anew.

    Who only restated its answer before is told so, with the next question, for all to hear.
    """
    moderator, panel = stage.seat("moderator"), [stage.seat(name) for name in said]
    seat = pick(panel, route.seat)
    # `opposing` lets no question through that quotes nobody else.
    author = next(name for name, some in said.items() if name != seat.id and is_quoted(route.quote, some))
    claim = Link(seat=author, quote=route.quote)
    with stage.round(f"exchange {docket.exchanges + 1}", moderator, seat):
        words = f"{restated}{seat.title}, {stage.seat(author).title} said: {route.said()}"
        stage.say(moderator, words, kind="question", links=[Link(seat=seat.id, move="question"), claim])
        links = [Link(seat=moderator.id, move="answer"), claim]
        met = {link.seat for link in links}
        heard = [turn for turn in stage.heard_by(seat) if turn.speaker_id not in met]
        named = answering([other for other in panel if other.id not in met], seat, heard)
        answer = await or_none(stage.ask(seat, ANSWER.linking(lambda _: links, named)))
    if answer is None:
        others = [other for other in panel if other != seat]
        return docket.unanswered(), await or_none(stage.consult(moderator, routing(REROUTE, others, docket, said))), ""
    said[seat.id].append(answer.text)
    reading = await or_none(stage.consult(moderator, read(docket, route, panel, seat, said)))
    then = docket.after(route.issue, seat.id, reading.did(docket)) if reading else docket.unanswered()
    known = f"{seat.title} has restated an answer that was known. " if reading and reading.restates else ""
    return then, reading.next if reading else None, known


def read(
    docket: Docket, route: Route, panel: Sequence[Seat], seat: Seat, said: Mapping[str, Sequence[str]]
) -> Brief[Reading]:
    """What the answer did is proved by quotes, noted as a docket, and decides what may be asked next."""
    brief = offer(
        READ.about(seat=seat.title, issue=route.issue, docket=docket.told(), words=QUESTION_WORDS), panel, docket
    ).offering(answer=[*docket.answers(route.issue), "between"])
    answer = said[seat.id][-1:]
    quotes: Check[Reading] = quoting(
        lambda reading: [
            (reading.quote, answer),
            *([(reading.news, answer)] if reading.news else []),
            *((side.quote, said.get(side.seat, ())) for issue in reading.opens for side in issue.sides),
        ]
    )
    noted = brief.under(
        quotes,
        lambda reading: opposing(said)(reading.next) if reading.next else [],
        lambda reading: [c for issue in reading.opens for c in two_sided("it", issue.sides)],
    )
    return noted.noting(
        lambda reading: [Remark("docket", docket.after(route.issue, seat.id, reading.did(docket)).body())]
    )


def opposing(said: Mapping[str, Sequence[str]]) -> Check[Route]:
    """The words that a panelist must answer are another's, even if the panelist has said them too."""

    def check(route: Route) -> Sequence[str]:
        others = [words for seat, some in said.items() if seat != route.seat for words in some]
        if not is_quoted(route.quote, others) and is_quoted(route.quote, said.get(route.seat, ())):
            return [f"The words are {route.seat}'s own. Quote the seat that contradicts them."]
        return quoting(lambda _: [(route.quote, others)])(route)

    return check


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
    return [*wrong, *(c for issue in agenda.issues for c in two_sided(issue.id, issue.sides))]


def two_sided(name: str, sides: Sequence[Side]) -> Sequence[str]:
    apart = len(parties(sides)) == len(sides) and len(set(told_apart(parties(sides)).values())) > 1
    return [] if apart else [f"{name} needs seats that answer it differently, and no seat twice"]


def undecided(settings: Settings, panel: Sequence[Seat]) -> bool:
    """Whether no word of the topic called for a field: then the moderator reads in it which one it is about."""
    return settings.domain == "auto" and not settings.panel and all(seat.id in GENERAL_LENSES for seat in panel)


def parties(sides: Sequence[Side]) -> dict[str, str]:
    return {side.seat: side.says for side in sides}


def offer(brief: Brief[F], seats: Sequence[Seat], docket: Docket) -> Brief[F]:
    """Whom to ask, and about what; an issue that is settled may be taken up again."""
    return brief.offering(seat=[seat.id for seat in seats], issue=docket.issues)


def routing(
    brief: Brief[Route], seats: Sequence[Seat], docket: Docket, said: Mapping[str, Sequence[str]]
) -> Brief[Route]:
    """A question by itself: the first one, or one to another panelist when no answer came."""
    return offer(brief, seats, docket).under(brevity, opposing(said))


def brevity(route: Route) -> Sequence[str]:
    """A question that is not short is not precise."""
    return at_most(QUESTION_WORDS, Route.counted, "the question")(route)


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    """The moderator, and a panel in which at least one lens is contrarian."""
    settings, catalogue, topic = context.settings, context.catalogue, context.topic
    moderator = Seat("moderator", role="moderator", name="Moderator", duty=MODERATOR_DUTY)
    if settings.panel:
        return {moderator: Player()} | named_panel(settings.panel, catalogue, PANEL_DUTY)
    domain = catalogue.domain_of(topic).id if settings.domain == "auto" else settings.domain
    lenses = catalogue.panel(domain, settings.panelists, topic)
    return {moderator: Player()} | lens_panel(lenses, PANEL_DUTY)


# -- forms -------------------------------------------------------------------------------

QUESTION_WORDS = 75
Said = Annotated[str, Field(json_schema_extra={"x-choice": "answer"})]


class Emphasis(Form):
    reason: str = Field(min_length=5, max_length=300, description="what in the question shows it, in one sentence")
    field: Literal["technical", "business", "interpersonal", "health", "creative", "policy", "general"]


class Side(Form):
    seat: SeatId
    quote: Quote = Field(min_length=3, max_length=400, description="their exact words")
    says: str = Field(min_length=1, max_length=80, description="their answer: yes, no, or which option they name")


class Opened(Form):
    question: str = Field(min_length=10, description="the dispute, as one question")
    sides: tuple[Side, ...] = Field(min_length=2, max_length=6, description="at least two that differ, no seat twice")


class Issue(Opened):
    id: OwnId


class Route(Form):
    issue: IssueId = Field(description="what it is about")
    seat: SeatId = Field(description="whose position is challenged")
    quote: OpposingQuote = Field(
        min_length=3, max_length=300, description="the opposing words they must answer, exactly"
    )
    question: str = Field(min_length=10, description="what you ask them about it")

    def said(self) -> str:
        return f"“{self.quote}” {self.question}"

    def counted(self) -> str:
        return self.question


class Agenda(Form):
    agreements: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="points that all share"
    )
    issues: tuple[Issue, ...] = Field(max_length=4, description="contradictions, the best supported first")


class Overtaken(Form):
    issue: IssueId
    alternative: str = Field(
        min_length=5, max_length=200, description="what was proposed that both sides can live with"
    )


class Reading(Form):
    quote: Quote = Field(min_length=3, max_length=400, description="the words of the answer that show its stance")
    stance: Stance = Field(
        description="holds: keeps its answer to the issue, however well it puts it; gives_in: accepts the point "
        "against it; narrows: changes or limits its answer"
    )
    now: Said = Field(
        description="its answer to the issue after this; letters stand for options, in the order in which the sides of "
        "the issue named them"
    )
    between: str = Field(max_length=160, description="if its answer is between: what it is; else empty")
    same_as: SeatId | None = Field(description="if between: the seat that by now gives the same answer, or null")
    news: Quote = Field(
        max_length=400,
        description="a fact, reason or distinction not heard before, word for word, whatever the stance; else empty",
    )
    opens: tuple[Opened, ...] = Field(max_length=1, description="a new dispute that this answer opened; usually none")
    overtakes: tuple[Overtaken, ...] = Field(
        max_length=1, description="an issue that an alternative has made pointless; usually none"
    )
    next: Route | None = Field(description="the next question, or null if nothing is left to ask")

    @property
    def restates(self) -> bool:
        return self.stance == "holds" and not (self.news or self.opens or self.overtakes)

    def did(self, docket: Docket) -> IssueReading:
        return IssueReading(
            self.stance,
            self.now,
            self.between,
            self.same_as or "",
            news=bool(self.news),
            opens=[parties(issue.sides) for issue in self.opens],
            overtakes={o.issue: o.alternative for o in self.overtakes if o.issue in docket.issues},
        )


class Finding(Form):
    finding: str = Field(min_length=10, description="one sentence")
    seats: tuple[SeatId, ...] = Field(max_length=6, description="who agrees")
    basis: str = Field(min_length=5, description="what it rests on, with a quotation")


class Unresolved(Form):
    question: str = Field(min_length=5, description="the open question")
    why: str = Field(min_length=5, description="who holds what, and what would settle it")


class Synthesis(Form):
    """What the moderator sums up; `answer` comes last, from what stands before it."""

    findings: tuple[Finding, ...] = Field(max_length=8, description="what the panel found")
    modifications: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=8, description="what should change because of it, each beginning with a verb"
    )
    unresolved: tuple[Unresolved, ...] = Field(max_length=8, description="what stays disputed")
    surprises: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="points that nobody had in an opening"
    )
    answer: str = Field(
        min_length=5,
        max_length=600,
        description="the panel's answer to the question asked, with its conditions; or that it has none, and why",
    )


class Settlement(Form):
    status: Status
    """Counted from the docket, not claimed by the moderator."""
    issues: dict[str, JsonValue]
    exchanges: int
    synthesis: Synthesis | None


# -- prompts -----------------------------------------------------------------------------

MODERATOR_DUTY = (
    "You have no opinion on the question. You find real contradictions, question the person who must answer, and "
    "report truthfully what the answer did."
)

PANEL_DUTY = "You speak for yourself; others see what you do not."

RULES = """\
moderated panel. Each panelist opens without reading the others. Then the moderator questions one at a time, where two \
contradict each other. Everyone reads everything. It goes on while something new is said."""

FIND_FIELD = Brief("field", Emphasis, "Say which field this question is mainly about; general, if none fits.")

OPENING = Brief(
    "opening",
    Speech,
    "State your position: two or three specific claims, and what each rests on. If you see a problem, name it. If you "
    "think the idea sound, say why, and give the strongest objection.{emphasis} Write in prose. Aim for 300 words; use "
    "what you need.",
    aim=300,
)

FIND_ISSUES = Brief(
    "agenda",
    Agenda,
    "List the two or three questions on which panelists contradict each other, best supported first: one would answer "
    "yes and another no, or each names another option. A difference of emphasis is no contradiction; if there is none, "
    "return an empty list. Say also what all share.",
    example=examples.AGENDA,
)

FIRST_ROUTE = Brief(
    "routing",
    Route,
    f"Ask the first question, up to {QUESTION_WORDS} words. Take the issue on which both sides gave evidence, and ask "
    f"the panelist who is challenged. A good answer should be able to settle it.",
)

DEVILS_ADVOCATE = Brief(
    "devil's advocate",
    Speech,
    "Everyone agrees. Make the strongest case against them: the assumption they share, what nobody checked, where it "
    "fails first.",
)

ANSWER = Brief(
    "answer",
    Speech,
    "Answer the moderator's question. State the point against you fairly; do not repeat yourself. If it is strong, say "
    "what you withdraw or change. If it is weak, show where. If you are unmoved, say what would move you.",
    turn_type="rebuttal",
)

READ = Brief(
    "reading",
    Reading,
    "1. Report what {seat}'s answer on {issue} did. Its stance and its news are two things: an answer can give in and "
    "still bring a new fact, or hold on with nothing new.\n"
    "2. Ask the next question, up to {words} words: the panelist who owes an answer to something new; otherwise the "
    "next open issue, or a panelist not yet heard on it. Do not go round the table. You may take up a settled issue "
    "again. Before this answer: {docket}.",
    example=examples.READING,
).under(lambda reading: brevity(reading.next) if reading.next else [])

REROUTE = Brief("routing", Route, f"No answer came. Ask another panelist, in up to {QUESTION_WORDS} words.")

SYNTHESIS = Brief(
    "synthesis",
    Synthesis,
    "Sum up for the person who asked. Issues counted: {docket}. Everything must be in the record; recommend nothing of "
    "your own.",
    example=examples.SYNTHESIS,
)
