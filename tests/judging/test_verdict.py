"""One outcome by rule, its precedence, and what no panel may decide."""

import pytest

from hustings.errors import SeatFailed
from hustings.judging.board import Board, Team
from hustings.judging.judgement import Gap, IssueResult, Judge, Reliability, Total
from hustings.judging.quorum import SeatsHeard, Sheets, tally, voices
from hustings.judging.reliability import doublings, reliability
from hustings.judging.totals import gap, observed, side_totals
from hustings.judging.verdict import degraded, verdict
from hustings.transcript.models import Participant
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum
from tests.protocols.playing import play, with_words

from .givens import Given
from .panels import ONE, PRO, SIDE_OF, all_alike, first_shown_wins, panel
from .records import record

FAMILIES = {"a": "alpha", "b": "beta", "c": "gamma"}
SEATS = ("ada", "ben", "chi")


def grounds(mark, *, declared="abc", heard="abc", families=FAMILIES, words=None, **other):
    """A 3×2 panel, of which some were heard; each sheet is the whole of an observation."""
    seen = panel(mark, judges=heard)
    words = words or {}
    return Given(
        panel=[Judge(seat=j, model=f"{j}/1", family=families[j], asked=2, accepted=2 * (j in heard)) for j in declared],
        sheets={(judge, order): Sheets(1, int(judge in heard)) for judge in declared for order in range(2)},
        totals=side_totals(seen, ONE, SIDE_OF, "seed"),
        gap=gap(seen, ONE, SIDE_OF, ("pro", "con"), "seed"),
        reliability=reliability(seen, observed(seen, ONE), words, SIDE_OF, "seed"),
        doublings=doublings(words, SIDE_OF, ("pro", "con")),
        **other,
    )


def pro_leads(judge, order, item):
    return (7.0 if item in PRO else 5.0) + int(item[-1]) % 2


CLEAN = grounds(pro_leads)
VOTES = tally(SEATS, dict.fromkeys(SEATS, "yes"), ("yes", "no"))
LOW = Reliability(word="do not rely", items=6, judges=3, observations=6, alpha=0.4)


def gap_by(value, low, high, word):
    return Gap(sides=("pro", "con"), value=value, interval=(low, high), word=word)


# -- null tests --------------------------------------------------------------------------


def test_a_panel_that_agrees_on_a_lead_decides_and_nothing_weakens_it():
    outcome, reason, weak = verdict(CLEAN)
    assert outcome == Decided(what="pro", extent="full", margin=2, interval=(2, 2))
    assert reason == "Pro argued better, by 2.0 points out of 10 (95% range 2.0 to 2.0)."
    assert weak == ()


def test_identical_sides_are_too_close():
    outcome, reason, _ = verdict(grounds(all_alike))
    assert (outcome.kind, outcome.margin, outcome.interval) == ("too_close", 0, (0, 0))
    assert reason == "The sides are less than a point apart."


def test_a_bonus_for_whoever_is_first_is_too_close_and_said():
    outcome, _, weak = verdict(grounds(first_shown_wins))
    assert (outcome.kind, outcome.margin) == ("too_close", 0)
    assert outcome.interval[0] < 0 < outcome.interval[1]
    assert "Order matters: arguments read first scored 2.0 points higher" in weak


def test_a_padded_side_does_not_win_with_judges_who_love_length():
    words = {item: 300 if item in PRO else 100 for item in SIDE_OF}
    outcome, _, weak = verdict(grounds(lambda judge, order, item: 9.0 if item in PRO else 5.0, words=words))
    assert (outcome.kind, outcome.reasons) == ("too_close", ("The difference in length explains the gap",))
    assert any(why.startswith("Longer arguments scored higher, 2.5 points for twice the length") for why in weak)


