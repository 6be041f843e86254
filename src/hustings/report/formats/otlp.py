"""OpenTelemetry spans (OTLP JSON): who was asked when, tokens, cost and scores, without a word of the debate."""

from __future__ import annotations

from typing import Any

from hustings.judging.dossier import Dossier
from hustings.report.spans import Attributes, Span, SpanEvent, Value, spans_of
from hustings.text.figures import as_json

FORMAT = "otlp"
SUFFIX = "otlp.json"
LOGS = True
INTERNAL, CLIENT, FAILED = 1, 3, 2
"""Numbers of the protocol: kinds of a span, and the status of one that failed."""


def render(dossier: Dossier) -> str:
    spans = [_span(span) for span in spans_of(dossier)]
    scope = {"scope": {"name": "hustings"}, "spans": spans}
    resource = {"resource": {"attributes": _attributes({"service.name": "hustings"})}, "scopeSpans": [scope]}
    return as_json({"resourceSpans": [resource]}, indent=1) + "\n"


def _span(span: Span) -> dict[str, Any]:
    parent = {"parentSpanId": span.parent} if span.parent else {}
    return {
        "traceId": span.trace,
        "spanId": span.id,
        **parent,
        "name": span.name,
        "kind": CLIENT if span.client else INTERNAL,
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(span.end),
        "attributes": _attributes(span.attributes),
        "events": [_event(event) for event in span.events],
        "status": {"code": FAILED} if span.failed else {},
    }


def _event(event: SpanEvent) -> dict[str, Any]:
    return {"timeUnixNano": str(event.at), "name": event.name, "attributes": _attributes(event.attributes)}


def _attributes(attributes: Attributes) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in sorted(attributes.items())]


def _value(value: Value) -> dict[str, Any]:
    """The protocol writes whole numbers as text, since they may have 64 bits."""
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}
