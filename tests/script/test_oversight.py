"""A monitor looks between rounds, reads nothing but what it is shown, and what it wants told goes with a question."""

from dataclasses import replace

import pytest

from hustings.errors import OffTheRecord, SeatFailed, Unsuitable
from hustings.llm.improviser import Improviser, clock
from hustings.runs.staging import play_out
from hustings.script.calls import DebateContext, Reply
from hustings.script.checks import NO_QUOTE, resting_on_quotes
from hustings.script.debate import DebateSpec, header
from hustings.script.driver import Driver
from hustings.script.forms import Form, Quote, Speech
from hustings.script.moves import Brief, Exhibit, or_none
from hustings.script.oversight import CONTROLLED, ControlAction, Directive
from hustings.script.prompt import prompt_of
from hustings.script.recorder import Recorder
from hustings.script.seats import CONTROLLER, Player, Seat
from hustings.script.stage import Settings, Stage
from hustings.transcript.models import ControllerSnapshot, ControlState, RunMetadata
from hustings.transcript.notes import Cancelled
from hustings.transcript.rules import check_document

from .stages import SEATS, SPEAK, START, THINK

READ = Brief("reading", Speech, "How well is it argued?", afresh=True)
BENCH = Seat("chair", role="moderator")


class Watcher:
    """Reads every turn since the last look, and tells whom it was given to tell."""

    seat = CONTROLLER

    def __init__(self, told=lambda n: ()):
        self.told, self.looks = told, []

    def context(self, debate):
        return replace(debate, rules="Read.", seats=(CONTROLLER,), table=False, subject=True, going_on=True)

    async def look(self, stage, turns):
        self.looks.append([turn.turn_id for turn in turns])
        briefs = [READ.showing(Exhibit("turn", "what was said", turn.said)) for turn in turns]
        await stage.together(*(or_none(stage.consult(CONTROLLER, brief)) for brief in briefs))
        return self.action(self.told(len(self.looks)))

    def turn_dial(self, order):
        return self.action([Directive("a", "human_override", f"dial: {order}")])

    def action(self, directives):
        n = len(self.looks)
        return ControlAction(tuple(directives), ControllerSnapshot(u_t=n), ControlState(beta=0.5), {"n": n})


def put_on(script, monitor, *, seats=SEATS, retries=1):
    cast = {s.id: Player() for s in (*seats, CONTROLLER)}
    about = {"debate_id": "d", "topic": "t", "protocol": "p", "version": 1, "retries": retries, "controller": "p"}
    debate = DebateSpec(**about, seats=seats, cast=cast)
    recorder = Recorder(header(debate, "run", START, RunMetadata()))
    stage = Stage(DebateContext("p", "t", "Be brief.", seats, run_id="run"), recorder, Settings())
    return Driver(script(stage, *seats), stage, retries=retries, monitor=monitor), stage


def play(script, monitor, actor=None, **more):
    driver, stage = put_on(script, monitor, **more)
    return play_out(driver, actor or Improviser()), stage


async def three_rounds(stage, *seats):
    for n in (1, 2, 3):
        with stage.round(f"round {n}"):
            await stage.together(*(or_none(stage.ask(seat, SPEAK)) for seat in seats))


def to_all(trigger, words):
    return [Directive(seat.id, trigger, words) for seat in SEATS]


def log(stage):
    entries = stage.recorder.record.transcript.intervention_log or ()
    return [(one.speaker_id, one.trigger, one.instruction_sent, one.round_index) for one in entries]


def applied(stage):
    turns = stage.recorder.record.transcript.turns
    return [[one.intervention_id for one in turn.attempts[0].interventions_applied or ()] for turn in turns]


def problems(stage):
    return [(found.rule, found.message) for found in check_document(stage.recorder.record.transcript.document())]


# -- when it looks -------------------------------------------------------------------------


