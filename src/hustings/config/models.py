"""Models that the settings configure for seats, and the one chosen when none is configured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from shlex import quote
from time import monotonic
from urllib.parse import urlsplit

from hustings.errors import HustingsError, NoModel, Unreachable, Unsuitable
from hustings.installation import install_hint
from hustings.llm.endpoints import BUILT_IN, PROVIDERS, on_loopback
from hustings.llm.environment import Environment
from hustings.llm.local_servers import DEADLINE, LocalServer, ask_one, port_of
from hustings.llm.model import Usage
from hustings.llm.model_spec import NOBODY, ModelSpec, Price, model_spec_of, resolve
from hustings.llm.prices import price
from hustings.script.seats import Seat

from .time_limits import in_words, time_limits

MILLION = 1_000_000


@dataclass(frozen=True)
class ConfiguredModel:
    """The model configured under a name, or the reason why it cannot be used."""

    name: str
    """A seat, a team or a role; `llm` for all seats."""
    model_spec: ModelSpec | None = None
    problem: HustingsError | None = None
    time_limits: str = ""
    """How long a call may take and where that is set, in words."""


def configured_models(known: Environment, servers: Sequence[LocalServer] | None = None) -> list[ConfiguredModel]:
    """Return all configured models; if there are none and `servers` is given, the model chosen by default."""
    found = [_speaker(word, known) for word in known.set_up]
    if found or servers is None:
        return found
    try:
        model_spec = choose(known, servers).model_spec
        return [_of_seat("llm", Seat("", role=""), known, defaults=model_spec)]
    except HustingsError as error:
        return [ConfiguredModel("llm", problem=error)]


def per_million(model_spec: ModelSpec) -> Price | None:
    """USD per million tokens read and written; None if the price is unknown."""
    if model_spec.provider in BUILT_IN:
        return Price(input=0, output=0)
    read = price(model_spec, Usage(input=MILLION, output=0))
    written = price(model_spec, Usage(input=0, output=MILLION))
    return None if read is None or written is None else Price(input=read / MILLION, output=written / MILLION)


def _speaker(word: str, known: Environment) -> ConfiguredModel:
    seat = Seat("", role="") if word == "llm" else Seat(word, role="judge" if word.startswith("judge") else word)
    try:
        return _of_seat(word, seat, known)
    except HustingsError as error:
        return ConfiguredModel(word, problem=error)


def named_model(model_spec: ModelSpec, known: Environment) -> ConfiguredModel:
    """The model that a command names for all seats."""
    try:
        return _of_seat(model_spec.label, Seat("", role=""), known, flag=model_spec)
    except HustingsError as error:
        return ConfiguredModel(model_spec.label, problem=error)


def _of_seat(
    name: str, seat: Seat, known: Environment, *, defaults: ModelSpec = NOBODY, flag: ModelSpec | None = None
) -> ConfiguredModel:
    model_spec = model_spec_of(seat, known, defaults, flag=flag)
    limits = time_limits(resolve(seat, known, defaults, flag=flag), known)
    return ConfiguredModel(name, model_spec, time_limits=in_words(limits))


DEFAULT_MODELS = {name: endpoint.default_model for name, endpoint in PROVIDERS.items() if endpoint.default_model}
EXTRAS = {name: endpoint.extra for name, endpoint in PROVIDERS.items() if endpoint.extra}
_NO_SPEAKER = re.compile(r"(?i)embed|rerank|whisper|tts|bge-|minilm|guard")
"""Names of models that do not write text: embeddings, speech, guards."""
INVENTED = "try without a model, in invented words: -m improviser"
CURES = """\
hustings demo                                  watch a recorded debate, no model needed
hustings "QUESTION" -m improviser              try without a model, in invented words
hustings start "QUESTION"                      play the seats yourself, or let your coding agent play them
ollama pull llama3.2                           get a local model
hustings keys set openai                       store a provider's key: openai, anthropic, google and others
hustings --endpoint URL -m MODEL "QUESTION"    any OpenAI-compatible server"""


@dataclass(frozen=True)
class DefaultModel:
    """A model for every seat, and the sentence that tells the user about it."""

    model_spec: ModelSpec
    sentence: str

    @property
    def flag(self) -> str:
        """The model as the value of --model."""
        at = f"@{self.model_spec.base_url}" if self.model_spec.base_url else ""
        return f"{self.model_spec.provider}/{self.model_spec.model}{at}"


def choose(known: Environment, servers: Sequence[LocalServer]) -> DefaultModel:
    """Choose the model of every seat that has none configured; free models come first."""
    if place := known.place_of("LLM_API_KEY"):
        whose = "LLM_API_KEY is set, but not its provider"
        raise Unsuitable(whose, why=f"from {place}", fix="set LLM_PROVIDER and LLM_MODEL too")
    found = candidates(known, servers)
    if found:
        first, *others = found
        said = f"{first.sentence} {_advice(others)}"
        return DefaultModel(first.model_spec, said.replace("all seats", "every other seat") if known.set_up else said)
    for server in servers:
        raise Unreachable(f"{_who(server)} has no model", fix=_load(server))
    for provider, name in keys_at_hand(known).items():
        what = f"{name} is set ({known.place_of(name)}), but {provider} needs an optional package"
        raise Unreachable(what, fix=install_hint(provider))
    raise NoModel("no model available", why="no local model server and no provider key found", fix=CURES)


def candidates(known: Environment, servers: Sequence[LocalServer]) -> list[DefaultModel]:
    """All models that can be used without being configured; free models come first."""
    return [*_local(servers), *_remote(known)]


def keys_at_hand(known: Environment) -> dict[str, str]:
    """Providers whose usual key is set or stored, with the name of that key."""
    return {
        provider: name
        for provider in DEFAULT_MODELS
        if (name := next((name for name in PROVIDERS[provider].keys if known.place_of(name)), ""))
    }


def usable(provider: str) -> bool:
    """Whether the provider's client library is installed."""
    return all(find_spec(module) for module in EXTRAS.get(provider, ()))


