"""The Argument Interchange Format as JSON: who said what (L), what it asserts (I), and what attacks or supports it.

L nodes are turns; YA anchors what they assert, TA joins a turn to the one it speaks to, RA is support and CA attack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hustings.judging.arguments import Argumentation, arguments_of
from hustings.judging.dossier import Dossier
from hustings.text.figures import as_json
from hustings.transcript.models import Turn

FORMAT = "aif"
SUFFIX = "aif.json"


def render(dossier: Dossier) -> str:
    transcript, found, sheet = dossier.proceedings.transcript, arguments_of(dossier), _AifSheet()
    turns = {turn.turn_id: turn for turn in transcript.turns if turn.said}
    for turn in turns.values():
        sheet.node(f"L:{turn.turn_id}", "L", f"{turn.speaker_id}: {turn.said}", _time(turn))
    for name, turn_id, text in _assertions(found):
        when = _time(turns[turn_id]) if turn_id in turns else ""
        sheet.node(f"I:{name}", "I", text, when)
        if turn_id in turns:
            sheet.through(f"YA:{name}", "YA", "Asserting", f"L:{turn_id}", f"I:{name}")
    for response in found.responses:
        kind, scheme = ("CA", "Default Conflict") if response.attacks else ("RA", "Default Inference")
        sheet.through(f"{kind}:{response.id}", kind, scheme, f"I:{response.origin}", f"I:{response.target}")
    for turn in turns.values():
        for before in dict.fromkeys(a.target_turn_id for a in turn.addresses or () if a.target_turn_id in turns):
            name = f"TA:{before}>{turn.turn_id}"
            sheet.through(name, "TA", "Default Transition", f"L:{before}", f"L:{turn.turn_id}")
    locutions = [
        {"nodeID": f"L:{t.turn_id}", "personID": t.speaker_id, "timestamp": _time(t), "start": None, "end": None,
         "source": None}
        for t in turns.values()
    ]  # fmt: skip
    people = [
        {"participantID": p.agent_id, "firstname": p.display_name or p.agent_id, "surname": p.team or ""}
        for p in transcript.participants
    ]
    document = {"nodes": sheet.nodes, "edges": sheet.edges, "locutions": locutions, "participants": people}
    return as_json(document, indent=2) + "\n"


@dataclass
class _AifSheet:
    nodes: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    edges: list[dict[str, str | None]] = field(default_factory=list[dict[str, str | None]])

    def node(self, name: str, kind: str, text: str, when: str = "") -> None:
        self.nodes.append({"nodeID": name, "text": text, "type": kind, "timestamp": when})

    def through(self, name: str, kind: str, text: str, source: str, target: str) -> None:
        """Join two nodes through a third that says how, as the format requires."""
        self.node(name, kind, text)
        for start, end in ((source, name), (name, target)):
            self.edges.append({"edgeID": f"{start}→{end}", "fromID": start, "toID": end, "formEdgeID": None})


def _assertions(found: Argumentation) -> Iterator[tuple[str, str, str]]:
    """Name, turn and text of every claim, and of every response that is not itself a claim."""
    yield from ((claim.id, claim.turn_id, claim.claim) for claim in found.claims)
    yield from ((response.id, response.turn_id, response.words) for response in found.spoken)


def _time(turn: Turn) -> str:
    """Timestamp as the format has it: no fractions, no zone."""
    return turn.attempts[-1].timestamp[:19].replace("T", " ")
