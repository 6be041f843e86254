"""`hustings evaluate`: how each turn of a finished debate reasons, and whether its words fit its deeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hustings.cli.evaluation_text import show_evaluation, write_evaluation
from hustings.cli.execute import FINISHED, execute
from hustings.cli.options import Estimated, Place, setting
from hustings.cli.request_options import LimitOptions
from hustings.cli.run_table import is_transcript_file, run_id_of
from hustings.cli.terminal import talk
from hustings.config.plan_run import estimate_follow_ups, prepare_audit
from hustings.config.variables import variables
from hustings.errors import Unsuitable
from hustings.runs.debate_fields import Tier
from hustings.runs.evaluation_spec import EvaluationRequest
from hustings.runs.follow_ups import FollowUps
from hustings.runs.request import requested

from .db import open_runs
from .judge import listed

if TYPE_CHECKING:
    from hustings.llm.environment import Environment
    from hustings.runs.estimate import Estimate
    from hustings.runs.queries import RunQueries

OPEN_QUESTION = "none"
"""As --options: the question has no list of answers."""


@dataclass(frozen=True)
class EvaluationOptions:
    """Who evaluates, and what."""

    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judges",
            metavar="MODEL,…",
            help="Models that evaluate; best of another family than the speakers'. Default: JUDGE_LLM_MODEL, or the "
            "speakers' own models.",
        ),
    ] = None
    tier: Annotated[
        Tier | None,
        typer.Option(help="Number of judges: quick 1, standard 3, strict 3 who read every list in both orders."),
    ] = None
    parts: Annotated[
        str, typer.Option("--parts", metavar="PART,…", help="Only these: crit, rca, t3, synthesis. Default: all.")
    ] = ""
    options: Annotated[
        str,
        typer.Option(
            "--options", metavar="A,B,…", help="Possible answers to the question; `none` if open. Default: yes,no."
        ),
    ] = ""
    rung: Annotated[
        str, typer.Option("--rung", metavar="L1|L2|L3", help="How far an answer must reach on the ladder of causes.")
    ] = ""
    repeat: Annotated[
        int,
        typer.Option("--repeat", metavar="N", min=1, max=3, help="Ask each judge N times, to see how steady it is."),
    ] = 1
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the evaluation. Repeatable.")
    ] = None

    def request(self, caps: LimitOptions) -> EvaluationRequest:
        given: dict[str, Any] = {"parts": listed(self.parts), "rung": self.rung or None}
        if self.options:
            given["options"] = () if self.options == OPEN_QUESTION else listed(self.options)
        with requested("evaluation"):
            return EvaluationRequest(
                judges=tuple(name for some in self.judges or () for name in listed(some)),
                tier=self.tier,
                repeat=self.repeat,
                settings=dict(setting(text) for text in self.settings or ()),
                caps=caps.caps,
                **given,
            )


@dataclass(frozen=True)
class EvaluationOutput:
    """What is done with the result."""

    recompute: Annotated[
        bool, typer.Option("--recompute", help="Compute the figures again from stored answers. Makes no calls.")
    ] = False
    estimate: Estimated = False
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Also write a file: .json, .csv or .jsonl. - is JSON to stdout."
        ),
    ] = ""


def evaluate_runs(
    runs_given: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="Finished debates: ID, the start of it, or `last`.")
    ],
    *,
    options: EvaluationOptions,
    output: EvaluationOutput,
    caps: LimitOptions,
    place: Place,
) -> None:
    """Evaluate how each turn of a finished debate reasons. Its transcript does not change.

    It takes several times the tokens of the debate: see --estimate first, or ask for less with --parts. Exit codes: as
    for `hustings run`.
    """
    if output.output and len(runs_given) > 1:
        raise Unsuitable("-o is for one debate", fix="name one RUN, or leave -o out")
    known, follow_ups = variables(), FollowUps(None, evaluation=options.request(caps))
    code = FINISHED
    for text in runs_given:
        run_id = _run_id(text, place)
        if output.estimate:
            _show_estimate(run_id, follow_ups, known, place)
        else:
            code = max(code, _evaluate(run_id, follow_ups, known, output, place))
    raise typer.Exit(code)


def _run_id(text: str, place: Place) -> str:
    if is_transcript_file(text):
        raise Unsuitable(f"{text!r} is a file", fix=f"make a record of it, then evaluate that: hustings import {text}")
    with open_runs(place.database) as runs:
        return run_id_of(runs, text)


def _evaluate(run_id: str, follow_ups: FollowUps, known: Environment, output: EvaluationOutput, place: Place) -> int:
    code = FINISHED
    if not output.recompute:
        with open_runs(place.database) as runs:
            spec = prepare_audit(runs, run_id, follow_ups, known)
            paid = not all(model_spec.free for model_spec in spec.model_specs.values())
            told = _forecast(runs, run_id, follow_ups, known) if paid and not (place.as_json or place.detach) else ""
        code, run_id = execute(spec, place, forecast=told), spec.run_id
        if place.detach:
            return code
    with open_runs(place.database) as runs:
        shown = show_evaluation(runs, run_id, as_json=place.as_json)
        if shown is not None and output.output:
            write_evaluation(runs, run_id, shown[0], Path(output.output))
    return code or (shown[1] if shown else FINISHED)


def _forecast(runs: RunQueries, run_id: str, follow_ups: FollowUps, known: Environment) -> str:
    from hustings.cli.estimate_text import line  # noqa: PLC0415  heavy

    found = estimate_follow_ups(runs, run_id, follow_ups, known)
    return "\n".join((line(found), *_beside(found, runs.read(run_id).tokens)))


def _show_estimate(run_id: str, follow_ups: FollowUps, known: Environment, place: Place) -> None:
    from hustings.cli.estimate_text import show_estimate  # noqa: PLC0415  heavy

    with open_runs(place.database) as runs:
        found, held = estimate_follow_ups(runs, run_id, follow_ups, known), runs.read(run_id).tokens
    for line in _beside(found, held):
        talk(line)
    show_estimate(found, as_json=place.as_json)


def _beside(found: Estimate, held: int) -> Sequence[str]:
    """What it takes beside the debate itself."""
    times = round(found.expected.tokens / held) if held else 0
    if times > 1:
        return [f"That is about {times} times the tokens of the debate. Ask for less: --parts crit, --tier quick"]
    return ["Evaluation takes several times the tokens of a debate. Ask for less: --parts crit, --tier quick"]
