"""One cheap call to a model, to see whether it answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from hustings.core.errors import HustingsError
from hustings.core.prompt import Prompt
from hustings.llm.endpoints import ACTORS
from hustings.llm.voices import Voice

from .examination import Finding, fault

SECONDS = 20.0
PROMPT = Prompt("", (), "Answer with one word: yes.", None)
CURES = {
    "auth_failed": "the key is refused: store another one with `hustings keys set PROVIDER`",
    "unreachable": "see that the server runs, and that this machine is online",
    "rejected": "see that the model's name is right: hustings models",
    "timed_out": "try again; a local model may still be loading",
}


def called(voices: Sequence[Voice], environment: Mapping[str, str], seconds: float = SECONDS) -> list[Finding]:
    """What each of them answered, asked at the same time."""
    from hustings.llm.egress import hang_up  # noqa: PLC0415  heavy

    async def all_of_them() -> list[Finding]:
        try:
            asked = [_call(voice, environment, seconds) for voice in voices if voice.provider not in ACTORS]
            return list(await asyncio.gather(*asked))
        finally:
            await hang_up()

    return asyncio.run(all_of_them())


async def _call(voice: Voice, environment: Mapping[str, str], seconds: float) -> Finding:
    from hustings.llm.direct import model_of  # noqa: PLC0415  heavy
    from hustings.llm.egress import PUBLIC_OR_LOOPBACK  # noqa: PLC0415
    from hustings.llm.model import Request  # noqa: PLC0415

    begun = time.monotonic()
    try:
        model = model_of(voice, environment, PUBLIC_OR_LOOPBACK)
        # A model that thinks first needs room for that; one that does not says one word.
        response = await model.answer(
            Request(PROMPT, 256, seconds=seconds, first_token_seconds=seconds), lambda _: None
        )
    except HustingsError as error:
        return fault("online", error)
    took = f"{time.monotonic() - begun:.1f} s"
    if response.kind in {"ok", "truncated", "empty", "malformed", "refused", "filtered"}:
        return Finding("ok", "online", f"{voice.label} answered in {took}")
    cure = CURES.get(response.kind, "try again later")
    return Finding("FAULT", "online", f"{voice.label}: {response.kind.replace('_', ' ')} ({response.detail})", cure)
