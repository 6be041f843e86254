"""Models on offer: what the operator set up, allowed or has running, and nothing that a user names."""

import pytest

from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer
from hustings.web.allowed_models import allowed_models
from hustings.web.problems import Refused

from .rig import MOTION, fresh, served

HERE = LocalServer("ollama", "http://127.0.0.1:11434/v1", ("llama3.2", "nomic-embed-text"))
ELSEWHERE = LocalServer("openai_compatible", "http://127.0.0.1:9999/v1", ("tiny",))
SET_UP = {"LLM_PROVIDER": "mistral", "LLM_MODEL": "mistral-small", "MISTRAL_API_KEY": "k"}


def names(process=None, servers=(), allowed=()):
    return list(allowed_models(Environment(process or {}, {}), servers, allowed).model_specs)


def test_with_nothing_set_up_the_improviser_is_offered():
    assert names() == ["improviser"]


def test_what_is_set_up_comes_first_and_the_improviser_last():
    found = names(SET_UP, [HERE], ["openai/gpt-6"])
    assert (found[0], found[1], found[-1]) == ("mistral/mistral-small", "openai/gpt-6", "improviser")
    assert "ollama/llama3.2" in found


def test_a_model_that_does_not_speak_is_not_offered():
    assert not any("embed" in name for name in names(servers=[HERE]))


def test_an_address_stands_with_the_model_where_it_is_not_the_usual_one():
    assert names(servers=[HERE, ELSEWHERE])[:2] == [
        "ollama/llama3.2",
        "openai_compatible/tiny@http://127.0.0.1:9999/v1",
    ]


def test_what_runs_on_this_machine_is_free_and_says_so():
    shown = {
        offer.name: (offer.where, offer.free) for offer in allowed_models(Environment(SET_UP, {}), [HERE], ()).shown()
    }
    assert shown["ollama/llama3.2"] == ("on this machine", True)
    assert shown["improviser"] == ("built in", True)
    assert shown["mistral/mistral-small"] == ("api.mistral.ai", False)


@pytest.mark.parametrize("name", ["ollama/other", "ollama/llama3.2@http://127.0.0.1:1/v1", "human"])
def test_what_is_not_offered_is_refused(name):
    with pytest.raises(Refused):
        allowed_models(Environment({}, {}), [HERE], ()).must_hold([name], "judges")


def test_an_allowed_model_can_be_seated(tmp_path):
    model = "openai_compatible/m@http://127.0.0.1:9/v1"
    with fresh("sqlite", tmp_path) as url, served(url, allowed=(model,)) as site:
        offered = [offer["name"] for offer in site.http.get("/api/about").json()["models"]]
        assert (offered[0], offered[-1]) == (model, "improviser")  # between them, whatever runs on this machine
        asked = {"question": MOTION, "model": "improviser", "seats": {"pro": model}}
        assert site.http.post("/api/estimates", json=asked).status_code == 200
        begun = site.http.post("/api/debates", json=asked)
        assert (begun.status_code, "no answer" in begun.json()["title"]) == (503, True)
