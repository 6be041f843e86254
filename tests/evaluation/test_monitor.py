"""Under a controller every debate ends, its transcript has no warning, and every replay has the same questions."""

from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from hustings.errors import Unsuitable
from hustings.evaluation.control_trace import control_steps
from hustings.evaluation.controller import ALARM, GATES, LAWS, TONES, LawName
from hustings.evaluation.dial import dial_order, tone_of
from hustings.lab.from_notes import EvaluatedRun, evaluation_from
from hustings.lab.judge_panel import EXPERIMENTAL
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol, find_script, protocols
from hustings.runs.request import DebateRequest, laid
from hustings.runs.staging import REHEARSED, START, plan, play_out, rehearse, set_stage
from hustings.script.prompt import prompt_of
from hustings.script.seats import CONTROLLER, ControllerLaw
from hustings.testing.cases import KINDS
from hustings.transcript.models import RunMetadata
from hustings.transcript.rules import check_document
from hustings.transcript.schema import closed_schema

TOPIC = "Should towns close their centres to cars?"
CONTROLLABLE = [name for name in protocols() if find_protocol(name).takes_controller]


def planned(protocol, law="p", **more):
    return laid(DebateRequest(protocol=protocol, topic=TOPIC, controller=law, **more))


def put_on(debate):
    return set_stage(debate, "run", START, RunMetadata(), fence=REHEARSED)


def looks(proceedings):
    return [note.body for note in proceedings.notes if note.kind == "controller"]


def told(proceedings):
    log = proceedings.transcript.intervention_log or ()
    return [(one.speaker_id, one.trigger, one.instruction_sent) for one in log]


# -- every protocol ------------------------------------------------------------------------


def test_protocols_with_marks_or_a_single_round_take_no_controller():
    assert set(protocols()) - set(CONTROLLABLE) == {"competition", "critique"}
    with pytest.raises(Unsuitable, match="'competition' takes no controller"):
        planned("competition")


def test_the_laws_that_can_be_asked_for_are_those_that_exist():
    assert set(get_args(ControllerLaw)) == set(get_args(LawName)) == set(LAWS)


@pytest.mark.parametrize("law", get_args(ControllerLaw))
@pytest.mark.parametrize("protocol", CONTROLLABLE)
def test_a_controlled_debate_ends_and_its_transcript_has_no_fault(protocol, law):
    made = rehearse(planned(protocol, law), Improviser())
    assert made.proceedings.ending.kind == "played"
    assert made.proceedings.transcript.mode == "in_loop"
    assert looks(made.proceedings)
    assert [found.rule for found in check_document(made.proceedings.document())] == []
    assert list(Draft202012Validator(closed_schema()).iter_errors(made.proceedings.document())) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("protocol", CONTROLLABLE)
def test_readings_that_fail_change_nothing(protocol, kind):
    improvise = Improviser()

    def act(call):
        return KINDS[kind](call) if call.seat == CONTROLLER else improvise(call)

    made = rehearse(planned(protocol), act)
    assert made.proceedings.ending.kind == "played"
    assert {(look["beta"], look["gate"], look["rho"]) for look in looks(made.proceedings)} == {(0.5, 0, None)}
    assert told(made.proceedings) == []


@pytest.mark.parametrize("protocol", CONTROLLABLE)
def test_without_a_controller_a_debate_asks_the_same_as_ever(protocol):
    debate = laid(DebateRequest(protocol=protocol, topic=TOPIC, retries=1))
    assert "controller" not in debate.model_dump_json()
    made = rehearse(debate, Improviser())
    assert all(call.seat.id in {seat.id for seat in debate.seats} for wave in made.waves for call in wave)
    assert looks(made.proceedings) == []


