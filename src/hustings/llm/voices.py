"""Which model sits in which seat, from variables such as LLM_MODEL, JUDGE_LLM_MODEL and PRO_2_LLM_MODEL.

The narrower name wins. An endpoint is a unit: a layer that names another one starts afresh, so that no key and
no model reaches a host it was not meant for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from hustings.core.errors import Unsuitable
from hustings.core.seats import Seat

from .endpoints import ACTORS, ALIASES, PROVIDERS, endpoint_of, on_loopback

_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]")


class Price(BaseModel):
    """USD per million tokens, as declared by the user."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)


def _address(text: str) -> str:
    """No user, key or query in it: addresses are stored and shown."""
    parts = urlsplit(text)
    if text and not (re.fullmatch(r"https?://[^\s/?#@]+[^\s?#@]*", text) and parts.hostname and parts.port != 0):
        raise ValueError("an address begins with http:// or https:// and holds no user and no query")
    return text


class Voice(BaseModel):
    """A model and where it answers. It is stored with the run: plain values, and of the key its name alone."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    provider: str = ""
    base_url: Annotated[str, AfterValidator(_address)] = ""
    model: str = ""
    key: str = Field(default="", pattern=r"^([A-Z][A-Z0-9_]*_API_KEY)?$")
    """Name of the environment variable that holds it."""
    temperature: float | None = Field(default=None, ge=0)
    price: Price | None = None
    local: bool = False
    """A server of one's own: nothing is paid."""
    max_tokens: int | None = Field(default=None, gt=0)
    """No answer may be longer."""
    requests_per_minute: int | None = Field(default=None, gt=0)
    tokens_per_minute: int | None = Field(default=None, gt=0)
    at_once: int | None = Field(default=None, gt=0)
    """Calls it takes at the same time, where that is known."""
    context: int | None = Field(default=None, gt=0)
    """The model's window in tokens, where it is known."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Sampling options of one server, sent as they are."""

    @property
    def free(self) -> bool:
        """Nothing is paid for it."""
        return self.local if self.price is None else not self.price.input + self.price.output

    @property
    def label(self) -> str:
        return self.provider if self.provider in ACTORS else f"{self.provider}/{self.model}"


NOBODY = Voice()


def voice_of(
    seat: Seat, environment: Mapping[str, str], defaults: Voice = NOBODY, *, flag: Voice | None = None
) -> Voice:
    """Defaults, LLM_*, the seat's role, its team, the seat itself, the flag: each wins over those before it."""
    prefixes = _prefixes(seat)
    found = defaults
    for prefix in ("LLM_", *reversed(prefixes)):
        if given := _given(prefix, environment):
            found = _overlaid(found, given)
    if flag is not None:
        found = _overlaid(found, flag.model_dump(exclude_unset=True))
    return settled(found, environment, (*prefixes, "LLM_"), seat.id)


def parse_voice(text: str) -> Voice:
    """`provider/model`, `provider/model@base_url`, or the name of a shipped actor, as on a command line."""
    if text in ACTORS:
        return Voice(provider=text, model=text, local=True)
    name, *address = re.split(r"@(?=https?://)", text, maxsplit=1)
    provider, _, model = name.partition("/")
    if not provider or not model:
        raise Unsuitable(f"{text!r} names no model: write provider/model, provider/model@base_url, or {_or(ACTORS)}")
    fields = {"provider": ALIASES.get(provider, provider), "model": model} | (
        {"base_url": address[0]} if address else {}
    )
    return _made(fields, f"{text!r}")


