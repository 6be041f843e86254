"""Extracts claims from a debate in plain words: a clerk lists them turn by turn, each with a quote.

A claim whose quote is not in its turn word for word is dropped and counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from hustings.script.debate import Proceedings
from hustings.script.examples import Example
from hustings.script.forms import OBJECTIONS, Form, IssueId, ItemId, Objection, Quote
from hustings.script.moves import Brief, Exhibit, or_none
from hustings.script.seats import Seat
from hustings.script.stage import Stage
from hustings.text.quotes import is_verbatim
from hustings.text.words import count_words
from hustings.transcript.models import Transcript, Turn
from hustings.transcript.notes import Note, Remark

from .anonymise import Mask, mask
from .arguments import Argumentation, Claim, ClaimResponse, sides, speeches


async def extract_claims(stage: Stage[Any], judged: Proceedings, clerk: Seat, seed: str, *, most: int) -> Argumentation:
    """Ask first what each turn claims, all turns in parallel; then how each turn bears on earlier claims."""
    transcript = judged.transcript
    turns, seats = speeches(transcript), sides(transcript)
    hidden = mask(transcript, {turn.turn_id: seats[turn.speaker_id] for turn in turns}, seed, clerk.id)
    asked, issues = _questions(transcript), issues_of(judged.notes)
    await stage.together(*(or_none(stage.consult(clerk, _claims(turn, hidden, most, asked, issues))) for turn in turns))
    found = drawn(judged, stage.recorder.notes)
    await stage.together(
        *(
            or_none(stage.consult(clerk, brief))
            for turn in turns
            if (brief := _relations(turn, heard_before(transcript, turn), found, hidden, seats))
        )
    )
    return drawn(judged, stage.recorder.notes)


def most_claims(words: str, most: int) -> int:
    """A short turn makes fewer claims than a long one."""
    return max(1, min(most, -(-count_words(words) // WORDS_PER_CLAIM)))


def heard_before(transcript: Transcript, turn: Turn) -> frozenset[str]:
    """Turns that a speaker had heard: those before its own, without those of its round that were said at once."""
    spoken = [other for other in transcript.turns if other.said]
    before = spoken[: next(n for n, other in enumerate(spoken) if other.turn_id == turn.turn_id)]
    blind = {r.round_index for r in transcript.rounds if r.transcript_visibility in {"isolated", "prior_round_only"}}
    here = turn.round_index if turn.round_index in blind else None
    return frozenset(other.turn_id for other in before if other.round_index != here)


def _questions(transcript: Transcript) -> dict[str, str]:
    """Turn to the chair's question that it answers: the words of a seat without a side just before it."""
    seats, asked, last = sides(transcript), dict[str, str](), ""
    for turn in transcript.turns:
        if turn.speaker_id not in seats:
            last = turn.said
        elif last:
            asked[turn.turn_id], last = last, ""
    return asked


def issues_of(notes: Iterable[Note]) -> dict[str, str]:
    """Issue to its question: those of the agenda, then those that readings opened, numbered as the docket does."""
    found: dict[str, str] = {}
    for note in notes:
        listed = note.body.get("issues" if note.kind == "agenda" else "opens")
        for issue in listed if note.kind in {"agenda", "reading"} and isinstance(listed, list) else ():
            if isinstance(issue, dict):
                last = max((int(n) for name in found if (n := name.rpartition("-")[2]).isdigit()), default=0)
                found[str(issue.get("id") or f"D-{last + 1}")] = str(issue.get("question"))
    return found


def _claims(turn: Turn, hidden: Mask, most: int, asked: Mapping[str, str], issues: Mapping[str, str]) -> Brief[Drawn]:
    words, most = hidden.words(turn.said), most_claims(turn.said, most)

    def kept(answer: Drawn) -> Iterable[Remark]:
        claims: list[JsonValue] = [
            {
                "id": f"{turn.turn_id}-{n}",
                "claim": hidden.lifted(c.claim),
                "quote": _quoted(c.quote, turn, hidden),
                **({"issue": c.issue} if c.issue else {}),
            }
            for n, c in enumerate(answer.drawn[:most], 1)
            if _proves(c.quote, words)
        ]
        dropped = len(answer.drawn[:most]) - len(claims)
        yield Remark("drawn", {"turn": turn.turn_id, "claims": claims, "dropped": dropped})

    label = hidden.labels[turn.turn_id]
    brief = CLAIMS.about(turn=label, most=most).offering(issue=issues)
    if issues:
        listed = "\n".join(f"{issue}: {hidden.words(question)}" for issue, question in issues.items())
        brief = brief.showing(Exhibit("issues", "what the debate turned on", listed))
    if turn.turn_id in asked:
        question = Exhibit(f"{label}, question", "what the chair had asked", hidden.words(asked[turn.turn_id]))
        brief = brief.showing(question)
    return brief.showing(Exhibit(label, f"what {hidden.names[turn.speaker_id]} said", words)).noting(kept)


