"""The clerk, second pass: which claims make the same point, which grounds are the same, and who answers whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, JsonValue

from hustings.judging.anonymise import Mask
from hustings.judging.extract_claims import kind_of
from hustings.script.forms import Form, ItemId, Objection
from hustings.script.moves import Brief, Exhibit
from hustings.text.quotes import is_verbatim
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note, Remark

from .claim_listing import ListedClaim, ListedGround
from .reading import MOST_ITEMS, SPEAKS, EarlierClaim, EarlierGround, GroundHere, ShortQuote, flagged, lifted

NOTE = "points"


@dataclass(frozen=True)
class ClaimRelation:
    """What a turn does to a claim of an earlier one."""

    turn_id: str
    seat: str
    target: str
    kind: str
    """refute, challenge, partial, concede, withdraw, support or answer."""
    quote: str
    source: str = ""
    """The claim of the turn that carries it, if there is one."""


@dataclass(frozen=True)
class Matches:
    """Which things are the same over the whole debate, and how turns relate."""

    same_point: Mapping[str, str]
    """Claim to the earlier claim that makes the same point."""
    same_ground: Mapping[str, str]
    """Ground to the earlier ground that is the same."""
    relations: tuple[ClaimRelation, ...] = ()
    dropped: int = 0


def match_brief(
    turn: Turn,
    here: Sequence[ListedClaim],
    earlier: Sequence[ListedClaim],
    heard: Collection[str],
    hidden: Mask,
    sides: Mapping[str, str],
) -> Brief[MatchList] | None:
    """Ask what of a turn was said before; None if nothing was. `heard` are the turns that its speaker knew."""
    mine = {f"here-{n}": claim for n, claim in enumerate(here[:MOST_ITEMS], 1)}
    before = {f"before-{n}": claim for n, claim in enumerate(earlier, 1)}
    if not before:
        return None
    own = {f"here-g{n}": g for n, g in enumerate([g for c in here for g in c.grounds][:MOST_ITEMS], 1)}
    known = {f"before-g{n}": g for n, g in enumerate([g for c in earlier for g in c.grounds], 1)}
    words, label = hidden.words(turn.said), hidden.labels[turn.turn_id]
    name = hidden.names[turn.speaker_id]

    def read(answer: MatchList) -> Iterable[Remark]:
        kept: dict[str, JsonValue] = {}
        for relation in answer.relations:
            target = before[relation.target]
            kind = kind_of(relation.kind, own=sides[target.seat] == sides[turn.speaker_id])
            if kind and target.turn_id in heard and is_verbatim(relation.quote, words):
                body: dict[str, JsonValue] = {"target": target.id, "kind": kind}
                body["source"] = mine[relation.source].id if relation.source else ""
                kept.setdefault(f"{target.id} {kind}", {**body, "quote": lifted(relation.quote, turn, hidden)})
        points = {mine[p.claim].id: before[p.same_point].id for p in answer.points if p.same_point}
        grounds = {own[g.ground].id: known[g.same_ground].id for g in answer.grounds if g.same_ground}
        body = {"turn": turn.turn_id, "points": {**points}, "grounds": {**grounds}, "relations": [*kept.values()]}
        yield Remark(NOTE, {**body, "dropped": len(answer.relations) - len(kept)})
        yield from flagged(answer.speaks_to_reader, "clerk", turn, hidden, words)

    listed = [*_claims(before, hidden, f"made before {label}"), *_grounds(known, hidden, f"named before {label}")]
    own_list = [*_claims(mine, hidden, f"made in {label}"), *_grounds(own, hidden, f"named in {label}")]
    return (
        MATCH.about(turn=label)
        .showing(*listed, *own_list, Exhibit(label, f"what {name} said", words))
        .offering(item=mine, earlier=before, ground=own, source=known)
        .noting(read)
    )


def _claims(claims: Mapping[str, ListedClaim], hidden: Mask, when: str) -> list[Exhibit]:
    return [
        Exhibit(label, f"claim of {hidden.names[claim.seat]}, {when}", hidden.words(claim.words))
        for label, claim in claims.items()
    ]


def _grounds(grounds: Mapping[str, ListedGround], hidden: Mask, when: str) -> list[Exhibit]:
    return [Exhibit(label, f"{one.kind}, {when}", hidden.words(one.quote)) for label, one in grounds.items()]


def matches_noted(notes: Iterable[Note], turns: Iterable[Turn]) -> Matches:
    """Read what is the same and who answers whom back from the notes, in the order of the record."""
    bodies: dict[str, Any] = {str(note.body["turn"]): note.body for note in notes if note.kind == NOTE}
    points, grounds, relations, dropped = dict[str, str](), dict[str, str](), list[ClaimRelation](), 0
    for turn in turns:
        if body := bodies.get(turn.turn_id):
            points |= body["points"]
            grounds |= body["grounds"]
            dropped += body["dropped"]
            relations += [
                ClaimRelation(turn.turn_id, turn.speaker_id, r["target"], r["kind"], r["quote"], r["source"])
                for r in body["relations"]
            ]
    return Matches(points, grounds, tuple(relations), dropped)


# -- form and prompt ---------------------------------------------------------------------


class SamePoint(Form):
    claim: ItemId = Field(description="a claim made here")
    same_point: EarlierClaim | None = Field(description="the earlier claim that makes the same point, or null")


class SameGround(Form):
    ground: GroundHere = Field(description="a ground named here")
    same_ground: EarlierGround | None = Field(description="the earlier ground that is the same one, or null")


class RelationFound(Form):
    quote: ShortQuote = Field(min_length=1, description="the words of this speaker that show it, exactly")
    target: EarlierClaim = Field(description="the earlier claim it speaks to")
    kind: Literal[Objection, "concede", "withdraw", "support", "answer"] = Field(
        description="refute: says that a fact or step of it is wrong; challenge: that it is not shown; partial: that "
        "its core holds and the rest does not; concede: accepts it; withdraw: takes back the speaker's own claim; "
        "support: gives a further reason for it; answer: defends the speaker's own claim"
    )
    source: ItemId | None = Field(description="the claim made here that carries it, or null")


class MatchList(Form):
    points: tuple[SamePoint, ...] = Field(max_length=MOST_ITEMS)
    grounds: tuple[SameGround, ...] = Field(max_length=MOST_ITEMS)
    relations: tuple[RelationFound, ...] = Field(
        max_length=MOST_ITEMS, description="only what the words show; none if they show none"
    )
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


MATCH = Brief(
    "same points and relations",
    MatchList,
    "For each claim of {turn}: which earlier claim makes the same point, made by any speaker? Two claims make the same "
    "point if accepting one means accepting the other; another reason for the same conclusion is another point. For "
    "each ground: which earlier ground is the same source, figure or case? Then say which earlier claims {turn} "
    "refutes, challenges, accepts in part, concedes, withdraws, supports or defends, with the words that show it.",
    afresh=True,
    example={
        "points": [{"claim": "<item>", "same_point": None}, ...],
        "grounds": [{"ground": "<ground>", "same_ground": "<source>"}, ...],
        "relations": [
            {
                "quote": "I grant that two people are too few",
                "target": "<earlier>",
                "kind": "concede",
                "source": None,
            }
        ],
        "speaks_to_reader": None,
    },
)
