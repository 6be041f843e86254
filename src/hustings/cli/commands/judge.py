"""`hustings judge`, `summary` and `audit`: judge a finished debate, summarise it, or try a model as a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hustings.cli.execute import FINISHED, REFUSED, RESUMABLE, execute, execute_all
from hustings.cli.judgement_text import show_gold_trials, show_judge_report, show_judgement
from hustings.cli.options import CapOptions, Depth, Estimated, OneRun, Place, Run, setting
from hustings.cli.run_table import must_be_one
from hustings.config.prepare import affordable, estimate_follow_ups, prepare_audit
from hustings.config.variables import variables
from hustings.engine.run_control import must_have_worker
from hustings.errors import Unsuitable
from hustings.judging.judgement import Judgement
from hustings.lab.trials import probing_spec
from hustings.llm.environment import Environment
from hustings.llm.model_spec import model_spec_of, parse_model_spec
from hustings.runs.dossiers import judgement, judging_of
from hustings.runs.follow_ups import FollowUps
from hustings.runs.judging_spec import JudgingRequest, Tier, summary_spec
from hustings.runs.request import requested
from hustings.runs.spec import RunSpec
from hustings.script.seats import Seat
from hustings.transcript.notes import NoQuorum

from .db import open_runs, open_service

if TYPE_CHECKING:
    from hustings.lab.gold_trial import GoldTrial
    from hustings.runs.queries import RunQueries

NO_QUORUM = 5
"""Exit code of a judging in which too few judges answered."""


@dataclass(frozen=True)
class Panel:
    """Options of the panel: judges, rubric and settings."""

    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judges",
            metavar="MODEL,…",
            help="Models that judge. Default: JUDGE_LLM_MODEL, or the speakers' own models.",
        ),
    ] = None
    tier: Annotated[
        Tier | None,
        typer.Option(help="Number of judges: quick 1, standard 3, strict 5. Each reads twice, in both orders."),
    ] = None
    rubric: Annotated[str, typer.Option(help="Scoring sheet, such as `speech`. Default: set by the protocol.")] = ""
    options: Annotated[
        str,
        typer.Option("--options", metavar="A,B,…", help="Possible answers if speakers have no side. Default: yes,no."),
    ] = ""
    draw: Annotated[str, typer.Option("--draw", metavar="SEED", help="Seed for judge names and reading order.")] = ""
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A judging setting. Repeatable.")
    ] = None

    def request(self, caps: CapOptions) -> JudgingRequest:
        given: dict[str, Any] = dict(setting(text) for text in self.settings or ())
        given |= {"seed": self.draw} if self.draw else {}
        given |= {"options": listed(self.options)} if self.options else {}
        with requested("judging"):
            return JudgingRequest(
                judges=tuple(name for some in self.judges or () for name in listed(some)),
                tier=self.tier,
                rubric=self.rubric,
                settings=given,
                caps=caps.given,
            )


@dataclass(frozen=True)
class What:
    """What is judged, and what is done beside."""

    batch: Annotated[
        str, typer.Option("--batch", metavar="NAME", help="Judge all finished debates of a batch; caps are for all.")
    ] = ""
    with_control: Annotated[
        bool, typer.Option("--control", help="Also ask the same models without a debate, and compare.")
    ] = False
    with_summary: Annotated[
        bool, typer.Option("--summary", help="Also let the first judge's model write a checked summary.")
    ] = False
    estimate: Estimated = False


def judge_run(
    run_id: OneRun = "", *, panel: Panel, what: What, caps: CapOptions, depth: Depth = 2, place: Place
) -> None:
    """Judge a finished debate or a batch. Its transcript does not change. Exit codes: as for `hustings run`.

    With --batch, nothing is judged twice. To continue after a stop, run the same command again.
    """
    with_control, with_summary = what.with_control, what.with_summary
    known, follow_ups = variables(), FollowUps(panel.request(caps), control=with_control, summary=with_summary)
    must_be_one(run_id, what.batch)
    if what.batch:
        raise typer.Exit(_judge_batch(what, panel, follow_ups, known, place))
    if what.estimate:
        from hustings.cli.estimate_text import show_estimate  # noqa: PLC0415  heavy

        with open_runs(place.database) as runs:
            return show_estimate(estimate_follow_ups(runs, run_id, follow_ups, known), as_json=place.as_json)
    if (with_control or with_summary) and place.detach:
        raise Unsuitable(
            "With --detach only the judging itself is queued", fix="leave out --detach, or --control and --summary"
        )
    with open_runs(place.database) as runs:
        first = prepare_audit(runs, run_id, follow_ups, known)
        paid = not all(model_spec.free for model_spec in first.model_specs.values())
        told = _forecast(runs, run_id, follow_ups, known) if paid and not (place.as_json or place.detach) else ""
    if first.hosted:
        _judge_yourself(first, place, usual=(panel, caps) == (Panel(), CapOptions()), alone=not what.with_summary)
        return None
    raise typer.Exit(have_all(first, follow_ups, known, place, depth=depth, forecast=told))


def _judge_yourself(first: RunSpec, place: Place, *, usual: bool, alone: bool) -> None:
    """Enter a judging by the host, and show its questions. Without options, it is the one that `next` names."""
    from hustings.engine.hosting import enter, judging_id  # noqa: PLC0415  heavy

    from .start_next_answer import show_next  # noqa: PLC0415

    if first.debate.protocol != "judging" or not alone:
        raise Unsuitable("what you judge yourself has no control and no summary", fix="leave them out, or name models")
    with open_service(place.database) as service:
        run_id = judging_id(first.judged) if usual else enter(service, first)
        show_next(service, run_id, as_json=place.as_json)


def _forecast(runs: RunQueries, run_id: str, follow_ups: FollowUps, known: Environment) -> str:
    """What judging takes, before it is paid for."""
    from hustings.cli.estimate_text import line  # noqa: PLC0415  heavy

    return line(estimate_follow_ups(runs, run_id, follow_ups, known))


def _judge_batch(what: What, panel: Panel, follow_ups: FollowUps, known: Environment, place: Place) -> int:
    from hustings.cli.judge_batch import estimate_batch, judge_batch  # noqa: PLC0415  heavy
    from hustings.runs.batch_judging import BatchJudging  # noqa: PLC0415

    if what.with_control:
        raise Unsuitable("--control compares one debate at a time", fix="name a RUN, or leave --control out")
    wanted = BatchJudging(what.batch, follow_ups.judging_request, known, again=panel != Panel())
    if what.estimate:
        estimate_batch(wanted, place)
        return FINISHED
    return judge_batch(wanted, place)


def have_all(
    first: RunSpec, follow_ups: FollowUps, known: Environment, place: Place, *, depth: int = 2, forecast: str = ""
) -> int:
    """Execute a run and its follow-ups until one does not finish, and show the answer; return the exit code.

    With --detach, the workers get the run with all its follow-ups.
    """
    if place.detach:
        return execute(first, place, follow_ups=follow_ups)
    must_have_worker(first)
    return show_all(execute_all(first, follow_ups, known, place, forecast=forecast), place, depth)


def show_all(done: Sequence[tuple[RunSpec, int]], place: Place, depth: int) -> int:
    """Show what a debate and its follow-ups came to; return the exit code of the whole."""
    code, judging, evaluating = FINISHED, "", ""
    for last, each in done:
        script = last.debate.protocol
        if script == "summary":
            judging = judging or last.judged
            code = each if each in {RESUMABLE, REFUSED} else code  # if it fails, it takes nothing from the verdict
            continue
        code, judging = each, last.run_id if script == "judging" else judging
        evaluating = last.run_id if script == "evaluation" else ""
    with open_runs(place.database) as runs:
        if judging:
            code = verdict_code(code, show_judgement(runs, judging, depth, as_json=place.as_json))
        if evaluating:
            from hustings.cli.evaluation_text import show_evaluation  # noqa: PLC0415  heavy

            shown = show_evaluation(runs, evaluating, as_json=place.as_json)
            code = code or (shown[1] if shown else code)
        return code


def summarise(
    run_id: Run,
    *,
    model: Annotated[
        str, typer.Option("--model", "-m", help="Model that writes it; otherwise that of the first judge.")
    ] = "",
    caps: CapOptions,
    depth: Depth = 1,
    place: Place,
) -> None:
    """Write a checked summary of a judged debate with a model.

    Each sentence cites arguments and quotes one of them. Code checks every citation and drops sentences that fail.
    """
    known = variables()
    with open_runs(place.database) as runs:
        judging = judging_of(runs, run_id)
        found = judgement(runs, run_id)
        if judging is None or found is None:
            raise Unsuitable(f"{run_id!r} is not judged yet", fix=f"judge it first: hustings judge {run_id}")
        judged, debate = runs.spec(judging), runs.read(run_id).judged or run_id
        if model:
            writer = model_spec_of(Seat("writer", role="judge"), known, flag=parse_model_spec(model))
            judged = judged.model_copy(update={"model_specs": {"writer": writer}})
        request = JudgingRequest(caps=caps.given)
        spec = affordable(summary_spec(runs.spec(debate), runs.finished(debate), judged, found, request), known)
    code = execute(spec, place)
    if not place.detach and code == FINISHED:
        with open_runs(place.database) as runs:
            show_judgement(runs, judging, depth, as_json=place.as_json)
    raise typer.Exit(code)


def verdict_code(code: int, found: Judgement | None) -> int:
    """The exit code, or `NO_QUORUM` for a finished judging with too few judges."""
    return NO_QUORUM if code == FINISHED and found and isinstance(found.outcome, NoQuorum) else code


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def audit_model(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="Model to test: provider/model, provider/model@base_url or improviser."),
    ],
    *,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the test. Repeatable.")
    ] = None,
    gold: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=16, help="Also judge N debates that careful readers judged, and compare."),
    ] = 0,
    as_evaluator: Annotated[
        bool,
        typer.Option("--evaluation", help="Test it as an evaluator instead, on debates with one planted flaw each."),
    ] = False,
    caps: CapOptions,
    place: Place,
) -> None:
    """Test a model as a judge: repeated, with sides swapped, with padding, and more."""
    known = variables()
    request = JudgingRequest(settings=dict(setting(text) for text in settings or ()), caps=caps.given)
    if as_evaluator:
        from hustings.cli.evaluation_text import audit_evaluator  # noqa: PLC0415  heavy

        if gold:
            raise Unsuitable("--gold tests a judge, and --evaluation an evaluator", fix="drop one of them")
        raise typer.Exit(audit_evaluator(model, request, known, place))
    spec = affordable(probing_spec(model, request, known), known)
    code = execute(spec, place)
    if not place.detach:
        with open_runs(place.database) as runs:
            show_judge_report(runs, spec.run_id, as_json=place.as_json)
    raise typer.Exit(code or _gold_trials(model, gold, request, known, place))


def _gold_trials(model: str, count: int, request: JudgingRequest, known: Environment, place: Place) -> int:
    """Judge gold debates one after the other, and show how the judge compares with the readers."""
    if not count:
        return FINISHED
    from hustings.lab.gold_trial import chosen, gold_trial, gold_trial_spec  # noqa: PLC0415  heavy

    found: list[GoldTrial] = []
    for gold in chosen(count):
        spec = affordable(gold_trial_spec(gold, model, request, known), known)
        if code := execute(spec, place, more=True):
            return code
        if not place.detach:
            with open_runs(place.database) as runs:
                trial = gold_trial(gold, spec, runs.finished(spec.run_id))
            found += [trial] if trial else []
    if found:
        show_gold_trials(found, as_json=place.as_json)
    return FINISHED
