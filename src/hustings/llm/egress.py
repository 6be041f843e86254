"""HTTP client for model calls with an egress guard: allowed addresses only, no redirects, no proxy, size cap.

The guard is where the socket is opened, so that no spelling of an address, no second answer of the resolver and
no redirect gets around it.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, cast
from weakref import WeakKeyDictionary

import httpcore2
import httpx2

from hustings.errors import Unsuitable

from .chat_stream import read_plainly

MAX_BYTES = 4_000_000
CONNECT_SECONDS = 10.0
_CARRIES_IPV4 = tuple(
    map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"))  # `is_global` passes most
)
_RESERVED = tuple(
    # Site-local, IPv4-translated, segment routing, documentation and the old relay: `is_global` passes all of them.
    map(ip_network, ("fec0::/10", "::ffff:0:0:0/96", "5f00::/16", "3fff::/20", "192.88.99.0/24"))
)
_LOCAL_NETWORKS = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))

Resolve = Callable[[str, int], Awaitable[list[str]]]


class Forbidden(httpx2.TransportError):
    """The address policy does not permit this endpoint. Nothing was sent."""


class Unguarded(httpx2.TransportError):
    """The HTTP library opened a connection past the guard."""


class UnknownHost(httpcore2.ConnectError):
    """No resolver knows the host."""


class Redirected(httpx2.TransportError):
    """The endpoint redirected to another one, for which neither prompt nor key was meant."""


class TooBig(httpx2.TransportError):
    """The answer is larger than any request could need."""


class BrokenOff(httpx2.ReadError):
    """The connection was lost after the answer had begun."""


class WebPage(httpx2.TransportError):
    """A page for people came instead of an answer, such as the login of a network."""


@dataclass(frozen=True)
class AddressPolicy:
    """Hosts and addresses to which this process may connect."""

    loopback: bool = False
    only: frozenset[str] | None = None
    """If given, no other host is permitted, whatever its address."""
    local_hosts: frozenset[str] = frozenset()
    """Trusted hosts that may have an address in a private network."""

    def permits(self, host: str, address: str) -> bool:
        if self.only is not None and host not in self.only:
            return False
        ip = _plain(address)
        if self.loopback and ip.is_loopback:
            return True
        return _public(ip) or (host in self.local_hosts and _within(ip, _LOCAL_NETWORKS))


PUBLIC = AddressPolicy()
"""For a server."""
PUBLIC_OR_LOOPBACK = AddressPolicy(loopback=True)
"""For a laptop, where model servers run locally."""


async def resolve(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def http_client(policy: AddressPolicy, resolver: Resolve = resolve) -> httpx2.AsyncClient:
    """Without a read timeout: the caller limits the whole call, since a limit per read lets an endless drip pass."""
    return httpx2.AsyncClient(
        transport=_Transport(_Guarded(policy, resolver)),
        follow_redirects=False,
        trust_env=False,
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [read_plainly]},
    )


_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[AddressPolicy, httpx2.AsyncClient]] = WeakKeyDictionary()


def client_of(policy: AddressPolicy) -> httpx2.AsyncClient:
    """The client of the running event loop: connections cannot be shared between event loops."""
    mine = _clients.setdefault(asyncio.get_running_loop(), {})
    if policy not in mine:
        mine[policy] = http_client(policy)
    return mine[policy]


async def hang_up() -> None:
    """Close the connections of the running event loop before it ends."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.aclose()


def _plain(address: str) -> IPv4Address | IPv6Address:
    ip = ip_address(address.partition("%")[0])
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip


def _public(ip: IPv4Address | IPv6Address) -> bool:
    return ip.is_global and not ip.is_multicast and not _within(ip, (*_CARRIES_IPV4, *_RESERVED))


def _within(ip: IPv4Address | IPv6Address, networks: Iterable[Any]) -> bool:
    return any(ip.version == network.version and ip in network for network in networks)


