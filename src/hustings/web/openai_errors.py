"""Errors in the shape that clients of OpenAI read; every problem under `/v1/` leaves in it."""

from __future__ import annotations

import json
from typing import Any

from starlette.types import Message, Send

from .schemas import Problem

PROBLEM = b"application/problem+json"
CODES = {
    401: "invalid_api_key",
    402: "insufficient_quota",
    403: "permission_denied",
    404: "not_found",
    409: "conflict",
    413: "request_too_large",
    429: "rate_limit_exceeded",
}


def openai_error(problem: Problem) -> dict[str, Any]:
    field = problem.fields[0] if problem.fields else None
    code = CODES.get(problem.status, "invalid_request" if problem.status < 500 else "server_error")
    return {
        "error": {
            "message": " ".join(filter(None, (problem.title, problem.why, problem.fix))),
            "type": "invalid_request_error" if problem.status < 500 else "server_error",
            "param": field,
            "code": "model_not_found" if (problem.status, field) == (404, "model") else code,
        }
    }


def with_openai_errors(send: Send) -> Send:
    """Pass on all but problems, which are one short message; those are put into the other shape."""
    begun: Message | None = None

    async def shaped(message: Message) -> None:
        nonlocal begun
        if message["type"] == "http.response.start" and (b"content-type", PROBLEM) in message["headers"]:
            begun = message
            return
        if begun is None:
            await send(message)
            return
        body = json.dumps(openai_error(Problem.model_validate_json(message["body"]))).encode()
        own = {b"content-type": b"application/json", b"content-length": str(len(body)).encode()}
        kept = [(name, value) for name, value in begun["headers"] if name not in own]
        await send({**begun, "headers": [*kept, *own.items()]})
        begun = None
        await send({**message, "body": body})

    return shaped
