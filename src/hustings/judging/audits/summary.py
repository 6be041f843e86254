"""An executive summary of a judged debate: written once by one model from the findings.

Code checks each sentence: it must cite arguments by id and quote one of them exactly, or it is dropped and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field, JsonValue

from hustings.errors import Unsuitable
from hustings.judging.anonymise import Mask, mask
from hustings.judging.arguments import argued, sides, speeches
from hustings.judging.executive_summary import MOST_WORDS, NOTE, Finding, SummarySentence, kept
from hustings.script.debate import Proceedings
from hustings.script.forms import Form, ItemId, Quote
from hustings.script.moves import Brief, Exhibit, or_none
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.transcript.notes import Remark

VERSION = 1
RETRIES = 1


class Settings(ProtocolSettings):
    findings: tuple[Finding, ...] = Field(default=(), max_length=400)
    """The arguments of the debate, and what became of each."""
    verdict: str = Field(default="", max_length=4000)
    """What judging came to, in words."""
    decided: bool = False
    """Whether there is a winner to name."""
    judging: str = Field(default="", max_length=200)
    """Id of the judging that it summarises."""


async def play(stage: Stage[Settings]) -> None:
    if stage.subject is None:
        raise Unsuitable("There is nothing to summarise", fix="name a debate that was judged")
    settings, judged = stage.settings, stage.subject.judged
    seats = sides(judged.transcript)
    known = tuple(finding for finding in settings.findings if seats.get(finding.seat) == finding.side)
    found = known or from_record(judged)
    if not found:
        return
    hidden = mask(judged.transcript, {finding.id: finding.side for finding in found}, "summary")
    shown = {hidden.labels[finding.id]: masked(finding, hidden) for finding in found}
    verdict = hidden.words(settings.verdict)

    words = {finding.id: finding.words for finding in found}

    def checked(summary: Summary) -> Iterable[Remark]:
        """Keep what holds, checked as the writer read it, and told in the debate's own names."""
        told = [SummarySentence(text=one.text, ids=one.ids, quote=one.quote) for one in summary.sentences]
        held, dropped = kept(told, shown.values(), verdict, decided=settings.decided)
        yield Remark(NOTE, {"sentences": [lifted(one, hidden, words) for one in held], "dropped": dropped})

    exhibits = [Exhibit(label, f"an argument of {one.seat}", told_of(one)) for label, one in shown.items()]
    outcome = Exhibit("verdict", "what judging came to", verdict or "none")
    brief = WRITE.showing(outcome, *exhibits).offering(item=shown).noting(checked)
    await or_none(stage.consult(stage.seat("writer"), brief))


def from_record(judged: Proceedings) -> tuple[Finding, ...]:
    """The arguments of a debate that was not judged, or its speeches where nothing is numbered."""
    claims, seats = argued(judged).claims, sides(judged.transcript)
    if claims:
        return tuple(_unjudged(c.id, c.seat, c.side, c.claim, c.words) for c in claims)
    turns = speeches(judged.transcript)
    return tuple(_unjudged(t.turn_id, t.speaker_id, seats[t.speaker_id], t.said, t.said) for t in turns)


def _unjudged(item: str, seat: str, side: str, claim: str, words: str) -> Finding:
    return Finding(id=item, seat=seat, side=side, claim=claim, words=words, status="Not judged.")


def masked(finding: Finding, hidden: Mask) -> Finding:
    return Finding(
        id=hidden.labels[finding.id],
        seat=hidden.names[finding.seat],
        side=hidden.names[finding.side],
        claim=hidden.words(finding.claim),
        words=hidden.words(finding.words),
        status=hidden.words(finding.status),
    )


def told_of(finding: Finding) -> str:
    return f"{finding.words}\nWhat became of it: {finding.status}"


def lifted(sentence: SummarySentence, hidden: Mask, words: Mapping[str, str]) -> JsonValue:
    """A sentence in the debate's own names, spelt as the arguments that it cites spell them."""
    ids = [hidden.item(label) for label in sentence.ids]
    said = "\n".join(words[item] for item in ids)
    return {"text": hidden.lifted(sentence.text, said), "ids": [*ids], "quote": hidden.lifted(sentence.quote, said)}


# -- forms and prompts -------------------------------------------------------------------


class Sentence(Form):
    # Evidence first: a citation chosen afterwards would only decorate the sentence.
    ids: tuple[ItemId, ...] = Field(min_length=1, max_length=3, description="the arguments it rests on")
    quote: Quote = Field(min_length=3, max_length=300, description="exact words of one of them")
    text: Annotated[str, Field(min_length=10, max_length=400)] = Field(
        description=f"the sentence, up to {MOST_WORDS} words, with no figure that is not in what it cites"
    )


class Summary(Form):
    sentences: tuple[Sentence, ...] = Field(min_length=2, max_length=6)


SEATS = (
    Seat("writer", role="judge", name="Writer", duty="You write for a person who must decide and has one minute."),
)

RULES = """\
You summarise a debate that was judged. You add nothing of your own and name no winner beyond the verdict.
Code checks each sentence. One without a valid id and an exact quotation is removed."""

WRITE = Brief(
    "executive summary",
    Summary,
    "Summarise this judged debate in up to 6 sentences for a person who must decide: what was found and why, what "
    "speaks against it, and what to check. For each sentence give the ids it rests on and an exact quotation from one "
    "of them. Add no finding.",
    afresh=True,
)
