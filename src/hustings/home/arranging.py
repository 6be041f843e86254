"""From a wish to a commission on this machine: voices as they are set up, else one that was found and is named.

Nothing is paid for yet, but a server of one's own that does not answer, or lacks the model, is told at once.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hustings.core.errors import Unreachable, Unsuitable
from hustings.llm.endpoints import ACTORS, on_loopback
from hustings.llm.environment import Environment
from hustings.llm.nearby import Port, Server, ask_one, find, port_of
from hustings.llm.voices import Voice
from hustings.run.commission import Commission
from hustings.run.wish import Wish, draw_up

from .caution import USUAL_BUDGET, affordable
from .choice import choose
from .variables import with_default

if TYPE_CHECKING:
    from hustings.run.desk import Desk
    from hustings.run.estimate import Estimate
    from hustings.run.judging import JudgingWish

PATIENCE = 2.0
"""Seconds for a server on this machine to say which models it has."""


def arrange(wish: Wish, known: Environment, say: Callable[[str], None]) -> tuple[Commission, Environment]:
    """The commission, and what is known with the choice that was made and said, if one had to be made."""
    known = with_somebody(wish, known, say)
    commission = affordable(draw_up(wish, known), known)
    must_answer(commission)
    return commission, known


def imagine(wish: Wish, known: Environment, say: Callable[[str], None]) -> tuple[Commission, Environment]:
    """The same for an estimate: no server is asked for, and neither a key nor a price is needed."""
    from hustings.run.estimate import sketch  # noqa: PLC0415  most wishes are carried out

    known = with_somebody(wish, known, say)
    return affordable(sketch(wish, known), known), known


def foresee(desk: Desk, run_id: str, wish: JudgingWish, known: Environment, *, control: bool) -> Estimate:
    """What judging a debate that is over would take, with its control or without, and what it may cost at most."""
    from hustings.run.estimate import Audit, estimate_audits  # noqa: PLC0415  most wishes are carried out

    audits: tuple[Audit, ...] = ("control", "judging") if control else ("judging",)
    old, judged, tokens = desk.commission(run_id), desk.finished(run_id), desk.report(run_id).tokens
    found = estimate_audits(old, judged, known, wish, audits=audits, tokens=tokens)
    if found.cap is not None or found.free:
        return found
    return found.model_copy(update={"cap": USUAL_BUDGET})


def with_somebody(wish: Wish, known: Environment, say: Callable[[str], None]) -> Environment:
    """What is known, and a model that was found here if no seat's own was named."""
    try:
        draw_up(wish, known)
    except Unreachable:
        if wish.seats:  # whoever names some seats is told which is missing
            raise
        choice = choose(known, find(known.process))
        say(choice.sentence)
        return with_default(known, choice.voice)
    except Unsuitable:
        pass  # said by whoever draws it up in earnest
    return known


def must_answer(commission: Commission) -> None:
    """Every server on this machine that is to speak, asked once."""
    must_be_there(commission.voices.values())


def must_be_there(voices: Iterable[Voice]) -> None:
    """Those on this machine: their servers listen, and have the model."""
    asked: dict[str, Server | None] = {}
    for voice in voices:
        if voice.provider in ACTORS or not on_loopback(voice.base_url):
            continue
        port = port_of(voice.base_url, voice.provider, 80)
        if port is None:
            continue
        if voice.base_url not in asked:
            _must_listen(voice, port)
            asked[voice.base_url] = ask_one(port, monotonic() + PATIENCE)
        if server := asked[voice.base_url]:
            _must_have(voice, server)


def _must_listen(voice: Voice, port: Port) -> None:
    try:
        socket.create_connection((port.host, port.number), timeout=PATIENCE).close()
    except OSError as error:
        raise Unreachable(
            f"nothing answers at {urlsplit(voice.base_url).netloc}, where {voice.label} should be",
            why=error.strerror or "no answer in time",
            fix="start the server there, or see what is here: hustings models",
        ) from None


def _must_have(voice: Voice, server: Server) -> None:
    """Some servers list nothing, and some take any name for the one model they have: only Ollama is known to refuse."""
    named = {voice.model, f"{voice.model}:latest"}
    if voice.provider == "ollama" and not named & set(server.models):
        there = f"it has {', '.join(server.models[:5])}" if server.models else "it has none yet"
        raise Unreachable(f"ollama has no model {voice.model!r}", why=there, fix=f"ollama pull {voice.model}")
