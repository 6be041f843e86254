"""Sends the spans of a debate to a collector (OTLP over HTTP, JSON), at the address that the user names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from hustings.errors import Unsuitable

BASE, EXACT, HEADERS = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
)
"""Variables of OpenTelemetry: the address of a collector, that of its traces, and what to send with each request."""
PATH = "/v1/traces"
SECONDS = 30
MOST_TOLD = 200
"""Characters of a collector's answer that are shown."""


@dataclass(frozen=True)
class Collector:
    address: str
    headers: Mapping[str, str]

    def send(self, spans: str) -> None:
        """Post the spans once. A collector that has them already keeps them once, since their ids are the same."""
        import httpx2  # noqa: PLC0415  heavy, and few commands need it

        headers = {**self.headers, "content-type": "application/json"}
        try:
            answer = httpx2.post(self.address, content=spans.encode(), headers=headers, timeout=SECONDS)
        except httpx2.HTTPError as error:
            raise Unsuitable(
                f"no collector answers at {self.address}",
                why=type(error).__name__,
                fix="start it, or correct --send-to",
            ) from None
        if not answer.is_success:
            told = " ".join(answer.text.split())[:MOST_TOLD]
            raise Unsuitable(
                f"the collector at {self.address} refused the spans",
                why=f"{answer.status_code} {told}".strip(),
                fix=f"check its address and its key ({HEADERS})",
            )


def collector(endpoint: str, environment: Mapping[str, str]) -> Collector:
    """The collector that an option or OpenTelemetry's own variables name."""
    base = endpoint or environment.get(BASE, "")
    address = (environment.get(EXACT, "") if not endpoint else "") or (base and _with_path(base))
    if not address:
        raise Unsuitable("no collector is named", fix=f"add --send-to http://HOST:4318, or set {BASE}")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Unsuitable(f"{address!r} is not the address of a collector", fix="write it like http://127.0.0.1:4318")
    pairs = [text.partition("=") for text in environment.get(HEADERS, "").split(",") if "=" in text]
    return Collector(address, {name.strip().lower(): unquote(value.strip()) for name, _, value in pairs})


def _with_path(base: str) -> str:
    return base if base.rstrip("/").endswith(PATH) else base.rstrip("/") + PATH
