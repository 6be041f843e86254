"""A record as judges need it: sides, seats, speeches, and what was put forward on forms."""

import json

import pytest

from hustings.core.calls import Reply
from hustings.core.errors import SeatFailed
from hustings.evaluate.reading import argued, drawn, opposed, points_of, present, sides, speeches
from hustings.llm.improviser import Improviser, clock

from .judgings import EVERY, at_table, debated, judged, judgement, note, saying

STRUCTURED = debated("structured").proceedings


def transcript_of(**seats):
    return at_table(debated("roundtable", saying("It is so.")).proceedings.transcript, **seats)


# -- sides -------------------------------------------------------------------------------


def test_a_seat_stands_for_its_team_or_for_itself():
    table = transcript_of(a=("debater", "red"), b=("debater", "blue"), c=("panelist", None), chair=("moderator", None))
    assert sides(table) == {"a": "red", "b": "blue", "c": "c"}


@pytest.mark.parametrize(
    ("seats", "pair"),
    [
        ({"a": ("debater", "red"), "b": ("debater", "blue"), "c": ("debater", "red")}, ("red", "blue")),
        ({"x": ("pro", None), "y": ("con", None), "chair": ("judge", None)}, ("x", "y")),
        ({"x": ("panelist", None), "y": ("panelist", None)}, None),
        ({"x": ("pro", None), "y": ("con", None), "z": ("panelist", None)}, None),
        ({"a": ("debater", "red"), "b": ("debater", "red")}, None),
        ({"a": ("debater", "red"), "b": ("debater", "blue"), "c": ("debater", "green")}, None),
        ({}, None),
    ],
)
def test_two_sides_are_opposed_only_where_everybody_was_given_one_of_two(seats, pair):
    assert opposed(transcript_of(**seats)) == pair


@pytest.mark.parametrize("protocol", EVERY)
def test_only_the_protocols_that_give_sides_have_opposed_ones(protocol):
    pair = ("pro", "con") if protocol in ("structured", "competition") else None
    assert opposed(debated(protocol).proceedings.transcript) == pair


def test_whoever_was_asked_is_present_even_if_nothing_came():
    def answer(call):
        return SeatFailed("is away") if call.seat.id == "ben" else Improviser()(call)

    transcript = debated("roundtable", answer).proceedings.transcript
    assert present(transcript) == ["ada", "ben", "chi"]
    assert {turn.speaker_id for turn in speeches(transcript)} == {"ada", "chi"}


def test_what_a_moderator_says_is_no_speech():
    transcript = debated("moderated").proceedings.transcript
    assert "moderator" in {turn.speaker_id for turn in transcript.turns}
    assert "moderator" not in {turn.speaker_id for turn in speeches(transcript)}


# -- points ------------------------------------------------------------------------------


def test_a_debate_on_forms_has_its_arguments_and_what_was_said_to_them():
    case = argued(STRUCTURED)
    owners = {claim.id: claim.side for claim in case.claims}
    assert {claim.partition("-")[0].lower() for claim in owners} == {"pro", "con"}
    responses = {r.id: r for r in case.responses}
    for response in case.responses:
        if response.kind == "answer":
            assert response.side == owners[responses[response.target].target]
        else:
            assert response.side != owners[response.target]


@pytest.mark.parametrize("protocol", ["competition", "roundtable", "adaptive", "moderated"])
def test_a_debate_in_plain_words_has_none(protocol):
    assert argued(debated(protocol).proceedings).claims == ()


def test_an_answer_to_whoever_conceded_defends_against_nothing():
    case = argued(STRUCTURED)
    conceded = {r.id for r in case.responses if r.kind == "concede"}
    assert conceded
    assert not [r for r in case.responses if r.target in conceded]


def edited(**changes):
    """A structured debate in which what a brief was answered with is changed before it goes back."""

    def answer(call):
        given = json.loads(Improviser()(call).text)
        if change := changes.get(f"{call.seat.id}_{call.brief.name.replace('-', '_')}"):
            change(given)
        return Reply(json.dumps(given), clock(call))

    return debated("structured", answer, retries=0).proceedings


def test_a_concession_that_the_closing_does_not_repeat_is_unconfirmed():
    def concede_first(given):
        given["responses"][0]["kind"] = "concede"

    repeated = edited(
        con_cross_examination=concede_first,
        con_closing=lambda given: given.update(concessions=[{"claim": "PRO-1", "why": "it is true"}]),
    )
    dropped = edited(con_cross_examination=concede_first, con_closing=lambda given: given.update(concessions=[]))
    bare = edited(
        con_cross_examination=concede_first, con_closing=lambda given: given.update(concessions=[], answers=[])
    )
    confirmed = [
        next(r.confirmed for r in argued(debate).responses if r.id == "PRO-1/response")
        for debate in (repeated, dropped, bare)
    ]
    assert confirmed == [True, False, False]


