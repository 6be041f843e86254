"""What a person has typed at a question is kept until it is posted."""

import os
import re
import stat
from contextlib import suppress

import pytest

from hustings.cli.drafts import KeptDraft
from hustings.config.paths import data_folder
from hustings.engine.people import questions, short_key
from hustings.engine.service import open_service
from tests.rig.postgres import ready_sqlite_file
from tests.rig.waiting import until

from .console import typed
from .display.pseudo import session, staging
from .engine import TOPIC
from .test_ask_form import Typist
from .test_seat_here import OPENING, SEATS, answer, asks, run_id_in, waits

PASTE = "\x1b[200~{}\x1b[201~"
HALF = OPENING[:4]
SPEECH = ("run", TOPIC, "-p", "roundtable", "-m", "improviser", "--seat", "ada=human", "--judges", "none")


@pytest.fixture(scope="module")
def stage():
    with staging() as process:
        yield process


@pytest.fixture
def url(tmp_path):
    return ready_sqlite_file(tmp_path)


@pytest.fixture(autouse=True)
def _no_draft_yet(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def drafts():
    return sorted(data_folder().glob("drafts/*"))


def here(stage, *command):
    return session(stage, *command, columns=100, XDG_DATA_HOME=os.environ["XDG_DATA_HOME"])


def words(terminal):
    return " ".join(" ".join(terminal.lines).split())


def begun_form(stage, url, leave):
    """A form that was left in the middle of its second argument."""
    with here(stage, "run", TOPIC, *SEATS, "--database", url) as terminal:
        assert terminal.read_until(asks("opening"))
        answer(terminal, *HALF)
        assert terminal.read_until(lambda t: "argument 2 · reasoning" in words(t) and waits(">")(t))
        leave(terminal)
        assert terminal.read_until(lambda t: "Kept as a draft." in words(t))
        return words(terminal)


def test_ctrl_c_keeps_a_form_and_resume_goes_on_where_it_was_left(stage, url):
    told = begun_form(stage, url, lambda terminal: terminal.press_ctrl_c())
    resume = f"hustings resume {run_id_in(url)}"
    assert f"Kept as a draft. {resume} goes on at argument 2 · reasoning." in told
    assert [stat.S_IMODE(file.stat().st_mode) for file in drafts()] == [0o600]
    with here(stage, "resume", run_id_in(url), "--database", url) as terminal:
        assert terminal.read_until(waits("begin anew:"))
        assert "argument 1 · claim: Claim number 0 of the person." in words(terminal)
        answer(terminal, "", *OPENING[4:])
        assert terminal.read_until(asks("cross-examination"))
        assert "[CON-1] Claim number 0 of the person." in words(terminal)
    assert drafts() == []


def test_ctrl_d_keeps_a_form_and_say_goes_on_where_it_was_left(stage, url):
    told = begun_form(stage, url, lambda terminal: terminal.leave())
    assert f"hustings say {run_id_in(url)} con goes on at argument 2 · reasoning." in told
    with here(stage, "say", run_id_in(url), "--database", url) as terminal:
        assert terminal.read_until(waits("begin anew:"))
        answer(terminal, "", *OPENING[4:])
        assert terminal.read_until(lambda t: "CON has spoken." in words(t))


def test_a_line_that_was_begun_is_there_again(stage, url):
    with here(stage, *SPEECH, "--database", url) as terminal:
        assert terminal.read_until(waits(">"))
        terminal.press("Half of what I")
        assert terminal.read_until(waits("> Half of what I"))
        terminal.press_ctrl_c()
        terminal.read_until()
    assert f"Kept as a draft. hustings resume {run_id_in(url)} goes on with it." in words(terminal)
    with here(stage, "resume", run_id_in(url), "--database", url) as terminal:
        assert terminal.read_until(waits("> Half of what I"))
        terminal.type(" wanted to say.")
        assert terminal.read_until(
            lambda t: "Half of what I wanted to say." in words(t) and "ADA has spoken" in words(t)
        )


def test_what_is_pasted_is_one_answer_and_the_next_question_is_asked(stage, url):
    with here(stage, *SPEECH, "--database", url) as terminal:
        assert terminal.read_until(waits(">"))
        terminal.type(PASTE.format("First of all.\rSecondly.\r\rAnd thirdly."))
        assert terminal.read_until(waits("Post 3 paragraphs, 6 words? Enter posts, e edits:"))
        terminal.type("")
        assert terminal.read_until(lambda t: len(re.findall("ADA, it is your turn", words(t))) == 2 and waits(">")(t))
        assert words(terminal).count("ADA has spoken.") == 1


def test_lines_that_come_at_once_are_one_answer_where_a_terminal_marks_no_paste(stage, url):
    with here(stage, *SPEECH, "--display", "plain", "--database", url) as terminal:
        assert terminal.read_until(waits(">"))
        terminal.type("First of all.", "Secondly.", "And thirdly.")
        assert terminal.read_until(waits("Post 3 paragraphs, 6 words? Enter posts, e edits:"))


def test_whoever_types_is_told_at_once_that_the_question_was_answered_elsewhere(stage, url, tmp_path):
    with here(stage, *SPEECH, "--database", url) as terminal:
        assert terminal.read_until(waits(">"))
        terminal.press("My own words")
        assert terminal.read_until(waits("> My own words"))
        code, _, _ = typed("say", run_id_in(url), "ada", "Words of the other window.", "--database", url)
        assert code == 0
        assert terminal.read_until(lambda t: "The question was answered in another window. Your words:" in words(t))
        assert terminal.read_until(lambda t: "Words of the other window." in words(t))
    assert [(file.suffix, file.read_text()) for file in drafts()] == [(".txt", "My own words\n")]


# -- in words --------------------------------------------------------------------------------


def asked_of_ada(url, many):
    """Waits until the seat has been asked so often; the short key of the last question."""
    with open_service(url) as service:
        run_id = run_id_in(url)
        found = until(lambda: [e for e in service.runs.events(run_id) if e.kind == "human_awaited"][many - 1 :])
        until(lambda: questions(service.runs, run_id))
        return run_id, short_key(found[0].key)


@pytest.fixture
def waiting(stage, url):
    """A debate that waits for words of a person, and goes on by itself."""
    with here(stage, *SPEECH, "--display", "plain", "--database", url) as terminal:
        assert terminal.read_until(waits(">"))
        terminal.leave()
        assert terminal.read_until(lambda t: "Left open" in words(t))
        yield url


def test_words_with_the_key_of_an_answered_question_answer_no_other(waiting):
    run_id, first = asked_of_ada(waiting, 1)
    assert typed("say", run_id, "ada", "First.", "--key", first, "--database", waiting)[0] == 0
    asked_of_ada(waiting, 2)
    code, _, told = typed("say", run_id, "ada", "A correction.", "--key", first, "--database", waiting)
    assert (code, "'ada' already answered" in told) == (2, True)


def test_at_a_terminal_words_for_a_new_question_are_posted_after_a_yes(waiting):
    run_id, _ = asked_of_ada(waiting, 1)
    assert typed("say", run_id, "ada", "First.", "--database", waiting)[0] == 0
    asked_of_ada(waiting, 2)
    with staging() as another, here(another, "say", run_id, "ada", "A correction.", "--database", waiting) as terminal:
        assert terminal.read_until(lambda t: "This answers a new question: contribution. Post it? [y/N]:" in words(t))
        terminal.type("n")
        terminal.read_until()
    assert (terminal.code, "Not posted." in words(terminal)) == (130, True)


def test_far_too_many_words_need_an_option_where_nobody_can_be_asked(waiting):
    run_id, _ = asked_of_ada(waiting, 1)
    long = "word " * 501
    code, _, told = typed("say", run_id, "ada", long, "--database", waiting)
    assert (code, told) == (
        2,
        "Error: 501 words; about 250 were asked\nFix:   shorten it, or post it as it is: --long\n",
    )
    assert typed("say", run_id, "ada", long, "--long", "--database", waiting)[0] == 0


# -- the file ------------------------------------------------------------------------------


def kept(*lines, key="000.1 con opening #1"):
    """What is asked, read by a person who types these lines and leaves; what is told meanwhile."""
    typist = Typist(*lines)
    person = KeptDraft("run", key).typist(typist.person())
    found = []
    with suppress(EOFError):
        while True:
            found.append(person.read("> "))
    return found, typist.told


def test_a_draft_is_of_one_question_alone():
    kept("My words.")
    assert kept(key="another")[0] == []


def test_a_draft_can_be_begun_anew():
    kept("My words.")
    assert kept("n", "Other words.") == (
        ["Other words."],
        ["\nYour draft:\n  My words.", "It goes on with it. Press Enter, or n to begin anew: ", "> ", "> "],
    )


def test_a_file_that_was_damaged_is_no_draft():
    kept("My words.")
    drafts()[0].write_text("{")
    assert kept()[0] == []


def test_a_draft_that_cannot_be_kept_is_told_once_and_the_answer_goes_on():
    data_folder().parent.mkdir(parents=True)
    data_folder().write_text("in the way")
    found, told = kept("One.", "Two.")
    assert (found, len([line for line in told if "No draft is kept: can't write" in line])) == (["One.", "Two."], 1)