def test_a_shorter_side_wins_although_judges_love_length():
    words = {item: 100 * int(item[-1]) // (2 if item in PRO else 1) for item in SIDE_OF}
    found = grounds(lambda judge, order, item: 2.0 * (item in PRO) + 2.0 * int(item[-1]), words=words)
    assert found.reliability.length_slope > 0.5
    assert found.doublings == -1
    assert verdict(found)[0].kind == "decided"


def test_seats_that_vote_for_themselves_have_no_quorum():
    own = tally(SEATS, {seat: seat for seat in SEATS}, SEATS)
    outcome, reason, _ = verdict(CLEAN.but(votes=own))
    assert (outcome.kind, reason) == ("no_quorum", "Too few valid answers: 0 of 3 speakers.")


def test_garbage_from_everybody_is_no_quorum():
    outcome, _, _ = verdict(grounds(pro_leads, heard=""))
    assert outcome == NoQuorum(needed=4, had=0, families=(), abstentions=6)


def test_garbage_from_one_judge_of_three_weakens_what_the_others_decide():
    outcome, _, weak = verdict(grounds(pro_leads, heard="ab", families=FAMILIES | {"c": "beta"}))
    assert (outcome.kind, outcome.margin) == ("decided", 2)
    assert weak == ("Judge c gave no usable scores", "2 of 6 judge answers were unusable")


def test_one_missing_family_of_three_weakens_what_the_others_decide():
    outcome, _, weak = verdict(grounds(pro_leads, heard="ab"))
    assert outcome.kind == "decided"
    assert weak[0] == "No judge of the family gamma gave usable scores"


def test_two_missing_families_of_three_are_no_quorum():
    outcome, reason, _ = verdict(grounds(pro_leads, heard="a"))
    assert outcome == NoQuorum(needed=4, had=2, families=("alpha",), abstentions=4)
    assert reason == "Too few judges gave usable scores: 2 of 6 readings count, 4 are needed."


def test_enough_judges_of_one_family_are_no_quorum_where_two_were_declared():
    outcome, reason, _ = verdict(grounds(pro_leads, heard="ab", families={"a": "alpha", "b": "alpha", "c": "beta"}))
    assert outcome == NoQuorum(needed=2, had=1, families=("alpha",), abstentions=2)
    assert reason == "The judges are 1 kind of model, and 2 are needed."


def test_a_panel_of_one_family_may_decide_and_is_never_called_independent():
    outcome, _, weak = verdict(grounds(pro_leads, families=dict.fromkeys("abc", "alpha")))
    assert outcome.kind == "decided"
    assert weak == ("All judges are one kind of model (alpha)",)


# -- precedence --------------------------------------------------------------------------

FAILED, CANCELLED = Failed(code="Malformed", reason="no opening."), Cancelled(by="chair")
BROKE, MUTE = BudgetStopped(spent=1, cap=1), SeatsHeard(needed=3, had=2, why_not="con did not speak in closing")
STUCK = {"D-1": "deadlocked"}
EVEN = gap_by(0.2, -1, 1, "evenly matched")
LADDER = [
    ("failed", {"judging": FAILED}),
    ("cancelled", {"debate": CANCELLED}),
    ("budget_stopped", {"debate": BROKE}),
    ("no_quorum", {"voices": MUTE}),
    ("deadlocked", {"issues": STUCK}),
    ("too_close", {"gap": EVEN}),
    ("decided", {}),
]


@pytest.mark.parametrize("step", range(len(LADDER)))
def test_of_several_outcomes_the_first_in_precedence_holds(step):
    found = CLEAN
    for _, facts in reversed(LADDER[step:]):
        found = found.ended(**facts) if facts.keys() & {"debate", "judging"} else found.but(**facts)
    assert verdict(found)[0].kind == LADDER[step][0]


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (FAILED, "broke off: no opening."),
        (CANCELLED, "was stopped by chair."),
        (BROKE, "stopped at its budget: 1.00 of 1.00 USD spent."),
    ],
)
@pytest.mark.parametrize(("where", "what"), [("debate", "The debate"), ("judging", "Judging")])
def test_what_stopped_is_the_outcome_and_says_where(ending, reason, where, what):
    assert verdict(CLEAN.ended(**{where: ending}))[:2] == (ending, f"{what} {reason}")


