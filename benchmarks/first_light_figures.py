"""What became of a question that a model played: every figure is read from the records of its runs."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from hustings.db.instants import seconds_of
from hustings.errors import HustingsError
from hustings.report.view_parts import verdict_part
from hustings.runs.dossiers import dossier
from hustings.runs.queries import RunQueries
from hustings.runs.run_summary import RunSummary
from hustings.text.words import count_words
from hustings.transcript.events import AttemptRejected, Event, SeatMissed, TurnBegun, TurnEntered
from hustings.transcript.notes import Note

PLAIN_WORDS = {"text"}
"""All that an answer in plain words has."""
REASON = 5
"""Words beside those it quotes that a concession needs to count as one with a reason."""
FAULTS = {"timeout", "refused", "filtered"}
"""Of answers that never came; the others did not keep their form or a rule."""
FORM_LOST = "did not keep the form"


@dataclass
class AskedQuestion:
    """One question to one seat, and what became of it."""

    script: str
    """The protocol that asked it, or `judging`."""
    seat: str
    brief: str
    on_record: bool
    tries: int = 1
    sent_back: list[str] = field(default_factory=list)
    """Why, as the transcript calls it: form, rule, evidence, truncated, empty."""
    became: str = "open"
    """open, kept, never kept or not answered."""
    plain_words: bool = False

    @property
    def at_first_try(self) -> bool:
        return self.became == "kept" and not self.sent_back and self.tries == 1

    def lost(self, why: str) -> None:
        self.became = "not answered" if why in FAULTS else "never kept"
        self.sent_back += [] if why in FAULTS else [why]


class Questions:
    """Follows the log of a run from question to answer."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.all: list[AskedQuestion] = []
        self._by_address: dict[str, AskedQuestion] = {}
        self._by_turn: dict[str, AskedQuestion] = {}
        self._again: dict[tuple[str, str], deque[AskedQuestion]] = {}

    def apply(self, event: Event) -> None:
        match event:
            case TurnBegun():
                self._begin(event)
            case AttemptRejected() if asked := self._by_address.get(event.address):
                asked.sent_back.append(_reason(event.attempt.diagnostics))
                self._again.setdefault((asked.seat, asked.brief), deque()).append(asked)
            case TurnEntered() if asked := self._by_address.get(event.address or ""):
                self._enter(event, asked)
            case SeatMissed():
                for asked in self._waiting(seat=event.state.agent_id, on_record=True):
                    asked.lost("timeout")
            case _ if note := getattr(event, "note", None):
                self._take(note)

    def _begin(self, event: TurnBegun) -> None:
        again = self._again.get((event.seat, event.brief))
        if event.attempt and again:
            asked = again.popleft()
            asked.tries += 1
        else:
            asked = AskedQuestion(self.script, event.seat, event.brief, event.on_record)
            self.all.append(asked)
        self._by_address[event.address] = asked

    def _enter(self, event: TurnEntered, asked: AskedQuestion) -> None:
        turn = event.turn
        self._by_turn[turn.turn_id] = asked
        if turn.turn_outcome == "success":
            # What a form says is told in words of their own.
            asked.became, asked.plain_words = "kept", turn.attempts[-1].final_answer is None
        else:
            last = _reason(turn.attempts[-1].diagnostics)
            asked.lost("timeout" if turn.turn_outcome == "timeout" else last)

    def _take(self, note: Note) -> None:
        if note.kind == "unparsed":
            for about in note.about:
                if asked := self._by_turn.get(about.turn_id or ""):
                    asked.lost("form")
        elif note.kind == "failure":
            seat, brief = str(note.body.get("seat")), str(note.body.get("brief"))
            waiting = sorted(self._waiting(seat=seat, brief=brief), key=lambda asked: not asked.sent_back)
            for asked in waiting[:1]:
                asked.lost(str(note.body.get("why")))
        else:
            for asked in [*self._waiting(seat=note.by, brief=note.kind, on_record=False)][:1]:
                asked.became, asked.plain_words = "kept", note.body.keys() == PLAIN_WORDS

    def _waiting(self, **like: object) -> Iterator[AskedQuestion]:
        same = (asked for asked in self.all if all(getattr(asked, name) == value for name, value in like.items()))
        return (asked for asked in same if asked.became == "open")


def _reason(diagnostics: object) -> str:
    return getattr(diagnostics, "error_type", None) or "rule"


def questions_in(events: Iterable[Event], script: str) -> list[AskedQuestion]:
    """Every question of a log, in the order in which they were asked."""
    found = Questions(script)
    for event in events:
        found.apply(event)
    return found.all


@dataclass(frozen=True)
class GaveWay:
    """A seat conceded, took back or changed its answer."""

    kind: str
    reason: bool
    """Whether it said why, in words of its own."""


def gave_way(notes: Iterable[Note], sides: dict[str, str]) -> list[GaveWay]:
    """Concessions and withdrawals from the points of turns, changed answers from the stances of seats.

    An argument that is conceded twice counts once. `sides` has what a seat stands for when it begins: yes or no; a seat
    that has no side begins with its first stance.
    """
    points: dict[tuple[str, str], bool] = {}
    changed: list[GaveWay] = []
    stances = dict(sides)
    for note in notes:
        if note.kind == "points":
            for point in note.body["points"]:
                if point["kind"] in {"concede", "withdraw"}:
                    key = (point["kind"], point["target"])
                    points[key] = points.get(key, False) or _has_reason(point["words"], point.get("quote", ""))
        elif note.kind == "stance":
            seat, says = str(note.body["seat"]), str(note.body["says"])
            if stances.setdefault(seat, says) != says:
                changed.append(GaveWay("change", _has_reason(str(note.body.get("why", "")))))
            stances[seat] = says
    return [*(GaveWay(kind, reason) for (kind, _), reason in points.items()), *changed]


