"""Exact cases: precisely these findings, at precisely these places."""

from dataclasses import replace

import pytest

from hustings.transcript.rules import SizeLimits, check

from . import cases, scenes_play, scenes_text
from .cases import SCHEMA, Case, at_the_limits, changed, dump, fields, odd_limits, sample
from .scenes import scenes


def wrong(given: list[Case]) -> dict[str, object]:
    return {case.title: case.found for case in given if case.found != case.expected}


def test_the_sample_is_valid() -> None:
    assert check(dump(sample())) == []


def test_every_field_is_tested_missing_null_mistyped_and_outside_its_enumeration() -> None:
    assert wrong(list(fields())) == {}
    assert len(list(fields())) > 800


def test_every_object_of_the_schema_has_its_place_in_the_table() -> None:
    objects = {name for name, part in SCHEMA["$defs"].items() if "properties" in part}
    assert objects | {"Transcript"} == {*cases.PLACES, "Integrity"}


def test_null_in_an_optional_field_is_an_absent_field() -> None:
    for name, path in cases.PLACES.items():
        model = SCHEMA if name == "Transcript" else SCHEMA["$defs"][name]
        for field in sorted(set(model["properties"]) - set(model.get("required", ()))):
            assert check(dump(changed(path, field, None))) == check(dump(changed(path, field))), (name, field)


def test_a_limit_may_be_reached_but_not_passed() -> None:
    assert wrong([*at_the_limits(), *odd_limits()]) == {}


def test_every_limit_is_tested() -> None:
    assert set(vars(SizeLimits())) == {*cases.COUNTS, "findings"}


def test_the_published_limits_stand() -> None:
    limits = SizeLimits()
    assert (limits.size, limits.depth, limits.string, limits.values) == (67_108_864, 64, 1_048_576, 1_000_000)
    assert (limits.rounds, limits.turns, limits.addresses, limits.attempts) == (10_000, 1_000, 1_000, 100)
    logs = (limits.participant_state_log, limits.intervention_log)
    assert (limits.participants, *logs, limits.findings) == (1_000, 100_000, 100_000, 1_000)


@pytest.mark.parametrize("part", [*scenes_text.PARTS, *scenes_play.PARTS], ids=lambda part: part.__name__)
def test_each_scene_gives_exactly_its_findings(part) -> None:
    assert wrong([case for case in scenes() if case.title.startswith(f"{part.__name__} ")]) == {}


def test_at_most_so_many_findings_of_a_rule_are_told() -> None:
    raw = b'{"x": ["\\ud800", "\\ud800", "\\ud800"], "y": "\\ud800"}'
    assert [f.pointer for f in check(raw, limits=replace(SizeLimits(), findings=3))] == ["/x/0", "/x/1", "/x/2"]
    document = sample()
    for turn in document["rounds"][0]["turns"]:
        turn["turn_index_in_round"] = 7
    found = check(dump(document), limits=replace(SizeLimits(), findings=1))
    assert [f.pointer for f in found] == ["/rounds/0/turns/0/turn_index_in_round"]
    del document["run_id"], document["debate_id"]
    document["mode"] = document["rounds"][0]["round_status"] = "?"
    found = check(dump(document), limits=replace(SizeLimits(), findings=1))
    assert [(f.code, f.pointer) for f in found] == [("DT-S001", "/debate_id"), ("DT-S003", "/mode")]
