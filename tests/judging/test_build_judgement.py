"""From the marks of a panel to a judgement, for every protocol and every way a debate can end."""

import json
import os
import subprocess
import sys

import pytest

from hustings.errors import SeatFailed, Unsuitable
from hustings.judging.arguments import argued
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_script
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.transcript.canonical import digest
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed

from .debaters import Debater, held
from .judges import fair, judge, mumbling, unreachable
from .judgings import EVERY, TOPIC, calls, concluded, debated, judged, judgement, judgement_of, noted, saying, shown

STRUCTURED = debated("structured")
GOOD, POOR = Debater("good", (8, 7, 8)), Debater("poor", (4, 5, 4))


def but(seat, other, usual=None):
    """A panel of fair judges, of whom one is another."""
    return lambda call: (other if call.seat.id == seat else usual or judge(fair))(call)


def ended(played, ending):
    """The same debate with another end."""
    proceedings = played.proceedings.model_copy(update={"ending": ending})
    return type(played)(played.debate, played.waves, proceedings, played.events)


# -- every protocol ----------------------------------------------------------------------


@pytest.mark.parametrize("protocol", EVERY)
def test_a_judgement_accounts_for_every_claim_and_every_judge(protocol):
    played = debated(protocol)
    sat = judged(played)
    found = concluded(sat)
    marked = {item for body in noted(sat, "marks") if body["rubric"] == "argument" for item in body["items"]}
    assert {traced.id for traced in found.trace} == marked
    assert [one.family for one in found.panel] == ["alpha", "beta", "gamma"]
    assert all(one.asked == one.accepted > 0 for one in found.panel)
    assert found.digest == digest(played.proceedings.transcript.document())


@pytest.mark.parametrize("protocol", EVERY)
def test_judging_leaves_the_record_as_it_is(protocol):
    played = debated(protocol)
    before = played.proceedings.model_dump_json()
    judgement(played)
    assert played.proceedings.model_dump_json() == before


@pytest.mark.parametrize(("voices", "better"), [((GOOD, POOR), "pro"), ((POOR, GOOD), "con")])
@pytest.mark.parametrize("protocol", ["structured", "competition"])
def test_fair_judges_find_the_side_that_argued_better(protocol, voices, better):
    found = judgement(held(protocol, voices), judge(fair))
    assert (found.outcome.kind, found.outcome.what) == ("decided", better)


@pytest.mark.parametrize(("judges", "orders"), [(1, 1), (1, 2), (5, 2)])
def test_a_panel_of_any_size_comes_to_a_judgement(judges, orders):
    found = judgement(STRUCTURED, judges=judges, orders=orders)
    assert len(found.panel) == judges
    assert found.reliability.observations == judges * orders


def test_the_same_marks_give_the_same_judgement():
    sat = judged(debated("roundtable"))
    assert concluded(sat).model_dump_json() == concluded(sat).model_dump_json()


