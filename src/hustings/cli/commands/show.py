"""`hustings show`: the state of a run, who it waits for, its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hustings.cli.options import AsJson, DatabaseOption, Depth, OneRunOrFile
from hustings.cli.run_table import is_transcript_file, must_be_one
from hustings.cli.state_text import advice, cost_of, misreports
from hustings.cli.terminal import one_line, show_event, show_json, show_line, show_prose, talk
from hustings.db.caps import OPEN, OVER
from hustings.errors import Unsuitable
from hustings.runs.outcome_text import NOT_JUDGED, outcome_of, rated_text, state_of

from .db import open_run_list, open_runs

if TYPE_CHECKING:
    from hustings.db.ratings import Rating
    from hustings.runs.queries import RunQueries
    from hustings.runs.run_list import RunList
    from hustings.runs.run_summary import RunSummary
    from hustings.script.calls import Call
    from hustings.script.documents import ListedDocument
    from hustings.transcript.events import CallDelayed


@dataclass(frozen=True)
class ShowOptions:
    """Which part of a run to show."""

    transcript: Annotated[bool, typer.Option("--transcript", help="What was said, as text or JSON.")] = False
    events: Annotated[
        bool, typer.Option("--events", help="Everything that happened, in order. With --json, one line per event.")
    ] = False
    notes: Annotated[bool, typer.Option("--notes", help="Private notes and computed values, as JSON.")] = False
    briefing: Annotated[bool, typer.Option("--briefing", help="The verdict of its latest judging.")] = False
    evaluation: Annotated[bool, typer.Option("--evaluation", help="The figures of its latest evaluation.")] = False
    turn: Annotated[
        str, typer.Option("--turn", metavar="TURN", help="With --evaluation: what judges found in one turn.")
    ] = ""
    document: Annotated[
        str, typer.Option("--document", metavar="ID", help="The text of a document, such as DOC-2, in its passages.")
    ] = ""
    depth: Depth = 2

    @property
    def of_state(self) -> bool:
        """Whether no part is asked for: then the state is shown."""
        record = self.transcript or self.events or self.notes
        return not (record or self.briefing or self.evaluation or self.turn or self.document)


def show_run(
    run_id: OneRunOrFile = "",
    *,
    batch: Annotated[
        str, typer.Option("--batch", metavar="NAME", help="What a batch came to: outcomes, scores, agreement, cost.")
    ] = "",
    view: ShowOptions,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Show the state of a debate, who it waits for, or its results; of a batch; or a transcript file."""
    must_be_one(run_id, batch)
    if run_id and is_transcript_file(run_id):
        from hustings.cli.transcript_text import show_file  # noqa: PLC0415  loads the rules of transcripts

        show_file(run_id, as_json=as_json)
        return
    if not batch and view.of_state:
        with open_run_list(database) as runs:
            _show_state(runs, runs.read(run_id), as_json=as_json)
        return
    with open_runs(database) as runs:
        if batch:
            _show_batch(runs, batch, as_json=as_json)
            return
        report = runs.read(run_id)
        if not _show_result(runs, run_id, view, as_json=as_json):
            _show_record(runs, run_id, view, as_json=as_json)
            _advise(runs, report)


def _show_result(runs: RunQueries, run_id: str, view: ShowOptions, *, as_json: bool) -> bool:
    """Show what came of a run, if that was asked for; it needs no advice on what to do next."""
    if view.briefing:
        _show_briefing(runs, run_id, view.depth, as_json=as_json)
    elif view.evaluation or view.turn:
        _show_evaluation(runs, run_id, view.turn, as_json=as_json)
    elif view.document:
        from hustings.cli.transcript_text import show_document  # noqa: PLC0415  heavy

        show_document(runs, run_id, view.document, as_json=as_json)
    else:
        return False
    return True


def _show_record(runs: RunQueries, run_id: str, view: ShowOptions, *, as_json: bool) -> None:
    if view.events:
        _show_events(runs, run_id, as_json=as_json)
    else:
        from hustings.cli.transcript_text import show_remains  # noqa: PLC0415  heavy

        show_remains(runs.finished(run_id), notes=view.notes, as_json=as_json)