@pytest.mark.parametrize("protocol", CONTROLLABLE)
def test_until_the_first_instruction_speakers_are_asked_as_without_a_controller(protocol):
    free = rehearse(laid(DebateRequest(protocol=protocol, topic=TOPIC, retries=1)), Improviser())
    under = rehearse(planned(protocol, retries=1), Improviser())
    first = [call for wave in under.waves for call in wave if call.seat != CONTROLLER]
    texts = [prompt_of(call, under.debate.cast[call.seat.id]).shared for call in first if not call.instructions]
    usual = {prompt_of(call, free.debate.cast[call.seat.id]).shared for wave in free.waves for call in wave}
    assert set(texts[: len(free.waves[0])]) <= usual


# -- the dial ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("law", ["p", "pid"])
@pytest.mark.parametrize("protocol", CONTROLLABLE)
def test_tone_stays_in_bounds_and_moves_a_quarter_a_round_at_most(protocol, law, seed):
    found = looks(rehearse(planned(protocol, law), Improviser(seed)).proceedings)
    betas = [0.5, *(look["beta"] for look in found)]
    assert all(0 <= beta <= 1 for beta in betas)
    # The guard alone may go further: it puts tone back to the middle, for good.
    free = [after - before for before, after, look in zip(betas, betas[1:], found, strict=False) if not look["frozen"]]
    assert all(abs(step) <= 0.25 + 1e-9 for step in free)


def test_speakers_are_told_fixed_texts_and_all_the_same():
    proceedings = rehearse(planned("moderated"), Improviser()).proceedings
    entries = told(proceedings)
    assert {words for _, _, words in entries} <= {*TONES.values(), *GATES.values(), ALARM}
    assert {trigger for _, trigger, _ in entries} <= {"pid_escalation", "evidence_gate", "sycophancy_alarm"}
    first = looks(proceedings)[0]["told"]
    speakers = {seat.id for seat in planned("moderated").seats if seat.role != "moderator"}
    assert {one["seat"] for one in first if one["trigger"] == "pid_escalation"} == speakers


def test_each_look_notes_all_terms_and_each_instruction_has_them():
    proceedings = rehearse(planned("roundtable", "pid"), Improviser()).proceedings
    terms = (
        "law texts_version e_t u_t k_p k_i k_d beta gate rho js ov alarm integral tone frozen held turns read evidence"
    )
    assert all(set(terms.split()) <= set(look) for look in looks(proceedings))
    entry = proceedings.transcript.intervention_log[0]
    assert entry.scope == "round"
    snapshot = entry.controller_snapshot.model_dump(exclude_none=True)
    ours = snapshot.pop("x_hustings")
    assert {**snapshot, **ours}.items() <= looks(proceedings)[1].items()
    turn = next(turn for turn in proceedings.transcript.turns if turn.attempts[0].interventions_applied)
    state = turn.attempts[0].control_state
    assert (state.beta, state.strategy_level) == (ours["beta"], looks(proceedings)[1]["tone"])


def test_the_reader_of_a_controller_sees_one_turn_without_the_name_of_its_speaker():
    made = rehearse(planned("roundtable"), Improviser())
    stances = [call for wave in made.waves for call in wave if call.brief.name == "stance of a turn"]
    assert len(stances) == 6
    for call in stances:
        ((exhibit,),) = call.brief.exhibits
        text = prompt_of(call, made.debate.cast[CONTROLLER.id]).text
        assert (text.count(exhibit.words), call.knowledge.turns) == (1, [])
        assert not any(f"what {seat.title} said" in text for seat in made.debate.seats)


# -- people at the dial --------------------------------------------------------------------


def play_with(orders, protocol="roundtable"):
    """A debate in which a person turns the dial before the waves that `orders` names."""
    driver, stage = put_on(planned(protocol))
    improvise, wave = Improviser(), 0
    while driver.ending is None:
        for order in orders.get(wave, ()):
            driver.intervene(CONTROLLER.id, order)
        driver.resume([improvise(call) for call in driver.calls])
        wave += 1
    return stage.recorder.record


def noted(record):
    return [note.body for note in record.notes if note.kind == "controller"]


def test_a_tone_that_a_person_sets_is_kept_and_told():
    record = play_with({4: ["tone 0.9"]})
    assert [body["beta"] for body in noted(record)][1:] == [0.9, 0.9]
    log = record.transcript.intervention_log
    assert {(one.trigger, one.instruction_sent) for one in log if one.trigger != "evidence_gate"} == {
        ("human_override", TONES["adversarial"])
    }
    assert [found.rule for found in check_document(record.transcript.document())] == []


