"""Explains the result of an argument in words: what was said to it, and why it stands where it does."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from hustings.script.forms import OBJECTIONS
from hustings.text.figures import percent
from hustings.text.words import shortened

from .arguments import Claim, ClaimResponse
from .case import Case
from .graph import dfquad
from .judgement import Standing, StrengthChange
from .standings import StandingResult, band, claim_strengths


@dataclass(frozen=True)
class Explanation:
    """One claim and everything that bears on it."""

    case: Case
    claim: Claim
    responses: Mapping[str, ClaimResponse]
    """All responses of the record, in its order."""
    means: Sequence[float | None]
    bases: Sequence[float]
    names: Mapping[str, str]
    last: Collection[str]

    def name(self, said: Claim | ClaimResponse) -> str:
        return self.names.get(said.seat, said.seat)

    @property
    def unanswerable(self) -> bool:
        """Whether no other side spoke after it."""
        return self.claim.turn_id in self.last

    @property
    def direct(self) -> Sequence[ClaimResponse]:
        return self.case.responses.get(self.claim.id, ())

    def answers(self, response: ClaimResponse) -> Sequence[ClaimResponse]:
        return [r for r in self.case.responses.get(response.id, ()) if r.kind == "answer"]

    def mark(self, name: str) -> float | None:
        """The panel's mean mark for a claim or a response, out of ten."""
        given = [mean for mark in self.case.bases[name].marks if (mean := self.means[mark]) is not None]
        return fsum(given) / len(given) if given else None


def examined(account: Explanation) -> str:
    """Describe the responses to a claim, such as "Con challenged it, answered"."""
    said: dict[str, None] = {}
    for response in account.direct:
        words = _did(account, response)
        if response.kind in OBJECTIONS:
            silent = "" if response.drawn else ", no answer"
            words += f", {account.name(account.claim)} answered" if account.answers(response) else silent
        said[words] = None
    return "; ".join(said) or ("Made in the last round" if account.unanswerable else "Nobody challenged it")


def _did(account: Explanation, response: ClaimResponse) -> str:
    """What a response did to its target."""
    who = account.name(response)
    if response.withdraws:
        return f"{who} withdrew {'part of it' if response.extent == 'point' else 'it'}"
    if response.kind == "concede":
        return f"{who} conceded {_conceded(response)}"
    if response.kind == "partial" and response.disputes in {"claim", "reasoning", "evidence"}:
        return f"{who} accepted it in part, disputed its {response.disputes}"
    if response.kind in {"support", "agree"} and response.side == account.claim.side:
        return f"{who} added to it"
    return f"{who} {VERBS[response.kind]}" + (" of one point" if response.extent == "point" else "")


def _conceded(response: ClaimResponse) -> str:
    if response.extent == "point":
        quote = response.quote or (response.said if response.drawn else "")
        return f"one point ({_quoted(quote)})" if quote else "one point"
    return "its core" if response.extent == "core" else "it"


def _quoted(words: str) -> str:
    return f"“{shortened(words, QUOTED).rstrip('.')}”"


def reason(account: Explanation, result: StandingResult, moved: Sequence[StrengthChange]) -> str:
    """Explain the standing, from the graph alone."""
    because = _open(account, result) or _taken_back(account, result) or _weighing(account, moved)
    also = [words for words in _guards(account, result) if TOOK_BACK not in because or words != TAKEN_IN_PART]
    return " ".join([f"{WORDS[result.standing]}: {because}.", *(f"{words}." for words in also)])


def _taken_back(account: Explanation, result: StandingResult) -> str:
    if result.standing != "withdrawn":
        return ""
    response = next(r for r in account.direct if r.withdraws)
    return f"{account.name(response)} took it back: {_quoted(response.said)}"


def _open(account: Explanation, result: StandingResult) -> str:
    if result.strength is None:
        return "too few judges scored it"
    if "unscored" in result.guards:
        return "too few judges scored the replies to it"
    if "issue deadlocked" in result.guards:
        return "both sides of its issue held on"
    if "unexamined" not in result.guards:
        return ""
    if any(response.kind == "concede" for response in account.direct):
        return "untested, apart from the point that was conceded"
    return "untested, because " + ("it came in the last round" if account.unanswerable else "nobody challenged it")


def _weighing(account: Explanation, moved: Sequence[StrengthChange]) -> str:
    """Name the response that moved it most the way it went, after its own merit if that alone gives its class."""
    own = account.mark(account.claim.id) or 0.0
    bare = account.bases[account.case.graph.index[account.claim.id]]
    after = claim_strengths(account.case, account.bases)[account.claim.id]
    direct = {response.id: response for response in account.direct}
    shares = {c.response: c.share for c in moved if c.response in direct}
    with_it = [response for response, share in shares.items() if share * (after.value - bare) > 0]
    # To grant one point says less than an objection that was met.
    telling = [
        name for name in [*with_it, *shares, *direct] if direct[name].extent != "point" or direct[name].withdraws
    ]
    lead = next(iter([*telling, *direct]))
    merit = f"judges scored it {_grade(own, 'strong')} ({own:.1f} of 10); "
    return (merit if band(bare, account.case.policy) == after.inputs.band else "") + _effect(account, direct[lead])


