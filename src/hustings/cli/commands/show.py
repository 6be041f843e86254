"""`hustings show` and `hustings list`: the state of a run, who it waits for, its results; debates, newest first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from hustings.cli.narrate import advice, cost_of, lines_of, misreports
from hustings.cli.options import AsJson, DatabaseOption, Depth, OneRunOrFile
from hustings.cli.run_table import debates, is_transcript_file, lines, must_be_one, newest, with_audits
from hustings.cli.terminal import one_line, show, show_event, show_json, show_line, talk
from hustings.db.caps import OVER, State
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.readers.files import read_bytes
from hustings.report import markdown
from hustings.runs.outcome_text import NOT_JUDGED, outcome_of, rated_text, state_of
from hustings.script.debate import Proceedings
from hustings.script.documents import ListedDocument, passages
from hustings.script.forms import complaints
from hustings.transcript.models import Transcript
from hustings.transcript.rules import SizeLimits, check

from .db import open_runs

if TYPE_CHECKING:
    from hustings.db.ratings import Rating
    from hustings.runs.queries import RunQueries
    from hustings.runs.run_summary import RunSummary
    from hustings.script.calls import Call


@dataclass(frozen=True)
class ShowOptions:
    """Which part of a run to show."""

    transcript: Annotated[bool, typer.Option("--transcript", help="What was said, as Markdown or JSON.")] = False
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
        _show_file(run_id, as_json=as_json)
        return
    with open_runs(database) as runs:
        if batch:
            _show_batch(runs, batch, as_json=as_json)
            return
        report = runs.read(run_id)
        if not _show_result(runs, run_id, view, as_json=as_json):
            _show_record(runs, report, view, as_json=as_json)
            talk(advice(report, judged=bool(runs.finished_audits(run_id, "judging"))))


def _show_result(runs: RunQueries, run_id: str, view: ShowOptions, *, as_json: bool) -> bool:
    """Show what came of a run, if that was asked for; it needs no advice on what to do next."""
    if view.briefing:
        _show_briefing(runs, run_id, view.depth, as_json=as_json)
    elif view.evaluation or view.turn:
        _show_evaluation(runs, run_id, view.turn, as_json=as_json)
    elif view.document:
        _show_document(runs, run_id, view.document, as_json=as_json)
    else:
        return False
    return True


def _show_record(runs: RunQueries, report: RunSummary, view: ShowOptions, *, as_json: bool) -> None:
    run_id = report.run_id
    if view.events:
        _show_events(runs, run_id, as_json=as_json)
    elif view.transcript or view.notes:
        _show_remains(runs.finished(run_id), notes=view.notes, as_json=as_json)
    else:
        listed = _documents(runs, run_id)
        _show_report(report, _awaited(runs, report), runs.ratings(run_id), listed, as_json=as_json)
        if report.imported and not as_json:
            _show_source(runs, run_id)
        if report.misreported and not as_json:
            for line in misreports(report, runs.events(run_id)):
                show_line(line)


def _show_evaluation(runs: RunQueries, run_id: str, turn: str, *, as_json: bool) -> None:
    from hustings.cli.evaluation_text import show_evaluation, show_turn  # noqa: PLC0415  heavy
    from hustings.runs.evaluation_results import must_be_evaluated  # noqa: PLC0415

    must_be_evaluated(runs, run_id)
    if turn:
        show_turn(runs, run_id, turn, as_json=as_json)
    else:
        show_evaluation(runs, run_id, as_json=as_json)


def _show_file(file: str, *, as_json: bool) -> None:
    """Show a transcript as Markdown; it needs no database."""
    raw = read_bytes(Path(file), SizeLimits().size, "a transcript as a JSON file")
    try:
        transcript = Transcript.model_validate_json(raw)
    except ValidationError as error:
        why = "; ".join(complaints(error)[:3])
        raise BrokenFile(f"{file!r} is no transcript", why=why, fix=f"hustings validate {file}") from None
    if as_json:
        show_json(transcript.document())
    else:
        show(markdown.render_transcript(transcript))
    wrong = sum(found.severity == "error" for found in check(raw))
    talk(f"{wrong} rules are broken: hustings validate {file}" if wrong else "It keeps every rule of its format.")


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


def _show_document(runs: RunQueries, run_id: str, name: str, *, as_json: bool) -> None:
    """Show a document, each passage under the id by which it is quoted."""
    listed = runs.documents(run_id)
    found = next((one for one in listed if one.id == name.upper()), None)
    if found is None:
        known = ", ".join(one.id for one in listed)
        raise NotFound(f"{run_id!r} has no document {name!r}", fix=f"name one of {known}" if known else "")
    text = runs.document_texts(run_id)[found.id]
    cut = [(one, text[one.start : one.end]) for one in passages(found.id, text)]
    if as_json:
        rows = [{"id": one.id, **({"page": one.page} if one.page else {}), "text": said} for one, said in cut]
        show_json({**found.model_dump(mode="json"), "passages": rows})
        return
    show_line(found.remark)
    for passage, said in cut:
        show(f"\n{passage.label}\n{said}")


def _show_remains(proceedings: Proceedings, *, notes: bool, as_json: bool) -> None:
    if notes:
        show_json(proceedings.notes_document())
    elif as_json:
        show_json(proceedings.document())
    else:
        show(markdown.render(proceedings))


def _show_source(runs: RunQueries, run_id: str) -> None:
    """Where an imported debate comes from, and what is not known about it."""
    from hustings.runs.imported import unknown_debaters  # noqa: PLC0415  for imported debates only

    if source := runs.spec(run_id).imported:
        show_line(f"from {source.name or 'standard input'} ({source.shape}), sha256:{source.digest}")
        for remark in source.remarks:
            show_line(f"    {remark}")
    if unknown := unknown_debaters(runs.finished(run_id).transcript):
        show_line(f"debaters unknown: the file names no model for {', '.join(unknown)}")


def _awaited(runs: RunQueries, report: RunSummary) -> list[Call]:
    people = any(player.model == "human" for player in runs.spec(report.run_id).debate.cast.values())
    if report.state in OVER or not people:
        return []
    from hustings.engine.people import questions  # noqa: PLC0415  heavy

    return questions(runs, report.run_id)


def _documents(runs: RunQueries, run_id: str) -> Sequence[ListedDocument]:
    """Further documents; where there are any, the one that came with the question stands first."""
    listed = runs.documents(run_id)
    return listed if len(listed) > 1 or not runs.spec(run_id).debate.background else ()


def _show_report(
    report: RunSummary,
    awaited: Sequence[Call],
    ratings: Sequence[Rating],
    documents: Sequence[ListedDocument],
    *,
    as_json: bool,
) -> None:
    if as_json:
        asked: list[dict[str, Any]] = [
            {"seat": call.seat.id, "address": call.address, "task": call.brief.text} for call in awaited
        ]
        rated = [{"by": one.rater, "stars": one.stars, "comment": one.comment} for one in ratings]
        brought = {"documents": [one.model_dump(mode="json") for one in documents]} if documents else {}
        show_json({**report.model_dump(mode="json"), "awaited": asked, "rated": rated, **brought})
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
    for call in awaited:
        show_line(f"waiting for {call.seat.id}: {call.brief.text}")
        show_line(f"    hustings say {report.run_id} {call.seat.id} TEXT")


@dataclass(frozen=True)
class ListOptions:
    """Which debates to list."""

    batch: Annotated[str | None, typer.Option("--batch", help="Only this batch.")] = None
    state: Annotated[State | None, typer.Option("--state", help="Only debates in this state.")] = None
    words: Annotated[
        str, typer.Option("--words", metavar="WORDS", help="Only debates in which these words were asked or said.")
    ] = ""
    tag: Annotated[str, typer.Option("--tag", metavar="TAG", help="Only debates with this tag.")] = ""


def list_runs(
    *,
    which: ListOptions,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number shown.")] = 50,
    audits: Annotated[bool, typer.Option("--all", help="Also show judgings, comparisons and judge tests.")] = False,
    database: DatabaseOption = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Output JSON, including judgings, comparisons and judge tests.")
    ] = False,
) -> None:
    """List debates, newest first."""
    with open_runs(database) as runs:
        if which.words or which.tag:
            reports = [(row, False) for row in _found(runs, which, limit)]
        elif as_json:
            reports = [(report, False) for report in runs.latest(batch=which.batch, state=which.state, most=limit)]
        else:
            found = newest(runs, limit, batch=which.batch, state=which.state)
            reports = [*with_audits(found, limit)] if audits else debates(found, limit)
        if as_json:
            show_json([report.model_dump(mode="json") for report, _ in reports])
        else:
            width = get_terminal_size().columns if sys.stdout.isatty() else None
            for line in lines(reports, width):
                show(line)
    talk("See one: hustings show RUN" if reports else 'No debates yet. Start one: hustings "QUESTION"')


def _found(runs: RunQueries, which: ListOptions, limit: int) -> Sequence[RunSummary]:
    from hustings.db.listing import DebateFilter  # noqa: PLC0415  heavy, and few lists need it
    from hustings.runs.debate_rows import debate_rows  # noqa: PLC0415

    wanted = DebateFilter(state=which.state, query=which.words, tag=which.tag, batch=which.batch or "")
    return debate_rows(runs, None, limit, wanted)[0]
