"""The usage that a client is told is what the provider counted, of the debate and of its judging."""

from functools import partial

import pytest

from hustings.llm.environment import Environment
from hustings.runs.queries import RunQueries
from hustings.transcript.events import CallPaid
from tests.rig.provider import serving
from tests.web.rig import fresh, served

from .rig import MODEL, asked, client

pytestmark = pytest.mark.timeout(120)


def test_the_usage_is_the_sum_of_all_calls(tmp_path):
    with serving() as provider, fresh("sqlite", tmp_path) as url:
        set_up = {"LLM_PROVIDER": "openai_compatible", "LLM_MODEL": "m", "LLM_BASE_URL": provider.base_url}
        with served(url, works=True, openai=True, look=partial(Environment, set_up, {})) as site:
            answer = client(site).chat.completions.with_raw_response.create(model=MODEL, messages=asked("Is it?"))
            runs, run_id = RunQueries(site.state.database), answer.headers["x-hustings-run"]
            kin = [run_id, *(audit.run_id for audit in runs.audits(run_id))]
            paid = [event for run in kin for event in runs.events(run) if isinstance(event, CallPaid)]
    usage = answer.parse().usage
    assert len(kin) == 2
    assert usage.prompt_tokens == sum(event.tokens_in or 0 for event in paid) > 0
    assert usage.completion_tokens == sum(event.tokens_out or 0 for event in paid) > 0
