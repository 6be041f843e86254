"""With one judge or judges of one kind, no export, view or briefing gives a figure of certainty or agreement."""

import csv
import io
import json
import re
from functools import cache

import pytest

from hustings.judging.dossier import Dossier
from hustings.report.judgement_markdown import render_judgement
from hustings.report.view import view
from hustings.runs.registry import exports
from tests.judging.judgings import EVERY, debated, judgement

PANELS = {
    "one judge": {"judges": 1, "families": ["alpha"]},
    "one judge read once": {"judges": 1, "orders": 1, "families": ["alpha"]},
    "one kind": {"judges": 3, "families": ["alpha", "alpha", "alpha"]},
}
FIGURES = (
    "certainty", "interval", "shares", "alpha", "alpha_interval", "icc_single", "icc_panel", "kendall_w",
    "mean_difference",
)  # fmt: skip
"""Fields whose figures would claim to know how far to rely on something."""
TOLD = re.compile(
    r"α −?\d|\d ?%|resampl\w+ in|95% range|Krippendorff|ICC\(|Kendall|[Jj]udges agree|[Jj]udges are split"
)
cases = pytest.mark.parametrize("how", PANELS)
every = pytest.mark.parametrize("protocol", EVERY)


@cache
def dossier(protocol, how):
    played = debated(protocol)
    found = judgement(played, **PANELS[how])
    return Dossier(proceedings=played.proceedings, judgement=found)


def figures(value, path=""):
    """Paths of the fields that hold such a figure, wherever they stand."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in FIGURES and inner not in (None, {}, [], ""):
                yield f"{path}.{name}"
            yield from figures(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from figures(inner, f"{path}[{n}]")


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def told(text):
    """Such figures in words, without those that one judge alone can give: how often the order of reading mattered."""
    return [line for line in text.splitlines() if TOLD.search(line) and "when the order was reversed" not in line]


@cases
@every
def test_a_judgement_has_no_such_figure(protocol, how):
    assert list(figures(dossier(protocol, how).judgement.model_dump(mode="json"))) == []


@cases
@every
def test_a_briefing_is_not_reliable_and_says_why(protocol, how):
    briefing = dossier(protocol, how).judgement.briefing
    assert briefing.sure in {"Not reliable", "Not measured", ""}
    assert briefing.sure != "Not reliable" or re.search(
        "single judge|one kind of model", briefing.sure_because, re.IGNORECASE
    )


@cases
@every
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_no_depth_of_a_briefing_tells_such_a_figure(protocol, how, depth):
    assert told(render_judgement(dossier(protocol, how).judgement, depth=depth)) == []


@cases
@every
def test_a_view_has_no_such_figure_in_fields_or_words(protocol, how):
    shown = view(dossier(protocol, how)).model_dump(mode="json")
    assert list(figures(shown)) == []
    said = {"speeches", "claims", "replies", "thoughts", "result", "topic"}
    words = [text for name, part in shown.items() if name not in said for text in texts(part)]
    assert [line for text in words for line in told(text)] == []


@cases
@pytest.mark.parametrize("form", exports())
@every
def test_no_export_has_such_a_figure(protocol, how, form):
    text = exports()[form].render(dossier(protocol, how))
    for document in documents(form, text):
        assert list(figures(document)) == []
    assert told(without_code(text)) == []


def documents(form, text):
    """The values of an export that programs read."""
    match form:
        case "json" | "transcript":
            yield json.loads(text)
        case "jsonl":
            yield from map(json.loads, text.splitlines())
        case "share":
            yield json.loads(re.findall(r'id="shared-debate">(.*?)</script>', text, re.DOTALL)[0])
        case "csv":
            yield from csv.DictReader(io.StringIO(text))
        case _:
            return


def without_code(text):
    """Style sheets and programs have percentages of their own."""
    return re.sub("<(style|script)[^>]*>.*?</\\1>", "", text, flags=re.DOTALL)


@cases
def test_a_table_says_unknown_where_there_is_no_such_figure(how):
    rows = view(dossier("structured", how)).trace.rows
    assert {row.cells[6] for row in rows} <= {"unknown", "does not apply"}


def test_a_panel_of_three_kinds_has_them():
    """So that the tests above look in the right places."""
    played = debated("structured")
    found = judgement(played)
    assert list(figures(found.model_dump(mode="json")))
    assert told(render_judgement(found))
