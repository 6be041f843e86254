"""Which model sits in which seat: ModelSpec, read from files and variables such as JUDGE_LLM_MODEL.

The narrower name wins. An endpoint is a unit: a layer that names another endpoint starts afresh, so that no key and
no model reaches a host it was not meant for; what a person says about patience is kept. An address from a shared
folder gets no key from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from hustings.errors import Unreachable, Unsuitable
from hustings.script.seats import HOST
from hustings.transcript.empty_fields import OMIT_IF_EMPTY

from .endpoints import ACTORS, ALIASES, BUILT_IN, COMMAND, PROVIDERS, SILENT, endpoint_of, on_loopback
from .environment import DOTENV, PROCESS, Environment, Tables, layered, word_of
from .known_models import meant

if TYPE_CHECKING:
    from hustings.script.seats import Seat


class Price(BaseModel, defer_build=True):
    """USD per million tokens, as declared by the user."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)


def _address(text: str) -> str:
    """Accept an address without user, key or query: addresses are stored and shown."""
    parts = urlsplit(text)
    if text and not (re.fullmatch(r"https?://[^\s/?#@]+[^\s?#@]*", text) and parts.hostname and parts.port != 0):
        raise ValueError("an address starts with http:// or https:// and has no user name and no query")
    return text


Address = Annotated[str, AfterValidator(_address)]


class ModelSpec(BaseModel, defer_build=True):
    """A model and its endpoint. It is stored with the run: plain values, and only the name of the key."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    provider: str = ""
    base_url: Address = ""
    model: str = ""
    key: str = Field(default="", pattern=r"^([A-Z][A-Z0-9_]*_API_KEY)?$")
    """Name of the environment variable that holds the key."""
    temperature: float | None = Field(default=None, ge=0)
    price: Price | None = None
    local: bool = False
    """The user's own server: calls cost nothing."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Upper limit for every answer."""
    requests_per_minute: int | None = Field(default=None, gt=0)
    tokens_per_minute: int | None = Field(default=None, gt=0)
    at_once: int | None = Field(default=None, gt=0)
    """Concurrent calls that the server accepts, where known."""
    context: int | None = Field(default=None, gt=0)
    """Context window in tokens, where known."""
    timeout: Annotated[float | None, Field(gt=0), OMIT_IF_EMPTY] = None
    """Seconds that a whole answer may take. None: `patience_of` knows the default."""
    first_token_timeout: Annotated[float | None, Field(gt=0), OMIT_IF_EMPTY] = None
    """Seconds until an answer must begin."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Sampling options of a particular server, sent unchanged."""

    @property
    def free(self) -> bool:
        """Whether calls cost nothing."""
        return self.local if self.price is None else not self.price.input + self.price.output

    @property
    def label(self) -> str:
        plain = self.provider in BUILT_IN and self.provider not in {"tool", HOST}
        return self.provider if plain or self.model == HOST else f"{self.provider}/{self.model}"


NOBODY = ModelSpec.model_construct()
NO_MODEL = ModelSpec(provider=SILENT, model=SILENT, local=True)
"""Of a seat without which a debate goes on."""


@dataclass(frozen=True)
class Origin:
    """Where a setting comes from."""

    place: str
    name: str = ""
    """Name of the setting in that place."""
    shared: bool = False
    """The place is a folder that another person may have written."""

    def __str__(self) -> str:
        return f"{self.place} {self.name}".strip()


@dataclass(frozen=True)
class Layer:
    """Settings that one place makes for a seat, a role, a team or all seats, with their names there."""

    place: str
    given: Mapping[str, Any]
    names: Mapping[str, str]
    shared: bool = False

    def origin(self, name: str) -> Origin:
        return Origin(self.place, self.names.get(name, ""), self.shared)