def test_a_concession_made_in_ones_last_words_is_confirmed():
    late = edited(con_closing=lambda given: given.update(concessions=[{"claim": "PRO-2", "why": "it is true"}]))
    assert next(r.confirmed for r in argued(late).responses if r.id == "PRO-2/concession")


def test_an_argument_under_a_name_that_is_taken_is_read_as_a_statement():
    def steal(given):
        given["arguments"][0]["id"] = "PRO-1"

    case = argued(edited(con_opening=steal))
    assert [claim.side for claim in case.claims if claim.id == "PRO-1"] == ["pro"]


@pytest.mark.parametrize("target", ["XX-9", "CON-1/response", "stand"])
def test_a_response_to_nothing_that_was_put_forward_is_read_as_a_statement(target):
    case = argued(edited(con_cross_examination=lambda given: given["responses"][0].update(target=target)))
    assert target not in {r.target for r in case.responses if r.kind != "answer"}


def test_an_answer_to_nothing_that_was_asked_is_read_as_a_statement():
    case = argued(edited(pro_closing=lambda given: given["answers"][0].update(question="XX-9")))
    assert "XX-9/answer" not in {r.id for r in case.responses}


def test_whoever_concedes_an_argument_of_its_own_gives_it_up():
    case = argued(
        edited(pro_cross_examination=lambda given: given["responses"][0].update(target="PRO-1", kind="concede"))
    )
    own = [r for r in case.responses if r.target == "PRO-1" and r.side == "pro"]
    assert [r.owner for r in own] == [True]
    assert not any(r.owner for r in case.responses if r not in own)


def test_what_breaks_its_form_is_still_read_and_the_debate_still_judged():
    def garble(given):
        for response in given["responses"]:
            response["target"] = "XX-9"

    debate = debated("structured", _garbling(garble), retries=0)
    kinds = [point.kind for points in points_of(debate.proceedings).values() for point in points]
    assert kinds.count("statement") > 2
    assert judgement(debate).outcome.kind in {"too_close", "decided", "no_quorum"}


def _garbling(garble):
    def answer(call):
        given = json.loads(Improviser()(call).text)
        if call.brief.name == "cross-examination":
            garble(given)
        return Reply(json.dumps(given), clock(call))

    return answer


# -- what a clerk drew -------------------------------------------------------------------


def record(*relations, teams=False):
    """Three turns with a claim each, and how they bear on each other."""
    played = debated("roundtable", saying("The market has grown.", "It has not.", "So be it."), rounds=1)
    proceedings = played.proceedings
    if teams:
        seats = {"ada": ("debater", "red"), "ben": ("debater", "blue"), "chi": ("debater", "red")}
        proceedings = proceedings.model_copy(update={"transcript": at_table(proceedings.transcript, **seats)})
    turns = [turn.turn_id for turn in speeches(proceedings.transcript)]
    claims = [
        note("drawn", {"turn": t, "claims": [{"id": f"{t}-1", "claim": "it is", "quote": "so"}], "dropped": n})
        for n, t in enumerate(turns)
    ]
    body = [
        {"id": f"{s}>{t}", "source": f"{turns[s]}-1", "target": f"{turns[t]}-1", "kind": kind, "quote": "so"}
        for s, t, kind in relations
    ]
    return drawn(proceedings, [*claims, note("related", {"turn": turns[-1], "relations": body, "dropped": 4})])


def test_drawn_claims_belong_to_whoever_spoke_and_keep_their_quote():
    case = record()
    assert [(claim.seat, claim.quote) for claim in case.claims] == [("ada", "so"), ("ben", "so"), ("chi", "so")]


def test_all_that_was_dropped_is_counted():
    assert record().dropped == 0 + 1 + 2 + 4


def test_a_relation_is_a_response_carried_by_the_claim_it_comes_from():
    (response,) = record((1, 0, "refute")).responses
    assert (response.kind, response.seat, response.owner) == ("refute", "ben", False)
    assert response.source.startswith(response.turn_id)


@pytest.mark.parametrize(("teams", "owner"), [(False, False), (True, True)])
def test_a_claim_is_given_up_by_its_author_or_its_authors_team(teams, owner):
    (response,) = record((2, 0, "concede"), teams=teams).responses
    assert response.owner is owner


def test_a_judging_of_plain_words_finds_the_claims_that_its_clerk_noted():
    sat = judged(debated("roundtable"))
    case = drawn(sat.debate.judged, sat.proceedings.notes)
    assert case.claims
    assert {r.target for r in case.responses} <= {claim.id for claim in case.claims}
