"""What is commissioned, and a judging as it is carried out."""

import pytest

from hustings.db import run_rows
from hustings.db.caps import Caps
from hustings.engine import model_call, rests
from hustings.errors import NotFound, Unsuitable
from hustings.llm.improviser import Improviser
from hustings.runs.judging_spec import JudgingRequest, control_spec, judgement_of, judging_spec, usual_rubric
from hustings.runs.spec import RunSpec
from hustings.runs.staging import rehearse
from hustings.transcript.notes import BudgetStopped, Cancelled, NoQuorum, Played
from tests.engine.rig import TOPIC

from .panels import QWEN, at, held, judgement_in, wanted

SHEETS = 8
"""What one judge is asked in two orders, of a structured debate of improvisers."""
CENT = 10_000


@pytest.fixture(scope="module")
def old():
    return held(seats={"con": QWEN})


# -- what is commissioned --------------------------------------------------------------------


def test_a_judging_is_about_the_record_as_it_stands(old):
    made = wanted(old)
    assert (made.judged, made.debate.judged, made.debate.topic) == (old[0].run_id, old[1], TOPIC)


def test_a_judging_can_be_written_down_and_read_back(old):
    made = wanted(old, caps=Caps(money=5), settings={"orders": 1})
    assert RunSpec.model_validate_json(made.model_dump_json()) == made


def test_a_judging_belongs_to_whoever_had_the_debate(old):
    assert wanted((old[0].model_copy(update={"owner": "ann"}), old[1])).owner == "ann"


def test_every_judging_has_a_name_of_its_own(old):
    one, other = wanted(old).run_id, wanted(old).run_id
    assert one != other
    assert one.startswith(f"{old[0].run_id}.judging-")


def test_an_audit_cannot_be_judged_and_names_what_can(old):
    with pytest.raises(Unsuitable, match=f"is a judging or comparison, of '{old[0].run_id}': judge that one"):
        wanted((wanted(old), old[1]))


def test_a_debate_without_a_word_is_not_judged(old):
    spec, judged = old
    silent = judged.model_copy(update={"transcript": judged.transcript.model_copy(update={"rounds": []})})
    with pytest.raises(Unsuitable, match=f"nobody said a word in '{spec.run_id}'"):
        wanted((spec, silent))
    with pytest.raises(Unsuitable, match="nobody said a word"):
        control_spec(spec, silent, JudgingRequest(), {}, 0)


def test_a_rubric_that_is_not_there_is_refused_with_those_that_are(old):
    with pytest.raises(NotFound, match="choose from answer, argument"):
        wanted(old, rubric="nonsense")


@pytest.mark.parametrize(
    ("protocol", "rubric"), [("structured/1", "argument"), ("competition/1", "speech"), ("gone/1", None), (None, None)]
)
def test_the_usual_rubric_is_that_of_the_protocol_if_it_is_still_installed(old, protocol, rubric):
    transcript = old[1].transcript.model_copy(deep=True)
    transcript.run_metadata.protocol = protocol
    assert usual_rubric(old[1].model_copy(update={"transcript": transcript})) == rubric


def test_a_rubric_that_is_wished_for_takes_the_place_of_the_usual_one(old):
    assert (wanted(old).debate.rubric, wanted(old, rubric="speech").debate.rubric) == ("argument", "speech")


def test_a_control_seats_each_of_the_debates_models_once():
    made = control_spec(*held(), JudgingRequest(), {}, tokens=900)
    assert (
        made.debate.settings["voices"]
        == ["llamacpp/llama-3"]
        == [model_spec.label for model_spec in made.model_specs.values()]
    )
    assert made.debate.settings["debate_tokens"] == 900


def test_a_control_takes_the_options_of_a_judging_and_nothing_else(old):
    request = JudgingRequest(settings={"options": ["now", "never"], "orders": 1})
    made = control_spec(*old, request, {}, tokens=0)
    assert (made.debate.settings["options"], "orders" in made.debate.settings) == (["now", "never"], False)