def _relations(
    turn: Turn, heard: Collection[str], found: Argumentation, hidden: Mask, seats: Mapping[str, str]
) -> Brief[Related] | None:
    mine = {f"here-{n}": claim for n, claim in enumerate(_of(found.claims, turn), 1)}
    before = dict.fromkeys(claim.turn_id for claim in found.claims)
    spoken = list(before)[: list(before).index(turn.turn_id)] if turn.turn_id in before else list(heard)
    earlier = [claim for claim in found.claims if claim.turn_id in {*spoken, *heard}]
    theirs = {f"before-{n}": claim for n, claim in enumerate(earlier, 1)}
    if not theirs:
        return None
    words, side = hidden.words(turn.said), seats[turn.speaker_id]

    def kept(answer: Related) -> Iterable[Remark]:
        taken: dict[str, JsonValue] = {}
        dropped = 0
        for r in answer.relations:
            target = theirs[r.target]
            kind = kind_of(r.kind, own=target.side == side)
            unheard = kind != "agree" and target.turn_id not in heard
            if not kind or unheard or not _proves(r.quote, words):
                dropped += 1
                continue
            source = mine[r.source].id if r.source else ""
            body: dict[str, JsonValue] = {"id": f"{turn.turn_id}>{target.id} {kind}", "turn": turn.turn_id}
            body |= {"source": source, "target": target.id, "kind": kind, "quote": _quoted(r.quote, turn, hidden)}
            body |= {"extent": r.extent or "core"} if kind in {"concede", "withdraw"} else {}
            body |= {"extent": "point"} if (kind, r.extent) == ("agree", "point") else {}
            taken.setdefault(str(body["id"]), body)
        yield Remark("related", {"turn": turn.turn_id, "relations": list(taken.values()), "dropped": dropped})

    label = hidden.labels[turn.turn_id]
    brief = (
        RELATIONS.about(turn=label)
        .showing(*_listed(theirs, hidden, "made before"))
        .showing(Exhibit(label, f"what {hidden.names[turn.speaker_id]} said", words))
        .offering(item=mine, earlier=theirs)
        .noting(kept)
    )
    return brief.showing(*_listed(mine, hidden, f"made in {label}")) if mine else brief


def kind_of(kind: str, *, own: bool) -> str:
    """What a relation is by whose claim it is about; empty if it makes no sense.

    One concedes what others claimed and withdraws what is one's own; an answer defends one's own claim.
    """
    if kind in {"concede", "withdraw"}:
        return "withdraw" if own else "concede"
    if kind == "support" or (kind == "agree" and not own):
        return kind
    return kind if own == (kind == "answer") else ""


def _proves(quote: str, words: str) -> bool:
    """Whether a quote is verbatim, and not so short that it could occur anywhere."""
    return is_verbatim(quote, words)


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
    claims, dropped = dict[str, Claim](), 0
    notes = list(notes)
    for body in _bodies(notes, "drawn"):
        turn = said[body["turn"]]
        dropped += body["dropped"]
        for claim in body["claims"]:
            seat = turn.speaker_id
            words = f"“{claim['quote']}”\n{claim['claim']}"
            claims[claim["id"]] = Claim(
                claim["id"],
                seat,
                seats[seat],
                turn.turn_id,
                claim["claim"],
                words,
                claim["quote"],
                issue=claim.get("issue", ""),
            )
    # In the order of the debate, so that an answer comes after what it answers.
    order = list(said)
    bodies = sorted(_bodies(notes, "related"), key=lambda body: order.index(body["turn"]))
    dropped += sum(body["dropped"] for body in bodies)
    relations = [relation for body in bodies for relation in body["relations"]]
    return Argumentation(tuple(claims.values()), tuple(_related(relations, claims, proceedings.transcript)), dropped)


