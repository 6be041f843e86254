"""A view holds every fact that a page shows, in words where words are shown, and a blind one gives nothing away."""

import re

import pytest

from hustings.errors import SeatFailed
from hustings.judging.dossier import Dossier, allowances
from hustings.judging.judgement import Penalised
from hustings.llm.improviser import Improviser, Scripted, clock
from hustings.report import wording
from hustings.report.formats.html import render
from hustings.report.remarks import penalised
from hustings.report.view import View, blind, view
from hustings.runs.registry import find_protocol, find_rubric
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed, Note, Played, Subject
from tests.judging.judgings import EVERY, debated
from tests.judging.judgings import judgement as judgement_of

from .dossiers import everywhere, judged, unjudged
from .judged import COMPETITION, DEADLOCK, DECIDED, SAMPLES, TOO_CLOSE
from .test_briefing import OUTCOMES
from .test_briefing import everywhere as hostile
from .test_html import Page
from .test_markdown import HOSTILE

CASES = [(name, how) for name in EVERY for how in ("judged", "unjudged")]
every_case = pytest.mark.parametrize(("name", "how"), CASES)


def dossier(name, how="judged"):
    return judged(name) if how == "judged" else unjudged(name)


def with_judgement(found, name="structured"):
    return judged(name).model_copy(update={"judgement": found})


def short_table(lines, retries=0):
    debate = plan(find_protocol("roundtable"), "Tea?", settings={"seats": 2, "rounds": 1}, retries=retries)
    return Dossier(proceedings=rehearse(debate, Scripted(lines)).proceedings)


# -- it is whole ---------------------------------------------------------------------------


@every_case
def test_every_id_it_refers_to_exists(name, how):
    shown = view(dossier(name, how))
    seats, turns = {chair.id for chair in shown.seats}, {speech.id for speech in shown.speeches}
    claims, replies = {claim.id for claim in shown.claims}, {reply.id for reply in shown.replies}
    points = (*shown.claims, *shown.replies)
    assert {named.seat for named in (*shown.speeches, *points, *shown.trace.rows, *shown.hints)} <= seats
    assert {point.turn for point in points} | {row.turn for row in shown.trace.rows} <= turns
    assert [turn for head in shown.rounds for turn in head.speeches] == [speech.id for speech in shown.speeches]
    assert {name for speech in shown.speeches for name in speech.claims} == claims
    assert {name for part in (*shown.speeches, *points) for name in part.replies} == replies
    assert {reply.target for reply in shown.replies} <= claims | replies
    assert {reply.source for reply in shown.replies} <= claims | {""}
    assert {edge.turn for speech in shown.speeches for edge in speech.speaks_to} <= turns | {""}
    assert {edge.seat for speech in shown.speeches for edge in speech.speaks_to} <= seats
    assert {thought.after for thought in shown.thoughts} <= turns | {""}
    assert {name for thought in shown.thoughts for name in thought.about} <= turns | claims
    assert {hint.about for hint in shown.hints} <= claims | replies | turns
    assert {row.about for grid in shown.marks for row in grid.rows} <= claims | turns
    assert {line.id for line in (*shown.digest.survived, *shown.digest.refuted)} <= claims
    assert {line.id for line in shown.digest.unresolved} <= claims | {""}
    assert {step.turn for step in (shown.board.course if shown.board else ())} <= turns


@every_case
def test_its_words_are_those_of_the_transcript(name, how):
    turns = dossier(name, how).proceedings.transcript.turns
    told = [(speech.id, speech.seat, speech.words, speech.at) for speech in view(dossier(name, how)).speeches]
    assert told == [(turn.turn_id, turn.speaker_id, turn.said, turn.attempts[-1].timestamp) for turn in turns]


@every_case
def test_its_rows_are_those_of_the_trace(name, how):
    found = dossier(name, how).judgement
    told = [
        (row.id, row.standing, row.strength, row.certainty, row.score) for row in view(dossier(name, how)).trace.rows
    ]
    trace = found.trace if found else ()
    assert told == [(traced.id, traced.standing, traced.strength, traced.certainty, traced.score) for traced in trace]


