"""Changes that mean nothing change no finding."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from hustings.transcript.models import Transcript
from hustings.transcript.rules import RULES, Finding, check, check_document

from .breakers import SMALL, all_broken
from .valid import valid_bytes

READABLE = [code for code in RULES if not code.startswith("DT-P")]
MANY = [1, pytest.param(4, marks=pytest.mark.nightly("four files of each rule; one is tried on every change"))]


def found(raw: bytes) -> list[Finding]:
    return check(raw, limits=SMALL)


def files(code: str, many: int) -> list[bytes]:
    return [raw for _, raw in all_broken(code, many)]


def shuffled(value: Any, rnd: random.Random) -> Any:
    if isinstance(value, dict):
        keys = rnd.sample(sorted(value), len(value))
        return {key: shuffled(value[key], rnd) for key in keys}
    return [shuffled(item, rnd) for item in value] if isinstance(value, list) else value


def with_foreign_fields(value: Any) -> Any:
    """Every object gets one, but the digest stays as it was."""
    if isinstance(value, dict):
        return {key: with_foreign_fields(item) for key, item in value.items()} | {"x_foreign": [None]}
    return [with_foreign_fields(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("code", READABLE)
def test_the_order_of_keys_means_nothing(code: str, many: int) -> None:
    for raw in files(code, many):
        assert found(json.dumps(shuffled(json.loads(raw), random.Random(1))).encode()) == found(raw)


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("code", READABLE)
def test_a_file_read_and_written_again_has_the_same_findings(code: str, many: int) -> None:
    for raw in files(code, many):
        assert found(json.dumps(json.loads(raw), indent=2).encode()) == found(raw)


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("code", READABLE)
def test_a_document_has_the_findings_of_its_file(code: str, many: int) -> None:
    for raw in files(code, many):
        assert check_document(json.loads(raw), limits=SMALL) == found(raw)


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("code", sorted(set(READABLE) - {"DT-G002"}))
def test_foreign_fields_mean_nothing_to_the_rules(code: str, many: int) -> None:
    for raw in files(code, many):
        document = json.loads(raw)
        if isinstance(document, dict) and code != "DT-G001":
            document.pop("integrity", None)
        plain = json.dumps(document).encode()
        assert found(json.dumps(with_foreign_fields(document)).encode()) == found(plain)


@pytest.mark.parametrize("many", [60, pytest.param(300, marks=pytest.mark.nightly("three hundred files"))])
def test_the_models_keep_a_file_as_it_is(many: int) -> None:
    for seed in range(many):
        document = json.loads(valid_bytes(seed))
        kept = Transcript.model_validate(document).model_dump(mode="json", exclude_unset=True)
        assert kept == document
        assert check_document(kept) == []
