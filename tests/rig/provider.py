"""A pretend model provider that misbehaves on purpose and remembers every call: OpenAI's chat, on loopback only.

Which fault a call meets follows from the seed, the call's name and how often it was asked, so a run can be repeated.

    POST /v1/chat/completions                  the plan decides
    POST /fault/NAME/v1/chat/completions       always this fault
    GET  /faults /ledger /ledger/calls /ledger/bodies /v1/models
    POST /plan                                 change the plan: {"rate": 1.0, "faults": ["status503"]}
    POST /reset                                forget the ledger

A caller names a call by the header X-Client-Request-Id, percent-encoded. The server ends with its standard input.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import random
import ssl
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import unquote, urlsplit

from hustings.errors import NotFound

from .provider_answers import good_answer
from .provider_exchange import Exchange, Ledger, ReceivedCall, digest_of, read_log
from .provider_faults import CHAOS, FAULTS
from .proxy import child, ready

__all__ = ["CHAOS", "FAULTS", "FaultPlan", "Provider", "ReceivedCall", "good_answer", "read_log", "secured", "serving"]
HOST = "127.0.0.1"
Headers = Mapping[str, str]


@dataclass(frozen=True)
class FaultPlan:
    """How the server behaves."""

    seed: int = 0
    rate: float = 0.0
    """Share of calls that meet a fault."""
    delay: float = 0.0
    """Seconds a good answer takes."""
    hang: float = 8.0
    """Seconds a hanging call hangs."""
    patience: int = 3
    """A call that was asked this many times before gets a good answer."""
    faults: Sequence[str] = CHAOS
    key: str = ""
    """If there is one, calls with another are refused."""

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.faults) - FAULTS.keys()):
            raise NotFound(f"no fault is called {', '.join(unknown)}; there are {', '.join(sorted(FAULTS))}")

    def fault_for(self, key: str, nth: int) -> str:
        if not self.rate or nth >= self.patience:
            return "ok"
        rng = random.Random(f"{self.seed}/{key}/{nth}")
        return "ok" if rng.random() >= self.rate else rng.choice(self.faults)


# -- from outside --------------------------------------------------------------------------


@dataclass(frozen=True)
class Provider:
    """Client of a running server."""

    url: str
    pid: int

    @property
    def base_url(self) -> str:
        """Base URL at which the plan decides."""
        return f"{self.url}/v1"

    def always(self, fault: str) -> str:
        """Base URL at which each call meets this fault."""
        if fault not in FAULTS:
            raise NotFound(f"no fault is called {fault!r}; there are {', '.join(sorted(FAULTS))}")
        return f"{self.url}/fault/{fault}/v1"

    def ledger(self) -> dict[str, Any]:
        return self._ask("GET", "/ledger")

    def calls(self) -> list[ReceivedCall]:
        return [ReceivedCall(**call) for call in self._ask("GET", "/ledger/calls")]

    def bodies(self) -> list[dict[str, Any]]:
        """The latest requests, word for word."""
        return self._ask("GET", "/ledger/bodies")

    def plan(self, **changes: Any) -> None:
        """Behave differently from now on."""
        self._ask("POST", "/plan", json.dumps(changes))

    def reset(self) -> None:
        self._ask("POST", "/reset")

    def _ask(self, method: str, path: str, body: str | None = None) -> Any:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=30)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            value = json.load(response)
        finally:
            connection.close()
        if response.status != 200:
            raise NotFound(f"{method} {path}: {value}")
        return value


@contextmanager
def serving(
    *,
    seed: int = 0,
    rate: float = 0.0,
    delay: float = 0.0,
    hang: float = 8.0,
    patience: int = 3,
    faults: Sequence[str] = CHAOS,
    log: Path | None = None,
) -> Generator[Provider]:
    """Start a server in another process, which ends with this one whatever happens."""
    plan = FaultPlan(seed, rate, delay, hang, patience, tuple(faults))
    options = [f"--{name}={','.join(value) if name == 'faults' else value}" for name, value in asdict(plan).items()]
    options += [f"--log={log}"] if log else []
    with child(__name__, *options) as said:
        yield Provider(said["url"], said["pid"])


@contextmanager
def secured(certificate: Path) -> Generator[Provider]:
    """Start a server that answers well, over TLS, with the key and the certificate of a file."""
    with child(__name__, f"--certificate={certificate}") as said:
        yield Provider(said["url"], said["pid"])


# -- inside --------------------------------------------------------------------------------


class ProviderServer:
    def __init__(self, plan: FaultPlan, ledger: Ledger) -> None:
        self.plan, self.ledger, self._numbers = plan, ledger, count(1)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await self._one(reader, writer)
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        path = first.split(" ")[1]
        if path.endswith("/chat/completions"):
            await self._answer(path, headers, body, reader, writer)
        else:
            status, value = self._control(path, body)
            content = json.dumps(value).encode()
            head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
            writer.write(head.encode() + content)
            await writer.drain()

    async def _answer(
        self, path: str, headers: Headers, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        request, plan = json.loads(body), self.plan
        call = self._call(path, headers, stream=bool(request.get("stream")))
        credential = headers.get("authorization", "")
        exchange = Exchange(
            reader, writer, call, request, len(body), credential, seed=plan.seed, delay=plan.delay, hang=plan.hang
        )
        self.ledger.open(call, body)
        try:
            play = FAULTS.get(call.fault)
            await (play(exchange) if play else exchange.send(404, b'{"error": {"message": "no such fault"}}'))
            call.delivered = True
        finally:
            self.ledger.close(call)

    def _call(self, path: str, headers: Headers, *, stream: bool) -> ReceivedCall:
        key = unquote(headers.get("x-client-request-id", "unnamed"))
        nth = self.ledger.seen[key]
        self.ledger.seen[key] += 1
        _, first, name, *_ = path.split("/")
        credential, plan = digest_of(headers.get("authorization")), self.plan
        if plan.key and credential != digest_of(f"Bearer {plan.key}"):
            fault = "status401"
        else:
            fault = name if first == "fault" else plan.fault_for(key, nth)
        return ReceivedCall(
            number=next(self._numbers),
            key=key,
            nth=nth,
            fault=fault,
            stream=stream,
            started=time(),
            sdk_retry=headers.get("x-stainless-retry-count"),
            idempotency_key=headers.get("idempotency-key"),
            auth_digest=credential,
        )

    def _control(self, path: str, body: bytes) -> tuple[int, Any]:
        match path.split("?", maxsplit=1)[0]:
            case "/faults":
                return 200, sorted(FAULTS)
            case "/ledger":
                return 200, self.ledger.summary()
            case "/ledger/calls":
                return 200, [vars(call) for call in self.ledger.calls]
            case "/ledger/bodies":
                return 200, [json.loads(body) for body in self.ledger.bodies]
            case "/v1/models":
                return 200, {"object": "list", "data": [{"id": "m", "object": "model", "owned_by": "hustings"}]}
            case "/reset":
                self.ledger.forget()
                return 200, "forgotten"
            case "/plan":
                try:
                    self.plan = replace(self.plan, **json.loads(body))
                except (NotFound, TypeError) as error:
                    return 400, str(error)
                return 200, asdict(self.plan)
            case _:
                return 404, "there is nothing here"


async def serve(plan: FaultPlan, log: str, port: int, certificate: str) -> None:
    ledger = Ledger(Path(log).open("a", encoding="utf-8") if log else None)  # noqa: ASYNC230, SIM115 - open until the end
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
    if tls:
        tls.load_cert_chain(certificate)
    answer = ProviderServer(plan, ledger).serve
    server = await asyncio.start_server(answer, HOST, port, limit=2**26, backlog=1024, ssl=tls)
    ready(url=f"{'https' if tls else 'http'}://{HOST}:{server.sockets[0].getsockname()[1]}")
    await server.serve_forever()


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = FaultPlan()
    cli.add_argument("--port", type=int, default=0, help="0 picks a free one; the address is printed")
    cli.add_argument("--seed", type=int, default=usual.seed)
    cli.add_argument("--rate", type=float, default=usual.rate, help="share of calls that meet a fault")
    cli.add_argument("--delay", type=float, default=usual.delay, help="seconds a good answer takes")
    cli.add_argument("--hang", type=float, default=usual.hang, help="seconds a hanging call hangs")
    cli.add_argument("--patience", type=int, default=usual.patience, help="a call asked so often before is served well")
    cli.add_argument("--faults", default=",".join(usual.faults), help="names, separated by commas")
    cli.add_argument("--key", default="", help="refuse calls with another key")
    cli.add_argument("--log", default="", help="file to which every call is added, as lines of JSON")
    cli.add_argument("--certificate", default="", help="PEM file with key and certificate: answer over TLS")
    given = cli.parse_args()
    names: str = given.faults
    faults = tuple(filter(None, names.split(",")))
    plan = FaultPlan(given.seed, given.rate, given.delay, given.hang, given.patience, faults, given.key)
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(plan, given.log, given.port, given.certificate))


if __name__ == "__main__":
    main()
