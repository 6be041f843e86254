"""Known model providers: address, usual key variables, API protocol, and support for structured output."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

Wire = Literal["openai", "anthropic", "google"]
"""API protocol of the provider; most use OpenAI's."""
Forms = Literal["native", "json", "words"]
"""How a form is requested: by JSON Schema, by `json_object`, or by the prompt alone."""


@dataclass(frozen=True)
class Endpoint:
    url: str = ""
    """The provider's own address; empty for a server that is known only by its base URL."""
    keys: tuple[str, ...] = ()
    """Variables that usually hold the key. The key is sent to this address and no other."""
    prices: str = ""
    """Provider id in genai-prices; empty if unknown."""
    wire: Wire = "openai"
    forms: Forms = "native"
    cache_key: bool = False
    """Accepts `prompt_cache_key`, which lets requests of one run share a cache."""
    seed: bool = True
    """Accepts a seed; some providers refuse a request that has one."""
    at_once: int | None = None
    """Concurrent calls that it usually accepts. Further calls queue there and may time out."""
    default_model: str = ""
    """One that argues well, is not the most expensive and has a known price."""
    extra: tuple[str, ...] = ()
    """Modules of the optional package that it needs."""
    resells: bool = False
    """Serves models of others, which are found under their own provider first."""


PROVIDERS: dict[str, Endpoint] = {
    "anthropic": Endpoint(
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        "anthropic",
        "anthropic",
        seed=False,
        default_model="claude-sonnet-5-5",
        extra=("anthropic",),
    ),
    "openai": Endpoint(
        "https://api.openai.com/v1", ("OPENAI_API_KEY",), "openai", cache_key=True, default_model="gpt-6.1-terra"
    ),
    "google": Endpoint(
        "https://generativelanguage.googleapis.com",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "google",
        "google",
        default_model="gemini-3.8-flash",
        extra=("google", "google.genai"),
    ),
    "mistral": Endpoint(
        "https://api.mistral.ai/v1",
        ("MISTRAL_API_KEY",),
        "mistral",
        cache_key=True,
        seed=False,
        default_model="mistral-medium-latest",
    ),
    "deepseek": Endpoint(
        "https://api.deepseek.com", ("DEEPSEEK_API_KEY",), "deepseek", forms="json", default_model="deepseek-v4-flash"
    ),
    "zai": Endpoint("https://api.z.ai/api/paas/v4", ("ZAI_API_KEY",), "zai", forms="json", default_model="glm-5.3"),
    "xai": Endpoint("https://api.x.ai/v1", ("XAI_API_KEY",), "x-ai", default_model="grok-4.7"),
    "groq": Endpoint(
        "https://api.groq.com/openai/v1",
        ("GROQ_API_KEY",),
        "groq",
        forms="json",
        resells=True,
        default_model="openai/gpt-oss-120b",
    ),
    "openrouter": Endpoint(
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        "openrouter",
        resells=True,
        default_model="anthropic/claude-sonnet-5.5",
    ),
    "ollama": Endpoint("http://127.0.0.1:11434/v1", at_once=2),
    "lmstudio": Endpoint("http://127.0.0.1:1234/v1", at_once=2),
    "llamacpp": Endpoint("http://127.0.0.1:8080/v1", at_once=2),
    "vllm": Endpoint("http://127.0.0.1:8000/v1"),
    "openai_compatible": Endpoint(),
}
"""All that is known of each provider. The first whose key is here is chosen where no model is configured."""
COMMAND = "cli"
"""Programs of the user, by their names in the settings: `cli/NAME`. They have no address."""
ALIASES = {"zhipu": "zai", "gemini": "google"}
ACTORS = ("human", "improviser")
"""Built-in speakers, which a user may name instead of a model."""
STAFF = ("librarian", "tool")
"""What fills the silent seats that serve speakers."""
SILENT = "silent"
"""Sits in a seat without which a debate goes on."""
BUILT_IN = (*ACTORS, "host", SILENT, *STAFF)
"""Providers without endpoint and key. They cost nothing, but for tools, which have a price for each call."""

_GENERIC_AT = {
    # Its OpenAI-compatible API accepts a schema but does not enforce it.
    "api.anthropic.com": Endpoint("https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",), "anthropic", forms="words"),
    "open.bigmodel.cn": Endpoint("https://open.bigmodel.cn/api/paas/v4", ("ZAI_API_KEY",), "zhipuai", forms="json"),
}


def endpoint_of(provider: str, base_url: str) -> Endpoint:
    """Find the endpoint of an address. A generic provider at a known host gets that host's settings."""
    own = PROVIDERS.get(provider, Endpoint(forms="words") if provider == COMMAND else Endpoint())
    if not base_url or (own.url and same_origin(own.url, base_url)):
        return own
    if own.wire != "openai":
        return Endpoint(wire=own.wire, seed=own.seed)
    known = [*_GENERIC_AT.values(), *(e for e in PROVIDERS.values() if e.wire == "openai" and e.keys)]
    return next((endpoint for endpoint in known if same_origin(endpoint.url, base_url)), Endpoint())


def same_origin(one: str, other: str) -> bool:
    return _origin(one) == _origin(other)


def on_loopback(url: str) -> bool:
    """Judged by the name alone, without a DNS lookup."""
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
