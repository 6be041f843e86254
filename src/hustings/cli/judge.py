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
from hustings.run.commission import Commission, Purse
from hustings.run.judging import JudgingWish, Tier, commission_control, commission_judging

from .database import at_desk
from .environment import Variables, variables
from .having import affordable, have
from .options import Caps, Place, Run, micro
from .rehearse import setting
from .terminal import show, show_event, talk

if TYPE_CHECKING:
    from hustings.run.desk import Desk

WithControl = Annotated[
    bool, typer.Option("--control", help="Also ask the debaters' models without a debate, and compare.")
]
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
    rubric: Annotated[
        str, typer.Option(help="What is marked, instead of the protocol's own: `speech`, for example.")
    ] = ""
    policy: Annotated[str, typer.Option(help="Rules by which standings are computed.")] = "standing-1"
    options: Annotated[
        str,
        typer.Option(
            "--options", metavar="A,B,…", help="Answers to choose from where seats have no side; otherwise yes,no."
        ),
    ] = ""
    draw: Annotated[
        str, typer.Option("--draw", metavar="SEED", help="Draws other names and orders in which judges read.")
    ] = ""
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the judging; repeatable.")
    ] = None

    def wish(self, caps: Caps) -> JudgingWish:
        given: dict[str, Any] = {"policy": self.policy, **dict(setting(text) for text in self.settings or ())}
        given |= {"seed": self.draw} if self.draw else {}
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
    if with_control and place.detach:
        raise Unsuitable("judging begins when the control is over, with what is left: leave --detach out, or --control")
    if with_control:
        commission_of_judging(run_id, wish, place, known)  # what is wrong with it is said before anybody is paid
        before = commission_of_control(run_id, wish, place, known)
        if code := have(before, place):
            raise typer.Exit(code)
        wish = wish.model_copy(update={"purse": left_after(before, place)})
    raise typer.Exit(judge(run_id, wish, depth, place, known))


def judge(run_id: str, wish: JudgingWish, depth: int, place: Place, known: Variables) -> int:
    """Have a judging, and tell what it came to; the exit code."""
    commission = commission_of_judging(run_id, wish, place, known)
    code = have(commission, place)
    if not place.detach:
        with at_desk(place.database) as desk:
            tell(desk, commission.run_id, depth, as_json=place.as_json)
    return code


def commission_of_judging(run_id: str, wish: JudgingWish, place: Place, known: Variables) -> Commission:
    with at_desk(place.database) as desk:
        old, judged = desk.commission(run_id), desk.finished(run_id)
    return affordable(commission_judging(old, judged, wish, known.all), known)


def commission_of_control(run_id: str, wish: JudgingWish, place: Place, known: Variables) -> Commission:
    """The debate's own models, asked without a debate."""
    with at_desk(place.database) as desk:
        old, judged, tokens = desk.commission(run_id), desk.finished(run_id), desk.report(run_id).tokens
    return affordable(commission_control(old, judged, wish, known.all, tokens), known)


def left_after(commission: Commission, place: Place) -> Purse:
    """Of the caps of a run that is over, for what follows it: a cap holds for all that one command does."""
    purse = commission.purse
    with at_desk(place.database) as desk:
        used = desk.report(commission.run_id)
    spent = {"money": micro(used.spent), "tokens": used.tokens, "calls": used.calls}
    left = {kind: max(0, cap - (spent[kind] or 0)) for kind in spent if (cap := getattr(purse, kind)) is not None}
    return purse.model_copy(update=left)


def tell(desk: Desk, judging: str, depth: int, *, as_json: bool) -> None:
    """The judgement a judging came to, for people or programs."""
    from hustings.run.verdicts import judgement  # noqa: PLC0415  heavy

    found = judgement(desk, judging)
    if found is None:
        return
    if as_json:
        # What could not be scored is null, and not left out: the line is a judgement, all of it.
        show_event({"kind": "judgement", "run_id": judging, **found.model_dump(mode="json")})
        return
    show(rendered(desk, judging, found, depth))
    if depth < 3:
        talk(f"More of it: hustings show {judging} --briefing --depth 3")
    else:
        talk(f"What was said: hustings show {found.judged} --transcript")


def rendered(desk: Desk, judging: str, found: Judgement, depth: int) -> str:
    runs = {"debate": found.judged, "judging": judging}
    if found.control:
        runs["control"] = desk.audits(found.judged, "control")[0]
    reports = {what: desk.report(run) for what, run in runs.items()}
    parts = ", ".join(f"{what} {report.spent:.4f}" for what, report in reports.items())
    calls, tokens = (sum(figures) for figures in zip(*((r.calls, r.tokens) for r in reports.values()), strict=True))
    return briefing.render(found, depth=_depth(depth), cost=f"{parts} USD; {calls} calls, {tokens:,} tokens in all")


def _depth(given: int) -> Literal[1, 2, 3]:
    return 1 if given == 1 else 2 if given == 2 else 3


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
