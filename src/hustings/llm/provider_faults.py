"""What goes wrong with a request to a provider: the kind of fault, whether it can have been billed, and words for it.

The words are ours: a provider's own text may repeat the key or the prompt. `report/failure_text` makes sentences.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator

from pydantic_ai import exceptions as errors

from .egress import BrokenOff, Forbidden, Redirected, TooBig, Unguarded, UnknownHost, WebPage
from .model import Billed, Kind, LlmRequest, LlmResponse
from .prices import likely_tokens

SIGN_IN = 511
"""HTTP status of a network that wants its user to sign in."""
GATEWAY_GAVE_UP = frozenset({504, 524})
"""HTTP statuses of a gateway that no longer waited for a model, which may have been at work."""


def failure(error: Exception, said: str, request: LlmRequest) -> LlmResponse:
    """Turn any exception into a plain response."""
    kind, billed = classify(error, said)
    after = getattr(error, "retry_after", None) if kind in {"rate_limited", "overloaded"} else None
    # Ignore a wait that is not a number of seconds or is more than a day.
    usable = after is not None and 0 <= after <= 86_400
    return LlmResponse(kind, said, describe(error, kind, request), billed=billed, after=after if usable else None)


def classify(error: Exception, said: str) -> tuple[Kind, Billed]:  # noqa: C901, PLR0912  one table
    """Special cases come first: several classes are subclasses of others."""
    cause = _cause(error)
    # A provider bills no request that it refused. Once an answer has begun, thoughts that nobody saw may be billed.
    begun = said or getattr(error, "in_stream", False) or isinstance(cause, BrokenOff)
    refused: Billed = "maybe" if begun else "no"
    match cause:
        case Forbidden():
            return "rejected", "no"
        case Unguarded():
            return "rejected", "maybe"
        case ssl.SSLCertVerificationError():
            return "untrusted", "no"
        case Redirected() | WebPage():
            return "not_an_api", "no"
        case TooBig():
            return "garbled", "maybe"
        case _:
            pass
    match error:
        case errors.ModelRateLimitError():
            return "rate_limited", "no"
        case errors.ModelContextWindowExceededError():
            return "too_long", "no"
        case errors.ModelAPIError(provider_error_type="exceed_context_size_error"):
            # llama.cpp's name for this error, which pydantic-ai does not know.
            return "too_long", "no"
        case errors.ModelAuthenticationError():
            return "auth_failed", "no"
        case errors.ModelQuotaExceededError():
            return "no_credit", "no"
        case errors.ModelRequestRejectedError() | errors.UserError():
            return "rejected", "no"
        case errors.ModelHTTPError(status_code=status) if status == SIGN_IN:
            return "not_an_api", "no"
        case errors.ModelHTTPError(status_code=status) if status in GATEWAY_GAVE_UP:
            return "overloaded", "maybe"
        case errors.ModelUnavailableError() | errors.ModelServerError():
            return "overloaded", refused
        case errors.ModelConnectionError(phase="pool" | "connect"):
            return "unreachable", "no"
        case errors.ModelTimeoutError() | errors.ModelRequestTimeout() | TimeoutError():
            return "timed_out", "maybe"
        case errors.ModelConnectionError() if not said:
            return "unreachable", refused
        case errors.ContentFilterError():
            return "filtered", "yes"
        case _:
            return "garbled", "maybe"


def describe(error: Exception, kind: Kind, request: LlmRequest) -> str:  # noqa: C901, PLR0912  one table
    """The fault in words, with a status or a length of time where there is one."""
    match cause := _cause(error):
        case Redirected():
            return f"the address redirects to {cause}; is LLM_BASE_URL right, or is this a Wi-Fi login?"
        case WebPage():
            return f"not an API: {cause}"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted ({_DISTRUST.get(cause.verify_code, 'it could not be verified')})"
        case ssl.SSLError():
            return "it does not speak TLS; should its address begin with http:// ?"
        case Forbidden() | Unguarded() | TooBig() | UnknownHost() | BrokenOff():
            return str(cause)
        case _:
            pass
    match error:
        case errors.ModelRequestTimeout(setting="first_event_timeout"):
            return f"no first word within {request.first_token_seconds:g} s"
        case errors.ModelAPIError() if kind == "too_long":
            return needs(request, error.model_name, _window(error))
        case errors.ModelHTTPError():
            return _status(error, kind)
        case _ if kind == "timed_out":
            return f"no whole answer within {request.seconds:g} s"
        case _ if kind in _WORDS:
            return _WORDS[kind]
        case _ if isinstance(cause, ConnectionRefusedError):
            return "the connection was refused"
        case _ if kind == "unreachable" and getattr(error, "phase", None) in {"pool", "connect"}:
            return "no connection"
        case _ if kind == "unreachable":
            return "the connection broke off before a word came"
        case _ if kind == "overloaded":
            return "its server broke off"
        case _:
            return "an answer that can't be read, or has no end"


def needs(request: LlmRequest, model: str, window: int | None) -> str:
    """What a prompt takes that is too long, and what there is, if that is known."""
    needed = f"the prompt needs about {likely_tokens(request.prompt.text):,} tokens"
    return f"{needed} and {model} takes {window:,}" if window else f"{needed}, more than {model} takes"


def _window(error: errors.ModelAPIError) -> int | None:
    """The size of a context window, which providers tell in a sentence only."""
    found = _SIZE.search(str(error.body)[:2_000])
    return int(found[1]) if found else None


_SIZE = re.compile(r"context (?:length|size|window)[^0-9]{1,20}([0-9]{3,8})")
_WORDS: dict[Kind, str] = {
    "rate_limited": "too many requests",
    "no_credit": "the account has no credit left",
    "auth_failed": "refused the key",
    "filtered": "withheld by a content filter",
}


def _status(error: errors.ModelHTTPError, kind: Kind) -> str:
    status = error.status_code
    match kind:
        case "no_credit":
            return _WORDS[kind]
        case "auth_failed":
            return f"refused this key or this place ({status})" if status == 403 else f"refused the key ({status})"
        case "rate_limited":
            return f"too many requests ({status})"
        case "not_an_api":
            return f"not an API: the network wants a sign-in ({status})"
        case _ if status == 404:
            return "no such model (404)"
        case _ if status >= 500:
            return f"server error {status}"
        case _:
            code = error.provider_error_code or error.provider_error_type or ""
            return f"status {status}, {code}" if _CODE.fullmatch(code) else f"status {status}"


_CODE = re.compile(r"[a-z]{2,20}(_[a-z]{1,20}){0,5}")
"""A code as providers have them, such as `unsupported_parameter`: no key, no address and no words of a prompt."""
_DISTRUST = {
    9: "not yet valid",
    10: "expired",
    18: "self-signed",
    19: "signed by an authority that is unknown here",
    20: "signed by an authority that is unknown here",
    21: "signed by an authority that is unknown here",
    23: "revoked",
    62: "made out for another host",
    64: "made out for another address",
}
"""What OpenSSL has against a certificate, by its number."""


def _cause(error: BaseException) -> BaseException | None:
    """The error of our own client or of the socket, below those in which the SDKs wrapped it."""
    return next((each for each in _chain(error) if isinstance(each, _CAUSES)), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


_CAUSES = (
    BrokenOff,
    Forbidden,
    Redirected,
    TooBig,
    Unguarded,
    WebPage,
    ssl.SSLError,
    ConnectionRefusedError,
    UnknownHost,
)
