"""Further documents from Python: texts, files, folders, and documents of one side."""

import pytest

from hustings import Debate, debate
from hustings.errors import Unsuitable
from hustings.script.background import Background
from hustings.script.documents import DocumentText
from tests.readers.made import SMALL

PLAIN = {"model": "improviser", "judges": None, "database": "temporary"}


def test_a_debate_may_come_with_further_documents(tmp_path):
    (tmp_path / "plan.md").write_text("# Night buses\n\nThe last bus should leave at two.")
    memo = {"text": "Drivers object.", "seats": ["pro"]}
    named = DocumentText(title="Named", text="Words.", seats=("con",))
    given = [tmp_path / "plan.md", tmp_path, "A text.", Background(title="Plan", text="Buses."), memo, named]
    result = debate("Is it so?", documents=given, **PLAIN)
    (note,) = [note for note in result.proceedings.notes if note.kind == "documents"]
    assert [(one["title"], one["seats"]) for one in note.body["each"]] == [
        ("Night buses", []),
        ("plan.md", []),
        ("A text.", []),
        ("Plan", []),
        ("Drivers object.", ["pro"]),
        ("Named", ["con"]),
    ]


def test_files_of_every_format_are_documents(tmp_path):
    for name, content in SMALL.items():
        (tmp_path / name).write_bytes(content)
    given = Debate(
        "Is it so?", background=tmp_path / "plan.pdf", documents=[tmp_path / name for name in SMALL], **PLAIN
    )
    assert [one.media for one in given._spec.debate.documents.each] == ["pdf", "word", "slides", "sheet", "mail"]
    assert "\f" not in given._spec.debate.background.text


def test_a_document_for_no_seat_of_the_debate_is_refused():
    with pytest.raises(Unsuitable, match="no seat nobody"):
        Debate("Is it so?", documents=[{"text": "Words.", "seats": ["nobody"]}], **PLAIN)
    with pytest.raises(Unsuitable, match="colour"):
        Debate("Is it so?", documents=[{"text": "Words.", "colour": "red"}], **PLAIN)