def at_endpoint(url: str, model: str = "", seconds: float = 10 * DEADLINE) -> DefaultModel:
    """The model at any OpenAI-compatible server. A local server with only one model need not have it named."""
    bare = (url.strip() if "://" in url else f"http://{url.strip()}").rstrip("/")
    try:
        parts = urlsplit(bare)
        base = bare if parts.path else f"{bare}/v1"
        known = ModelSpec(base_url=base)
    except ValueError:
        raise Unsuitable("--endpoint is not a web address", fix="write it like http://localhost:1234/v1") from None
    model = model or _only_model(base, seconds)
    paid = " (free)" if on_loopback(base) else ""
    model_spec = known.model_copy(update={"provider": "openai_compatible", "model": model})
    return DefaultModel(model_spec, f"Using {model} at {parts.netloc} for all seats{paid}.")


def _only_model(base: str, seconds: float) -> str:
    which = "name one with -m MODEL"
    if (port := port_of(base, "openai_compatible", 80)) is None:
        raise Unsuitable(f"no model named for {base}", why="only local servers are asked for their models", fix=which)
    server = ask_one(port, monotonic() + seconds)
    if server is None:
        raise Unreachable(f"{base} does not list its models", fix=f"check that the server is running, or {which}")
    speakers = _speakers(server)
    if not speakers:
        raise Unreachable(f"{base} has no model", fix=_load(server))
    if len(speakers) > 1:
        raise Unsuitable(f"{base} has {len(speakers)} models", fix=f"{which}: {', '.join(speakers[:10])}")
    return speakers[0]


def _local(servers: Sequence[LocalServer]) -> list[DefaultModel]:
    found: list[DefaultModel] = []
    for server in servers:
        own = PROVIDERS[server.name].url == server.url
        for model in _speakers(server):
            model_spec = ModelSpec(provider=server.name, model=model, base_url="" if own else server.url)
            where = "" if own else f" at {urlsplit(server.url).netloc}"
            found.append(DefaultModel(model_spec, f"Using {model_spec.label}{where} for all seats (free)."))
    return found


def _remote(known: Environment) -> list[DefaultModel]:
    found: list[DefaultModel] = []
    for provider, name in keys_at_hand(known).items():
        if usable(provider):
            model_spec = ModelSpec(provider=provider, model=DEFAULT_MODELS[provider])
            found.append(
                DefaultModel(
                    model_spec, f"Using {model_spec.label} ({name} from {known.place_of(name)}) for all seats."
                )
            )
    return found


def _advice(others: Sequence[DefaultModel]) -> str:
    """Suggest a second model, which does not share the blind spots of the first."""
    second = next(iter(others), None)
    example = quote(second.flag) if second else "PROVIDER/MODEL"
    return f"All speakers share one model and its blind spots. Add another: --con {example}"


def _speakers(server: LocalServer) -> list[str]:
    return [model for model in server.models if not _NO_SPEAKER.search(model)]


def _who(server: LocalServer) -> str:
    return f"{server.name} at {urlsplit(server.url).netloc}"


def _load(server: LocalServer) -> str:
    return "ollama pull llama3.2" if server.name == "ollama" else "load a model there, then try again"
