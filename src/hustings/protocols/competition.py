"""Two teams of four and a judge: openings, cross-examination, free debate, closings.

A captain picks the speaker in free debate. The judge marks every speech, unseen by the teams,
while the next one is being given; totals and ranks are computed later. What code can see it
finds itself: words beyond an allowance, a question asked back, an asker who answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field, JsonValue

from hustings.script.checks import answering, grounded
from hustings.script.forms import Form, Link, SeatId, Speech
from hustings.script.moves import Aside, Brief, Exhibit, F, Observer, or_none
from hustings.script.protocol_result import ResultSection, SeatNames, listed_sections
from hustings.script.rubric import Rubric, row_of
from hustings.script.seats import Seat, pick
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.quotations import without_quotations
from hustings.text.words import count_words
from hustings.transcript.notes import Remark

VERSION = 1
RUBRIC = "speech"
REGIME = "mixed"


class Settings(ProtocolSettings):
    opening_words: int = Field(default=750, ge=50, le=3000)
    """Allowance of an opening, three minutes."""
    question_words: int = Field(default=125, ge=30, le=1000)
    """Allowance for asking in cross-examination, half a minute."""
    answer_words: int = Field(default=250, ge=30, le=1000)
    """Allowance for answering there, one minute."""
    summary_words: int = Field(default=500, ge=50, le=2000)
    """Allowance of a summary of the cross-examination, two minutes."""
    free_words: int = Field(default=1000, ge=200, le=2000)
    """The clock of each team in free debate, four minutes."""
    free_speech_words: int = Field(default=125, ge=50, le=500)
    """Allowance of one speech there, half a minute."""
    closing_words: int = Field(default=750, ge=50, le=3000)
    """Allowance of a closing, three minutes."""
    words_per_minute: int = Field(default=250, ge=100, le=400)
    """Turns words into time."""


async def play(stage: Stage[Settings]) -> Review | None:
    pro, con, allowed = stage.team("pro"), stage.team("con"), stage.settings

    with stage.round("opening", pro[0], con[0]):
        for seat in (pro[0], con[0]):
            await speak(stage, seat, OPENING, allowed.opening_words)
    summaries = [sum_up(stage, "the openings")]

    for asker, defenders in ((pro[1], con), (con[1], pro), (pro[2], con), (con[2], pro)):
        with stage.round(f"cross-examination by {asker}"):
            brief = QUESTIONS.offering(seat=[seat.id for seat in defenders[1:3]])
            asked = await speak(stage, asker, brief.noting(argued(stage.rubric, asker)), allowed.question_words)
            if asked:
                seat = pick(defenders[1:3], asked.to)
                answers = ANSWERS.linking(lambda _, asker=asker: [Link(seat=asker.id, move="answer")])
                await speak(stage, seat, answers.noting(asked_back(stage.rubric, seat, asked)), allowed.answer_words)

    with stage.round("cross-examination summaries", pro[0], con[0]):
        for seat in (pro[0], con[0]):
            await speak(stage, seat, SUMMARY, allowed.summary_words)
    summaries.append(sum_up(stage, "the cross-examination"))

    await free_debate(stage, pro, con)
    summaries.append(sum_up(stage, "the free debate"))

    with stage.round("closing", con[3], pro[3]):
        for seat in (con[3], pro[3]):
            await speak(stage, seat, CLOSING, allowed.closing_words)
    summaries.append(sum_up(stage, "the closings"))

    return await review(stage, summaries)


async def review(stage: Stage[Settings], summaries: Sequence[Aside[StageSummary]]) -> Review | None:
    """The judge reads the record and its own summaries, but not its marks again."""
    found = [await or_none(summary) for summary in summaries]
    shown = [
        Exhibit(f"summary of {what}", "what you wrote after that stage", summary.said())
        for what, summary in zip(STAGES, found, strict=True)
        if summary
    ]
    brief = REVIEW.showing(*shown) if shown else REVIEW
    return await or_none(stage.consult(stage.seat("judge"), brief))


async def free_debate(stage: Stage[Settings], pro: Sequence[Seat], con: Sequence[Seat]) -> None:
    """Teams alternate, pro first, so no team speaks twice running: it ends when either has neither words nor
    a speaker left who has not spoken. Those who have not spoken go before those who have."""
    left, spoken = Counter(pro=stage.settings.free_words, con=stage.settings.free_words), Counter[str]()

    def may_go_on(team: Sequence[Seat]) -> bool:
        return left[team[0].team] > 0 or any(not spoken[seat.id] for seat in team)

    exchange = 0
    while may_go_on(pro) and may_go_on(con):
        exchange += 1
        with stage.round(f"free debate {exchange}"):
            for team in (pro, con):
                speaker, brief = await captain_chooses(stage, team, spoken, left[team[0].team])
                words = max(LEAST_CHARGE, min(stage.settings.free_speech_words, left[speaker.team]))
                speech = await speak(stage, speaker, brief, words)
                spoken[speaker.id] += 1
                left[speaker.team] -= max(LEAST_CHARGE, count_words(speech.counted()) if speech else 0)


async def captain_chooses(
    stage: Stage[Settings], team: Sequence[Seat], spoken: Counter[str], left: int
) -> tuple[Seat, Brief[Speech]]:
    """The team reads the captain's plan; a captain who gives none leaves it to the order of seats."""
    waiting = [seat for seat in team if not spoken[seat.id]] or team
    brief = PLAN.about(
        left=max(left, 0),
        seconds=max(left, 0) * 60 // stage.settings.words_per_minute,
        counts=", ".join(f"{seat} {spoken[seat.id]}" for seat in team),
    ).offering(seat=[seat.id for seat in waiting])
    plan = await or_none(stage.consult(team[0], brief, to=team))
    return (pick(waiting, plan.speaker), FREE) if plan else (waiting[0], FREE_WITHOUT_PLAN)


