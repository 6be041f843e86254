"""HttpModel: call a model over HTTP, always streamed and never resent; stop answers that loop or never end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pydantic import SecretStr

from hustings.errors import Unsuitable
from hustings.installation import install_hint
from hustings.script.forms import MAX_ANSWER

from .egress import client_of
from .endpoints import endpoint_of
from .model import LlmRequest, LlmResponse, Model, OnText
from .model_spec import ModelSpec
from .prices import least_tokens

if TYPE_CHECKING:
    import httpx2

    from .egress import AddressPolicy
    from .pydantic_ai_adapter import Connection

log = logging.getLogger(__name__)
REPEATS = 6
LONGEST_PERIOD = 200
LEAST_LOOP = 600
"""Characters. A shorter run of one character is a horizontal rule or a table."""
LOOK_EVERY = 200
LEAST_WINDOW = 512
"""Tokens. No server cuts a prompt to less, so a smaller count is not a real count."""


def model_of(model_spec: ModelSpec, environment: Mapping[str, str], policy: AddressPolicy) -> Model:
    """Return the model for a spec. Equal specs share one model, and with it the connections."""
    if missing := _missing(model_spec):
        raise Unsuitable(f"{model_spec.label} needs an optional package", fix=install_hint(missing))
    secret = environment.get(model_spec.key, "").strip() if model_spec.key else ""
    if model_spec.key and not secret:
        raise Unsuitable(
            f"{model_spec.label} needs the key {model_spec.key}, which is not set",
            fix=f"store it: hustings keys set {model_spec.key}. Then start again",
        )
    return _model(model_spec.model_dump_json(), SecretStr(secret) if secret else None, policy)


def _missing(model_spec: ModelSpec) -> str:
    """The extra that this provider's protocol needs, if it is not installed."""
    match endpoint_of(model_spec.provider, model_spec.base_url).wire:
        case "anthropic":
            return "" if find_spec("anthropic") else "anthropic"
        case "google":
            return "" if find_spec("google") and find_spec("google.genai") else "google"
        case "openai":
            return ""


@lru_cache(maxsize=256)
def _model(model_spec: str, key: SecretStr | None, policy: AddressPolicy) -> HttpModel:
    return HttpModel(ModelSpec.model_validate_json(model_spec), key, partial(client_of, policy))


class HttpModel:
    """One model. `client` returns the HTTP client of the running event loop."""

    def __init__(self, model_spec: ModelSpec, key: SecretStr | None, client: Callable[[], httpx2.AsyncClient]) -> None:
        self.model_spec, self.client = model_spec, client
        self._key = key
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, Connection] = WeakKeyDictionary()

    async def answer(self, request: LlmRequest, on_text: OnText) -> LlmResponse:
        window = self.model_spec.context
        if window is not None and least_tokens(request.prompt) > window:
            from .provider_faults import needs  # noqa: PLC0415  takes seconds, once

            return LlmResponse("too_long", detail=needs(request, self.model_spec.model, window), billed="no")
        return self._fit_to_keep(await self._answered(request, on_text))

    async def _answered(self, request: LlmRequest, on_text: OnText) -> LlmResponse:
        from . import provider_faults, pydantic_ai_adapter  # noqa: PLC0415  takes seconds, once

        discreet = Discreet(on_text, self._secret)
        collector = _StreamCollector(discreet)
        try:
            line = self._line(pydantic_ai_adapter.connection_to)
        except Unsuitable as error:  # certificates that cannot be read
            return LlmResponse("untrusted", detail=f"{error.what}; {error.fix}", billed="no")
        except Exception:  # an SDK that cannot be loaded or set up; nothing was sent
            log.exception("no request could be set up")
            detail = "no request could be set up for this model, so nothing was sent"
            return LlmResponse("rejected", detail=detail, billed="no")
        try:
            async with asyncio.timeout(request.seconds):
                answer = await line.ask(self._ours(request), collector)
        except Looping:
            return LlmResponse("malformed", collector.text, "stopped because it kept repeating itself")
        except Exception as error:  # noqa: BLE001  the one place where any exception becomes a value
            return provider_faults.failure(error, collector.text, request)
        discreet.finish()
        answered = pydantic_ai_adapter.outcome(answer, collector.text, on_form=request.prompt.schema is not None)
        sampling = pydantic_ai_adapter.sampling(self._ours(request), line)
        thoughts = pydantic_ai_adapter.reasoning(answer.ended) if request.keep_reasoning else ""
        return _cut(request, replace(answered, sampling=sampling, reasoning=thoughts))

    @property
    def _secret(self) -> str:
        """The text that must not be repeated."""
        secret = self._key.get_secret_value() if self._key else ""
        return secret if len(secret) >= SHORTEST_KEY else ""

    def _line(self, line_to: Callable[..., Connection]) -> Connection:
        loop = asyncio.get_running_loop()
        if loop not in self._lines:
            self._lines[loop] = line_to(self.model_spec, self._key, self.client())
        return self._lines[loop]

    def _ours(self, request: LlmRequest) -> LlmRequest:
        """Add the model spec's settings where the request has none."""
        model_spec = self.model_spec
        return replace(
            request,
            max_tokens=min(request.max_tokens, model_spec.max_tokens or request.max_tokens),
            temperature=model_spec.temperature if request.temperature is None else request.temperature,
            extra={**model_spec.extra, **request.extra},
        )

    def _fit_to_keep(self, response: LlmResponse) -> LlmResponse:
        """Clean text that the server chose: it may repeat the key, or contain half a character."""
        secret = self._secret

        def clean(text: str) -> str:
            whole = text.encode("utf-8", "backslashreplace").decode()
            return whole.replace(secret, HIDDEN) if secret else whole

        return replace(
            response,
            text=clean(response.text),
            reasoning=clean(response.reasoning),
            detail=printable(clean(response.detail)),
            model=printable(clean(response.model)),
            response_id=printable(clean(response.response_id)) if response.response_id else None,
        )


