"""No part of a person's name reaches a judge: first names, surnames, roles, initials, possessives, in five scripts."""

import random
import re

import pytest

from hustings.judging.anonymise import Mask
from hustings.judging.person_names import spellings
from hustings.llm.improviser import Improviser, clock
from hustings.script.calls import Reply

from .judges import fair, judge
from .judgings import debated, judged, prompts

NAMES = 10_000
COVER = "Hornbeam"

SYLLABLES = {
    "Latin": "ka le mi ro sa tu ne vo ha ri el an or is",
    "Cyrillic": "ка ле ми ро са ту не во га ри ел ан ор ис",
    "Greek": "κα λε μι ρο σα του νε βο γα ρι ελ αν ορ ισ",
    "Arabic": "كا لم مي رو سا تو نع فو هح ري عل ان",
    "Han": "伟 芳 娜 敏 静 秀 强 磊 洋 艳 勇 军 杰 涛 明 超 霞 平 刚 桂",
}
CASED = ("Latin", "Cyrillic", "Greek")
FAMILY = "王李张刘陈杨赵黄周吴"
ROLES = ("treasurer", "bus driver", "deckhand and trade unionist", "history teacher")


def person(rng, script):
    """A first name and a surname of two to four syllables; in Han a family name and two signs."""
    syllables, cased = SYLLABLES[script].split(), script in CASED
    if script == "Han":
        return rng.choice(FAMILY) + "".join(rng.sample(syllables, 2)), ()
    words = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(2)]
    parts = tuple(word.capitalize() for word in words) if cased else tuple(words)
    return " ".join(parts), parts


def sentence(rng, name, parts, role):
    """A text that names the person in many ways, and what must not be left of it."""
    if not parts:
        return f"我同意{name}的观点，{name[-2:]}也说过。", [name, name[-2:]]
    first, last = parts
    said = [f"As {name} says", f"{first}'s point", f"to {last}, who", f"“{first}”", f"({last})", f"{last.upper()}!"]
    said += [f"{first[0]}. {last}", f"{first[0]}.{last[0]}. wrote"] if first[0].isupper() else []
    said += [f"the {part} thinks" for part in role.split(" and ")]
    rng.shuffle(said)
    return "; ".join(said), [first, last, *role.split(" and ")]


def left_of(text, words):
    return [word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)]


@pytest.mark.parametrize("script", SYLLABLES)
@pytest.mark.parametrize(
    "count", [50, pytest.param(NAMES // len(SYLLABLES), marks=pytest.mark.nightly("10,000 names take two minutes"))]
)
def test_of_many_names_no_part_is_left(script, count):
    rng = random.Random(script)
    leaks = []
    for _ in range(count):
        name, parts = person(rng, script)
        role = rng.choice(ROLES)
        text, words = sentence(rng, name, parts, role)
        covered = Mask({}, {}, given_sides=False, people={f"{name}, {role}": COVER}).words(text)
        leaks += [(name, found) for found in left_of(covered, words)]
    assert leaks == []


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Edda's point and Brandviks plan", "Hornbeam's point and Hornbeam plan"),
        ("E. Brandvik, E.B. and the treasurer", "Hornbeam, Hornbeam and the Hornbeam"),
        ("Brandvikson is another person", "Brandvikson is another person"),
    ],
)
def test_a_name_is_covered_in_the_forms_that_people_use(said, read):
    assert Mask({}, {}, given_sides=False, people={"Edda Brandvik, treasurer": COVER}).words(said) == read


def test_declined_names_are_covered():
    mask = Mask({}, {}, given_sides=False, people={"Анна Петрова": COVER})
    assert mask.words("Я согласен с Анной и спрашиваю Петрову.") == f"Я согласен с {COVER} и спрашиваю {COVER}."


def test_particles_titles_and_initials_are_no_names_of_their_own():
    assert not any(re.search(form.pattern, "de la Dr. J") for form in spellings("Dr. J. de la Tour"))


PANEL = ("Edda Brandvik: treasurer", "Jonas Kvale: deckhand", "Sunniva Aas: organiser")
WORDS = (
    "I am Edda Brandvik, and as treasurer I say yes: the reserve is 310,000 and falls by 82,500 every year.",
    "Jonas Kvale speaking. Edda's figure is right, and Brandvik knows it, but the deckhand is paid 35 per cent.",
    "S. Aas, organiser: Jonas and Edda both forget the 38 who do not know by five.",
)


def test_no_prompt_of_a_judge_names_a_panelist():
    said = iter([*WORDS, *WORDS, *WORDS])

    def speak(call):
        return Reply(next(said, WORDS[0]), clock(call)) if call.brief.form.prose else Improviser()(call)

    played = debated("moderated", speak, panel=PANEL, max_exchanges=2)
    parts = ("Edda", "Brandvik", "Jonas", "Kvale", "Sunniva", "Aas", "treasurer", "deckhand", "organiser")
    shown = [text for text in prompts(judged(played, judge(fair))) if "310,000" in text]
    assert shown
    assert [(part, text[:80]) for text in shown for part in left_of(text, parts)] == []
