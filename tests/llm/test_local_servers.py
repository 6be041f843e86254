"""Servers on this machine: found quickly whatever the ports do, and their words are not trusted."""

import json
import socket
import time

import pytest

from hustings.llm.local_servers import MOST_BYTES, LocalServer, Port, find, named, port_of
from tests.config.ports import answering, whole

NOBODY = {}


def found_at(number, name="vllm", path="/v1/models"):
    return find(NOBODY, [Port(name, "127.0.0.1", number, path)])


def models_told(body):
    with answering(whole(body)) as number:
        return [server.models for server in found_at(number)]


def test_a_server_is_found_with_its_models_as_ollama_tells_them():
    with answering(whole({"models": [{"name": "llama3.2:latest", "model": "x"}, {"name": "qwen3:8b"}]})) as number:
        found = found_at(number, "ollama", "/api/tags")
    assert found == (LocalServer("ollama", f"http://127.0.0.1:{number}/v1", ("llama3.2:latest", "qwen3:8b")),)


def test_a_server_is_found_with_its_models_as_openai_tells_them():
    assert models_told({"object": "list", "data": [{"id": "gemma", "object": "model"}]}) == [("gemma",)]


def test_a_server_that_says_who_it_is_goes_by_that_name():
    with answering(whole({"data": [{"id": "m", "owned_by": "llamacpp"}]})) as number:
        assert [server.name for server in found_at(number)] == ["llamacpp"]


@pytest.mark.parametrize("body", [{"data": []}, {"models": []}])
def test_a_server_without_a_model_is_told_apart_from_none(body):
    assert models_told(body) == [()]


@pytest.mark.parametrize(
    "body", [{}, [], {"data": None}, {"data": 3}, {"data": [{"id": 7}]}, b"<html>", b"[" * 100_000, b"\xff\xfe", b""]
)
def test_what_answers_otherwise_is_no_model_server(body):
    assert models_told(body) == []


@pytest.mark.parametrize("name", ["\x1b[2Jm", "two words", "$(reboot)", "a;b", "`x`", "m\n", "", "m" * 201, "'m"])
def test_a_name_that_no_command_should_repeat_is_left_out(name):
    assert models_told({"data": [{"id": name}, {"id": "good/model:7b-q4_K_M"}]}) == [("good/model:7b-q4_K_M",)]


def test_another_status_is_no_list():
    with answering(whole({"data": [{"id": "m"}]}).replace(b"200 OK", b"404 Not Found")) as number:
        assert found_at(number) == ()


def test_an_answer_in_pieces_over_a_connection_that_stays_open_is_read():
    body = json.dumps({"data": [{"id": "m"}]}).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:9], body[9:])) + b"0\r\n\r\n"
    with answering(whole(chunks, "Transfer-Encoding: chunked"), close=False) as number:
        assert [server.models for server in found_at(number)] == [("m",)]


def test_an_answer_of_a_told_length_is_read_without_waiting_for_the_end():
    body = json.dumps({"data": [{"id": "m"}]}).encode()
    with answering(whole(body, f"Content-Length: {len(body)}"), close=False) as number:
        assert [server.models for server in found_at(number)] == [("m",)]


def test_more_than_a_list_of_models_is_not_read():
    with answering(whole(b'{"data":[{"id":"m"}],"pad":"'), b"x" * (MOST_BYTES + 1), b'"}') as number:
        assert found_at(number) == ()


def test_ports_that_say_nothing_or_hardly_anything_cost_the_deadline_once():
    # A machine that is busy with something else may need another try.
    assert any(_took_beside_the_silent() < 0.5 for _ in range(3))


def _took_beside_the_silent():
    drip = [bytes([sign]) for sign in whole({"data": [{"id": "m"}]})]
    quick = whole({"data": [{"id": "quick"}]})
    with (
        answering(close=False) as mute,
        answering(close=False) as also_mute,
        answering(*drip, every=0.05) as dripping,
        answering(quick) as good,
        socket.create_server(("127.0.0.1", 0)) as full,
    ):
        numbers = (mute, also_mute, dripping, full.getsockname()[1], good)
        begun = time.monotonic()
        found = find(NOBODY, [Port("vllm", "127.0.0.1", number) for number in numbers])
        took = time.monotonic() - begun
    assert [server.models for server in found] == [("quick",)]
    return took


def test_a_port_where_nobody_listens_costs_nothing():
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
    # A machine that is busy with something else may need another try.
    assert any(_took_where_nobody_listens(number) < 0.3 for _ in range(3))


def _took_where_nobody_listens(number):
    begun = time.monotonic()
    assert found_at(number) == ()
    return time.monotonic() - begun


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1", ("127.0.0.1", 11434)),
        ("localhost:5000", ("127.0.0.1", 5000)),
        ("0.0.0.0:5000", ("127.0.0.1", 5000)),
        ("http://[::1]:5000", ("::1", 5000)),
        ("[::]:5000", ("::1", 5000)),
    ],
)
def test_ollama_is_looked_for_where_its_own_variable_says(text, expected):
    port = port_of(text, "ollama", 11434)
    assert (port.host, port.number, port.path) == (*expected, "/api/tags")


@pytest.mark.parametrize("text", ["10.0.0.7:11434", "example.com", "https://localhost:1", "http://[", "h:99999", ""])
def test_nothing_but_loopback_is_looked_at(text):
    assert named({"OLLAMA_HOST": text, "HUSTINGS_ENDPOINT": text}) == ()


def test_a_server_named_twice_is_found_once():
    with answering(whole({"data": [{"id": "m"}]})) as number:
        address = f"http://127.0.0.1:{number}/v1"
        found = find({"HUSTINGS_ENDPOINT": address}, [])
    assert [server.url for server in found] == [address]


@pytest.mark.nightly("starts the real model")
def test_the_real_local_model_is_found(local_model):
    (found,) = find({"HUSTINGS_ENDPOINT": local_model.base_url}, [])
    assert found == LocalServer("llamacpp", local_model.base_url, (local_model.name,))
