"""Whom the client may talk to: judged by a table, and shown on a canary that lives on loopback."""

import asyncio
import gzip

import httpcore2
import httpx2
import pytest

from hustings.llm.egress import (
    MAX_BYTES,
    PUBLIC,
    PUBLIC_OR_LOOPBACK,
    AddressPolicy,
    Forbidden,
    Redirected,
    TooBig,
    Unguarded,
    _Guarded,
    client_of,
    hang_up,
    http_client,
    resolve,
)

from .asking import ask, model_spec_at, request

NEVER = [
    "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
    "::", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1",
    "::7f00:1", "2001:db8::1", "fec0::1", "::ffff:0:10.0.0.1", "5f00::1", "3fff::1", "192.88.99.1",
]  # fmt: skip
HOME = ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]
OUTSIDE = ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", NEVER)
@pytest.mark.parametrize("policy", [PUBLIC, PUBLIC_OR_LOOPBACK])
def test_no_policy_permits_an_inner_address(policy, address):
    assert not policy.permits("api.example", address)


@pytest.mark.parametrize("address", HOME)
def test_loopback_is_for_laptops_only(address):
    assert (PUBLIC.permits("h", address), PUBLIC_OR_LOOPBACK.permits("h", address)) == (False, True)


@pytest.mark.parametrize("address", OUTSIDE)
def test_the_public_internet_is_permitted(address):
    assert PUBLIC.permits("api.example", address)


def test_a_list_of_hosts_keeps_all_others_out():
    listed = AddressPolicy(only=frozenset({"api.example"}))
    assert [listed.permits(host, "8.8.8.8") for host in ("api.example", "other.example")] == [True, False]


def test_a_listed_host_still_needs_a_public_address():
    assert not AddressPolicy(only=frozenset({"api.example"})).permits("api.example", "127.0.0.1")


@pytest.mark.parametrize(
    ("address", "permitted"), [("192.168.1.5", True), ("fd00::5", True), ("169.254.169.254", False)]
)
def test_somebody_can_vouch_for_a_host_in_the_house_but_not_for_metadata(address, permitted):
    assert AddressPolicy(local_hosts=frozenset({"box"})).permits("box", address) == permitted
    assert not AddressPolicy(local_hosts=frozenset({"box"})).permits("other", address)


