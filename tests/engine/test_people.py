import json
import time

import pytest
from dbos import DBOSClient

from hustings.engine.people import questions, speak
from hustings.errors import NotFound, Unsuitable
from hustings.llm.improviser import Improviser
from hustings.runs.spec import DAY
from hustings.transcript.notes import Played
from tests.runs.panels import CHAT

from .rig import HUMAN


@pytest.fixture
def chat(rig, installed):
    """A debate in which a person holds one seat; it waits for words."""
    installed("chat", CHAT, module="chat_protocol")

    def start(**more):
        run_id = rig.start(protocol="chat", seats={"pro": HUMAN}, **more)
        rig.until(lambda: asked(rig, run_id))
        return run_id

    return start


def asked(rig, run_id):
    """Questions are there as soon as the other seats of their wave have answered or not."""
    return rig.seen(run_id).of("human_awaited") and questions(rig.runs, run_id)


def answer_all(rig, run_id, text):
    for nth in (1, 2):
        rig.until(lambda nth=nth: len(rig.seen(run_id).of("human_awaited")) == nth)
        speak(rig.control, run_id, "pro", text, by="ann")
    return rig.ended(run_id)


def test_a_seat_of_a_person_is_waited_for(rig, chat):
    run_id = chat()
    time.sleep(0.3)
    assert rig.runs.read(run_id).state == "running"
    answer_all(rig, run_id, "Yes.")


def test_what_a_person_is_asked_stands_in_the_log(rig, chat):
    run_id = chat()
    (awaited,) = rig.seen(run_id).of("human_awaited")
    (call,) = questions(rig.runs, run_id)
    assert (awaited.seat, awaited.address, awaited.key, awaited.task, awaited.form) == (
        "pro",
        call.address,
        call.key,
        call.brief.text,
        None,
    )
    answer_all(rig, run_id, "Yes.")


def test_a_form_that_a_person_must_fill_in_stands_in_the_log(rig):
    run_id = rig.start(seats={"pro": HUMAN})
    rig.wait_for(run_id, "human_awaited")
    (awaited,) = rig.seen(run_id).of("human_awaited")
    assert "properties" in awaited.form


def test_what_a_person_says_is_entered_word_for_word(rig, chat):
    seen = answer_all(rig, chat(), "Close them – all of them.")
    mine = [turn.said for turn in seen.proceedings.transcript.turns if turn.speaker_id == "pro"]
    assert (mine, seen.ending, seen.findings) == (["Close them – all of them."] * 2, Played(), [])


def test_a_person_costs_nothing(rig, chat):
    assert answer_all(rig, chat(), "Yes.").account.spent.money == 0


def test_speaking_tells_which_question_was_answered(rig, chat):
    run_id = chat()
    assert speak(rig.control, run_id, "pro", "Yes.") == "000.0 pro speech"


def test_words_on_record_whose_speaker_died_before_the_debate_was_queued_again_are_not_lost(rig, chat, monkeypatch):
    run_id = chat()
    rig.until(lambda: rig.runs.light_row(run_id)["rests_until"] is not None)
    with monkeypatch.context() as cut:
        cut.setattr(DBOSClient, "enqueue_in_transaction", lost)
        with pytest.raises(ConnectionError):
            speak(rig.control, run_id, "pro", "Yes.")
    with pytest.raises(NotFound, match="no open question for 'pro'"):
        speak(rig.control, run_id, "pro", "No.")
    with rig.waking():
        rig.until(lambda: len(rig.seen(run_id).of("human_awaited")) == 2)
    assert speak(rig.control, run_id, "pro", "Yes.") == "001.0 pro speech"
    assert rig.ended(run_id).ending == Played()


def lost(*_, **__):
    raise ConnectionError("the line went dead")


def test_words_that_do_not_fit_go_back_to_the_person_and_not_into_the_debate(rig, chat):
    run_id = chat()
    with pytest.raises(Unsuitable, match="not accepted as speech"):
        speak(rig.control, run_id, "pro", " ")
    assert [call.seat.id for call in questions(rig.runs, run_id)] == ["pro"]
    answer_all(rig, run_id, "Yes.")