@dataclass(frozen=True)
class Resolved:
    """A model spec as far as it is set up, and the origin of each field."""

    model_spec: ModelSpec = NOBODY
    origins: Mapping[str, Origin] = field(default_factory=dict[str, Origin])
    unused: Mapping[str, tuple[Any, Origin]] = field(default_factory=dict[str, "tuple[Any, Origin]"])
    """Settings of another endpoint or model than the one that was chosen: value and origin by field."""

    def under(self, layer: Layer) -> Resolved:
        """Return the result with another layer on top."""
        model_spec, kept = _overlaid(self.model_spec, layer.given)
        below = {name: origin for name, origin in self.origins.items() if name in kept}
        above = {name: layer.origin(name) for name in layer.given}
        lost = {name: origin for name, origin in self.origins.items() if name not in {*kept, *above}}
        unused = {**self.unused, **{name: (getattr(self.model_spec, name), origin) for name, origin in lost.items()}}
        if layer.shared and "base_url" in below and model_spec.base_url == self.model_spec.base_url:
            # A shared folder that repeats an address did not choose it.
            above["base_url"] = below["base_url"]
        return Resolved(model_spec, below | above, {name: unused[name] for name in unused if name not in above})

    def must_not_divert(self, who: str) -> None:
        """Refuse to send the user's key to an address that another person's folder chose."""
        sender, key = self.origins.get("base_url"), self.origins.get("key")
        if sender and key and sender.shared and sender.place != key.place:
            address, name = self.model_spec.base_url, self.model_spec.key
            raise Unsuitable(
                f"{sender.place} sends {who} to {address}, but the key {name} comes from elsewhere",
                why=f"it is from {key.place}" if key.place else "it is not set",
                fix="if the key is meant for this address, set both in the same place",
            )


def must_not_divert(model_spec: ModelSpec, environment: Environment) -> None:
    """The same check for the model of a stored run, by where its address and its key are set today."""
    senders = environment.shared_places_of(model_spec.base_url) if model_spec.key and model_spec.base_url else []
    if not senders or model_spec.key in endpoint_of(model_spec.provider, model_spec.base_url).keys:
        return
    key_from = environment.place_of(model_spec.key)
    sender = key_from if key_from in senders else senders[0]
    origins = {"base_url": Origin(sender, shared=True), "key": Origin(key_from)}
    Resolved(model_spec, origins).must_not_divert(model_spec.label)


def resolve(
    seat: Seat, environment: Mapping[str, str], defaults: ModelSpec = NOBODY, *, flag: ModelSpec | None = None
) -> Resolved:
    """Apply all layers for a seat, lowest first. The result may be incomplete."""
    built_in = dict.fromkeys(defaults.model_fields_set, Origin("built-in"))
    found = Resolved(defaults, built_in)
    for layer in layers(layered(environment), _prefixes(seat)):
        found = found.under(layer)
    if flag is not None:
        found = found.under(Layer("flag", flag.model_dump(exclude_unset=True), {}))
    return found


def model_spec_of(
    seat: Seat, environment: Mapping[str, str], defaults: ModelSpec = NOBODY, *, flag: ModelSpec | None = None
) -> ModelSpec:
    """Model of a seat. Defaults, files, LLM_*, the role, the team, the seat, the flag: later ones win."""
    found = resolve(seat, environment, defaults, flag=flag)
    found.must_not_divert(f"seat {seat.id}" if seat.id else "the model")
    return settled(found.model_spec, environment, (*_prefixes(seat), "LLM_"), seat.id)


def layers(environment: Environment, prefixes: tuple[str, ...]) -> Iterator[Layer]:
    """All layers that concern a seat, lowest first. `prefixes` are those of its variables, narrowest first."""
    order = ("LLM_", *reversed(prefixes))
    for file in environment.files:
        yield from _of_file(file, order)
    for prefix in order:
        if (name := f"{prefix}API_KEY") in environment.kept_in:
            yield Layer(environment.kept_in[name], {"key": name}, {"key": name})
        for place, variables, shared in (
            (DOTENV, environment.dotenv, True),
            (PROCESS, environment.process, False),
        ):
            if given := _given(prefix, variables):
                yield Layer(
                    place, given, {name: f"{prefix}{_VARIABLE.get(name, name.upper())}" for name in given}, shared
                )
    if environment.cast is not None:
        yield from _of_file(environment.cast, order)


def _of_file(file: Tables, order: tuple[str, ...]) -> Iterator[Layer]:
    for prefix in order:
        if table := file.tables.get(prefix):
            title = prefix.removesuffix("_LLM_").removesuffix("LLM_").lower() or "llm"
            provider = {"provider": ALIASES.get(table["provider"], table["provider"])} if "provider" in table else {}
            names = {name: f"[{title}] {name}" for name in table}
            yield Layer(file.place, {**table, **provider}, names, file.shared)


