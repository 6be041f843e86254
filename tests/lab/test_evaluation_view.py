"""An evaluation as people read it: what weakens it first, nothing that is not known as a figure, and words as words."""

import re
from functools import cache
from time import process_time

import pytest

from hustings.lab import judge_panel
from hustings.lab.artefact import Evaluation
from hustings.lab.report.evaluation_view import QuotePlace
from hustings.lab.report.figure_meanings import WHYS
from hustings.lab.report.quote_places import Quoting, mark_quotes, pieces
from hustings.report.formats import html, md, share
from hustings.report.view import blind, view
from tests.report.dossiers import steering, unjudged
from tests.report.test_html import NASTY, Page
from tests.report.test_sharing import PAGE

from .evaluations import evaluated

OWN_FAMILY = "Judged by its own family"
FORMATS = [html.render, md.render]


def found(**how):
    (section,) = evaluated(**how).sections
    return section.view()


def test_a_debate_that_was_not_evaluated_has_no_such_part():
    plain = unjudged("roundtable")
    assert "sections" not in view(plain).model_dump(mode="json")
    assert "Evaluation" not in md.render(plain)
    assert "evaluation" not in Page(html.render(plain)).values("id")


def test_those_who_judge_blind_do_not_see_it():
    assert blind(view(evaluated())).sections == {}


@pytest.mark.parametrize("render", FORMATS)
def test_a_panel_of_the_debaters_family_is_named_before_every_figure(render):
    text = render(evaluated(one_family=True))
    assert text.index(OWN_FAMILY) < text.index("Reasoning, mean ρ")


@pytest.mark.parametrize("render", FORMATS)
def test_a_panel_of_the_debaters_family_says_neither_pass_nor_fail(render):
    text = re.sub(r"Nothing here passes or fails", "", render(evaluated(one_family=True)))
    section = text[text.index(OWN_FAMILY) :]
    assert not re.search(r"\b(passes|does not pass|Pass:|Fail:|Verdict:)", section)
    assert re.search(r"Fail:", render(evaluated()))


def test_what_is_not_known_is_never_shown_as_nought():
    empty = found(empty=True)
    metrics = [one.shown for one in empty.metrics]
    assert metrics == ["not known"] * len(metrics)
    assert [fact.text[:9] for fact in empty.facts] == ["not known"] * 4
    assert empty.plots == ()
    assert empty.syntheses.rows == empty.speakers.rows == ()


def test_a_turn_that_nobody_could_judge_says_so():
    cell = next(turn.cell for turn in found().turns if turn.cell.rho is None)
    assert (cell.rho_shown, cell.verdict) == ("not known", "not judged")
    assert {bar.shown for bar in cell.bars} == {"not known"}


def test_each_turn_has_one_cell_in_its_seat_and_round():
    one = found()
    cells = [cell.turn for line in one.seats for own in line.cells for cell in own]
    assert sorted(cells) == sorted(turn.turn for turn in one.turns)
    assert all(len(line.cells) == len(one.rounds) for line in one.seats)


def test_a_verdict_and_a_rung_stand_in_words():
    words = {(turn.cell.verdict, turn.cell.tone) for turn in found().turns}
    assert words == {("consistent", "good"), ("gives in", "care"), ("stubborn", "care"), ("not judged", "none")}
    assert "claims L2, shows L1, trap T7 open" in {turn.cell.ladder for turn in found().turns}


def test_every_judges_answer_stands_with_its_turn():
    turn = found().turns[0]
    assert [answer.judge for answer in turn.answers] == ["j1", "j2"]
    told = {line.label: line.text for line in turn.answers[0].lines}
    assert (told["Logic"], told["Alternatives"]) == ("level 5 of 6", "nothing to judge it by")
    assert told["Names a reason for the change"] == "no"


def test_a_count_that_is_not_known_is_no_nought():
    (row,) = found().speakers.rows
    assert row[1:] == ("2", "0", "not known", "not known", "4", "1")


@pytest.mark.parametrize("render", FORMATS)
def test_a_synthesis_has_its_figures(render):
    assert found().syntheses.rows == (("n1", "0.82", "0.80", "not known", "not known"),)
    assert "Fidelity" in render(evaluated())


def test_every_badge_that_a_panel_can_get_says_why():
    assert found(one_family=True).badges[0].why.startswith("No judge is of a family")
    assert set(judge_panel.BADGES) == set(WHYS)


