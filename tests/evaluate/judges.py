"""Judges as plain functions: each sees what a judge sees, masked, and answers on the form."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import get_args

from hustings.core.calls import Call, Reply
from hustings.core.prompt import prompt_of
from hustings.core.seats import Player
from hustings.core.words import count_words
from hustings.evaluate.chance import Chance
from hustings.llm.improviser import clock


@dataclass(frozen=True)
class Shown:
    """One thing that is to be marked, as it lies before a judge."""

    call: Call
    label: str
    words: str

    @property
    def quality(self) -> int:
        """What a fair judge gives: the number planted in the words."""
        found = re.search(r"\(quality (\d+)\)", self.words)
        return int(found.group(1)) if found else 5

    @property
    def is_of_the_first_side(self) -> bool:
        return side_of(self.label) == side_of(self.call.brief.choices["item"][0])

    @property
    def content(self) -> str:
        """Its words without the labels that were drawn by lot."""
        return re.sub(r"\[[^\]]*\]", "", self.words)

    @property
    def quote(self) -> str:
        quoted = re.match(r"“(.+?)”", self.words)
        return " ".join((quoted.group(1) if quoted else self.words).split()[:8])


Score = Callable[[Shown], object]


def judge(score: Score, quote: Callable[[Shown], str] = lambda shown: shown.quote, **more: object):
    """Answers whatever a judge or the clerk is asked; `more` is put beside the marks."""

    def answer(call: Call) -> Reply:
        form = call.brief.form.__name__
        if form == "Drawn":
            return said(call, {"drawn": claims_in(call)})
        if form == "Related":
            return said(call, {"relations": []})
        shown = [Shown(call, label, laid(call)[label]) for label in call.brief.choices["item"]]
        if form == "Stances":
            return said(call, {"stances": [stand(one, quote) for one in shown]})
        return said(call, {"marks": [row(one, score, quote) for one in shown], **more})

    return answer


def row(shown: Shown, score: Score, quote: Callable[[Shown], str]) -> dict[str, object]:
    rubric = get_args(shown.call.brief.form.model_fields["marks"].annotation)[0]
    beside = {name: None if name == "same_point_as" else [] for name in rubric.model_fields}
    marks = {name: {"score": score(shown), "quote": quote(shown)} for name in rubric.weights()}
    return {**beside, **marks, "about": shown.label}


def stand(shown: Shown, quote: Callable[[Shown], str]) -> dict[str, str]:
    option = next((o for o in shown.call.brief.choices["option"] if f"I say {o}" in shown.words), "undecided")
    return {"about": shown.label, "stands": option, "quote": quote(shown)}


def claims_in(call: Call) -> list[dict[str, str]]:
    """What its author puts above all else, if there is such a thing."""
    ((exhibit,),) = call.brief.exhibits
    found = re.search(r"Above all: .+?\(quality \d+\)", exhibit.words, re.DOTALL)
    return [{"claim": "It is worth what it costs.", "quote": found.group()}] if found else []


def laid(call: Call) -> dict[str, str]:
    return {exhibit.name: exhibit.words for group in call.brief.exhibits for exhibit in group}


def said(call: Call, answer: object) -> Reply:
    return Reply(json.dumps(answer, ensure_ascii=False), clock(call), model="scripted")


def side_of(label: str) -> str:
    return label.rpartition("-")[0]


# -- the family --------------------------------------------------------------------------


def fair(shown: Shown) -> int:
    return shown.quality


def wavering(shown: Shown) -> int:
    """Fair, give or take a point; the same words in the same place are always marked the same."""
    return shown.quality + Chance(shown.call.address, shown.content).below(3) - 1


def first_lover(shown: Shown) -> int:
    return shown.quality + 2 * shown.is_of_the_first_side


def length_lover(shown: Shown) -> int:
    return max(1, min(10, round(3 * log2(count_words(shown.words)) - 9)))


def outside_of_the_fence(call: Call) -> str:
    """The prompt without anything that stands between the marks."""
    text = prompt_of(call, Player()).text
    (mark,) = set(re.findall(r"Text between <<(\w+) \.\.\.>>", text))
    head, *rest = text.split(f"<<{mark} ")
    # The first time the mark is only named, in the rules.
    return head + rest[0] + "".join(part.partition(f"<<end {mark}>>\n")[2] for part in rest[1:])