@pytest.mark.nightly("two processes; tests/judging/test_end_to_end.py has three seeds on every change")
def test_the_same_marks_give_the_same_judgement_under_any_hash_seed():
    script = (
        "import sys; from tests.judging.judgings import debated, judgement;"
        "sys.stdout.write(''.join(judgement(debated(p)).model_dump_json() for p in ('structured', 'adaptive')))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_another_seed_draws_other_names_and_changes_no_fair_mark():
    one, other = (judgement(held("structured", (GOOD, POOR)), judge(fair), seed=seed) for seed in ("one", "two"))
    assert one.seed != other.seed
    assert one.totals == other.totals
    assert [traced.standing for traced in one.trace] == [traced.standing for traced in other.trace]


def test_without_a_debate_there_is_nothing_to_judge():
    with pytest.raises(Unsuitable, match="nothing to judge"):
        rehearse(plan(find_script("judging"), TOPIC), Improviser())


# -- how a debate can end ----------------------------------------------------------------


@pytest.mark.parametrize("protocol", EVERY)
@pytest.mark.parametrize(
    "ending",
    [Failed(code="script_error", reason="it broke"), Cancelled(by="ada"), BudgetStopped(spent=2.0, cap=1.0)],
    ids=lambda ending: ending.kind,
)
def test_a_debate_that_did_not_come_to_its_end_is_not_decided(protocol, ending):
    found = judgement(ended(debated(protocol), ending), judge(fair))
    assert found.outcome == ending
    assert found.reason.startswith("The debate ")


@pytest.mark.parametrize("ending", [Failed(code="crash"), Cancelled(by="ada"), BudgetStopped(spent=2.0, cap=1.0)])
def test_a_judging_that_did_not_come_to_its_end_decides_nothing(ending):
    assert concluded(ended(judged(STRUCTURED), ending)).outcome == ending


@pytest.mark.parametrize("protocol", EVERY)
def test_where_nobody_spoke_there_is_no_quorum_and_nobody_was_asked(protocol):
    played = debated(protocol, lambda call: SeatFailed("is away"))
    sat = judged(played)
    found = concluded(sat)
    assert found.outcome.kind in {"no_quorum", "failed"}
    assert not calls(sat)
    assert not [line for line in found.degraded if "unusable" in line or "usable scores" in line]
    assert found.trace == ()


@pytest.mark.parametrize("protocol", EVERY)
def test_a_debate_in_which_one_seat_was_silent_is_judged_all_the_same(protocol):
    gone = debated(protocol).debate.seats[-1].id if protocol != "competition" else "con_2"
    found = judgement(debated(protocol, but(gone, unreachable, Improviser())), judge(fair))
    assert found.reason
    assert gone not in {traced.seat for traced in found.trace}


# -- who was heard -----------------------------------------------------------------------


@pytest.mark.parametrize("silent", [mumbling, unreachable])
def test_a_judge_that_gives_nothing_usable_is_in_no_mean(silent):
    played = held("structured", (GOOD, POOR))
    usual, without = judgement(played, judge(fair)), judgement(played, but("judge_3", silent))
    assert [one.accepted > 0 for one in without.panel] == [True, True, False]
    assert without.totals[0].score == usual.totals[0].score
    assert without.reliability.judges == 2
    assert "No judge of the family gamma gave usable scores" in without.degraded


def test_judges_of_one_kind_are_the_reason_why_it_is_not_reliable_even_if_one_of_them_was_not_heard():
    found = judgement(held("structured", (GOOD, POOR)), but("judge_3", mumbling), families=["alpha"] * 3)
    assert (found.briefing.sure, found.briefing.sure_because) == (
        "Not reliable",
        "All judges are one kind of model.",
    )


def mostly_silent(call):
    """Gives one sheet of many, a wild one, and says of everybody that they ended at no."""
    if call.brief.name not in ("last words", "answer marks") or call.complaints:
        return unreachable(call)
    reply = json.loads(judge(lambda one: 1)(call).text)
    for stand in reply.get("stances", ()):
        stand["stands"] = "no"
    return Reply(json.dumps(reply), clock(call))


def test_a_judge_that_gave_less_than_half_of_its_sheets_is_not_heard_at_all():
    found = judgement(STRUCTURED, but("judge_3", mostly_silent))
    assert found.panel[2].accepted > 0
    assert found.reliability.observations == 4
    assert not [traced for traced in found.trace if 1.0 in traced.dimensions.values()]


def test_a_reading_by_a_judge_that_is_not_heard_moves_no_vote():
    voices = tuple(Debater(f"v{n}", (6,), stand="I say yes.") for n in range(3))
    actor = but("judge_1", mostly_silent, but("judge_2", mostly_silent))
    found = judgement(held("roundtable", voices), actor, items_per_sheet=1)
    assert found.outcome.kind == "no_quorum"
    assert found.votes.options == {"yes": 3, "no": 0}


def test_a_hint_by_a_judge_that_is_not_heard_is_none():
    def accusing(call):
        given = json.loads(judge(fair)(call).text)
        for row in given.get("marks", ()):
            if "fallacies" in row:
                row["fallacies"] = [{"kind": "ad_hominem", "quote": row["logic"]["quote"]}]
        return Reply(json.dumps(given), clock(call))

    def hardly(call):
        return accusing(call) if call.brief.name == "argument marks" else unreachable(call)

    assert judgement(STRUCTURED, but("judge_3", accusing)).flags
    assert not judgement(STRUCTURED, but("judge_3", hardly), items_per_sheet=12).flags


def test_a_clerk_that_fails_is_told_of():
    played = debated("roundtable", rounds=1)
    lost = judgement(played, but("clerk", mumbling))
    assert "Some speeches could not be split into arguments (3 failed readings)" in lost.degraded
    assert not [line for line in judgement(played, judge(fair)).degraded if "split into arguments" in line]


def test_a_judge_whose_family_nobody_named_is_of_one_of_its_own():
    assert [one.family for one in judgement(STRUCTURED, families=["alpha"]).panel] == ["alpha", "judge_2", "judge_3"]


def test_judges_of_a_debaters_family_are_told_apart():
    found = judgement(STRUCTURED, debaters=["beta"])
    assert [one.kin for one in found.panel] == [False, True, False]
    assert "1 of 3 judges is the same kind of model as a speaker" in found.degraded


# -- votes, issues, questions ------------------------------------------------------------


def test_where_sides_were_given_nobody_votes():
    sat = judged(STRUCTURED)
    assert concluded(sat).votes is None
    assert not calls(sat, "last words")


@pytest.mark.parametrize(("stands", "what"), [("yes yes no", "yes"), ("no no no", "no")])
def test_where_nobody_was_given_a_side_more_than_half_of_the_seats_decide(stands, what):
    voices = tuple(Debater(f"v{n}", (6,), stand=f"I say {stand}.") for n, stand in enumerate(stands.split()))
    found = judgement(held("roundtable", voices), judge(fair))
    assert (found.outcome.kind, found.outcome.what) == ("decided", what)
    assert found.votes.seats == 3


def test_between_which_answers_the_seats_may_stand_can_be_said():
    voices = tuple(Debater(f"v{n}", (6,), stand="I say later.") for n in range(3))
    found = judgement(held("roundtable", voices), judge(fair), options=["now", "later", "never"])
    assert found.votes.options == {"now": 0, "later": 3, "never": 0}


def test_no_answer_is_always_named_first():
    asked = calls(judged(debated("roundtable")), "final stances")
    for judge_ in {call.seat.id for call in asked}:
        first, second = (call.brief.choices["option"] for call in asked if call.seat.id == judge_)
        assert first[:-1] == second[-2::-1]
        assert first[-1] == second[-1] == "undecided"


def test_issues_come_from_the_last_docket():
    stands = ("yes", "no", "no")
    played = held("moderated", tuple(Debater(s, (6,), stand=f"I say {s}.", yields=True) for s in stands))
    last = noted(played, "docket")[-1]
    found = judgement(played, judge(fair))
    assert found.issues == {issue: body["state"] for issue, body in last.items()}
    assert [(one.id, one.answer, one.moved) for one in found.settled] == [("D-1", "no", tuple(last["D-1"]["moved"]))]
    assert found.outcome.kind == "decided"
    assert found.briefing.issues == ("Is it worth its price? No.",)


def test_issues_of_which_nothing_was_read_are_open():
    def answer(call):
        return SeatFailed("is away") if call.brief.name == "reading" else Improviser()(call)

    played = debated("moderated", answer)
    agenda = noted(played, "agenda")[-1]["issues"]
    assert not noted(played, "docket")
    assert judgement(played).issues == {issue["id"]: "open" for issue in agenda}


def test_questions_that_were_answered_weakly_are_left_to_check():
    case = argued(STRUCTURED.proceedings)
    asked = [question for r in case.responses if r.kind != "concede" for question in r.questions]
    weakly, well = (judgement(STRUCTURED, judge(lambda one, n=n: n)).briefing.unresolved for n in (4, 8))
    assert [question for question in asked if any(question in line for line in weakly)]
    assert not [question for question in asked if any(question in line for line in well)]


def test_questions_that_were_not_answered_are_left_to_check():
    def answer(call):
        lost = (call.seat.id, call.brief.name) == ("pro", "closing")
        return SeatFailed("is away") if lost else Improviser()(call)

    played = debated("structured", answer)
    put_to_pro = [r for r in argued(played.proceedings).responses if r.side == "con" and r.kind != "concede"]
    unresolved = judgement(played, judge(lambda one: 8)).briefing.unresolved
    assert all(any(q in line for line in unresolved) for r in put_to_pro for q in r.questions)


# -- rubrics -----------------------------------------------------------------------------

PITCH = '''"""A pitch."""
from typing import Annotated, ClassVar
from hustings.script.rubric import ReasonedMark, Rubric, Weight
ANY = ("none", "little", "some", "much", "all")
class PitchScore(Rubric):
    ask: ClassVar[str] = "Mark each argument as somebody who could fund it."
    need: Annotated[ReasonedMark, Weight(0.6, ANY)]
    plan: Annotated[ReasonedMark, Weight(0.4, ANY)]
'''


def test_a_rubric_of_another_package_takes_the_place_of_its_kind(installed):
    installed("pitch", PITCH, module="pitching", group="rubrics")
    sat = judged(held("structured", (GOOD, POOR)), judge(fair), rubric="pitch")
    found = concluded(sat)
    assert found.rubrics == ("AnswerScore", "ChallengeScore", "PitchScore")
    assert {frozenset(traced.dimensions) for traced in found.trace} == {frozenset({"need", "plan"})}
    assert all(traced.strength is not None for traced in found.trace)
    assert found.outcome.kind == "decided"
    assert any("as somebody who could fund it" in call.brief.text for call in calls(sat))


def test_speeches_can_be_marked_where_there_are_no_teams():
    found = judgement(debated("roundtable"), rubric="speech")
    assert "SpeechScore" in found.rubrics
    assert found.board is None
    assert {total.side for total in found.totals} == {"ada", "ben", "chi"}


def test_a_competition_has_a_score_board_and_nothing_else_has():
    boards = {protocol: judgement_of(protocol).board for protocol in EVERY}
    assert [protocol for protocol, board in boards.items() if board] == ["competition"]
    assert [team.team for team in boards["competition"].teams] == ["pro", "con"]


# -- standings ---------------------------------------------------------------------------


def test_a_conceded_argument_is_scored_although_its_author_had_nothing_to_answer():
    def unanswerable(call):
        """As honest judges do: no score for an answer where nothing was said against it."""
        given = json.loads(judge(fair)(call).text)
        for row in given.get("marks", ()):
            if "responsiveness" in row:
                row["responsiveness"] = {"score": None, "quote": "", "reason": ""}
        return Reply(json.dumps(given), clock(call))

    def concede(call):
        given = json.loads(Improviser()(call).text)
        for response in given.get("responses", ()):
            response["kind"] = "concede"
        return Reply(json.dumps(given), clock(call))

    found = judgement(debated("structured", concede), unanswerable)
    assert [total.unscored for total in found.totals] == [0, 0]


def test_claims_that_have_nothing_to_do_with_them_change_no_standing():
    more = f"{'And so it goes on, day by day. ' * 6}"
    words = (
        f"The market has grown by a third. Dogs are fond of it. {more}",
        f"It has not grown at all. Cats are not there. {more}",
    )
    played = debated("roundtable", saying(*words), seats=2, rounds=1)

    def answer(call):
        if call.brief.name == "claims":
            (text,) = shown(call).values()
            said = [part.strip() for part in text.split(". ")[:2]]
            drawn = [{"quote": part, "claim": "It is said so.", "issue": None} for part in said]
            return Reply(json.dumps({"drawn": drawn}), clock(call))
        if call.brief.name == "relations":
            ends = {"source": "here-1", "target": "before-1"}
            relation = {"quote": "It has not grown at all", **ends, "kind": "refute", "extent": None}
            return Reply(json.dumps({"relations": [relation]}), clock(call))
        return judge(lambda one: 8 if "third" in one.words.split("\n")[0] else 6)(call)

    few, many = (judgement(played, answer, claims_per_turn=n).trace for n in (1, 2))
    assert (len(few), len(many)) == (2, 4)
    later = {traced.id: traced for traced in many}
    assert [later[traced.id] for traced in few] == list(few)
