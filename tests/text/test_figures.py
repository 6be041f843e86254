"""Figures read as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.text.figures import (
    call_count,
    decimal,
    dollars,
    held_text,
    limit_in_dollars,
    listed,
    of_ten,
    percent,
    signed,
    span,
    token_count,
)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (decimal(7.25), "7.2"),
        (decimal(-0.4), "−0.4"),
        (decimal(-0.04), "0.0"),
        (decimal(-0.04, 2), "−0.04"),
        (signed(0.31, 2), "+0.31"),
        (signed(-0.31, 2), "−0.31"),
        (signed(-0.001, 2), "0.00"),
        (span((-0.4, 1.2)), "−0.4 to 1.2"),
        (of_ten(7.2), "7.2 of 10"),
        (of_ten(None), "not scored"),
        (percent(0.914), "91%"),
        (percent(0.999), "over 99%"),
        (percent(1.0), "100%"),
        (percent(0.001), "under 1%"),
        (percent(0.0), "0%"),
        (token_count(12_345, 0), "12,345 tokens"),
        (token_count(12_345, 800), "12,345 tokens and 800 booked uncounted"),
        (call_count([("debate", 1)]), "1 call"),
        (
            call_count([("debate", 6), ("judging", 1_208), ("control", 3)]),
            "6 calls + 1,208 for judging + 3 for control",
        ),
        (call_count([("judging", 8)]), "8 calls for judging"),
        (dollars(0), "0.00"),
        (dollars(1234.5), "1,234.50"),
        (dollars(0.0045), "0.0045"),
        (dollars(0.000012, 4), "0.000012"),
        (limit_in_dollars(5), "5.00"),
        (limit_in_dollars(0.004), "0.004"),
        (limit_in_dollars(1.015), "1.015"),
        (held_text(0.17641, 8), "$0.1764 held for 8 calls that may have been billed"),
        (held_text(0.02, 1), "$0.0200 held for 1 call that may have been billed"),
        (held_text(0.0, 0), ""),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"]), "a, b and c"),
        (listed([]), ""),
    ],
)
def test_a_figure_reads_as_people_write_it(told, expected):
    assert told == expected


@given(st.floats(-1e6, 1e6), st.integers(0, 3))
def test_a_figure_can_be_read_back_to_its_last_decimal(value, places):
    assert float(decimal(value, places).replace("−", "-")) == round(float(f"{value:.{places}f}"), places)


@given(st.floats(-1, 1))
def test_there_is_no_minus_zero(value):
    assert decimal(value) != "−0.0"
