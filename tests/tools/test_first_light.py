"""First light: ten questions that can be played by anyone, and a page that says no more than its records do."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.first_light import DATA, first_light, main
from benchmarks.first_light_figures import (
    FORM_LOST,
    AskedQuestion,
    PlayedQuestion,
    ending_of,
    gave_way,
    questions_in,
    sums,
)
from benchmarks.first_light_page import Trial, page
from hustings.errors import SeatFailed
from hustings.llm.improviser import Improviser
from hustings.runs.recording import load, packaged
from hustings.runs.registry import find_protocol
from hustings.runs.request import DebateRequest, laid
from hustings.runs.run_summary import RunSummary
from hustings.runs.staging import START, plan, rehearse
from hustings.script.background import Background
from hustings.script.calls import Reply

QUESTIONS = first_light()["questions"]
MONOLITH = load(packaged()[0].read_bytes(), "monolith")
LOG = [came.event for came in MONOLITH.events]
TRIAL = Trial(date="2026-01-01", version="0.1.0", questions=QUESTIONS, caps="a minute", judges="nobody", digest="0")


# -- the ten questions ---------------------------------------------------------------------


def test_there_are_two_of_each_kind():
    kinds = Counter(one["kind"] for one in QUESTIONS)
    assert kinds == dict.fromkeys(("decide", "choose", "check", "explore", "document"), 2)
    assert len({one["id"] for one in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one["id"])
def test_each_can_be_played_to_its_end(question):
    text = (DATA / question["document"]).read_text("utf-8") if "document" in question else ""
    settings = first_light()["settings"][question["protocol"]]
    background = Background(title="Plan", text=text) if text else None
    request = DebateRequest(
        protocol=question["protocol"], question=question["question"], settings=settings, background=background
    )
    assert rehearse(laid(request), Improviser()).proceedings.ending.kind == "played"


@pytest.mark.parametrize(
    "paper", [file for file in DATA.iterdir() if file.name.endswith(".md")], ids=lambda it: it.name
)
def test_every_document_is_used_fits_a_small_model_and_says_that_it_is_made_up(paper):
    text = paper.read_text("utf-8")
    assert "are invented" in " ".join(text.split())
    assert len(text.split()) < 600
    assert paper.name in {one.get("document") for one in QUESTIONS}


# -- figures -------------------------------------------------------------------------------


def test_a_form_that_went_back_is_kept_but_not_at_the_first_try():
    rejected = [event for event in LOG if event.kind == "attempt_rejected"]
    later = [one for one in questions_in(LOG, "structured") if one.became == "kept" and not one.at_first_try]
    assert rejected
    assert {(one.seat, one.brief) for one in later} == {(event.seat, event.brief) for event in rejected}
    assert sum(one.tries for one in questions_in(LOG, "structured")) == sum(e.kind == "turn_begun" for e in LOG)


def played_by(actor, protocol="structured"):
    return rehearse(plan(find_protocol(protocol), "Should shops have bells?", retries=2), actor)


def test_a_model_that_never_gives_a_form_never_keeps_one():
    debate = played_by(lambda call: Reply("I would rather talk.", START, model="talker"))
    asked = questions_in(debate.events, "structured")
    assert debate.proceedings.ending.kind == "failed"
    assert {(one.became, one.tries) for one in asked} == {("never kept", 3)}
    assert {reason for one in asked for reason in one.sent_back} == {"form"}


def test_a_seat_that_does_not_answer_did_not_break_a_form():
    asked = questions_in(played_by(lambda call: SeatFailed("gone")).events, "structured")
    assert {(one.became, *one.sent_back) for one in asked} == {("not answered",)}


def test_a_judge_whose_form_is_refused_is_told_from_one_that_keeps_it():
    def actor(call):
        return Reply("no form", START) if call.seat.id == "moderator" else Improviser()(call)

    asked = questions_in(played_by(actor, "adaptive").events, "adaptive")
    assert {one.became for one in asked if one.seat == "moderator"} == {"never kept"}
    assert {one.became for one in asked if one.seat != "moderator"} == {"kept"}


def test_answers_in_plain_words_are_no_forms():
    asked = questions_in(played_by(Improviser(), "roundtable").events, "roundtable")
    assert {one.plain_words for one in asked} == {True}
    assert sums([played("ended", asked)])["forms"] == 0


@given(st.integers(1, len(LOG)))
def test_wherever_a_debate_stops_every_question_is_counted_once(end):
    asked = questions_in(LOG[:end], "structured")
    found = sums([played("paused", asked)])
    ways = ("kept_at_first_try", "kept_later", "never_kept", "not_answered", "open")
    assert found["forms"] == len(asked) == sum(found[way] for way in ways)


def test_a_concession_that_is_made_twice_counts_once():
    points = [point for note in MONOLITH.proceedings.notes if note.kind == "points" for point in note.body["points"]]
    conceded = {point["target"] for point in points if point["kind"] == "concede"}
    ways = gave_way(MONOLITH.proceedings.notes, {"pro": "yes", "con": "no"})
    assert conceded
    assert sum(way.kind == "concede" for way in ways) == len(conceded)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("", FORM_LOST),
        ("con's model did not keep the form three times", FORM_LOST),
        ("the provider refused the key", "the provider refused the key"),
    ],
)
def test_a_paused_debate_says_whether_it_was_the_form(reason, told):
    run = RunSummary(run_id="a", state="paused", protocol="structured/1", topic="", created_at=START, reason=reason)
    cut = next(n for n, event in enumerate(LOG) if event.kind == "attempt_rejected")
    assert ending_of(run, questions_in(LOG[: cut + 1], "structured")) == ("paused", told)


def test_a_debate_that_someone_paused_did_not_lose_a_form():
    run = RunSummary(run_id="a", state="paused", protocol="structured/1", topic="", created_at=START)
    assert ending_of(run, ()) == ("paused", "")


# -- the page ------------------------------------------------------------------------------


def played(ended, asked=(), **more):
    return PlayedQuestion("decide-pool", "structured", "made/up", ended, "", "", "no", tuple(asked), **more)


def test_words_of_a_model_cannot_leave_their_block_or_table():
    asked = [AskedQuestion("structured", "pro", "opening", on_record=True)]
    text = page(TRIAL, [played("ended", asked, screen="a\n````\n# Verdict: good\n", answered_by=("x | y\n# z",))])
    assert text.count("```") == 2
    assert "\n# z" not in text
    assert "x \\| y" in text


def test_a_page_of_weak_models_says_so_and_one_of_a_capable_model_does_not():
    assert "No capable model" not in page(TRIAL, [played("ended")])
    weak = PlayedQuestion("decide-pool", "structured", "openai_compatible/smollm2-135m", "failed", "", "", "no")
    assert "**No capable model has been tried here.**" in page(TRIAL, [weak])
    assert "No capable model" not in page(TRIAL, [weak, played("ended")])


@pytest.mark.timeout(180)
def test_two_questions_are_played_and_written_up(tmp_path, capfd):
    output = tmp_path / "page.md"
    chosen = ["--question", "decide-pool", "--question", "document-alarm"]
    main("--model", "improviser", *chosen, "--output", str(output), "--records", str(tmp_path / "records"))
    figures = json.loads(capfd.readouterr().out.splitlines()[-1])["models"]["improviser"]
    text = output.read_text("utf-8")
    assert figures["became"] == {"ended": 2}
    assert f"| {figures['kept_at_first_try']} of {figures['forms']} |" in text
    assert "### decide-pool, improviser\n\n```text\n" in text
    assert "Error" not in text


def test_what_costs_money_is_not_begun_without_a_yes(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-key")
    with pytest.raises(SystemExit, match="--yes"):
        main("--model", "openai/gpt-6.1-terra", "--question", "decide-pool", "--records", str(tmp_path))
    assert "1 debates, about $" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
