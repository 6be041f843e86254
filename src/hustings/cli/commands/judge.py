"""`hustings judge` and `hustings audit`: judge a finished debate, or try a model as a judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from hustings.cli.execute import FINISHED, execute
from hustings.cli.judgement_text import show_judge_report, show_judgement
from hustings.cli.options import CapOptions, Depth, Estimated, Place, Run, setting
from hustings.config.prepare import affordable, estimate_follow_ups, prepare_audit
from hustings.config.variables import variables
from hustings.errors import Unsuitable
from hustings.judging.judgement import Judgement
from hustings.llm.environment import Environment
from hustings.runs.follow_ups import FollowUps, runs_of
from hustings.runs.judging_spec import JudgingRequest, Tier, probing_spec
from hustings.runs.request import requested
from hustings.runs.spec import RunSpec
from hustings.transcript.notes import NoQuorum

from .db import open_runs

NO_QUORUM = 5
"""Exit code of a judging in which too few judges answered."""
WithControl = Annotated[
    bool, typer.Option("--control", help="Also ask the debaters' models without a debate, and compare.")
]


@dataclass(frozen=True)
class Panel:
    """Options of the panel: judges, rubric, policy and settings."""

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

    def request(self, caps: CapOptions) -> JudgingRequest:
        given: dict[str, Any] = {"policy": self.policy, **dict(setting(text) for text in self.settings or ())}
        given |= {"seed": self.draw} if self.draw else {}
        given |= {"options": listed(self.options)} if self.options else {}
        with requested("panel"):
            return JudgingRequest(
                judges=tuple(name for some in self.judges or () for name in listed(some)),
                tier=self.tier,
                rubric=self.rubric,
                settings=given,
                caps=caps.given,
            )


def judge_run(
    run_id: Run,
    *,
    panel: Panel,
    with_control: WithControl = False,
    estimate: Estimated = False,
    caps: CapOptions,
    depth: Depth = 2,
    place: Place,
) -> None:
    """Judge a debate that is over; its transcript stays as it is. Exit codes are those of `hustings run`."""
    known, follow_ups = variables(), FollowUps(panel.request(caps), control=with_control)
    if estimate:
        from hustings.cli.estimate_text import show_estimate  # noqa: PLC0415  heavy

        with open_runs(place.database) as runs:
            return show_estimate(estimate_follow_ups(runs, run_id, follow_ups, known), as_json=place.as_json)
    if with_control and place.detach:
        raise Unsuitable(
            "judging begins when the control is over, with what is left", fix="leave --detach out, or --control"
        )
    with open_runs(place.database) as runs:
        first = prepare_audit(runs, run_id, follow_ups, known)
    raise typer.Exit(execute(first, place) if place.detach else have_all(first, follow_ups, known, place, depth=depth))


def have_all(
    first: RunSpec, follow_ups: FollowUps, known: Environment, place: Place, *, depth: int = 2, forecast: str = ""
) -> int:
    """Execute a run and its follow-ups until one does not finish; return the exit code of the last.

    With --detach, the workers get the run with all its follow-ups.
    """
    if place.detach:
        return execute(first, place, follow_ups=follow_ups)
    code, last = FINISHED, first
    with open_runs(place.database) as runs:
        for last in runs_of(runs, first, follow_ups, known, lambda made: affordable(made, known)):
            if code := execute(last, place, more=bool(follow_ups.scripts), forecast=forecast if last is first else ""):
                break
        if last.debate.protocol != "judging":
            return code
        return verdict_code(code, show_judgement(runs, last.run_id, depth, as_json=place.as_json))


def verdict_code(code: int, found: Judgement | None) -> int:
    """The exit code, or `NO_QUORUM` for a finished judging with too few judges."""
    return NO_QUORUM if code == FINISHED and found and isinstance(found.outcome, NoQuorum) else code


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def audit_model(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="provider/model, provider/model@base_url or improviser.")
    ],
    *,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the trial; repeatable.")
    ] = None,
    caps: CapOptions,
    place: Place,
) -> None:
    """Try a model as a judge before it is trusted: the same again, sides swapped, padded, and so on."""
    known = variables()
    request = JudgingRequest(settings=dict(setting(text) for text in settings or ()), caps=caps.given)
    spec = affordable(probing_spec(model, request, known), known)
    code = execute(spec, place)
    if not place.detach:
        with open_runs(place.database) as runs:
            show_judge_report(runs, spec.run_id, as_json=place.as_json)
    raise typer.Exit(code)