def test_every_plot_has_its_figures_as_a_table():
    plots = {plot.id: plot for plot in found().plots}
    assert list(plots) == ["positions", "quality"]
    assert plots["positions"].table.rows[1] == ("r2", "0.21", "not known", "0.50", "no")


def test_a_figure_that_is_not_known_leaves_a_gap_in_its_line():
    overlap = next(line for line in found().plots[0].lines if line.name == "overlap")
    assert [point.label for point in overlap.points] == ["overlap, r1: 0.33"]


def test_the_page_marks_quoted_words_where_they_stand():
    page = Page(html.render(evaluated()))
    turns = found().turns
    assert page.count("mark") == sum(len(turn.places) for turn in turns) >= len(turns)
    assert page.count("details", "reading") == len(turns)


def test_every_cell_of_the_page_leads_to_its_turn():
    page = Page(html.render(evaluated()))
    places = {f"#{name}" for name in page.values("id")}
    assert {link for link in page.values("href") if link.startswith("#evaluated")} <= places


@pytest.mark.parametrize("word", NASTY)
def test_words_of_judges_and_speakers_are_no_more_than_words(word):
    hostile = evaluated(word=word)
    shown, told = html.render(hostile), md.render(hostile)
    page = Page(shown)
    assert not steering(shown)
    assert page.count("script") == page.count("img") == 0
    assert {tag for tag, _ in page.elements} <= tags_of_plain_words() | {"mark", "sup"}
    assert not steering(told)
    assert not re.search(r"(?<!\\)<\w", told)


@cache
def tags_of_plain_words():
    return {tag for tag, _ in Page(html.render(evaluated(word="plain"))).elements}


def test_a_shared_file_carries_it():
    assert '"positions"' in share.render(evaluated(), PAGE)


def test_the_file_comes_back_as_it_was():
    (section,) = evaluated().sections
    document = section.data
    assert Evaluation.model_validate(document).document() == document


# -- quotes in place ---------------------------------------------------------------------


def test_quotes_that_meet_become_one_mark():
    text = "Trams cut asthma in every town that built them."
    quoted = [Quoting("j1", "a", "Trams cut asthma"), Quoting("j2", "b", "cut asthma in every town", fault=True)]
    places, quotes = mark_quotes(text, quoted)
    assert places == (QuotePlace(words="Trams cut asthma in every town", number=1, fault=True),)
    assert [one.number for one in quotes] == [1, 1]


def test_marks_are_numbered_in_the_order_of_the_text():
    text = "First this was said here. Then that was said there."
    places, quotes = mark_quotes(text, [Quoting("j", "a", "that was said there"), Quoting("j", "b", "First this was")])
    assert [place.words for place in places] == ["First this was", "that was said there"]
    assert [one.number for one in quotes] == [2, 1]


def test_a_quote_with_other_typography_is_marked_as_it_stands():
    places, _ = mark_quotes("He said “it’s not enough” twice.", [Quoting("j", "a", "it's not enough")])
    assert [place.words for place in places] == ["it’s not enough"]


def test_words_that_were_not_said_have_no_place():
    places, quotes = mark_quotes("Nothing of the kind was said.", [Quoting("j", "a", "trams are cheap for towns")])
    assert (places, quotes[0].number) == ((), None)


def test_judges_who_quote_the_same_for_the_same_reason_share_an_entry():
    _, quotes = mark_quotes("Trams cut asthma.", [Quoting("j1", "a", "Trams cut"), Quoting("j2", "a", "Trams cut")])
    assert [one.judge for one in quotes] == ["j1, j2"]


def test_pieces_make_the_whole_text_again():
    text = "One two three. One two three."
    places = (QuotePlace(words="two three", number=1, fault=False), QuotePlace(words="One two", number=2, fault=False))
    parts = list(pieces(text, places))
    assert "".join(words for words, _ in parts) == text
    assert [place.number for _, place in parts if place] == [1, 2]


# -- speed -------------------------------------------------------------------------------


def test_a_report_with_thirty_turns_is_made_within_200_ms_of_cpu():
    """CPU of this process alone, the best of three: a busy machine makes it wait, not work more."""
    one = evaluated(rounds=10)
    assert len(Evaluation.model_validate(one.sections[0].data).turn_evaluations) == 30
    html.render(one)
    assert min(cpu(lambda: html.render(one)) for _ in range(3)) < 0.2


def cpu(work):
    began = process_time()
    work()
    return process_time() - began