def test_missing_voices_are_no_quorum():
    outcome, reason, _ = verdict(CLEAN.but(voices=MUTE))
    assert outcome == NoQuorum(needed=3, had=2)
    assert reason == "Too few speakers answered: con did not speak in closing."


# -- quorum ------------------------------------------------------------------------------


@pytest.mark.parametrize(("accepted", "kind"), [(5, "decided"), (4, "no_quorum")])
def test_an_observation_is_one_with_half_of_its_sheets(accepted, kind):
    sheets = {key: Sheets(10, accepted) for key in CLEAN.sheets}
    assert verdict(CLEAN.but(sheets=sheets))[0].kind == kind


def test_where_there_was_nothing_to_judge_no_judge_is_missing():
    found = CLEAN.but(votes=VOTES, sheets={key: Sheets(0, 0) for key in CLEAN.sheets})
    outcome, _, weak = verdict(found)
    assert (outcome.kind, weak) == ("decided", ())


@pytest.mark.parametrize(("unscored", "kind"), [(1, "decided"), (2, "no_quorum")])
def test_more_than_a_third_of_a_side_unscored_is_no_quorum(unscored, kind):
    totals = [Total(side="pro", score=7, scored=3 - unscored, unscored=unscored), CLEAN.totals[1]]
    outcome, _, weak = verdict(CLEAN.but(totals=totals))
    has = "has" if unscored == 1 else "have"
    assert (outcome.kind, weak) == (kind, (f"{unscored} of Pro's 3 arguments {has} no score",))


def test_what_is_unscored_of_a_competition_are_speeches():
    totals = [Total(side="pro", score=None, scored=1, unscored=2), CLEAN.totals[1]]
    _, reason, _ = verdict(CLEAN.but(totals=totals, by_speech=True))
    assert reason == "Too little was scored: 2 of Pro's 3 speeches have no score."


def test_what_is_unscored_does_not_void_a_vote():
    totals = [Total(side="ada", score=None, scored=0, unscored=1)]
    assert verdict(CLEAN.but(totals=totals, votes=VOTES))[0].kind == "decided"


# -- points ------------------------------------------------------------------------------


def test_the_second_side_wins_with_its_own_interval():
    outcome, _, _ = verdict(CLEAN.but(gap=gap_by(-2.0, -2.5, -1.5, "lead")))
    assert outcome == Decided(what="con", extent="full", margin=2, interval=(1.5, 2.5))


def test_a_gap_whose_range_contains_zero_is_said_to_be_chance_perhaps():
    assert verdict(CLEAN.but(gap=gap_by(2.0, -1, 5, "evenly matched")))[0].reasons == ("The gap could be chance",)


def test_judges_who_disagree_need_a_significant_gap():
    outcome, _, weak = verdict(CLEAN.but(reliability=LOW))
    assert outcome.reasons == ("The judges disagree (α 0.40), and a lead of 3 points or less is too small for that",)
    assert weak == ("The judges disagree (α 0.40)",)


def test_judges_who_disagree_may_decide_a_significant_gap():
    found = CLEAN.but(reliability=LOW, gap=gap_by(4.0, 3.5, 4.5, "significant"))
    outcome, reason, weak = verdict(found)
    assert outcome.kind == "decided"
    assert reason.startswith("Pro argued better by far, by 4.0 points out of 10")
    assert weak


def test_one_judge_alone_is_not_known_to_agree():
    found = grounds(pro_leads, declared="a", heard="a")
    outcome, _, weak = verdict(found)
    assert outcome.reasons == (
        "Judge agreement can't be measured, and a lead of 3 points or less is too small for that",
    )
    assert weak == ("All judges are one kind of model (alpha)", "Judge agreement can't be measured")


