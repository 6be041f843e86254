"""What a debate came to, as a program and a notebook see it."""

import io
import json
import re
from html.parser import HTMLParser

import pytest

from hustings import Result, debate
from hustings.api.results import ended, shown
from hustings.errors import NotFound, Unsuitable
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed, Played

MOTION = "Should towns close their centres to cars?"
HOSTILE = "</script><img src=x onerror=alert(1)> \"'> \u202egnp\u2066 \x1b[31m\x00"


@pytest.fixture(scope="module")
def result():
    return debate(MOTION, model="improviser", control=True)


def test_it_says_what_judging_found(result):
    found = result.judgement
    assert (result.outcome, result.briefing, result.control) == (found.outcome, found.briefing, found.control)
    assert (result.degraded, result.unresolved) == (found.degraded, found.briefing.unresolved)
    assert list(result.trace) == list(found.trace)
    assert set(result.scores) == {"pro", "con"}


def test_it_says_what_all_of_it_took(result):
    assert (result.calls, result.tokens, result.spent) == (sum(e.calls for e in result.dossier.expenses), 0, 0.0)
    assert re.fullmatch(r"Free, \d+ calls \+ \d+ for judging( \+ \d+ for control)?", result.cost)


def test_it_is_found_again_by_its_id_and_that_of_its_judging(result):
    ids = {expense.what: expense.run_id for expense in result.dossier.expenses}
    assert Result.of(ids["debate"]) == Result.of(ids["judging"]) == result


def test_one_that_is_not_there_is_said():
    with pytest.raises(NotFound, match="no debate 'nobody'"):
        Result.of("nobody")


def test_unjudged_it_has_no_verdict():
    bare = debate(MOTION, model="improviser", judges=None)
    assert (bare.outcome.kind, bare.judgement, bare.briefing, bare.control) == ("played", None, None, None)
    assert (bare.trace, bare.scores, bare.unresolved, bare.degraded) == ((), {}, (), ())
    assert "Not judged." in bare._repr_html_()


def test_it_is_short_at_a_prompt(result):
    assert repr(result) == f"<Result {result.run_id}: {result.outcome.kind}>"


# -- formats -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["markdown", "html", "json", "csv", "argdown"])
def test_it_is_written_in_every_format(result, form):
    assert getattr(result, f"to_{form}")().endswith("\n")


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.md", "md"), ("a.html", "html"), ("a.json", "json"), ("a.transcript.json", "transcript"), ("a.csv", "csv")],
)
def test_a_file_is_written_in_the_format_its_name_ends_with(result, tmp_path, name, form):
    assert result.save(tmp_path / name).read_bytes() == result.to(form).encode()


def test_a_file_that_cannot_be_written_is_refused_in_our_words(result, tmp_path):
    with pytest.raises(Unsuitable, match=r"can't write .*choose another file"):
        result.save(tmp_path / "missing" / "a.json")


def test_a_name_without_a_format_is_refused(result, tmp_path):
    with pytest.raises(Unsuitable, match=r"no export format for 'a\.docx': use a name that ends with one of .*\.html"):
        result.save(tmp_path / "a.docx")
    with pytest.raises(Unsuitable, match=r"no export format for 'a\.pdf': .* For a PDF, print the \.html"):
        result.save(tmp_path / "a.pdf")


def test_its_bottom_line_is_a_sentence_judged_or_not(result):
    assert result.bottom_line == result.briefing.bottom_line
    assert debate(MOTION, model="improviser", judges=None).bottom_line == "Not judged: finished."


def test_who_wants_a_pdf_is_told_to_print_the_page(result, tmp_path):
    with pytest.raises(Unsuitable, match=r"For a PDF, print the \.html"):
        result.save(tmp_path / "a.pdf")


def test_a_frame_without_pandas_says_how_to_get_it(result, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(Unsuitable, match="a frame needs pandas: pip install pandas"):
        result.to_df()


def test_a_frame_has_the_arguments_of_a_debate_that_was_not_judged_too(result):
    pandas = pytest.importorskip("pandas")
    bare = debate(MOTION, model="improviser", judges=None)
    for one in (result, bare):
        table = pandas.read_csv(io.StringIO(one.to_csv()))
        frame = one.to_df()
        assert [*frame["claim"]] == [*table["claim"]]
        assert [*frame["standing"]] == [*table["standing"]]
    assert {*bare.to_df()["standing"]} == {"not judged"}


def test_equal_results_are_one_in_a_set(result):
    assert {result, Result.of(result.run_id)} == {result}


def test_json_holds_the_transcript(result):
    assert result.run_id in json.loads(result.to_json())["transcript"]["run_id"]


# -- in a notebook -----------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.seen, self.attributes, self.words = set(), set(), ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.words += data


def test_a_notebook_shows_the_outcome_and_every_argument(result):
    page = Tags(result._repr_html_())
    assert result.briefing.bottom_line in page.words
    assert f"{result.briefing.sure}. {result.briefing.sure_because}" in page.words
    assert all(line in page.words for line in (*result.briefing.check_first, *result.degraded))
    assert all(traced.id in page.words for traced in result.trace)
    assert page.seen == {"section", "div", "p", "b", "table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_words_of_seats_stay_words_in_a_notebook(result):
    found, dossier = result.judgement, result.dossier
    traced = found.trace[0].model_copy(update={"claim": HOSTILE, "reason": HOSTILE, "id": HOSTILE})
    briefing = found.briefing.model_copy(
        update={"bottom_line": HOSTILE, "would_change": HOSTILE, "check_first": (HOSTILE,), "sure_because": HOSTILE}
    )
    hostile = found.model_copy(
        update={"trace": (traced,), "briefing": briefing, "reason": HOSTILE, "degraded": (HOSTILE,)}
    )
    page = shown(dossier.model_copy(update={"judgement": hostile}))
    assert not {"script", "img"} & Tags(page).seen
    assert Tags(page).attributes == {"style", "dir", "scope"}
    assert not re.search("[\x00-\x1f\u202e\u2066]", page)


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (Played(), "finished"),
        (BudgetStopped(spent=3, cap=3, unit="calls"), "stopped at its limit, 3 of 3 calls"),
        (Cancelled(by="user"), "cancelled by user"),
        (Failed(code="rejected", reason="no such model"), "failed (rejected) no such model"),
    ],
)
def test_an_ending_is_said_in_words(ending, said):
    assert ended(ending) == said
