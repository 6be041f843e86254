"""The record: who sat where, every word with an anchor of its own, and what was thought beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hustings.core.arguments import Argumentation, Claim, Response
from hustings.core.debate import Proceedings
from hustings.core.forms import in_lines
from hustings.core.notes import Note
from hustings.core.transcript import Address, Participant, Round, Turn
from hustings.core.words import count_words
from hustings.export import wording

from . import signs
from .markup import Html, element, items, joined, link, place, section, table


def seats(proceedings: Proceedings) -> Html:
    transcript = proceedings.transcript
    rows = [[_name(p), p.role or "", p.team or "", p.model_name or ""] for p in transcript.participants]
    absences = map(wording.absence, transcript.participant_state_log or ())
    told = map(wording.intervention, transcript.intervention_log or ())
    people = table("Who sat where", ["seat", "role", "team", "model"], rows)
    return section("Seats", people, items([*absences, *told]), at="seats")


def _name(participant: Participant) -> str:
    name, seat = participant.display_name, participant.agent_id
    return f"{name} ({seat})" if name and name.casefold() != seat.casefold() else seat


def transcript(proceedings: Proceedings, found: Argumentation) -> Html:
    rounds = proceedings.transcript.rounds
    reader = _Reader(proceedings, found)
    return section("What was said", *(reader.round(round_) for round_ in rounds), at="said")


class _Reader:
    """Knows what each turn put forward, and who everybody is."""

    def __init__(self, proceedings: Proceedings, found: Argumentation) -> None:
        self.people: Mapping[str, Participant] = {p.agent_id: p for p in proceedings.transcript.participants}
        self.turns = {turn.turn_id for turn in proceedings.transcript.turns}
        self.claims: dict[str, list[Claim]] = {}
        self.responses: dict[str, list[Response]] = {}
        self.known = {claim.id for claim in found.claims}
        for claim in found.claims:
            self.claims.setdefault(claim.turn_id, []).append(claim)
        for response in found.spoken:
            self.responses.setdefault(response.turn_id, []).append(response)

    def round(self, round_: Round) -> Html:
        status = "" if round_.round_status == "complete" else f" ({round_.round_status or 'not closed'})"
        head = element("h3", f"{round_.round_index}. {round_.label or 'round'}{status}")
        return joined([head, *map(self.turn, round_.turns)], "\n")

    def turn(self, turn: Turn) -> Html:
        who, told = self.people.get(turn.speaker_id), turn.metadata
        facts = [
            (told and told.kind) or "",
            f"to {', '.join(told.readers)} alone" if told and told.readers else "",
            f"{count_words(turn.said)} words" if turn.said else "",
            f"{len(turn.attempts)} attempts" if len(turn.attempts) > 1 else "",
        ]
        head = element(
            "header",
            element("b", _name(who) if who else turn.speaker_id),
            *(element("span", fact) for fact in facts if fact),
            link(place("turn", turn.turn_id), turn.turn_id, title="a link to this turn"),
        )
        said = element("div", turn.said, class_="said", dir="auto") if turn.said else element("p", wording.LOST)
        points = [*self._points(turn), *self._edges(turn.addresses or ())]
        below = element("ul", *points, class_="points") if points else ""
        parts = ["\n", head, "\n", said, below]
        return element("article", *parts, id=place("turn", turn.turn_id), class_=f"turn {signs.side(who)}")

    def _points(self, turn: Turn) -> Iterator[Html]:
        """Each leads back to its row in the table and its box on the map."""
        for claim in self.claims.get(turn.turn_id, ()):
            name = link(place("trace", claim.id), claim.id)
            back = link(place("map", claim.id), "map")
            parts = [element("b", name), " ", signs.standing(claim.standing), " · ", claim.claim, " · ", back]
            yield element("li", *parts, id=place("said", claim.id), dir="auto")
        for response in self.responses.get(turn.turn_id, ()):
            deed = wording.DEEDS.get(response.kind, response.kind)
            back = link(place("map", response.id), "map")
            yield element("li", f"{deed} to ", self._target(response), " · ", back, id=place("said", response.id))

    def _target(self, response: Response) -> Html:
        return link(place("trace" if response.target in self.known else "said", response.target), response.target)

    def _edges(self, addresses: Sequence[Address]) -> Iterator[Html]:
        """Only what the points have not told."""
        spoken = [a for a in addresses if not (a.target_claim_id and a.target_claim_id in self.known)]
        lines = dict.fromkeys((a.move or "speaks to", a.target_agent_id, a.target_turn_id or "") for a in spoken)
        for move, seat, turn_id in lines:
            where = joined([" in ", link(place("turn", turn_id), turn_id)]) if turn_id in self.turns else ""
            yield element("li", f"{'speaks to' if move == 'speaks to' else f'{move}:'} {seat}", where)


def notes(proceedings: Proceedings) -> Html:
    """Forms and points stand with the turns already."""
    kept = [note for note in proceedings.notes if note.kind not in {"form", "points"}]
    return section("What was thought beside it", *map(_note, kept), at="notes")


def _note(note: Note) -> Html:
    about = [s.turn_id or s.claim_id or "" for s in note.about]
    told = joined((link(place("turn", name), name) for name in about if name), ", ")
    head = element("h4", f"{note.kind} by {note.by}", *([", about ", told] if told else []))
    return element("div", head, element("div", in_lines(note.body), class_="said", dir="auto"), class_="note")


def result(proceedings: Proceedings) -> Html:
    if proceedings.result is None:
        return Html("")
    told = element("div", in_lines(proceedings.result), class_="said", dir="auto")
    return section("What the script returned", told, at="result")
