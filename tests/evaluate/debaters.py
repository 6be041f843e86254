"""Debaters whose words are planned: every text carries its quality as a number that a fair judge can read."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from hustings.core.calls import Reply
from hustings.core.errors import SeatFailed
from hustings.core.words import count_words
from hustings.evaluate.chance import Chance
from hustings.llm.improviser import clock
from hustings.run.registry import find_protocol
from hustings.run.rehearse import rehearse
from hustings.run.staging import plan

TOPIC = "Should a town close its centre to cars?"


@dataclass(frozen=True)
class Voice:
    """What a side or a seat says, how good it is, and where it stands."""

    seed: str
    quality: tuple[int, ...] = (6,)
    """Of its texts, in turn."""
    stand: str = ""
    yields: bool = False
    """Gives in when it is asked."""
    added: str = ""
    """Put behind every text."""
    padded: bool = False
    """Every text is three times as long, and says no more."""

    def says(self, key: str, n: int = 0) -> str:
        chance = Chance(self.seed, key, n)
        told = f"{chance.choice(WHO)} {chance.choice(DOES)} {chance.choice(WHEN)}."
        weightier = "Above all: " if key.split()[-1] in FIRST_WORDS else "I give in. " if key == ANSWER and self.yields else ""
        return self.at_length(f"{weightier}{told} (quality {self.quality[n % len(self.quality)]}) {self.stand}".strip())

    def at_length(self, text: str) -> str:
        words = 3 * count_words(text) if self.padded else 0
        while count_words(text) < words:
            text += f" {FILLER}"
        return f"{text} {self.added}".strip()


@cache
def held(protocol: str, voices: tuple[Voice, ...]):
    """The debate, played to its end; the seats take the voices in turn, teams and sides one each."""
    debate = plan(find_protocol(protocol), TOPIC, settings=SMALL[protocol], model="scripted")
    played = rehearse(debate, speaking(voices))
    assert played.proceedings.ending.kind == "played", played.proceedings.ending
    return played


def speaking(voices: Sequence[Voice]):
    def answer(call):
        if call.seat.role == "judge" or call.brief.name in {"complexity", "ruling", "synthesis", "plan"}:
            return SeatFailed("has nothing to say")
        voice, place = voices[_turn_of(call) % len(voices)], call.seat.id.rpartition("_")[2] if call.seat.team else ""
        spoke = sum(turn.speaker_id == call.seat.id for turn in call.knowledge.turns)
        key = f"{place} {call.brief.name}".strip()
        form = FORMS.get((call.scene.protocol, call.brief.name))
        said = voice.says(key, spoke) if form is None else json.dumps(form(call, voice, key), ensure_ascii=False)
        return Reply(said, clock(call), model="scripted")

    return answer


def _turn_of(call) -> int:
    """Which voice a seat has: that of its side, or that of its place at the table."""
    side = call.seat.team or (call.seat.role if call.seat.role in {"pro", "con"} else "")
    others = [seat.id for seat in call.scene.seats if seat.role != "moderator"]
    return ("pro", "con").index(side) if side else others.index(call.seat.id) if call.seat.id in others else 0


# -- forms -------------------------------------------------------------------------------


def _opening(call, voice, key):
    mine = call.brief.choices["own"][0]
    return {
        "arguments": [
            {
                "id": f"{mine}-{n}",
                "claim": voice.at_length(f"{Chance(voice.seed, n).choice(WHO)} is better off without cars."),
                "reasoning": voice.says(key, n),
                "evidence": voice.at_length(f"a count of {100 + n} days"),
            }
            for n in range(1, 4)
        ]
    }


def _cross(call, voice, key):
    return {
        "responses": [
            {
                "target": target,
                "kind": ("refute", "challenge", "partial")[n % 3],
                "reasoning": voice.says(key, n),
                "follow_ups": ["Who counted that, and when?"],
            }
            for n, target in enumerate(call.brief.choices["claim"])
        ]
    }


def _closing(call, voice, key):
    answers = [{"question": q, "answer": voice.says(key, n)} for n, q in enumerate(call.brief.choices["question"])]
    stand = {"position": voice.says("stand"), "shift": "unchanged", "why": "nothing new came up"}
    return {"answers": answers, "concessions": [], "unrebutted": [], "stand": stand}


def _questions(call, voice, key):
    return {"to": call.brief.choices["seat"][0], "questions": ["Who counted?", "When was that?", voice.says(key)]}


def _position(call, voice, key):
    stance = {"yes": "for", "no": "against"}.get(voice.stand.rstrip(".").rpartition(" ")[2], "undecided")
    return {"text": voice.says(key), "stance": stance}


def _agenda(call, voice, key):
    """The first two who say different things contradict each other; nobody does who says the same."""
    said = {turn.speaker_id: turn.said for turn in call.knowledge.turns}
    for_it, against = ([seat for seat in said if word in said[seat]] for word in ("I say yes", "I say no"))
    sides = [("yes", for_it), ("no", against)]
    issue = {
        "id": "D-1",
        "question": "Is it worth its price?",
        "sides": [{"seat": seats[0], "says": says, "quote": _quote(said[seats[0]])} for says, seats in sides if seats],
    }
    return {"agreements": [], "issues": [issue] if for_it and against else []}


def _route(call, voice, key):
    """To whoever spoke longest ago, on what was said last."""
    may = call.brief.choices["seat"]
    said = [(turn.speaker_id, turn.said) for turn in call.knowledge.turns if turn.speaker_id in may]
    (last, words), latest = said[-1], {seat: n for n, (seat, _) in enumerate(said)}
    asked = min((seat for seat in latest if seat != last), key=lambda seat: latest[seat])
    return {
        "issue": call.brief.choices["issue"][0],
        "seat": asked,
        "quote": _quote(words),
        "question": "What do you say to that?",
    }


def _reading(call, voice, key):
    last = call.knowledge.turns[-1].said
    verdict = "agreed" if "I give in" in last else "restated"
    return {"verdict": verdict, "quote": _quote(last), "next": _route(call, voice, key)}


def _quote(words: str) -> str:
    return " ".join(words.split()[:6])


FORMS = {
    ("structured", "opening"): _opening,
    ("structured", "cross-examination"): _cross,
    ("structured", "closing"): _closing,
    ("competition", "questions"): _questions,
    ("adaptive", "position"): _position,
    ("moderated", "agenda"): _agenda,
    ("moderated", "routing"): _route,
    ("moderated", "reading"): _reading,
}
SMALL = {
    "structured": {"answer_words": 200},
    "competition": {"free_words": 200},
    "roundtable": {"rounds": 1},
    "adaptive": {"max_rounds": 1},
    "moderated": {"panelists": 3, "max_exchanges": 4},
}
ANSWER = "answer"
FIRST_WORDS = ("opening", "position", "contribution")
WHO = ("The market", "A bakery nearby", "Every bus line", "The evening trade", "Each small side street")
DOES = ("drew visitors", "lost an hour", "kept its customers", "became quieter", "needed far fewer repairs")
WHEN = ("last year", "after the trial", "while it rained", "as two people counted", "since")
FILLER = "So to speak, as it were."
