"""A line of the trace table says what was done to a claim, why it stands so, and what would change it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.arguments import Argumentation
from hustings.judging.case import lay_out
from hustings.judging.judgement import ArgumentResult, Flip
from hustings.judging.standings import standings
from hustings.judging.trace import trace
from tests.rig.lanes import examples

from .strategies import Debate, claim, debates, drawn_debates, panel, rescored, response

IN_WORDS = {"upheld": "upheld", "partially_upheld": "partly upheld", "refuted": "refuted"}
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
        lay_out(Argumentation((claim("A"),), tuple(responses)), panel(scores, scores)),
        seed=1,
        totals={"A": 7.1234567},
        dimensions={"A": {"logic": base}},
    )
    return found[0]


def test_the_design_s_example_flips_at_its_weakest_score():
    flip = traced(("refute", 9.1, 5.5)).flip
    assert flip is not None
    assert (flip.what, flip.now, flip.then, flip.standing) == ("pro's answer", 5.5, 3.0, "refuted")


def test_contributions_are_what_is_lost_without_a_response():
    refuted, answered = traced(("refute", 9.1, 5.5)).contributions
    assert (refuted.response, refuted.kind, refuted.by, refuted.share) == ("R0", "refute", "con", -0.315)
    assert (answered.response, answered.kind, answered.by, answered.share) == ("D0", "answer", "pro", 0.315)


def test_a_point_made_twice_is_told_by_the_first_that_made_it():
    argumentation = Argumentation((claim("A"),), (response("R0", "refute", "A"), response("R1", "refute", "A")))
    scores = {"A": {"logic": 10, "evidence": 10}} | {name: {"effectiveness": 5.5} for name in ("R0", "R1")}
    seen = panel(scores, scores, same_point={"R1": "R0"})
    found = trace(lay_out(argumentation, seen), seed=1, totals={}, dimensions={})[0]
    assert [(c.response, c.share) for c in found.contributions] == [("R0", -0.5)]


def test_only_the_three_largest_contributions_are_told():
    shares = [abs(c.share) for c in traced(*[("challenge", e, None) for e in (2.0, 3.0, 4.0, 5.0)]).contributions]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([], "Nobody challenged it"),
        ([("challenge", 5.0, 5.0)], "con challenged it, pro answered"),
        ([("refute", 5.0, None)], "con disputed it, no answer"),
        ([("concede", None, None), ("concede", None, None)], "con conceded it"),
        (
            [("partial", 5.0, None), ("support", 5.0, None)],
            "con accepted it in part, no answer; con supported it",
        ),
    ],
)
def test_what_was_done_to_a_claim_is_told_in_words(said, words):
    assert traced(*said).examined == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            [("refute", 9.4, 2.0)],
            (
                "Refuted: con's refutation was strong (9.4 of 10), "
                "and pro's answer left most of the refutation standing (2.0)."
            ),
        ),
        (
            [("challenge", 10.0, None)],
            (
                "Refuted: con's challenge was strong (10.0 of 10), and got no answer. "
                "Close to the line between partly upheld and refuted."
            ),
        ),
        ([("concede", None, None)], "Upheld: judges scored it strong (7.3 of 10); con conceded it."),
        ([], "Unsettled: untested, because nobody challenged it."),
        ([("refute", None, None)], "Unsettled: too few judges scored the replies to it."),
    ],
)
def test_the_reason_comes_from_the_graph(said, words):
    assert traced(*said).reason == words


def test_the_reason_names_what_moved_the_claim_the_way_it_went():
    reason = traced(("support", 4.0, None), ("refute", 9.0, None), ("refute", 9.1, None)).reason
    assert reason.startswith("Refuted: con's refutation was strong (9.1 of 10)")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (traced(("partial", 6.4, None)), "Holds only in part: con's partial objection still stands."),
        (traced(("refute", 8.2, None), base=10.0), "A second method disagrees."),
        (traced(("concede", None, None), confirmed=False), "Conceded once, not confirmed in the closing."),
    ],
)
def test_a_guard_that_spoke_is_in_the_reason(found: ArgumentResult, words: str):
    assert found.reason.endswith(words)


def test_an_owner_s_concession_is_told_as_withdrawing():
    found = traced(("concede", None, None), owner=True, side="pro")
    assert found.examined == "pro withdrew it"
    assert found.reason == "Withdrawn: pro took it back: “said”."


def test_a_divided_panel_is_told_and_offers_no_flip():
    argumentation = Argumentation((claim("A"),), (response("R", "refute", "A"),))
    seen = panel(*({"A": {"logic": 10, "evidence": 10}, "R": {"effectiveness": e}} for e in (2, 9)))
    found = trace(lay_out(argumentation, seen), seed=1, totals={}, dimensions={})[0]
    first, *rest = sorted(((100 * share, IN_WORDS[one]) for one, share in found.shares.items() if share), reverse=True)
    others = "".join(f", {standing} in {share:.0f}%" for share, standing in rest)
    assert rest
    assert found.reason.endswith(f"Judges are split: {first[1]} in {first[0]:.0f}% of resamples{others}.")
    assert found.flip is None


def test_what_the_panel_did_not_score_has_no_strength_and_no_flip():
    argumentation = Argumentation((claim("A"),), (response("R", "concede", "A"),))
    found = trace(lay_out(argumentation, panel({}, {})), seed=1, totals={"A": None}, dimensions={})[0]
    assert (found.strength, found.flip, found.contributions, found.score) == (None, None, (), None)
    assert found.reason == "Unsettled: too few judges scored it."


def test_a_score_of_another_claim_s_attacker_is_named_with_what_it_is_about():
    said = (response("R", "refute", "A", source="B"), response("X", "refute", "B", "pro"))
    scores = {"A": {"logic": 10, "evidence": 10}, "B": {"logic": 10, "evidence": 10}}
    scores |= {"R": {"effectiveness": 10}, "X": {"effectiveness": 6.5}}
    case = lay_out(Argumentation((claim("A"), claim("B", "con")), said), panel(scores))
    first, _ = trace(case, seed=1, totals={}, dimensions={})
    assert first.flip is not None
    assert first.flip.what == "pro's refutation (B)"


def test_the_rubric_s_figures_are_passed_on_rounded():
    found = traced(("concede", None, None))
    assert (found.score, found.dimensions) == (7.123457, {"logic": 7.3})


def test_claims_are_told_in_the_order_of_the_record():
    claims = tuple(claim(name) for name in ("B", "A", "C"))
    found = trace(lay_out(Argumentation(claims), []), seed=1, totals={}, dimensions={})
    assert [f.id for f in found] == ["B", "A", "C"]


@settings(max_examples=20, deadline=None)
@given(debate=LOOKED_AT_ONCE)
def test_a_flip_flips_and_no_smaller_change_of_any_score_does(debate: Debate):
    told = trace(lay_out(debate.argumentation, debate.observations), seed=1, totals={}, dimensions={})[0]
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
                    found = standings(moved.argumentation, moved.observations, seed=1)[told.id]
                    if found.standing != told.standing:
                        return tenths / 10
    return None


@settings(max_examples=examples(60), deadline=None)
@given(debate=LOOKED_AT_ONCE)
def test_a_flip_leads_to_the_standing_it_names(debate: Debate):
    for told in trace(lay_out(debate.argumentation, debate.observations), seed=1, totals={}, dimensions={}):
        assert told.flip is None or told.flip.standing in led_to(debate, told.id, told.flip)


def led_to(debate: Debate, about: str, flip: Flip) -> set[str]:
    """The standings after the change, whichever of the scores of that dimension and value is meant."""
    dimension = scored_as(flip.what)
    changed = [
        rescored(debate, item, dimension, lambda _: flip.then)
        for item, marks in debate.observations[0].scores.items()
        if marks.get(dimension) == flip.now
    ]
    return {standings(d.argumentation, d.observations, seed=1)[about].standing for d in changed}


def scored_as(what: str) -> str:
    """The dimension of what is named, such as "con's challenge (B)" or "the argument's logic"."""
    noun = what.rpartition("'s ")[2].partition(" (")[0]
    return noun if noun in {"logic", "evidence"} else "adequacy" if noun == "answer" else "effectiveness"


# -- names, withdrawals, last words --------------------------------------------------------


def told(*responses, base: float = 7.3, effect: float = 5.0, names=None, last=()) -> ArgumentResult:
    """What becomes of the argument A after these responses, each all equally effective."""
    scores = {"A": {"logic": base, "evidence": base}}
    scores |= {r.id: {"adequacy" if r.kind == "answer" else "effectiveness": effect} for r in responses}
    case = lay_out(Argumentation((claim("A"),), responses), panel(scores, scores))
    return trace(case, seed=1, totals={}, dimensions={}, names=names, last=last)[0]


def test_speakers_have_the_names_people_call_them_by():
    found = told(response("R", "challenge", "A"), names={"con": "Tom", "pro": "Edda"})
    assert found.examined == "Tom challenged it, no answer"
    assert "Tom's challenge was fair (5.0 of 10)" in found.reason


@pytest.mark.parametrize("extent", ["all", "core"])
def test_a_withdrawal_is_told_with_its_author_s_words(extent):
    taken = replace(response("W", "withdraw", "A", "pro", owner=True, extent=extent), words="Not so after all.")
    found = told(taken)
    because = "Withdrawn: pro took it back: “Not so after all”."
    assert (found.standing, found.examined, found.reason) == ("withdrawn", "pro withdrew it", because)


def test_part_of_it_taken_back_is_told_once():
    found = told(response("R", "challenge", "A"), response("W", "withdraw", "A", "pro", owner=True, extent="point"))
    assert "pro withdrew part of it" in found.examined
    assert found.reason.count("took part of it back") == 1


@pytest.mark.parametrize(
    ("extent", "quote", "words"),
    [
        ("all", "", "con conceded it"),
        ("core", "", "con conceded its core"),
        ("point", "", "con conceded one point"),
        ("point", "it rains", "con conceded one point (“it rains”)"),
    ],
)
def test_how_much_was_conceded_is_told(extent, quote, words):
    assert told(response("C", "concede", "A", extent=extent, quote=quote)).examined == words


@pytest.mark.parametrize("disputes", ["claim", "reasoning", "evidence"])
def test_what_a_partial_objection_disputes_is_told(disputes):
    found = told(response("R", "partial", "A", disputes=disputes))
    assert found.examined == f"con accepted it in part, disputed its {disputes}, no answer"


def test_what_the_objection_that_still_stands_is_about_is_told():
    found = told(response("R", "partial", "A", disputes="extent"), base=9.5, effect=7.0)
    assert "Holds only in part: con's objection to its extent still stands." in found.reason


def test_a_point_granted_from_plain_words_is_told_with_those_words():
    granted = replace(response("C", "concede", "A", extent="point", drawn=True), words="It does rain.")
    assert told(granted).examined == "con conceded one point (“It does rain”)"


def test_an_objection_that_was_met_tells_more_than_one_point_granted():
    found = told(
        response("R", "challenge", "A"),
        response("D", "answer", "R", "pro"),
        response("C", "concede", "A", extent="point"),
    )
    assert "con's challenge was" in found.reason


def test_an_argument_whose_core_is_accepted_is_not_said_to_be_close_to_refuted():
    found = told(response("R", "partial", "A"), base=3.5, effect=8.0)
    assert "near refuted" not in found.guards


def test_its_own_side_adds_to_it_and_others_support_it():
    own, other = (told(response("S", "support", "A", side)).examined for side in ("pro", "con"))
    assert (own, other) == ("pro added to it", "con supported it")


def test_an_argument_of_the_last_turn_could_not_be_answered():
    found = told(last={"opening"})
    assert found.examined == "Made in the last round"
    assert found.reason == "Unsettled: untested, because it came in the last round."


def test_of_plain_words_nobody_is_said_to_have_kept_silent():
    """A clerk may have missed the answer."""
    found = told(response("R", "refute", "A", drawn=True), effect=8.5)
    assert found.examined == "con disputed it"
    assert found.reason.startswith("Refuted: con's refutation was strong (8.5 of 10), and no answer to it was found.")


def test_an_objection_after_which_the_author_had_no_turn_says_so():
    found = told(response("R", "refute", "A", drawn=True, answerable=False), effect=9.9, base=4)
    assert "and pro had no further turn" in found.reason


@pytest.mark.parametrize(
    ("adequacy", "words"),
    [
        (3.0, "left most of the refutation standing (3.0)"),
        (5.0, "met part of the refutation (5.0)"),
        (8.0, "met it (8.0)"),
    ],
)
def test_how_far_an_answer_met_an_objection_is_told(adequacy, words):
    assert f"and pro's answer {words}." in traced(("refute", 8.5, adequacy)).reason


@settings(max_examples=examples(60), deadline=None)
@given(debate=st.one_of(debates(judges=2, orders=1), drawn_debates(judges=2, orders=1)))
def test_every_reason_begins_with_the_status_and_is_whole_sentences(debate: Debate):
    status = {"upheld": "Upheld", "partially_upheld": "Partly upheld", "refuted": "Refuted", "withdrawn": "Withdrawn",
              "uncertain": "Unsettled"}  # fmt: skip
    for row in trace(lay_out(debate.argumentation, debate.observations), seed=1, totals={}, dimensions={}):
        assert row.reason.startswith(f"{status[row.standing]}: ")
        assert row.reason.endswith(".")
        assert ".." not in row.reason
