"""The audit script: what it asks in which wave, what is left out, and that its figures are those of its notes."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.lab.artefact import Evaluation, evaluation_digest
from hustings.lab.evaluation_check import check_evaluation
from hustings.lab.evaluation_cost import most_calls
from hustings.lab.from_notes import EvaluatedRun, bundles_from, evaluation_from
from hustings.lab.scorers.synthesis_sheet import syntheses_of
from hustings.llm.improviser import Improviser
from hustings.script.debate import DebateSpec, Proceedings

from .held_evaluations import EVERY, FAMILIES, FairEvaluator, evaluated, garbage, held, speaking

TALK = ["Trams are quieter than cars. They also need less room.", "Buses can turn where trams cannot go."]


@pytest.fixture(scope="module")
def records():
    return {protocol: held(protocol, Improviser()) for protocol in EVERY}


@pytest.mark.parametrize("protocol", EVERY)
def test_every_protocol_ends_with_a_sealed_evaluation_that_can_be_read_again(records, protocol):
    found = evaluated(records[protocol], Improviser(), judges=2, families=FAMILIES[:2]).figures
    document = json.loads(json.dumps(found.document()))
    assert Evaluation.model_validate(document) == found
    assert found.x_hustings.integrity.digest == evaluation_digest(document)
    assert found.run_id == records[protocol].transcript.run_id
    assert check_evaluation(json.dumps(document).encode(), records[protocol].transcript.document()) == []


@pytest.mark.parametrize("judges", [1, 3])
@pytest.mark.parametrize("protocol", EVERY)
def test_the_calls_of_every_wave_are_those_of_the_plan(records, protocol, judges):
    held_now = evaluated(records[protocol], Improviser(), judges=judges)
    assert held_now.waves == tuple(filter(None, held_now.plan.waves))
    assert held_now.figures.x_hustings.calls == sum(held_now.waves)


@pytest.mark.parametrize("protocol", EVERY)
def test_no_evaluation_makes_more_calls_than_the_formula_allows(records, protocol):
    made = evaluated(records[protocol], FairEvaluator(), judges=3)
    material = made.run.material
    readers = 1 if material.read_turns else 0
    assert sum(made.waves) <= most_calls(len(material.spoken), 3, len(syntheses_of(material)), readers=readers)


def test_where_every_turn_claims_something_the_formula_is_exact():
    record = held("roundtable", speaking(TALK), rounds=2)
    assert sum(evaluated(record, FairEvaluator()).waves) == most_calls(6, 1)
    assert sum(evaluated(record, FairEvaluator(), judges=3).waves) == most_calls(6, 3)


def test_a_debate_on_forms_asks_neither_reader_nor_clerk(records):
    asked = evaluated(records["structured"], Improviser())
    assert {call.seat.id for wave in asked.rehearsal.waves for call in wave} == {"judge_1"}
    assert len(asked.waves) == 1


def test_teams_with_given_sides_have_a_clerk_and_no_reader(records):
    asked = evaluated(records["competition"], Improviser())
    assert {call.seat.id for wave in asked.rehearsal.waves for call in wave} == {"clerk", "judge_1"}
    assert all(turn.x_hustings.bundle.stance is None for turn in asked.figures.turn_evaluations)


def test_the_parts_that_were_asked_for_are_the_only_ones(records):
    asked = evaluated(records["structured"], Improviser(), parts=["crit"])
    assert {call.brief.name for wave in asked.rehearsal.waves for call in wave} == {"crit levels"}


def test_a_strict_evaluation_reads_every_list_in_both_orders():
    record = held("roundtable", speaking(TALK), rounds=1)
    once, twice = (evaluated(record, FairEvaluator(), orders=orders) for orders in (1, 2))
    assert twice.waves[2] == 2 * once.waves[2]
    assert twice.figures.run_summary == once.figures.run_summary


def test_a_repeated_reading_asks_every_judge_again():
    record = held("roundtable", speaking(TALK), rounds=1)
    once, twice = (evaluated(record, FairEvaluator(), repeat=repeat) for repeat in (1, 2))
    assert twice.waves[2] == 2 * once.waves[2]


def test_a_call_that_fails_is_an_abstention_and_is_counted():
    record = held("roundtable", speaking(TALK), rounds=1)

    def actor(call):
        return SeatFailed("no answer") if call.seat.id == "judge_2" else FairEvaluator()(call)

    found = evaluated(record, actor, judges=2, families=FAMILIES[:2]).figures
    first, second = found.x_hustings.judges
    assert (first.asked, first.accepted, second.accepted) == (9, 9, 0)
    assert found.x_hustings.abstentions == 9
    assert found.run_summary.crit_summary.gamma_mean == 0.85


def test_answers_that_fit_no_form_cost_one_repair_and_leave_every_figure_null():
    record = held("roundtable", speaking(TALK), rounds=2)
    found = evaluated(record, garbage)
    assert sum(found.waves) <= 2 * found.plan.calls
    summary = found.figures.run_summary
    assert summary.crit_summary.gamma_mean is None
    assert summary.rca_summary.trace_consistency_rate is None
    assert summary.t3_summary.required_rung is None
    assert all(look.js is None for look in found.figures.x_hustings.looks)
    assert not any(judge.accepted for judge in found.figures.x_hustings.judges)


def test_the_same_stored_notes_give_the_same_bytes(records):
    first = evaluated(records["adaptive"], Improviser(), judges=2)
    debate = DebateSpec.model_validate_json(first.run.debate.model_dump_json())
    left = Proceedings.model_validate_json(first.run.proceedings.model_dump_json())
    again = EvaluatedRun(debate, left, first.run.run_id, first.run.began_at)
    assert evaluation_from(again).model_dump_json() == first.figures.model_dump_json()


def test_the_bundles_are_published_as_one_file(records):
    found = bundles_from(evaluated(records["roundtable"], Improviser()).run)
    assert found.provenance.run_id == records["roundtable"].transcript.run_id
    assert len(found.bundles) == 9


def test_a_panel_of_the_debaters_family_says_no_pass_word_and_its_badge_comes_first():
    record = held("roundtable", speaking(TALK), rounds=1)
    found = evaluated(record, FairEvaluator(6), judges=2, families=["omega", "omega"]).figures
    assert found.x_hustings.badges[0] == "judged by its own family"
    summary = found.run_summary
    assert (summary.crit_summary.threshold_pass, summary.rca_summary.verdict, summary.t3_summary.passes) == (None,) * 3
    assert summary.crit_summary.gamma_mean == 1.0


def test_a_panel_of_other_families_says_them():
    record = held("roundtable", speaking(TALK), rounds=1)
    found = evaluated(record, FairEvaluator(6), judges=2, families=FAMILIES[:2]).figures
    summary = found.run_summary
    assert (summary.crit_summary.threshold_pass, summary.rca_summary.verdict, summary.t3_summary.passes) == (
        True,
        "pass",
        True,
    )
