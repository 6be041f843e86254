"""A library refuses what leads nowhere, and its look-ups give the same answer every time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hustings.errors import NotFound, Unsuitable
from hustings.script.catalogue import Catalogue


def content() -> dict[str, Any]:
    """A small catalogue, to be spoiled by the tests."""
    return {
        "personalities": [{"id": "calm", "name": "Calm", "style": "slow", "how": "Take your time."}],
        "domains": [{"id": "sea", "name": "Sea", "cues": ["tide"]}, {"id": "general", "name": "General"}],
        "lenses": [
            lens("boats", "sea", cues=["sailor", "ferry", "life boat"]),
            lens("fish", "sea", cues=["fisherman", "boat"]),
            lens("storms", "sea", contrarian=True),
            lens("ports", "sea", cues=["harbour", "box"]),
            lens("facts", "general", cues=["scientist"]),
            lens("past", "general", cues=["company"]),
            lens("doubt", "general", contrarian=True),
            lens("generalist", "general"),
        ],
        "topics": [{"id": "ferries", "text": "Are ferries worth their price?", "protocol": "competition"}],
        "defaults": {"competition": {"topic": "ferries", "personalities": {"pro_1": "calm", "con_1": "calm"}}},
    }


def lens(name: str, domain: str, **more: Any) -> dict[str, Any]:
    who = f"Kim {name.title()}, a sailor"
    told = {"priority": "You look.", "asks": ["Why?", "How?"]}
    return {"id": name, "name": name, "domain": domain, "who": who, **told, **more}


CATALOGUE = Catalogue.model_validate(content())


def ids(panel: tuple[Any, ...]) -> list[str]:
    return [lens.id for lens in panel]


def spoil(content: dict[str, Any], part: str, place: Any, **changes: Any) -> dict[str, Any]:
    content[part][place].update(changes)
    return content


@pytest.mark.parametrize(
    ("spoiled", "complaint"),
    [
        (spoil(content(), "personalities", 0, mood="odd"), "Extra inputs"),
        (spoil(content(), "personalities", 0, how=" "), "match pattern"),
        (spoil(content(), "personalities", 0, id="Not an id"), "match pattern"),
        (spoil(content(), "lenses", 0, id="fish"), "id 'fish' is given 2 times: rename"),
        (spoil(content(), "domains", 0, id="general"), "id 'general' is given 2 times"),
        (content() | {"topics": content()["topics"] * 2}, "id 'ferries' is given 2 times"),
        (spoil(content(), "domains", 1, id="other"), "the catalogue needs domain 'general'"),
        (spoil(content(), "lenses", 7, id="other"), "the catalogue needs lens 'generalist'"),
        (spoil(content(), "lenses", 0, domain="moon"), "lens 'boats' needs domain 'moon'.*general, sea"),
        (spoil(content(), "lenses", 0, domain="general"), "domain 'sea' has 3 lenses: give it at least 4"),
        (spoil(content(), "lenses", 2, contrarian=False), "domain 'sea' has nobody who disagrees"),
        (spoil(content(), "lenses", 0, asks=["Why?"]), "at least 2 items"),
        (spoil(content(), "lenses", 0, who="a sailor"), "match pattern"),
        (spoil(content(), "lenses", 0, cues=["Sailor"]), "cue 'Sailor' must be"),
        (spoil(content(), "lenses", 0, cues=["--"]), "cue '--' must be"),
        (spoil(content(), "lenses", 0, cues=["boats"]), "cue 'boat' belongs to lenses 'boats' and 'fish'"),
        (spoil(content(), "defaults", "competition", topic="moon"), "needs topic 'moon'"),
        (
            spoil(content(), "defaults", "competition", personalities={"pro_1": "wild"}),
            "protocol 'competition' needs personality 'wild'.*calm",
        ),
        (spoil(content(), "topics", 0, protocol="duel"), "topic 'ferries' is meant for protocol 'duel'"),
    ],
)
def test_a_catalogue_that_leads_nowhere_is_refused(spoiled: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Catalogue.model_validate(spoiled)


def test_a_catalogue_may_do_without_defaults() -> None:
    bare = spoil(content(), "topics", 0, protocol=None) | {"defaults": {}}
    assert Catalogue.model_validate(bare).topic("ferries").language == "en"


def test_entries_are_found_by_id() -> None:
    assert CATALOGUE.personality("calm").name == "Calm"
    assert CATALOGUE.topic("ferries").protocol == "competition"
    assert CATALOGUE.lens("fish").domain == CATALOGUE.domain("sea").id


@pytest.mark.parametrize("look_up", [CATALOGUE.personality, CATALOGUE.domain, CATALOGUE.lens, CATALOGUE.topic])
def test_an_unknown_id_is_answered_with_the_known_ones(look_up: Any) -> None:
    with pytest.raises(NotFound, match=r"'kraken': choose one of [a-z]"):
        look_up("kraken")


def test_a_lens_has_a_person_with_a_background() -> None:
    assert (CATALOGUE.lens("fish").person, CATALOGUE.lens("fish").background) == ("Kim Fish", "a sailor")


@pytest.mark.parametrize(
    ("topic", "domain"),
    [
        ("Should the FERRY wait for the tide?", "sea"),
        ("Ferries", "sea"),
        ("Two boxes", "sea"),
        ("Tideland", "general"),
        ("Scientists and sailors", "sea"),
        ("Scientists, companies and sailors", "general"),
        ("", "general"),
    ],
)
def test_a_topic_belongs_to_the_field_whose_words_it_uses(topic: str, domain: str) -> None:
    assert CATALOGUE.domain_of(topic).id == domain


def test_the_lens_nearest_to_the_topic_comes_first() -> None:
    assert ids(CATALOGUE.panel("sea", 2, "Which harbour?")) == ["ports", "storms"]


def test_a_topic_that_touches_another_field_brings_a_guest() -> None:
    assert ids(CATALOGUE.panel("sea", 4, "What do scientists know?")) == ["facts", "boats", "fish", "storms"]


def test_a_panel_larger_than_its_field_is_filled_from_the_general_one() -> None:
    assert ids(CATALOGUE.panel("sea", 6, "")) == ["boats", "fish", "storms", "ports", "facts", "past"]


@given(st.sampled_from(["sea", "general"]), st.integers(2, 6), st.text(max_size=30))
def test_every_panel_has_its_size_and_one_that_disagrees(domain: str, size: int, topic: str) -> None:
    panel = CATALOGUE.panel(domain, size, topic)
    assert len(set(ids(panel))) == size
    assert sum(lens.contrarian for lens in panel) == 1


@pytest.mark.parametrize("size", [1, 7])
def test_a_panel_of_one_or_of_a_crowd_is_refused(size: int) -> None:
    with pytest.raises(Unsuitable, match="2 to 6"):
        CATALOGUE.panel("sea", size, "")


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("Sailor", "boats"),
        ("boat builder", "fish"),
        ("life-boat crew", "boats"),
        ("retired scientist, now a fisherman", "fish"),
        ("fisherman turned scientist", "facts"),
        ("wizard", "generalist"),
        ("", "generalist"),
    ],
)
def test_a_role_finds_its_lens_by_the_longest_cue_and_then_the_last(role: str, expected: str) -> None:
    assert CATALOGUE.lens_for(role).id == expected


# -- manners -----------------------------------------------------------------------------


def test_a_manner_is_a_personality_or_a_lens():
    assert CATALOGUE.manner("calm").how == "Take your time."
    found = CATALOGUE.manner("boats")
    assert (found.how, found.lens) == ("You look. You keep asking: Why? How?", True)
    with pytest.raises(NotFound, match="personality or lens 'calmer'"):
        CATALOGUE.manner("calmer")


def test_manners_are_found_again_in_what_a_speaker_was_told():
    assert CATALOGUE.manners_in("Take your time. And so on.") == ("calm",)
    assert CATALOGUE.manners_in("") == ()
