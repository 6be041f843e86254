"""Tests whether models answer, with one cheap call to each (`hustings doctor --online`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from hustings.errors import HustingsError
from hustings.llm.endpoints import ACTORS
from hustings.llm.model_spec import ModelSpec
from hustings.script.prompt import Prompt

from .checkup import CheckResult, fault

SECONDS = 20.0
PROMPT = Prompt("", (), "Answer with one word: yes.", None)
CURES = {
    "auth_failed": "the key is refused: store another one with `hustings keys set PROVIDER`",
    "unreachable": "see that the server runs, and that this machine is online",
    "rejected": "see that the model's name is right: hustings models",
    "timed_out": "try again; a local model may still be loading",
}


def called(
    model_specs: Sequence[ModelSpec], environment: Mapping[str, str], seconds: float = SECONDS
) -> list[CheckResult]:
    """Call all models at the same time, and return one result for each."""
    from hustings.llm.egress import hang_up  # noqa: PLC0415  heavy

    async def all_of_them() -> list[CheckResult]:
        try:
            asked = [
                _call(model_spec, environment, seconds)
                for model_spec in model_specs
                if model_spec.provider not in ACTORS
            ]
            return list(await asyncio.gather(*asked))
        finally:
            await hang_up()

    return asyncio.run(all_of_them())


async def _call(model_spec: ModelSpec, environment: Mapping[str, str], seconds: float) -> CheckResult:
    from hustings.llm.egress import PUBLIC_OR_LOOPBACK  # noqa: PLC0415
    from hustings.llm.http_model import model_of  # noqa: PLC0415  heavy
    from hustings.llm.model import LlmRequest  # noqa: PLC0415

    begun = time.monotonic()
    try:
        model = model_of(model_spec, environment, PUBLIC_OR_LOOPBACK)
        # A reasoning model needs room to think first; other models answer with one word.
        response = await model.answer(
            LlmRequest(PROMPT, 256, seconds=seconds, first_token_seconds=seconds), lambda _: None
        )
    except HustingsError as error:
        return fault("online", error)
    took = f"{time.monotonic() - begun:.1f} s"
    if response.kind in {"ok", "truncated", "empty", "malformed", "refused", "filtered"}:
        return CheckResult("ok", "online", f"{model_spec.label} answered in {took}")
    cure = CURES.get(response.kind, "try again later")
    return CheckResult(
        "FAULT", "online", f"{model_spec.label}: {response.kind.replace('_', ' ')} ({response.detail})", cure
    )
