"""A view holds every fact that a page shows, in words where words are shown, and a blind one gives nothing away."""

import pytest

from hustings.errors import SeatFailed
from hustings.judging.board import Penalised
from hustings.judging.dossier import Dossier, allowances
from hustings.judging.judgement import ExecutiveSummary, SummarySentence
from hustings.lab.gold import gold_debates, played
from hustings.llm.improviser import Improviser, Scripted, clock
from hustings.report import wording
from hustings.report.formats.html import render
from hustings.report.remarks import penalised
from hustings.report.view import View, view
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed, Played
from tests.judging.judgings import EVERY, debated

from .dossiers import everywhere, judged, unjudged
from .judged import DECIDED, SAMPLES, TOO_CLOSE
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
    digest = shown.digest
    assert {line.id for line in (*digest.held_up, *digest.refuted, *digest.withdrawn, *digest.strongest)} <= claims
    assert {line.id for line in (*digest.unresolved, *digest.check_first)} <= claims | {""}
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
    about = (*told.held_up, *told.refuted, *told.withdrawn, *told.unresolved, *told.check_first, *told.strongest)
    lines = [told.bottom_line, told.would_change, told.without_debate, told.caveat, told.limits_head, *told.limits]
    lines += [*told.issues, *(line.text for line in about)]
    lines += [f"{fact.label} {fact.text}" for fact in told.facts]
    lines += [f"How sure {told.sure.label}. {told.sure.text}"] if told.sure else []
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
    assert told.control.startswith("Same answer with and without debate: no")
    assert "gemini-x went from yes to no, moved by CON-2" in told.control_lines


def test_what_weakens_a_verdict_is_told_reason_by_reason():
    told = view(with_judgement(TOO_CLOSE)).digest
    assert (told.limits_head, told.limits) == ("Limits of this result (2)", TOO_CLOSE.degraded)


def test_a_verdict_without_limits_has_no_heading_for_them():
    assert view(with_judgement(DECIDED)).digest.limits_head == ""


def test_the_digest_tells_the_bottom_line_how_sure_it_is_and_the_strongest_of_each_side():
    told, briefing = view(with_judgement(DECIDED)).digest, DECIDED.briefing
    assert (told.bottom_line, told.would_change) == (briefing.bottom_line, briefing.would_change)
    assert (told.sure.label, told.sure.text) == (briefing.sure, briefing.sure_because)
    assert [(one.side, one.id, one.standing) for one in told.strongest] == [
        ("Pro", "PRO-1", "partially_upheld"),
        ("Con", "CON-2", "upheld"),
    ]


def test_a_line_to_check_leads_to_the_argument_it_is_about():
    told = view(with_judgement(DECIDED)).digest
    assert [line.id for line in told.check_first] == ["PRO-1", "PRO-3", "PRO-2"]


def test_without_a_verdict_the_digest_does_not_say_how_sure_it_is():
    assert view(with_judgement(SAMPLES["no_quorum"])).digest.sure is None


def test_an_unjudged_debate_has_a_bottom_line_that_says_so():
    told = view(unjudged("structured")).digest
    assert (told.judged, told.bottom_line, told.sure) == (False, wording.UNJUDGED, None)


def test_a_summary_by_a_model_is_shown_with_who_wrote_it_and_what_was_dropped():
    sentence = SummarySentence(text="It is late.", ids=("PRO-1",), quote="the bus is late")
    summary = ExecutiveSummary(run_id="s", model="acme", sentences=(sentence,), dropped=1)
    shown = view(judged("structured").model_copy(update={"summary": summary})).model_summary
    assert (shown.title, shown.sentences) == ("Summary written by a model (acme)", (sentence,))
    assert shown.key == "Code checked that each quote stands in an argument it cites. 1 sentence was dropped."
    assert view(judged("structured")).model_summary is None


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
    assert first.remarks == ("attempt 1 was not accepted: the answer is empty",)


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
    assert [remark for remark in told if "pro_1 went over" in remark] == [
        "penalty: -2 pro_1, -3 team pro; pro_1 went over the word limit, 900 words of 750"
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
    assert penalised(one) == "penalty: −2 con_2; con_2 left the motion (judges: alpha and beta)"


def test_an_unjudged_competition_shows_what_one_judge_thought_as_such():
    told = [r for speech in view(unjudged("competition")).speeches for r in speech.remarks]
    assert told
    assert all(remark.endswith("(one judge says so)") for remark in told)


def test_a_note_is_told_once():
    found = view(unjudged("competition"))
    assert {thought.kind for thought in found.thoughts}.isdisjoint({"form", "points", "violation", "penalty"})


def issues_in(proceedings):
    """Issue, question and state, as an unjudged view tells them."""
    told = view(Dossier(proceedings=proceedings)).result_sections
    return next(section.table.rows for section in told if section.title == "Issues")


def test_a_docket_is_told_with_its_questions_and_what_became_of_them():
    rows = issues_in(played(gold_debates()["archive_move"]).proceedings)
    assert {issue: state.partition(":")[0] for issue, _, state in rows} == {
        "D-1": "agreed",
        "D-2": "replaced",
        "D-3": "agreed",
    }
    assert rows[0][2] == "agreed: no"
    assert all(question for _, question, _ in rows)


def test_an_agenda_without_a_docket_is_open():
    dossier = unjudged("moderated")
    notes = tuple(note for note in dossier.proceedings.notes if note.kind != "docket")
    proceedings = dossier.proceedings.model_copy(update={"notes": notes})
    assert {state for _, _, state in issues_in(proceedings)} == {"open"}


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (Played(), "Finished. Not judged yet."),
        (Failed(code="seat_failed", reason="nobody is there."), "It broke off: nobody is there."),
        (Cancelled(by="Ada"), "It was stopped by Ada."),
        (BudgetStopped(spent=0.4, cap=0.5), "It stopped at its budget of 0.50 USD."),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_how_it_ended_is_a_sentence(ending, told):
    proceedings = unjudged("structured").proceedings.model_copy(update={"ending": ending})
    assert view(Dossier(proceedings=proceedings)).summary == told
