"""Two teams of four and a judge: openings, cross-examination, free debate, closings.

A captain picks the speaker in free debate. The judge marks every speech, unseen by the teams,
while the next one is being given; totals and ranks are computed later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field, JsonValue

from hustings.earlier.checks.likeness import grounded
from hustings.earlier.rubrics.speech_1 import SpeechScore
from hustings.script.forms import Form, Link, SeatId, Speech
from hustings.script.moves import Aside, Brief, F, Observer, or_none
from hustings.script.rubric import Rubric
from hustings.script.seats import Seat, pick
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.words import count_words
from hustings.transcript.notes import Remark

VERSION = 1
PROMPTS = "2"
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
    sum_up(stage, "the openings")

    for asker, defenders in ((pro[1], con), (con[1], pro), (pro[2], con), (con[2], pro)):
        with stage.round(f"cross-examination by {asker}"):
            brief = QUESTIONS.offering(seat=[seat.id for seat in defenders[1:3]])
            asked = await speak(stage, asker, brief, allowed.question_words)
            if asked:
                answers = ANSWERS.linking(lambda _, asker=asker: [Link(seat=asker.id, move="answer")])
                await speak(stage, pick(defenders[1:3], asked.to), answers, allowed.answer_words)

    with stage.round("cross-examination summaries", pro[0], con[0]):
        for seat in (pro[0], con[0]):
            await speak(stage, seat, SUMMARY, allowed.summary_words)
    sum_up(stage, "the cross-examination")

    await free_debate(stage, pro, con)
    sum_up(stage, "the free debate")

    with stage.round("closing", con[3], pro[3]):
        for seat in (con[3], pro[3]):
            await speak(stage, seat, CLOSING, allowed.closing_words)
    await or_none(sum_up(stage, "the closings"))

    return await or_none(stage.consult(stage.seat("judge"), REVIEW))


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
        waiting=", ".join(seat.id for seat in waiting),
    ).offering(seat=[seat.id for seat in waiting])
    plan = await or_none(stage.consult(team[0], brief, to=team))
    return (pick(waiting, plan.speaker), FREE) if plan else (waiting[0], FREE_WITHOUT_PLAN)


async def speak(stage: Stage[Settings], seat: Seat, brief: Brief[F], words: int) -> F | None:
    """A speech on the record; its marks are given off it, while the next one is made."""
    brief = brief.within(words, words * 60 // stage.settings.words_per_minute)
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


def fouls(seat: Seat, kind: str) -> Observer[Rubric]:
    """What one judge flags is provisional: only a panel can confirm it. Some rules bind one kind of speech alone."""

    def observe(marks: Rubric) -> Iterable[Remark]:
        rules = dict.fromkeys(rule for rule, _ in marks.flags() if marks.can_break(rule, kind))
        return [remark for rule in rules for remark in broken(type(marks), seat, rule, provisional=True)]

    return observe


def broken(rubric: type[Rubric], seat: Seat, rule: str, **facts: JsonValue) -> Iterable[Remark]:
    """A violation, and what it costs if the rubric has a price for it."""
    where: dict[str, JsonValue] = {"rule": rule, "seat": seat.id, "team": seat.team}
    yield Remark("violation", {**where, **facts})
    if penalty := rubric.penalties.get(rule):
        yield Remark("penalty", {**where, "individual": penalty.individual, "on_team": penalty.team, **facts})


# -- forms -------------------------------------------------------------------------------

LEAST_CHARGE = 50
"""Words of the team's clock that a speech in free debate costs at least."""


class Questions(Form):
    to: SeatId = Field(description="who must answer")
    questions: tuple[Annotated[str, Field(min_length=5)], ...] = Field(min_length=3, max_length=6)

    def said(self) -> str:
        return "\n".join([f"To {self.to}:", *(f"{n}. {q}" for n, q in enumerate(self.questions, 1))])

    def counted(self) -> str:
        return " ".join(self.questions)

    def links(self) -> Sequence[Link]:
        return [Link(seat=self.to, move="question")]


class Plan(Form):
    speaker: SeatId = Field(description="who of your team speaks now")
    direction: str = Field(min_length=5, max_length=500, description="what the speech should do")


class StageSummary(Form):
    clashes: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=5, description="where the teams really met"
    )
    dropped: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=5, description="points left unanswered")


