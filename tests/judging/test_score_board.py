"""A board worked by hand, what costs points and what does not, and a whole competition."""

import pytest

from hustings.judging.board import Board, Team
from hustings.judging.judgement import Flag
from hustings.judging.score_board import board, rankings_differ
from hustings.rubrics.argument import ArgumentScore
from hustings.rubrics.speech import SpeechScore
from hustings.transcript.notes import Note, Subject
from tests.protocols.playing import notes, play, turns

from .records import TEAMS, THEN, record


def note(kind, body, turn_id=None):
    about = (Subject(turn_id=turn_id),) if turn_id else ()
    return Note(note_id="n", kind=kind, by="rules", about=about, created_at=THEN, body=body)


def penalty(rule, seat, turn_id, individual, on_team, **facts):
    body = {"rule": rule, "seat": seat, "team": TEAMS[seat], "individual": individual, "on_team": on_team, **facts}
    return note("penalty", body, turn_id)


def flag(rule, turn_id, *families, seat="con_2", quote="Words."):
    return Flag(kind=rule, about=turn_id, seat=seat, quote=quote, families=families)


def score(transcript, scores, notes=(), flags=()):
    return board(transcript, notes, scores, flags, SpeechScore)


def totals(found):
    return {one.seat: one.total for one in found.individuals} | {team.team: team.total for team in found.teams}


EXAMPLE = record(
    ("opening", ("pro_1", "con_1")),
    ("cross-examination by pro_2", ("pro_2", "con_2")),
    ("cross-examination summaries", ("pro_1", "con_1")),
    ("free debate 1", ("pro_2", "con_2")),
    ("closing", ("con_1", "pro_2")),
    kinds={"r2.t0": "questions", "r2.t1": "answers"},
)
SCORES = {
    "r1.t0": 7.5, "r1.t1": 6.0, "r2.t0": 8.0, "r2.t1": 5.5, "r3.t0": 7.0,
    "r3.t1": 6.5, "r4.t0": 6.0, "r4.t1": 4.0, "r5.t0": 6.0, "r5.t1": None,
}  # fmt: skip
NOTES = [
    penalty("overtime", "con_1", "r1.t1", -2, -3, words=800, allowed=750),
    penalty("counter_question", "con_2", "r2.t1", -2, 0, provisional=True),
    penalty("attacker_answered", "pro_2", "r2.t0", -2, 0, provisional=True),
    note("summary of the openings", {"clashes": ["Who pays"], "dropped": []}),
    note("summary of the cross-examination", {"clashes": [], "dropped": ["The buses"]}),
]
FLAGS = [
    flag("counter_question", "r2.t1", "alpha"),
    flag("counter_question", "r2.t1", "beta", quote="Words"),
    flag("attacker_answered", "r2.t0", "alpha", seat="pro_2"),
    flag("off_topic", "r4.t1", "alpha", "beta"),
]
BOARD = score(EXAMPLE, SCORES, NOTES, FLAGS)


# -- worked by hand ----------------------------------------------------------------------


def test_individuals_are_their_speeches_and_penalties():
    assert [(one.seat, one.penalties, one.total, one.per_speech) for one in BOARD.individuals] == [
        ("pro_1", 0, 14.5, 7.25),
        ("pro_2", 0, 14.0, 7.0),
        ("con_1", -2, 16.5, 6.166667),
        ("con_2", -2, 7.5, 4.75),
    ]


def test_teams_are_their_individuals_and_team_penalties():
    assert [(t.team, t.speeches, t.penalties, t.total, t.per_speech) for t in BOARD.teams] == [
        ("pro", 28.5, 0, 28.5, 7.125),
        ("con", 28.0, -7, 21.0, 5.6),
    ]


def test_penalties_say_who_found_them():
    assert [(p.rule, p.seat, p.turn_id, p.individual, p.on_team, p.found_by, p.families) for p in BOARD.penalties] == [
        ("overtime", "con_1", "r1.t1", -2, -3, "rules", ()),
        ("counter_question", "con_2", "r2.t1", -2, 0, "panel", ("alpha", "beta")),
    ]


