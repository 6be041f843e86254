"""Who sits on a moderated panel, and which field its topic is about."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.protocols.moderated import GENERAL_LENSES
from hustings.runs.registry import find_protocol, load_catalogue
from hustings.runs.staging import plan

from .playing import TOPIC, play, with_words
from .test_moderated import PANEL, calls


def test_a_panel_of_one_is_joined_by_a_contrarian():
    roles = [seat.role for seat in plan(find_protocol("moderated"), TOPIC, settings={"panel": PANEL[:1]}).seats]
    assert roles == ["moderator", "panelist", "contrarian"]


def test_a_panel_that_has_a_doubter_gets_no_second_one():
    cast = plan(find_protocol("moderated"), TOPIC, settings={"panel": ["Mia: engineer", "Kim: sceptic"]}).cast
    assert [player.manners for player in cast.values()] == [(), ("systems",), ("devil",)]


def test_the_last_of_a_panel_without_a_doubter_doubts_as_well():
    cast = plan(find_protocol("moderated"), TOPIC, settings={"panel": PANEL[:2]}).cast
    assert [player.manners for player in cast.values()] == [(), ("systems",), ("motivation", "plain_way")]


# -- the field of a topic --------------------------------------------------------------------

GERMAN = "Soll unser Verein die alte Lösung behalten?"


def test_a_topic_whose_words_name_no_field_is_read_by_the_moderator():
    given = {"moderator field": json.dumps({"reason": "It is about software.", "field": "technical"})}
    played = play("moderated", with_words(given), topic=GERMAN)
    assert played.choreography[0] == ["000.0 moderator field"]
    assert all("mainly about technology" in call.brief.text for call in calls(played, "opening"))


@pytest.mark.parametrize("field", [json.dumps({"reason": "It is about all.", "field": "general"}), SeatFailed("gone")])
def test_a_topic_without_a_field_is_opened_as_any(field):
    played = play("moderated", with_words({"moderator field": field}), topic=GERMAN)
    assert not [call for call in calls(played, "opening") if "mainly about" in call.brief.text]


@pytest.mark.parametrize("settings", [{"panel": PANEL}, {"domain": "general"}])
def test_where_the_panel_was_chosen_no_field_is_asked_for(settings):
    assert not calls(play("moderated", topic=GERMAN, **settings), "field")


def test_where_the_words_name_a_field_none_is_asked_for():
    assert not calls(play("moderated"), "field")


def test_the_general_lenses_are_those_of_the_catalogue():
    assert {lens.id for lens in load_catalogue().lenses if lens.domain == "general"} == GENERAL_LENSES
