"""A clerk draws claims from plain words, and takes nothing that was not said."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.judging.arguments import speeches
from hustings.judging.extract_claims import drawn, heard_before, kind_of
from hustings.llm.improviser import Improviser, clock
from hustings.runs.staging import rehearse
from hustings.script.calls import Reply

from .judges import fair, judge
from .judgings import at_table, calls, debated, judged, judgement, note, noted, saying, shown

WORDS = (
    "Well then. The market has grown by a third since the trial.",
    "Not so, Ada: rents rose by a tenth, and two shops have left.",
    "I agree with Ben that two shops have left. Still, noise is down by half.",
)
QUOTES = ("The market has grown by a third", "rents rose by a tenth", "noise is down by half")
DEBATE = debated("roundtable", saying(*WORDS), rounds=1)


def claim(quote, words="It is better for the town."):
    return {"quote": quote, "claim": words, "issue": None}


def one_each(call):
    """The claim of each turn."""
    (words,) = shown(call).values()
    return [claim(quote) for quote in QUOTES if quote in words]


def clerk(claims=one_each, relations=lambda call: []):
    """Answers as a clerk would; judges are fair."""

    def answer(call):
        given = {"claims": ("drawn", claims), "relations": ("relations", relations)}.get(call.brief.name)
        if given is None:
            return judge(fair)(call)
        name, make = given
        return Reply(json.dumps({name: make(call)}), clock(call))

    return answer


def case_of(sat):
    return drawn(sat.debate.judged, sat.proceedings.notes)


def relation(call, kind="refute", quote=None, source=0, target=0):
    """From a claim made here to one made before."""
    offered = call.brief.choices
    here = next(words for name, words in shown(call).items() if not name.startswith(("here-", "before-")))
    known = quote or next(one for one in QUOTES if one in here)
    carried = offered["item"][source] if offered["item"] else None
    extent = "all" if kind in {"concede", "withdraw"} else None
    rest = {"target": offered["earlier"][target], "kind": kind, "extent": extent, "source": carried}
    return {"quote": known, **rest}


# -- claims ------------------------------------------------------------------------------


def test_every_claim_quotes_its_turn():
    case = case_of(judged(DEBATE, clerk()))
    said = {turn.turn_id: turn.said for turn in speeches(DEBATE.proceedings.transcript)}
    assert [claim.quote for claim in case.claims] == list(QUOTES)
    assert all(claim.quote in said[claim.turn_id] for claim in case.claims)


@pytest.mark.parametrize(
    "quote",
    [
        "The market has grown by a quarter",
        "The market grew by a third",
        "rents rose by a tenth",
        "The",
        "...",
        "The market has grown by a third since the trial, and everybody is glad",
    ],
)
def test_a_claim_whose_words_were_not_said_is_dropped_and_counted(quote):
    sat = judged(DEBATE, clerk(lambda call: [claim(quote)] if "Well then" in str(shown(call)) else one_each(call)))
    case = case_of(sat)
    assert [claim.quote for claim in case.claims] == list(QUOTES[1:])
    assert case.dropped == 1


def test_typography_is_no_other_word():
    case = case_of(judged(DEBATE, clerk(lambda call: [claim("“the  MARKET has grown”")])))
    assert [claim.quote for claim in case.claims] == ["the  MARKET has grown"]
    assert case.dropped == 2


def test_no_more_claims_are_taken_than_a_turn_of_its_length_makes():
    many = clerk(lambda call: one_each(call) * 4)
    assert len(case_of(judged(DEBATE, many)).claims) == 3
    words = [f"{said} {'And so on, as was said. ' * 8}" for said in WORDS]
    assert len(case_of(judged(debated("roundtable", saying(*words), rounds=1), many)).claims) == 6
    assert len(case_of(judged(debated("roundtable", saying(*words), rounds=1), many, claims_per_turn=1)).claims) == 3


def test_a_quote_names_people_as_the_speaker_did():
    sat = judged(DEBATE, clerk(lambda call: [claim(text.partition(":")[0]) for text in shown(call).values()]))
    assert "Not so, Ada" in [one.quote for one in case_of(sat).claims]


def test_a_turn_the_clerk_could_not_read_has_no_claims():
    def answer(call):
        lost = call.brief.name == "claims" and "Well then" in str(shown(call))
        return SeatFailed("is away") if lost else clerk()(call)

    assert [claim.seat for claim in case_of(judged(DEBATE, answer)).claims] == ["ben", "chi"]


def test_every_turn_is_read_by_itself_and_under_a_drawn_name():
    for call in calls(judged(DEBATE, clerk()), "claims"):
        ((exhibit,),) = call.brief.exhibits
        assert "Ada" not in exhibit.words
        assert call.brief.text.count(exhibit.name) == 1


# -- relations ---------------------------------------------------------------------------


def test_relations_lead_only_to_claims_made_before():
    sat = judged(DEBATE, clerk(relations=lambda call: [relation(call, target=n) for n in range(-1, 0)]))
    case = case_of(sat)
    place = {claim.id: n for n, claim in enumerate(case.claims)}
    assert len(case.responses) == 2
    assert all(place[r.target] < place[r.source] for r in case.responses)


def test_whoever_speaks_first_is_asked_for_no_relations():
    asked = calls(judged(DEBATE, clerk()), "relations")
    assert [len(call.brief.choices["earlier"]) for call in asked] == [1, 2]


def test_where_nothing_was_claimed_before_there_is_nothing_to_relate_to():
    late = clerk(lambda call: one_each(call) if "noise is down" in str(shown(call)) else [])
    assert not calls(judged(DEBATE, late), "relations")


def test_a_relation_without_words_that_show_it_is_dropped_and_counted():
    sat = judged(DEBATE, clerk(relations=lambda call: [relation(call, quote="that is plainly false")]))
    assert case_of(sat).responses == ()
    assert case_of(sat).dropped == 2


def test_a_turn_may_bear_on_a_claim_in_several_ways_but_in_each_once():
    several = clerk(relations=lambda call: [relation(call, kind) for kind in ("concede", "refute", "refute")])
    assert [r.kind for r in case_of(judged(DEBATE, several)).responses] == ["concede", "refute"] * 2


def test_a_relation_needs_no_claim_that_carries_it():
    none_here = clerk(lambda call: one_each(call) if "Well then" in str(shown(call)) else [], one_to_the_first)
    assert [(r.source, r.seat) for r in case_of(judged(DEBATE, none_here)).responses] == [("", "ben"), ("", "chi")]


def one_to_the_first(call):
    return [relation(call)]


def test_what_was_said_at_once_bears_on_nothing_of_its_round():
    blind = debated("adaptive", max_rounds=1).proceedings
    first = blind.transcript.rounds[0]
    assert first.transcript_visibility == "isolated"
    assert {heard_before(blind.transcript, turn) for turn in first.turns} == {frozenset()}


TWO_ROUNDS = debated(
    "roundtable",
    saying(
        "The market has grown by a third since the trial.",
        "Not so: rents rose by a tenth.",
        "Noise is down by half.",
        "I still say that rents rose by a tenth.",
        "Noise is down by half, I say.",
        "Rents rose, but the market grew all the same.",
    ),
    rounds=2,
)


def test_an_answer_defends_against_every_objection_made_before_it():
    def relations(call):
        here = str(shown(call))
        if "Not so: rents" in here:
            return [relation(call, "challenge", "rents rose by a tenth")]
        return [relation(call, "answer", "the market grew all the same")] if "all the same" in here else []

    case = case_of(judged(TWO_ROUNDS, clerk(one_each, relations)))
    (objection, answer) = case.responses
    assert (answer.kind, answer.target, answer.seat) == ("answer", objection.id, "ada")


def test_an_objection_to_which_its_author_could_not_speak_again_is_known():
    last = debated("roundtable", saying(*WORDS), rounds=1)
    assert {r.answerable for r in case_of(judged(last, clerk(relations=one_to_the_first))).responses} == {False}


@pytest.mark.parametrize(
    ("kind", "own", "read"),
    [
        ("concede", True, "withdraw"),
        ("withdraw", False, "concede"),
        ("support", True, "support"),
        ("answer", False, ""),
        ("refute", True, ""),
        ("refute", False, "refute"),
    ],
)
def test_what_a_relation_is_depends_on_whose_claim_it_is_about(kind, own, read):
    assert kind_of(kind, own=own) == read


def test_a_relation_to_a_claim_that_was_not_offered_is_refused():
    sat = judged(DEBATE, clerk(relations=lambda call: [{**relation(call), "target": "before-9"}]))
    assert case_of(sat).responses == ()
    assert {body["brief"] for body in noted(sat, "failure")} == {"relations"}


# -- determinism, and what follows -------------------------------------------------------


def test_what_the_clerk_is_shown_depends_on_the_seed_and_on_nothing_else():
    first, again, other = (judged(DEBATE, clerk(), seed=seed) for seed in ("one", "one", "two"))
    assert [shown(call) for call in calls(first, "claims")] == [shown(call) for call in calls(again, "claims")]
    assert [shown(call) for call in calls(first, "claims")] != [shown(call) for call in calls(other, "claims")]


def test_a_judging_under_another_name_asks_the_clerk_the_same():
    sat = judged(DEBATE, clerk())
    renamed = rehearse(sat.debate.model_copy(update={"debate_id": "another"}), clerk())
    assert [call.key for call in calls(sat)] == [call.key for call in calls(renamed)]


@pytest.mark.parametrize(("speaker", "standing"), [("ada", "withdrawn"), ("ben", "upheld")])
def test_a_claim_that_its_author_takes_back_is_withdrawn_and_one_that_another_accepts_is_upheld(speaker, standing):
    later = {"ben": 3, "chi": 4, "ada": 5}  # in the order of the second round
    words = [*WORDS, "I see that.", "I see that.", "I see that."]
    words[later[speaker]] = "I see now how it is: yes."

    def claims(call):
        (said,) = shown(call).values()
        return one_each(call) or ([claim("I see now how it is")] if "now how" in said else [])

    def concedes(call):
        return [relation(call, "concede", "I see now how it is")] if "now how" in str(shown(call)) else []

    found = judgement(debated("roundtable", saying(*words), rounds=2), clerk(claims, concedes))
    assert next(traced.standing for traced in found.trace if traced.quote == QUOTES[0]) == standing


@pytest.mark.parametrize("protocol", ["competition", "roundtable", "adaptive", "moderated"])
def test_improvised_claims_of_every_protocol_stand_in_their_turns(protocol):
    played = debated(protocol)
    case = case_of(judged(played, Improviser(1), judges=1, orders=1))
    said = {turn.turn_id: turn.said for turn in speeches(played.proceedings.transcript)}
    assert case.claims
    assert all(claim.quote in said[claim.turn_id] for claim in case.claims)


# -- what a clerk noted -------------------------------------------------------------------


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
        {"id": f"{s}>{t}", "turn": turns[s], "source": f"{turns[s]}-1", "target": f"{turns[t]}-1", "kind": kind}
        | {"quote": "so"}
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
