"""A person at the terminal is told which documents they may read, how to read them, and how to quote them."""

from hustings.cli.person import introduction
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.background import Background
from hustings.script.documents import DocumentText, laid_down
from tests.protocols.playing import with_words

PLAN = Background(title="Plan\x1b[31m", text="One bus an hour.")
FURTHER = (
    DocumentText(title="Survey", text="They did not ask for more."),
    DocumentText(title="Theirs", text="Only for Ben.", seats=("ben",)),
)


def told(*, background=None, further=()):
    """What Ada is told with her first question."""
    documents, texts = laid_down(further, first=2 if background else 1)
    debate = plan(find_protocol("roundtable"), "Is it sound?")
    debate = debate.model_copy(update={"background": background, "documents": documents})
    run = rehearse(debate, with_words({}), texts=texts)
    call = next(call for wave in run.waves for call in wave if call.seat.id == "ada")
    return "\n".join(introduction(call)), call.context.run_id


def test_a_person_is_told_what_they_may_read_and_how():
    words, run_id = told(background=PLAN, further=FURTHER)
    assert "  DOC-1: Plan\x1b[31m (4 words, read by all)" in words  # the terminal escapes it
    assert f"  DOC-2: Survey (6 words, read by all)\n    hustings show {run_id} --document DOC-2" in words
    assert 'Quote them as [DOC-2: "words of the document"].' in words


def test_a_person_is_not_told_of_documents_of_others():
    assert "Theirs" not in told(further=FURTHER)[0]


def test_a_document_alone_is_quoted_by_its_id_too():
    words, _ = told(background=PLAN)
    assert "DOC-1: Plan" in words
    assert 'Quote them as [DOC-1: "words of the document"].' in words


def test_without_documents_nothing_is_said_of_them():
    assert "You may read" not in told()[0]