def parse_model_spec(text: str) -> ModelSpec:
    """Parse `provider/model`, `provider/model@base_url` or the name of a built-in actor, as on a command line."""
    if text in ACTORS or text == HOST:
        return ModelSpec(provider=text, model=text, local=True)
    name, *address = re.split(r"@(?=https?://)", text, maxsplit=1)
    provider, _, model = name.partition("/")
    if not provider or not model:
        raise Unsuitable(
            f"{text!r} is not a model",
            fix=f"{meant(text)}write provider/model, provider/model@base_url, or {_or(ACTORS)}",
        )
    fields = {"provider": ALIASES.get(provider, provider), "model": model} | (
        {"base_url": address[0]} if address else {}
    )
    return _made(fields, f"{text!r}")


def settled(
    model_spec: ModelSpec, environment: Mapping[str, str], prefixes: tuple[str, ...] = ("LLM_",), seat: str = ""
) -> ModelSpec:
    """Fill in address, key and limits. Raise an error that names the missing setting."""
    if model_spec.provider in BUILT_IN:
        return model_spec.model_copy(update={"model": model_spec.model or model_spec.provider, "local": True})
    who = f"seat {seat}" if seat else "the model"
    if not model_spec.provider:
        raise Unreachable(f"{who} has no provider", fix=f"set {_any('PROVIDER', prefixes)} to {_or(PROVIDERS)}")
    if model_spec.provider == COMMAND:
        said = layered(environment).command(model_spec.model)
        return _made({"provider": COMMAND, "model": model_spec.model, **said}, f"[commands.{model_spec.model}]")
    if model_spec.provider not in PROVIDERS:
        near = meant(f"{model_spec.provider}/{model_spec.model}")
        raise Unsuitable(
            f"{model_spec.provider!r}, for {who}, is not a known provider", fix=f"{near}choose {_or(PROVIDERS)}"
        )
    own = PROVIDERS[model_spec.provider].url
    if not (base_url := model_spec.base_url or own):
        raise Unsuitable(
            f"{who} uses {model_spec.provider}, which needs an address",
            fix=f"set {_any('BASE_URL', prefixes)}",
        )
    if not model_spec.model:
        raise Unsuitable(f"{who} has no model", fix=f"set {_any('MODEL', prefixes)}")
    local = model_spec.local or on_loopback(base_url)
    customary = (*endpoint_of(model_spec.provider, base_url).keys, *layered(environment).for_any)
    key = model_spec.key or next((name for name in customary if environment.get(name, "").strip()), "")
    if not key and not local:
        usual = endpoint_of(model_spec.provider, base_url).keys
        stored = (f"hustings keys set {name}, or " for name, one in PROVIDERS.items() if usual and one.keys == usual)
        wanted = _or((*(f"{prefix}API_KEY" for prefix in prefixes), *customary))
        raise Unsuitable(
            f"{who} has no key for {urlsplit(base_url).hostname}",
            fix=f"{next(stored, '')}set {wanted}{_meant_for_another(environment)}. {WITHOUT_A_KEY}",
        )
    at_once = model_spec.at_once or PROVIDERS[model_spec.provider].at_once
    return model_spec.model_copy(update={"base_url": base_url, "key": key, "local": local, "at_once": at_once})


WITHOUT_A_KEY = (
    "Without a key: a local model (ollama pull llama3.2), your coding agent in every seat "
    '(hustings start "QUESTION"), or invented words (-m improviser)'
)


def _meant_for_another(environment: Mapping[str, str]) -> str:
    there = layered(environment).place_of("LLM_API_KEY")
    return " (LLM_API_KEY is not meant for that address. If it is, set LLM_BASE_URL in the same place)" if there else ""


def _prefixes(seat: Seat) -> tuple[str, ...]:
    """Prefixes of the seat's variables, narrowest first."""
    names = (seat.id, seat.team, seat.role, seat.id.partition("_")[0])
    words = map(word_of, names)
    return tuple(dict.fromkeys(f"{word}_LLM_" for word in words if word[:1].isalpha()))