def test_a_held_dial_does_not_move_and_a_released_one_does():
    assert [body["beta"] for body in noted(play_with({0: ["hold"]}))] == [0.5, 0.5, 0.5]
    released = noted(play_with({0: ["hold"], 6: ["release"]}))
    assert [body["held"] for body in released] == [True, True, False, False]
    assert released[-1]["beta"] != 0.5


@pytest.mark.parametrize(
    ("said", "kept"), [(" Hold ", "hold"), ("release", "release"), ("tone .5", "tone 0.5"), ("TONE 1", "tone 1")]
)
def test_orders_are_kept_in_one_spelling(said, kept):
    assert dial_order(said) == kept


@pytest.mark.parametrize("said", ["", "louder", "tone", "tone 2", "tone -1", "tone nan", "tone 0.5 0.6"])
def test_other_orders_are_refused(said):
    with pytest.raises(Unsuitable, match="no order"):
        dial_order(said)
    assert tone_of(said) is None


# -- replay --------------------------------------------------------------------------------


def replayed(debate, waves, replies, upto):
    """A debate taken up by another worker before a wave: the record answers what was asked before."""
    driver, stage = put_on(debate)
    improvise, keys = Improviser(), []
    for wave in range(len(waves)):
        calls = driver.calls
        keys.append([call.key for call in calls])
        driver.resume(replies[wave] if wave < upto else [improvise(call) for call in calls])
    return keys, stage.recorder.events


@pytest.mark.parametrize(
    "protocol",
    [
        pytest.param(name, marks=[pytest.mark.nightly("some 60 replays")] if name == "moderated" else [])
        for name in CONTROLLABLE
    ],
)
def test_killed_before_any_wave_it_has_the_same_keys_and_events(protocol):
    debate, improvise = planned(protocol, "pid"), Improviser()
    driver, stage = put_on(debate)
    waves, replies = [], []
    while calls := driver.calls:
        waves.append([call.key for call in calls])
        replies.append([improvise(call) for call in calls])
        driver.resume(replies[-1])
    for upto in range(len(waves) + 1):
        assert replayed(debate, waves, replies, upto) == (waves, stage.recorder.events)


def test_a_fork_under_another_id_asks_the_controller_the_same():
    debate = planned("roundtable")
    keys = []
    for run_id in ("run-1", "run-2"):
        driver, _ = set_stage(debate, run_id, START, RunMetadata(), fence=REHEARSED)
        keys.append([[call.key for call in wave] for wave in play_out(driver, Improviser())])
    assert keys[0] == keys[1]


# -- requests ------------------------------------------------------------------------------


def test_a_controller_makes_a_debate_take_instructions():
    assert planned("roundtable").retries == 1
    assert planned("structured").retries == 2
    assert planned("roundtable", retries=0).retries == 1


# -- for the evaluation --------------------------------------------------------------------


def test_each_look_is_a_step_of_the_trace_and_an_order_is_none():
    record = play_with({0: ["hold"], 6: ["release"]})
    steps = control_steps(record.notes)
    assert [step.round_index for step in steps] == [1, 2]
    assert [step.beta for step in steps] == [body["beta"] for body in noted(record) if "dial" not in body]
    assert control_steps(()) == ()


def test_an_evaluation_of_a_controlled_debate_says_that_it_was_controlled():
    debate = planned("roundtable")
    record = rehearse(debate, Improviser()).proceedings
    settings = {"judges": 1, "families": ["x"], "debaters": ["y"]}
    audit = plan(find_script("evaluation"), TOPIC, settings=settings, judged=record)
    made = rehearse(audit, Improviser()).proceedings
    found = evaluation_from(EvaluatedRun(audit, made, "run.evaluation", START))
    assert len(found.control_trace) == 2
    assert EXPERIMENTAL in found.x_hustings.badges