SPELLINGS = [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0", "[::ffff:127.0.0.1]", "localhost",
    "user@127.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_loopback_reaches_the_canary_from_a_server(canary, spelling):
    with pytest.raises((httpx2.TransportError, httpx2.InvalidURL)):
        post(f"http://{spelling}:{canary.port}/", PUBLIC)
    assert canary.heard == []


@pytest.mark.parametrize("spelling", ["127.0.0.1", "localhost", "127.1"])
def test_the_same_canary_is_reached_from_a_laptop(canary, spelling):
    post(f"http://{spelling}:{canary.port}/", PUBLIC_OR_LOOPBACK)
    assert len(canary.heard) == 1


def test_one_bad_address_among_good_ones_is_enough_to_refuse(canary):
    with pytest.raises(Forbidden):
        post(f"http://api.example:{canary.port}/", OnlyTheFirst(), answers=[["127.0.0.1", "127.0.0.2"]])
    assert canary.heard == []


def test_a_name_is_resolved_once_and_the_judged_address_dialled(canary):
    asked = []
    post(f"http://api.example:{canary.port}/", PUBLIC_OR_LOOPBACK, answers=[["127.0.0.1"], ["::1"]], asked=asked)
    assert (len(canary.heard), asked) == (1, ["api.example"])


def test_a_name_that_moves_to_loopback_later_is_refused_then(canary):
    with pytest.raises(Forbidden):
        post(f"http://api.example:{canary.port}/", PUBLIC, answers=[["127.0.0.1"]])
    assert canary.heard == []


def test_an_address_that_does_not_answer_is_followed_by_the_next(canary):
    post(f"http://api.example:{canary.port}/", PUBLIC_OR_LOOPBACK, answers=[["::1", "127.0.0.1"]])
    assert len(canary.heard) == 1


def test_a_name_without_an_address_is_refused():
    with pytest.raises(Forbidden):
        post("http://api.example/", PUBLIC, answers=[[]])


def test_an_unknown_name_cannot_be_connected_to():
    with pytest.raises(httpx2.ConnectError):
        # A label of 64 characters: no resolver is asked.
        post(f"http://{'a' * 64}.invalid/", PUBLIC)


def test_a_resolver_that_never_answers_does_not_hold_us():
    async def wait():
        async with http_client(PUBLIC, lambda *_: asyncio.sleep(60)) as client:
            await client.post("http://api.example/", timeout=httpx2.Timeout(5, connect=0.05))

    with pytest.raises(httpx2.ConnectTimeout):
        asyncio.run(wait())


def test_a_redirect_is_refused_and_not_followed(canary):
    canary.status, canary.headers = 307, {"Location": f"{canary.url}/elsewhere"}
    with pytest.raises(Redirected):
        post(canary.url, PUBLIC_OR_LOOPBACK)
    assert [path for path, *_ in canary.heard] == ["/"]


def test_an_answer_beyond_the_cap_is_not_read_to_its_end(canary):
    canary.status, canary.answer = 200, b"A" * (MAX_BYTES + 1)
    with pytest.raises(TooBig):
        post(canary.url, PUBLIC_OR_LOOPBACK)


def test_an_answer_up_to_the_cap_is_read(canary):
    canary.status, canary.answer = 200, b"A" * MAX_BYTES
    assert len(post(canary.url, PUBLIC_OR_LOOPBACK).content) == MAX_BYTES


def test_a_packed_answer_is_refused_before_it_unfolds(canary):
    canary.status, canary.answer, canary.headers = 200, gzip.compress(b"A" * 1000), {"Content-Encoding": "gzip"}
    with pytest.raises(TooBig):
        post(canary.url, PUBLIC_OR_LOOPBACK)
    assert canary.heard[0][1]["accept-encoding"] == "identity"


def test_proxies_of_the_environment_are_not_used(canary, monkeypatch):
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    post(canary.url, PUBLIC_OR_LOOPBACK)
    assert len(canary.heard) == 1


def test_unix_sockets_are_out_of_reach():
    with pytest.raises(Forbidden):
        asyncio.run(_Guarded(PUBLIC, resolve).connect_unix_socket("/tmp/socket"))


class Elsewhere(httpcore2.AsyncConnectionPool):
    """A pool that takes the guard and does not use it, as one that keeps it under another name would."""

    def create_connection(self, origin):
        return httpcore2.AsyncHTTPConnection(origin)


class Untold(Elsewhere):
    """It does not even say that it opens a connection."""

    async def handle_async_request(self, request):
        del request.extensions["trace"]
        return await super().handle_async_request(request)


def test_a_guard_put_elsewhere_reaches_nothing(canary, monkeypatch):
    monkeypatch.setattr(httpcore2, "AsyncConnectionPool", Elsewhere)
    with pytest.raises(Unguarded):
        post(canary.url, PUBLIC)
    assert canary.heard == []


def test_an_answer_by_a_connection_that_the_guard_never_saw_is_refused(canary, monkeypatch):
    canary.status = 200
    monkeypatch.setattr(httpcore2, "AsyncConnectionPool", Untold)
    with pytest.raises(Unguarded):
        post(canary.url, PUBLIC)


def test_a_guard_put_elsewhere_is_told_and_no_call_is_sent_again(canary, monkeypatch):
    monkeypatch.setattr(httpcore2, "AsyncConnectionPool", Elsewhere)
    (response,) = ask(model_spec_at(f"{canary.url}/v1"), request())
    assert (response.kind, response.billed, "httpcore2" in response.detail) == ("rejected", "maybe", True)


def test_each_event_loop_has_one_client_for_a_policy():
    async def clients():
        found = [client_of(PUBLIC), client_of(PUBLIC), client_of(PUBLIC_OR_LOOPBACK)]
        await hang_up()
        return found

    first, again, other = asyncio.run(clients())
    assert first is again is not other
    assert first not in asyncio.run(clients())


def test_hanging_up_closes_the_clients():
    async def closed():
        client = client_of(PUBLIC)
        await hang_up()
        return client.is_closed

    assert asyncio.run(closed())


class OnlyTheFirst(AddressPolicy):
    def permits(self, host, address):
        return address == "127.0.0.1"


def post(url, policy, answers=None, asked=None):
    """By a resolver that gives these answers one after another, or by the real one."""

    async def resolver(host, port):
        (asked if asked is not None else []).append(host)
        return answers.pop(0)

    async def send():
        async with http_client(policy, *([resolver] if answers else [])) as client:
            return await client.post(url, json={}, timeout=5)

    return asyncio.run(send())
