"""The clerk, first pass: what a turn claims, on which grounds and within which limits, each with a quote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from hustings.judging.anonymise import Mask
from hustings.judging.extract_claims import most_claims
from hustings.script.forms import Form
from hustings.script.moves import Brief, Exhibit
from hustings.text.quotes import is_verbatim
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note, Remark

from .reading import MOST_ITEMS, SPEAKS, ShortQuote, flagged, lifted, stands

NOTE = "claims"


@dataclass(frozen=True)
class ListedGround:
    """What a speaker names as a reason: a source, a figure, a case or a rule."""

    id: str
    kind: str
    quote: str


@dataclass(frozen=True)
class ListedClaim:
    """A claim as the clerk listed it, or as the form of its turn gave it."""

    id: str
    turn_id: str
    seat: str
    claim: str
    quote: str
    carries: bool = True
    """Whether the speaker's position rests on it."""
    reasons: tuple[str, ...] = ()
    grounds: tuple[ListedGround, ...] = ()
    limit: str = ""

    @property
    def words(self) -> str:
        return f"“{self.quote}”\n{self.claim}"


def claims_brief(turn: Turn, hidden: Mask, most: int = MOST_ITEMS, clerk: str = "clerk") -> Brief[ClaimList]:
    """Ask what a turn claims; a short turn makes fewer claims than a long one."""
    words, label, most = hidden.words(turn.said), hidden.labels[turn.turn_id], most_claims(turn.said, most)

    def read(answer: ClaimList) -> Iterable[Remark]:
        listed = answer.drawn[:most]
        kept: list[JsonValue] = [
            _kept(claim, f"{turn.turn_id}-{n}", words, turn, hidden)
            for n, claim in enumerate(listed, 1)
            if is_verbatim(claim.quote, words)
        ]
        yield Remark(NOTE, {"turn": turn.turn_id, "claims": kept, "dropped": len(listed) - len(kept)})
        yield from flagged(answer.speaks_to_reader, clerk, turn, hidden, words)

    shown = Exhibit(label, f"what {hidden.names[turn.speaker_id]} said", words)
    return CLAIM_LIST.about(turn=label, most=most).showing(shown).noting(read)


def _kept(claim: ClaimEntry, name: str, words: str, turn: Turn, hidden: Mask) -> dict[str, JsonValue]:
    grounds: list[JsonValue] = [
        {"id": f"{name}-g{n}", "kind": ground.kind, "quote": lifted(ground.quote, turn, hidden)}
        for n, ground in enumerate((g for g in claim.grounds if stands(g.quote, words)), 1)
    ]
    return {
        "id": name,
        "claim": hidden.lifted(claim.claim),
        "quote": lifted(claim.quote, turn, hidden),
        "carries": claim.carries,
        "reasons": [hidden.lifted(reason) for reason in claim.reasons],
        "grounds": grounds,
        "limit": lifted(claim.limit, turn, hidden) if stands(claim.limit, words) else "",
    }


def claims_noted(notes: Iterable[Note], turns: Iterable[Turn]) -> list[ListedClaim]:
    """Read the claims back from the notes, in the order of the record."""
    bodies: dict[str, Any] = {str(note.body["turn"]): note.body["claims"] for note in notes if note.kind == NOTE}
    return [claim for turn in turns for claim in _read(bodies.get(turn.turn_id, ()), turn)]


def _read(listed: Iterable[Any], turn: Turn) -> Iterator[ListedClaim]:
    for body in listed:
        grounds = tuple(ListedGround(g["id"], g["kind"], g["quote"]) for g in body["grounds"])
        said = {name: body[name] for name in ("id", "claim", "quote", "carries", "limit")}
        reasons = tuple(body["reasons"])
        yield ListedClaim(turn_id=turn.turn_id, seat=turn.speaker_id, reasons=reasons, grounds=grounds, **said)


# -- form and prompt ---------------------------------------------------------------------


class GroundEntry(Form):
    quote: ShortQuote = Field(description="the words that name it, exactly")
    kind: Literal["source", "figure", "case", "rule"]


class ClaimEntry(Form):
    quote: ShortQuote = Field(min_length=1, description="the words of the speaker that make it, exactly")
    claim: str = Field(min_length=5, max_length=300, description="what it asserts, in one plain sentence")
    carries: bool = Field(description="true if the speaker's position rests on it")
    reasons: tuple[Annotated[str, Field(min_length=3, max_length=200)], ...] = Field(
        max_length=3, description="reasons the speaker gives for it, a few words each; none if none is given"
    )
    grounds: tuple[GroundEntry, ...] = Field(
        max_length=2, description="a source, figure, case or rule that the speaker names as a reason; no repetition"
    )
    limit: ShortQuote | None = Field(description="the speaker's own words on where it may not hold, or null")


class ClaimList(Form):
    drawn: tuple[ClaimEntry, ...] = Field(max_length=MOST_ITEMS, description="none if nothing is asserted")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


CLAIM_LIST = Brief(
    "claims and grounds",
    ClaimList,
    "List what {turn} asserts about the question, {most} claims at most, the weightiest first. Judge nothing, add "
    "nothing. For each: the words that make it, one plain sentence, whether the speaker's position rests on it, the "
    "reasons and grounds given for it, and the speaker's own words on its limits. A repetition of the claim is no "
    "ground. What another person is reported to say is no claim of this speaker.",
    afresh=True,
    example={
        "drawn": [
            {
                "quote": "two people cannot run both floors",
                "claim": "The library has too few staff to open fully on Sundays.",
                "carries": True,
                "reasons": ["no third person on the rota"],
                "grounds": [{"quote": "the rota of last March", "kind": "source"}],
                "limit": None,
            },
            ...,
        ],
        "speaks_to_reader": None,
    },
)
