"""The published schemas are frozen, and say what the structure rules say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hustings.core.rules import Finding, check
from hustings.core.schema import SCHEMAS, closed_schema, open_schema, text
from hustings.core.transcript import Transcript
from tests.core.rules.breakers import all_broken
from tests.core.rules.cases import fields, sample
from tests.core.rules.test_fuzz import damaged
from tests.core.rules.valid import valid

FOLDER = Path(__file__).parents[2] / "schema"
OPEN, CLOSED = Draft202012Validator(open_schema()), Draft202012Validator(closed_schema())
STRUCTURE = {"DT-S001", "DT-S002", "DT-S003", "DT-S004"}


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


def is_whole(finding: Finding, document: Any) -> bool:
    """The one wanted difference: JSON Schema takes 1.0 for an integer."""
    if not finding.message.endswith("instead of integer"):
        return False
    for part in finding.pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document.get(part)
    return isinstance(document, float) and document.is_integer()


def differences(files: Iterable[bytes]) -> list[bytes]:
    """Files that only one of the two refuses."""
    out: list[bytes] = []
    for raw in files:
        document, found = json.loads(raw), [finding for finding in check(raw) if finding.code in STRUCTURE]
        refused = any(not is_whole(finding, document) for finding in found)
        if refused == OPEN.is_valid(document):
            out.append(raw)
    return out


def test_schema_and_rules_agree_on_every_field() -> None:
    assert differences(case.raw for case in fields()) == []


@pytest.mark.parametrize("code", sorted(STRUCTURE))
def test_schema_and_rules_agree_on_broken_files(code: str) -> None:
    assert differences(raw for _, raw in all_broken(code, 40)) == []


def test_schema_and_rules_agree_on_damaged_files() -> None:
    assert differences(damaged(seed) for seed in range(200)) == []


@pytest.mark.nightly("a hundred thousand files")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("start", range(1_000, 101_000, 5_000))
def test_schema_and_rules_agree_on_a_hundred_thousand_files(start: int) -> None:
    assert differences(damaged(seed) for seed in range(start, start + 5_000)) == []
