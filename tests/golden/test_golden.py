"""What is written today is what stands in `snapshots/`: `make golden` renews it, `git diff` shows what changed."""

from difflib import unified_diff
from itertools import islice

import pytest

from .capture import SECTIONS, SNAPSHOTS

MOST_LINES = 40
"""Lines of a difference that a failure shows."""


def sections(beginning):
    found = [section for section in SECTIONS if section.startswith(beginning)]
    return pytest.mark.parametrize("section", found, ids=[section.partition("/")[2] or section for section in found])


def stored(section):
    folder = SNAPSHOTS / section
    return {path.name: path.read_bytes().decode() for path in sorted(folder.iterdir()) if path.is_file()}


def differences(section):
    """Names of files that differ, each with the first lines of its difference."""
    before, now = stored(section), dict(SECTIONS[section]())
    return {
        name: [
            *islice(unified_diff(*(side.get(name, "").splitlines() for side in (before, now)), lineterm=""), MOST_LINES)
        ]
        for name in before | now
        if before.get(name) != now.get(name)
    }


def test_every_snapshot_belongs_to_a_section():
    folders = {str(path.parent.relative_to(SNAPSHOTS)) for path in SNAPSHOTS.rglob("*") if path.is_file()}
    assert folders == set(SECTIONS)


@sections("rehearsals/")
def test_a_protocol_asks_and_records_what_it_did(section):
    assert differences(section) == {}


@sections("trials/")
def test_a_written_debate_is_judged_as_it_was(section):
    assert differences(section) == {}


@sections("judgements/")
def test_a_debate_of_every_protocol_is_judged_as_it_was(section):
    assert differences(section) == {}


@sections("audits/")
def test_an_audit_asks_and_finds_what_it_did(section):
    assert differences(section) == {}


@sections("comparisons")
def test_debates_compare_as_they_did(section):
    assert differences(section) == {}


@sections("exports/")
def test_every_format_is_written_as_it_was(section):
    assert differences(section) == {}


@sections("schemas")
def test_schemas_and_events_are_what_was_published(section):
    assert differences(section) == {}
