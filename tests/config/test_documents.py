"""What to debate, as it is typed: words stay words, and a file is read or missed aloud."""

import io

import pytest

from hustings.config.documents import document_in, file_in, subject_of
from hustings.errors import BrokenFile, Unsuitable

PLAN = "# Night buses\n\nThe last bus should leave at two.\n"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text(PLAN)
    (tmp_path / "my plan.md").write_text(PLAN)
    (tmp_path / "question.txt").write_text("Is it so?\n")


def typed(monkeypatch, content):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("motion", ["plan.md", "./topic.md", "../a", "/etc/x", "~/plan.txt", "my plan.md", "PLAN.MD"])
def test_what_looks_like_a_file_is_one(motion):
    assert file_in(motion) == motion


@pytest.mark.parametrize(
    "motion",
    [
        "Is it so?",
        "TCP/IP",
        "node.js",
        "Rewrite README.md",
        "Should we?\nplan.md",
        "x" * 5_000 + ".md",
        "other plan.md",
    ],
)
def test_words_are_words(motion):
    assert file_in(motion) == ""


def test_a_document_alone_leaves_the_question_to_its_title():
    question, document = subject_of("plan.md")
    assert (question, document.title, document.text) == ("", "Night buses", PLAN.strip())


def test_a_question_and_a_document_go_together():
    question, document = subject_of("Is it sound?", "plan.md")
    assert (question, document.title) == ("Is it sound?", "Night buses")


@pytest.mark.parametrize("motion", ["question.txt", "@question.txt"])
def test_a_file_of_one_line_is_the_question(motion):
    assert subject_of(motion) == ("Is it so?", None)


def test_a_question_from_a_file_may_have_a_document():
    question, document = subject_of("question.txt", "plan.md")
    assert (question, document.title) == ("Is it so?", "Night buses")


def test_words_need_no_document():
    assert subject_of("Is it so?") == ("Is it so?", None)


def test_two_documents_are_one_too_many():
    with pytest.raises(Unsuitable, match="both documents"):
        subject_of("plan.md", "my plan.md")


def test_a_file_that_is_not_there_is_never_debated_by_its_name():
    with pytest.raises(BrokenFile, match=r"there is no file './topic.md'"):
        subject_of("./topic.md")


def test_standard_input_is_a_document_or_a_question(monkeypatch):
    typed(monkeypatch, PLAN.encode())
    assert subject_of("-")[1].title == "Night buses"
    typed(monkeypatch, b"Is it so?")
    assert subject_of("-") == ("Is it so?", None)


def test_a_document_without_words_in_its_head_is_called_like_its_file(tmp_path):
    (tmp_path / "figures.txt").write_text("***\n***\n")
    assert document_in("figures.txt").title == "figures"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.md", b" \n", "is empty"),
        ("latin.md", b"caf\xe9\nau lait", "UTF-8"),
        ("plan.pdf", b"%PDF", "no plain text"),
        ("long.md", b"word\n" * 100_000, "400,000 is the most"),
        ("huge.md", b"word\n" * 400_000, "longer than"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, content, why):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BrokenFile, match=why):
        subject_of(name)