async def speak(stage: Stage[Settings], seat: Seat, brief: Brief[F], words: int) -> F | None:
    """A speech on the record; its marks are given off it, while the next one is made."""
    brief = brief.within(words, words * 60 // stage.settings.words_per_minute)
    if brief.form is Speech and not brief.linkers:
        brief = brief.linking(answering([*stage.team("pro"), *stage.team("con")], seat, stage.heard_by(seat)))
    speech = await or_none(stage.ask(seat, brief.noting(overtime(stage.rubric, seat, words))))
    if speech:
        said, kind = speech.said(), brief.name
        score = (
            SCORE.about(
                seat=seat.title,
                kind=kind,
                words=count_words(speech.counted()),
                allowed=words,
                scale=stage.rubric.scale(),
            )
            .answered_on(stage.rubric)
            .like(row_of(stage.rubric))
            .offering(item=[seat.id])
            .under(grounded([said]))
            .noting(fouls(seat, kind))
            .linking(lambda _: [Link(seat=seat.id)])
        )
        stage.meanwhile(stage.consult(stage.seat("judge"), score))
    return speech


def sum_up(stage: Stage[Settings], what: str) -> Aside[StageSummary]:
    return stage.meanwhile(stage.consult(stage.seat("judge"), STAGE_SUMMARY.about(stage=what)))


def overtime(rubric: type[Rubric], seat: Seat, allowed: int) -> Observer[Form]:
    """A speaker who goes past the allowance breaks a rule, but is not cut off."""

    def observe(speech: Form) -> Iterable[Remark]:
        words = count_words(speech.counted())
        return broken(rubric, seat, "overtime", words=words, allowed=allowed) if words > allowed else []

    return observe


def asked_back(rubric: type[Rubric], seat: Seat, asked: Questions) -> Observer[Form]:
    """A speaker who answers asks nothing back; to repeat the question, or to quote it, is no question."""

    def observe(speech: Form) -> Iterable[Remark]:
        own = [found for found in questions_in(speech.said()) if not repeats(found, asked.questions)]
        return broken(rubric, seat, "counter_question", quote=own[0][:200]) if own else []

    return observe


def argued(rubric: type[Rubric], seat: Seat) -> Observer[Questions]:
    """A speaker who asks only asks: each question ends with its mark, in a language that uses one."""

    def observe(asked: Questions) -> Iterable[Remark]:
        marked = [bool(questions_in(question)) for question in asked.questions]
        after = [rest for rest in map(said_after_asking, asked.questions) if count_words(rest) > FEW_WORDS]
        return broken(rubric, seat, "attacker_answered", quote=after[0][:200]) if after and any(marked) else []

    return observe


def fouls(seat: Seat, kind: str) -> Observer[Rubric]:
    """What one judge flags is provisional and costs nothing: only a panel can confirm it.

    Some rules bind one kind of speech alone.
    """

    def observe(marks: Rubric) -> Iterable[Remark]:
        rules = dict.fromkeys(rule for rule, _ in marks.flags() if marks.can_break(rule, kind))
        return [Remark("violation", {**where(rule, seat), "provisional": True}) for rule in rules]

    return observe


def broken(rubric: type[Rubric], seat: Seat, rule: str, **facts: JsonValue) -> Iterable[Remark]:
    """A violation, and what it costs if the rubric has a price for it."""
    yield Remark("violation", {**where(rule, seat), **facts})
    if penalty := rubric.penalties.get(rule):
        cost: dict[str, JsonValue] = {"individual": penalty.individual, "on_team": penalty.team}
        yield Remark("penalty", {**where(rule, seat), **cost, **facts})


def where(rule: str, seat: Seat) -> dict[str, JsonValue]:
    return {"rule": rule, "seat": seat.id, "team": seat.team}


# -- questions in a text, found by their marks ------------------------------------------------


def questions_in(text: str) -> list[str]:
    """Sentences of the text that end in a question mark, outside of quotations."""
    return [found.strip() for found in QUESTION.findall(without_quotations(text))]


def repeats(question: str, asked: Iterable[str]) -> bool:
    """Whether a question is one of those that were asked, or a part of one."""
    sought = letters(question)
    return any(sought in letters(one) or letters(one) in sought for one in asked)


def said_after_asking(text: str) -> str:
    """What follows the last question mark of a text, or all of it if it asks nothing."""
    return MARK.split(without_quotations(text))[-1].strip()


def letters(text: str) -> str:
    return "".join(re.findall(r"\w", text.casefold()))


MARKS = "?？؟፧⸮"
"""Latin, full width, Arabic, Ethiopic, reversed. The Greek sign is a semicolon elsewhere, so Greek asks unseen."""
MARK = re.compile(rf"[{MARKS}]")
ENDS = rf".!。！…\n{MARKS}"
QUESTION = re.compile(rf"(?<![^{ENDS}])[^{ENDS}]*+[{MARKS}]")


# -- forms -------------------------------------------------------------------------------

LEAST_CHARGE = 50
"""Words of the team's clock that a speech in free debate costs at least."""
FEW_WORDS = 3
"""After a question mark, more than these are an answer or an argument."""
STAGES = ("the openings", "the cross-examination", "the free debate", "the closings")


class Questions(Form):
    to: SeatId = Field(description="who must answer")
    questions: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        min_length=3, max_length=6, description="one sentence each, with a question mark"
    )

    def said(self) -> str:
        return "\n".join([f"To {self.to}:", *(f"{n}. {q}" for n, q in enumerate(self.questions, 1))])

    def counted(self) -> str:
        return " ".join(self.questions)

    def links(self) -> Sequence[Link]:
        return [Link(seat=self.to, move="question")]