def _show_state(runs: RunList, report: RunSummary, *, as_json: bool) -> None:
    run_id = report.run_id
    documents = _whole(runs).documents(run_id) if runs.has_documents(run_id) else ()
    waits = _Waits(_awaited(runs, report), _delays(runs, report))
    _show_report(report, waits, runs.ratings(run_id), documents, as_json=as_json)
    if report.imported and not as_json:
        _show_source(_whole(runs), run_id)
    if report.of_a_file and not as_json and (file := _whole(runs).spec(run_id).debate.protocol_file):
        show_line(one_line(f"protocol from {file.path}, sha256:{file.short_digest}"))
    if report.misreported and not as_json:
        for line in misreports(report, _whole(runs).events(run_id)):
            show_line(line)
    _advise(runs, report)


def _advise(runs: RunList, report: RunSummary) -> None:
    judged, left = bool(runs.finished_audits(report.run_id, "judging")), _unfinished(runs, report)
    talk(advice(report, judged=judged, left=left))


def _unfinished(runs: RunList, report: RunSummary) -> str:
    """The script that was asked for after a run that is over, and is open or missing."""
    going = [audit for audit in runs.audits(report.run_id) if audit.state in OPEN and not audit.hosted]
    if going or runs.light_row(report.run_id)["follows"] != "due":
        return going[-1].protocol.partition("/")[0] if going else ""
    from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps, script_after  # noqa: PLC0415  heavy, and seldom missing

    whole, run_id = _whole(runs), report.run_id
    return script_after(whole, whole.spec(run_id), FollowUps.stored(whole, run_id) or NO_FOLLOW_UPS)


def _whole(runs: RunList) -> RunQueries:
    """To read specs and logs, which most states are shown without."""
    from hustings.runs.queries import RunQueries  # noqa: PLC0415  heavy

    return RunQueries(runs.database, runs.owner)


def _show_evaluation(runs: RunQueries, run_id: str, turn: str, *, as_json: bool) -> None:
    from hustings.cli.evaluation_text import show_evaluation, show_turn  # noqa: PLC0415  heavy
    from hustings.lab.evaluation_results import must_be_evaluated  # noqa: PLC0415

    must_be_evaluated(runs, run_id)
    if turn:
        show_turn(runs, run_id, turn, as_json=as_json)
    else:
        show_evaluation(runs, run_id, as_json=as_json)


def _show_batch(runs: RunQueries, batch: str, *, as_json: bool) -> None:
    from hustings.cli.batch_summary_text import lines_of_batch  # noqa: PLC0415  for a batch only
    from hustings.runs.batch_summary import read_batch, summary_of  # noqa: PLC0415

    found = summary_of(batch, read_batch(runs, batch))
    if as_json:
        show_json(found.model_dump(mode="json"))
    else:
        for line in lines_of_batch(found):
            show_line(line)
    judged = NOT_JUDGED not in found.whole.outcomes
    talk(f"Next: hustings export --batch {batch}" if judged else f"Next: hustings judge --batch {batch}")


def _show_events(runs: RunQueries, run_id: str, *, as_json: bool) -> None:
    from hustings.cli.narrate import lines_of  # noqa: PLC0415  for events only

    for event in runs.events(run_id):
        if as_json:
            show_event(event.model_dump(mode="json", exclude_none=True))
        else:
            for line in lines_of(event):
                show_line(line)