@every_case
def test_a_row_has_a_cell_under_every_head(name, how):
    shown = view(dossier(name, how))
    trace, board = shown.trace, shown.board
    assert {(len(row.cells), len(row.moved)) for row in trace.rows} <= {(len(trace.heads), len(trace.moved_heads))}
    tables = [
        shown.bill,
        shown.votes,
        shown.checks and shown.checks.panel,
        *((board and [board.teams, board.stages]) or ()),
    ]
    assert all(len(row) == len(table.heads) for table in tables if table for row in table.rows)
    assert all(len(row.cells) == len(grid.dimensions) for grid in shown.marks for row in grid.rows)
    assert all(len(step.cells) == len(board.course_heads) for step in (board.course if board else ()))


@every_case
def test_its_briefing_says_what_the_report_says(name, how):
    told, report = view(dossier(name, how)).digest, Page(render(dossier(name, how))).words
    lines = [told.warning, *told.reasons, *(line.text for line in (*told.survived, *told.refuted, *told.unresolved))]
    lines += [f"{fact.label} {fact.text}" for fact in told.facts]
    lines += [f"{told.advice.label} {told.advice.text}"] if told.advice else []
    assert [line for line in lines if " ".join(line.split()) not in report] == []


@every_case
def test_it_is_read_back_as_it_was_written(name, how):
    shown = view(dossier(name, how))
    assert View.model_validate_json(shown.model_dump_json()) == shown


@pytest.mark.parametrize("sample", SAMPLES)
def test_it_says_how_far_to_rely_on_a_judgement(sample):
    shown = view(with_judgement(SAMPLES[sample]))
    assert shown.checks.reliability == tuple(wording.reliability_lines(SAMPLES[sample]))
    assert shown.checks.origin == tuple(wording.origin_lines(SAMPLES[sample]))


def test_it_says_what_the_answer_was_without_debate():
    told = view(with_judgement(DECIDED)).checks
    assert told.control.startswith("without debate: con")
    assert "judge-3 went from pro to con, moved by CON-2" in told.control_lines


def test_what_weakens_a_verdict_is_told_reason_by_reason():
    told = view(with_judgement(TOO_CLOSE)).digest
    assert (told.warning, told.reasons) == ("Read with care (2 reasons)", TOO_CLOSE.degraded)


def test_a_strong_verdict_carries_no_warning():
    assert view(with_judgement(DECIDED)).digest.warning == ""


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_judgement_with_one_of_everything_can_be_shown(outcome):
    shown = view(with_judgement(hostile("<b>", outcome=outcome)))
    assert [len(part) for part in (shown.trace.rows, shown.marks, shown.hints, shown.totals)] == [1, 2, 1, 1]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_untrusted_words_are_carried_as_they_are(text):
    shown = view(everywhere(text))
    assert (shown.topic, shown.speeches[0].words, shown.seats[0].name) == (text, text, text)


# -- what was said -------------------------------------------------------------------------


def test_an_answer_that_was_sent_back_is_counted_and_its_fault_told():
    def stubborn(call):
        return Reply("" if call.seat.id == "ada" and not call.complaints else "Tea.", clock(call))

    debate = plan(find_protocol("roundtable"), "Tea?", settings={"seats": 2, "rounds": 1}, retries=1)
    first = view(Dossier(proceedings=rehearse(debate, stubborn).proceedings)).speeches[0]
    assert (first.words, first.retries, first.lost) == ("Tea.", 1, "")
    assert first.remarks == ("attempt 1 was sent back: the answer is empty",)


def test_a_lost_turn_says_why():
    debate = plan(find_protocol("roundtable"), "Tea?", settings={"seats": 2, "rounds": 1}, retries=1)
    silent = rehearse(debate, lambda call: Reply("" if call.seat.id == "ada" else "Tea.", clock(call)))
    first = view(Dossier(proceedings=silent.proceedings)).speeches[0]
    assert (first.words, first.lost) == ("", "no usable answer: the answer is empty")


def test_whoever_missed_a_round_is_named_there():
    found = view(short_table({"ada": [SeatFailed("nobody is there")], "ben": ["Tea."]}))
    assert found.rounds[0].absent == ("ada: timeout, round 1: nobody is there",)
    assert found.rounds[0].status == "partial"


