"""The packaged catalogue is whole and varied, and a broken one says where."""

from difflib import SequenceMatcher
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import BrokenFile
from hustings.runs.registry import load_catalogue, read_catalogue
from hustings.text.words import count_words

CATALOGUE = load_catalogue()
FILES = ("personalities.toml", "lenses.toml", "topics.toml", "defaults.toml")


def copied(folder: Path) -> Path:
    for name in FILES:
        (folder / name).write_text((files("hustings") / "data" / name).read_text("utf-8"), "utf-8")
    return folder


def test_the_catalogue_is_read_once() -> None:
    assert load_catalogue() is CATALOGUE


def test_the_five_styles_are_there() -> None:
    assert [p.id for p in CATALOGUE.personalities] == [
        "logical",
        "emotional",
        "data_driven",
        "aggressive",
        "diplomatic",
    ]


def test_no_figure_may_be_invented_and_no_person_attacked() -> None:
    assert "never invent a figure" in CATALOGUE.personality("data_driven").how
    assert "never people" in CATALOGUE.personality("aggressive").how


def test_every_personality_is_two_or_three_sentences() -> None:
    assert all(2 <= p.how.count(". ") + 1 <= 3 for p in CATALOGUE.personalities)


def test_the_seven_fields_have_five_lenses_each() -> None:
    fields = {"technical", "business", "interpersonal", "health", "creative", "policy", "general"}
    assert {domain.id for domain in CATALOGUE.domains} == fields
    assert all(sum(lens.domain == field for lens in CATALOGUE.lenses) >= 5 for field in fields)


def test_every_lens_speaks_to_its_holder_and_asks_questions() -> None:
    for lens in CATALOGUE.lenses:
        assert lens.priority.startswith("You "), lens.id
        assert lens.cues, lens.id
        assert all(question.endswith("?") for question in lens.asks), lens.id


def test_no_two_lenses_look_at_the_same_thing() -> None:
    for one, other in combinations(CATALOGUE.lenses, 2):
        assert SequenceMatcher(None, one.priority.split(), other.priority.split()).ratio() < 0.5, (one.id, other.id)
        assert not set(one.asks) & set(other.asks), (one.id, other.id)


def test_there_are_topics_enough_and_not_in_english_alone() -> None:
    assert len(CATALOGUE.topics) >= 20
    assert {topic.language for topic in CATALOGUE.topics} >= {"en", "de", "zh"}
    assert all(count_words(topic.text) <= 25 for topic in CATALOGUE.topics)


def test_both_teams_of_a_competition_are_of_one_temper() -> None:
    taken = CATALOGUE.defaults["competition"].personalities
    assert sorted(taken) == sorted(f"{team}_{n}" for team in ("pro", "con") for n in range(1, 5))
    assert all(taken[f"pro_{n}"] == taken[f"con_{n}"] for n in range(1, 5))


@pytest.mark.parametrize(
    ("topic", "domain"),
    [
        ("four_day_week", "policy"),
        ("microservices", "technical"),
        ("remote_first", "business"),
        ("screening", "health"),
        ("art_and_artist", "creative"),
        ("telling_a_friend", "interpersonal"),
        ("homework", "general"),
    ],
)
def test_topics_find_their_field(topic: str, domain: str) -> None:
    assert CATALOGUE.domain_of(CATALOGUE.topic(topic).text).id == domain


@pytest.mark.parametrize(
    ("role", "lens"),
    [
        ("life coach", "motivation"),
        ("entrepreneur", "leverage"),
        ("athlete", "practice"),
        ("discipline", "practice"),
        ("basketball coach", "practice"),
        ("software engineer", "systems"),
        ("security engineer", "attacker"),
        ("lawyer", "rights"),
        ("family doctor", "clinical"),
        ("primary school teacher", "learner"),
        ("investor", "downside"),
        ("chief financial officer", "downside"),
        ("designer", "use"),
        ("mother of three", "parent"),
        ("regulator", "enforcement"),
        ("health economist", "incentives"),
        ("historian", "precedent"),
        ("ethicist", "duty"),
        ("journalist", "account"),
        ("marketer", "buyer"),
        ("data scientist", "evidence"),
        ("army officer", "contingency"),
        ("Soldier", "contingency"),
        ("artists", "craft"),
        ("climate activist", "long_bill"),
        ("trade union leader", "workforce"),
        ("Devil's advocate", "devil"),
        ("wizard", "generalist"),
    ],
)
def test_roles_find_their_lens(role: str, lens: str) -> None:
    assert CATALOGUE.lens_for(role).id == lens


@given(st.sampled_from(CATALOGUE.domains), st.integers(2, 6), st.sampled_from(CATALOGUE.topics))
def test_every_packaged_panel_is_full_and_holds_one_that_disagrees(domain, size, topic) -> None:
    panel = CATALOGUE.panel(domain.id, size, topic.text)
    assert len(set(panel)) == size
    assert sum(lens.contrarian for lens in panel) == 1


def test_four_lines_make_a_personality(tmp_path: Path) -> None:
    with (copied(tmp_path) / "personalities.toml").open("a", encoding="utf-8") as file:
        file.write('\n[dry]\nname = "Dry"\nstyle = "brief"\nhow = "Say it once. Then stop."\n')
    assert read_catalogue(tmp_path).personality("dry").style == "brief"


@pytest.mark.parametrize(
    ("name", "line", "complaint"),
    [
        ("personalities.toml", "name = ", r"^personalities.toml is not valid TOML in UTF-8: correct it \(.*line \d+"),
        (
            "personalities.toml",
            '[dry]\nname = "Dry"',
            r"^personalities.toml, \[dry\], style: missing\. The",
        ),
        ("personalities.toml", "[Dry]", r"^personalities.toml, \[Dry\], "),
        ("lenses.toml", "[lenses.empty]", r"^lenses.toml, \[lenses.empty\], name: missing"),
        ("lenses.toml", '[domains.sea]\nname = "Sea"', r"^lenses.toml: domain 'sea' has 0 lenses: give it at least 4"),
        ("lenses.toml", "[lense.odd]", r"^lenses.toml, \[lense\]: start the title with"),
        ("topics.toml", "[odd]\ntext = 7", r"^topics.toml, \[odd\], text: must be text, not 7\. "),
        ("defaults.toml", '[duel]\ntopic = "moon"', r"^defaults.toml: protocol 'duel' needs topic 'moon'"),
        ("defaults.toml", "[duel]", r"^defaults.toml, \[duel\], topic: missing"),
    ],
)
def test_a_broken_file_is_named_with_place_and_cure(tmp_path: Path, name: str, line: str, complaint: str) -> None:
    with (copied(tmp_path) / name).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    with pytest.raises(BrokenFile, match=complaint):
        read_catalogue(tmp_path)


def test_a_line_that_belongs_to_no_entry_is_refused(tmp_path: Path) -> None:
    path = copied(tmp_path) / "topics.toml"
    path.write_text('stray = "line"\n' + path.read_text("utf-8"), "utf-8")
    with pytest.raises(BrokenFile, match=r"^topics.toml, \[stray\]: .*, not 'line'\. "):
        read_catalogue(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (copied(tmp_path) / "topics.toml").unlink()
    with pytest.raises(BrokenFile, match=r"^topics.toml can't be read"):
        read_catalogue(tmp_path)


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (copied(tmp_path) / "topics.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BrokenFile, match=r"^topics.toml is not valid TOML in UTF-8"):
        read_catalogue(tmp_path)
