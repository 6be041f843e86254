"""How rules are written down, and what is told about them."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest

from hustings.transcript.models import Transcript
from hustings.transcript.rules import RULES, Finding, Rule, SizeLimits, check, check_document
from hustings.transcript.rules.fields import field_rule, shape_of
from hustings.transcript.rules.index import Index, rule
from hustings.transcript.rules.reader import Document, reading_rule
from hustings.transcript.rules.rulebook import Book, Found, findings, quoted

from .cases import sample

GROUPS = {
    "P": "parse",
    "S": "structure",
    "R": "rounds",
    "A": "attempts",
    "M": "mode",
    "I": "interventions",
    "T": "time",
    "X": "references",
    "G": "integrity",
}
WARNINGS = ("S005", "R007", "R011", "R012", "M006", "I008", "I009", "T003", "T005", "G003")
ENTRIES = [*reading_rule.entries, *field_rule.entries, *rule.entries]


def test_there_are_71_rules_and_ten_of_them_only_warn() -> None:
    warnings = [code for code, rule in RULES.items() if rule.severity == "warning"]
    assert len(RULES) == 71
    assert {rule.severity for rule in RULES.values()} == {"error", "warning"}
    assert warnings == [f"DT-{code}" for code in WARNINGS]


def test_the_numbers_of_a_group_have_no_gaps() -> None:
    counts = {"P": 7, "S": 13, "R": 12, "A": 9, "M": 6, "I": 10, "T": 5, "X": 6, "G": 3}
    assert list(RULES) == [f"DT-{group}{i:03}" for group, count in counts.items() for i in range(1, count + 1)]


def test_every_rule_stands_in_the_file_of_its_group() -> None:
    for written, look in ENTRIES:
        assert look.__module__ == f"hustings.transcript.rules.{GROUPS[written.code[3]]}"


def test_a_rule_that_looks_in_several_places_is_still_one_rule() -> None:
    assert {written for written, _ in ENTRIES} == set(RULES.values())


def test_a_new_rule_takes_its_place_by_group_and_number() -> None:
    book: Book[int, object] = Book()
    for code in ("DT-G001", "DT-S002", "DT-S001", "DT-P009"):
        book(code, "error", "t")(iter)
    assert book("DT-X001", "error", "t")(iter) is iter
    assert [written.code for written, _ in book.entries[:4]] == ["DT-P009", "DT-S001", "DT-S002", "DT-X001"]
    assert findings(book, [Found("", "3")], 1)[0] == Finding("DT-P009", "error", "", "t: 3")


def test_a_message_is_the_title_and_the_values() -> None:
    written = Rule("DT-S001", "error", "title")
    assert [written.finding(found).message for found in (Found("/a"), Found("/a", "b"))] == ["title", "title: b"]


def test_values_are_quoted_and_cut_short() -> None:
    assert quoted("a\x1b\u202e\ud800") == r"'a\x1b\u202e\ud800'"
    assert quoted("x" * 58) == f"'{'x' * 58}'"
    assert quoted("x" * 59) == f"'{'x' * 59}…"
    assert quoted("x" * 10_000) == quoted("x" * 59)
    assert quoted(12) == "12"


def test_a_document_that_is_no_json_is_told_as_a_file_that_is_none() -> None:
    loop: list[object] = []
    loop.append(loop)
    for document, reason in (({"a": {1}}, "set"), ([b""], "bytes"), (loop, "Circular"), ({(1,): 1}, "tuple")):
        (finding,) = check_document(document)
        assert (finding.code, finding.pointer) == ("DT-P001", "")
        assert reason in finding.message


def test_a_document_is_checked_for_what_only_text_shows() -> None:
    codes = {"\ud800": "DT-P006", float("nan"): "DT-P003", 2**53: "DT-P003"}
    for value, code in codes.items():
        assert [finding.code for finding in check_document(sample() | {"x": value})] == [code]


def test_rules_cannot_be_changed_from_outside() -> None:
    with pytest.raises(TypeError):
        RULES["DT-Z001"] = RULES["DT-P001"]  # type: ignore[index]


def test_values_of_the_rules_are_frozen() -> None:
    values = (RULES["DT-P001"], Finding("", "error", "", ""), SizeLimits(), Document(b"", SizeLimits()), Index({}))
    shape = shape_of(Transcript)
    for value in (*values, shape, shape.fields[0]):
        with pytest.raises(FrozenInstanceError):
            value.anything = 1


def test_findings_come_by_rule_and_then_by_place() -> None:
    document = sample()
    document["rounds"][0]["turns"].reverse()
    document["run_id"] = document["debate_id"] = "?"
    found = check(json.dumps(document).encode())
    assert [(finding.code, finding.pointer) for finding in found] == [
        ("DT-S006", "/debate_id"),
        ("DT-S006", "/run_id"),
        ("DT-R003", "/rounds/0/turns/0/turn_index_in_round"),
        ("DT-R003", "/rounds/0/turns/1/turn_index_in_round"),
        ("DT-R008", "/rounds/0/planned_speaking_order"),
        ("DT-X002", "/rounds/0/turns/0/addresses/0/target_turn_id"),
    ]
