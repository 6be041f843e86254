"""Debates of other programs, imported and judged from Python."""

import pytest

from hustings import Result, import_debates, resume
from hustings.errors import BrokenFile, NotFound, Unsuitable

TOPIC = "Should towns close their centres to cars?"
TEXT = f"{TOPIC}\nAda: Yes, they are loud.\nBen: No, shops need them.\nAda: Shops gain.\nBen: They do not."


def test_a_file_becomes_a_result(tmp_path):
    path = tmp_path / "debate.txt"
    path.write_text(TEXT, "utf-8")
    (found,) = import_debates(path)
    assert (found.motion, len(found.transcript.turns), found.outcome.kind) == (TOPIC, 4, "played")
    assert (found.cost, found.calls) == ("", 0)
    assert Result.of(found.run_id).transcript == found.transcript
    assert TOPIC in found.to_markdown()


def test_bytes_are_taken_too_and_found_again():
    first, second = (import_debates(TEXT.encode())[0] for _ in range(2))
    assert first.run_id == second.run_id


def test_it_is_judged_by_resuming_it():
    (found,) = import_debates(TEXT.replace("loud", "large").encode())
    judged = resume(found.run_id, judges=["improviser"])
    assert judged.judgement
    assert judged.transcript == found.transcript


def test_what_cannot_be_imported_is_refused_in_words(tmp_path):
    with pytest.raises(BrokenFile, match="can't read"):
        import_debates(tmp_path / "missing.json")
    with pytest.raises(NotFound, match="no shape 'novel'"):
        import_debates(TEXT.encode(), shape="novel")
    with pytest.raises(Unsuitable, match="no debate 7"):
        import_debates(TEXT.encode(), item=7)
