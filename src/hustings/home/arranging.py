"""From a request to a commission on this machine: models as they are set up, else one that was found.

Commands, the Python API and the web server all come through here. Nothing is paid for yet.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hustings.core.errors import Unreachable
from hustings.llm.endpoints import ACTORS, on_loopback
from hustings.llm.environment import Environment
from hustings.llm.nearby import Port, Server, ask_one, find, port_of
from hustings.llm.voices import Voice
from hustings.run.commission import Commission
from hustings.run.judging import commission_control, commission_judging, panel
from hustings.run.programme import Programme
from hustings.run.wish import Wish, draw_up, lacks_model

from .caution import USUAL_BUDGET, affordable
from .choice import choose
from .variables import with_default

if TYPE_CHECKING:
    from hustings.run.estimate import Estimate
    from hustings.run.queries import RunQueries

PATIENCE = 2.0
"""Seconds for a server on this machine to say which models it has."""


def prepare(
    wish: Wish, follow_ups: Programme, known: Environment, say: Callable[[str], None]
) -> tuple[Commission, Environment]:
    """The commission for a request, and the environment with the model that was found here, if one was needed.

    What cannot be is refused, its judging included. No model is called.
    """
    known = with_model(wish, known, say)
    commission = affordable(draw_up(wish, known), known)
    if follow_ups.judging:
        panel(commission, follow_ups.judging, known)
    return commission, known


def prepare_audit(runs: RunQueries, run_id: str, follow_ups: Programme, known: Environment) -> Commission:
    """The first of what follows a debate that is over: its control, or its judging."""
    old, judged, wish = runs.commission(run_id), runs.finished(run_id), follow_ups.judging_wish
    commission = commission_judging(old, judged, wish, known)
    if follow_ups.control:  # by now it is known that its judging can follow
        commission = commission_control(old, judged, wish, known, runs.read(run_id).tokens)
    return affordable(commission, known)


def estimate_request(wish: Wish, follow_ups: Programme, known: Environment, say: Callable[[str], None]) -> Estimate:
    """What a debate and its follow-ups would take. No server is asked, and neither a key nor a price is needed."""
    from hustings.run.estimate import estimate, sketch  # noqa: PLC0415  most requests are carried out

    known = with_model(wish, known, say)
    commission = affordable(sketch(wish, known), known)
    return estimate(commission, audits=follow_ups.scripts, wish=follow_ups.judging_wish, environment=known)


def estimate_follow_ups(runs: RunQueries, run_id: str, follow_ups: Programme, known: Environment) -> Estimate:
    """What the follow-ups of a debate that is over would take, and what they may cost at most."""
    from hustings.run.estimate import estimate_audits  # noqa: PLC0415  most requests are carried out

    old, judged, tokens = runs.commission(run_id), runs.finished(run_id), runs.read(run_id).tokens
    found = estimate_audits(old, judged, known, follow_ups.judging_wish, audits=follow_ups.scripts, tokens=tokens)
    if found.cap is not None or found.free:
        return found
    return found.model_copy(update={"cap": USUAL_BUDGET})


def with_model(wish: Wish, known: Environment, say: Callable[[str], None]) -> Environment:
    """The environment, with a model found here for seats that have none; a request that names seats must name all."""
    if wish.seats or not lacks_model(wish, known):
        return known
    choice = choose(known, find(known.process))
    say(choice.sentence)
    return with_default(known, choice.voice)


def must_answer(commission: Commission) -> None:
    """Every server on this machine that is to speak, asked once."""
    must_be_there(commission.model_specs.values())


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
