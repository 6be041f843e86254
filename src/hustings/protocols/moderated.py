"""A panel of lenses: a moderator routes questions until nothing new is said.

Openings are blind. The moderator reads what each exchange did; what is converged or
deadlocked, and when to stop, is counted from those readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.errors import SeatFailed
from hustings.script.catalogue import Catalogue, Lens
from hustings.script.checks import answering, at_most, quoting
from hustings.script.examples import Example
from hustings.script.forms import Form, IssueId, Link, OpposingQuote, OwnId, Quote, SeatId, Speech
from hustings.script.moves import Brief, Check, F, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.protocol_result import FigureSection, ResultSection, SeatNames, Section, listed_sections
from hustings.script.seats import Player, Seat, pick
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.figures import listed
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
    apart = len(parties(sides)) == len(sides) and len(set(letter_answers(parties(sides)).values())) > 1
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


# -- the issue board: where each disputed issue stands, who moved, and who owes an answer -----

State = Literal["open", "converged", "deadlocked", "overtaken"]
Status = Literal["converged", "partially converged", "deadlocked", "open"]
Stance = Literal["holds", "gives_in", "narrows"]
MOST_ISSUES = 6
OPTIONS = "ABCDEF"
"""Letters of the answers to an issue that is no question of yes or no, one for each seat at most."""
BETWEEN = "between "


@dataclass(frozen=True)
class IssueReading:
    """What one answer did to the issue it was asked about."""

    stance: Stance
    now: str
    """The seat's answer to the issue after it: yes, no, the letter of an option, or between."""
    between: str = ""
    """That answer in words, if it is neither yes nor no."""
    same_as: str = ""
    """The seat that gives the same answer in between."""
    news: bool = False
    """Whether it brought something not heard before, whatever its stance."""
    opens: Sequence[Mapping[str, str]] = ()
    """New issues: seats, and what each says."""
    overtakes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Issues that an alternative has made pointless."""


@dataclass(frozen=True)
class Docket:
    """Where each issue stands: counted from the moderator's readings, never claimed by anybody."""

    issues: Mapping[str, Mapping[str, str]]
    """Issue id to the seats that dispute it, and what each said to it at first: yes, no, or the letter of an option."""
    now: Mapping[str, Mapping[str, str]]
    """What each says to it now; between stands with the number of the exchange that brought it."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Issue and answer to its words, where it is neither yes nor no."""
    held: frozenset[tuple[str, str]] = frozenset()
    """Who held on since something new was last said, on what."""
    waiting: frozenset[tuple[str, str]] = frozenset()
    """Who has not yet answered what was new, on what."""
    overtaken: Mapping[str, str] = field(default_factory=dict[str, str])
    """Issue to the alternative that made it pointless."""
    stale: int = 0
    exchanges: int = 0

    @classmethod
    def of(cls, parties: Mapping[str, Mapping[str, str]]) -> Docket:
        apart = {issue: letter_answers(says) for issue, says in parties.items()}
        return cls(apart, apart, worded(parties))

    def answers(self, issue: str) -> tuple[str, ...]:
        """What a seat may say to an issue, besides something in between."""
        known = (key.removeprefix(f"{issue} ") for key in self.words)
        return tuple(said for said in known if said in tuple(OPTIONS)) or ("yes", "no")

    def after(self, issue: str, seat: str, reading: IssueReading) -> Docket:
        """The docket after that seat has answered on that issue; a seat from outside may only bring news to it."""
        here, news = (issue, seat), bool(reading.news or reading.opens or reading.overtakes)
        others = {(issue, party) for party in self.issues[issue]} - {here}
        moved = seat in self.issues[issue] and reading.stance != "holds"
        held = self.held - others if news or moved else self.held
        room = max(0, MOST_ISSUES - len(self.issues))
        last = max((int(number) for name in self.issues if (number := name.rpartition("-")[2]).isdigit()), default=0)
        opened = {f"D-{last + n}": parties for n, parties in enumerate(reading.opens[:room], 1)}
        apart = {name: letter_answers(says) for name, says in opened.items()}
        moved_to = self._moved(issue, seat, reading) if moved else self
        return replace(
            moved_to,
            issues={**self.issues, **apart},
            now={**moved_to.now, **apart},
            words={**moved_to.words, **worded(opened)},
            held=held - {here} if moved else held | {here},
            waiting=(self.waiting | others if news or moved else self.waiting) - {here},
            overtaken={**self.overtaken, **reading.overtakes},
            stale=0 if news or moved else self.stale + 1,
            exchanges=self.exchanges + 1,
        )

    def _moved(self, issue: str, seat: str, reading: IssueReading) -> Docket:
        """Giving in takes the other side's answer; narrowing may end where another seat already is."""
        mine = self.now[issue][seat]
        against = [says for party, says in self.now[issue].items() if party != seat and says != mine]
        answer: str = reading.now
        if reading.stance == "gives_in":
            # With nobody against it any more, the other side has given in as well, and they have changed places.
            answer = answer if answer in against or not against else against[0]
        elif answer == "between":
            same = reading.same_as
            shared = same in self.now[issue] and same != seat
            answer = self.now[issue][same] if shared else f"between {self.exchanges + 1}"
        key = f"{issue} {answer}"
        named = answer.startswith(BETWEEN) and not self.words.get(key)
        words = {**self.words, key: reading.between} if named else self.words
        return replace(self, now={**self.now, issue: {**self.now[issue], seat: answer}}, words=words)

    def unanswered(self) -> Docket:
        return replace(self, stale=self.stale + 1, exchanges=self.exchanges + 1)

    def state(self, issue: str) -> State:
        """Converged if all say the same now, deadlocked if all hold on and none owes an answer."""
        if issue in self.overtaken:
            return "overtaken"
        parties = {(issue, seat) for seat in self.issues[issue]}
        if len(set(self.now[issue].values())) < 2:
            return "converged"
        return "deadlocked" if parties <= self.held and not parties & self.waiting else "open"

    @property
    def unsettled(self) -> tuple[str, ...]:
        return tuple(issue for issue in self.issues if self.state(issue) == "open")

    @property
    def settled(self) -> bool:
        """Nothing is open, and where two stayed apart, two exchanges in a row brought nothing new."""
        apart = any(self.state(issue) == "deadlocked" for issue in self.issues)
        return not self.unsettled and (self.stale >= 2 or not apart)

    @property
    def status(self) -> Status:
        states = {"converged" if state == "overtaken" else state for state in map(self.state, self.issues)}
        if "open" in states:
            return "open"
        states = states or {"converged"}
        return "partially converged" if len(states) > 1 else "converged" if "converged" in states else "deadlocked"

    def told(self) -> str:
        """For the moderator: states, who says what and who owes an answer, in ids and words of ours."""
        return "; ".join(f"{issue} {self.state(issue)} ({self._parties(issue)})" for issue in self.issues) or "no issue"

    def _parties(self, issue: str) -> str:
        owes = {seat for where, seat in self.waiting if where == issue}
        return ", ".join(
            f"{seat} {'between' if says.startswith(BETWEEN) else says}{' and owes an answer' if seat in owes else ''}"
            for seat, says in self.now[issue].items()
        )

    def body(self) -> dict[str, JsonValue]:
        return {issue: self._issue(issue) for issue in self.issues}

    def _issue(self, issue: str) -> dict[str, JsonValue]:
        """How it ended: its state, the answer if all share one, and who moved."""
        state, now = self.state(issue), self.now[issue]
        answer = self._in_words(issue, next(iter(now))) if state == "converged" else ""
        return {
            "state": state,
            "answer": self.overtaken.get(issue, answer),
            "says": {seat: self._in_words(issue, seat) for seat in now},
            "moved": [seat for seat in now if now[seat] != self.issues[issue][seat]],
        }

    def _in_words(self, issue: str, seat: str) -> str:
        says = self.now[issue][seat]
        return self.words.get(f"{issue} {says}", "") or ("something in between" if says.startswith(BETWEEN) else says)


