"""A controlled debate on the engine: one budget, one ledger, and a dial that a person can take."""

import pytest

from hustings.db.caps import Caps
from hustings.errors import Unsuitable
from hustings.runs.fork import fork
from hustings.runs.request import DebateRequest, build_spec
from hustings.script.seats import CONTROLLER
from hustings.transcript.events import CallPaid

from .rig import TOPIC


def drawn(protocol="roundtable", **more):
    return build_spec(DebateRequest(protocol=protocol, topic=TOPIC, model="improviser", controller="p", **more), {})


def entered(rig, *given, **more):
    made = drawn(*given, **more)
    rig.control.enter_here(made)
    return made


def held(rig, made):
    rig.worker.start(made.run_id)
    return rig.ended(made.run_id)


def looks(seen):
    return [note.body for note in seen.proceedings.notes if note.kind == "controller"]


def test_it_ends_and_its_calls_are_in_the_ledger_of_the_debate(rig):
    seen = held(rig, entered(rig))
    assert seen.proceedings.ending.kind == "played"
    assert len(looks(seen)) == 2
    asked = {key.split()[1] for key in rig.runs.answers(seen.run_id)}
    assert CONTROLLER.id in asked
    paid = [event.address for event in seen.events if isinstance(event, CallPaid)]
    assert any(f" {CONTROLLER.id} " in address for address in paid)


def test_its_calls_count_towards_the_cap(rig):
    seen = held(rig, entered(rig, caps=Caps(calls=12)))
    assert seen.proceedings.ending.kind == "budget_stopped"
    assert len(rig.runs.answers(seen.run_id)) <= 12


def test_a_person_sets_the_tone_and_the_record_says_so(rig):
    made = entered(rig)
    assert rig.control.turn_dial(made.run_id, "tone .9") == "tone 0.9"
    seen = held(rig, made)
    assert [look["beta"] for look in looks(seen)] == [0.9, 0.9, 0.9]
    assert looks(seen)[0]["dial"] == "tone 0.9"


def test_a_fork_pays_for_no_reading_again(rig):
    made = entered(rig)
    rig.control.turn_dial(made.run_id, "hold")
    held(rig, made)
    again = fork(rig.runs, made.run_id, turn="r3.t0")
    rig.control.enter_here(again)
    seen = held(rig, again)
    assert [look.get("dial") for look in looks(seen)] == ["hold", None, None]
    old = [key for key in rig.runs.answers(made.run_id) if CONTROLLER.id in key]
    assert {key for key in rig.runs.answers(again.run_id) if CONTROLLER.id in key} == set(old)


def test_a_debate_without_a_controller_has_no_dial(rig):
    with pytest.raises(Unsuitable, match="has no controller"):
        rig.control.turn_dial(rig.spec().run_id, "hold")


def test_an_unknown_order_is_refused(rig):
    with pytest.raises(Unsuitable, match="no order"):
        rig.control.turn_dial(entered(rig).run_id, "louder")


def test_a_debate_that_is_over_has_no_dial_any_more(rig):
    seen = held(rig, entered(rig))
    with pytest.raises(Unsuitable, match="is over"):
        rig.control.turn_dial(seen.run_id, "hold")


def test_speakers_can_be_told_something_beside_it(rig):
    made = entered(rig)
    first = made.debate.seats[0].id
    assert rig.control.tell(made.run_id, "Be brief.", first) == [first]
    log = held(rig, made).proceedings.transcript.intervention_log
    assert (log[0].speaker_id, log[0].trigger) == (first, "human_override")
    assert {one.trigger for one in log} >= {"human_override", "evidence_gate"}