class Review(Form):
    """What the judge tells the teams. Who won is computed from the marks."""

    turning_points: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=5)
    advice_to_pro: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=5)
    advice_to_con: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=5)


# -- prompts -----------------------------------------------------------------------------

QUESTIONER = "You question the other team in cross-examination, answer when you are chosen, and speak in free debate."
POSITIONS = (
    (
        "1st",
        "You open the case and later sum up the cross-examination. As captain you choose who speaks in free debate.",
    ),
    ("2nd", QUESTIONER),
    ("3rd", QUESTIONER),
    ("4th", "You speak in free debate and close the case."),
)
STANCES = {"pro": "Your team argues for the motion.", "con": "Your team argues against the motion."}

SEATS = (
    *(
        Seat(f"{team}_{n}", team, name=f"{team.title()} {place}", duty=f"{stance} {duty}")
        for team, stance in STANCES.items()
        for n, (place, duty) in enumerate(POSITIONS, 1)
    ),
    Seat(
        "judge",
        role="judge",
        name="Judge",
        duty="You favour no team. You mark how a speech was given, not whether you agree with it, and ground every "
        "mark in the speaker's own words. You name no winner.",
    ),
)

RULES = """\
Two teams of four, pro and con, in four stages; the judge marks each speech.
1. Openings: the 1st of pro, then the 1st of con.
2. Cross-examination: the 2nd and 3rd of each team ask in turn at least three questions of a 2nd or 3rd of the other \
team, whom they choose. Whoever asks does not answer; whoever answers does so directly and asks nothing back. Then \
each 1st sums up what came out of it, without a prepared script.
3. Free debate: the teams alternate, pro first. Each has a clock counted in words. Everybody speaks at least once, and \
no team speaks twice running.
4. Closings: the 4th of con, then the 4th of pro.
Words beyond an allowance are heard, and cost points. What a team plans is read by that team alone."""

OPENING = Brief(
    "opening",
    Speech,
    "Open the case of your team: say how you read the motion, by what it should be judged, and the arguments on "
    "which your team will stand.",
)

QUESTIONS = Brief(
    "questions",
    Questions,
    "Choose who must answer, and ask at least three short questions that go to the weakest points of their case. Ask "
    "only; do not answer and do not argue.",
    turn_type="rebuttal",
)

ANSWERS = Brief(
    "answers",
    Speech,
    "Answer the questions you were just asked, one after the other and directly. Ask nothing back.",
    turn_type="rebuttal",
)

SUMMARY = Brief(
    "summary",
    Speech,
    "Sum up the cross-examination for your team, from what was really asked and answered: what they could not "
    "answer, what your team has shown, and what is still to be decided.",
    turn_type="synthesis",
)

PLAN = Brief(
    "plan",
    Plan,
    "It is your team's turn in free debate. As captain, choose who speaks and what the speech should do. Your clock "
    "has {left} words left ({seconds} seconds). Speeches so far: {counts}. To be chosen from: {waiting}.",
)

FREE = Brief(
    "free debate",
    Speech,
    "Speak for your team in free debate, along your captain's latest plan. Answer what the other team has just said, "
    "then make one point of your own.",
    turn_type="rebuttal",
)

FREE_WITHOUT_PLAN = Brief(
    "free debate",
    Speech,
    "Speak for your team in free debate; your captain has given no plan for it. Answer what the other team has just "
    "said, then make one point of your own.",
    turn_type="rebuttal",
)

CLOSING = Brief(
    "closing",
    Speech,
    "Close the case of your team: what the debate came down to, how the other side's best point is met, and why the "
    "motion should be decided your way. No new arguments.",
    turn_type="synthesis",
)

SCORE = Brief(
    "score",
    Rubric,
    "Mark the last speech of {seat} ({kind}; {words} words of {allowed} allowed). Length earns nothing.\n{scale}",
    afresh=True,
)

STAGE_SUMMARY = Brief(
    "summary of {stage}",
    StageSummary,
    "Sum up {stage} for the record: where the teams really met, and what was left unanswered. Name no winner.",
)

REVIEW = Brief(
    "review",
    Review,
    "The debate is over. Tell both teams what turned it and what each should do better next time. Name no winner.",
)

OWN_RUBRIC = SpeechScore
