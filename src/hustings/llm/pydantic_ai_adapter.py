"""Adapter to pydantic-ai: builds messages, and reads answers and their reports of tokens.

Importing this module takes seconds, so it is imported only when a model is called.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

import httpx2
from openai import AsyncOpenAI
from pydantic import SecretStr
from pydantic_ai import CachePoint
from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ToolCallPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.usage import RequestUsage

from hustings.script.calls import Sampling
from hustings.script.prompt import Prompt

from .chat_stream import reports_set_aside
from .endpoints import Endpoint, endpoint_of
from .model import Kind, LlmRequest, LlmResponse, Misreport, OnText, Usage
from .model_spec import ModelSpec

MOST_TOKENS = 100_000_000
MOST_FORMS = 256
NO_KEY = "none"
"""Without an explicit key an SDK would take one from the environment and send it to any address."""

for _name in ("openai", "anthropic", "google_genai", "httpx2", "httpcore2"):
    # At DEBUG they log prompts, and headers in which some servers repeat the key.
    logging.getLogger(_name).setLevel(logging.WARNING)


@dataclass(frozen=True)
class Connection:
    """A pydantic-ai model and the features of its endpoint."""

    model: Model
    endpoint: Endpoint
    marks: bool
    """Accepts cache breakpoints, so the record is sent in pieces."""

    async def ask(self, request: LlmRequest, on_text: OnText) -> StreamedAnswer:
        asked = model_request_stream(
            self.model,
            [messages(request.prompt, marks=self.marks)],
            model_settings=cast("Any", settings(request, self)),
            model_request_parameters=parameters(request.prompt, native=self.endpoint.forms == "native"),
            instrument=False,
        )
        with reports_set_aside() if self.endpoint.wire == "openai" else nullcontext() as sent:
            async with asked as stream:
                async for event in stream:
                    match event:
                        case PartStartEvent(part=TextPart(content=piece)) if piece:
                            on_text(piece)
                        case PartDeltaEvent(delta=TextPartDelta(content_delta=piece)) if piece:
                            on_text(piece)
                        case _:
                            pass
                ended = stream.get()
        return StreamedAnswer(ended, _counted(ended) if sent is None else self._read(sent))

    def _read(self, sent: Sequence[Any]) -> Sequence[RequestUsage] | None:
        reports = [self._report(each) for each in sent]
        readable = any(report.has_values() for report in reports)
        return reports if readable or not any(map(_says, sent)) else None

    def _report(self, sent: Any) -> RequestUsage:
        """Providers differ: some count thoughts beside the answer, not in it."""
        try:
            return RequestUsage.extract(
                {"model": self.model.model_name, "usage": _without_none(sent)},
                provider=self.endpoint.prices,
                provider_url=self.model.base_url or "",
                provider_fallback="openai",
                api_flavor="chat",
            )
        except Exception:  # noqa: BLE001  negative counts and the like; a good answer must not be lost for them
            return RequestUsage()


@dataclass(frozen=True)
class StreamedAnswer:
    """A completed stream, and its reports of tokens: none, one or several, or None if they cannot be read."""

    ended: ModelResponse
    reports: Sequence[RequestUsage] | None


def _counted(ended: ModelResponse) -> Sequence[RequestUsage]:
    return [] if ended.usage.unmeasured_requests else [ended.usage]


def _says(report: Any) -> bool:
    return any(cast("dict[str, Any]", report).values()) if isinstance(report, dict) else True


def _without_none(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    return {name: _without_none(field) for name, field in fields.items() if field is not None}


def connection_to(model_spec: ModelSpec, key: SecretStr | None, client: httpx2.AsyncClient) -> Connection:
    endpoint = endpoint_of(model_spec.provider, model_spec.base_url)
    secret = key.get_secret_value() if key else NO_KEY
    match endpoint.wire:
        case "openai":
            model = _openai(model_spec, endpoint, secret, client)
            marks = bool(model.profile.get("openai_supports_prompt_cache_breakpoints"))
            return Connection(model, endpoint, marks)
        case "anthropic":
            return Connection(_anthropic(model_spec, secret, client), endpoint, marks=True)
        case "google":
            return Connection(_google(model_spec, secret, client), endpoint, marks=False)


def _openai(model_spec: ModelSpec, endpoint: Endpoint, secret: str, client: httpx2.AsyncClient) -> Model:
    sdk = AsyncOpenAI(base_url=model_spec.base_url, api_key=secret, http_client=client, max_retries=0)
    own = endpoint.prices == "openai"
    provider: Provider[Any] = (
        OpenAIProvider(openai_client=sdk) if own else OpenAICompatibleProvider(model_spec.provider, openai_client=sdk)
    )
    profile = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    if not own:
        profile |= OpenAIModelProfile(
            # Every server knows `max_tokens`; not every one knows the newer name.
            openai_chat_supports_max_completion_tokens=False,
            openai_supports_prompt_cache_breakpoints=False,
            supports_json_object_output=endpoint.forms == "json",
        )
    if model_spec.local:
        # Local servers enforce any schema with its limits; the transformer for other servers would remove them.
        profile |= OpenAIModelProfile(json_schema_transformer=None)
    return OpenAIChatModel(model_spec.model, provider=provider, profile=profile)


def _anthropic(model_spec: ModelSpec, secret: str, client: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415  an extra, which need not be installed
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    sdk = AsyncAnthropic(base_url=model_spec.base_url, api_key=secret, http_client=client, max_retries=0)
    return AnthropicModel(model_spec.model, provider=AnthropicProvider(anthropic_client=sdk))


def _google(model_spec: ModelSpec, secret: str, client: httpx2.AsyncClient) -> Model:
    from google.genai.types import HttpRetryOptions  # noqa: PLC0415  an extra, which need not be installed
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    once = HttpRetryOptions(attempts=1)
    provider = GoogleProvider(base_url=model_spec.base_url, api_key=secret, http_client=client, retry_options=once)
    return GoogleModel(model_spec.model, provider=provider)


def messages(prompt: Prompt, *, marks: bool) -> ModelRequest:
    """Rules, the record, then what only this seat gets. Generic servers get one string: not all accept a list."""
    if not marks:
        content: str | list[UserContent] = "".join((*prompt.waves, prompt.tail))
    else:
        content = []
        for number, wave in enumerate(prompt.waves, start=1):
            content.append(wave)
            if number in prompt.marks:
                content.append(CachePoint())
        content.append(prompt.tail)
    return ModelRequest(parts=[SystemPromptPart(prompt.rules), UserPromptPart(content)])


def settings(request: LlmRequest, line: Connection) -> dict[str, Any]:
    given: dict[str, Any] = {
        "max_tokens": request.max_tokens,
        "first_event_timeout": request.first_token_seconds,
        "extra_headers": {"X-Client-Request-Id": quote(request.name, safe="")},
        "temperature": request.temperature if takes_temperature(line.model.profile) else None,
        "seed": request.seed if line.endpoint.seed else None,
        "extra_body": dict(request.extra) or None,
        "openai_prompt_cache_key": request.run if line.endpoint.cache_key and request.run else None,
    }
    if line.marks:
        # By default OpenAI would also cache the newest words, which cost money and are never read again.
        given["openai_prompt_cache_options"] = {"mode": "explicit"}
        given["anthropic_cache_instructions"] = given["openai_cache_instructions"] = 0 in request.prompt.marks
    return {name: value for name, value in given.items() if value is not None}


def sampling(request: LlmRequest, line: Connection) -> Sampling:
    """What is sent with a request."""
    sent = settings(request, line)
    return Sampling(sent.get("temperature"), sent.get("max_tokens"), sent.get("seed"))


def reasoning(ended: ModelResponse) -> str:
    """What the provider shows of the model's thoughts; of endless ones the beginning."""
    thoughts = [part.content for part in ended.parts if isinstance(part, ThinkingPart) and part.content]
    return "\n\n".join(thoughts)[:MOST_REASONING]


