"""What was argued: sides, speeches, what was put forward on forms, and what judging adds."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.judging.arguments import argued, arguments_of, opposed, points_of, present, sides, speeches
from hustings.judging.dossier import Dossier
from hustings.llm.improviser import Improviser, clock
from hustings.script.calls import Reply
from tests.judging.judgings import EVERY, at_table, debated, judgement, note, saying

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


def test_a_seat_that_was_asked_is_present_even_if_nothing_came():
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
            assert (response.side == owners[response.target]) == (response.kind == "withdraw")


@pytest.mark.parametrize("protocol", ["competition", "roundtable", "adaptive", "moderated"])
def test_a_debate_in_plain_words_has_none(protocol):
    assert argued(debated(protocol).proceedings).claims == ()


def test_an_answer_to_a_concession_defends_against_nothing():
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


def conceding(claim, extent="all"):
    given = {"claim": claim, "quote": "as it was said", "extent": extent, "why": "it is true"}
    return lambda closing: closing.update(concessions=[given])


def withdrawing(argument, extent="all"):
    given = {"argument": argument, "quote": "as it was said", "extent": extent, "why": "it was wrong"}
    return lambda closing: closing.update(withdrawals=[given])


def test_a_concession_that_the_closing_does_not_repeat_is_unconfirmed():
    def concede_first(given):
        given["responses"][0]["kind"] = "concede"

    repeated = edited(con_cross_examination=concede_first, con_closing=conceding("PRO-1"))
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
    late = argued(edited(con_closing=conceding("PRO-2")))
    assert next(r.confirmed for r in late.responses if r.id == "PRO-2/concession")


@pytest.mark.parametrize(("extent", "found"), [("all", "all"), ("the core", "core"), ("one point", "point")])
def test_a_concession_is_read_with_its_extent_and_its_quote(extent, found):
    given = argued(edited(con_closing=conceding("PRO-2", extent)))
    conceded = next(r for r in given.responses if r.id == "PRO-2/concession")
    assert (conceded.extent, conceded.quote, conceded.attacks) == (found, "as it was said", False)


@pytest.mark.parametrize(("extent", "found"), [("all", "all"), ("a part", "point")])
def test_a_withdrawal_speaks_against_an_argument_of_its_own_side(extent, found):
    given = argued(edited(pro_closing=withdrawing("PRO-2", extent)))
    taken_back = next(r for r in given.responses if r.id == "PRO-2/withdrawal")
    assert (taken_back.withdraws, taken_back.attacks, taken_back.extent) == (True, True, found)


def test_an_objection_is_read_with_what_it_disputes():
    def dispute(given):
        given["responses"][0].update(kind="refute", disputes="extent")

    case = argued(edited(con_cross_examination=dispute))
    assert next(r.disputes for r in case.responses if r.id == "PRO-1/response") == "extent"


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
    case = argued(edited(pro_closing=lambda given: given["answers"][0].update(argument="XX-9")))
    assert "XX-9/answer" not in {r.id for r in case.responses}


def test_a_side_that_concedes_an_argument_of_its_own_gives_it_up():
    def keep_all(given):
        given.update(withdrawals=[])

    def concede_own(given):
        given["responses"][0].update(target="PRO-1", kind="concede")

    case = argued(edited(pro_cross_examination=concede_own, pro_closing=keep_all, con_closing=keep_all))
    own = [r for r in case.responses if r.target == "PRO-1" and r.side == "pro"]
    assert [r.withdraws for r in own] == [True]
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


def test_points_without_a_turn_or_a_list_are_not_read():
    loose = [note("points", {"points": []}), note("points", {"points": "none"}, "t")]
    kept = STRUCTURED.model_copy(update={"notes": (*loose, *STRUCTURED.notes)})
    assert argued(kept) == argued(STRUCTURED)


# -- with what judging found -------------------------------------------------------------


def dossier(proceedings, judged=True):
    return Dossier(proceedings=proceedings.proceedings, judgement=judgement(proceedings) if judged else None)


def test_an_unjudged_debate_has_claims_without_a_standing():
    found = arguments_of(dossier(debated("structured"), judged=False))
    assert {claim.standing for claim in found.claims} == {None}
    assert found == argued(STRUCTURED)


def test_judging_gives_the_claims_of_a_form_their_standing_and_changes_nothing_else():
    one = dossier(debated("structured"))
    found = arguments_of(one)
    assert {claim.id: claim.standing for claim in found.claims} == {
        traced.id: traced.standing for traced in one.judgement.trace
    }
    assert found.responses == found.spoken == argued(STRUCTURED).responses


@pytest.mark.parametrize("protocol", ["roundtable", "moderated"])
def test_what_a_clerk_drew_is_told_by_the_judgement(protocol):
    one = dossier(debated(protocol))
    found = arguments_of(one)
    assert [claim.id for claim in found.claims] == [traced.id for traced in one.judgement.trace]
    assert [(r.id, r.attacks, r.origin) for r in found.responses] == [
        (r.id, r.attacks, r.source) for r in one.judgement.responses
    ]
    assert found.spoken == ()


def test_an_edge_to_or_from_no_claim_of_the_judgement_is_left_out():
    one = dossier(debated("roundtable"))
    traced, edge = one.judgement.trace[0], one.judgement.responses[0]
    strays = [{"source": "x"}, {"target": "x"}, {"source": traced.id, "target": traced.id}]
    given = tuple(edge.model_copy(update=stray) for stray in strays)
    found = one.model_copy(update={"judgement": one.judgement.model_copy(update={"responses": given})})
    assert arguments_of(found).responses == ()


def supporting(note, name):
    """The same note, in which the response of that name supports its target."""
    points = [{**p, "kind": "support"} if p["id"] == name else p for p in note.body.get("points", ())]
    return note.model_copy(update={"body": {"points": points}}) if note.kind == "points" else note


def test_an_answer_to_a_support_is_marked_but_is_no_edge():
    objection = next(r.target for r in argued(STRUCTURED).responses if r.kind == "answer")
    played = STRUCTURED.model_copy(update={"notes": tuple(supporting(note, objection) for note in STRUCTURED.notes)})
    supports = {r.id for r in argued(played).responses if r.kind == "support"}
    assert supports
    assert [r for r in argued(played).responses if r.target in supports]
    assert not [r for r in arguments_of(Dossier(proceedings=played)).responses if r.target in supports]


def test_the_lead_of_a_response_is_not_told_twice():
    one = argued(STRUCTURED).responses[0]
    assert not one.said.startswith("[")
