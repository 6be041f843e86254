"""From marks to classes: the golden values, the guards, and what holds of every debate."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.arguments import Argumentation, ClaimResponse
from hustings.judging.case import POLICY, StandingPolicy
from hustings.judging.marks import Observation
from hustings.judging.standings import PanelTrust, StandingResult, standings
from tests.rig.lanes import examples

from .strategies import OBJECTIONS, Debate, claim, debates, drawn_debates, panel, rescored, response

QUICK = replace(POLICY, draws=50)
ANY_DEBATE = st.one_of(debates(), drawn_debates())


def marked(unit: float) -> float:
    return 1 + 9 * unit


def placed(
    base: float, *said: tuple[str, float | None, float], policy: StandingPolicy = POLICY, alike: bool = False
) -> StandingResult:
    """One claim of a base, and what was said to it: kind, effect, defence."""
    responses: list[ClaimResponse] = []
    scores = {"A": {"logic": marked(base), "evidence": marked(base)}}
    for i, (kind, effect, defence) in enumerate(said):
        responses.append(response(f"R{i}", kind, "A"))
        if effect is not None:
            scores[f"R{i}"] = {"effectiveness": marked(effect)}
        if defence:
            responses.append(response(f"D{i}", "answer", f"R{i}", "pro"))
            scores[f"D{i}"] = {"adequacy": marked(defence)}
    same = {f"R{i}": "R0" for i in range(1, len(said))} if alike else {}
    seen = panel(scores, scores, same_point=same)
    return standings(Argumentation((claim("A"),), tuple(responses)), seen, policy, seed=1)["A"]


@pytest.mark.parametrize(
    ("base", "said", "strength", "second", "standing", "guards"),
    [
        (0.50, ("concede", None, 0), 0.725, 0.584, "upheld", ()),
        (0.70, ("partial", 0.6, 0), 0.700, 0.700, "partially_upheld", ("scope",)),
        (0.70, ("challenge", 0.8, 0), 0.308, 0.533, "partially_upheld", ()),
        (0.70, ("challenge", 0.8, 0.8), 0.622, 0.627, "upheld", ("near upheld",)),
        (1.00, ("refute", 0.8, 0), 0.200, 0.610, "uncertain", ("semantics disagree",)),
        (0.85, ("refute", 0.9, 0.9), 0.773, 0.682, "upheld", ()),
        (0.85, ("refute", 0.9, 0), 0.085, 0.470, "refuted", ()),
        (0.70, ("refute", 0.9, 0.5), 0.385, 0.461, "partially_upheld", ()),
    ],
)
def test_the_golden_values_hold(base, said, strength, second, standing, guards):
    found = placed(base, said)
    assert (found.strength, found.second_opinion) == (
        pytest.approx(strength, abs=6e-4),
        pytest.approx(second, abs=6e-4),
    )
    assert (found.standing, found.guards) == (standing, guards)


def test_four_attacks_saturate_unless_they_make_one_point():
    four = [("refute", 0.5, 0.0)] * 4
    assert placed(0.8, *four).strength == pytest.approx(0.05)
    assert placed(0.8, *four, alike=True).strength == pytest.approx(0.40)


def test_of_attacks_on_one_point_the_strongest_after_its_defence_stays():
    assert placed(0.8, ("refute", 0.9, 0.9), ("refute", 0.5, 0), alike=True).strength == pytest.approx(0.40)


def test_half_of_the_judges_do_not_merge_two_attacks():
    argumentation = Argumentation((claim("A"),), (response("R0", "refute", "A"), response("R1", "refute", "A")))
    scores = {"A": {"logic": 8.2, "evidence": 8.2}, "R0": {"effectiveness": 5.5}, "R1": {"effectiveness": 5.5}}
    seen = [*panel(scores), Observation("other", 0, scores, same_point={"R1": "R0"})]
    assert standings(argumentation, seen, seed=1)["A"].strength == pytest.approx(0.2)


def test_judges_who_point_differently_at_the_same_three_agree():
    argumentation = Argumentation((claim("A"),), tuple(response(f"R{i}", "refute", "A") for i in range(3)))
    scores = {"A": {"logic": 8.2, "evidence": 8.2}} | {f"R{i}": {"effectiveness": 5.5} for i in range(3)}
    seen = [
        *panel(scores, same_point={"R1": "R0", "R2": "R0"}),
        Observation("other", 0, scores, same_point={"R1": "R0", "R2": "R1"}),
    ]
    assert standings(argumentation, seen, seed=1)["A"].strength == pytest.approx(0.4)


def test_a_side_concedes_only_once():
    once, twice = placed(0.5, ("concede", None, 0)), placed(0.5, ("concede", None, 0), ("concede", None, 0))
    assert once == twice


def test_a_side_grants_the_core_only_once():
    found = placed(0.5, ("partial", 0.0, 0), ("partial", 0.0, 0))
    assert found.strength == pytest.approx(0.5 + 0.5 * 0.3)


def test_an_owner_who_gives_a_claim_up_attacks_it():
    argumentation = Argumentation((claim("A"),), (response("R", "concede", "A", "pro", owner=True),))
    found = standings(argumentation, panel({"A": {"logic": 10, "evidence": 10}}), seed=1)["A"]
    assert (found.strength, found.standing) == (pytest.approx(0.1), "withdrawn")


def test_an_answer_to_a_concession_takes_nothing_from_it():
    said = (response("R", "concede", "A"), response("D", "answer", "R", "pro"))
    seen = panel({"A": {"logic": 5.5, "evidence": 5.5}, "D": {"adequacy": 10}})
    found = standings(Argumentation((claim("A"),), said), seen, seed=1)["A"]
    assert found.strength == pytest.approx(0.725)


def test_support_weighs_half_of_its_effectiveness():
    assert placed(0.5, ("support", 0.8, 0)).strength == pytest.approx(0.5 + 0.5 * 0.4)


def test_what_weakens_a_claim_weakens_what_it_carries():
    said = (response("R", "refute", "A", source="B"), response("X", "refute", "B", "pro"))
    scores = {name: {"logic": 10, "evidence": 10} for name in "AB"}
    scores |= {"R": {"effectiveness": marked(0.8)}, "X": {"effectiveness": marked(0.5)}}
    found = standings(Argumentation((claim("A"), claim("B", "con")), said), panel(scores), seed=1)
    assert found["A"].strength == pytest.approx(1 - 0.8 * 0.5)


def test_an_answer_nobody_scored_counts_by_how_responsive_the_argument_was():
    said = (response("R", "refute", "A"), response("D", "answer", "R", "pro"))
    seen = panel({"A": {"logic": 10, "evidence": 10, "responsiveness": 5.5}, "R": {"effectiveness": 10}})
    assert standings(Argumentation((claim("A"),), said), seen, seed=1)["A"].strength == pytest.approx(0.5)


def test_another_rubric_counts_by_all_its_dimensions():
    argumentation = Argumentation((claim("A"),), (response("R", "refute", "A"),))
    seen = panel({"A": {"clarity": 10, "depth": 5.5, "wit": 1}, "R": {"effectiveness": 1}})
    assert standings(argumentation, seen, seed=1)["A"].strength == pytest.approx(0.5)


# -- guards ------------------------------------------------------------------------------


def test_what_nobody_responded_to_is_uncertain():
    found = placed(0.9)
    assert (found.standing, found.guards, found.certainty) == ("uncertain", ("unexamined",), None)


def test_a_claim_that_less_than_half_scored_in_one_dimension_has_no_strength():
    whole, without = {"A": {"logic": 8, "evidence": 8}}, {"A": {"logic": 8}}
    argumentation = Argumentation((claim("A"),), (response("R", "concede", "A"),))
    half = standings(argumentation, panel(whole, without), seed=1)["A"]
    less = standings(argumentation, panel(whole, without, without), seed=1)["A"]
    assert half.strength == pytest.approx(7 / 9 + 2 / 9 * 0.45)
    assert (less.strength, less.standing, less.guards) == (None, "uncertain", ("unscored",))


@pytest.mark.parametrize("missing", ["R", "D"])
def test_a_claim_whose_response_or_answer_is_unscored_is_uncertain(missing):
    said = (response("R", "refute", "A"), response("D", "answer", "R", "pro"))
    scores = {"A": {"logic": 9, "evidence": 9}, "R": {"effectiveness": 5}, "D": {"adequacy": 5}}
    del scores[missing]
    found = standings(Argumentation((claim("A"),), said), panel(scores, scores), seed=1)["A"]
    assert (found.standing, found.guards) == ("uncertain", ("unscored",))
    assert found.strength is not None


def test_without_a_panel_nothing_is_scored():
    found = standings(Argumentation((claim("A"),), (response("R", "concede", "A"),)), [], seed=1)["A"]
    assert (found.standing, found.strength, found.guards) == ("uncertain", None, ("unscored",))


@pytest.mark.parametrize(("confirmed", "guards"), [((False,), ("unconfirmed",)), ((False, True), ())])
def test_a_concession_that_no_closing_repeats_is_tagged_and_counts(confirmed, guards):
    said = tuple(response(f"R{i}", "concede", "A", confirmed=c) for i, c in enumerate(confirmed))
    scores = {"A": {"logic": 8, "evidence": 8}}
    found = standings(Argumentation((claim("A"),), said), panel(scores, scores), seed=1)["A"]
    assert (found.standing, found.guards) == ("upheld", guards)


def test_one_observation_has_a_class_but_no_certainty():
    argumentation = Argumentation((claim("A"),), (response("R", "concede", "A"),))
    found = standings(argumentation, panel({"A": {"logic": 8, "evidence": 8}}), seed=1)["A"]
    assert (found.standing, found.guards) == ("upheld", ("one observation",))
    assert (found.certainty, found.interval, found.shares) == (None, None, {})


# -- certainty ---------------------------------------------------------------------------


def judged_by(*effects: float, unreliable: bool = False) -> StandingResult:
    """Judges who differ only in how effective they found a refutation."""
    argumentation = Argumentation((claim("A"),), (response("R", "refute", "A"),))
    seen = panel(*({"A": {"logic": 10, "evidence": 10}, "R": {"effectiveness": marked(e)}} for e in effects))
    return standings(argumentation, seen, seed=1, trust=PanelTrust(reliable=not unreliable))["A"]


def test_judges_who_agree_are_certain():
    found = judged_by(0.1, 0.1, 0.1)
    assert (found.certainty, found.shares, found.standing) == (1.0, {"upheld": 1.0}, "upheld")
    assert found.interval == (pytest.approx(0.9), pytest.approx(0.9))


def test_a_divided_panel_leaves_a_claim_uncertain():
    found = judged_by(0.1, 0.9)
    assert (found.standing, found.at_mean, found.guards) == ("uncertain", "partially_upheld", ("panel divided",))
    # Two judges: both twice a quarter each, one of each a half.
    assert found.shares == pytest.approx({"upheld": 0.25, "partially_upheld": 0.5, "refuted": 0.25}, abs=0.05)


def test_an_unreliable_panel_must_agree_more_often():
    # Of three judges, the one who objects is drawn three times in one of 27, twice in six, so upheld is left 20 of 27.
    effects = (0.05, 0.05, 0.3)
    assert judged_by(*effects).standing == "upheld"
    assert judged_by(*effects, unreliable=True).guards == ("panel divided",)


def test_redrawing_draws_judges_before_their_orders():
    argumentation = Argumentation((claim("A"),), (response("R", "refute", "A"),))
    seen = [
        Observation(judge, order, {"A": {"logic": 10, "evidence": 10}, "R": {"effectiveness": effect}})
        for judge, effect in (("one", 10), ("two", 1))
        for order in range(2)
    ]
    found = standings(argumentation, seen, seed=1)["A"]
    # Of four observations without judges, all would be the first judge's in 1 of 16 draws only.
    assert found.shares == pytest.approx({"upheld": 0.25, "partially_upheld": 0.5, "refuted": 0.25}, abs=0.05)


def test_a_drawn_panel_that_did_not_score_a_claim_cannot_place_it():
    argumentation = Argumentation((claim("A"),), (response("R", "concede", "A"),))
    found = standings(argumentation, panel({"A": {"logic": 9, "evidence": 9}}, {}), seed=1)["A"]
    assert found.shares == pytest.approx({"upheld": 0.75, "uncertain": 0.25}, abs=0.05)


# -- what holds of every debate ----------------------------------------------------------


@settings(max_examples=examples(50), deadline=None)
@given(debate=debates(), more=st.floats(0, 3))
def test_a_stronger_attack_never_helps_its_target(debate: Debate, more: float):
    for attack in (r for r in debate.argumentation.responses if r.kind in OBJECTIONS):
        harder = rescored(debate, attack.id, "effectiveness", lambda mark: min(10.0, mark + more))
        before, after = standing_results(debate)[attack.target], standing_results(harder)[attack.target]
        assert after.strength <= before.strength + 1e-12
        if before.standing != "withdrawn":
            assert after.second_opinion <= before.second_opinion + 1e-12


@settings(max_examples=examples(50), deadline=None)
@given(debate=debates(), more=st.floats(0, 3))
def test_a_stronger_defence_never_harms_what_it_defends(debate: Debate, more: float):
    about = {r.id: r.target for r in debate.argumentation.responses}
    for answer in (r for r in debate.argumentation.responses if r.kind == "answer"):
        safer = rescored(debate, answer.id, "adequacy", lambda mark: min(10.0, mark + more))
        before, after = standing_results(debate)[about[answer.target]], standing_results(safer)[about[answer.target]]
        assert after.strength >= before.strength - 1e-12
        if before.standing != "withdrawn":
            assert after.second_opinion >= before.second_opinion - 1e-12


@settings(max_examples=examples(50), deadline=None)
@given(debate=debates())
def test_what_is_said_of_other_claims_changes_nothing(debate: Debate):
    first = debate.argumentation.claims[0]
    direct = {r.id for r in debate.argumentation.responses if r.target == first.id}
    own = tuple(r for r in debate.argumentation.responses if r.id in direct or r.target in direct)
    alone = standings(Argumentation((first,), own), debate.observations, QUICK, seed=1)
    assert alone[first.id] == standing_results(debate)[first.id]


@settings(max_examples=examples(50), deadline=None)
@given(debate=ANY_DEBATE)
def test_swapping_the_names_of_sides_and_points_changes_nothing(debate: Debate):
    def other(name: str) -> str:
        return name[::-1]

    said = debate.argumentation
    mirrored = Argumentation(
        tuple(replace(c, id=other(c.id), seat=other(c.seat), side=other(c.side)) for c in said.claims),
        tuple(
            replace(
                r,
                id=other(r.id),
                target=other(r.target),
                seat=other(r.seat),
                side=other(r.side),
                source=other(r.source),
            )
            for r in said.responses
        ),
    )
    seen = [
        replace(
            o,
            scores={other(item): marks for item, marks in o.scores.items()},
            same_point={other(a): other(b) for a, b in o.same_point.items()},
        )
        for o in debate.observations
    ]
    found = standings(mirrored, seen, QUICK, seed=1)
    assert {other(name): result for name, result in found.items()} == standing_results(debate)


@settings(max_examples=examples(50), deadline=None)
@given(debate=ANY_DEBATE, seed=st.integers(0, 1000))
def test_the_order_of_input_changes_nothing(debate: Debate, seed: int):
    mix = random.Random(seed)
    said = debate.argumentation
    mixed = Argumentation(*(tuple(mix.sample(part, len(part))) for part in (said.claims, said.responses)))
    seen = mix.sample(debate.observations, len(debate.observations))
    assert standings(mixed, seen, QUICK, seed=1) == standing_results(debate)


@settings(max_examples=20, deadline=None)
@given(debate=ANY_DEBATE)
def test_the_same_seed_gives_the_same_standings(debate: Debate):
    assert standing_results(debate) == standing_results(debate)


def test_another_seed_redraws_the_panel():
    argumentation = Argumentation((claim("A"),), (response("R", "refute", "A"),))
    seen = panel(*({"A": {"logic": 9, "evidence": 9}, "R": {"effectiveness": e}} for e in (2, 5, 9)))
    assert len({str(standings(argumentation, seen, QUICK, seed=s)["A"].shares) for s in range(5)}) > 1


def standing_results(debate: Debate) -> dict[str, StandingResult]:
    return standings(debate.argumentation, debate.observations, QUICK, seed=1)


def test_a_claim_that_only_its_own_side_supports_was_not_examined():
    argumentation = Argumentation((claim("A"),), (response("R", "support", "A", "pro"),))
    scores = {"A": {"logic": 9, "evidence": 9}, "R": {"effectiveness": 8}}
    found = standings(argumentation, panel(scores, scores), seed=1)["A"]
    assert (found.standing, found.guards) == ("uncertain", ("unexamined",))
