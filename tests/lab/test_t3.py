"""One claim speaks for the run, so that pass, gap and trap always agree."""

from itertools import chain, combinations, permutations

import pytest

from hustings.lab.artefact import MajorityRung
from hustings.lab.judge_answers import ClaimRung, T3Answer, Trap
from hustings.lab.scorers.t3 import HEIGHT, panel_rungs, t3_summary


def rung(claim, asserts, shows, trap=None, *, declines=False):
    return MajorityRung(claim=claim, asserts=asserts, shows=shows, open_trap=trap, declines=declines)


def fields(*claims, task=None):
    found, _ = t3_summary(claims, task)
    return found.required_rung, found.detected_rung, found.trap_detected, found.passes


def read(claim, *judges, traps=()):
    """What judges say of one claim, each as asserts and shows."""
    rungs = [ClaimRung(claim=claim, asserts=asserts, shows=shows, traps=traps) for asserts, shows in judges]
    return [T3Answer(judge=f"j{n}", rungs=(one,)) for n, one in enumerate(rungs)]


def test_pass_never_stands_beside_a_gap_or_an_open_trap_and_fail_never_without_one():
    # Traps with an answer are no open traps: both kinds of claim stand in the list, as a panel would give them.
    claims = [
        rung(f"{asserts}{shows}{trap}{n}", asserts, shows, trap, declines=declines)
        for asserts in ("L1", "L2", "L3")
        for shows in (None, "L1", "L2", "L3")
        for n, trap in enumerate((None, "W7", None))
        for declines in (False, True)
    ]
    seen = 0
    for some in chain(combinations(claims, 1), combinations(claims, 2)):
        for task in (None, "L1", "L2", "L3"):
            required, detected, trap, passes = fields(*some, task=task)
            failed = HEIGHT[required] > HEIGHT[detected] or trap is not None
            assert passes is None if all(one.declines for one in some) else passes is not failed, (some, task)
            seen += 1
    assert seen == 10_512


def test_the_worst_claim_speaks():
    claims = [rung("a", "L2", "L1"), rung("b", "L3", "L1"), rung("c", "L1", "L1")]
    assert fields(*claims) == ("L3", "L1", None, False)
    _, details = t3_summary(claims)
    assert (details.claim, details.collapses, details.claims) == ("b", 2, 3)


def test_if_nothing_fails_the_highest_claim_speaks():
    assert fields(rung("a", "L3", "L3"), rung("b", "L1", "L1")) == ("L3", "L3", None, True)


def test_a_task_can_ask_for_more_than_any_claim_asserts():
    assert fields(rung("a", "L1", "L1"), task="L2") == ("L2", "L1", None, False)
    assert fields(rung("a", "L1", "L2"), task="L2") == ("L2", "L2", None, True)
    assert fields(rung("a", "L3", "L3"), task="L2") == ("L3", "L3", None, True)


def test_an_open_trap_fails_a_claim():
    assert fields(rung("a", "L2", "L2", "T7")) == ("L2", "L2", "T7", False)


def test_what_was_declined_asserts_nothing():
    declined = rung("a", "L3", "L1", declines=True)
    assert fields(declined) == (None, None, None, None)
    assert t3_summary([declined])[1].refusals == 1
    assert fields(declined, rung("b", "L1", "L1")) == ("L1", "L1", None, True)
    assert fields() == (None, None, None, None)


def test_a_panel_that_is_not_independent_passes_nothing():
    summary, _ = t3_summary([rung("a", "L1", "L1")], independent=False)
    assert (summary.required_rung, summary.passes) == ("L1", None)


def test_the_order_of_claims_does_not_matter():
    claims = [rung("a", "L2", "L1"), rung("b", "L3", "L1", "F1"), rung("c", "L3", "L1", "F2"), rung("d", "L1", "L1")]
    assert {fields(*some) for some in permutations(claims)} == {fields(*claims)}


@pytest.mark.parametrize(
    ("judges", "found"),
    [
        ([("L2", "L1")], ("L2", "L1")),
        ([("L3", "L1"), ("L2", None), ("L2", "L2")], ("L2", "L1")),
        ([("L3", "L1"), ("L2", "L2")], ("L2", "L2")),
        ([("L2", "L1"), (None, None)], ("L2", "L1")),
        ([("L2", "L1"), (None, None), (None, None)], None),
    ],
)
def test_a_panel_takes_the_median_and_between_two_the_one_that_favours_the_claim(judges, found):
    rungs = panel_rungs(read("c", *judges))
    assert [(one.asserts, one.shows) for one in rungs] == ([found] if found else [])


def test_a_trap_is_open_if_most_judges_find_it_unanswered():
    open_, dealt = Trap(code="T7"), Trap(code="T7", dealt_with=True)
    most = [*read("c", ("L2", "L2"), ("L2", "L2"), traps=(open_,)), *read("c", ("L2", "L2"), traps=(dealt,))]
    assert panel_rungs(most)[0].open_trap == "T7"
    half = [*read("c", ("L2", "L2"), traps=(open_,)), *read("c", ("L2", "L2"), traps=(dealt,))]
    assert panel_rungs(half)[0].open_trap is None