def _related(
    relations: Iterable[Mapping[str, Any]], claims: Mapping[str, Claim], transcript: Transcript
) -> Iterator[ClaimResponse]:
    """Responses in the order of the debate; an answer is one to every objection that its speaker had heard."""
    said, seats = {turn.turn_id: turn for turn in speeches(transcript)}, sides(transcript)
    heard = {turn_id: heard_before(transcript, turn) for turn_id, turn in said.items()}
    objections: dict[str, list[ClaimResponse]] = {}
    for relation in relations:
        target = claims[relation["target"]]
        turn = said[relation["turn"]]
        seat, side = turn.speaker_id, seats[turn.speaker_id]
        response = ClaimResponse(
            relation["id"],
            relation["kind"],
            target.id,
            seat,
            side,
            turn.turn_id,
            relation["quote"],
            source=relation["source"],
            owner=side == target.side,
            extent=relation.get("extent", ""),
            drawn=True,
            answerable=any(
                turn.turn_id in heard[later] for later, other in said.items() if other.speaker_id == target.seat
            ),
        )
        if response.kind == "answer":
            for objection in (o for o in objections.get(target.id, ()) if o.turn_id in heard[turn.turn_id]):
                yield replace(response, id=f"{turn.turn_id}>{objection.id}", target=objection.id)
        else:
            if response.kind in OBJECTIONS:
                objections.setdefault(target.id, []).append(response)
            yield response
            if response.kind == "agree" and response.source:
                yield _mirrored(response, target, claims[response.source])


def _mirrored(agreement: ClaimResponse, target: Claim, source: Claim) -> ClaimResponse:
    """Two who say the same bear each other out."""
    return replace(
        agreement,
        id=f"{target.turn_id}>{source.id} agree",
        target=source.id,
        seat=target.seat,
        side=target.side,
        turn_id=target.turn_id,
        words=target.quote,
        source=target.id,
    )


def _bodies(notes: Iterable[Note], kind: str) -> list[Mapping[str, Any]]:
    return [note.body for note in notes if note.kind == kind]


# -- forms and prompts -------------------------------------------------------------------

Earlier = Annotated[str, Field(json_schema_extra={"x-choice": "earlier"})]


class DrawnClaim(Form):
    quote: Quote = Field(min_length=1, max_length=400, description="the words of the speaker that make it, exactly")
    claim: str = Field(min_length=5, max_length=300, description="what it asserts, in one plain sentence")
    issue: IssueId | None = Field(description="the issue it speaks to, or null")


class Drawn(Form):
    drawn: tuple[DrawnClaim, ...] = Field(max_length=8, description="none if nothing is asserted")


CLAIMS_EXAMPLE: Example = {
    "drawn": [
        {
            "quote": "two people cannot run both floors",
            "claim": "The library has too few staff to open fully on Sundays.",
            "issue": None,
        },
        ...,
    ]
}


class Relation(Form):
    quote: Quote = Field(min_length=1, max_length=400, description="the words of this speaker that show it, exactly")
    target: Earlier = Field(description="the earlier claim it speaks to")
    kind: Literal[Objection, "concede", "withdraw", "support", "agree", "answer"] = Field(
        description="refute: says that a fact or step of it is wrong; challenge: that it is not shown; partial: that "
        "its core holds and the rest does not; concede: accepts something of what another claimed; withdraw: takes "
        "back something of what the speaker claimed; support: gives a further reason for it; agree: two of different "
        "sides say the same, heard or not; answer: defends the speaker's own claim against what was said against it"
    )
    extent: Literal["all", "core", "point"] | None = Field(
        description="all, core or point: how much of the claim is conceded, withdrawn or agreed on; else null"
    )
    source: ItemId | None = Field(description="the claim made here that carries it, or null")


class Related(Form):
    relations: tuple[Relation, ...] = Field(
        max_length=16, description="only what the words show; none if they show none"
    )


RELATIONS_EXAMPLE: Example = {
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


WORDS_PER_CLAIM = 40

CLAIMS = Brief(
    "claims",
    Drawn,
    "List the claims about the question that the position in {turn} depends on: as many as it really makes, {most} at "
    "most, the weightiest first, one plain sentence each with its exact words. Questions, manners, concessions and "
    "withdrawals are no claims; neither is what another person is reported to say.",
    afresh=True,
    example=CLAIMS_EXAMPLE,
)

RELATIONS = Brief(
    "relations",
    Related,
    "Say how {turn} relates to earlier claims: what it refutes, challenges, accepts in part, concedes or supports of "
    "the others' claims; what it withdraws of its speaker's own claims, or defends against what was said against them. "
    "Several may hold of one claim. Two speakers of different sides may say the same without having heard each other: "
    "that is “agree”; all other relations are to what was heard. Repetition is none. Take only what the words show, "
    "and quote them.",
    afresh=True,
    example=RELATIONS_EXAMPLE,
)
