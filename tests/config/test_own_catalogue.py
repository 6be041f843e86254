"""Personalities, lenses and topics of one's own, and choosing them by name."""

import pytest

from hustings.config.own_catalogue import own_catalogue, with_entries
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.runs.registry import load_catalogue
from hustings.runs.request import DebateRequest, build_spec, laid
from hustings.script.catalogue import Persona

CALM = 'name = "Calm"\nstyle = "slowly"\nhow = "Take your time."\n'
LENS = (
    'name = "The night"\nwho = "Mara Stein, a night nurse"\npriority = "You think of those who work at night."\n'
    'asks = ["Who is awake?", "Who pays?"]\n'
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def request(**more):
    return DebateRequest(**{"protocol": "structured", "question": "Should we?", "model": "improviser", **more})


def test_without_files_the_catalogue_is_the_shipped_one():
    assert own_catalogue() is load_catalogue()


def test_entries_of_a_settings_file_are_added(here):
    (here / "hustings.toml").write_text(
        f'[personalities.calm]\n{CALM}[lenses.night]\n{LENS}[topics.buses]\ntext = "Fährt der Bus?"\nlanguage = "de"\n'
    )
    known = own_catalogue()
    assert (known.personality("calm").how, known.lens("night").domain) == ("Take your time.", "general")
    made = laid(with_entries(request(question="topic:buses", personas={"pro": "calm", "con": "night"})))
    assert (made.topic, made.language) == ("Fährt der Bus?", "de")
    assert {seat: player.manners for seat, player in made.cast.items()} == {"pro": ("calm",), "con": ("night",)}
    assert made.cast["con"].persona == "You think of those who work at night. You keep asking: Who is awake? Who pays?"


def test_a_language_that_was_chosen_stays():
    assert with_entries(request(question="topic:four_day_week", language="fr")).language == "fr"


def test_entries_of_a_folder_are_added_and_replace_shipped_ones(here):
    folder = here / "ours"
    folder.mkdir()
    (folder / "personalities.toml").write_text(f"[logical]\n{CALM}")
    (folder / "lenses.toml").write_text(f"[lenses.night]\n{LENS}")
    (here / "hustings.toml").write_text('catalogue = "ours"\n')
    known = own_catalogue()
    assert (known.personality("logical").name, known.lens("night").name) == ("Calm", "The night")
    assert len(known.personalities) == len(load_catalogue().personalities)


@pytest.mark.parametrize(
    ("toml", "why"),
    [
        ('catalogue = "nowhere"', "there is no folder"),
        ('[personalities.calm]\nname = "Calm"', "personalities.calm"),
        (f"[personalities.Calm]\n{CALM}", "personalities.Calm"),
        (f'[lenses.night]\n{LENS}cues = ["developer"]', "cue 'developer' belongs to lenses"),
    ],
)
def test_entries_that_cannot_be_used_are_named_with_their_file(here, toml, why):
    (here / "hustings.toml").write_text(toml)
    with pytest.raises(BrokenFile, match=why):
        own_catalogue()


@pytest.mark.parametrize(("text", "why"), [("[", "no TOML"), ("calm = 1", "no table")])
def test_a_broken_file_of_a_folder_is_named(here, text, why):
    (here / "topics.toml").write_text(text)
    (here / "hustings.toml").write_text('catalogue = "."')
    with pytest.raises(BrokenFile, match=why):
        own_catalogue()


def test_an_unknown_name_is_told_with_those_there_are():
    with pytest.raises(NotFound, match="diplomatic"):
        with_entries(request(personas={"pro": "diplomatik"}))
    with pytest.raises(NotFound, match="four_day_week"):
        with_entries(request(question="topic:nothing"))


# -- seat by seat ------------------------------------------------------------------------


def test_a_seat_argues_as_chosen_and_the_transcript_can_say_so():
    made = build_spec(request(protocol="competition", personas={"pro": "diplomatic", "pro_2": "aggressive"}), {})
    manners = {seat: player.manners for seat, player in made.debate.cast.items() if seat.startswith("pro")}
    assert manners == {f"pro_{n}": ("aggressive",) if n == 2 else ("diplomatic",) for n in range(1, 5)}
    assert made.debate.cast["pro_1"].persona == load_catalogue().personality("diplomatic").how


def test_usual_personalities_and_lenses_are_named_too():
    assert laid(request()).cast["pro"].manners == ("logical",)
    lenses = [
        player.manners for seat, player in laid(request(protocol="moderated")).cast.items() if seat != "moderator"
    ]
    assert all(len(each) == 1 and load_catalogue().lens(each[0]) for each in lenses)


def test_a_personality_is_added_to_the_lens_of_a_panelist_and_a_lens_replaces_it():
    panel = {"panel": ["Ada: engineer", "Ben: nurse"]}
    asked = request(protocol="moderated", settings=panel, personas={"p1": "diplomatic", "p2": "devil"})
    cast = laid(asked).cast
    assert cast["p1"].manners[-1] == "diplomatic"
    assert len(cast["p1"].manners) == 2
    assert cast["p2"].manners == ("devil",)


def test_a_manner_in_words_needs_no_catalogue():
    asked = with_entries(request(personas={"pro": Persona(id="calm", how="Take your time.")}))
    assert laid(asked).cast["pro"].persona == "Take your time."


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(Unsuitable, match="no seat judge_9"):
        laid(request(personas={"judge_9": "logical"}))