def test_stages_carry_the_points_of_each_team_and_the_summary_of_the_judge():
    assert [(s.label, s.teams, s.clashes, s.dropped) for s in BOARD.stages] == [
        ("opening", {"pro": 7.5, "con": 6.0}, ("Who pays",), ()),
        ("cross-examination", {"pro": 15.0, "con": 12.0}, (), ("The buses",)),
        ("free debate", {"pro": 6.0, "con": 4.0}, (), ()),
        ("closing", {"pro": 0.0, "con": 6.0}, (), ()),
    ]


def test_the_best_debater_has_the_highest_total_though_others_speak_better():
    assert BOARD.best == ("con_1",)


# -- sums --------------------------------------------------------------------------------


def test_penalties_take_totals_below_zero():
    found = score(record(("opening", ("pro_1",))), {"r1.t0": 1.0}, [penalty("overtime", "pro_1", "r1.t0", -2, -3)] * 2)
    assert (totals(found)["pro_1"], totals(found)["pro"]) == (-3, -9)


def test_whoever_never_spoke_is_not_best_even_if_all_others_are_below_zero():
    found = score(record(("opening", ("pro_1",))), {"r1.t0": 1.0}, [penalty("overtime", "pro_1", "r1.t0", -2, -3)])
    assert found.best == ("pro_1",)


def test_equal_totals_share_the_title_whatever_way_they_were_added_up():
    found = score(
        record(("opening", ("pro_1", "con_1")), ("free debate 1", ("pro_1", "con_1")), ("closing", ("con_1", "pro_1"))),
        {"r1.t0": 0.1, "r2.t0": 0.2, "r3.t1": 0.3, "r1.t1": 0.6, "r2.t1": 0.0, "r3.t0": 0.0},
    )
    assert found.best == ("pro_1", "con_1")


def test_without_scores_nobody_is_best():
    assert score(EXAMPLE, {}).best == ()


def test_a_lost_turn_is_no_speech():
    found = score(record(("opening", ("(pro_1)", "con_1"))), {"r1.t0": 9.0, "r1.t1": 5.0})
    assert (found.individuals[0].speeches, totals(found)["pro"]) == ({}, 0)


def test_a_round_of_no_known_stage_is_a_stage_by_itself():
    assert [stage.label for stage in score(record(("encore", ("pro_1",))), {"r1.t0": 5.0}).stages] == ["encore"]


# -- penalties ---------------------------------------------------------------------------


def test_flags_of_one_family_cost_nothing():
    assert score(EXAMPLE, SCORES, flags=[flag("counter_question", "r2.t1", "alpha")] * 2).penalties == ()


def test_a_rule_broken_twice_in_one_speech_costs_once():
    flags = [flag("counter_question", "r2.t1", "alpha", "beta", quote=quote) for quote in ("Words.", "Words")]
    assert len(score(EXAMPLE, SCORES, flags=flags).penalties) == 1


@pytest.mark.parametrize("turn_id", ["r1.t0", "r9.t9"])
def test_a_rule_costs_only_whoever_it_binds(turn_id):
    assert score(EXAMPLE, SCORES, flags=[flag("counter_question", turn_id, "alpha", "beta")]).penalties == ()


def test_a_team_that_speaks_twice_running_in_free_debate_pays():
    found = score(record(("free debate 1", ("pro_1", "con_1")), ("free debate 2", ("con_2", "pro_2"))), {})
    assert [(p.rule, p.seat, p.turn_id, p.individual, p.on_team) for p in found.penalties] == [
        ("consecutive_team", "con_2", "r2.t0", 0, -3)
    ]
    assert totals(found)["con"] == -3


def test_nobody_pays_for_what_the_record_has_already_charged():
    transcript = record(("free debate 1", ("pro_1", "con_1")), ("free debate 2", ("con_2", "pro_2")))
    assert len(score(transcript, {}, [penalty("consecutive_team", "con_2", "r2.t0", 0, -3)]).penalties) == 1