def test_what_is_no_judging_comes_to_no_judgement(old):
    made = control_spec(*old, JudgingRequest(), {}, tokens=0)
    assert judgement_of(made.debate, rehearse(made.debate, Improviser()).proceedings) is None
    assert judgement_of(old[0].debate, old[1]) is None


# -- carried out -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def argued(opened):
    """A debate that is over, in the database of the house."""
    return opened.play().run_id


@pytest.fixture
def judge(rig, argued):
    """Has a debate judged, to the end unless it is told otherwise."""

    def judged(environment=None, run_id=argued, *, wait=True, **request):
        made = judging_spec(
            rig.runs.spec(run_id), rig.runs.finished(run_id), JudgingRequest(**request), environment or {}
        )
        rig.control.enter_here(made)
        rig.worker.start(made.run_id)
        return rig.ended(made.run_id) if wait else made.run_id

    return judged


def row_of(rig, run_id):
    with rig.database.reading() as db:
        return dict(run_rows.read(db, run_id))


def test_a_judging_is_carried_out_to_its_end(judge):
    seen = judge()
    assert (seen.ending, seen.report.state, seen.said) == (Played(), "ended", [])


def test_nothing_of_a_debate_changes_when_it_is_judged(rig, judge, argued):
    before, log = row_of(rig, argued), rig.runs.events(argued)
    judge()
    assert (row_of(rig, argued), rig.runs.events(argued)) == (before, log)


def test_the_outcome_is_the_last_thing_its_log_tells_of_a_judging(judge):
    seen = judge()
    assert [event.outcome for event in seen.of("outcome_reached")] == [judgement_in(seen).outcome]
    assert seen.kinds[-3:] == ["debate_ended", "outcome_reached", "budget_changed"]


def test_a_report_says_what_the_latest_judging_found(rig):
    run_id = rig.play().run_id
    assert rig.runs.read(run_id).outcome is None
    for seed in ("a", "b"):
        made = judging_spec(
            rig.runs.spec(run_id), rig.runs.finished(run_id), JudgingRequest(settings={"seed": seed}), {}
        )
        rig.control.enter_here(made)
        rig.worker.start(made.run_id)
        found = judgement_in(rig.ended(made.run_id)).outcome
        assert rig.runs.read(run_id).outcome == found


def test_a_debate_comes_to_no_judgement(rig, argued):
    assert row_of(rig, argued)["judgement"] is None
    assert "outcome_reached" not in rig.seen(argued).kinds


def test_the_log_of_a_judging_tells_what_was_kept(judge):
    seen = judge()
    assert (tuple(seen.told.notes), seen.told.ending) == (seen.proceedings.notes, seen.ending)


def test_what_is_kept_can_be_computed_again_from_the_marks(rig, judge):
    seen = judge(tier="standard")
    again = judgement_of(rig.runs.spec(seen.run_id).debate, seen.proceedings)
    assert row_of(rig, seen.run_id)["judgement"] == again.model_dump_json()


@pytest.mark.nightly("two judgings; tests/judging has it without the engine")
def test_the_same_marks_give_the_same_judgement(judge):
    one, other = judge(tier="standard"), judge(tier="standard")
    assert one.run_id != other.run_id
    assert judgement_in(one) == judgement_in(other)


def test_a_judging_asks_and_pays_the_judges_alone(rig, judge):
    seen = judge(at(rig.provider.base_url, JUDGE="solo", price=True))
    assert (len(seen.asked), seen.account.calls) == (SHEETS, SHEETS)
    assert {event.model for event in seen.of("call_paid")} == {"solo"}
    assert seen.account.spent.money > 0


# -- steering --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def talked(opened):
    """A debate in plain words: a clerk draws its claims before anybody marks them."""
    return opened.play(protocol="roundtable", settings={"rounds": 1}).run_id


def begun(rig, judge, talked):
    """A judging whose clerk is at work, and takes a while."""
    rig.provider.plan(delay=0.3)
    run_id = judge(at(rig.provider.base_url, JUDGE="slow"), talked, wait=False)
    rig.until(lambda: rig.seen(run_id).asked)
    return run_id


