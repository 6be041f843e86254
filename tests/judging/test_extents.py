"""What follows from what was said: extents weigh what they say, and nobody's own words are contradicted."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.arguments import Argumentation, last_words
from hustings.judging.case import lay_out
from hustings.judging.standings import PanelTrust, standing_results, standings
from tests.rig.lanes import examples

from .strategies import Debate, claim, debates, panel, response

RANK = {"withdrawn": -1, "refuted": 0, "uncertain": 0.5, "partially_upheld": 1, "upheld": 2}
MARKS = st.integers(1, 10)
OBJECTIONS = st.lists(
    st.tuples(st.sampled_from(["refute", "challenge", "partial"]), MARKS, st.none() | MARKS), min_size=1, max_size=3
)


def placed(objections, *more, base=7, issues=None):
    """The argument A after objections (kind, effectiveness, adequacy of the answer) and further responses."""
    said, scores = [], {"A": {"logic": base, "evidence": base}}
    for n, (kind, effect, adequacy) in enumerate(objections):
        said.append(response(f"R{n}", kind, "A"))
        scores[f"R{n}"] = {"effectiveness": effect}
        if adequacy is not None:
            said.append(response(f"D{n}", "answer", f"R{n}", "pro"))
            scores[f"D{n}"] = {"adequacy": adequacy}
    argumentation = Argumentation((claim("A"),), (*said, *more))
    case = lay_out(argumentation, panel(scores, scores), issues=issues)
    return standing_results(case, seed=1, trust=PanelTrust(independent=False))["A"]


def conceded(extent):
    return response("C", "concede", "A", extent=extent)


def withdrawn(extent):
    return response("W", "withdraw", "A", "pro", owner=True, extent=extent)


@given(OBJECTIONS, MARKS)
def test_a_smaller_concession_never_helps_more_than_a_larger_one(objections, base):
    nothing, point, core, everything = (
        placed(objections, *([conceded(extent)] if extent else []), base=base)
        for extent in ("", "point", "core", "all")
    )
    assert RANK[nothing.standing] <= RANK[point.standing] <= RANK[core.standing] <= RANK[everything.standing]
    assert point.strength <= core.strength + 1e-9 <= everything.strength + 2e-9


@given(OBJECTIONS, MARKS, st.sampled_from(["point", "core", "all"]))
def test_withdrawing_never_raises_ones_own_standing(objections, base, extent):
    assert (
        RANK[placed(objections, withdrawn(extent), base=base).standing] <= RANK[placed(objections, base=base).standing]
    )


@given(debates(judges=1, orders=2))
@settings(max_examples=examples(60))
def test_renaming_the_sides_changes_nothing(debate: Debate):
    names = {"pro": "zebra", "con": "aardvark"}
    said = debate.argumentation
    renamed = replace(
        said,
        claims=tuple(replace(c, seat=names[c.seat], side=names[c.side]) for c in said.claims),
        responses=tuple(replace(r, seat=names[r.seat], side=names[r.side]) for r in said.responses),
    )
    assert standings(renamed, debate.observations, seed=1) == standings(said, debate.observations, seed=1)


@pytest.mark.parametrize(
    ("objection", "said", "standing"),
    [
        (("challenge", 7, 3), [conceded("point")], "partially_upheld"),
        (("refute", 9, 1), [withdrawn("all")], "withdrawn"),
        (("refute", 9, 1), [withdrawn("core")], "withdrawn"),
        (("partial", 7, 2), [withdrawn("point")], "partially_upheld"),
        (("refute", 10, 1), [conceded("all")], "upheld"),
        (("refute", 10, 1), [conceded("core")], "partially_upheld"),
        (("refute", 10, 1), [], "refuted"),
    ],
)
def test_extents_weigh_what_they_say(objection, said, standing):
    assert placed([objection], *said).standing == standing


def test_an_argument_whose_core_its_opponent_grants_is_not_refuted_however_poor_its_marks():
    found = placed([("partial", 9, 1)], base=2)
    assert (found.standing, "core granted" in found.guards) == ("partially_upheld", True)


def test_a_concession_of_all_takes_back_what_was_said_against_it():
    said = Argumentation((claim("A"),), (response("R", "refute", "A"), conceded("all")))
    assert [r.id for r in last_words(said).responses] == ["C"]


def test_the_latest_concession_of_a_side_counts():
    early = response("E", "concede", "A", extent="all")
    assert placed([("refute", 10, 1)], early, conceded("point")).standing == "refuted"


def test_what_was_withdrawn_has_no_certainty_and_no_interval():
    found = placed([("refute", 9, 1)], withdrawn("all"))
    assert (found.certainty, found.interval, dict(found.shares)) == (None, None, {})


@pytest.mark.parametrize("base", [5, 7, 9])
def test_one_family_gives_no_certainty_and_no_interval(base):
    found = placed([("challenge", 5, 5)], base=base)
    assert (found.certainty, found.interval, "one family" in found.guards) == (None, None, True)


def test_an_argument_near_a_threshold_says_so():
    guards = {
        guard
        for base in range(1, 11)
        for e in range(1, 11)
        for guard in placed([("challenge", e, 4)], base=base).guards
    }
    assert {"near upheld", "near refuted"} <= guards


def test_a_claim_that_nobody_spoke_to_is_uncertain():
    assert placed([]).standing == "uncertain"


def test_a_lone_concession_of_one_point_tests_nothing_unless_the_claim_stands_by_itself():
    assert placed([], conceded("point"), base=5).standing == "uncertain"
    assert placed([], conceded("point"), base=9).standing == "upheld"


def test_what_others_accept_and_nobody_disputes_is_upheld():
    agreed = response("G", "agree", "A", drawn=True)
    assert placed([], agreed, base=6).standing == "upheld"
    assert placed([("refute", 9, None)], agreed, base=6).standing != "upheld"


@pytest.mark.parametrize(
    ("end", "more", "standing"),
    [
        ("deadlocked", [], "uncertain"),
        ("deadlocked", [conceded("point")], "partially_upheld"),
        ("deadlocked", [conceded("core")], "upheld"),
        ("lost", [], "partially_upheld"),
        ("won", [], "upheld"),
    ],
)
def test_no_standing_contradicts_how_its_issue_ended(end, more, standing):
    assert placed([("challenge", 3, 9)], *more, base=9, issues={"A": end}).standing == standing


def test_a_claim_whose_issue_its_author_won_is_not_refuted():
    assert placed([("refute", 10, 1)], issues={"A": "won"}).standing == "partially_upheld"


def test_an_objection_after_which_its_author_did_not_speak_again_weighs_half():
    late = response("L", "challenge", "A", answerable=False, drawn=True)
    scores = {"A": {"logic": 8, "evidence": 8}, "L": {"effectiveness": 8}}
    now, then = (
        standings(Argumentation((claim("A"),), (replace(late, answerable=spoke),)), panel(scores, scores), seed=1)[
            "A"
        ].strength
        for spoke in (False, True)
    )
    assert now > then


def test_an_objection_that_its_author_could_not_answer_does_not_refute():
    said = (
        response("R", "refute", "A", drawn=True, answerable=False),
        response("S", "refute", "A", drawn=True, answerable=False),
    )
    scores = {"A": {"logic": 2, "evidence": 2}, "R": {"effectiveness": 10}, "S": {"effectiveness": 10}}
    found = {
        answerable: standing_results(
            lay_out(
                Argumentation((claim("A"),), tuple(replace(r, answerable=answerable) for r in said)),
                panel(scores, scores),
            ),
            seed=1,
        )["A"]
        for answerable in (True, False)
    }
    assert {answerable: one.standing for answerable, one in found.items()} == {True: "refuted", False: "uncertain"}
    assert "unheard" in found[False].guards


@pytest.mark.parametrize(("extent", "standing"), [("", "upheld"), ("point", "partially_upheld")])
def test_others_who_say_the_same_of_one_point_bear_out_that_point_alone(extent, standing):
    assert placed([], response("G", "agree", "A", extent=extent), base=9).standing == standing
