"""Whom a speech in plain words answers: turns that it quotes or names by their ids, and seats that it names."""

import pytest

from hustings.script.checks import answering
from hustings.script.forms import Speech
from hustings.script.seats import Seat

from .stages import SPEAK, play, saying, turns

BUSES, TRAMS = "Buses are late on Sundays.", "Trams cost more than buses do."


def edges(words, first=BUSES, second=TRAMS):
    """Seat, turn and evidence of what the third speaker answers."""

    async def script(stage, a, b, c):
        for seat in (a, b, c):
            with stage.round(f"round of {seat}"):
                await stage.ask(seat, SPEAK.linking(answering(stage.seats, seat, stage.heard_by(seat))))

    _, stage, _ = play(script, saying(first, second, words))
    return [(e.target_agent_id, e.target_turn_id, e.evidence) for e in turns(stage)[2].addresses or ()]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("You said “buses are late on Sundays”.", [("a", "r1.t0", "buses are late on Sundays")]),
        ("What r2.t0 says is wrong. It is so.", [("b", "r2.t0", "What r2.t0 says is wrong.")]),
        ("“Cheap trams for all” is no plan.", []),
        ("“Buses” are no plan.", []),
        ("It is so.", []),
    ],
)
def test_quotes_and_ids_of_turns_are_edges_to_those_turns(words, found):
    assert edges(words) == found


def test_a_turn_that_is_quoted_and_named_is_one_edge_with_the_words_that_are_answered():
    assert edges("In r1.t0 it says “buses are late on Sundays”.") == [("a", "r1.t0", "buses are late on Sundays")]


def test_words_that_two_have_said_are_those_of_the_first():
    assert edges("So “buses are late on Sundays”?", second=f"“{BUSES}” is wrong.")[0][:2] == ("a", "r1.t0")


def test_words_that_two_have_said_are_those_of_the_one_who_is_named():
    words = "As b says, “buses are late on Sundays”."
    assert edges(words, second=BUSES) == [("b", "r2.t0", "buses are late on Sundays")]


def test_a_seat_that_is_quoted_and_one_that_is_named_are_two_edges():
    assert [seat for seat, _, _ in edges("To b: “buses are late on Sundays”.")] == ["a", "b"]


def test_nobody_answers_themselves():
    async def script(stage, a, b, c):
        for n in (1, 2):
            with stage.round(f"round {n}"):
                await stage.ask(a, SPEAK.linking(answering(stage.seats, a, stage.heard_by(a))))

    _, stage, _ = play(script, saying(BUSES, f"I said “{BUSES}” in r1.t0."))
    assert turns(stage)[1].addresses is None


def test_what_was_not_heard_cannot_be_answered():
    async def script(stage, a, b, c):
        with stage.round("side by side"):
            await stage.together(
                *(stage.ask(seat, SPEAK.linking(answering(stage.seats, seat, stage.heard_by(seat)))) for seat in (a, c))
            )

    _, stage, _ = play(script, saying(BUSES, f"“{BUSES}” is wrong."))
    assert turns(stage)[1].addresses is None


ZOE, OTHER_ZOE, MIA = (Seat(f"p{n}", name=name) for n, name in enumerate(("Zoe, lawyer", "Zoe, nurse", "Mia, nurse")))


@pytest.mark.parametrize(
    ("seats", "found"), [([ZOE, MIA], ["p0"]), ([ZOE, OTHER_ZOE, MIA], []), ([OTHER_ZOE, MIA], ["p1"])]
)
def test_a_name_without_its_role_is_enough_where_one_seat_has_it(seats, found):
    links = answering(seats, MIA, [])(Speech(text="Zoe is right, says Mia."))
    assert [link.seat for link in links] == found
