"""An estimate as it is read: one line, a table, JSON, and what it rests on."""

import json

import pytest
from inline_snapshot import snapshot

from hustings.cli.estimate_text import budget_for, in_dollars, line, notes, short, show_estimate, table
from hustings.runs.estimate import Estimate, EstimateStep, Part, SeatEstimate, estimate
from hustings.runs.estimate_tokens import Figures
from hustings.runs.request import DebateRequest, build_spec


def row(seat, paid="priced", model="acme/one", *, worst=True):
    worst = Figures(calls=9, tokens_in=90_000, tokens_out=18_000, money=900_000) if worst else None
    expected = Figures(
        calls=3, tokens_in=4_500, tokens_out=1_500, money=0 if paid == "free" else 12_345, unpriced=paid == "unknown"
    )
    return SeatEstimate(seat=seat, model=model, paid=paid, expected=expected, worst=worst)


def told(*seats, script="structured", cap=None):
    whole = seats[0].worst and sum((seat.worst for seat in seats[1:]), seats[0].worst)
    least = {"least_calls": 3 * len(seats)} if whole else {}
    steps = (EstimateStep(name="opening", calls=2), EstimateStep(name="closing", calls=2))
    return Estimate(
        parts=(Part(script=script, steps=steps, rounds=2, waves=1, seats=seats, worst=whole, **least),), cap=cap
    )


def test_one_line_says_the_essential():
    assert line(told(row("pro"), row("con"), cap=1_000_000)) == snapshot(
        "structured · about 6 calls (6 to 18) · about 12k tokens · about $0.02 · budget $1.00"
    )


def test_a_budget_that_will_probably_not_suffice_is_named_with_one_that_should():
    assert line(told(row("pro"), row("con"), cap=10_000)).splitlines()[1] == snapshot(
        "Typical cost $0.02 is over your $0.01 budget: it will probably stop before its end. Use --budget 0.03"
    )


def test_beside_json_the_warning_is_told(capsys):
    show_estimate(told(row("pro"), cap=1_000), as_json=True)
    said = capsys.readouterr()
    assert (json.loads(said.out)["cap"], "is over your $0.001 budget" in said.err) == (1_000, True)


@pytest.mark.parametrize(
    ("typical", "budget"),
    [(4_490_000, "5"), (250_000, "0.30"), (1_000_000, "1.50"), (12_000_000, "15"), (1_500, "0.01"), (0, "0.01")],
)
def test_a_budget_is_a_round_amount_a_tenth_or_more_above(typical, budget):
    assert budget_for(typical) == budget


def test_one_line_of_what_costs_nothing_says_so():
    assert line(told(row("pro", "free"), row("con", "free"))) == snapshot(
        "structured · about 6 calls (6 to 18) · about 12k tokens · free"
    )


def test_one_line_without_bounds_names_none():
    assert line(told(row("pro", worst=False))) == snapshot("structured · about 3 calls · about 6k tokens · about $0.01")


def test_an_unknown_price_is_no_small_one():
    assert "about $0.02 plus unknown" in line(told(row("pro"), row("con", "unknown")))


def test_the_table_has_a_line_for_each_seat_and_their_sum():
    assert table(told(row("pro"), row("con", "free", "ollama/two"))) == snapshot("""\
structured: opening 2, closing 2; 2 rounds, 1 step

                  typical                       worst case
seat  model       calls     in    out   cost    calls       in     out   cost
pro   acme/one        3  4,500  1,500  $0.01        9   90,000  18,000  $0.90
con   ollama/two      3  4,500  1,500   free        9   90,000  18,000   free
      structured      6  9,000  3,000  $0.01       18  180,000  36,000  $1.80\
""")


def test_the_table_without_bounds_has_no_worst():
    assert "worst" not in table(told(row("pro", worst=False)))


def test_a_long_plan_goes_on_in_the_next_line():
    part = told(row("pro")).parts[0]
    long = part.model_copy(update={"steps": tuple(EstimateStep(name=f"step number {n}", calls=n) for n in range(12))})
    lines = table(Estimate(parts=(long,))).split("\n\n")[0].splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 100 for line in lines)
    assert "\u00a0" not in lines[0]


def test_several_parts_are_summed_up():
    one, other = told(row("pro")), told(row("judge_1"), script="judging")
    both = Estimate(parts=one.parts + other.parts)
    assert line(both).startswith("structured + judging · about 3 calls + 3 for judging (6 to 18 in all)")
    assert table(both).splitlines()[-1].split()[:2] == ["total", "6"]


def test_a_budget_that_ends_it_first_is_named():
    assert "The debate stops at your $1.00 budget." in list(notes(told(row("a"), row("b"), cap=1_000_000)))


def test_whose_price_is_unknown_is_named_with_the_cure():
    (said,) = [note for note in notes(told(row("pro", "unknown"))) if "No price known" in note]
    assert "acme/one" in said
    assert "LLM_PRICE_INPUT" in said


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0"), (999, "999"), (1_000, "1k"), (12_600, "13k"), (999_600, "1.0M"), (1_340_000, "1.3M")]
)
def test_tokens_are_rounded(count, words):
    assert short(count) == words


@pytest.mark.parametrize(
    ("micro", "words"), [(0, "$0.00"), (1_234, "$0.0012"), (12_345, "$0.01"), (1_500_000, "$1.50")]
)
def test_money_is_rounded(micro, words):
    assert in_dollars(micro) == words


def test_data_and_talk_go_their_own_ways(capsys):
    show_estimate(told(row("pro")))
    shown = capsys.readouterr()
    assert shown.out.startswith("structured · ")
    assert "Nothing was sent." in shown.err


def test_as_json_it_is_all_of_it(capsys):
    spec = build_spec(
        DebateRequest(protocol="structured", question="Tea?", model="ollama/a", max_calls=3), {}, for_estimate=True
    )
    known = estimate(spec)
    show_estimate(known, as_json=True)
    assert Estimate.model_validate(json.loads(capsys.readouterr().out)) == known


def test_a_model_cannot_steer_the_terminal_by_its_name(capsys):
    show_estimate(told(row("pro", model="acme/\x1b[31mred")))
    assert "\x1b" not in capsys.readouterr().out
