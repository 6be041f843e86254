"""A summary that a model wrote keeps the sentences whose citations hold, and no other."""

import json
import re
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hustings.errors import Unsuitable
from hustings.judging.arguments import arguments_of
from hustings.judging.dossier import Dossier
from hustings.judging.executive_summary import (
    FEWEST,
    MOST_WORDS,
    NOTE,
    Finding,
    SummarySentence,
    faults,
    findings,
    kept,
    summary_of,
)
from hustings.lab.gold import gold_debates, judged, played
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_script
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.text.quotes import is_verbatim
from hustings.text.words import count_words
from tests.rig.lanes import examples

from .judgings import TOPIC, debated, judgement, note, prompts, shown

GOLD = ("larkfield", "school_phones", "night_bus", "orchard_spray", "museum_ticket", "village_hall")
TEMPLATES = (
    "This was said and it bears on the question.",
    "What is cited here held up under questions.",
    "Check this before you rely on it ({}).",
    "The speakers came back to this more than once.",
)
NOBODY_SAID = "these are words which no speaker of any debate has ever uttered"


@cache
def gold(name):
    """A gold debate with its judgement, and the findings that a summary of it may cite."""
    debate = gold_debates()[name]
    record = played(debate)
    found = judged(debate, record)
    dossier = Dossier(proceedings=record.proceedings, judgement=found)
    return dossier, findings(found, arguments_of(dossier))


# -- sentences that hold, and faults that are made -----------------------------------------


@st.composite
def quotes(draw, finding):
    """A sentence or more of an argument: a piece of one could be cut off from its "not"."""
    sentences = re.split(r"(?<=[.!?])\s|\n", finding.words)
    start = draw(st.integers(0, len(sentences) - 1))
    end = draw(st.integers(start + 1, min(start + 3, len(sentences))))
    quote = " ".join(sentences[start:end])
    return quote if count_words(quote) >= 3 else finding.words


@st.composite
def good(draw, found):
    cited = draw(st.lists(st.sampled_from(found), min_size=1, max_size=3, unique_by=lambda finding: finding.id))
    text = draw(st.sampled_from(TEMPLATES)).format(cited[0].id)
    return SummarySentence(
        text=text, ids=tuple(finding.id for finding in cited), quote=draw(quotes(draw(st.sampled_from(cited))))
    )


def _unknown(draw, one, found):
    return {"ids": (*one.ids, "PRO-99")}


def _false_quote(draw, one, found):
    return {"quote": NOBODY_SAID}


def _changed_quote(draw, one, found):
    """One word of it is another: a summary quotes exactly."""
    words = one.quote.split()
    place = draw(st.integers(0, len(words) - 1))
    return {"quote": " ".join([*words[:place], "xylophones", *words[place + 1 :]])}


def _of_another(draw, one, found):
    cited = [finding for finding in found if finding.id in one.ids]
    others = [f for f in found if not any(is_verbatim(" ".join(f.words.split()[:8]), c.words) for c in cited)]
    return {"quote": " ".join(draw(st.sampled_from(others)).words.split()[:8])} if others else {"quote": NOBODY_SAID}


def _no_id(draw, one, found):
    return {"ids": ()}


def _foreign_figure(draw, one, found):
    return {"text": f"{one.text} It takes {draw(st.integers(7_000_001, 7_999_999))} of them."}


def _too_long(draw, one, found):
    return {"text": "word " * (MOST_WORDS + 1)}


def _too_short_a_quote(draw, one, found):
    return {"quote": " ".join(one.quote.split()[:1])}


FAULTS = {
    "an unknown id": _unknown,
    "a false quote": _false_quote,
    "a changed quote": _changed_quote,
    "a quote of another argument": _of_another,
    "no id": _no_id,
    "a foreign figure": _foreign_figure,
    "too long": _too_long,
    "too short a quote": _too_short_a_quote,
}


@st.composite
def made(draw, found):
    one = draw(good(found))
    name = draw(st.sampled_from(sorted(FAULTS)))
    return one.model_copy(update=FAULTS[name](draw, one, found))


@st.composite
def summaries(draw):
    """The findings of a gold debate, and sentences about them, each with whether it holds."""
    _, found = gold(draw(st.sampled_from(GOLD)))
    each = st.one_of(good(found).map(lambda one: (one, True)), made(found).map(lambda one: (one, False)))
    return found, draw(st.lists(each, min_size=2, max_size=6))


