"""Compares a debate with its control: the same models' answers without it and after reading it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hustings.script.debate import Proceedings
from hustings.transcript.models import Transcript
from hustings.transcript.notes import Decided, Outcome

from .arguments import opposed
from .judgement import Changed, Control


def compare(
    judged: Proceedings,
    control: Proceedings,
    outcome: Outcome,
    *,
    strongest: str,
    voices: Mapping[str, str],
    options: Sequence[str],
    tokens: tuple[int, int],
) -> Control:
    """`voices` maps the control's seats to labels, `strongest` is one of them; `tokens` are of debate and control."""
    heard = _Heard.of(control)
    facts: dict[str, Any] = {"options": tuple(options), "debate_tokens": tokens[0], "control_tokens": tokens[1]}
    if why_not := _why_not(judged.transcript, options, heard):
        return Control(comparable=False, why_not=why_not, said=f"Not comparable: {why_not}.", **facts)
    best = next((seat for seat, label in voices.items() if strongest in {seat, label}), strongest)
    found = Control(
        comparable=True,
        single=heard.blind.get(best, ""),
        majority=most_frequent(heard.blind.values()),
        samples=len(heard.samples),
        consistent=most_frequent(heard.samples),
        debate=_debate(judged.transcript, outcome, options),
        changed=tuple(heard.changes(voices)),
        said="",
        **facts,
    )
    return found.model_copy(update={"said": _said(found, heard, outcome, silent=len(voices.keys() - heard.blind))})


def is_open(topic: str, options: Sequence[str]) -> bool:
    """Whether the question asks for more than yes or no, but only yes and no are offered."""
    return tuple(options) == DEFAULT_OPTIONS and bool(INTERROGATIVE.match(topic))


def most_frequent(answers: Iterable[str]) -> str:
    """Return the most frequent answer; empty on a tie."""
    (answer, times), (_, next_to_it) = [*Counter(answers).most_common(2), ("", 0), ("", 0)][:2]
    return answer if times > next_to_it else ""


@dataclass(frozen=True)
class _Heard:
    """The models' answers; models that abstained are absent."""

    blind: Mapping[str, str]
    """By seat, as is `after`."""
    samples: Sequence[str]
    after: Mapping[str, tuple[str, str]]
    """Answer, and the argument that it cites."""

    @classmethod
    def of(cls, control: Proceedings) -> _Heard:
        def kept(kind: str) -> list[dict[str, Any]]:
            return [note.body for note in control.notes if note.kind == kind]

        return cls(
            blind={body["voice"]: body["answer"] for body in kept("blind")},
            samples=[body["answer"] for body in kept("sample")],
            after={body["voice"]: (body["answer"], body["moved_by"] or "") for body in kept("after")},
        )

    @property
    def both(self) -> list[str]:
        """Seats that answered before and after reading."""
        return [seat for seat in self.blind if seat in self.after]

    def changes(self, voices: Mapping[str, str]) -> Iterator[Changed]:
        for seat in self.both:
            before, (after, cited) = self.blind[seat], self.after[seat]
            if after != before:
                yield Changed(voice=voices.get(seat, seat), before=before, after=after, cited=cited)


def _why_not(transcript: Transcript, options: Sequence[str], heard: _Heard) -> str:
    if is_open(transcript.debate_metadata.topic or "", options):
        return "the question is open, and no answers to choose from were given"
    return "" if heard.blind else "no model answered without the debate"


def _debate(transcript: Transcript, outcome: Outcome, options: Sequence[str]) -> str:
    """The outcome as an option: the side for the motion means the first of two, the side against it the second."""
    if not isinstance(outcome, Decided):
        return ""
    if outcome.what in options:
        return outcome.what
    sides = opposed(transcript) or ()
    return options[sides.index(outcome.what)] if outcome.what in sides and len(options) == 2 else ""


# -- in a sentence -----------------------------------------------------------------------


def _said(found: Control, heard: _Heard, outcome: Outcome, *, silent: int) -> str:
    parts = [
        _beside_each_other(found, heard, outcome),
        f"{_many(silent, 'model')} gave no answer" if silent else "",
        _moved(found, len(heard.both)),
        _dearer(found.debate_tokens - found.control_tokens) if found.debate_tokens else "",
    ]
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts if part)


def _beside_each_other(found: Control, heard: _Heard, outcome: Outcome) -> str:
    debate, majority, consistent = found.debate, found.majority, found.consistent
    if debate and debate == majority and (debate == consistent or not heard.samples):
        return f"Same answer with and without debate: {debate} ({_share(debate, heard)} without it)"
    if majority and consistent and majority != consistent:
        voices, samples = _of(majority, heard.blind.values(), "model"), _of(consistent, heard.samples, "sample")
        without = f"{majority} by {voices}, but {consistent} by {samples}"
    elif answer := majority or consistent:
        without = f"{answer} ({_share(answer, heard)})"
    else:
        without = f"no clear answer ({', '.join(f'{o}: {_share(o, heard)}' for o in found.options)})"
    nothing = "gave another kind of answer" if isinstance(outcome, Decided) else "decided nothing"
    return f"Without debate: {without}. The debate {f'says {debate}' if debate else nothing}"


def _share(answer: str, heard: _Heard) -> str:
    voices = _of(answer, heard.blind.values(), "model")
    return f"{voices}, and {_of(answer, heard.samples, 'sample')}" if heard.samples else voices


def _of(answer: str, answers: Iterable[str], what: str) -> str:
    given = list(answers)
    return f"{given.count(answer)} of {_many(len(given), what)}"


def _moved(found: Control, both: int) -> str:
    changed, uncited = len(found.changed), sum(not change.cited for change in found.changed)
    if not changed:
        return "no model changed its answer after reading the debate" if both else ""
    reason = f"{uncited} without a reason" if uncited else "with a reason"
    their = "its" if changed == 1 else "their"
    return f"{changed} of {_many(both, 'model')} changed {their} answer after reading the debate, {reason}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count > 1 else ''}"


def _dearer(tokens: int) -> str:
    more = "more" if tokens >= 0 else "fewer"
    return f"debating took {abs(tokens):,} {more} tokens than asking without a debate"


DEFAULT_OPTIONS = ("yes", "no")
INTERROGATIVE = re.compile(
    r"\W*+(?:(?:about|at|by|for|from|in|of|on|to|under|until|with)\s+)?(?:what|which|how|who|whom|whose|when|where|why)\b",
    re.IGNORECASE,
)
"""How an English question begins that yes or no cannot answer."""
