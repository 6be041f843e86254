"""What to debate, as it is typed: words stay words, and a file is read or missed aloud."""

import io

import pytest

from hustings.config.documents import DebateSubject, document_in, file_in, for_seats, subject_of
from hustings.errors import BrokenFile, Unsuitable
from tests.readers.made import SMALL

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
    found = subject_of("plan.md")
    assert (found.question, found.background.title, found.background.text) == ("", "Night buses", PLAN.strip())


def test_a_question_and_a_document_go_together():
    found = subject_of("Is it sound?", ["plan.md"])
    assert (found.question, found.background.title) == ("Is it sound?", "Night buses")


@pytest.mark.parametrize("motion", ["question.txt", "@question.txt"])
def test_a_file_of_one_line_is_the_question(motion):
    assert subject_of(motion) == DebateSubject("Is it so?")


def test_a_question_from_a_file_may_have_a_document():
    found = subject_of("question.txt", ["plan.md"])
    assert (found.question, found.background.title) == ("Is it so?", "Night buses")


def test_words_need_no_document():
    assert subject_of("Is it so?") == DebateSubject("Is it so?")


def test_a_file_beside_a_debated_file_is_a_further_document():
    found = subject_of("plan.md", ["my plan.md"])
    assert (found.question, found.background.title, [one.title for one in found.documents]) == (
        "",
        "Night buses",
        ["Night buses"],
    )


def test_the_first_file_for_all_is_the_background_and_the_others_are_further_documents(tmp_path):
    (tmp_path / "memo.txt").write_text("Drivers object.\n\nAll of them.")
    found = subject_of("Is it so?", ["pro:memo.txt", "plan.md", "memo.txt", "pro,con:memo.txt"])
    assert found.background.title == "Night buses"
    assert [(one.title, one.seats) for one in found.documents] == [
        ("Drivers object.", ("pro",)),
        ("Drivers object.", ()),
        ("Drivers object.", ("pro", "con")),
    ]


def test_a_file_whose_name_has_a_colon_is_that_file(tmp_path):
    (tmp_path / "pro:memo.txt").write_text("Mine.")
    assert for_seats("pro:memo.txt") == ((), "pro:memo.txt")


def test_standard_input_can_be_a_document_of_a_seat(monkeypatch):
    typed(monkeypatch, b"Drivers object.")
    (memo,) = subject_of("Is it so?", ["pro:-"]).documents
    assert (memo.seats, memo.text) == (("pro",), "Drivers object.")


def test_standard_input_is_read_once():
    with pytest.raises(Unsuitable, match="can be read once"):
        subject_of("-", ["pro:-"])


def test_an_address_is_not_read():
    with pytest.raises(BrokenFile, match="documents are read from files"):
        subject_of("Is it so?", ["plan.md", "http://127.0.0.1/plan.md"])


def test_a_folder_is_told_with_what_it_leaves_out(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(PLAN)
    (tmp_path / "docs" / ".env").write_text("KEY=1")
    found = subject_of("Is it so?", [], ["pro:docs"])
    assert ([one.title for one in found.documents], found.documents[0].seats) == (["a.md"], ("pro",))
    assert found.remarks == ("From docs: a.md", "Left out: .env (hidden)")


def test_a_long_list_of_files_is_told_in_part(tmp_path):
    for n in range(22):
        (tmp_path / f"{n:02}.txt").write_text("Words.")
    assert subject_of("Is it so?", [], ["."]).remarks[0].endswith("19.txt, and 5 more")


def test_more_documents_than_a_debate_takes_are_refused(tmp_path):
    (tmp_path / "memo.txt").write_text("Words.")
    with pytest.raises(Unsuitable, match="these are 201 documents, and 200 is the most"):
        subject_of("Is it so?", ["pro:memo.txt"] * 201)


def test_a_file_that_is_not_there_is_never_debated_by_its_name():
    with pytest.raises(BrokenFile, match=r"there is no file './topic.md'"):
        subject_of("./topic.md")


def test_standard_input_is_a_document_or_a_question(monkeypatch):
    typed(monkeypatch, PLAN.encode())
    assert subject_of("-").background.title == "Night buses"
    typed(monkeypatch, b"Is it so?")
    assert subject_of("-") == DebateSubject("Is it so?")


@pytest.mark.parametrize("name", SMALL)
def test_a_file_of_any_format_can_be_debated_itself(tmp_path, name):
    (tmp_path / name).write_bytes(SMALL[name])
    found = subject_of(name)
    assert (found.question, found.background.title) == ("", "plan" if name == "plan.xlsx" else "Night buses")


def test_pages_of_the_background_stand_apart_by_blank_lines(tmp_path):
    (tmp_path / "plan.pdf").write_bytes(SMALL["plan.pdf"])
    found = subject_of("Is it so?", ["plan.pdf"]).background
    assert found.text == "Night buses\nThe last bus leaves at two.\n\nIt costs 400,000 a year."


def test_a_further_document_keeps_its_pages(tmp_path):
    (tmp_path / "memo.pdf").write_bytes(SMALL["plan.pdf"])
    (memo, whole) = subject_of("plan.md", ["pro:memo.pdf", "memo.pdf"]).documents
    assert (memo.seats, whole.seats, memo.text.count("\f"), memo.media) == (("pro",), (), 1, "pdf")


def test_standard_input_is_read_by_its_first_bytes(monkeypatch):
    typed(monkeypatch, SMALL["plan.pdf"])
    assert subject_of("-").background.title == "Night buses"
    typed(monkeypatch, SMALL["plan.docx"])
    assert subject_of("Is it so?", ["pro:-"]).documents[0].media == "word"


def test_a_page_of_html_is_debated_as_its_readers_see_it(tmp_path):
    (tmp_path / "plan.html").write_text("<title>Night buses</title><p>Later.</p><script>x</script>")
    found = subject_of("plan.html").background
    assert (found.title, found.text) == ("Night buses", "Later.")


def test_a_document_without_words_in_its_head_is_called_like_its_file(tmp_path):
    (tmp_path / "figures.txt").write_text("***\n***\n")
    assert document_in("figures.txt").title == "figures"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.md", b" \n", "is empty"),
        ("latin.md", b"caf\xe9\nau lait", "UTF-8"),
        ("plan.pdf", b"%PDF", "no PDF, though it is called so"),
        ("long.md", b"word\n" * 100_000, "400,000 is the most"),
        ("huge.md", b"word\n" * 400_000, "1,999,999 characters, and 400,000 is the most"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, content, why):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BrokenFile, match=why):
        subject_of(name)
