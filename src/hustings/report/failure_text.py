"""Why a debate broke off, what to do about it, and what was kept: sentences that terminal and browser share."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import BaseModel

from hustings.judging.dossier import Dossier
from hustings.transcript.notes import NOBODY_SPOKE, Failed


class FailureTold(BaseModel, frozen=True, defer_build=True):
    """A fault in words, not yet escaped."""

    what: str
    why: str
    fix: str
    kept: str


CALL_FAULTS: Mapping[str, str] = {
    "garbled": "the provider's answers were unreadable. Check base_url (LLM_BASE_URL): hustings doctor",
    "overloaded": "the provider was in trouble. Send fewer calls at a time: at_once (LLM_AT_ONCE)",
    "timed_out": "no answer in time. Allow more: SEAT_LLM_FIRST_TOKEN_TIMEOUT, SEAT_LLM_TIMEOUT",
    "unreachable": "could not reach the provider. Check base_url (LLM_BASE_URL): hustings doctor",
    "rate_limited": "the provider's rate limit was reached. "
    "Set requests_per_minute or tokens_per_minute (LLM_RPM, LLM_TPM)",
    "too_long": "the debate is longer than the model's context window. Choose another model, or fewer documents",
    "auth_failed": "the provider refused the key. Store another: hustings keys set PROVIDER",
    "no_credit": "the account has no credit left. Top it up",
    "untrusted": "the provider can't be trusted. Add its authority: SSL_CERT_FILE",
    "not_an_api": "no model's API answered. Check base_url (LLM_BASE_URL) and your network",
    "rejected": "the provider rejected the request. Check the model name and its settings: hustings doctor",
    "broke": "the budget has no room for the next answer. Allow more: --budget, --max-tokens-total, --max-calls",
    "put_off": "the provider was away for too long. When it is back: hustings fork RUN",
    "called_off": "the debate was stopped",
    "left_out": "the debate went on without this seat. Give it a model: hustings fork RUN",
}
"""Why a call has no answer and what helps, by the kind of its fault: a reason, a full stop, and the cure.

SEAT is the seat as variables spell it: what is set for the seat alone wins over all other settings.
"""


_SILENT: Mapping[str, str] = {
    "empty": "every answer was empty. Choose another model",
    "refused": "every model declined to answer. Put the question in other words, or choose other models",
    "filtered": "a content filter withheld every answer. Put the question in other words, or choose other models",
}
"""Why no seat spoke and what helps, where it is no fault of a call."""


def nobody_spoke(kind: str, detail: str) -> str:
    """Why a debate failed in which no seat could say a word, and what to do."""
    why, _, fix = (_SILENT.get(kind) or CALL_FAULTS[kind]).partition(". ")
    if kind == "too_long" and detail:
        why = detail
    elif detail and kind in CALL_FAULTS:
        why = f"{why} ({detail})"
    return f"{NOBODY_SPOKE}: {why}. {fix}"


def pause_reason(kind: str, model: str, detail: str) -> str:
    """Why a run waits for its user, and what to do before it is resumed."""
    provider, _, name = model.partition("/")
    anyone = provider == "openai_compatible"
    place = f"the provider of {name}" if anyone else provider
    match kind:
        case "no_credit":
            return f"the account at {place} has no credit left. Top it up"
        case "untrusted":
            return f"{place}: {detail}. Name the file of its authority in SSL_CERT_FILE. Restart any worker"
        case "not_an_api":
            stop = "" if detail.endswith("?") else "."
            return f"{place}: {detail}{stop} Check base_url (LLM_BASE_URL) and your network"
        case _:
            key = "LLM_API_KEY" if anyone else provider
            why = f"{place} {detail or 'refused the key'}"
            return f"{why}. Store another: hustings keys set {key}. Restart any worker"


def failure(dossier: Dossier) -> FailureTold | None:
    """What to tell of a debate that broke off, or of a judging that did; None if neither did."""
    transcript, judgement = dossier.proceedings.transcript, dossier.judgement
    ending = dossier.proceedings.ending
    names = {seat.agent_id: seat.display_name or seat.agent_id for seat in transcript.participants}
    said = sum(1 for turn in transcript.turns if turn.said)
    if isinstance(ending, Failed) and ending.reason.startswith(NOBODY_SPOKE):
        why, _, fix = ending.reason.removeprefix(f"{NOBODY_SPOKE}: ").partition(". ")
        return FailureTold(
            what=_sentence(NOBODY_SPOKE), why=_sentence(why), fix=_sentence(fix), kept="Nothing was said yet."
        )
    if isinstance(ending, Failed):
        who, rest = _seat_of(ending.reason, names)
        what = f"{who} gave no usable answer, so the debate broke off." if who else "The debate broke off."
        saved = "1 turn is saved" if said == 1 else f"{said} turns are saved"
        kept = f"{saved}, and a new try does not pay for them again." if said else "Nothing was said yet."
        why, fix = _told(rest or ending.code, transcript.run_id)
        return FailureTold(what=what, why=why, fix=fix or f"Go on: hustings fork {transcript.run_id}", kept=kept)
    outcome = judgement.outcome if judgement else None
    if not isinstance(outcome, Failed):
        return None
    who, rest = _seat_of(outcome.reason, names)
    what = f"{who} gave no usable answer" if who else "The judging broke off"
    why, fix = _told(rest or outcome.code, transcript.run_id)
    return FailureTold(
        what=f"{what}, so there is no verdict.",
        why=why,
        fix=fix or f"Judge again: hustings judge {transcript.run_id}",
        kept="The whole debate is saved.",
    )


def _seat_of(reason: str, names: Mapping[str, str]) -> tuple[str, str]:
    """The seat that a reason begins with, as people call it, and the rest; empty if it names none."""
    seat, colon, rest = reason.partition(": ")
    name = names.get(seat, "")
    return (f"{name[:1].upper()}{name[1:]}", rest) if colon and name else ("", reason)


def _told(reason: str, run: str) -> tuple[str, str]:
    """Reason and cure as sentences. One that is not of the table is a reason without a cure."""
    known = next((found[0] for fault in CALL_FAULTS.values() if (found := _words_of(fault).match(reason))), "")
    why, _, fix = known.partition(". ") if known else (reason.rstrip(". "), "", "")
    detail = reason.removeprefix(known).strip(" ()") if known else ""
    return _sentence(f"{why} ({detail})" if detail else why), _sentence(fix.replace("RUN", run))


def _words_of(fault: str) -> re.Pattern[str]:
    return re.compile(re.escape(fault).replace("SEAT", "[A-Z0-9_]{1,100}"))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
