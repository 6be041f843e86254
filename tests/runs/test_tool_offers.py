"""Tools of a request: a silent seat and a price each, for speakers alone, and no more than their models can read."""

import pytest

from hustings.errors import Unsuitable
from hustings.runs.request import DebateRequest, build_spec
from hustings.runs.tool_offers import ToolOffer
from hustings.script.tools import ToolTerms, ToolUse


def offer(name="web", *, price=0.0, **more):
    terms = {"name": name, "about": "Finds facts", "uses": (ToolUse(name="search"),), "seats": (), **more}
    return ToolOffer(terms=ToolTerms(**terms), price=price)


def drawn(*tools, protocol="structured", **more):
    request = DebateRequest(protocol=protocol, question="Is it so?", model="improviser", tools=tools, **more)
    return build_spec(request, {})


def test_a_tool_has_a_silent_seat_a_time_and_a_price():
    spec = drawn(offer(price=0.002))
    found = spec.model_specs["tool_web"]
    assert (found.label, found.timeout, found.free, found.price.output) == ("tool/web", 30.0, False, 2_000)
    assert [seat.role for seat in spec.debate.staff] == ["tool"]
    assert (drawn(offer()).model_specs["tool_web"].free, spec.made) == (True, "improvised")


def test_all_who_speak_may_use_it_unless_seats_are_named():
    assert drawn(offer()).debate.tools[0].seats == ("pro", "con")
    assert drawn(offer(seats=("con",))).debate.tools[0].seats == ("con",)
    moderated = drawn(offer(), protocol="moderated").debate
    silent = {seat.id for seat in moderated.seats if seat.role == "moderator"}
    assert silent
    assert silent.isdisjoint(moderated.tools[0].seats)


def test_a_request_without_tools_keeps_its_bytes():
    assert "tools" not in drawn().debate.model_dump(mode="json")


@pytest.mark.parametrize(
    ("tools", "more", "said"),
    [
        ((offer(), offer()), {}, "the tool web is named twice"),
        ((offer(seats=("moderator",)),), {"protocol": "moderated"}, "who only listens"),
        ((offer(seats=("nobody",)),), {}, "no seat nobody"),
        ((offer(calls=20, characters=20_000), offer("wiki", calls=20, characters=20_000)), {}, "allow tools less"),
    ],
)
def test_what_cannot_work_is_refused_in_words(tools, more, said):
    with pytest.raises(Unsuitable, match=said):
        drawn(*tools, **more)
