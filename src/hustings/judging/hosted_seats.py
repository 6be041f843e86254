"""What weakens a verdict on words of a host: one mind played several seats, and nothing kept them apart."""

from __future__ import annotations

from hustings.script.debate import is_hosted
from hustings.text.figures import listed

from .findings import Findings

STAFF_ROLES = frozenset({"librarian", "tool", "controller"})


def one_mind(found: Findings) -> list[str]:
    """The limit that every verdict has in which a host spoke or judged."""
    spoke = {
        seat.agent_id: seat.model_name or ""
        for seat in found.subject.judged.transcript.participants
        if seat.role not in STAFF_ROLES
    }
    seats = {**spoke, **{judge.seat: judge.model for judge in found.panel}}
    hosted = {seat: model for seat, model in seats.items() if is_hosted(model)}
    if not hosted:
        return []
    who = "every seat" if hosted.keys() == seats.keys() else listed([*hosted])
    labels = listed(list(dict.fromkeys(hosted.values())))
    return [f"One mind ({labels}) played {who}, and may have known what a seat should not know"]
