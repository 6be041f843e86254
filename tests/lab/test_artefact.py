"""The file is rounded once, sealed by a digest, keeps the public names, and is frozen by its schema."""

import json
from pathlib import Path

import jsonschema
import pytest

from hustings.lab.artefact import Evaluation, evaluation_digest, rounded
from hustings.lab.bundle import BundleProvenance, Bundles, EvaluationTask
from hustings.lab.evaluation_schema import SCHEMAS
from hustings.transcript.schema import text

from .evaluated import BUNDLES, evaluated

FOLDER = Path(__file__).parents[2] / "schema"
FOUND = evaluated().document()


def test_figures_have_six_places():
    assert rounded({"a": [0.1 + 0.2, -1e-9, 2 / 3], "b": True, "c": None, "d": 7, "e": "0.123456789"}) == {
        "a": [0.3, 0.0, 0.666667],
        "b": True,
        "c": None,
        "d": 7,
        "e": "0.123456789",
    }
    assert str(rounded(-1e-9)) == "0.0"


def test_the_same_material_gives_the_same_bytes():
    assert json.dumps(evaluated().document()) == json.dumps(FOUND)


def test_a_changed_figure_breaks_the_digest():
    digest = FOUND["x_hustings"]["integrity"]["digest"]
    assert evaluation_digest(FOUND) == digest
    changed = json.loads(json.dumps(FOUND))
    changed["run_summary"]["crit_summary"]["gamma_mean"] = 0.9
    assert evaluation_digest(changed) != digest


def test_a_file_that_went_through_json_keeps_its_digest():
    again = Evaluation.model_validate_json(json.dumps(FOUND))
    assert evaluation_digest(again.document()) == FOUND["x_hustings"]["integrity"]["digest"]


def test_the_public_names_of_the_schema():
    assert FOUND["schema_version"] == "1.0.0"
    assert list(FOUND) == [
        "schema_version",
        "debate_id",
        "run_id",
        "evaluation_mode",
        "evaluated_at",
        "eval_metadata",
        "run_summary",
        "turn_evaluations",
        "control_trace",
        "x_hustings",
    ]
    assert {name: list(part) for name, part in FOUND["run_summary"].items()} == {
        "crit_summary": ["gamma_mean", "theta_mean", "threshold_pass"],
        "rca_summary": ["blind_verification_pass_rate", "trace_consistency_rate", "verdict"],
        "t3_summary": ["required_rung", "detected_rung", "trap_detected", "pass"],
        "pid_summary": ["retry_count_total", "intervention_count_total", "instability_index"],
        "raudit_summary": ["audit_strength", "instability_index", "behavioral_drift_score"],
    }


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_published_schema_has_not_changed(name):
    assert (FOLDER / name).read_text("utf-8") == text(SCHEMAS[name]())


def test_our_files_keep_to_their_schemas():
    evaluation, bundles = (schema() for schema in SCHEMAS.values())
    jsonschema.validate(FOUND, evaluation)
    written = Bundles(
        task=EvaluationTask(question="Tea?"),
        provenance=BundleProvenance(run_id="r", transcript_digest="ab"),
        bundles=BUNDLES,
    )
    jsonschema.validate(written.model_dump(mode="json"), bundles)


@pytest.mark.parametrize(
    ("path", "value"),
    [("schema_version", "2.0.0"), ("evaluation_mode", "later"), ("run_summary", None), ("turn_evaluations", {})],
)
def test_the_schema_refuses_what_is_not_an_evaluation(path, value):
    schema = next(iter(SCHEMAS.values()))()
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**FOUND, path: value}, schema)