class Plan(Form):
    speaker: SeatId = Field(description="who of your team speaks now")
    direction: str = Field(
        min_length=5, max_length=500, description="to the speaker, up to 60 words: what the speech should do"
    )


class StageSummary(Form):
    clashes: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="where the teams really met, each “Pro says ..., Con says ...”"
    )
    dropped: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="who made the point, and who did not answer it"
    )


class Review(Form):
    """What the judge tells the teams. Who won is computed from the marks."""

    turning_points: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="each quotes its words"
    )
    advice_to_pro: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="what to do, when, with an example from this debate"
    )
    advice_to_con: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=5, description="likewise")


# -- prompts -----------------------------------------------------------------------------


RULES = """\
team competition. Two teams of four, and a judge who scores every speech.
1. Openings: Pro 1, then Con 1.
2. Cross-examination: Pro 2, Con 2, Pro 3, Con 3 each question a second or third speaker of the other team. One only \
asks, the other only answers. Then Pro 1 and Con 1 sum up.
3. Free debate: teams alternate, Pro first, each within one word limit. Everyone speaks.
4. Closings: Con 4, then Pro 4.
Going over a limit costs the speaker 2 points and the team 3. Asking back, or answering while asking, costs 2. What a \
team plans is read by that team alone."""

OPENING = Brief(
    "opening",
    Speech,
    "Open the case for your team. Say how you read the motion and by what to judge it. Then make the two to four "
    "arguments your team will build on, with support.",
)

