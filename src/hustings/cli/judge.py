"""`hustings judge`: have a finished debate judged, as often and by whomever one likes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import ValidationError

from hustings.core.errors import Unsuitable
from hustings.core.forms import complaints
from hustings.core.judgement import Judgement
from hustings.export import briefing
from hustings.run.judging import JudgingWish, Tier, commission_control, commission_judging

from .database import at_desk
from .environment import Variables, variables
from .follow import FINISHED
from .having import affordable, have
from .options import Caps, Place, Run
from .rehearse import setting
from .telling import cost_of
from .terminal import show, show_event, talk

if TYPE_CHECKING:
    from hustings.run.desk import Desk

WithControl = Annotated[bool, typer.Option("--control", help="Also ask the same models without a debate.")]
Depth = Annotated[
    int, typer.Option(min=1, max=3, help="How much to read: 1 the verdict, 2 each argument, 3 all of it.")
]


@dataclass(frozen=True)
class Panel:
    """Who judges, and by what."""

    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judges", metavar="MODEL,…", help="Who judges; otherwise JUDGE_LLM_MODEL, or the debaters' own."
        ),
    ] = None
    tier: Annotated[
        Tier | None, typer.Option(help="quick seats one judge, standard three, strict five; two readings each.")
    ] = None
    rubric: Annotated[str, typer.Option(help="Instead of the usual one of its kind.")] = ""
    policy: Annotated[str, typer.Option(help="By which standings are computed.")] = "standing-1"
    options: Annotated[
        str, typer.Option("--options", metavar="A,B,…", help="Answers between which seats stand; yes,no if not said.")
    ] = ""
    draw: Annotated[str, typer.Option("--draw", metavar="SEED", help="Draws other names and orders.")] = ""
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the judging; repeatable.")
    ] = None

    def wish(self, caps: Caps) -> JudgingWish:
        given: dict[str, Any] = dict(setting(text) for text in self.settings or ())
        given |= {"policy": self.policy} | ({"seed": self.draw} if self.draw else {})
        given |= {"options": listed(self.options)} if self.options else {}
        try:
            return JudgingWish(
                judges=tuple(name for some in self.judges or () for name in listed(some)),
                tier=self.tier,
                rubric=self.rubric,
                settings=given,
                purse=caps.purse,
            )
        except ValidationError as error:
            raise Unsuitable(f"a panel like that cannot be had: {'; '.join(complaints(error))}") from None


def judge_run(
    run_id: Run, *, panel: Panel, with_control: WithControl = False, caps: Caps, depth: Depth = 2, place: Place
) -> None:
    """Judge a debate that is over; its transcript stays as it is. Exit codes are those of `hustings run`."""
    known, wish = variables(), panel.wish(caps)
    code = control(run_id, wish, place, known) if with_control else FINISHED
    raise typer.Exit(code or judge(run_id, wish, depth, place, known))


def judge(run_id: str, wish: JudgingWish, depth: int, place: Place, known: Variables) -> int:
    """Have a judging, and tell what it came to; the exit code."""
    with at_desk(place.database) as desk:
        old, judged = desk.commission(run_id), desk.finished(run_id)
    commission = affordable(commission_judging(old, judged, wish, known.all), known)
    code = have(commission, place)
    if not place.detach:
        with at_desk(place.database) as desk:
            tell(desk, commission.run_id, depth, as_json=place.as_json)
    return code


def control(run_id: str, wish: JudgingWish, place: Place, known: Variables) -> int:
    """Ask the debate's own models without a debate; the exit code."""
    with at_desk(place.database) as desk:
        old, judged, tokens = desk.commission(run_id), desk.finished(run_id), desk.report(run_id).tokens
    return have(affordable(commission_control(old, judged, wish, known.all, tokens), known), place)


def tell(desk: Desk, judging: str, depth: int, *, as_json: bool) -> None:
    """The judgement a judging came to, for people or programs."""
    from hustings.run.verdicts import judgement  # noqa: PLC0415  heavy

    found = judgement(desk, judging)
    if found is None:
        return
    if as_json:
        show_event({"kind": "judgement", "run_id": judging, **found.model_dump(mode="json", exclude_none=True)})
        return
    show(rendered(desk, judging, found, depth))
    if depth < 3:
        talk(f"More of it: hustings show {found.judged} --briefing --depth 3")


def rendered(desk: Desk, judging: str, found: Judgement, depth: int) -> str:
    debate, panel = desk.report(desk.report(judging).judged), desk.report(judging)
    cost = f"debate {cost_of(debate)}; judging {cost_of(panel)}"
    return briefing.render(found, depth=_depth(depth), cost=cost)


def _depth(given: int) -> Literal[1, 2, 3]:
    return 1 if given == 1 else 2 if given == 2 else 3


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