def _show_briefing(runs: RunQueries, run_id: str, depth: int, *, as_json: bool) -> None:
    from hustings.cli.judgement_text import show_judge_report, show_judgement  # noqa: PLC0415  loads all of judging
    from hustings.runs.dossiers import judging_of  # noqa: PLC0415

    if runs.read(run_id).protocol.startswith("probing/"):
        show_judge_report(runs, run_id, as_json=as_json)
        return
    if runs.read(run_id).is_trial:
        from hustings.cli.evaluation_text import show_evaluator_report  # noqa: PLC0415  heavy

        show_evaluator_report(runs, run_id, as_json=as_json)
        return
    judging = judging_of(runs, run_id)
    if judging is None:
        raise Unsuitable(f"{run_id!r} is not judged yet", fix=f"hustings judge {run_id}")
    runs.finished(judging)
    show_judgement(runs, judging, depth, as_json=as_json)


def _show_source(runs: RunQueries, run_id: str) -> None:
    """Where an imported debate comes from, and what is not known about it."""
    from hustings.runs.imported import unknown_debaters  # noqa: PLC0415  for imported debates only

    if source := runs.spec(run_id).imported:
        show_line(f"from {source.name or 'standard input'} ({source.shape}), sha256:{source.digest}")
        for remark in source.remarks:
            show_line(f"    {remark}")
    if unknown := unknown_debaters(runs.finished(run_id).transcript):
        show_line(f"debaters unknown: the file names no model for {', '.join(unknown)}")


def _awaited(runs: RunList, report: RunSummary) -> list[Call]:
    if report.state in OVER:
        return []
    whole = _whole(runs)
    if all(player.model != "human" for player in whole.spec(report.run_id).debate.cast.values()):
        return []
    from hustings.engine.people import questions  # noqa: PLC0415  heavy

    return questions(whole, report.run_id)


def _delays(runs: RunList, report: RunSummary) -> list[CallDelayed]:
    if report.state != "running":
        return []
    from hustings.runs.delays import open_delays  # noqa: PLC0415  for running debates only

    return open_delays(_whole(runs), report.run_id)


@dataclass(frozen=True)
class _Waits:
    """What a debate waits for: answers of people, and calls that failed or are held back."""

    awaited: Sequence[Call]
    delays: Sequence[CallDelayed]


def _show_report(
    report: RunSummary,
    waits: _Waits,
    ratings: Sequence[Rating],
    documents: Sequence[ListedDocument],
    *,
    as_json: bool,
) -> None:
    if as_json:
        asked: list[dict[str, Any]] = [
            {"seat": call.seat.id, "address": call.address, "task": call.brief.text} for call in waits.awaited
        ]
        rated = [{"by": one.rater, "stars": one.stars, "comment": one.comment} for one in ratings]
        brought = {"documents": [one.model_dump(mode="json") for one in documents]} if documents else {}
        delayed = [delay.model_dump(mode="json", exclude={"seq", "kind"}) for delay in waits.delays]
        state = {**report.model_dump(mode="json"), "awaited": asked, "delays": delayed, "rated": rated}
        show_json({**state, **brought})
        return
    outcome = outcome_of(report)
    told = [state_of(report), *([outcome] if outcome else []), *([report.reason] if report.reason else [])]
    show_line(f"{report.run_id}: {', '.join(told)}")
    show_line(f"{report.protocol}: {report.topic}")
    if report.imported:
        show_line(f"imported {report.created_at}; what it cost is not known")
    else:
        show_line(f"{report.waves} steps, {cost_of(report)}, started {report.created_at}")
    for document in documents:
        show_line(one_line(document.remark))
    if ratings:
        show_line(rated_text(report))
    for one in ratings:
        if one.comment:
            show_line(f"    {one.rater}, {one.stars} of 5: {one_line(' '.join(one.comment.split()))}")
    if report.happened:
        show_line(one_line(f"what really happened: {report.happened}"))
    _show_waits(report, waits)


def _show_waits(report: RunSummary, waits: _Waits) -> None:
    if waits.delays:
        from hustings.runs.delays import state_lines  # noqa: PLC0415  for delayed calls only

        for line in state_lines(waits.delays):
            show_line(line)
    for call in waits.awaited:
        show_line(f"waiting for {call.seat.id}:")
        show_prose(indent(call.brief.text, "    "))
        show_line(f"    hustings say {report.run_id} {call.seat.id} TEXT")
