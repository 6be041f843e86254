"""The docket of a moderated panel: where each disputed issue stands, who moved, and who owes an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import JsonValue

State = Literal["open", "converged", "deadlocked", "overtaken"]
Status = Literal["converged", "partially converged", "deadlocked", "open"]
Stance = Literal["holds", "gives_in", "narrows"]
MOST_ISSUES = 6
OPTIONS = "ABCDEF"
"""Letters of the answers to an issue that is no question of yes or no, one for each seat at most."""
BETWEEN = "between "


@dataclass(frozen=True)
class IssueReading:
    """What one answer did to the issue it was asked about."""

    stance: Stance
    now: str
    """The seat's answer to the issue after it: yes, no, the letter of an option, or between."""
    between: str = ""
    """That answer in words, if it is neither yes nor no."""
    same_as: str = ""
    """The seat that gives the same answer in between."""
    news: bool = False
    """Whether it brought something not heard before, whatever its stance."""
    opens: Sequence[Mapping[str, str]] = ()
    """New issues: seats, and what each says."""
    overtakes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Issues that an alternative has made pointless."""


@dataclass(frozen=True)
class Docket:
    """Where each issue stands: counted from the moderator's readings, never claimed by anybody."""

    issues: Mapping[str, Mapping[str, str]]
    """Issue id to the seats that dispute it, and what each said to it at first: yes, no, or the letter of an option."""
    now: Mapping[str, Mapping[str, str]]
    """What each says to it now; between stands with the number of the exchange that brought it."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Issue and answer to its words, where it is neither yes nor no."""
    held: frozenset[tuple[str, str]] = frozenset()
    """Who held on since something new was last said, on what."""
    waiting: frozenset[tuple[str, str]] = frozenset()
    """Who has not yet answered what was new, on what."""
    overtaken: Mapping[str, str] = field(default_factory=dict[str, str])
    """Issue to the alternative that made it pointless."""
    stale: int = 0
    exchanges: int = 0

    @classmethod
    def of(cls, parties: Mapping[str, Mapping[str, str]]) -> Docket:
        apart = {issue: told_apart(says) for issue, says in parties.items()}
        return cls(apart, apart, _worded(parties))

    def answers(self, issue: str) -> tuple[str, ...]:
        """What a seat may say to an issue, besides something in between."""
        known = (key.removeprefix(f"{issue} ") for key in self.words)
        return tuple(said for said in known if said in tuple(OPTIONS)) or ("yes", "no")

    def after(self, issue: str, seat: str, reading: IssueReading) -> Docket:
        """The docket after that seat has answered on that issue; a seat from outside may only bring news to it."""
        here, news = (issue, seat), bool(reading.news or reading.opens or reading.overtakes)
        others = {(issue, party) for party in self.issues[issue]} - {here}
        moved = seat in self.issues[issue] and reading.stance != "holds"
        held = self.held - others if news or moved else self.held
        room = max(0, MOST_ISSUES - len(self.issues))
        last = max((int(number) for name in self.issues if (number := name.rpartition("-")[2]).isdigit()), default=0)
        opened = {f"D-{last + n}": parties for n, parties in enumerate(reading.opens[:room], 1)}
        apart = {name: told_apart(says) for name, says in opened.items()}
        moved_to = self._moved(issue, seat, reading) if moved else self
        return replace(
            moved_to,
            issues={**self.issues, **apart},
            now={**moved_to.now, **apart},
            words={**moved_to.words, **_worded(opened)},
            held=held - {here} if moved else held | {here},
            waiting=(self.waiting | others if news or moved else self.waiting) - {here},
            overtaken={**self.overtaken, **reading.overtakes},
            stale=0 if news or moved else self.stale + 1,
            exchanges=self.exchanges + 1,
        )

    def _moved(self, issue: str, seat: str, reading: IssueReading) -> Docket:
        """Giving in takes the other side's answer; narrowing may end where another seat already is."""
        mine = self.now[issue][seat]
        against = [says for party, says in self.now[issue].items() if party != seat and says != mine]
        answer: str = reading.now
        if reading.stance == "gives_in":
            # With nobody against it any more, the other side has given in as well, and they have changed places.
            answer = answer if answer in against or not against else against[0]
        elif answer == "between":
            same = reading.same_as
            shared = same in self.now[issue] and same != seat
            answer = self.now[issue][same] if shared else f"between {self.exchanges + 1}"
        key = f"{issue} {answer}"
        named = answer.startswith(BETWEEN) and not self.words.get(key)
        words = {**self.words, key: reading.between} if named else self.words
        return replace(self, now={**self.now, issue: {**self.now[issue], seat: answer}}, words=words)

    def unanswered(self) -> Docket:
        return replace(self, stale=self.stale + 1, exchanges=self.exchanges + 1)

    def state(self, issue: str) -> State:
        """Converged if all say the same now, deadlocked if all hold on and none owes an answer."""
        if issue in self.overtaken:
            return "overtaken"
        parties = {(issue, seat) for seat in self.issues[issue]}
        if len(set(self.now[issue].values())) < 2:
            return "converged"
        return "deadlocked" if parties <= self.held and not parties & self.waiting else "open"

    @property
    def unsettled(self) -> tuple[str, ...]:
        return tuple(issue for issue in self.issues if self.state(issue) == "open")

    @property
    def settled(self) -> bool:
        """Nothing is open, and where two stayed apart, two exchanges in a row brought nothing new."""
        apart = any(self.state(issue) == "deadlocked" for issue in self.issues)
        return not self.unsettled and (self.stale >= 2 or not apart)

    @property
    def status(self) -> Status:
        states = {"converged" if state == "overtaken" else state for state in map(self.state, self.issues)}
        if "open" in states:
            return "open"
        states = states or {"converged"}
        return "partially converged" if len(states) > 1 else "converged" if "converged" in states else "deadlocked"

    def told(self) -> str:
        """For the moderator: states, who says what and who owes an answer, in ids and words of ours."""
        return "; ".join(f"{issue} {self.state(issue)} ({self._parties(issue)})" for issue in self.issues) or "no issue"

    def _parties(self, issue: str) -> str:
        owes = {seat for where, seat in self.waiting if where == issue}
        return ", ".join(
            f"{seat} {'between' if says.startswith(BETWEEN) else says}{' and owes an answer' if seat in owes else ''}"
            for seat, says in self.now[issue].items()
        )

    def body(self) -> dict[str, JsonValue]:
        return {issue: self._issue(issue) for issue in self.issues}

    def _issue(self, issue: str) -> dict[str, JsonValue]:
        """How it ended: its state, the answer if all share one, and who moved."""
        state, now = self.state(issue), self.now[issue]
        answer = self._in_words(issue, next(iter(now))) if state == "converged" else ""
        return {
            "state": state,
            "answer": self.overtaken.get(issue, answer),
            "says": {seat: self._in_words(issue, seat) for seat in now},
            "moved": [seat for seat in now if now[seat] != self.issues[issue][seat]],
        }

    def _in_words(self, issue: str, seat: str) -> str:
        says = self.now[issue][seat]
        return self.words.get(f"{issue} {says}", "") or ("something in between" if says.startswith(BETWEEN) else says)


def told_apart(says: Mapping[str, str]) -> dict[str, str]:
    """What each seat says: yes or no; else a letter, which stands for words that are a model's."""
    plain = {seat: words.casefold().strip(" .!") for seat, words in says.items()}
    if set(plain.values()) <= {"yes", "no"}:
        return plain
    letters = dict(zip(dict.fromkeys(plain.values()), OPTIONS, strict=False))
    return {seat: letters[answer] for seat, answer in plain.items()}


def _worded(parties: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Issue and letter to the words of those who said it first."""
    found: dict[str, str] = {}
    for issue, says in parties.items():
        for seat, answer in told_apart(says).items():
            if answer in tuple(OPTIONS):
                found.setdefault(f"{issue} {answer}", says[seat])
    return found


def docket_line(body: Mapping[str, JsonValue]) -> str:
    """A docket in a line; an issue that nobody spoke to yet has its state alone."""
    return ", ".join(f"{issue} {_noted(told)}" for issue, told in body.items())


def _noted(told: JsonValue) -> str:
    if not isinstance(told, dict):
        return str(told)
    return f"{told['state']}: {told['answer']}" if told["answer"] else str(told["state"])
