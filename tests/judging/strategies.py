"""Made-up debates with made-up panels, for the properties that hold of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from hustings.judging.arguments import Argumentation, Claim, ClaimResponse
from hustings.judging.marks import Observation

OBJECTIONS = ("refute", "challenge", "partial")
DIMENSION = {"answer": "adequacy"}


@dataclass(frozen=True)
class Debate:
    argumentation: Argumentation
    observations: tuple[Observation, ...]


def claim(name: str, side: str = "pro") -> Claim:
    return Claim(id=name, seat=side, side=side, turn_id="opening", claim=f"{name} holds", words=f"{name} holds, since")


def response(name: str, kind: str, target: str, side: str = "con", **more: object) -> ClaimResponse:
    told = {"seat": side, "turn_id": "later", "words": "said", **more}
    return ClaimResponse(id=name, kind=kind, target=target, side=side, **told)


@st.composite
def debates(draw: st.DrawFn, judges: int = 2, orders: int = 2, most: int = 3) -> Debate:
    """Openings, responses, answers, as two sides exchange them."""
    each = st.integers(1, (most + 1) // 2)
    claims = [claim(f"{side}-{n}", side.lower()) for side in ("PRO", "CON") for n in range(draw(each))]
    said: list[ClaimResponse] = []
    for target in claims:
        by = "con" if target.side == "pro" else "pro"
        for _ in range(draw(st.integers(0, most))):
            kind = draw(st.sampled_from((*OBJECTIONS, "concede")))
            said.append(response(f"R{len(said)}", kind, target.id, by, confirmed=draw(st.booleans())))
            if kind != "concede" and draw(st.booleans()):
                said.append(response(f"R{len(said)}", "answer", said[-1].id, target.side))
        if draw(st.integers(0, 5)) == 0:
            said.append(response(f"R{len(said)}", "concede", target.id, target.side, owner=True))
    return _judged(draw, Argumentation(tuple(claims), tuple(said)), judges, orders)


@st.composite
def drawn_debates(draw: st.DrawFn, judges: int = 2, orders: int = 2, most: int = 8) -> Debate:
    """Claims drawn from plain words: each response is carried by a claim made after its target."""
    claims = [claim(f"C{n}", f"seat{n % 3}") for n in range(draw(st.integers(2, 5)))]
    said: list[ClaimResponse] = []
    for _ in range(draw(st.integers(0, most))):
        later = draw(st.integers(1, len(claims) - 1))
        target = claims[draw(st.integers(0, later - 1))]
        kind = draw(st.sampled_from((*OBJECTIONS, "concede", "support")))
        carrier = claims[later]
        said.append(response(f"R{len(said)}", kind, target.id, carrier.side, source=carrier.id))
    return _judged(draw, Argumentation(tuple(claims), tuple(said)), judges, orders)


def _judged(draw: st.DrawFn, argumentation: Argumentation, judges: int, orders: int) -> Debate:
    marks = st.integers(1, 10)
    objections = [r for r in argumentation.responses if r.kind in OBJECTIONS]
    pairs = [(a.id, b.id) for a in objections for b in objections if a.target == b.target and a.id > b.id]
    alike = dict(draw(st.lists(st.sampled_from(pairs), max_size=3))) if pairs else {}
    seen = [
        Observation(
            judge=f"judge{judge}",
            order=order,
            scores={c.id: {"logic": draw(marks), "evidence": draw(marks)} for c in argumentation.claims}
            | {r.id: {DIMENSION.get(r.kind, "effectiveness"): draw(marks)} for r in argumentation.responses},
            same_point=alike,
        )
        for judge in range(judges)
        for order in range(orders)
    ]
    return Debate(argumentation, tuple(seen))


def rescored(debate: Debate, item: str, dimension: str, change: Callable[[float], float]) -> Debate:
    """The same debate with one mark of every judge changed."""
    return replace(
        debate,
        observations=tuple(
            replace(o, scores={**o.scores, item: {**o.scores[item], dimension: change(o.scores[item][dimension])}})
            for o in debate.observations
        ),
    )


def panel(*scores: dict[str, dict[str, float]], same_point: dict[str, str] | None = None) -> Sequence[Observation]:
    """One judge for each table of scores."""
    return [Observation(f"judge{i}", 0, given, same_point=same_point or {}) for i, given in enumerate(scores)]