_NUMBERS = {
    "TEMPERATURE": "temperature",
    "MAX_TOKENS": "max_tokens",
    "RPM": "requests_per_minute",
    "TPM": "tokens_per_minute",
    "CONTEXT": "context",
    "AT_ONCE": "at_once",
    "TIMEOUT": "timeout",
    "FIRST_TOKEN_TIMEOUT": "first_token_timeout",
}
_VARIABLE = {name: variable for variable, name in _NUMBERS.items()} | {"key": "API_KEY", "price": "PRICE_INPUT"}
TIMEOUTS = ("timeout", "first_token_timeout")
"""Fields of a model spec that say how long a person waits. They are kept whatever endpoint a narrower layer names."""
_OF_THE_MODEL = frozenset({"price", "context", "max_tokens"})
_LIMITS = ("max_tokens", "requests_per_minute", "tokens_per_minute", "at_once")


def _given(prefix: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings of one layer; a key is given by the name of its variable."""

    def text(name: str) -> str:
        return environment.get(f"{prefix}{name}", "").strip()

    found: dict[str, Any] = {}
    if provider := text("PROVIDER"):
        found["provider"] = ALIASES.get(provider, provider)
    for name in ("BASE_URL", "MODEL"):
        if text(name):
            found[name.lower()] = text(name)
    if text("API_KEY"):
        found["key"] = f"{prefix}API_KEY"
    for variable, name in _NUMBERS.items():
        if text(variable):
            found[name] = _number(f"{prefix}{variable}", text(variable))
    if text("PRICE_INPUT") or text("PRICE_OUTPUT"):
        names = {side: f"{prefix}PRICE_{side.upper()}" for side in ("input", "output")}
        found["price"] = {side: _number(name, environment.get(name, "").strip()) for side, name in names.items()}
    return found


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Unsuitable(f"{name} should be a number, not {text!r}") from None


def _overlaid(below: ModelSpec, given: Mapping[str, Any]) -> tuple[ModelSpec, frozenset[str]]:
    """Apply a layer to a model spec. Return the result and the names of the fields kept from below."""
    provider = given.get("provider", below.provider)
    moved = provider != below.provider or given.get("base_url", below.base_url) != below.base_url
    if moved:
        # Limits that were said without any endpoint are meant for whichever it will be.
        limits = () if below.provider or below.base_url else _LIMITS
        kept = {"provider": provider, **{name: getattr(below, name) for name in ("temperature", *TIMEOUTS, *limits)}}
    elif given.get("model", below.model) != below.model:
        kept = below.model_dump(exclude=set(_OF_THE_MODEL))
    else:
        kept = below.model_dump()
    return _made({**kept, **given}, "the model's settings"), frozenset(kept)


def _made(fields: Mapping[str, Any], what: str) -> ModelSpec:
    try:
        return ModelSpec.model_validate(fields)
    except ValidationError as error:
        # Pydantic's error text repeats the input, which may be a key put into the wrong variable.
        wrong = _or(sorted({".".join(map(str, item["loc"])) for item in error.errors(include_input=False)}))
        raise Unsuitable(f"{what}: {wrong} is invalid. Check its spelling and range") from None


def _any(field: str, prefixes: tuple[str, ...]) -> str:
    return _or(f"{prefix}{field}" for prefix in prefixes)


def _or(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def family(model_spec: ModelSpec) -> str:
    """Derive the family from the model's name, whatever provider serves it. An unknown name is its own family."""
    if model_spec.provider == COMMAND:  # its name says nothing about the model inside
        return "unknown"
    if model_spec.provider == HOST:  # one program answers, whatever label it gives itself
        return HOST
    name = model_spec.model.rsplit("/", 1)[-1].lower()
    for known, of in KNOWN.items():
        if re.search(rf"(?<![a-z]){known}", name):
            return of
    return re.split(r"[^a-z]", name.lstrip("0123456789-_."), maxsplit=1)[0] or model_spec.provider or "unknown"


KNOWN = {
    "claude": "claude",
    "gpt": "gpt",
    "^o[134](?![0-9])": "gpt",
    "chatgpt": "gpt",
    "gemini": "gemini",
    "gemma": "gemini",
    "(?:codellama|llama)": "llama",
    "(?:mistral|mixtral|ministral|codestral|magistral|devstral)": "mistral",
    "(?:qwen|qwq)": "qwen",
    "deepseek": "deepseek",
    "(?:command|aya)": "command",
    "phi": "phi",
    "grok": "grok",
    "smollm": "smollm",
    "nova": "nova",
    "glm": "glm",
    "kimi": "kimi",
}
"""Part of a model's name to its family."""