def _has_reason(said: str, quote: str = "") -> bool:
    return count_words(said.replace(quote, "") if quote else said) >= REASON


@dataclass(frozen=True)
class PlayedQuestion:
    """One of the ten, played by one model: what its records say."""

    question: str
    protocol: str
    model: str
    ended: str
    """ended, paused, failed, stopped at its cap, or out of time."""
    why: str
    outcome: str
    """First line of its first screen; empty if it has none."""
    judged: str
    asked: tuple[AskedQuestion, ...] = ()
    ways: tuple[GaveWay, ...] = ()
    answered_by: tuple[str, ...] = ()
    """The models that answered, as their providers name them."""
    calls: int = 0
    tokens: int = 0
    """Those that are known."""
    tokens_held: int = 0
    """Booked for calls that were cut off or not counted."""
    dollars: float = 0.0
    minutes: float = 0.0
    screen: str = ""


ENDINGS = {"played": "ended", "budget_stopped": "stopped at its cap", "cancelled": "stopped", "failed": "failed"}


def ending_of(run: RunSummary, asked: Iterable[AskedQuestion]) -> tuple[str, str]:
    """How a run ended or why it stands still, in few words."""
    if run.state == "ended":
        return ENDINGS.get(run.ending, run.ending), run.reason
    if run.state == "paused":
        waits = any(one.became == "open" and one.sent_back for one in asked)
        form = FORM_LOST in run.reason or (waits and not run.reason)
        return "paused", FORM_LOST if form else run.reason
    return ("broke" if run.state == "broken" else "out of time"), run.reason


def read_played(runs: RunQueries, run_id: str, question: str, model: str, screen: str) -> PlayedQuestion:
    """Everything the page tells of a debate and of its judging."""
    run, spec, events = runs.read(run_id), runs.spec(run_id), runs.events(run_id)
    audits = runs.audits(run_id)
    logs = {script_of(one): runs.events(one.run_id) for one in [run, *audits]}
    asked = {script: questions_in(log, script) for script, log in logs.items()}
    ended, why = ending_of(run, asked[script_of(run)])
    calls = [event for log in logs.values() for event in log if event.kind == "call_paid"]
    times = [seconds_of(time) for call in calls for time in (call.sent_at, call.answered_at) if time]
    sides = {
        seat.id: {"pro": "yes", "con": "no"}[seat.role] for seat in spec.debate.seats if seat.role in {"pro", "con"}
    }
    every = [run, *audits]
    return PlayedQuestion(
        question=question,
        protocol=spec.debate.protocol,
        model=model,
        ended=ended,
        why=why,
        outcome=_outcome(runs, run_id) if run.state == "ended" else "",
        judged=next((_judged(audit, asked["judging"]) for audit in audits if script_of(audit) == "judging"), "no"),
        asked=tuple(chain.from_iterable(asked.values())),
        ways=tuple(gave_way((event.note for event in events if hasattr(event, "note")), sides)),
        answered_by=tuple(dict.fromkeys(call.model for call in calls)),
        calls=sum(one.calls for one in every),
        tokens=sum(one.tokens for one in every),
        tokens_held=sum(one.tokens_held for one in every),
        dollars=sum(one.spent for one in every),
        minutes=(max(times) - min(times)) / 60 if times else 0.0,
        screen=screen,
    )


def _outcome(runs: RunQueries, run_id: str) -> str:
    try:
        return verdict_part(dossier(runs, run_id)).first.sentence
    except HustingsError as error:  # a judging that is broken must not hide the debate
        return str(error)


def _judged(judging: RunSummary, asked: Iterable[AskedQuestion]) -> str:
    ended, why = ending_of(judging, asked)
    return "yes" if ended == "ended" else f"{ended}: {why}" if why else ended


def script_of(run: RunSummary) -> str:
    return run.protocol.partition("/")[0]


def by_form(played: Iterable[PlayedQuestion]) -> dict[tuple[str, str], list[AskedQuestion]]:
    """All questions of some debates by protocol and form; answers in plain words have no form to keep."""
    found: dict[tuple[str, str], list[AskedQuestion]] = {}
    for one in played:
        for asked in one.asked:
            found.setdefault((asked.script, asked.brief), []).append(asked)
    return {form: every for form, every in found.items() if not any(asked.plain_words for asked in every)}


def sums(played: Iterable[PlayedQuestion]) -> dict[str, object]:
    """The figures of one model."""
    every = list(played)
    forms = [*chain.from_iterable(by_form(every).values())]
    settled = [one for one in forms if one.became != "open"]
    ways = [way for each in every for way in each.ways]
    return {
        "questions": len(every),
        "became": dict(Counter(each.ended for each in every)),
        "forms": len(forms),
        "kept_at_first_try": sum(one.at_first_try for one in forms),
        "kept_later": sum(one.became == "kept" and not one.at_first_try for one in forms),
        "never_kept": sum(one.became == "never kept" for one in forms),
        "not_answered": sum(one.became == "not answered" for one in forms),
        "open": sum(one.became == "open" for one in forms),
        "tries_per_answer": round(sum(one.tries for one in settled) / len(settled), 2) if settled else None,
        "gave_way": len(ways),
        "with_a_reason": sum(way.reason for way in ways),
        "calls": sum(each.calls for each in every),
        "tokens": sum(each.tokens for each in every),
        "tokens_held": sum(each.tokens_held for each in every),
        "dollars": round(sum(each.dollars for each in every), 4),
        "minutes": round(sum(each.minutes for each in every), 1),
    }