def test_a_form_that_is_not_filled_in_goes_back_to_the_person(rig):
    run_id = rig.start(seats={"pro": HUMAN})
    rig.wait_for(run_id, "human_awaited")
    with pytest.raises(Unsuitable, match="not accepted as opening"):
        speak(rig.control, run_id, "pro", json.dumps({"no": "such field"}))


def test_a_person_can_hold_a_seat_with_forms(rig):
    run_id = rig.start(seats={"pro": HUMAN})
    for nth in (1, 2, 3):
        rig.until(lambda nth=nth: len(rig.seen(run_id).of("human_awaited")) == nth)
        (call,) = questions(rig.runs, run_id)
        speak(rig.control, run_id, "pro", Improviser().words(call))
    assert rig.ended(run_id).ending == Played()


def test_nobody_is_asked_before_it_is_their_turn(rig, chat):
    run_id = chat()
    with pytest.raises(NotFound, match="no open question for 'con'"):
        speak(rig.control, run_id, "con", "Me too.")
    answer_all(rig, run_id, "Yes.")


DUEL = CHAT.replace(
    """    for name in ("first", "second"):
""",
    """    with stage.round("alone"):
        await stage.ask(stage.seats[1], SPEAK)
    for name in ("together",):
""",
)


def test_whoever_speaks_beside_a_person_is_not_heard_before_them(rig, installed):
    """They are asked at once so that neither knows the other's words, and the person may be listening."""
    installed("duel", DUEL, module="duel_protocol")
    made = rig.spec(protocol="duel", seats={"pro": HUMAN})
    heard = []
    with rig.worker.bus.listening(made.run_id, heard.append):
        rig.worker.start(made.run_id)
        rig.until(lambda: asked(rig, made.run_id))
        speak(rig.control, made.run_id, "pro", "Yes.")
        seen = rig.ended(made.run_id)
    assert ({piece.address for piece in heard}, len(seen.said)) == ({"000.0 con speech"}, 3)


def test_a_second_answer_to_one_question_is_refused(rig, chat):
    run_id = chat()
    rig.close()
    try:
        key = questions(rig.runs, run_id)[0].key
        speak(rig.control, run_id, "pro", "First.", key=key)
        with pytest.raises(Unsuitable, match="The first answer counts"):
            speak(rig.control, run_id, "pro", "Second.", key=key)
    finally:
        rig.open()


def test_words_reach_a_debate_whose_worker_was_restarted(rig, chat):
    run_id = chat()
    rig.close()
    rig.open()
    seen = answer_all(rig, run_id, "I am still here.")
    assert (seen.said.count("I am still here."), seen.ending, seen.findings) == (2, Played(), [])


def test_a_person_who_says_nothing_in_time_is_missed(rig, chat):
    with rig.waking():
        seen = rig.ended(chat(days_for_people=0.8 / DAY))
    assert ([event.state.agent_id for event in seen.of("seat_missed")], seen.findings) == (["pro"] * 2, [])


def test_after_a_question_that_nobody_answered_in_time_the_next_one_is_asked(rig, chat):
    run_id = chat(days_for_people=2 / DAY)
    with rig.waking():
        rig.until(lambda: len(rig.seen(run_id).of("human_awaited")) == 2)
    assert [call.address for call in questions(rig.runs, run_id)] == ["001.0 pro speech"]
    speak(rig.control, run_id, "pro", "Here I am.")
    assert "Here I am." in rig.ended(run_id).said


def test_words_that_come_too_late_are_refused(rig, chat):
    run_id = chat(days_for_people=0.5 / DAY)
    with rig.waking():
        rig.ended(run_id)
    with pytest.raises(NotFound):
        speak(rig.control, run_id, "pro", "Late.")


def test_a_debate_that_waits_for_a_person_can_be_cancelled(rig, chat):
    run_id = chat()
    rig.control.steer(run_id, "cancel", "me")
    assert rig.ended(run_id, 5).ending.kind == "cancelled"
