"""What a search for models tells: every place it looked at, with what was there, and keys by their names alone."""

from hustings.config.discovery import discovery
from hustings.llm.environment import Environment
from hustings.llm.local_servers import Port, find

from .ports import answering, whole

KEY = "sk-never-shown"


def test_every_place_is_told_with_what_was_there():
    with answering(whole({"models": [{"name": "llama3.2"}]})) as full, answering(whole({"data": []})) as bare:
        ports = [
            Port("ollama", "127.0.0.1", full, "/api/tags"),
            Port("vllm", "127.0.0.1", bare),
            Port("lmstudio", "127.0.0.1", 9),
        ]
        # A busy machine may answer late: it has ten times the usual deadline.
        found = discovery(Environment({}, {}), find({}, ports, seconds=4), ports, ready=True)
    assert [(one.name, one.state, one.models) for one in found.servers] == [
        ("ollama", "ready", 1),
        ("vllm", "no model", 0),
        ("lmstudio", "not there", 0),
    ]
    assert found.servers[2].where == "127.0.0.1:9"


def test_a_key_is_told_by_its_name_and_never_by_its_value():
    found = discovery(Environment({"MISTRAL_API_KEY": KEY}, {}), (), (), ready=True)
    assert found.keys == ("MISTRAL_API_KEY",)
    assert KEY not in found.model_dump_json()
