"""Security middleware: checks host, origin, content type, token, and `limits` of size and rate; sets headers.

Plain ASGI around everything, so that streams pass untouched and every response carries the headers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import nullcontext
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hustings.db.tokens import Access, Credential

from .limits import LARGE_AT_ONCE, BodyLimit, body_limit, client_of, must_be_within
from .openai_errors import with_openai_errors
from .outside import METRICS
from .problems import Refused, answer, away
from .server_state import ServerState

COOKIE = "hustings"
READING = frozenset({"GET", "HEAD", "OPTIONS"})
API, SESSION, JSON = "/api/", "/api/session", "application/json"
MCP, OPENAI = "/mcp", "/v1/"
"""Paths for assistants, and for programs that take a debate for a model."""
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SecurityMiddleware:
    def __init__(self, app: ASGIApp, state: ServerState) -> None:
        self.app, self.state = app, state
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            async with self._large if _is_large(scope) else nullcontext():
                await self._answer(scope, receive, _with_headers(send, api=needs_access(scope["path"])))
        else:  # no websockets here
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith(OPENAI):
            send = with_openai_errors(send)
        try:
            receive = await self._admit(scope, receive)
        except Refused as refusal:
            await answer(refusal.problem, refusal.wait)(scope, receive, send)
        except DBAPIError as error:  # no token can be looked up
            await away(error)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive) -> Receive:
        """Refuse a bad request before any route sees it; read the body and identify the owner."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        _must_mean_us(headers, self.state.setting.hosts)
        scope["address"] = address = client_of(scope, self.state.setting.proxies)
        must_be_within(self.state.requests, f"address:{address}", "requests")
        if not needs_access(scope["path"]):
            return receive
        _must_come_from_here(headers)
        limit = body_limit(scope)
        if scope["method"] not in READING:
            _must_be(limit.kind, headers)
        scope["credential"] = given = _credential(headers)
        if scope["path"] != SESSION:  # login and logout come before any access
            scope["access"] = access = await self._access(given, address)
            must_be_within(self.state.requests, f"holder:{access.holder}", "requests")
        return _again(await _read(receive, headers, limit), receive)

    async def _access(self, given: Credential, address: str) -> Access:
        access = await run_in_threadpool(self.state.access_of, given, address)
        if access is None:
            raise Refused(
                401,
                "Sign in first.",
                fix="Use an access token. The operator creates one: hustings tokens add NAME",
            )
        return access


def needs_access(path: str) -> bool:
    """Whether a path is open only to those who may use this server; the pages are open, and hold nothing."""
    return path.startswith((API, OPENAI)) or path in {METRICS, MCP}


def _must_mean_us(headers: Mapping[str, str], hosts: frozenset[str]) -> None:
    """Check the Host header: a foreign name that resolves to this server is a DNS rebinding attack."""
    if _name(headers.get("host", "")) not in hosts:
        raise Refused(
            421, "Unknown host name.", fix="Use the address the server printed, or: hustings serve --allow-host NAME"
        )


def _name(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdigit() and name else host.lower()


def _must_come_from_here(headers: Mapping[str, str]) -> None:
    """Refuse cross-site requests. Browsers state the origin; other clients send none and pass."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    elsewhere = origin is not None and _netloc(origin) != headers.get("host", "").lower()
    if elsewhere or site not in {"none", "same-origin"}:
        raise Refused(403, "This request comes from another site.", fix="Use the pages of this server.")


def _netloc(origin: str) -> str | None:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in {"http", "https"} else None


def _must_be(wanted: str, headers: Mapping[str, str]) -> None:
    """Check the content type. Neither of ours can be sent by a form of another site."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    empty = not kind and headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if kind != wanted and not empty:
        what = "Only JSON is accepted." if wanted == JSON else "Only the bytes of a file are accepted."
        raise Refused(415, what, fix=f"Send it as {wanted}.")


async def _read(receive: Receive, headers: Mapping[str, str], limit: BodyLimit) -> bytes:
    """Read the whole body, up to the size limit."""
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > limit.bytes:
        raise _too_long(limit)
    body = bytearray()
    try:
        async with asyncio.timeout(limit.seconds):
            more = True
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > limit.bytes:
                    raise _too_long(limit)
    except TimeoutError:
        raise Refused(408, "The request came too slowly.", fix="Send it again.") from None
    return bytes(body)


def _too_long(limit: BodyLimit) -> Refused:
    return Refused(413, "The request is too long.", fix=f"Send at most {limit.bytes:,} bytes.")


def _is_large(scope: Scope) -> bool:
    """Whether the body may be large; a length that is declared and usual needs no waiting."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return body_limit(scope).large and not (declared.isdigit() and int(declared) <= BodyLimit.bytes)


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that replays the body, then passes on later messages, such as a disconnect."""
    told = False

    async def read() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return read


def _credential(headers: Mapping[str, str]) -> Credential:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return Credential(token=given.strip())
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return Credential()
    return Credential(session=cookie.value if cookie else "")


def by_tls(scope: Scope, proxies: frozenset[str]) -> bool:
    """Whether the browser speaks TLS: to us, or to a proxy that the operator named and that says so."""
    if scope["scheme"] == "https":
        return True
    told = [value.decode("latin-1").strip().lower() for name, value in scope["headers"] if name == b"x-forwarded-proto"]
    return bool(scope["client"]) and scope["client"][0] in proxies and told == ["https"]


def _with_headers(send: Send, *, api: bool) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message["headers"]}
            more = HEADERS | ({"cache-control": "no-store"} if api else {})
            message["headers"] = [
                *message["headers"],
                *((name.encode(), value.encode()) for name, value in more.items() if name.encode() not in own),
            ]
        await send(message)

    return guarded