def test_outside_free_debate_a_team_may_go_on():
    assert score(record(("closing", ("con_1",)), ("closing", ("con_2",))), {}).penalties == ()


@pytest.mark.parametrize("spoken", [("pro_1", "(con_1)"), ("pro_1",)])
def test_a_team_does_not_pay_for_the_silence_of_the_other(spoken):
    planned = {"free debate 1": ["pro_1", "con_1"]}
    transcript = record(("free debate 1", spoken), ("free debate 2", ("pro_2", "con_2")), planned=planned)
    assert score(transcript, {}).penalties == ()


def test_a_rubric_without_a_price_lets_a_team_go_on():
    transcript = record(("free debate 1", ("pro_1",)), ("free debate 2", ("pro_2",)))
    assert board(transcript, [], {}, [], ArgumentScore).penalties == ()


# -- rankings ----------------------------------------------------------------------------


def teams(*figures):
    ranked = tuple(
        Team(team=f"t{n}", speeches=total, penalties=0, total=total, per_speech=mean)
        for n, (total, mean) in enumerate(figures)
    )
    return Board(individuals=(), teams=ranked, penalties=(), stages=(), best=())


@pytest.mark.parametrize(
    ("figures", "differ"),
    [
        ([(70.0, 7.0), (60.0, 6.0)], False),
        ([(70.0, 6.0), (60.0, 7.0)], True),
        ([(70.0, 7.0), (60.0, 7.0)], True),
        ([(70.0, 7.0), (70.0, 7.0)], False),
        ([(70.0, 7.0), (0.0, None)], False),
        ([(70.0, 7.0), (60.0, 6.0), (50.0, 6.5)], True),
    ],
)
def test_rankings_differ_when_speaking_more_is_what_won(figures, differ):
    assert rankings_differ(teams(*figures)) is differ


# -- a whole competition -----------------------------------------------------------------

PLAYED = play("competition")
WHOLE = score(
    PLAYED.proceedings.transcript,
    {turn.turn_id: 5.0 + n % 4 for n, turn in enumerate(turns(PLAYED))},
    PLAYED.proceedings.notes,
)


def test_the_stages_of_a_team_add_up_to_its_speeches():
    assert [sum(stage.teams[team.team] for stage in WHOLE.stages) for team in WHOLE.teams] == [
        team.speeches for team in WHOLE.teams
    ]


def test_a_team_is_its_individuals_and_what_it_pays_itself():
    own = {team.team: sum(p.on_team for p in WHOLE.penalties if p.team == team.team) for team in WHOLE.teams}
    members = {team.team: sum(i.total for i in WHOLE.individuals if i.team == team.team) for team in WHOLE.teams}
    assert {team.team: team.total for team in WHOLE.teams} == {name: members[name] + own[name] for name in own}


def test_the_stages_of_a_competition_have_their_summaries():
    assert [stage.label for stage in WHOLE.stages] == ["opening", "cross-examination", "free debate", "closing"]
    kinds = ("the openings", "the cross-examination", "the free debate", "the closings")
    said = [notes(PLAYED, f"summary of {kind}")[0].body for kind in kinds]
    assert [list(stage.clashes) for stage in WHOLE.stages] == [body["clashes"] for body in said]
    assert [list(stage.dropped) for stage in WHOLE.stages] == [body["dropped"] for body in said]


def test_what_the_judge_at_the_table_flags_costs_nothing():
    assert [note for note in notes(PLAYED, "violation") if note.body.get("provisional")]
    assert {p.rule for p in WHOLE.penalties} <= {"overtime", "attacker_answered"}


def test_what_code_found_during_the_debate_stands_on_the_final_board():
    found = [(note.body["rule"], note.about[0].turn_id) for note in notes(PLAYED, "penalty")]
    assert [(one.rule, one.turn_id) for one in WHOLE.penalties if one.found_by == "rules"] == found
