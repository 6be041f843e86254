"""What a judge is shown of one turn: the critiques put to its speaker, its claims, and the turn itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hustings.judging.anonymise import Mask
from hustings.lab.build_bundles import DebateMaterial
from hustings.lab.bundle import Bundle, BundleClaim, Critique
from hustings.script.moves import Exhibit
from hustings.transcript.models import Turn

from .reading import MOST_ITEMS, EvaluatorReading

MOST_EARLIER = 12
"""Earlier claims that are shown beside a turn; the latest of them."""


@dataclass(frozen=True)
class TurnSheet:
    """One turn before one judge. CRIT, RCA and T³ show the same first, so that a provider's cache reads it once."""

    material: DebateMaterial
    bundle: Bundle
    hidden: Mask
    reading: EvaluatorReading

    @property
    def turn(self) -> Turn:
        return self.material.turns[self.bundle.turn_id].turn

    @property
    def label(self) -> str:
        return self.hidden.labels[self.bundle.turn_id]

    @property
    def name(self) -> str:
        return self.hidden.names[self.bundle.seat]

    @cached_property
    def words(self) -> str:
        return self.hidden.words(self.turn.said)

    @cached_property
    def claims(self) -> dict[str, BundleClaim]:
        """Claims of the turn by the label that they have on this sheet."""
        known = {claim.id: claim for claim in self.bundle.claims[:MOST_ITEMS]}
        return {f"here-{n}": known[name] for n, name in enumerate(self.reading.ordered([*known]), 1)}

    @cached_property
    def critiques(self) -> dict[str, Critique]:
        known = {critique.label: critique for critique in self.bundle.critiques[:MOST_ITEMS]}
        return {label: known[label] for label in self.reading.ordered([*known])}

    @property
    def critique_words(self) -> list[str]:
        return [self.hidden.words(critique.quote) for critique in self.critiques.values()]

    def exhibits(self) -> list[Exhibit]:
        """The turn comes last: it is what every question is about."""
        put = [
            Exhibit(label, f"{self.hidden.names[one.by]} objected to {self.name}", self.hidden.words(one.quote))
            for label, one in self.critiques.items()
        ]
        made = [
            Exhibit(label, f"claim made in {self.label}", self.hidden.words(claim.quote))
            for label, claim in self.claims.items()
        ]
        return [*put, *made, Exhibit(self.label, f"what {self.name} said", self.words)]

    def earlier(self) -> list[Exhibit]:
        """What the speaker and the others had claimed before; empty at the beginning."""
        before = self.material.claims_before(self.bundle.turn_id)
        own = [claim for claim in before if claim.seat == self.bundle.seat][-MOST_EARLIER:]
        others = [claim for claim in before if claim.seat != self.bundle.seat][-MOST_EARLIER:]
        return [
            *(
                Exhibit(f"own-{n}", f"{self.name} claimed before {self.label}", self.hidden.words(claim.quote))
                for n, claim in enumerate(own, 1)
            ),
            *(
                Exhibit(f"before-{n}", f"another claimed before {self.label}", self.hidden.words(claim.quote))
                for n, claim in enumerate(others, 1)
            ),
        ]