def test_teams_that_rank_otherwise_per_speech_are_too_close():
    ranked = [("pro", 60.0, 7.0), ("con", 70.0, 6.0)]
    teams = tuple(Team(team=t, speeches=s, penalties=0, total=s, per_speech=m) for t, s, m in ranked)
    board = Board(individuals=(), teams=teams, penalties=(), stages=(), best=())
    outcome, _, _ = verdict(CLEAN.but(board=board))
    assert outcome.reasons == ("The teams rank differently by points per speech than by total",)


@pytest.mark.parametrize(
    ("judges", "kin", "told"),
    [
        ("abc", "b", "1 of 3 judges is the same kind of model as a speaker"),
        ("abc", "bc", "2 of 3 judges are the same kind of model as a speaker"),
        ("a", "a", "The judge is the same kind of model as a speaker"),
    ],
)
def test_a_judge_of_a_speaker_s_kind_is_told(judges, kin, told):
    panel = [judge.model_copy(update={"kin": judge.seat in kin}) for judge in CLEAN.panel if judge.seat in judges]
    assert told in verdict(CLEAN.but(panel=panel))[2]


@pytest.mark.parametrize(
    ("lost", "told"), [(1, "1 of 6 judge answers was unusable"), (2, "2 of 6 judge answers were unusable")]
)
def test_judge_answers_that_were_unusable_are_counted(lost, told):
    sheets = {key: Sheets(1, int(n >= lost)) for n, key in enumerate(CLEAN.sheets)}
    assert told in verdict(CLEAN.but(sheets=sheets))[2]


@pytest.mark.parametrize(
    ("dropped", "told"),
    [
        (1, "1 score was dropped because its quote was not found"),
        (2, "2 scores were dropped because their quotes were not found"),
    ],
)
def test_scores_without_a_quote_are_counted(dropped, told):
    assert verdict(CLEAN.but(unfounded=dropped))[2] == (told,)


def test_every_limit_begins_like_a_sentence_and_does_not_end_like_one():
    """They are joined by full stops."""
    weak = grounds(first_shown_wins, heard="ab").but(reliability=LOW, unfounded=1, issues={"D-1": "open"})
    found = verdict(weak)[2]
    assert len(found) > 3
    assert [line for line in found if line[0].islower() or line.endswith(".")] == []


def test_without_anything_to_decide_by_nothing_is_decided():
    outcome, _, _ = verdict(Given())
    assert (outcome.kind, outcome.margin) == ("too_close", 0)


# -- votes and issues --------------------------------------------------------------------


def test_votes_decide_before_points():
    outcome, reason, _ = verdict(CLEAN.but(votes=VOTES))
    assert outcome == Decided(what="yes", extent="full", margin=3)
    assert reason == "3 of 3 speakers say yes."


def test_a_vote_without_a_majority_is_too_close():
    split = tally(SEATS, {"ada": "yes", "ben": "no"}, ("yes", "no"))
    outcome, reason, _ = verdict(CLEAN.but(votes=split))
    assert outcome.kind == "too_close"
    assert reason == "The speakers ended split: 1 at yes; 1 at no; 1 silent."


@pytest.mark.parametrize(
    ("issues", "outcome"),
    [
        ({"D-1": "converged", "D-3": "converged"}, Decided(what="D-1: no; D-3: no", extent="full")),
        ({"D-1": "converged", "D-2": "open"}, Decided(what="D-1: no", extent="partial")),
        ({"D-1": "converged", "D-2": "deadlocked"}, Decided(what="D-1: no", extent="partial")),
        ({"D-1": "deadlocked", "D-2": "open"}, Deadlocked(issues=("D-1", "D-2"))),
        ({"D-1": "open"}, Deadlocked(issues=("D-1",))),
    ],
)
def test_issues_decide_before_a_split_vote(issues, outcome):
    split = tally(SEATS, {"ada": "yes", "ben": "no"}, ("yes", "no"))
    settled = tuple(
        IssueResult(id=issue, question="Is it?", state=state, answer="no" if state == "converged" else "")
        for issue, state in issues.items()
    )
    assert verdict(CLEAN.but(votes=split, issues=issues, settled=settled))[0] == outcome