def test_a_judging_that_is_paused_goes_on_when_it_is_told(rig, judge, talked):
    run_id = begun(rig, judge, talked)
    rig.control.steer(run_id, "pause", "me")
    rig.wait_for(run_id, "paused")
    marked = [note for event in rig.seen(run_id).of("note_taken") if (note := event.note).kind == "marks"]
    rig.control.steer(run_id, "go", "you")
    seen = rig.ended(run_id)
    assert (marked, seen.ending, judgement_in(seen).panel[0].accepted > 0) == ([], Played(), True)


def test_a_judging_that_is_cancelled_comes_to_that_outcome(rig, judge, talked):
    run_id = begun(rig, judge, talked)
    rig.control.steer(run_id, "cancel", "me")
    seen = rig.ended(run_id)
    assert seen.ending == judgement_in(seen).outcome == Cancelled(by="me")


# -- what goes wrong -------------------------------------------------------------------------


def test_a_judging_without_budget_for_all_keeps_what_was_marked(rig, judge):
    seen = judge(at(rig.provider.base_url, JUDGE="dear"), caps=Caps(calls=5))
    assert seen.ending == judgement_in(seen).outcome == BudgetStopped(spent=5, cap=5, unit="calls")
    assert judgement_in(seen).panel[0].accepted == 5


def test_a_cap_in_money_holds_for_a_judging(rig, judge):
    environment = at(rig.provider.base_url, JUDGE="dear", price=True)
    seen = judge(environment, caps=Caps(money=3 * CENT))
    [kept] = judgement_in(seen).panel
    assert (judgement_in(seen).outcome.kind, 0 < kept.accepted < kept.asked) == ("budget_stopped", True)
    assert 0 < seen.account.spent.money <= 3 * CENT


def one_of_three(rig, fault):
    """Two judges of families of their own, and a third that always meets a fault."""
    environment = at(rig.provider.base_url, JUDGE_1="alpha", JUDGE_2="beta")
    return environment | at(rig.provider.always(fault), JUDGE_3="gamma")


LATER = pytest.mark.nightly("a judging for each fault of a judge; one of them is tried on every change")


@pytest.mark.parametrize(
    "fault",
    ["not_the_form", *(pytest.param(fault, marks=LATER) for fault in ("refusal", "ctx_exceeded", "unknown_model"))],
)
def test_a_judge_that_gives_nothing_to_use_abstains_and_weakens_the_verdict(rig, judge, fault):
    seen = judge(one_of_three(rig, fault))
    found = judgement_in(seen)
    assert [judge.accepted > 0 for judge in found.panel] == [True, True, False]
    assert (seen.ending, found.outcome.kind in {"decided", "too_close"}) == (Played(), True)
    assert "No judge of the family gamma gave usable scores" in found.degraded


def test_a_provider_that_stays_away_costs_its_judge_and_not_the_judging(rig, judge, monkeypatch):
    monkeypatch.setattr(model_call, "LONGEST_WAIT", 0.5)
    monkeypatch.setattr(rests, "PATIENCE", 1)
    seen = judge(one_of_three(rig, "conn_close"))
    assert (seen.ending, [judge.accepted for judge in judgement_in(seen).panel]) == (Played(), [SHEETS, SHEETS, 0])
    assert "No judge of the family gamma gave usable scores" in judgement_in(seen).degraded


def test_without_two_families_of_three_there_is_no_quorum(rig, judge):
    environment = at(rig.provider.base_url, JUDGE_1="alpha")
    environment |= at(rig.provider.always("not_the_form"), JUDGE_2="beta", JUDGE_3="gamma")
    outcome = judgement_in(judge(environment)).outcome
    assert isinstance(outcome, NoQuorum)
    assert outcome.families == ("alpha",)


def test_a_judging_of_garbage_has_no_score_and_decides_nothing(rig, judge):
    found = judgement_in(judge(at(rig.provider.always("not_the_form"), JUDGE="garbage")))
    assert (found.outcome.kind, [total.score for total in found.totals]) == ("no_quorum", [None, None])
