"""A line of the trace table says what was done to a claim, why it stands so, and what would change it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.arguments import Argumentation
from hustings.judging.case import find_policy
from hustings.judging.judgement import ArgumentResult, Flip
from hustings.judging.standings import standings
from hustings.judging.trace import trace

from .strategies import Debate, claim, debates, drawn_debates, panel, rescored, response

STANDING_1 = find_policy("standing-1")
LOOKED_AT_ONCE = st.one_of(debates(judges=1, orders=1, most=2), drawn_debates(judges=1, orders=1))


def traced(*said: tuple[str, float | None, float | None], base: float = 7.3, **more: object) -> ArgumentResult:
    """What becomes of an argument of so many points, after responses: kind, effectiveness, adequacy of the answer."""
    responses, scores = [], {"A": {"logic": base, "evidence": base}}
    for i, (kind, effect, defence) in enumerate(said):
        responses.append(response(f"R{i}", kind, "A", **more))
        if effect is not None:
            scores[f"R{i}"] = {"effectiveness": effect}
        if defence is not None:
            responses.append(response(f"D{i}", "answer", f"R{i}", "pro"))
            scores[f"D{i}"] = {"adequacy": defence}
    found = trace(
        Argumentation((claim("A"),), tuple(responses)),
        panel(scores, scores),
        STANDING_1,
        seed=1,
        totals={"A": 7.1234567},
        dimensions={"A": {"logic": base}},
    )
    return found[0]


def test_the_design_s_example_flips_at_its_weakest_score():
    flip = traced(("refute", 9.1, 5.5)).flip
    assert flip is not None
    assert (flip.what, flip.now, flip.then, flip.standing) == ("adequacy of pro's answer", 5.5, 5.0, "refuted")


def test_contributions_are_what_is_lost_without_a_response():
    refuted, answered = traced(("refute", 9.1, 5.5)).contributions
    assert (refuted.response, refuted.kind, refuted.by, refuted.share) == ("R0", "refute", "con", -0.315)
    assert (answered.response, answered.kind, answered.by, answered.share) == ("D0", "answer", "pro", 0.315)


def test_a_point_made_twice_is_told_by_the_first_that_made_it():
    argumentation = Argumentation((claim("A"),), (response("R0", "refute", "A"), response("R1", "refute", "A")))
    scores = {"A": {"logic": 10, "evidence": 10}} | {name: {"effectiveness": 5.5} for name in ("R0", "R1")}
    seen = panel(scores, scores, same_point={"R1": "R0"})
    found = trace(argumentation, seen, STANDING_1, seed=1, totals={}, dimensions={})[0]
    assert [(c.response, c.share) for c in found.contributions] == [("R0", -0.5)]


def test_only_the_three_largest_contributions_are_told():
    shares = [abs(c.share) for c in traced(*[("challenge", e, None) for e in (2.0, 3.0, 4.0, 5.0)]).contributions]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([], "not examined"),
        ([("challenge", 5.0, 5.0)], "con challenged it; answered"),
        ([("refute", 5.0, None)], "con sought to refute it; unanswered"),
        ([("concede", None, None), ("concede", None, None)], "conceded by con"),
        (
            [("partial", 5.0, None), ("support", 5.0, None)],
            "con granted its core, not its extent; unanswered; supported by con",
        ),
    ],
)
def test_what_was_done_to_a_claim_is_told_in_words(said, words):
    assert traced(*said).examined == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            [("refute", 8.5, 3.0)],
            "Refuted: con's refutation was judged effective (8.5 of 10) and its answer weak (3.0).",
        ),
        (
            [("challenge", 8.2, None)],
            "Refuted: con's challenge was judged effective (8.2 of 10) and was left unanswered.",
        ),
        ([("concede", None, None)], "Upheld: the argument was judged strong (7.3 of 10); con conceded it."),
        ([], "Uncertain: nobody questioned it, so nothing has tested it."),
        ([("refute", None, None)], "Uncertain: too few of the panel scored what was said to it."),
    ],
)
def test_the_reason_comes_from_the_graph(said, words):
    assert traced(*said).reason == words


def test_the_reason_names_what_moved_the_claim_the_way_it_went():
    reason = traced(("support", 8.0, None), ("refute", 7.0, None), ("refute", 7.1, None)).reason
    assert reason.startswith("Refuted: con's refutation was judged effective (7.1 of 10)")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (traced(("partial", 6.4, None)), "An objection to its extent still stands, so it holds in part only."),
        (traced(("refute", 6.4, None), base=8.65), "A second way of weighing puts it two classes away."),
        (traced(("concede", None, None), confirmed=False), "The concession is not repeated in the closing."),
    ],
)
def test_a_guard_that_spoke_is_in_the_reason(found: ArgumentResult, words: str):
    assert found.reason.endswith(words)


def test_an_owner_s_concession_is_told_as_giving_up():
    found = traced(("concede", None, None), owner=True, side="pro")
    assert found.examined == "given up by pro"
    assert found.reason == "Refuted: pro gave it up."


def test_a_divided_panel_is_told_and_offers_no_flip():
    argumentation = Argumentation((claim("A"),), (response("R", "refute", "A"),))
    seen = panel(*({"A": {"logic": 10, "evidence": 10}, "R": {"effectiveness": e}} for e in (2, 9)))
    found = trace(argumentation, seen, STANDING_1, seed=1, totals={}, dimensions={})[0]
    assert found.reason.endswith(
        f"Drawn again from its judges, the panel would say the same in {100 * (found.certainty or 0):.0f} % only."
    )
    assert found.flip is None


def test_what_the_panel_did_not_score_has_no_strength_and_no_flip():
    argumentation = Argumentation((claim("A"),), (response("R", "concede", "A"),))
    found = trace(argumentation, panel({}, {}), STANDING_1, seed=1, totals={"A": None}, dimensions={})[0]
    assert (found.strength, found.flip, found.contributions, found.score) == (None, None, (), None)
    assert found.reason == "Uncertain: too few of the panel scored it."


def test_a_score_of_another_claim_s_attacker_is_named_with_what_it_is_about():
    said = (response("R", "refute", "A", source="B"), response("X", "refute", "B", "pro"))
    scores = {"A": {"logic": 10, "evidence": 10}, "B": {"logic": 10, "evidence": 10}}
    scores |= {"R": {"effectiveness": 10}, "X": {"effectiveness": 6.5}}
    first, _ = trace(
        Argumentation((claim("A"), claim("B", "con")), said),
        panel(scores),
        STANDING_1,
        seed=1,
        totals={},
        dimensions={},
    )
    assert first.flip is not None
    assert first.flip.what == "effectiveness of pro's refutation (B)"


def test_the_rubric_s_figures_are_passed_on_rounded():
    found = traced(("concede", None, None))
    assert (found.score, found.dimensions) == (7.123457, {"logic": 7.3})


def test_claims_are_told_in_the_order_of_the_record():
    claims = tuple(claim(name) for name in ("B", "A", "C"))
    found = trace(Argumentation(claims), [], STANDING_1, seed=1, totals={}, dimensions={})
    assert [f.id for f in found] == ["B", "A", "C"]


@settings(max_examples=20, deadline=None)
@given(debate=LOOKED_AT_ONCE)
def test_a_flip_flips_and_no_smaller_change_of_any_score_does(debate: Debate):
    told = trace(debate.argumentation, debate.observations, STANDING_1, seed=1, totals={}, dimensions={})[0]
    least = None if told.guards[:1] == ("unexamined",) else least_change(debate, told)
    assert (told.flip and round(abs(told.flip.then - told.flip.now), 6)) == least


def least_change(debate: Debate, told: ArgumentResult) -> float | None:
    """Found by trying every score in every direction, a tenth more each time."""
    scores = debate.observations[0].scores
    levers = [(item, dimension) for item, marks in scores.items() for dimension in marks]
    for tenths in range(1, 91):
        for item, dimension in levers:
            for mark in (scores[item][dimension] + tenths / 10, scores[item][dimension] - tenths / 10):
                if 1 <= mark <= 10:
                    moved = rescored(debate, item, dimension, lambda _, mark=mark: mark)
                    found = standings(moved.argumentation, moved.observations, STANDING_1, seed=1)[told.id]
                    if found.standing != told.standing:
                        return tenths / 10
    return None


@settings(max_examples=60, deadline=None)
@given(debate=LOOKED_AT_ONCE)
def test_a_flip_leads_to_the_standing_it_names(debate: Debate):
    for told in trace(debate.argumentation, debate.observations, STANDING_1, seed=1, totals={}, dimensions={}):
        assert told.flip is None or told.flip.standing in led_to(debate, told.id, told.flip)


def led_to(debate: Debate, about: str, flip: Flip) -> set[str]:
    """The standings after the change, whichever of the scores of that dimension and value is meant."""
    dimension = flip.what.split()[0]
    changed = [
        rescored(debate, item, dimension, lambda _: flip.then)
        for item, marks in debate.observations[0].scores.items()
        if marks.get(dimension) == flip.now
    ]
    return {standings(d.argumentation, d.observations, STANDING_1, seed=1)[about].standing for d in changed}
