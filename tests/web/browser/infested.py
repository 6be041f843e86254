"""Debates on record in which every text that somebody wrote is a hostile one."""

import json
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle

from hustings.db import leases
from hustings.llm.improviser import Improviser
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.request import DebateRequest, build_spec
from hustings.transcript.events import AttemptRejected, HumanAwaited, TextStreamed, TurnBegun
from hustings.transcript.models import Attempt, Round, Turn, TurnMetadata
from hustings.transcript.notes import Failed
from tests.report.dossiers import everywhere
from tests.web.rig import Site

from .stored import begun, keep, played


class Intruder(Improviser):
    """Fills in any form, but every text that is its own to choose is the next of these."""

    def __init__(self, texts, seed=0):
        super().__init__(seed)
        self.texts = cycle(texts)

    def words(self, call):
        usual, tag = super().words(call), f"({call.address.split(' ', 1)[0]})"
        if call.brief.form.prose:
            return "\n\n".join(next(self.texts) for _ in range(8))
        return json.dumps(self.instead(json.loads(usual), tag))

    def instead(self, value, tag):
        match value:
            case dict():
                return {name: self.instead(part, tag) for name, part in value.items()}
            case list():
                return [self.instead(part, tag) for part in value]
            case str() if value.endswith(tag):
                return f"{next(self.texts)} so it was said"
        return value


@dataclass(frozen=True)
class Infested:
    """Puts them on record; every way to do so returns the id of the debate."""

    site: Site
    texts: list[str]

    @cached_property
    def lines(self):
        """Those that can stand where one line is asked for, without controls."""
        return [text for text in self.texts if text.strip() and text.isprintable()]

    def drawn(self, protocol, **settings):
        """A commission with hostile names and models, under a motion of all of them."""
        request = DebateRequest(
            protocol=protocol, question="\n".join(self.lines), model="improviser", settings=settings
        )
        spec, lines = build_spec(request, {}), cycle(self.lines)
        seats = tuple(replace(seat, name=next(lines)) for seat in spec.debate.seats)
        cast = {seat: replace(player, model=next(lines)) for seat, player in spec.debate.cast.items()}
        debate = spec.debate.model_copy(update={"seats": seats, "cast": cast})
        return spec.model_copy(update={"debate": debate})

    def judged(self, protocol, first=0):
        """Played and judged, its texts taken from a place on, its settings something else afterwards."""
        texts = [*self.texts[first:], *self.texts[:first]]
        spec = self.drawn(protocol)
        proceedings, events = played(spec, Intruder(texts))
        judging = judging_spec(spec, proceedings, JudgingRequest(), {})
        settings = {**spec.debate.settings, texts[0]: texts[1], texts[2]: [{texts[3]: texts[4]}]}
        changed = spec.debate.model_copy(update={"settings": settings})
        keep(self.site, spec.model_copy(update={"debate": changed}), proceedings, events)
        keep(self.site, judging, *played(judging, Intruder(texts, 3)))
        return spec.run_id

    def one_by_one(self):
        """Each text is a turn of its own."""
        spec, lines = self.drawn("roundtable"), cycle(self.lines)
        seats = [seat.id for seat in spec.debate.seats]
        rounds = [
            Round(round_index=n + 1, label=next(lines), turns=[turn(n + 1, seats[n % len(seats)], text)])
            for n, text in enumerate(self.texts)
        ]
        proceedings, _ = played(spec, Improviser())
        transcript = proceedings.transcript.model_copy(update={"rounds": rounds})
        return keep(self.site, spec, proceedings.model_copy(update={"transcript": transcript}))

    def everywhere(self):
        """All texts at once wherever a text can stand, ids included; it failed for such a reason, too."""
        spec, words = self.drawn("roundtable"), "\n\n".join(self.texts)
        proceedings = everywhere(words, ending=Failed(code="x", reason=words)).proceedings
        transcript = proceedings.transcript.model_copy(update={"run_id": spec.run_id})
        return keep(self.site, spec, proceedings.model_copy(update={"transcript": transcript}))

    def under_way(self):
        """Somebody speaks, somebody was sent back, a person is awaited, and nothing further happens."""
        spec, words = self.drawn("competition"), "\n\n".join(self.texts)
        _, events = played(spec, Intruder(self.texts))
        last = max(n for n, event in enumerate(events) if isinstance(event, TurnBegun) and event.on_record)
        speaking = events[last]
        attempt = Attempt(attempt_index=0, timestamp=spec.created_at, status="retry", content=words)
        about = {"address": speaking.address, "seat": speaking.seat}
        back = AttemptRejected(**about, brief=words, on_record=True, attempt=attempt, complaints=(words,))
        awaited = HumanAwaited(**about, task=words, form={"title": words, "properties": {words: {"type": words}}})
        leases.take(self.site.state.database, "nobody", 3_600.0)  # or a worker would take it over
        begun(self.site, spec, [*events[:last], back, awaited, speaking])
        self.site.state.bus.publish(
            spec.run_id, TextStreamed(address=speaking.address, attempt=speaking.attempt, text=words)
        )
        return spec.run_id

    def broken(self):
        return begun(self.site, self.drawn("structured"), reason="\n".join(self.texts))


def turn(n, seat, text):
    spoken = Attempt(attempt_index=0, timestamp=f"2026-01-01T00:00:00.{n:03}Z", status="ok", content=text)
    told = TurnMetadata(kind=text, model_name=text)
    return Turn(
        turn_id=f"r{n}.t0", round_index=n, turn_index_in_round=0, speaker_id=seat, attempts=[spoken], metadata=told
    )