def test_a_speech_says_whom_it_speaks_to():
    found = view(short_table({"ada": ["Tea."], "ben": ["Ada forgets coffee."]}))
    assert [(e.words, e.seat, e.turn) for e in found.speeches[1].speaks_to] == [("speaks to ada", "ada", "r1.t0")]


def test_a_speech_in_plain_words_has_the_allowance_it_was_given():
    played = debated("competition")
    found = view(Dossier(proceedings=played.proceedings, allowances=allowances(played.events)))
    given = {speech.kind: speech.allowed for speech in found.speeches}
    assert given["opening"] == 750
    assert given["questions"] is None


def test_overtime_is_told_once_with_the_points_it_cost():
    played = debated("competition", _long)
    told = [r for speech in view(Dossier(proceedings=played.proceedings)).speeches for r in speech.remarks]
    assert [remark for remark in told if "pro_1 spoke past" in remark] == [
        "penalty: -2 pro_1, -3 team pro; pro_1 spoke past the allowance, 900 words of 750"
    ]


def _long(call):
    improvised = Improviser()(call)
    if call.brief.name != "opening":
        return improvised
    return Reply("word " * 900, improvised.at)


def test_a_panel_s_penalties_replace_what_the_judge_at_the_table_thought():
    settled = judged("competition")
    one = Penalised(rule="off_topic", seat="con_2", team="con", turn_id="r3.t0", individual=-2, on_team=0,
                    found_by="panel", families=("alpha", "beta"))  # fmt: skip
    board = settled.judgement.board.model_copy(update={"penalties": (one,)})
    found = view(with_judgement(settled.judgement.model_copy(update={"board": board}), "competition"))
    assert {s.id: s.remarks for s in found.speeches if s.remarks} == {"r3.t0": (penalised(one),)}
    assert penalised(one) == "penalty: −2 con_2; con_2 left the motion (judges of alpha and beta say so)"


def test_an_unjudged_competition_shows_what_one_judge_thought_as_such():
    told = [r for speech in view(unjudged("competition")).speeches for r in speech.remarks]
    assert told
    assert all(remark.endswith("(one judge says so)") for remark in told)


def test_a_note_is_told_once():
    found = view(unjudged("competition"))
    assert {thought.kind for thought in found.thoughts}.isdisjoint({"form", "points", "violation", "penalty"})


def test_a_docket_is_told_with_its_questions():
    found = view(unjudged("moderated"))
    assert {(issue.id, issue.state) for issue in found.issues} == {("D-1", "open"), ("D-2", "open")}
    assert all(issue.question for issue in found.issues)


def test_an_agenda_without_a_docket_is_open():
    dossier = unjudged("moderated")
    notes = tuple(note for note in dossier.proceedings.notes if note.kind != "docket")
    proceedings = dossier.proceedings.model_copy(update={"notes": notes})
    found = view(dossier.model_copy(update={"proceedings": proceedings}))
    assert {issue.state for issue in found.issues} == {"open"}


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (Played(), "It was played to its end, and nobody has judged it."),
        (Failed(code="seat_failed", reason="nobody is there."), "It failed: nobody is there."),
        (Cancelled(by="Ada"), "It was stopped by Ada before its end."),
        (BudgetStopped(spent=0.4, cap=0.5), "Its budget of 0.50 USD ended it."),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_how_it_ended_is_a_sentence(ending, told):
    proceedings = unjudged("structured").proceedings.model_copy(update={"ending": ending})
    assert view(Dossier(proceedings=proceedings)).summary == told


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
    assert all(re.fullmatch(r"from [\d.]+ to [\d.]+, 3 judges", cell.spread) for cell in cells)


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
    assert view(with_judgement(COMPETITION)).board.best == "Best debater: pro_1 and con_1."


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


@pytest.mark.parametrize(
    "sample", [*SAMPLES.values(), judged("competition").judgement, hostile("<b>")], ids=lambda j: j.protocol
)
def test_no_judgement_changes_a_blind_view(sample):
    """What nobody may see before voting moves nothing that they see."""
    assert blind(view(with_judgement(sample))) == blind(view(unjudged("structured")))


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
    assert (found.summary, found.ending.kind) == ("It failed.", "failed")
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