def test_it_looks_after_every_round_but_the_last():
    watcher = Watcher()
    play(three_rounds, watcher)
    assert watcher.looks == [["r1.t0", "r1.t1", "r1.t2"], ["r2.t0", "r2.t1", "r2.t2"]]


def test_it_waits_until_as_many_turns_were_made_as_seats_were_heard():
    async def alternating(stage, a, b, c):
        for n, seat in enumerate((a, b, c, a, b, c)):
            with stage.round(f"round {n}"):
                await stage.ask(seat, SPEAK)

    watcher = Watcher()
    play(alternating, watcher)
    assert watcher.looks == [["r1.t0"], ["r2.t0", "r3.t0", "r4.t0"]]


def test_it_does_not_look_while_a_round_is_open():
    async def one_long_round(stage, a, b, c):
        with stage.round("round"):
            for seat in (a, b, c):
                await stage.ask(seat, SPEAK)

    watcher = Watcher()
    play(one_long_round, watcher)
    assert watcher.looks == []


def test_it_looks_only_before_words_on_the_record():
    async def thinks_at_the_end(stage, a, b, c):
        with stage.round("round"):
            await stage.together(*(stage.ask(seat, SPEAK) for seat in (a, b, c)))
        await stage.together(stage.consult(a, THINK), stage.consult(b, THINK))
        await stage.consult(a, THINK)

    watcher = Watcher()
    play(thinks_at_the_end, watcher)
    assert watcher.looks == []


def test_words_of_a_moderator_are_not_looked_at():
    async def moderated(stage, a, b, chair):
        for n in (1, 2):
            with stage.round(f"round {n}"):
                stage.say(chair, "What of it?")
                await stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK))

    watcher = Watcher()
    play(moderated, watcher, seats=(*SEATS[:2], BENCH))
    assert watcher.looks == [["r1.t1", "r1.t2"]]


def test_without_a_new_turn_there_is_nothing_to_look_at():
    async def silent(stage, a, b, c):
        for n in (1, 2):
            with stage.round(f"round {n}"):
                await or_none(stage.ask(a, SPEAK))

    watcher = Watcher()
    play(silent, watcher, lambda call: SeatFailed("gone"))
    assert watcher.looks == []


# -- what it knows -------------------------------------------------------------------------


def test_its_seat_reads_nothing_but_what_it_is_shown():
    waves, _ = play(three_rounds, Watcher())
    calls = [call for wave in waves for call in wave if call.seat == CONTROLLER]
    assert len(calls) == 6
    assert all(not call.knowledge.turns and not call.knowledge.private for call in calls)
    text = prompt_of(calls[3], Player()).text
    assert "a debate that is still going on" in text
    assert not any(f"{seat.id}: {seat.title}" in text for seat in SEATS)


def test_no_other_seat_reads_what_it_noted():
    waves, stage = play(three_rounds, Watcher())
    speakers = [call for wave in waves for call in wave if call.seat != CONTROLLER]
    assert not any(call.knowledge.private for call in speakers)
    assert [note.kind for note in stage.recorder.notes].count(CONTROLLED) == 2


def test_it_may_not_speak_on_the_record():
    class Speaker(Watcher):
        async def look(self, stage, turns):
            await stage.ask(CONTROLLER, SPEAK)
            return self.action(())

    with pytest.raises(OffTheRecord, match="may only consult"):
        play(three_rounds, Speaker())


# -- what it tells -------------------------------------------------------------------------


def test_what_it_wants_told_goes_with_the_next_question_and_is_logged_with_its_figures():
    waves, stage = play(three_rounds, Watcher(lambda n: to_all("pid_escalation", f"Press {n}.")))
    assert log(stage) == [(s, "pid_escalation", f"Press {n}.", n + 1) for n in (1, 2) for s in ("a", "b", "c")]
    assert applied(stage) == [[], [], [], ["iv0"], ["iv1"], ["iv2"], ["iv3"], ["iv4"], ["iv5"]]
    told = [call.instructions for wave in waves for call in wave if call.seat != CONTROLLER]
    assert told == [(), (), ()] + [("Press 1.",)] * 3 + [("Press 2.",)] * 3
    snapshots = [one.controller_snapshot for one in stage.recorder.record.transcript.intervention_log]
    assert [one.u_t for one in snapshots] == [1, 1, 1, 2, 2, 2]
    states = [turn.attempts[0].control_state for turn in stage.recorder.record.transcript.turns]
    assert states == [None] * 3 + [ControlState(beta=0.5)] * 6
    assert problems(stage) == []