class _Guarded(httpcore2.AsyncNetworkBackend):
    """Resolves a host once, checks every address, and connects only to those addresses."""

    def __init__(self, policy: AddressPolicy, resolver: Resolve) -> None:
        self.policy, self.resolver = policy, resolver
        self.network: Any = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._judged(host, port)
                return _GuardedStream(await self._dialled(addresses, port, local_address, socket_options))
        except TimeoutError:
            raise httpcore2.ConnectTimeout("could not connect in time") from None

    async def _judged(self, host: str, port: int) -> list[str]:
        try:
            addresses = await self.resolver(host, port)
        except (OSError, UnicodeError):
            raise UnknownHost("unknown host") from None
        if not addresses or not all(self.policy.permits(host, address) for address in addresses):
            raise Forbidden("this host is not allowed")
        return addresses

    async def _dialled(
        self, addresses: list[str], port: int, local_address: str | None, socket_options: Iterable[Any] | None
    ) -> httpcore2.AsyncNetworkStream:
        for address in addresses[:-1]:
            try:
                return await self.network.connect_tcp(address, port, None, local_address, socket_options)
            except httpcore2.ConnectError:
                # A host often has an IPv6 address that is unreachable from here.
                continue
        return await self.network.connect_tcp(addresses[-1], port, None, local_address, socket_options)

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        raise Forbidden("Unix sockets are not allowed")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _GuardedStream(httpcore2.AsyncNetworkStream):
    """A connection that the guard opened, with TLS or without."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self.stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        return await self.stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self.stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self.stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        return _GuardedStream(await self.stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


class _Capped(httpx2.AsyncByteStream):
    """An answer that is neither endless nor a web page."""

    def __init__(self, answer: httpcore2.Response, *, good: bool) -> None:
        self.answer, self.good = answer, good
        self.stream = cast("AsyncIterable[bytes]", answer.stream)  # SDKs read it twice: the second time to its end

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            with _errors_of_httpx():
                async for chunk in self.stream:
                    if self.good and not size and chunk[:500].lstrip().lower().startswith(_PAGES):
                        raise WebPage("it sent a web page (a Wi-Fi login?)")
                    size += len(chunk)
                    if size > MAX_BYTES:
                        raise TooBig("the answer is too large")
                    yield chunk
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            if not self.good:
                raise
            raise BrokenOff("the connection was lost in the middle of the answer") from None

    async def aclose(self) -> None:
        await self.answer.aclose()


_PAGES = (b"<!doctype html", b"<html", b"<head", b"<?xml")
"""How a page begins; no answer of a model API does."""


def certificates() -> ssl.SSLContext:
    """What every client trusts: the authorities of the system, and those of the user."""
    return _certificates(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@cache
def _certificates(file: str, folder: str) -> ssl.SSLContext:
    """Loading all certificates takes longer than the rest of a client."""
    trusted = httpx2.create_ssl_context(trust_env=False)
    for name, path in (("SSL_CERT_FILE", file), ("SSL_CERT_DIR", folder)):
        try:
            if path:
                # In addition to public ones: a debate may have models in both places.
                trusted.load_verify_locations(**{"cafile" if name == "SSL_CERT_FILE" else "capath": path})
        except (OSError, ssl.SSLError):
            raise Unsuitable(
                f"no certificates could be read from {path}",
                fix=f"correct the variable {name}: a file of PEM certificates"
                if name == "SSL_CERT_FILE"
                else f"correct the variable {name}",
            ) from None
    return trusted


class _Transport(httpx2.AsyncBaseTransport):
    """Sends by httpcore, to which the guard can be given; httpx's own transport has no parameter for it."""

    def __init__(self, guard: _Guarded) -> None:
        self.pool = httpcore2.AsyncConnectionPool(
            ssl_context=certificates(),
            max_connections=None,  # callers limit the number of concurrent calls
            max_keepalive_connections=100,
            keepalive_expiry=KEPT_SECONDS,
            network_backend=guard,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._answer(request)
        response = httpx2.Response(
            answer.status,
            headers=answer.headers,
            stream=_Capped(answer, good=200 <= answer.status < 300),
            extensions=_about(answer),
        )
        if response.has_redirect_location or response.is_redirect:
            await response.aclose()
            raise Redirected(_host_of(request.url, response.headers.get("location", "")))
        if response.headers.get("content-encoding", "identity") != "identity":
            # We did not ask for compression, and a few compressed bytes can expand without limit.
            await response.aclose()
            raise TooBig("the answer is compressed")
        return response

    async def _answer(self, request: httpx2.Request) -> httpcore2.Response:
        url = httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        asked = httpcore2.Request(
            request.method,
            url,
            headers=request.headers.raw,
            content=request.stream,
            extensions={**request.extensions, "trace": _watch},
        )
        with _errors_of_httpx():
            answer = await self.pool.handle_async_request(asked)
        if not isinstance(_about(answer).get("network_stream"), _GuardedStream):
            await answer.aclose()
            raise Unguarded(UNGUARDED)
        return answer

    async def aclose(self) -> None:
        await self.pool.aclose()


def _about(answer: httpcore2.Response) -> dict[str, Any]:
    return cast("Any", answer).extensions


async def _watch(event: str, info: Mapping[str, Any]) -> None:
    """Before a word is sent: hang up on a connection that the guard did not open."""
    if event in _CONNECTED and not isinstance(info["return_value"], _GuardedStream):
        await info["return_value"].aclose()
        raise Unguarded(UNGUARDED)


_CONNECTED = frozenset(f"connection.connect_{kind}.complete" for kind in ("tcp", "unix_socket"))
UNGUARDED = "the installed httpcore2 opens connections that hustings cannot check"
KEPT_SECONDS = 5.0


@contextmanager
def _errors_of_httpx() -> Generator[None]:
    """httpcore's errors have the same names in httpx."""
    try:
        yield
    except _ERRORS as error:
        known = (each.__name__ for each in type(error).__mro__ if vars(httpcore2).get(each.__name__) is each)
        raise getattr(httpx2, next(known))(str(error)) from error


_ERRORS = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
)


def _host_of(asked: httpx2.URL, location: str) -> str:
    """The host to which an endpoint redirects. The endpoint chose it, so only the signs of host names are kept."""
    try:
        host = asked.join(location[:MAX_LOCATION]).host
    except (httpx2.InvalidURL, ValueError):
        return "another address"
    return re.sub(r"[^A-Za-z0-9.:-]", "", host)[:MAX_HOST] or "another address"


MAX_LOCATION = 2_000
MAX_HOST = 80
"""Characters."""
