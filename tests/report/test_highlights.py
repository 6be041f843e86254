"""Three minutes of a debate are chosen from its record by rule, for every protocol."""

import pytest

from hustings.judging.arguments import arguments_of
from hustings.judging.dossier import Dossier
from hustings.report.highlights import PASSAGE_WORDS, READING_PACE, cut, highlights
from hustings.runs.recording import load, name_of, packaged
from hustings.text.words import count_words

FILES = {name_of(file): file for file in packaged()}
SAMPLES = {name: load(file.read_bytes(), name).dossier for name, file in FILES.items()}
WRITTEN = [name for name in SAMPLES if name != "small-model"]


@pytest.fixture(params=SAMPLES)
def dossier(request):
    return SAMPLES[request.param]


def test_all_of_it_is_read_within_three_minutes(dossier):
    shown = highlights(dossier)
    texts = [*(passage.words for passage in shown.passages), *shown.marks, *shown.result]
    assert sum(map(count_words, texts)) / READING_PACE <= 180


def test_a_passage_is_what_its_seat_said_in_that_turn(dossier):
    turns = {turn.turn_id: turn for turn in dossier.proceedings.transcript.turns}
    for passage in highlights(dossier).passages:
        turn = turns[passage.turn]
        assert turn.speaker_id == passage.seat
        for line in passage.words.splitlines():
            assert line.strip("… ") in turn.said


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "backup"])
def test_an_argument_is_followed_by_the_objection_to_it_and_the_answer(name):
    found, shown = arguments_of(SAMPLES[name]), highlights(SAMPLES[name])
    argument, objection, answer = shown.exchange
    assert (argument.does, objection.does, answer.does) == ("argues", "objects", "answers")
    assert argument.claim == objection.claim == answer.claim
    assert argument.claim in {claim.claim for claim in found.claims}


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "backup"])
def test_a_concession_is_of_another_argument(name):
    shown = highlights(SAMPLES[name])
    assert shown.concession.does in {"concedes", "takes back"}
    assert shown.concession.claim != shown.exchange[0].claim


def test_a_critique_shows_an_objection_and_what_checking_it_gave():
    shown = highlights(SAMPLES["backup"])
    assert [passage.does for passage in shown.exchange] == ["argues"]
    assert "checked against the document" in " ".join(shown.marks)


@pytest.mark.parametrize("name", WRITTEN)
def test_no_two_judges_are_shown_with_the_same_reason(name):
    judges = [line.rpartition(": ")[2] for line in highlights(SAMPLES[name]).marks[:3]]
    assert len({*judges}) == 3


def test_the_result_is_the_bottom_line_of_the_judgement(dossier):
    first, *_ = highlights(dossier).result
    assert first == dossier.judgement.briefing.bottom_line


def test_a_debate_that_nobody_judged_shows_its_exchange_and_says_so():
    unjudged = Dossier(proceedings=SAMPLES["monolith"].proceedings)
    shown = highlights(unjudged)
    assert (len(shown.exchange), shown.marks) == (3, ())
    assert "not judged" in shown.result[0].lower()


def test_a_debate_without_arguments_shows_how_it_ended():
    silent = SAMPLES["last-boat"].model_copy(update={"judgement": None})  # its arguments were drawn by its judging
    shown = highlights(silent)
    assert (shown.passages, shown.marks) == ((), ())
    assert shown.result


# -- cutting -------------------------------------------------------------------------------


def test_a_short_text_is_left_as_it_is():
    assert cut("It costs 3.5 million. Nobody asked.") == "It costs 3.5 million. Nobody asked."


def test_a_long_text_ends_with_a_whole_sentence():
    told = cut("One two three. Four five six! Seven eight nine?", 7)
    assert told == "One two three. Four five six! …"


def test_a_sentence_that_is_too_long_is_cut_between_words():
    assert cut("one " * 200, 3) == "one one one…"


def test_a_number_with_a_point_and_a_quote_after_a_full_stop_end_no_sentence_early():
    assert cut("See 5.1 “It holds.” Then more words follow here.", 5) == "See 5.1 “It holds.” …"


@pytest.mark.parametrize("text", ["", "no full stop", "...", "a.\n\nb.\n", "….?!"])
def test_odd_texts_lose_no_word(text):
    assert cut(text, PASSAGE_WORDS).split() == text.split()