def letter_answers(answers: Mapping[str, str]) -> dict[str, str]:
    """Give each distinct answer a letter, which stands for words that are a model's, unless all are plain yes or no."""
    normalized = {seat: answer.casefold().strip(" .!") for seat, answer in answers.items()}
    if set(normalized.values()) <= {"yes", "no"}:
        return normalized
    letters = dict(zip(dict.fromkeys(normalized.values()), OPTIONS, strict=False))
    return {seat: letters[answer] for seat, answer in normalized.items()}


def worded(parties: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Issue and letter to the words of those who said it first."""
    found: dict[str, str] = {}
    for issue, says in parties.items():
        for seat, answer in letter_answers(says).items():
            if answer in tuple(OPTIONS):
                found.setdefault(f"{issue} {answer}", says[seat])
    return found


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


AGENDA_EXAMPLE: Example = {
    "agreements": ["Nobody wants to cut weekday hours for children."],
    "issues": [
        {
            "question": "Can Sundays be staffed?",
            "sides": [
                {"seat": "<seat>", "quote": "two people cannot run both floors", "says": "no"},
                {"seat": "<seat2>", "quote": "swap the empty Monday shift", "says": "yes"},
            ],
            "id": "<own>",
        },
        ...,
    ],
}


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


READING_EXAMPLE: Example = {
    "quote": "I grant that two people are too few",
    "stance": "narrows",
    "now": "between",
    "between": "yes, for one floor",
    "same_as": None,
    "news": "the upper floor had nine visitors last Sunday",
    "opens": [],
    "overtakes": [],
    "next": {
        "issue": "<issue>",
        "seat": "<seat2>",
        "quote": "the upper floor had nine visitors last Sunday",
        "question": "Would you still refuse to open if only the lower floor did?",
    },
}


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


SYNTHESIS_EXAMPLE: Example = {
    "findings": [
        {
            "finding": "One floor can be staffed on Sundays.",
            "seats": ["<seat>", "<seat2>"],
            "basis": "Both said so after the count: “nine visitors last Sunday”.",
        },
        ...,
    ],
    "modifications": ["Open the lower floor only."],
    "unresolved": [
        {
            "question": "Would Sunday visits be new ones?",
            "why": "One expects that they only move; a trial with a count would settle it.",
        }
    ],
    "surprises": ["The upper floor is almost empty on Sundays."],
    "answer": "Yes, for one floor and for a year, if Sunday visits are counted.",
}


class Settlement(Form):
    status: Status
    """Counted from the docket, not claimed by the moderator."""
    issues: dict[str, JsonValue]
    exchanges: int
    synthesis: Synthesis | None


# -- prompts -----------------------------------------------------------------------------


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
    example=AGENDA_EXAMPLE,
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
    example=READING_EXAMPLE,
).under(lambda reading: brevity(reading.next) if reading.next else [])

REROUTE = Brief("routing", Route, f"No answer came. Ask another panelist, in up to {QUESTION_WORDS} words.")

SYNTHESIS = Brief(
    "synthesis",
    Synthesis,
    "Sum up for the person who asked. Issues counted: {docket}. Everything must be in the record; recommend nothing of "
    "your own.",
    example=SYNTHESIS_EXAMPLE,
)


# -- the panel ---------------------------------------------------------------------------

MODERATOR_DUTY = (
    "You have no opinion on the question. You find real contradictions, question the person who must answer, and "
    "report truthfully what the answer did."
)
PANEL_DUTY = "You speak for yourself; others see what you do not."
GENERAL_LENSES = frozenset({"evidence", "precedent", "duty", "learner", "account", "devil", "generalist"})
"""Lenses of the general field: a panel of these alone was chosen because no word of the topic called for others."""
EMPHASES = {
    field: f" The question is mainly about {what}: say what your view means there."
    for field, what in {
        "technical": "technology",
        "business": "business and work",
        "interpersonal": "people who know each other",
        "health": "health",
        "creative": "art and making",
        "policy": "public rules",
    }.items()
}


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    """The moderator, and a panel in which at least one lens is contrarian."""
    settings, catalogue, topic = context.settings, context.catalogue, context.topic
    moderator = Seat("moderator", role="moderator", name="Moderator", duty=MODERATOR_DUTY)
    if settings.panel:
        return {moderator: Player()} | named_panel(settings.panel, catalogue, PANEL_DUTY)
    domain = catalogue.domain_of(topic).id if settings.domain == "auto" else settings.domain
    lenses = catalogue.panel(domain, settings.panelists, topic)
    return {moderator: Player()} | lens_panel(lenses, PANEL_DUTY)


def lens_panel(lenses: Iterable[Lens], duty: str) -> dict[Seat, Player]:
    """The person of each lens; `duty` is what all of them are there to do."""
    return dict(panelist(lens.id, lens.person, lens.background, duty, lens) for lens in lenses)


def named_panel(entries: Sequence[str], catalogue: Catalogue, duty: str) -> dict[Seat, Player]:
    """Characters as named, each with a lens of its own; if none is contrarian the last one doubts as well."""
    contrarian = next(lens for lens in catalogue.lenses if lens.contrarian)
    people = [[part.strip() for part in f"{entry}:".split(":")[:2]] for entry in entries]
    lenses = [[catalogue.lens_for(role or name)] for name, role in people]
    if len(people) == 1:
        people, lenses = [*people, [contrarian.person, contrarian.background]], [*lenses, [contrarian]]
    elif not any(lens.contrarian for (lens,) in lenses):
        lenses[-1].append(contrarian)
    names = [f"{name}, {role}" if role else name or f"Panelist {n}" for n, (name, role) in enumerate(people, 1)]
    seats = enumerate(zip(names, lenses, strict=True), 1)
    return dict(panelist(f"p{n}", name, "", duty, *some) for n, (name, some) in seats)


def panelist(seat_id: str, name: str, background: str, duty: str, *lenses: Lens) -> tuple[Seat, Player]:
    role = "contrarian" if any(lens.contrarian for lens in lenses) else "panelist"
    looks = [f"{lens.priority} You often ask: {' '.join(lens.asks)}" for lens in lenses]
    return Seat(seat_id, "", role, name, " ".join([*looks, duty]), background), Player(
        manners=tuple(lens.id for lens in lenses)
    )


# -- result ------------------------------------------------------------------------------


def describe_result(result: Settlement, names: SeatNames) -> Iterable[Section]:
    found = result.synthesis
    if found:
        title = "The panel's answer, as the moderator sums it up"
        yield ResultSection(title=title, lines=(found.answer,))
    yield FigureSection(title="Issues", figure="issues")
    if found:
        yield from listed_sections(
            {
                "Findings": [described_finding(finding, names) for finding in found.findings],
                "What to change": found.modifications,
                "Still disputed": [f"{open_point.question} {open_point.why}" for open_point in found.unresolved],
            }
        )
    yield FigureSection(title="Minority", figure="minority")
    if found:
        yield from listed_sections({"New ideas": found.surprises})


def described_finding(finding: Finding, names: SeatNames) -> str:
    agreed = f" Agreed by {listed([names(seat) for seat in finding.seats])}." if finding.seats else ""
    return f"{finding.finding}{agreed} Basis: {finding.basis}"