QUESTIONS = Brief(
    "questions",
    Questions,
    "Choose who must answer. Ask three or more short questions about what their case depends on, so that the answers "
    "lead to your point. Only ask: do not answer, do not argue.",
    turn_type="rebuttal",
)

ANSWERS = Brief(
    "answers",
    Speech,
    "Answer the questions in order. Begin each answer with the answer itself: yes, no, a figure, or “I don't know”. "
    "Then give one reason. Ask nothing back, not even rhetorically.",
    turn_type="rebuttal",
)

SUMMARY = Brief(
    "summary",
    Speech,
    "Sum up the cross-examination, quoting what was really said: what they could not answer and why it matters, what "
    "your answers showed, what is open. Add no argument.",
    turn_type="synthesis",
)

PLAN = Brief(
    "plan",
    Plan,
    "As captain, choose who speaks next and what the speech should do: which of their points to answer, which of yours "
    "to advance. Words left: {left} ({seconds} seconds). Speeches so far: {counts}.",
)

FREE = Brief(
    "free debate",
    Speech,
    "Speak for your team. Your captain's plan is under “Only your team can read this”: follow its direction as far as "
    "it is honest and within the rules. First answer what the other team just said, then make one point that advances "
    "your case. Do not repeat a teammate.",
    turn_type="rebuttal",
)

FREE_WITHOUT_PLAN = Brief(
    "free debate",
    Speech,
    "Speak for your team. Your captain left the choice to you. First answer what the other team just said, then make "
    "one point that advances your case. Do not repeat a teammate.",
    turn_type="rebuttal",
    afresh=True,
)

CLOSING = Brief(
    "closing",
    Speech,
    "Say what the debate came down to. State the other team's best point fairly and meet it. Show why, by the standard "
    "your team set, the motion should go your way. No new argument.",
    turn_type="synthesis",
    afresh=True,
)

SCORE = Brief(
    "score",
    Rubric,
    "Score the last speech of {seat} ({kind}, {words} of {allowed} words), whatever you think of its side. Length, "
    "confidence and polish earn nothing. Quote first, score second. Then list the rules it broke that you can quote; "
    "none is normal.\n{scale}",
    afresh=True,
)

STAGE_SUMMARY = Brief(
    "summary of {stage}",
    StageSummary,
    "Sum up {stage}: where the teams really met, and what was left unanswered. Name no winner.",
    afresh=True,
)

REVIEW = Brief(
    "review",
    Review,
    "The debate is over. Quote the moments after which it was different. Give each team advice it can practise: what "
    "to do, when, with an example from this debate. Name no winner: that is computed.",
    afresh=True,
)


# -- seats -------------------------------------------------------------------------------

QUESTIONER = "You question the other team, answer when chosen, and speak in free debate."
CAPTAIN = (
    "You are first speaker and captain. You open the case, sum up the cross-examination and choose who speaks in free "
    "debate."
)
DUTIES = (
    CAPTAIN,
    QUESTIONER,
    QUESTIONER,
    "You speak in free debate and close the case.",
)
STANCES = {"pro": "Your team argues for the motion.", "con": "Your team argues against the motion."}

SEATS = (
    *(
        Seat(f"{team}_{n}", team, name=f"{team.title()} {n}", duty=f"You speak for the {team} team. {stance} {duty}")
        for team, stance in STANCES.items()
        for n, duty in enumerate(DUTIES, 1)
    ),
    Seat(
        "judge",
        role="judge",
        name="Judge",
        duty="You favour no team. You judge how a speech was given, not whether you agree with it, and ground every "
        "score in the speaker's own words. No team reads what you write. You name no winner: that is computed.",
    ),
)


# -- result ------------------------------------------------------------------------------


def describe_result(result: Review | None, names: SeatNames) -> Iterable[ResultSection]:
    """The judge's review; points, penalties and clashes are on the score board."""
    if result:
        yield from listed_sections(
            {
                "Turning points": result.turning_points,
                f"Advice to {names('pro')}": result.advice_to_pro,
                f"Advice to {names('con')}": result.advice_to_con,
            }
        )