@settings(
    max_examples=examples(500), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(summaries(), st.booleans())
def test_every_faulty_sentence_is_dropped_and_no_good_one(written, decided):
    found, sentences = written
    held = tuple(one for one, holds in sentences if holds)
    expected = held if len(held) >= FEWEST else ()
    assert kept([one for one, _ in sentences], found, "", decided=decided) == (
        expected,
        len(sentences) - len(expected),
    )


@pytest.mark.parametrize("name", GOLD)
def test_findings_are_the_arguments_of_a_debate_with_their_own_words_and_what_became_of_them(name):
    dossier, found = gold(name)
    assert [one.id for one in found] == [row.id for row in dossier.judgement.trace]
    assert [one.status for one in found] == [row.reason for row in dossier.judgement.trace]
    said = [turn.said for turn in dossier.proceedings.transcript.turns]
    assert [one.id for one in found if not any(is_verbatim(one.words, text) for text in said)] == []


# -- each fault by itself ------------------------------------------------------------------

FOUND = (
    Finding(id="PRO-1", seat="pro", side="pro", claim="It costs 40 a day.", words="The bus costs 40 a day to run.",
            status="Upheld: Con conceded it."),
    Finding(id="CON-2", seat="con", side="con", claim="Few ride it.", words="Hardly anybody rides it after ten.",
            status="Partly upheld: judges scored it fair (5.5 of 10)."),
)  # fmt: skip
KNOWN = {one.id: one for one in FOUND}
HOLDS = SummarySentence(text="The bus is not free.", ids=("PRO-1",), quote="The bus costs 40 a day")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"ids": ()}, ["it cites no argument", "its quote does not stand in what it cites"]),
        ({"ids": ("PRO-1", "PRO-9")}, ["there is no argument PRO-9"]),
        ({"quote": "The bus costs 41 a day"}, ["its quote does not stand in what it cites"]),
        ({"quote": "bus costs"}, ["its quote does not stand in what it cites"]),
        ({"ids": ("CON-2",)}, ["its quote does not stand in what it cites"]),
        ({"ids": ("CON-2", "PRO-1")}, []),
        ({"text": "word " * 31}, ["it has more than 30 words"]),
        ({"text": "It costs 41 a day."}, ["its figure 41 does not stand in what it cites"]),
        ({"text": "PRO-1 puts it at 40 a day."}, []),
        ({"text": "Pro leads by 2.5 points."}, []),
        ({"text": "It was scored 5.5 of 10."}, ["its figure 5.5 does not stand in what it cites"]),
        ({"text": "It was scored 5.5 of 10.", "ids": ("PRO-1", "CON-2")}, []),
    ],
)
def test_what_is_wrong_with_a_sentence_is_said(change, told):
    assert list(faults(HOLDS.model_copy(update=change), KNOWN, "Pro argued better: 7.5 to 5.0, by 2.5.")) == told


def test_one_sentence_is_no_summary():
    assert kept([HOLDS], FOUND, "", decided=True) == ((), 1)


# -- winners -------------------------------------------------------------------------------

NAMING = [
    "Pro wins.", "Con won the debate.", "The winner is Pro.", "Pro prevails.", "Pro prevailed in the end.",
    "Con beats Pro.", "Con defeated Pro.", "Pro argued better.", "Pro made the stronger case.",
]  # fmt: skip
MORE = [
    "Con lost the debate.", "Pro loses on this.", "Victory goes to Pro.", "Pro is victorious.",
    "Pro came out ahead.", "Pro comes out on top.", "The debate favours Pro.", "The debate favors Con.",
    "Pro had the better arguments.", "Pro triumphs.", "Pro outargued Con.", "Pro is ahead on points.",
]  # fmt: skip


@pytest.mark.parametrize("text", [*NAMING, *MORE])
def test_without_a_verdict_a_sentence_that_names_a_winner_leaves_nothing(text):
    naming = HOLDS.model_copy(update={"text": text})
    assert kept([HOLDS, naming, HOLDS], FOUND, "", decided=False) == ((), 3)


@pytest.mark.parametrize("text", NAMING)
def test_with_a_verdict_it_may_be_named(text):
    naming = HOLDS.model_copy(update={"text": text})
    assert kept([HOLDS, naming], FOUND, "", decided=True) == ((HOLDS, naming), 0)


def test_a_sentence_that_names_a_winner_and_fails_anyway_takes_nothing_with_it():
    naming = HOLDS.model_copy(update={"text": "Pro wins.", "quote": NOBODY_SAID})
    assert kept([HOLDS, naming, HOLDS], FOUND, "", decided=False) == ((HOLDS, HOLDS), 1)


@settings(max_examples=examples(100), deadline=None)
@given(summaries(), st.lists(st.sampled_from(NAMING), min_size=1, max_size=2), st.randoms(use_true_random=False))
def test_an_undecided_debate_never_keeps_a_winner(written, naming, rng):
    found, sentences = written
    told = [one for one, _ in sentences]
    told += [
        next((one for one, holds in sentences if holds), HOLDS).model_copy(update={"text": text}) for text in naming
    ]
    rng.shuffle(told)
    held, _ = kept(told, found, "", decided=False)
    assert not {one.text for one in held} & set(naming)


# -- as a run ------------------------------------------------------------------------------


def summarised(proceedings, actor, **chosen):
    return rehearse(plan(find_script("summary"), TOPIC, judged=proceedings, settings=chosen, model="scripted"), actor)


