"""Filled examples of forms that nest, all about the Sunday opening of a library, and the check that none is copied.

`...` stands for more of the same, and `<kind>` for the first value of that kind that the call offers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import EllipsisType
from typing import Any, TypeAlias, cast

from .forms import Form

Example: TypeAlias = "Mapping[str, Example] | Sequence[Example] | str | int | EllipsisType | None"
_PLACE = re.compile(r"<([a-z]+)(2?)>")
FEWEST_WORDS = 4
"""Of a text of an example that no answer may repeat: shorter ones could be anybody's."""


class _NothingOffered(Exception):
    """The call offers nothing of that kind: the entry is left out."""


def filled(example: Example, choices: Mapping[str, Sequence[str]]) -> str:
    """The example as it is shown, with ids of this call."""
    match example:
        case None | int():
            return json.dumps(example)
        case str():
            return json.dumps(_put(example, choices), ensure_ascii=False)
        case EllipsisType():
            return "..."
        case Mapping():
            rows = example.items()
            inner = (("..." if v is ... else f"{json.dumps(name)}: {filled(v, choices)}") for name, v in rows)
            return f"{{{', '.join(inner)}}}"
        case _:
            return f"[{', '.join(_entries(example, choices))}]"


def _entries(listed: Sequence[Example], choices: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for entry in listed:
        try:
            yield filled(entry, choices)
        except _NothingOffered:
            return


def _put(text: str, choices: Mapping[str, Sequence[str]]) -> str:
    place = _PLACE.fullmatch(text)
    if place is None:
        return text
    kind, second = place.groups()
    offered = choices.get(kind, ())
    if not offered:
        raise _NothingOffered
    return f"{offered[0]}-1" if kind == "own" else offered[1 if second and len(offered) > 1 else 0]


def copied(example: Example, answer: Form) -> Iterator[str]:
    """Complaints about texts of an answer that repeat a sentence of the example it was shown."""
    if example is not None:
        said = " ".join(_folded(text) for text in _texts(answer.model_dump(mode="json")))
        for sentence in _texts(cast("Any", example)):
            if len(sentence.split()) >= FEWEST_WORDS and _folded(sentence) in said:
                yield f"{sentence!r} is from the example, which is about another question: write your own"


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for inner in cast("Mapping[str, Any]", value).values():
                yield from _texts(inner)
        case list() | tuple():
            for inner in cast("Sequence[Any]", value):
                yield from _texts(inner)
        case _:
            pass


@cache
def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


# -- debates -----------------------------------------------------------------------------

OPENING: Example = {
    "arguments": [
        {
            "id": "<own>",
            "claim": "Sunday opening would raise weekly visits by 5%.",
            "reasoning": "People who work six days cannot come now. Some visits only move, so the gain is smaller than "
            "Sunday's count.",
            "evidence": "General knowledge, fairly sure: Sundays are busy elsewhere. A trial would settle it.",
        },
        ...,
    ]
}

CROSS_EXAMINATION: Example = {
    "responses": [
        {
            "target": "<claim>",
            "reasoning": "At its strongest: Sunday staff cost more than the visits are worth. Staff do cost more, but "
            "weekday hours could be cut in exchange.",
            "accepts": "Sunday staff are paid double",
            "disputes": "reasoning",
            "kind": "partial",
            "follow_ups": ["Which weekday hours have the fewest visitors?"],
        },
        ...,
    ]
}

CLOSING: Example = {
    "answers": [{"about": "<question>", "answer": "Monday mornings. I cannot show what they cost."}, ...],
    "withdrawals": [
        {
            "argument": "<argument>",
            "quote": "raise weekly visits by 5%",
            "extent": "a part",
            "why": "I have no count of who would only move their visit.",
        }
    ],
    "concessions": [
        {
            "claim": "<claim>",
            "quote": "two people cannot staff both floors",
            "extent": "the core",
            "why": "The rota allows no third person, but one floor can be staffed.",
        }
    ],
    "stand": {
        "position": "Open one floor on Sundays for a year.",
        "why": "What was said about the rota: both floors cannot be staffed.",
        "shift": "adjusted",
        "defends": "with changes",
    },
}

CONTRIBUTION: Example = {
    "replies": [
        {
            "to": "<seat>",
            "claim": "two people cannot run both floors",
            "reply": "Then open one floor: most visitors only want the reading room.",
        }
    ],
    "reasons": "Those who work six days have no other day, and one floor can be staffed.",
    "position": "Open one floor on Sundays for a year.",
}

AGENDA: Example = {
    "agreements": ["Nobody wants to cut weekday hours for children."],
    "issues": [
        {
            "question": "Can Sundays be staffed?",
            "sides": [
                {"seat": "<seat>", "quote": "two people cannot run both floors", "says": "no"},
                {"seat": "<seat2>", "quote": "swap the empty Monday shift", "says": "yes"},
            ],
            "id": "<own>",
        },
        ...,
    ],
}

READING: Example = {
    "quote": "I grant that two people are too few",
    "stance": "narrows",
    "now": "between",
    "between": "yes, for one floor",
    "same_as": None,
    "news": "the upper floor had nine visitors last Sunday",
    "opens": [],
    "overtakes": [],
    "next": {
        "issue": "<issue>",
        "seat": "<seat2>",
        "quote": "the upper floor had nine visitors last Sunday",
        "question": "Would you still refuse to open if only the lower floor did?",
    },
}

SYNTHESIS: Example = {
    "findings": [
        {
            "finding": "One floor can be staffed on Sundays.",
            "seats": ["<seat>", "<seat2>"],
            "basis": "Both said so after the count: “nine visitors last Sunday”.",
        },
        ...,
    ],
    "modifications": ["Open the lower floor only."],
    "unresolved": [
        {
            "question": "Would Sunday visits be new ones?",
            "why": "One expects that they only move; a trial with a count would settle it.",
        }
    ],
    "surprises": ["The upper floor is almost empty on Sundays."],
    "answer": "Yes, for one floor and for a year, if Sunday visits are counted.",
}

CRITIQUE: Example = {
    "checked": "The opening hours and the budget agree with each other.",
    "objections": [
        {
            "id": "<own>",
            "quote": "two librarians will run both floors",
            "reasoning": "The plan counts two people for two floors and a desk. A break or a sick day closes a floor, "
            "and no line of the plan says which.",
            "claim": "The plan does not staff both floors on a Sunday.",
            "check": "Compare the rota in section 2 with the floors in section 4.",
            "change": "Open the lower floor alone.",
            "severity": "serious",
        },
        ...,
    ],
    "recommend": "revise",
}

REPLIES: Example = {
    "replies": [
        {
            "target": "<claim>",
            "quote": "the upper floor stays closed in August",
            "reasoning": "The plan names one month in which a floor may close. It says nothing of other Sundays.",
            "kind": "partial",
            "change": "Say which floor closes when one of the two is missing.",
        },
        ...,
    ],
    "why": "The rota leaves no third person for either floor.",
    "recommend": "revise",
}

RULINGS: Example = {
    "rulings": [
        {
            "about": "<item>",
            "quote": "two librarians will run both floors",
            "reasoning": "Section 4 has two floors and a desk, section 2 two people. No other place names a third.",
            "finding": "holds",
            "severity": "serious",
        },
        ...,
    ]
}

# -- judges and clerk ----------------------------------------------------------------------


def marks(first_mark: str, *, more: bool) -> Example:
    """A row of a sheet: the first mark in full; more follows likewise."""
    first = {
        "quote": "People who work six days cannot come now",
        "reason": "The step is stated, how many they are is not.",
        "score": 7,
    }
    return {"about": "<item>", first_mark: first, **({"and so on": ...} if more else {})}


CLAIMS: Example = {
    "drawn": [
        {
            "quote": "two people cannot run both floors",
            "claim": "The library has too few staff to open fully on Sundays.",
            "issue": None,
        },
        ...,
    ]
}

RELATIONS: Example = {
    "relations": [
        {
            "quote": "I grant that two people are too few",
            "target": "<earlier>",
            "kind": "concede",
            "extent": "point",
            "source": None,
        },
        ...,
    ]
}

STANCES: Example = {
    "stances": [
        {
            "about": "<item>",
            "began": "<option2>",
            "quote": "open the lower floor for a year",
            "condition": "only the lower floor",
            "ends": "<option>",
            "moved_by": "two people cannot run both floors",
        },
        ...,
    ]
}
