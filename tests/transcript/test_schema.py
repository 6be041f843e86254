"""The published schemas are frozen, and say what the structure rules say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hustings.transcript.models import Transcript
from hustings.transcript.schema import SCHEMAS, closed_schema, open_schema, text

from .rules.agreement import CLOSED, OPEN, STRUCTURE, differences
from .rules.breakers import all_broken
from .rules.cases import fields, sample
from .rules.damage import damaged
from .rules.valid import valid

FOLDER = Path(__file__).parents[2] / "schema"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_released_schema_does_not_change(name: str) -> None:
    assert (FOLDER / name).read_bytes().decode() == text(SCHEMAS[name]()), "a new version needs a new file"


def test_there_is_no_schema_that_nobody_makes() -> None:
    assert {path.name for path in FOLDER.glob("transcript-*.json")} == set(SCHEMAS)


@pytest.mark.parametrize("schema", [open_schema(), closed_schema()], ids=["open", "closed"])
def test_the_schemas_are_schemas(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_valid_files_satisfy_both_schemas() -> None:
    for seed in range(60):
        document = valid(seed)
        assert OPEN.is_valid(document)
        assert CLOSED.is_valid(document | {"schema_version": "2.0.0"})


def test_what_the_models_write_satisfies_the_closed_schema() -> None:
    assert CLOSED.is_valid(Transcript.model_validate(sample()).document())


def test_only_the_open_schema_takes_fields_it_does_not_know() -> None:
    for document in (sample() | {"news": 1}, sample() | {"run_metadata": {"news": 1}}):
        assert (OPEN.is_valid(document), CLOSED.is_valid(document)) == (True, False)
    for document in (sample() | {"x_news": 1}, sample() | {"run_metadata": {"x_news": 1}}):
        assert (OPEN.is_valid(document), CLOSED.is_valid(document)) == (True, True)


def test_only_the_open_schema_takes_a_newer_minor() -> None:
    newer = sample() | {"schema_version": "2.1.0"}
    assert (OPEN.is_valid(newer), CLOSED.is_valid(newer)) == (True, False)


def test_schema_and_rules_agree_on_every_field() -> None:
    assert differences(case.raw for case in fields()) == []


@pytest.mark.parametrize("code", sorted(STRUCTURE))
def test_schema_and_rules_agree_on_broken_files(code: str) -> None:
    assert differences(raw for _, raw in all_broken(code, 40)) == []


@pytest.mark.parametrize("many", [50, pytest.param(200, marks=pytest.mark.nightly("two hundred files"))])
def test_schema_and_rules_agree_on_damaged_files(many: int) -> None:
    assert differences(damaged(seed) for seed in range(many)) == []
