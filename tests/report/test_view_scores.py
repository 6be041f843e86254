"""A view tells marks and points as a page shows them, and a blind one gives nothing away."""

import re

import pytest

from hustings.errors import SeatFailed
from hustings.judging.board import Penalised
from hustings.judging.dossier import Dossier
from hustings.report import wording
from hustings.report.remarks import penalised
from hustings.report.view import blind, view
from hustings.runs.registry import find_rubric
from hustings.transcript.notes import Failed, Note, Subject
from tests.judging.judgings import debated
from tests.judging.judgings import judgement as judgement_of

from .dossiers import judged, unjudged
from .judged import COMPETITION, DEADLOCK, DECIDED, SAMPLES
from .test_briefing import everywhere as hostile
from .test_view import every_case, short_table, with_judgement

# -- marks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["structured", "competition", "roundtable", "moderated"])
def test_the_marks_of_the_judges_make_the_panel_s_mean(name):
    """Every judge has read it in as many orders: the mean over judges is the mean over readings."""
    cells = [cell for grid in view(judged(name)).marks for row in grid.rows for cell in row.cells if cell.mean]
    assert cells
    for cell in cells:
        assert cell.mean == pytest.approx(sum(judge.mark for judge in cell.judges) / len(cell.judges))


def test_the_marks_of_a_speech_weigh_up_to_its_score():
    grid = next(grid for grid in view(judged("competition")).marks if grid.what == "speech")
    weights = {wording.spaced(name): share for name, share in find_rubric("speech").weights().items()}
    assert set(grid.dimensions) == set(weights)
    for row in grid.rows:
        by_name = dict(zip(grid.dimensions, (cell.mean for cell in row.cells), strict=True))
        assert row.total.mean == pytest.approx(sum(weights[name] * mean for name, mean in by_name.items()), abs=1e-5)


def test_speeches_are_marked_in_the_order_of_the_record():
    found = view(judged("competition"))
    grid = next(grid for grid in found.marks if grid.what == "speech")
    assert [row.about for row in grid.rows] == [speech.id for speech in found.speeches]


def test_how_far_judges_are_apart_is_said():
    cells = [cell for grid in view(judged("structured")).marks for row in grid.rows for cell in row.cells]
    assert all(re.fullmatch(r"[\d.]+ to [\d.]+, 3 judges", cell.spread) for cell in cells)


def test_what_was_not_scored_is_a_dash():
    arguments = [traced.model_copy(update={"dimensions": {"logic": 7.0}, "score": None}) for traced in DECIDED.trace]
    (grid,) = view(with_judgement(DECIDED.model_copy(update={"trace": tuple(arguments)}))).marks
    assert {(row.total.shown, row.total.heat, row.cells[0].shown, row.cells[0].heat) for row in grid.rows} == {
        ("–", 0, "7.0", 7)
    }


# -- the score board -----------------------------------------------------------------------


def test_the_course_of_a_competition_ends_at_its_board():
    found, board = view(judged("competition")), judged("competition").judgement.board
    assert found.board.course[-1].totals == {team.team: team.total for team in board.teams}
    assert found.board.course[-1].penalty_totals == {team.team: team.penalties for team in board.teams}
    assert [step.turn for step in found.board.course] == [speech.id for speech in found.speeches]


def test_a_penalty_whose_turn_is_unknown_stands_at_the_end():
    settled = judged("competition").judgement
    one = Penalised(rule="overtime", seat="pro_1", team="pro", turn_id="gone", individual=-3, on_team=-1,
                    found_by="rules")  # fmt: skip
    board = settled.board.model_copy(update={"penalties": (one,)})
    course = view(with_judgement(settled.model_copy(update={"board": board}), "competition")).board.course
    assert (course[-1].turn, course[-1].penalties) == ("", (penalised(one),))
    assert course[-1].totals["pro"] == pytest.approx(course[-2].totals["pro"] - 4)


def test_the_best_debaters_share_the_sentence():
    assert view(with_judgement(COMPETITION)).board.best == "Best debaters: Pro 1 and Con 1."


@pytest.mark.parametrize("name", ["structured", "roundtable", "adaptive", "moderated"])
def test_whoever_does_not_compete_has_no_board(name):
    assert view(judged(name)).board is None


# -- blind ---------------------------------------------------------------------------------


@every_case
def test_a_blind_view_names_no_model_and_no_score(name, how):
    played = debated(name, renamed=lambda seat: seat.id)
    found = judgement_of(played) if how == "judged" else None
    shown = blind(view(Dossier(proceedings=played.proceedings, judgement=found)))
    assert "zephyr" not in shown.model_dump_json()
    assert {claim.standing for claim in shown.claims} <= {None}
    assert (shown.blind, shown.judgement, shown.checks, shown.board, shown.result) == (True, None, None, None, None)
    assert (shown.result_sections, shown.model_summary) == ((), None)


@pytest.mark.parametrize("sample", [*SAMPLES.values(), hostile("<b>")], ids=lambda j: j.protocol)
def test_no_judgement_changes_a_blind_view(sample):
    """What nobody may see before voting moves nothing that they see."""
    assert blind(view(with_judgement(sample))) == blind(view(unjudged("structured")))


def test_the_judgement_of_another_debate_changes_no_blind_view():
    other = with_judgement(judged("competition").judgement)
    assert blind(view(other)) == blind(view(unjudged("structured")))


@pytest.mark.parametrize("name", ["roundtable", "moderated", "competition"])
def test_a_blind_view_of_plain_words_has_the_arguments_and_not_what_became_of_them(name):
    settled = judged(name).judgement
    arguments = tuple(
        f.model_copy(update={"standing": "refuted", "strength": 0.1, "score": 1.0}) for f in settled.trace
    )
    other = settled.model_copy(update={"trace": arguments, "totals": (), "outcome": DEADLOCK.outcome})
    shown = blind(view(judged(name)))
    assert shown.claims
    assert shown == blind(view(with_judgement(other, name)))


def test_a_blind_view_does_not_say_why_a_seat_was_silent():
    found = blind(view(short_table({"ada": [SeatFailed("acme/zephyr is down")], "ben": ["Tea."]}, retries=1)))
    assert "zephyr" not in found.model_dump_json()
    assert found.speeches[0].lost == wording.LOST


def test_a_blind_view_does_not_say_why_a_debate_failed():
    ending = Failed(code="SeatFailed", reason="acme/zephyr is down")
    proceedings = unjudged("structured").proceedings.model_copy(update={"ending": ending})
    found = blind(view(Dossier(proceedings=proceedings)))
    assert (found.summary, found.ending.kind) == ("It broke off.", "failed")
    assert "zephyr" not in found.model_dump_json()


def test_a_blind_view_keeps_every_word_that_was_said():
    assert [s.words for s in blind(view(judged("structured"))).speeches] == [
        s.words for s in view(judged("structured")).speeches
    ]


def test_a_thought_about_a_model_is_no_part_of_a_blind_view():
    note = Note(note_id="n", kind="score", by="judge", about=(Subject(turn_id="r1.t0"),), created_at="t",
                body={"model": "acme/zephyr"})  # fmt: skip
    proceedings = unjudged("structured").proceedings.model_copy(update={"notes": (note,)})
    seen = view(Dossier(proceedings=proceedings))
    assert "zephyr" in seen.model_dump_json()
    assert "zephyr" not in blind(seen).model_dump_json()