def printable(text: str) -> str:
    """Remove control characters, which no database or terminal should get, from names and codes."""
    return "".join(sign for sign in text if sign.isprintable())


class Discreet:
    """Forwards text without the key. Holds back a possible beginning of the key until the next piece decides."""

    def __init__(self, on_text: OnText, secret: str) -> None:
        self._on_text, self._secret = on_text, secret
        self._held = ""

    def __call__(self, piece: str) -> None:
        if not self._secret:
            return self._on_text(piece)
        text = (self._held + piece).replace(self._secret, HIDDEN)
        longest = min(len(text), len(self._secret) - 1)
        held = next((n for n in range(longest, 0, -1) if self._secret.startswith(text[-n:])), 0)
        self._held, told = text[len(text) - held :], text[: len(text) - held]
        return self._on_text(told) if told else None

    def finish(self) -> None:
        with suppress(Exception):  # a failing listener must not cost the answer
            if self._held:
                self._on_text(self._held)


class Looping(Exception):
    """The model repeats the same text again and again."""


class Endless(Exception):
    """The answer exceeds MAX_ANSWER characters."""


class _StreamCollector:
    """Collects the streamed answer, forwards it, and stops a model that does not stop."""

    def __init__(self, on_text: OnText) -> None:
        self.on_text: OnText | None = on_text
        self.pieces: list[str] = []
        self.size = self.looked = 0
        self.tail = ""

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def __call__(self, piece: str) -> None:
        self.pieces.append(piece)
        self.size += len(piece)
        self._pass_on(piece)
        if self.size > MAX_ANSWER:
            raise Endless
        self.tail = (self.tail + piece)[-REPEATS * LONGEST_PERIOD :]
        if self.size - self.looked >= LOOK_EVERY:
            self.looked = self.size
            if loops(self.tail):
                raise Looping

    def _pass_on(self, piece: str) -> None:
        try:
            if self.on_text is not None:
                self.on_text(piece)
        except Exception:  # noqa: BLE001  a failing listener must not cost the answer
            self.on_text = None


def loops(text: str) -> bool:
    """Whether a text ends in six or more repeats of the same few words."""
    # If it does, its last characters also occur one period earlier; in other texts they hardly ever do.
    last, end = text[-16:], len(text) - 1
    while (found := text.rfind(last, max(0, len(text) - 16 - LONGEST_PERIOD), end)) >= 0:
        period, end = len(text) - len(last) - found, found + len(last) - 1
        length = max(LEAST_LOOP, REPEATS * period)
        tail = text[-length:]
        if len(tail) == length and tail.startswith(tail[period:]):
            return True
    return False


def _cut(request: LlmRequest, response: LlmResponse) -> LlmResponse:
    """Detect a server that silently drops the beginning of a prompt: it then counts far too few tokens."""
    least = least_tokens(request.prompt)
    if response.usage.input is None or not LEAST_WINDOW <= response.usage.input < 0.4 * least:
        return response
    detail = f"the server read only {response.usage.input} of {least} tokens: give the model a larger context window"
    return replace(response, kind="too_long", detail=detail)


SHORTEST_KEY = 8
"""A shorter value is a placeholder, not a key, and may well be a word."""
HIDDEN = "[key]"
