"""The door: every combination of name, origin, kind of body and token, and what is let through."""

import asyncio
import socket
from functools import cache
from hashlib import sha256
from itertools import product

import httpx2 as httpx
import pytest
import sqlalchemy as sa

from hustings.db import tokens
from hustings.db.tables import RUN, SESSION
from hustings.db.tokens import Access, Credential
from hustings.web.limits import MOST_BYTES, WITH_DOCUMENTS
from hustings.web.security import CSP

from .rig import MOTION, fresh, served

HOSTS = {
    "ours": "127.0.0.1:{port}",
    "localhost": "localhost:{port}",
    "foreign": "evil.example",
    "lookalike": "127.0.0.1.evil.example:{port}",
    "none": "",
}
ORIGINS = {
    "none": {},
    "same": {"Origin": "http://{host}"},
    "foreign": {"Origin": "http://evil.example"},
    "other port": {"Origin": "http://127.0.0.1:1"},
    "opaque": {"Origin": "null"},
    "fetched here": {"Sec-Fetch-Site": "same-origin"},
    "fetched there": {"Sec-Fetch-Site": "cross-site"},
    "fetched nearby": {"Sec-Fetch-Site": "same-site"},
}
KINDS = {
    "json": "application/json",
    "json with more": "application/json; charset=utf-8",
    "text": "text/plain",
    "form": "application/x-www-form-urlencoded",
    "none": None,
}
TOKENS = ("bearer", "cookie", "wrong", "none")
GOOD = {"ours", "localhost"}, {"none", "same", "fetched here"}, {"json", "json with more"}, {"bearer", "cookie"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server with a token."""
    with fresh("sqlite", tmp_path_factory.mktemp("door")) as url, served(url) as made:
        token = made.caller("ann").headers["Authorization"].removeprefix("Bearer ")
        yield made, token


@cache
def _session(url, token):
    with httpx.Client(base_url=url) as browser:
        browser.post("/api/session", json={"token": token})
        return browser.cookies["hustings"]


def call(guarded, host, origin, kind, token):
    """What a write under these circumstances comes to."""
    site, right = guarded
    session = _session(site.url, right)
    port = site.url.rpartition(":")[2]
    named = HOSTS[host].format(port=port)
    headers = {"Host": named} | {name: value.format(host=named) for name, value in ORIGINS[origin].items()}
    headers |= {"Content-Type": KINDS[kind]} if KINDS[kind] else {}
    headers |= {
        "bearer": {"Authorization": f"Bearer {right}"},
        "cookie": {"Cookie": f"other=1; hustings={session}"},
        "wrong": {"Authorization": "Bearer no-such-token"},
        "none": {},
    }[token]
    body = f'{{"question": "{MOTION}", "model": "improviser"}}'.encode()
    return site.http.post("/api/debates", content=body, headers=headers)


def _on_record(site):
    with site.state.database.reading() as db:
        return db.scalar(sa.select(sa.func.count()).select_from(RUN))


@pytest.mark.parametrize(("host", "origin"), [*product(HOSTS, ORIGINS)])
def test_only_the_right_name_origin_kind_and_token_together_write(guarded, host, origin):
    site, _ = guarded
    for kind, token in product(KINDS, TOKENS):
        right = [one in good for one, good in zip((host, origin, kind, token), GOOD, strict=True)]
        before = _on_record(site)
        answer = call(guarded, host, origin, kind, token)
        first_wrong = right.index(False) if False in right else None
        wanted = {None: 202, 0: 421, 1: 403, 2: 415, 3: 401}[first_wrong]
        assert answer.status_code == wanted, (host, origin, kind, token, answer.text)
        assert _on_record(site) - before == (wanted == 202)


@pytest.mark.parametrize("path", ["/api/about", "/api/debates", "/api/debates/x/events", "/api/openapi.json"])
def test_reading_needs_a_token_too(guarded, path):
    assert guarded[0].http.get(path).status_code == 401


@pytest.mark.parametrize("path", ["/", "/debates/x", "/api/about", "/api/debates/x/events", "/api/none", "/none.js"])
def test_no_answer_leaves_without_its_headers(guarded, path):
    headers = guarded[0].http.get(path).headers
    assert headers["content-security-policy"] == CSP
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert (headers.get("cache-control") == "no-store") == path.startswith("/api/")


def test_a_page_of_another_site_does_not_even_read(still):
    assert still.http.get("/api/about", headers={"Origin": "http://evil.example"}).status_code == 403


def test_a_long_body_is_refused_by_its_announced_length(still):
    sent = {"/api/debates": WITH_DOCUMENTS.bytes, f"/api/debates/{still.begin()}/forks": MOST_BYTES}
    answers = [still.http.post(path, content=b" " * (most + 1), headers=JSON) for path, most in sent.items()]
    assert [answer.status_code for answer in answers] == [413, 413]


def test_a_long_body_is_refused_where_no_length_is_announced(still):
    def endless():
        for _ in range(40):
            yield b" " * 2**16

    try:
        assert still.http.post("/api/debates/x/forks", content=endless(), headers=JSON).status_code == 413
    except httpx.WriteError:  # cut while it was still sending
        assert still.http.get("/api/about").status_code == 200


def test_a_long_body_is_not_even_read_without_a_token(guarded):
    """The length that is announced would be allowed; no byte of it ever comes."""
    host, port = guarded[0].url.removeprefix("http://").split(":")
    head = f"POST /api/documents/read?name=a HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 30000000\r\n"
    with socket.create_connection((host, int(port)), timeout=5) as line:
        line.sendall(f"{head}Content-Type: application/octet-stream\r\n\r\n".encode())
        assert line.recv(100).split(b" ")[1] == b"401"


def test_a_length_that_is_no_number_is_refused(still):
    host, port = still.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as line:
        line.sendall(f"POST /api/debates HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: many\r\n\r\n".encode())
        assert line.recv(100).split(b" ")[1] == b"400"


def test_a_post_without_a_body_needs_no_kind(still):
    run_id = still.begin()
    assert still.http.post(f"/api/debates/{run_id}/pause").status_code == 202


def test_a_session_is_opened_by_a_token_and_read_by_no_script(guarded):
    site, token = guarded
    with httpx.Client(base_url=site.url) as browser:
        answer = browser.post("/api/session", json={"token": token})
        assert answer.status_code == 204
        assert {"HttpOnly", "SameSite=strict"} <= set(answer.headers["set-cookie"].split("; "))
        assert browser.get("/api/about").json()["owner"] == "ann"
        assert browser.delete("/api/session").status_code == 204
        assert browser.get("/api/about").status_code == 401


def test_no_session_is_opened_by_anything_else(guarded):
    answer = guarded[0].http.post("/api/session", json={"token": "made-up-token"})
    assert (answer.status_code, answer.headers.get("set-cookie")) == (401, None)


def test_a_revoked_token_opens_nothing(guarded):
    site, _ = guarded
    bob = site.caller("bob")
    assert bob.get("/api/about").status_code == 200
    database = site.state.database
    tokens.revoke(database, next(token.id for token in tokens.every(database) if token.access.owner == "bob"))
    assert bob.get("/api/about").status_code == 401


JSON = {"Content-Type": "application/json"}


def test_a_server_whose_last_token_is_revoked_lets_nobody_in(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        ann = site.caller("ann")
        assert ann.get("/api/about").status_code == 200
        for token in tokens.every(site.state.database):
            tokens.revoke(site.state.database, token.id)
        assert [caller.get("/api/about").status_code for caller in (ann, site.http)] == [401, 401]
        assert site.http.post("/api/debates", json={"question": "Is it so?"}).status_code == 401


def test_a_token_can_be_required_while_there_is_none(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, needs_token=True) as site:
        assert site.http.get("/api/about").status_code == 401
        assert site.caller("ann").get("/api/about").status_code == 200


PAGE = {"Sec-Fetch-Site": "same-origin"}


def test_the_first_token_leaves_pages_of_this_machine_signed_in_and_nobody_else(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        with httpx.Client(base_url=site.url, headers=PAGE) as browser:
            assert browser.get("/api/about").json()["needs_token"] is False
            site.caller("local", "seat", "a-1", "con")
            told = browser.get("/api/about").json()
            assert (told["owner"], told["role"], told["needs_token"]) == ("local", "owner", True)
            assert browser.delete("/api/session").status_code == 204
            assert browser.get("/api/about").status_code == 401
        assert [site.http.get("/api/about", headers=more).status_code for more in ({}, PAGE)] == [401, 401]


def test_a_live_page_of_this_machine_stays_open_when_the_first_token_is_made(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        early = Credential(session=site.state.early_session(Credential()))
        stranger = Credential(session="no-such-session")
        site.caller("ann")
        with site.state.counted_stream(early), site.state.counted_stream(stranger):
            assert [asyncio.run(site.state.still_knows(one)) for one in (early, stranger)] == [True, False]


@pytest.mark.parametrize(
    ("said", "headers"),
    [
        ({}, {}),
        ({}, {"Sec-Fetch-Site": "none"}),
        ({"hosts": frozenset({"127.0.0.1", "pages.test"})}, {**PAGE, "Host": "pages.test"}),
        ({"proxies": frozenset({"127.0.0.1"})}, {**PAGE, "X-Forwarded-For": "192.0.2.7"}),
        ({"unguarded": True}, PAGE),
        ({"needs_token": True}, PAGE),
    ],
)
def test_only_a_page_on_this_machine_is_signed_in_without_a_token(tmp_path, said, headers):
    with fresh("sqlite", tmp_path) as url, served(url, **said) as site:
        assert "set-cookie" not in site.http.get("/api/about", headers=headers).headers


def signed_in(site, token, **headers):
    with httpx.Client(base_url=site.url, headers=headers) as browser:
        return browser.post("/api/session", json={"token": token}).headers["set-cookie"]


def test_a_cookie_holds_a_session_and_not_the_token(guarded):
    site, token = guarded
    first, second = (signed_in(site, token) for _ in range(2))
    assert (token in first, first == second) == (False, False)


def test_a_token_is_no_session(guarded):
    site, token = guarded
    assert site.http.get("/api/about", headers={"Cookie": f"hustings={token}"}).status_code == 401


def test_signing_out_ends_the_session_itself(guarded):
    site, token = guarded
    kept = {"Cookie": f"hustings={tokens.open_session(site.state.database, token)}"}
    assert site.http.get("/api/about", headers=kept).status_code == 200
    assert site.http.delete("/api/session", headers=kept).status_code == 204
    assert site.http.get("/api/about", headers=kept).status_code == 401


def test_a_session_expires(guarded):
    site, token = guarded
    session = tokens.open_session(site.state.database, token)
    with site.state.database.writing() as db:
        db.execute(
            sa.update(SESSION).where(SESSION.c.digest == sha256(session.encode()).hexdigest()).values(expires=1.0)
        )
    assert tokens.access_of(site.state.database, Credential(session=session)) is None


def test_revoking_a_token_ends_its_sessions(guarded):
    site, _ = guarded
    database = site.state.database
    token = tokens.issue(database, Access("cleo"))
    session = tokens.open_session(database, token)
    assert tokens.access_of(database, Credential(session=session)).owner == "cleo"
    tokens.revoke(database, next(kept.id for kept in tokens.every(database) if kept.access.owner == "cleo"))
    assert tokens.access_of(database, Credential(session=session)) is None


@pytest.mark.parametrize(
    ("proxies", "told", "secure"),
    [
        ({"127.0.0.1"}, "https", True),
        ({"127.0.0.1"}, "http", False),
        ({"127.0.0.2"}, "https", False),
        ((), "https", False),
    ],
)
def test_a_cookie_is_secure_where_a_named_proxy_speaks_tls(tmp_path, proxies, told, secure):
    with fresh("sqlite", tmp_path) as url, served(url, proxies=frozenset(proxies)) as site:
        token = tokens.issue(site.state.database, Access("ann"))
        assert ("Secure" in signed_in(site, token, **{"X-Forwarded-Proto": told}).split("; ")) == secure