def test_a_seat_that_is_never_asked_again_is_told_nothing():
    async def leaves(stage, a, b, c):
        with stage.round("one"):
            await stage.together(*(stage.ask(seat, SPEAK) for seat in (a, b, c)))
        with stage.round("two"):
            await stage.ask(a, SPEAK)

    _, stage = play(leaves, Watcher(lambda n: to_all("evidence_gate", "Quote.")))
    assert [seat for seat, *_ in log(stage)] == ["a"]
    assert problems(stage) == []


def test_of_words_of_one_kind_the_newest_counts_and_other_kinds_stay():
    async def late(stage, a, b, c):
        for n in (1, 2, 3):
            with stage.round(f"round {n}"):
                await stage.together(*(stage.ask(seat, SPEAK) for seat in (a, b)))
        with stage.round("late"):
            await stage.ask(c, SPEAK)

    def told(n):
        return [Directive("c", "pid_escalation", f"tone {n}"), *([Directive("c", "evidence_gate", "gate")] * (n == 1))]

    _, stage = play(late, Watcher(told))
    assert [(trigger, words) for _, trigger, words, _ in log(stage)] == [
        ("evidence_gate", "gate"),
        ("pid_escalation", "tone 3"),
    ]


def test_words_can_be_taken_back_before_they_were_told():
    async def late(stage, a, b, c):
        for n in (1, 2, 3):
            with stage.round(f"round {n}"):
                await stage.together(*(stage.ask(seat, SPEAK) for seat in (a, b)))
        with stage.round("late"):
            await stage.ask(c, SPEAK)

    _, stage = play(late, Watcher(lambda n: [Directive("c", "evidence_gate", "gate" if n == 1 else "")]))
    assert log(stage) == []


def test_a_reading_of_it_that_cannot_be_used_is_not_waited_for():
    driver, _ = put_on(three_rounds, Watcher())
    for text in ("I say so.", ""):
        driver.resume([Reply(text, clock(call)) for call in driver.calls])
    assert {call.seat.id for call in driver.calls} == {CONTROLLER.id}
    assert driver.unusable([Reply("", clock(call)) for call in driver.calls]) == {}


def test_a_look_whose_reader_fails_changes_nothing():
    class Failing(Watcher):
        async def look(self, stage, turns):
            await stage.consult(CONTROLLER, READ)
            return self.action(to_all("pid_escalation", "Press."))

    improvise = Improviser()
    _, stage = play(three_rounds, Failing(), lambda c: SeatFailed("gone") if c.seat == CONTROLLER else improvise(c))
    assert log(stage) == []
    assert len(stage.recorder.record.transcript.turns) == 9


def test_a_person_turns_the_dial_through_its_seat():
    driver, stage = put_on(three_rounds, Watcher())
    driver.intervene(CONTROLLER.id, "hold")
    play_out(driver, Improviser())
    assert log(stage) == [("a", "human_override", "dial: hold", 2)]


def test_a_debate_can_be_stopped_while_it_is_looked_at():
    async def in_plain_asks(stage, *seats):
        for n in (1, 2):
            with stage.round(f"round {n}"):
                await stage.together(or_none(stage.ask(seats[0], SPEAK)), *(stage.ask(s, SPEAK) for s in seats[1:]))

    driver, stage = put_on(in_plain_asks, Watcher())
    improvise = Improviser()
    driver.resume([improvise(call) for call in driver.calls])
    assert {call.seat for call in driver.calls} == {CONTROLLER}
    driver.stop(Cancelled(by="a person"))
    assert len(stage.recorder.record.transcript.turns) == 3


