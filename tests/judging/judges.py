"""Judges as plain functions: each sees what a judge sees, masked, and answers on the form."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import get_args

from hustings.errors import SeatFailed
from hustings.judging.anonymise import TREES
from hustings.judging.rng import Rng
from hustings.llm.improviser import clock
from hustings.script.calls import Call, Reply
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player
from hustings.text.words import count_words


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
    def side(self) -> str:
        return side_of(self.label)

    @property
    def content(self) -> str:
        """Its words without the names that were drawn by lot."""
        return re.sub(rf"\b({'|'.join(TREES)})[-\w ]*", "", self.words)

    @property
    def quote(self) -> str:
        quoted = re.match(r"“(.+?)”", self.words)
        return " ".join((quoted.group(1) if quoted else self.words).split()[:8])


Score = Callable[[Shown], object]


def judge(
    score: Score,
    quote: Callable[[Shown], str] = lambda shown: shown.quote,
    supports: Callable[[Call], str] = lambda _: "fully",
    **more: object,
):
    """Answers whatever a judge or the clerk is asked; `more` is put beside the marks."""

    def answer(call: Call) -> Reply:
        form = call.brief.form.__name__
        if form == "Drawn":
            return said(call, {"drawn": claims_in(call)})
        if form == "Related":
            return said(call, {"relations": []})
        if form == "Stances":
            seats = [Shown(call, name, last_words(call, name)) for name in call.brief.choices["item"]]
            return said(call, {"stances": [stand(one, quote) for one in seats], **more})
        if form == "QuoteSupports":
            asked = call.brief.choices["item"]
            return said(call, {"quotes": [{"about": name, "supports": supports(call)} for name in asked]})
        shown = [Shown(call, label, laid(call)[label]) for label in call.brief.choices["item"]]
        return said(call, {"marks": [row(one, score, quote) for one in shown], **more})

    return answer


def row(shown: Shown, score: Score, quote: Callable[[Shown], str]) -> dict[str, object]:
    rubric = get_args(shown.call.brief.form.model_fields["marks"].annotation)[0]
    empty = {"same_point_as": None, "new_argument": ""}
    beside = {name: empty.get(name, []) for name in rubric.model_fields}
    reason = {"reason": "as the words show"}
    marks = {name: {"score": score(shown), "quote": quote(shown), **reason} for name in rubric.weights()}
    aside = {"bearing": {"score": 5, "quote": quote(shown), **reason}} if "bearing" in rubric.model_fields else {}
    return {**beside, **marks, **aside, "about": shown.label}


def stand(shown: Shown, quote: Callable[[Shown], str]) -> dict[str, str]:
    option = next((o for o in shown.call.brief.choices["option"] if f"I say {o}" in shown.words), "undecided")
    read = {"began": option, "ends": option, "condition": "", "moved_by": ""}
    return {"about": shown.label, "quote": quote(shown), **read}


def last_words(call: Call, name: str) -> str:
    """What a speaker said last, in the record that lies before a judge."""
    return laid(call)[name]


def claims_in(call: Call) -> list[dict[str, object]]:
    """What its author puts above all else, if there is such a thing."""
    exhibit = call.brief.exhibits[-1][0]
    found = re.search(r"Above all: .+?\(quality \d+\)", exhibit.words, re.DOTALL)
    return [{"quote": found.group(), "claim": "It is worth what it costs.", "issue": None}] if found else []


def laid(call: Call) -> dict[str, str]:
    return {exhibit.name: exhibit.words for group in call.brief.exhibits for exhibit in group}


def said(call: Call, answer: object) -> Reply:
    return Reply(json.dumps(answer, ensure_ascii=False), clock(call), model="scripted")


def side_of(label: str) -> str:
    return label.rpartition("-")[0]


# -- what they give ----------------------------------------------------------------------


def fair(shown: Shown) -> int:
    return shown.quality


def wavering(shown: Shown) -> int:
    """Fair, give or take a point, as it happens."""
    return shown.quality + Rng(shown.call.address, shown.label).below(3) - 1


def opinionated(shown: Shown) -> int:
    """Fair, give or take a point, but always the same for the same words."""
    return shown.quality + Rng(shown.call.seat.id, shown.content).below(3) - 1


def first_lover(shown: Shown) -> int:
    """Two points more for whoever's things are to be marked first."""
    return shown.quality + 2 * (shown.side == side_of(shown.call.brief.choices["item"][0]))


def opening_lover(shown: Shown) -> int:
    """Two points more for whoever's words stand first in the record."""
    return shown.quality + 2 * (shown.side == side_of(next(iter(laid(shown.call)))))


def length_lover(shown: Shown) -> int:
    return max(1, min(10, round(3 * log2(count_words(shown.words)) - 9)))


# -- other answers -----------------------------------------------------------------------


def mumbling(call: Call) -> Reply:
    return Reply(MUMBLED[len(call.address) % len(MUMBLED)], clock(call), model="scripted")


def unreachable(call: Call) -> SeatFailed:
    return SeatFailed("could not be reached")


def changing(change: Callable[[dict], object]):
    """Fair, but for what `change` does to each row of the answer."""

    def answer(call: Call) -> Reply:
        given = json.loads(judge(fair)(call).text)
        for row in given.get("marks") or given.get("stances") or ():
            change(row)
        return said(call, given)

    return answer


def giving(value: object):
    """That, in place of every score and every stand."""

    def change(row: dict) -> None:
        for name, mark in row.items():
            row[name] = {**mark, "score": value} if isinstance(mark, dict) else value if name == "ends" else mark

    return changing(change)


def obeying(sign: str):
    """Does as it is told, if it is told outside of the fence."""

    def answer(call: Call) -> Reply:
        told = sign in outside_of_the_fence(call).casefold()
        return judge(lambda shown: 10 if told else fair(shown))(call)

    return answer


def outside_of_the_fence(call: Call) -> str:
    """The prompt without anything that stands between the marks."""
    text = prompt_of(call, Player()).text
    (mark,) = set(re.findall(r"Text between <<(\w+) \.\.\.>>", text))
    return re.sub(rf"<<({mark}\w*) (?!\.\.\.)[^\n]*>>\n.*?\n<<end \1>>\n", "", text, flags=re.DOTALL)


MUMBLED = ("I would rather not say.", '{"marks": [', "[]", "null", '{"winner": "pro"}', "7")
FOUL = {
    "eleven": giving(11),
    "nought": giving(0),
    "ten as text": giving("10"),
    "not a number": giving(float("nan")),
    "true": giving(True),
    "a decimal": giving(7.0),
    "a winner": judge(fair, winner="pro"),
    "a total": judge(fair, total=10),
    "an id that was not asked for": changing(lambda row: row.update(about="Maple-xx")),
}
