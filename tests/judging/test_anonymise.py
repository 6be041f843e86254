"""Judges know nobody by name: lots are drawn, layout goes, words stay."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.anonymise import TREES, Mask, bare, mask, mirrored
from hustings.llm.improviser import Improviser, clock
from hustings.script.calls import Reply
from hustings.transcript.models import SILENT_ROLES

from .judgings import EVERY, TOPIC, at_table, calls, debated, judged, prompts, saying

OPPOSED = Mask({"pro": "Alder", "con": "Beech", "Pro": "Alder", "Con": "Beech"}, {"PRO-1": "Alder-bk"})
OPEN = Mask(
    {"less": "Alder", "ada": "Beech", "long_bill": "Cedar", "Less": "Alder", "Ada": "Beech", "The long bill": "Cedar"},
    {},
    given_sides=False,
)


def spoken(*words):
    return debated("roundtable", saying(*words)).proceedings.transcript


# -- names -------------------------------------------------------------------------------


def test_the_same_lot_draws_the_same_names():
    transcript, items = spoken("It is so."), {"a": "ada", "b": "ben"}
    assert mask(transcript, items, "seed", "judge_1", 0) == mask(transcript, items, "seed", "judge_1", 0)


def test_names_and_labels_differ_between_judges_orders_and_seeds():
    transcript, items = spoken("It is so."), {"a": "ada", "b": "ben", "c": "chi"}
    lots = [("seed", judge, order) for judge in ("judge_1", "judge_2", "judge_3") for order in (0, 1)]
    drawn = [mask(transcript, items, *lot) for lot in (*lots, ("another", "judge_1", 0))]
    for one, other in combinations(drawn, 2):
        assert one.names != other.names
        assert one.labels != other.labels


def test_a_label_begins_with_the_name_of_its_side_and_no_two_are_alike():
    transcript = spoken("It is so.")
    hidden = mask(transcript, {f"i{n}": ("ada", "ben", "chi")[n % 3] for n in range(300)}, "seed")
    assert all(hidden.labels[f"i{n}"].startswith(hidden.names[("ada", "ben", "chi")[n % 3]]) for n in range(300))
    assert len(set(hidden.labels.values())) == 300


def test_no_label_says_a_word():
    hidden = mask(spoken("It is so."), {f"i{n}": "ada" for n in range(400)}, "seed")
    assert not [label for label in hidden.labels.values() if set(label.rpartition("-")[2]) & set("aeiouy")]


def test_a_name_that_was_said_in_the_debate_is_not_drawn():
    said = " ".join(TREES[3:]).lower()
    hidden = mask(spoken(f"We have {said} in the square."), {}, "seed")
    assert set(hidden.names.values()) == set(TREES[:3])


def test_where_too_few_names_are_left_everybody_gets_a_double_one():
    hidden = mask(spoken(f"We have {' and '.join(TREES)}."), {}, "seed")
    assert all(re.fullmatch(r"[A-Z][a-z]+-[A-Z][a-z]+", name) for name in hidden.names.values())
    assert hidden.words("Alder grows there, says Ada.") == f"Alder grows there, says {hidden.names['Ada']}."


def test_a_table_larger_than_the_wood_has_a_name_for_everybody():
    crowd = {f"s{n}": ("panelist", None) for n in range(20)}
    hidden = mask(at_table(spoken("It is so."), **crowd), {}, "seed")
    assert len(set(hidden.names.values())) == 20


def test_members_of_a_team_bear_its_name_and_their_place():
    hidden = mask(debated("competition").proceedings.transcript, {}, "seed")
    assert hidden.names["pro_3"] == f"{hidden.names['pro']} 3"
    assert hidden.words("As Pro 3 said of CON_1") == f"As {hidden.names['pro']} 3 said of {hidden.names['con']} 1"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Pro says so.", "Alder says so."),
        ("PRO's figures, and con's", "Alder's figures, and Beech's"),
        ("as [PRO-1] has it", "as [Alder-bk] has it"),
        ("as PRO-9 has it", "as Alder-9 has it"),
        ("a pro-car town, a protest, a second", "a pro-car town, a protest, a second"),
        ("我同意con的观点", "我同意Beech的观点"),
        ("**Con** is `pro`", "Beech is Alder"),
    ],
)
def test_the_name_of_a_side_is_covered_however_it_is_spelt(said, read):
    assert OPPOSED.words(said) == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("There is less noise (less than before).", "There is less noise (less than before)."),
        ("The long bill, THE LONG BILL, long_bill", "Cedar, Cedar, Cedar"),
        ("Ada and ADA", "Beech and Beech"),
        ("@less, (less) and [ada]", "@Alder, (Alder) and [Beech]"),
        ("less: I think so\nada: I do not", "Alder: I think so\nBeech: I do not"),
    ],
)
def test_where_nobody_was_given_a_side_an_ordinary_word_stays_one(said, read):
    assert OPEN.words(said) == read


def test_a_letter_that_only_looks_like_another_is_left_as_it_is():
    assert Mask({"vision": "Alder"}, {}).words("VİSİON or vision") == "VİSİON or Alder"


# -- back again --------------------------------------------------------------------------


def test_covered_words_lift_back_to_the_names_that_were_said():
    said = "Con forgets that PRO-1 stands, says Pro."
    assert OPPOSED.lifted(OPPOSED.words(said), said) == said


def test_a_name_the_judge_brings_in_lifts_to_the_seat():
    assert OPPOSED.lifted("Beech evades Alder-bk") == "con evades PRO-1"


@given(st.lists(st.sampled_from(["pro", "con", "PRO-1", "and", "says", "prose", "con-artist", "."])).map(" ".join))
def test_whatever_is_covered_can_be_lifted(said):
    assert OPPOSED.lifted(OPPOSED.words(said)) == said


def test_a_mask_without_names_covers_nothing():
    assert Mask({}, {}).words("Ada said so.") == "Ada said so."


# -- layout ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid_out", "plain"),
    [
        ("**bold** and __strong__ and *soft* words", "bold and strong and soft words"),
        ("**bold with *soft* inside**", "bold with soft inside"),
        ("这是**重点**吗", "这是重点吗"),
        ("# A heading\n\nwords", "A heading\n\nwords"),
        ("- one\n* two\n+ three\n• four", "one\ntwo\nthree\nfour"),
        ("> said\n> > before", "said\nbefore"),
        ("a [study](https://example.org/a) of it", "a study (https://example.org/a) of it"),
        ("![a chart](chart.png)", "a chart (chart.png)"),
        ("```python\nprint(1)\n```\nafter", "print(1)\nafter"),
        ("run `make` now", "run make now"),
        ("before\n---\n***\n===\nafter", "before\nafter"),
    ],
)
def test_layout_goes_and_words_stay(laid_out, plain):
    assert bare(laid_out) == plain


@pytest.mark.parametrize(
    "words", ["2*3*4 is 24", "a snake_case name", "1. first\n2. second", "-5 degrees", "5 * 6 * 7"]
)
def test_what_is_no_layout_is_left_alone(words):
    assert bare(words) == words


@given(st.text(st.sampled_from("ab 1*_`>#-[]()!\n"), max_size=60))
def test_no_letter_and_no_figure_is_ever_lost(text):
    assert re.findall(r"[ab1]", bare(text)) == re.findall(r"[ab1]", re.sub(r"(?m)^\s*```[ab1_]*\s*$", "", text))


# -- orders ------------------------------------------------------------------------------


@given(st.lists(st.text(min_size=1), unique=True), st.text())
def test_the_second_order_mirrors_the_first(items, seed):
    assert mirrored(items, 1, seed) == mirrored(items, 0, seed)[::-1]


# -- the whole prompt --------------------------------------------------------------------


LATER = pytest.mark.nightly("seconds for a competition; every other protocol is tried on every change")


@pytest.mark.parametrize("protocol", [pytest.param(p, marks=LATER) if p == "competition" else p for p in EVERY])
def test_no_prompt_of_a_judge_tells_who_debated(protocol):
    def naming(call):
        """Improvised, but everybody at the table is called by name, id, team and model."""
        reply = Improviser()(call)
        if not call.brief.form.prose:
            return reply
        every = [f"Quorl {seat.id}, {seat.name} ({seat.id}) of {seat.team or 'none'}" for seat in call.context.seats]
        return Reply(f"{'; '.join(every)}: {reply.text}", clock(call), model=f"acme/zephyr-{call.seat.id}")

    played = debated(protocol, naming, renamed=lambda seat: f"Quorl {seat.id}")
    people = [seat for seat in played.debate.seats if seat.role not in SILENT_ROLES]
    names = [f"Quorl {seat.id}" for seat in people] + [f"({seat.id})" for seat in people] + ["zephyr"]
    names += ["pro", "con"] if protocol in ("structured", "competition") else []
    told = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names), re.IGNORECASE)
    assert told.search(played.proceedings.transcript.model_dump_json())
    assert not [found.group() for text in prompts(judged(played)) if (found := told.search(text))]


def test_a_judge_never_meets_the_same_names_twice():
    sat = judged(debated("structured"))
    met = {
        (call.seat.id, frozenset(name.partition("-")[0] for name in call.brief.choices["item"])) for call in calls(sat)
    }
    of_one = [names for seat, names in met if seat == "judge_1"]
    assert len(of_one) == 2


def test_the_question_itself_is_shown_as_it_was_put():
    assert all(TOPIC in text for text in prompts(judged(debated("roundtable"))))
