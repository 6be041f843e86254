"""An argument over several runs: the order of runs is no matter, and what is not common is not counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import Unsuitable
from hustings.judging.comparison import DebateFacts
from hustings.judging.dossier import Dossier
from hustings.judging.stability import CAUTIOUS, stability
from tests.report.judged import traced

from .judgings import debated, judgement_of
from .records import renamed

PLAYED = debated("structured")
FOUND = judgement_of("structured")
STANDINGS = st.sampled_from(CAUTIOUS)
TRACES = st.lists(
    st.tuples(st.sampled_from(["PRO-1", "PRO-2", "CON-1"]), st.sampled_from(["Tea.", "Milk", "tea", ""]), STANDINGS),
    max_size=4,
    unique_by=lambda row: row[0],
)


def run(name, *rows, proceedings=PLAYED.proceedings):
    trace = tuple(traced(argument, claim, standing, 0.5) for argument, claim, standing in rows)
    return DebateFacts(name, Dossier(proceedings=proceedings, judgement=FOUND.model_copy(update={"trace": trace})), {})


def test_an_argument_that_fares_the_same_everywhere_is_stable():
    runs = [run(name, ("PRO-1", "Tea.", "upheld")) for name in "abc"]
    (found,) = stability(runs)
    assert (found.most, found.share, set(found.ids)) == ("upheld", 1.0, {"a", "b", "c"})


def test_its_share_is_that_of_its_most_frequent_standing():
    fared = {"a": "upheld", "b": "refuted", "c": "upheld"}
    runs = [run(name, ("PRO-1", "Tea.", standing)) for name, standing in fared.items()]
    (found,) = stability(runs)
    assert (found.most, found.share, found.standings["b"]) == ("upheld", 2 / 3, "refuted")


def test_of_two_standings_that_are_as_frequent_the_cautious_one_is_told():
    runs = [run("a", ("PRO-1", "Tea.", "upheld")), run("b", ("PRO-1", "Tea.", "uncertain"))]
    assert [found.most for found in stability(runs)] == ["uncertain"]


def test_two_runs_that_disagree_are_split_one_to_one():
    runs = [run("a", ("PRO-1", "Tea.", "upheld")), run("b", ("PRO-1", "Tea.", "refuted"))]
    assert [found.split for found in stability(runs)] == [(1, 1)]


def test_runs_of_which_most_agree_are_not_split():
    fared = {"a": "upheld", "b": "refuted", "c": "upheld"}
    runs = [run(name, ("PRO-1", "Tea.", standing)) for name, standing in fared.items()]
    assert [found.split for found in stability(runs)] == [()]


def test_what_one_run_alone_argues_says_nothing_of_stability():
    assert stability([run("a", ("PRO-1", "Tea.", "upheld")), run("b", ("PRO-2", "Milk.", "upheld"))]) == ()


def test_the_same_claim_under_another_name_is_the_same_argument():
    runs = [run("a", ("PRO-1", "Tea.", "upheld")), run("b", ("CON-1", "tea", "upheld"))]
    assert [dict(found.ids) for found in stability(runs)] == [{"a": "PRO-1", "b": "CON-1"}]


def test_a_run_that_was_not_judged_counts_for_nothing():
    unjudged = DebateFacts("c", Dossier(proceedings=PLAYED.proceedings), {})
    runs = [run(name, ("PRO-1", "Tea.", "upheld")) for name in "ab"]
    assert stability([*runs, unjudged]) == stability(runs)


def test_runs_of_different_motions_are_refused():
    with pytest.raises(Unsuitable, match="different questions"):
        stability([run("a"), run("b", proceedings=renamed(PLAYED))])


@given(st.lists(TRACES, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_permuting_runs_changes_nothing(traces, rng):
    runs = [run(f"r{n}", *rows) for n, rows in enumerate(traces)]
    shuffled = rng.sample(runs, len(runs))
    assert stability(shuffled) == stability(runs)


@given(st.lists(TRACES, min_size=1, max_size=4))
def test_every_argument_of_a_run_stands_in_one_line_at_most_and_shares_are_right(traces):
    runs = [run(f"r{n}", *rows) for n, rows in enumerate(traces)]
    found = stability(runs)
    named = [pair for line in found for pair in line.ids.items()]
    assert len(named) == len(set(named))
    for line in found:
        count = list(line.standings.values()).count(line.most)
        assert line.share == count / len(line.standings)
        assert all(list(line.standings.values()).count(other) <= count for other in CAUTIOUS)


@given(TRACES)
def test_a_run_beside_itself_is_stable_in_all_it_argues(rows):
    found = stability([run("a", *rows), run("b", *rows)])
    assert len(found) == len(rows)
    assert all(line.share == 1.0 for line in found)