def settled(
    voice: Voice, environment: Mapping[str, str], prefixes: tuple[str, ...] = ("LLM_",), seat: str = ""
) -> Voice:
    """Complete with address and key; whoever set it up is told what is missing."""
    if voice.provider in ACTORS:
        return voice.model_copy(update={"model": voice.model or voice.provider, "local": True})
    who = f"seat {seat}" if seat else "the model"
    if not voice.provider:
        raise Unsuitable(f"{who} has no provider: set {_any('PROVIDER', prefixes)} to {_or(PROVIDERS)}")
    if voice.provider not in PROVIDERS:
        raise Unsuitable(f"{voice.provider!r}, for {who}, is no known provider: choose {_or(PROVIDERS)}")
    own = PROVIDERS[voice.provider].url
    if not (base_url := voice.base_url or own):
        raise Unsuitable(
            f"{who} speaks through {voice.provider}, which needs an address: set {_any('BASE_URL', prefixes)}"
        )
    if not voice.model:
        raise Unsuitable(f"{who} has no model: set {_any('MODEL', prefixes)}")
    local = voice.local or on_loopback(base_url)
    customary = endpoint_of(voice.provider, base_url).keys
    key = voice.key or next((name for name in customary if environment.get(name, "").strip()), "")
    if not key and not local:
        wanted = _or((*(f"{prefix}API_KEY" for prefix in prefixes), *customary))
        raise Unsuitable(f"{who} has no key for {urlsplit(base_url).hostname}: set {wanted}")
    at_once = voice.at_once or PROVIDERS[voice.provider].at_once
    return voice.model_copy(update={"base_url": base_url, "key": key, "local": local, "at_once": at_once})


def _prefixes(seat: Seat) -> tuple[str, ...]:
    """Of the seat's variables, the narrowest first."""
    names = (seat.id, seat.team, seat.role, seat.id.partition("_")[0])
    words = (_NOT_IN_A_NAME.sub("_", name.upper()) for name in names)
    return tuple(dict.fromkeys(f"{word}_LLM_" for word in words if word[:1].isalpha()))


_NUMBERS = {
    "TEMPERATURE": "temperature",
    "MAX_TOKENS": "max_tokens",
    "RPM": "requests_per_minute",
    "TPM": "tokens_per_minute",
    "CONTEXT": "context",
    "AT_ONCE": "at_once",
}
_OF_THE_MODEL = frozenset({"price", "context", "max_tokens"})


def _given(prefix: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """What one layer says; a key by the name of its variable."""

    def text(field: str) -> str:
        return environment.get(f"{prefix}{field}", "").strip()

    found: dict[str, Any] = {}
    if provider := text("PROVIDER"):
        found["provider"] = ALIASES.get(provider, provider)
    for field in ("BASE_URL", "MODEL"):
        if text(field):
            found[field.lower()] = text(field)
    if text("API_KEY"):
        found["key"] = f"{prefix}API_KEY"
    for field, name in _NUMBERS.items():
        if text(field):
            found[name] = _number(f"{prefix}{field}", text(field))
    if text("PRICE_INPUT") or text("PRICE_OUTPUT"):
        names = {side: f"{prefix}PRICE_{side.upper()}" for side in ("input", "output")}
        found["price"] = {side: _number(name, environment.get(name, "").strip()) for side, name in names.items()}
    return found


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Unsuitable(f"{name} should be a number, not {text!r}") from None


def _overlaid(below: Voice, given: Mapping[str, Any]) -> Voice:
    provider = given.get("provider", below.provider)
    moved = provider != below.provider or given.get("base_url", below.base_url) != below.base_url
    if moved:
        kept = {"provider": provider, "temperature": below.temperature}
    elif given.get("model", below.model) != below.model:
        kept = below.model_dump(exclude=set(_OF_THE_MODEL))
    else:
        kept = below.model_dump()
    return _made({**kept, **given}, "the model's settings")


def _made(fields: Mapping[str, Any], what: str) -> Voice:
    try:
        return Voice.model_validate(fields)
    except ValidationError as error:
        # The error's own text repeats the input, which may be a key put into the wrong variable.
        wrong = _or(sorted({".".join(map(str, item["loc"])) for item in error.errors(include_input=False)}))
        raise Unsuitable(f"{what}: {wrong} cannot be used as it stands; check its spelling and range") from None


def _any(field: str, prefixes: tuple[str, ...]) -> str:
    return _or(f"{prefix}{field}" for prefix in prefixes)


def _or(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
