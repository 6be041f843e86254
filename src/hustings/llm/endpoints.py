"""What is known of the providers: their own address, the customary name of their key, and how they take a form."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

Wire = Literal["openai", "anthropic", "google"]
"""Whose protocol is spoken; most providers speak OpenAI's."""
Forms = Literal["native", "json", "words"]
"""A form is asked for by its schema, by `json_object`, or by the prompt alone."""


@dataclass(frozen=True)
class Endpoint:
    url: str = ""
    """The provider's own address; none for a server that is only known by its base URL."""
    keys: tuple[str, ...] = ()
    """Variables that customarily hold the key. It is sent to this address and no other."""
    prices: str = ""
    """Its id in genai-prices; none if nothing is known."""
    wire: Wire = "openai"
    forms: Forms = "native"
    cache_key: bool = False
    """Takes `prompt_cache_key`, so that requests of one run meet the same cache."""
    seed: bool = True
    """Takes a seed; some refuse a request that has one."""
    at_once: int | None = None
    """Calls it usually takes at the same time; the others wait there, and may wait too long."""


PROVIDERS: dict[str, Endpoint] = {
    "openai": Endpoint("https://api.openai.com/v1", ("OPENAI_API_KEY",), "openai", cache_key=True),
    "anthropic": Endpoint("https://api.anthropic.com", ("ANTHROPIC_API_KEY",), "anthropic", "anthropic", seed=False),
    "google": Endpoint(
        "https://generativelanguage.googleapis.com", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "google", "google"
    ),
    "deepseek": Endpoint("https://api.deepseek.com", ("DEEPSEEK_API_KEY",), "deepseek", forms="json"),
    "zai": Endpoint("https://api.z.ai/api/paas/v4", ("ZAI_API_KEY",), "zai", forms="json"),
    "mistral": Endpoint("https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), "mistral", cache_key=True, seed=False),
    "openrouter": Endpoint("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",), "openrouter"),
    "xai": Endpoint("https://api.x.ai/v1", ("XAI_API_KEY",), "x-ai"),
    "groq": Endpoint("https://api.groq.com/openai/v1", ("GROQ_API_KEY",), "groq", forms="json"),
    "ollama": Endpoint("http://127.0.0.1:11434/v1", at_once=2),
    "lmstudio": Endpoint("http://127.0.0.1:1234/v1", at_once=2),
    "llamacpp": Endpoint("http://127.0.0.1:8080/v1", at_once=2),
    "vllm": Endpoint("http://127.0.0.1:8000/v1"),
    "openai_compatible": Endpoint(),
}
ALIASES = {"zhipu": "zai", "gemini": "google"}
ACTORS = ("human", "improviser")
"""Shipped with the engine: no endpoint, no key, no price."""

_GENERIC_AT = {
    # Its compatible API takes a schema and does not keep to it.
    "api.anthropic.com": Endpoint("https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",), "anthropic", forms="words"),
    "open.bigmodel.cn": Endpoint("https://open.bigmodel.cn/api/paas/v4", ("ZAI_API_KEY",), "zhipuai", forms="json"),
}


def endpoint_of(provider: str, base_url: str) -> Endpoint:
    """What is known of an address, whatever name it goes by: a generic provider at a known host is that host's."""
    own = PROVIDERS.get(provider, Endpoint())
    if not base_url or (own.url and same_origin(own.url, base_url)):
        return own
    if own.wire != "openai":
        return Endpoint(wire=own.wire, seed=own.seed)
    known = [*_GENERIC_AT.values(), *(e for e in PROVIDERS.values() if e.wire == "openai" and e.keys)]
    return next((endpoint for endpoint in known if same_origin(endpoint.url, base_url)), Endpoint())


def same_origin(one: str, other: str) -> bool:
    return _origin(one) == _origin(other)


def on_loopback(url: str) -> bool:
    """Said of the name alone: nothing is looked up."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)