def test_a_debate_without_retries_takes_no_controller():
    with pytest.raises(Unsuitable, match="takes no controller"):
        put_on(three_rounds, Watcher(), retries=0)


# -- replay --------------------------------------------------------------------------------


def test_two_replays_have_the_same_keys_and_events():
    def trace():
        waves, stage = play(three_rounds, Watcher(lambda n: to_all("pid_escalation", f"Press {n}.")))
        return [call.key for wave in waves for call in wave], stage.recorder.events

    assert trace() == trace()


# -- quotes that are asked for ----------------------------------------------------------------


class Strict(Watcher):
    def action(self, directives):
        return replace(super().action(directives), strict=True)


def saying_first(words, then):
    """Everybody says the first words in the first round; then each attempt takes the next of the others."""
    rest = iter(then)

    def act(call):
        if call.seat == CONTROLLER:
            return Improviser()(call)
        return Reply(words if call.address.startswith("000") else next(rest), clock(call))

    return act


async def two_rounds(stage, a, b, c):
    with stage.round("one"):
        await stage.ask(a, SPEAK)
    with stage.round("two"):
        await stage.ask(b, SPEAK)


def errors(stage):
    attempts = stage.recorder.record.transcript.turns[-1].attempts
    return [(one.status, one.diagnostics and one.diagnostics.error_type) for one in attempts]


def test_while_quotes_are_asked_for_an_answer_without_one_goes_back():
    good = "You said “the buses are late on Sundays”, and I agree."
    _, stage = play(two_rounds, Strict(), saying_first("The buses are late on Sundays.", ["No.", good]))
    assert errors(stage) == [("retry", "evidence"), ("ok", None)]
    assert problems(stage) == []


def test_no_answer_is_lost_for_want_of_a_quote():
    _, stage = play(two_rounds, Strict(), saying_first("The buses are late on Sundays.", ["No.", "No, again."]))
    assert errors(stage) == [("retry", "evidence"), ("ok", None)]
    assert stage.recorder.record.transcript.turns[-1].said == "No, again."


def test_a_moderator_needs_no_quote():
    async def chaired(stage, a, b, chair):
        with stage.round("one"):
            await stage.ask(a, SPEAK)
        with stage.round("two"):
            await stage.ask(chair, SPEAK)

    actor = saying_first("The buses are late on Sundays.", ["Go on."])
    _, stage = play(chaired, Strict(), actor, seats=(*SEATS[:2], BENCH))
    assert errors(stage) == [("ok", None)]


class Quoting(Form):
    words: Quote


@pytest.mark.parametrize(
    ("answer", "stands"),
    [
        (Speech(text="You said “late on Sundays” before."), True),
        (Speech(text="You said “late” before."), False),
        (Speech(text="You said “never on any Sunday” before."), False),
        (Speech(text="Nothing is quoted here."), False),
        (Quoting(words="late on Sundays"), True),
    ],
)
def test_a_quote_has_three_words_and_stands_somewhere(answer, stands):
    found = resting_on_quotes(["Trams are dear.", "The buses are late on Sundays."])(answer)
    assert found == ([] if stands else [NO_QUOTE])


# -- the seat ------------------------------------------------------------------------------


def test_its_seat_is_at_no_table_but_needs_a_model():
    cast = {s.id: Player() for s in (*SEATS, CONTROLLER)}
    about = {"debate_id": "d", "topic": "t", "protocol": "p", "version": 1, "seats": SEATS, "cast": cast}
    free, under = DebateSpec(**about), DebateSpec(**about, controller="pid")
    assert (free.staff, free.asked) == ((), SEATS)
    assert (under.staff, under.asked) == ((CONTROLLER,), (*SEATS, CONTROLLER))
    assert set(under.players) == {seat.id for seat in SEATS}
