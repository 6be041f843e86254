"""Extracts claims from a debate in plain words: a clerk lists them turn by turn, each with a quote.

A claim whose quote is not in its turn word for word is dropped and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from hustings.script.debate import Proceedings, Seat
from hustings.script.forms import Form, ItemId, Objection, Quote
from hustings.script.moves import Brief, Exhibit, or_none
from hustings.script.stage import Stage
from hustings.text.quotes import is_quoted, is_verbatim
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note, Remark

from .anonymise import Mask, mask
from .arguments import Argumentation, Claim, ClaimResponse, sides, speeches


async def extract_claims(stage: Stage[Any], judged: Proceedings, clerk: Seat, seed: str, *, most: int) -> Argumentation:
    """Ask first what each turn claims, all turns in parallel; then how each claim bears on earlier ones."""
    transcript = judged.transcript
    turns, seats = speeches(transcript), sides(transcript)
    hidden = mask(transcript, {turn.turn_id: seats[turn.speaker_id] for turn in turns}, seed, clerk.id)
    await stage.together(*(or_none(stage.consult(clerk, _claims(turn, hidden, most))) for turn in turns))
    found = drawn(judged, stage.recorder.notes)
    later = [turn for n, turn in enumerate(turns) if n and _of(found.claims, turn)]
    await stage.together(
        *(or_none(stage.consult(clerk, brief)) for turn in later if (brief := _relations(turn, turns, found, hidden)))
    )
    return drawn(judged, stage.recorder.notes)


def _claims(turn: Turn, hidden: Mask, most: int) -> Brief[Drawn]:
    words = hidden.words(turn.said)

    def kept(answer: Drawn) -> Iterable[Remark]:
        claims: list[JsonValue] = [
            {"id": f"{turn.turn_id}-{n}", "claim": hidden.lifted(c.claim), "quote": _quoted(c.quote, turn, hidden)}
            for n, c in enumerate(answer.drawn[:most], 1)
            if _proves(c.quote, words)
        ]
        dropped = len(answer.drawn[:most]) - len(claims)
        yield Remark("drawn", {"turn": turn.turn_id, "claims": claims, "dropped": dropped})

    label = hidden.labels[turn.turn_id]
    return (
        CLAIMS.about(turn=label, most=most)
        .showing(Exhibit(label, f"what {hidden.names[turn.speaker_id]} said", words))
        .noting(kept)
    )


def _relations(turn: Turn, turns: Sequence[Turn], found: Argumentation, hidden: Mask) -> Brief[Related] | None:
    before = {other.turn_id for other in turns[: turns.index(turn)]}
    mine = {f"here-{n}": claim for n, claim in enumerate(_of(found.claims, turn), 1)}
    theirs = {f"before-{n}": claim for n, claim in enumerate((c for c in found.claims if c.turn_id in before), 1)}
    if not theirs:
        return None
    words = hidden.words(turn.said)

    def kept(answer: Related) -> Iterable[Remark]:
        taken: dict[tuple[str, str], JsonValue] = {}
        for r in answer.relations:
            source, target = mine[r.source].id, theirs[r.target].id
            if _proves(r.quote, words):
                ends = {"id": f"{source}>{target}", "source": source, "target": target}
                taken.setdefault((source, target), {**ends, "kind": r.kind, "quote": _quoted(r.quote, turn, hidden)})
        dropped = sum(not _proves(r.quote, words) for r in answer.relations)
        yield Remark("related", {"turn": turn.turn_id, "relations": list(taken.values()), "dropped": dropped})

    label = hidden.labels[turn.turn_id]
    return (
        RELATIONS.about(turn=label)
        .showing(*_listed(theirs, hidden, "made before"))
        .showing(Exhibit(label, f"what {hidden.names[turn.speaker_id]} said", words))
        .showing(*_listed(mine, hidden, f"made in {label}"))
        .offering(item=mine, earlier=theirs)
        .noting(kept)
    )


def _proves(quote: str, words: str) -> bool:
    """Whether a quote is verbatim, and not so short that it could occur anywhere."""
    return is_verbatim(quote, words) and is_quoted(quote, [words])


def _quoted(quote: str, turn: Turn, hidden: Mask) -> str:
    return hidden.lifted(quote, turn.said).strip('“”"')


def _listed(claims: Mapping[str, Claim], hidden: Mask, when: str) -> list[Exhibit]:
    return [
        Exhibit(label, f"claim of {hidden.names[claim.seat]}, {when}", hidden.words(claim.words))
        for label, claim in claims.items()
    ]


def _of(claims: Iterable[Claim], turn: Turn) -> list[Claim]:
    return [claim for claim in claims if claim.turn_id == turn.turn_id]


def drawn(proceedings: Proceedings, notes: Iterable[Note]) -> Argumentation:
    """Read the claims and relations that the clerk extracted back from the notes."""
    seats, said = sides(proceedings.transcript), {turn.turn_id: turn for turn in speeches(proceedings.transcript)}
    claims, responses, dropped = dict[str, Claim](), list[ClaimResponse](), 0
    notes = list(notes)
    for body in _bodies(notes, "drawn"):
        turn = said[body["turn"]]
        dropped += body["dropped"]
        for claim in body["claims"]:
            seat = turn.speaker_id
            words = f"“{claim['quote']}”\n{claim['claim']}"
            claims[claim["id"]] = Claim(
                claim["id"], seat, seats[seat], turn.turn_id, claim["claim"], words, claim["quote"]
            )
    for body in _bodies(notes, "related"):
        dropped += body["dropped"]
        for relation in body["relations"]:
            source, target = claims[relation["source"]], claims[relation["target"]]
            responses.append(
                ClaimResponse(
                    relation["id"],
                    relation["kind"],
                    target.id,
                    source.seat,
                    source.side,
                    source.turn_id,
                    relation["quote"],
                    source=source.id,
                    owner=source.side == target.side,
                )
            )
    return Argumentation(tuple(claims.values()), tuple(responses), dropped)


def _bodies(notes: Iterable[Note], kind: str) -> list[Mapping[str, Any]]:
    return [note.body for note in notes if note.kind == kind]


# -- forms and prompts -------------------------------------------------------------------

Earlier = Annotated[str, Field(json_schema_extra={"x-choice": "earlier"})]


class DrawnClaim(Form):
    claim: str = Field(min_length=5, max_length=300, description="what it asserts, in one plain sentence")
    quote: Quote = Field(min_length=1, max_length=300, description="the words of the speaker that make it, exactly")


class Drawn(Form):
    drawn: tuple[DrawnClaim, ...] = Field(max_length=4, description="none if nothing is asserted")


class Relation(Form):
    source: ItemId = Field(description="the claim made here")
    target: Earlier = Field(description="the earlier claim it bears on")
    kind: Literal[Objection, "concede", "support"] = Field(
        description="refute: says it errs in fact or logic; challenge: says its evidence or conditions do not suffice; "
        "partial: accepts its core but not its extent; concede: accepts what another claimed, or takes back a claim of "
        "the speaker's own side; support: gives a further reason for it"
    )
    quote: Quote = Field(min_length=1, max_length=300, description="the words of this speaker that show it, exactly")


class Related(Form):
    relations: tuple[Relation, ...] = Field(
        max_length=12, description="only what the words show; none if there is none"
    )


CLAIMS = Brief(
    "claims",
    Drawn,
    "List what {turn} asserts about the question: the claims that carry it, {most} at most, the weightiest first. "
    "Questions, greetings and manners are no claims. Quote each word for word.",
    afresh=True,
)

RELATIONS = Brief(
    "relations",
    Related,
    "Say how the claims made in {turn} bear on the earlier ones: which they refute, challenge, accept in part, concede "
    "or support. Saying the same again is none of these. Take only what the words show, and quote them.",
    afresh=True,
)
