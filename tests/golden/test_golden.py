"""What is written today is what was written before, byte for byte; `make golden` renews it on purpose.

To see what differs, capture both: `python -m tests.golden.capture FOLDER` here and in a worktree of the commit before,
then `python -m tests.golden.compare BEFORE AFTER`.
"""

import json

import pytest

from .capture import DIGESTS, SECTIONS, digests

KNOWN = json.loads(DIGESTS.read_text("utf-8"))


def sections(beginning):
    found = [section for section in SECTIONS if section.startswith(beginning)]
    return pytest.mark.parametrize("section", found, ids=[section.partition("/")[2] or section for section in found])


def test_every_section_has_its_digests():
    assert list(SECTIONS) == list(KNOWN)


@sections("rehearsals/")
def test_a_protocol_asks_and_records_what_it_did(section):
    assert digests(section) == KNOWN[section]


@sections("trials/")
def test_a_written_debate_is_judged_as_it_was(section):
    assert digests(section) == KNOWN[section]


@sections("judgements/")
def test_a_debate_of_every_protocol_is_judged_as_it_was(section):
    assert digests(section) == KNOWN[section]


@sections("audits/")
def test_an_audit_asks_and_finds_what_it_did(section):
    assert digests(section) == KNOWN[section]


@sections("comparisons")
def test_debates_compare_as_they_did(section):
    assert digests(section) == KNOWN[section]


@sections("exports/")
def test_every_format_is_written_as_it_was(section):
    assert digests(section) == KNOWN[section]


@sections("schemas")
def test_schemas_and_events_are_what_was_published(section):
    assert digests(section) == KNOWN[section]