MOST_REASONING = 100_000
"""Characters."""


def takes_temperature(profile: Mapping[str, Any]) -> bool:
    """Reasoning models refuse a temperature. A setting that is silently dropped would be reported as used."""
    efforts = profile.get("openai_reasoning_efforts")
    restful = profile.get("openai_supports_reasoning_effort_none") if efforts is None else "none" in efforts
    reasons = profile.get("openai_supports_reasoning") and (profile.get("thinking_enabled_by_default") or not restful)
    return not (reasons or profile.get("anthropic_disallows_sampling_settings"))


def parameters(prompt: Prompt, *, native: bool) -> ModelRequestParameters:
    """Request the form. Where the server supports no schemas, the prompt's own description of the form must do."""
    if prompt.schema is None:
        return ModelRequestParameters()
    form = _form(prompt.schema)
    if native:
        return ModelRequestParameters(output_mode="native", output_object=form)
    return ModelRequestParameters(output_mode="prompted", output_object=form, prompted_output_template=False)


def _form(schema: Mapping[str, Any]) -> OutputObjectDefinition:
    """Build each form once: a schema is as large as a prompt, and hundreds of calls may use it at the same time."""
    known, form = _FORMS.get(id(schema), (None, None))
    if form is None or known is not schema:
        # The schema is part of the cached prefix, so the name never changes.
        form = OutputObjectDefinition(json_schema=on_the_wire(schema), name="answer", strict=True)
        if len(_FORMS) >= MOST_FORMS:
            _FORMS.clear()
        _FORMS[id(schema)] = schema, form
    return form