def writing(*sentences):
    """Answers with these sentences, each a function of what lies before the writer: label to words."""

    def answer(call):
        laid = {name: words for name, words in shown(call).items() if name != "verdict"}
        return Reply(json.dumps({"sentences": [one(laid) for one in sentences]}, ensure_ascii=False), clock(call))

    return answer


def citing(n, words=slice(0, 8)):
    def sentence(laid):
        label = list(laid)[n % len(laid)]
        told = laid[label].rpartition("\nWhat became of it:")[0]
        return {"ids": [label], "quote": " ".join(told.split()[words]), "text": "This was said and it counts."}

    return sentence


def told(run):
    return summary_of("s", "scripted", run.proceedings)


def of_findings(name):
    dossier, found = gold(name)
    given_settings = {"findings": [one.model_dump(mode="json") for one in found]}
    return dossier, found, given_settings


@pytest.mark.parametrize("name", GOLD)
def test_what_a_run_keeps_is_told_in_the_debate_s_own_ids_and_words(name):
    dossier, found, chosen = of_findings(name)
    run = summarised(dossier.proceedings, writing(*map(citing, range(6))), **chosen)
    words = {one.id: one.words for one in found}
    summary = told(run)
    assert summary is not None
    assert summary.dropped == 0
    assert [s for s in summary.sentences if not is_verbatim(s.quote, words[s.ids[0]])] == []


def test_a_quote_with_a_speaker_s_name_comes_back_as_it_was_said():
    """The writer reads neutral names; what it quotes must stand in the argument again."""
    record = debated("structured", renamed=lambda seat: {"pro": "Edda Marsh", "con": "Tom Reed"}.get(seat.id, "Judge"))
    claims = [
        Finding(id=f"PRO-{n}", seat="pro", side="pro", claim="c", words=f"As Tom Reed said, the bus is late {word}.",
                status="Upheld.")
        for n, word in enumerate(("today", "again"), 1)
    ]  # fmt: skip
    chosen = {"findings": [one.model_dump(mode="json") for one in claims]}
    summary = told(summarised(record.proceedings, writing(citing(0), citing(1)), **chosen))
    assert summary is not None
    assert [s.quote for s in summary.sentences if not is_verbatim(s.quote, claims[0].words + claims[1].words)] == []


def test_the_writer_does_not_see_who_sat_where():
    record = debated("structured", renamed=lambda seat: f"Zebulon {seat.id}")
    run = summarised(record.proceedings, Improviser())
    assert prompts(run)
    assert not [text for text in prompts(run) if "Zebulon" in text or "zephyr" in text]


def test_sentences_that_fail_are_counted_in_the_note():
    dossier, _, chosen = of_findings("larkfield")

    def inventing(laid):
        return {"ids": [next(iter(laid))], "quote": NOBODY_SAID, "text": "This was never said."}

    summary = told(summarised(dossier.proceedings, writing(citing(0), inventing, citing(1)), **chosen))
    assert (len(summary.sentences), summary.dropped) == (2, 1)


def test_a_summary_of_which_nothing_holds_is_none():
    dossier, _, chosen = of_findings("larkfield")

    def inventing(laid):
        return {"ids": [next(iter(laid))], "quote": NOBODY_SAID, "text": "This was never said."}

    assert told(summarised(dossier.proceedings, writing(inventing, inventing), **chosen)) is None


def test_a_writer_that_gives_nothing_usable_takes_nothing_with_it():
    run = summarised(debated("structured").proceedings, lambda call: Reply("I would rather not.", clock(call)))
    assert (run.proceedings.ending.kind, told(run)) == ("played", None)


@pytest.mark.parametrize("protocol", ["structured", "roundtable"])
def test_a_debate_that_was_not_judged_is_summarised_from_its_record(protocol):
    record = debated(protocol)
    summary = told(summarised(record.proceedings, writing(citing(0), citing(1))))
    assert summary is not None
    assert {one for s in summary.sentences for one in s.ids} <= {
        *(t.turn_id for t in record.proceedings.transcript.turns),
        *(row.id for row in judgement(record).trace),
    }


def test_without_a_debate_there_is_nothing_to_summarise():
    with pytest.raises(Unsuitable, match="nothing to summarise"):
        rehearse(plan(find_script("summary"), TOPIC), Improviser())


def test_an_undecided_run_keeps_no_winner():
    dossier, _, chosen = of_findings("larkfield")

    def naming(laid):
        return citing(2)(laid) | {"text": "One side wins this debate."}

    run = summarised(dossier.proceedings, writing(citing(0), citing(1), naming), **chosen, decided=False)
    assert told(run) is None


@pytest.mark.parametrize("body", [{}, {"sentences": None}, {"sentences": []}, {"sentences": "all"}])
def test_a_note_without_sentences_is_no_summary(body):
    record = debated("structured").proceedings.model_copy(update={"notes": (note(NOTE, body),)})
    assert summary_of("s", "m", record) is None
