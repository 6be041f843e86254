"""What a limit left room for, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.runs.limit_text import limit_reason, more_room
from hustings.transcript.notes import BudgetStopped

AMOUNTS = st.floats(0.0001, 1_000)


def test_a_cap_with_room_left_is_not_told_as_spent():
    stopped = BudgetStopped(spent=0.0084, cap=0.03, needed=0.024)
    assert limit_reason(stopped) == "the next answer could cost $0.0240 and $0.0216 are left ($0.0084 spent)"


def test_what_is_held_is_called_held():
    stopped = BudgetStopped(spent=0.003, cap=0.2, needed=0.024, held=0.176, held_calls=8)
    told = "$0.0030 spent, $0.1760 held for 8 calls that may have been billed"
    assert limit_reason(stopped) == f"the next answer could cost $0.0240 and $0.0210 are left ({told})"


@pytest.mark.parametrize(
    ("stopped", "reason", "option"),
    [
        (BudgetStopped(spent=3, cap=3, unit="calls"), "all 3 calls are made", "--max-calls 6"),
        (
            BudgetStopped(spent=9_000, cap=10_000, unit="tokens", needed=4_000),
            "the next answer could take 4,000 tokens and 1,000 are left",
            "--max-tokens-total 20000",
        ),
        (BudgetStopped(spent=61, cap=60, unit="seconds"), "its 60 seconds are over", "--max-minutes 2"),
    ],
)
def test_each_limit_has_its_words_and_its_option(stopped, reason, option):
    assert (limit_reason(stopped), more_room(stopped)) == (reason, option)


@given(AMOUNTS, AMOUNTS)
def test_the_budget_that_is_proposed_has_room_for_the_next_answer(cap, needed):
    option, amount = more_room(BudgetStopped(spent=cap, cap=cap, needed=needed)).split()
    assert option == "--budget"
    assert float(amount) >= cap + needed - 1e-9