_FORMS: dict[int, tuple[Mapping[str, Any], OutputObjectDefinition]] = {}
"""By identity: schemas of forms live as long as the program."""


def on_the_wire(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Remove our own keywords, which strict providers refuse."""

    def clean(node: Any) -> Any:
        match node:
            case dict():
                fields = cast("dict[str, Any]", node)
                return {key: clean(value) for key, value in fields.items() if not key.startswith("x-")}
            case list():
                return [clean(item) for item in cast("list[Any]", node)]
            case _:
                return node

    return clean(dict(schema))


def outcome(answer: StreamedAnswer, text: str, *, on_form: bool) -> LlmResponse:
    """Classify a completed stream by the provider's finish reason. A form may come as what a tool is called with."""
    ended = answer.ended
    calls = [part for part in ended.parts if isinstance(part, ToolCallPart)]
    called = on_form and not text.strip() and len(calls) == 1
    text = calls[0].args_as_json_str() if called else text
    details = ended.provider_details or {}
    refusal = details.get("refusal") or details.get("finish_reason") == "refusal"
    kind: Kind
    match ended.finish_reason:
        case "content_filter":
            kind = "refused" if refusal else "filtered"
        case "length":
            kind = "truncated"
        case "tool_call" if called:
            kind = "ok"
        case "stop":
            kind = "ok" if text.strip() else "empty"
        case _:
            kind = "garbled"
    usage, misreport = usage_of(answer.reports)
    return LlmResponse(
        kind,
        text or (refusal if isinstance(refusal, str) else ""),
        f"finish reason {ended.finish_reason}" if kind == "garbled" else "",
        usage,
        misreport,
        billed="maybe" if kind == "garbled" else "yes",
        model=(ended.model_name or "")[:200],
        response_id=(ended.provider_response_id or "")[:200] or None,
    )


def usage_of(reports: Sequence[RequestUsage] | None) -> tuple[Usage, Misreport]:
    """The tokens that the provider reported, and what is wrong with the reports. Of several, the largest counts."""
    if reports is None:
        return Usage(), "impossible"
    if not any(report.has_values() for report in reports):
        return Usage(), "missing"
    counts = [(r.input_tokens, r.cache_read_tokens, r.cache_write_tokens, r.output_tokens) for r in reports]
    # Servers count as they like. Impossible counts are treated as unknown and settled at the worst case.
    if not all(0 <= count <= MOST_TOKENS for each in counts for count in each):
        return Usage(), "impossible"
    read, cached, written, said = (max(each) for each in zip(*counts, strict=True))
    if cached + written > read:
        return Usage(), "impossible"
    return Usage(read, cached, written, said), "changing" if _changes(counts) else ""


def _changes(counts: Sequence[tuple[int, int, int, int]]) -> bool:
    """Whether reports of one stream contradict each other: a prompt stays as long as it is, an answer grows."""
    prompts, answers = {count[0] for count in counts if count[0]}, [count[3] for count in counts]
    return len(prompts) > 1 or answers != sorted(answers)