def _effect(account: Explanation, response: ClaimResponse) -> str:
    who = account.name(response)
    if response.withdraws:
        part = f"{TOOK_BACK}: {_quoted(response.quote or response.said)}"
        return f"{who} {part if response.extent == 'point' else 'withdrew it'}"
    if response.kind == "agree":
        return f"{who} said the same" + (" of one point" if response.extent == "point" else "")
    if response.kind == "concede":
        return f"{who} conceded {_conceded(response)}"
    mark = account.mark(response.id) or 0.0
    said = f"{who}'s {NOUNS[response.kind]} was {_grade(mark, 'strong')} ({mark:.1f} of 10)"
    if not response.attacks:
        return said
    best = max((account.mark(answer.id) or 0.0 for answer in account.answers(response)), default=None)
    if best is None:
        return f"{said}, {_no_answer(account, response)}"
    noun = NOUNS[response.kind].removeprefix("partial ")
    left = {"weak": f"left most of the {noun} standing", "fair": f"met part of the {noun}"}.get(
        _grade(best, ""), "met it"
    )
    return f"{said}, and {account.name(account.claim)}'s answer {left} ({best:.1f})"


def _no_answer(account: Explanation, response: ClaimResponse) -> str:
    """Say that nobody answered only where that is shown: a clerk may have missed an answer in plain words."""
    if not response.drawn:
        return "and got no answer"
    if response.answerable:
        return "and no answer to it was found"
    return f"and {account.name(account.claim)} had no further turn"


def _grade(mark: float, high: str) -> str:
    return "weak" if mark < 4 else "fair" if mark < 6.5 else high


def _guards(account: Explanation, result: StandingResult) -> list[str]:
    said = {
        "scope": f"Holds only in part: {_still_stands(account)}",
        "withdrawn in part": TAKEN_IN_PART,
        "issue won": "The panel came round to its answer, so it is not refuted",
        "issue contested": "Its issue stayed open, and part of it was conceded or withdrawn",
        "issue lost": "Its author came round to the other answer, so it holds in part at most",
        "core granted": "Its opponents accept its core, so it is not refuted",
        "near upheld": "Close to the line between upheld and partly upheld",
        "near refuted": "Close to the line between partly upheld and refuted",
        "unheard": "An objection that its author could not answer does not refute it",
        "semantics disagree": "A second method disagrees",
        "unconfirmed": "Conceded once, not confirmed in the closing",
        "panel divided": f"Judges are split: {told_shares(result.shares)}",
    }
    held = result.standing != "refuted"
    return [words for guard, words in said.items() if guard in result.guards and (held or guard not in IN_PART)]


def _still_stands(account: Explanation) -> str:
    """Name the strongest objection that is left, and what it is about."""
    graph = account.case.graph
    left = graph.strengths(account.bases, dfquad)
    objections = [response for response in account.direct if response.kind in OBJECTIONS]
    strongest = max(objections, key=lambda response: left[graph.index[response.id]], default=None)
    if strongest is None:
        return "others accept one point of it"
    about = f"objection to its {strongest.disputes}" if strongest.disputes else NOUNS[strongest.kind]
    return f"{account.name(strongest)}'s {about} still stands"


def told_shares(shares: Mapping[Standing, float]) -> str:
    """How often resampled panels give each class, the most frequent first."""
    found: list[Standing] = [standing for standing in shares if shares[standing]]
    most: list[Standing] = sorted(found, key=lambda standing: -shares[standing])
    told = [f"{WORDS[standing].lower()} in {percent(shares[standing])}" for standing in most]
    return ", ".join([f"{told[0]} of resamples", *told[1:]]) if told else ""


WORDS: Mapping[Standing, str] = {
    "upheld": "Upheld",
    "partially_upheld": "Partly upheld",
    "refuted": "Refuted",
    "withdrawn": "Withdrawn",
    "uncertain": "Unsettled",
}

VERBS = {
    "refute": "disputed it",
    "challenge": "challenged it",
    "partial": "accepted it in part",
    "agree": "said the same",
    "support": "supported it",
    "answer": "answered it",
}
IN_PART = ("scope", "withdrawn in part", "issue lost")
"""Guards that say that an argument holds in part: not said of one that does not hold at all."""
TOOK_BACK = "took part of it back"
TAKEN_IN_PART = "Its author took part of it back, so it holds only in part"
QUOTED = 12
"""Most words of a quote in a reason."""

NOUNS = {
    "refute": "refutation",
    "challenge": "challenge",
    "partial": "partial objection",
    "concede": "concession",
    "withdraw": "withdrawal",
    "agree": "agreement",
    "support": "support",
    "answer": "answer",
}