def test_where_issues_converged_the_answer_of_most_seats_to_the_question_itself_comes_first():
    settled = (IssueResult(id="D-1", question="Is it?", state="converged", answer="no"),)
    outcome, reason, _ = verdict(CLEAN.but(votes=VOTES, issues={"D-1": "converged"}, settled=settled))
    assert outcome == Decided(what="yes", extent="full", margin=3)
    assert reason == "3 of 3 speakers say yes. D-1: no."


# -- voices ------------------------------------------------------------------------------


def heard(protocol, actor=None, **settings):
    return voices(play(protocol, actor, **settings).proceedings.transcript)


def table(*rounds, seats=("ada", "ben", "chi", "dora"), planned=None):
    found = record(*rounds, planned=planned)
    found.participants = [Participant(agent_id=seat, role="panelist") for seat in seats]
    found.participants.append(Participant(agent_id="moderator", role="moderator"))
    return voices(found)


@pytest.mark.parametrize("protocol", ["structured", "competition", "roundtable", "moderated", "adaptive"])
def test_a_debate_in_which_everybody_speaks_has_its_voices(protocol):
    assert heard(protocol).why_not == ""


def test_a_side_that_does_not_close_is_missed():
    found = heard("structured", with_words({"con closing": [SeatFailed("con left")] * 3}))
    assert found == SeatsHeard(needed=3, had=2, why_not="con did not speak in closing")


def test_a_team_may_miss_one_speech_of_a_stage_but_not_the_stage():
    lost = record(("free debate 1", ("pro_1", "con_1")), ("free debate 2", ("pro_2", "(con_2)")))
    gone = record(("opening", ("pro_1", "con_1")), ("free debate 1", ("pro_2", "(con_2)")))
    assert [voices(one).why_not for one in (lost, gone)] == ["", "con did not speak in free debate"]


def test_a_team_that_is_gone_is_missed():
    found = heard("competition", lambda call: SeatFailed("gone") if call.seat.team == "con" else with_words({})(call))
    assert "con did not speak in opening" in found.why_not


def test_two_sides_that_say_nothing_are_not_heard():
    assert voices(record()) == SeatsHeard(needed=1, had=0, why_not="nobody spoke")


@pytest.mark.parametrize(
    ("last", "why_not"),
    [
        (("ada", "ben", "chi", "(dora)"), ""),
        (("ada", "ben", "(chi)", "(dora)"), "2 of 4 seats spoke in the last pass, and 3 are needed"),
    ],
)
def test_more_than_half_of_a_table_speak_in_its_last_round(last, why_not):
    assert table(("round 1", ("ada", "ben", "chi", "dora")), ("round 2", last)).why_not == why_not


def test_one_voice_is_no_debate():
    assert table(("round 1", ("ada",))).why_not == "1 of 1 seats spoke in the last pass, and 2 are needed"


def test_where_questions_go_to_one_at_a_time_the_last_pass_goes_back_until_everybody_was_asked():
    exchanges = [(f"exchange {n}", ("moderator", seat)) for n, seat in enumerate(("ada", "ben", "ada"), 1)]
    assert table(("openings", ("ada", "ben", "chi", "(dora)")), *exchanges) == SeatsHeard(needed=3, had=3)


def test_seats_that_were_never_asked_are_not_missed():
    assert table(("positions 1", ("ada", "ben"))) == SeatsHeard(needed=2, had=2)


def test_an_empty_record_has_no_voices():
    assert table() == SeatsHeard(needed=2, had=0, why_not="0 of 0 seats spoke in the last pass, and 2 are needed")


def test_that_one_moderator_read_the_issues_is_said():
    assert "Only the moderator judged what was agreed" in verdict(CLEAN.but(issues={"D-1": "open"}))[2]


def test_that_the_debaters_are_unknown_is_said():
    assert any(said.startswith("Debaters unknown") for said in degraded(Given(strangers=True)))
    assert not any(said.startswith("Debaters unknown") for said in degraded(Given()))
