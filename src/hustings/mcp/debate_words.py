"""Answers about a debate: how it stands, its recommendation with every caveat, its texts, and the next call.

All that models, people or documents wrote stands between marks that nobody has seen before this answer.
"""

from __future__ import annotations

from hustings.db.caps import OVER
from hustings.engine.hosting import judging_id
from hustings.engine.service import RunService
from hustings.errors import Unsuitable
from hustings.judging.judgement import Judgement
from hustings.report import judgement_markdown, markdown, wording
from hustings.report.formats import csv
from hustings.report.recommendation import caveats, recommendation
from hustings.report.result_sections import result_sections
from hustings.runs.dossiers import dossier, judgement
from hustings.runs.progress import DebateProgress
from hustings.runs.run_summary import RunSummary
from hustings.runs.spec import new_fence
from hustings.script.fence import Fence

from .shapes import DebateAnswer, Part

NO_WORKER = "No worker is running, so it stands still. Ask the user to start one: hustings worker. Then"


def new_marks() -> Fence:
    """Marks for one answer."""
    return Fence(new_fence(), "answer")


def marked(marks: Fence, label: str, words: str) -> str:
    return marks.around(label, words).rstrip("\n") if words else ""


def stands(service: RunService, seen: DebateProgress) -> DebateAnswer:
    """How a debate stands; once it is over, with its verdict."""
    runs, report, marks = service.runs, seen.report, new_marks()
    run_id = report.run_id
    found = judgement(runs, run_id) if report.state == "ended" and not seen.continues else None
    reason = (seen.stopped or report).reason
    return DebateAnswer(
        run_id=run_id,
        state=seen.phase,
        turns=seen.turns,
        speaking=seen.speaking,
        spent_usd=_spent(service, report),
        reason=marked(marks, "reason", reason),
        outcome=found.outcome.kind if found else report.ending if report.state in OVER else "",
        recommendation=marked(marks, "recommendation", "\n".join(recommendation(found))) if found else "",
        caveats=marked(marks, "caveats", "\n".join(f"- {caveat}" for caveat in caveats(found))) if found else "",
        next=_next(service, seen, found),
    )


def _spent(service: RunService, report: RunSummary) -> float | None:
    kin = (report, *service.runs.audits(report.run_id))
    return None if any(one.hosted for one in kin) else round(sum(one.spent for one in kin), 6)


def _next(service: RunService, seen: DebateProgress, found: Judgement | None) -> str:
    run_id = seen.report.run_id
    if seen.continues:
        what = {"judging": "The debate is over and is being judged.", "waiting": "It has not begun yet."}
        said = what.get(seen.phase, f"It goes on: {turns_so_far(seen)}.")
        return f"{said if service.runs.workers() else NO_WORKER} {wait_call(run_id)}"
    if seen.stopped:
        return f'It is paused. Resume it: debate_steer(run_id="{run_id}", what="resume")'
    if seen.report.hosted and not found:
        return _next_of_host(seen)
    if found:
        return f"Report the recommendation with every caveat. Read more: {result_call(run_id, 'briefing')}"
    if seen.report.state == "broken" or seen.report.ending != "played":
        return f"It ended before a verdict. Read what was said: {result_call(run_id, 'transcript')}"
    return f"It was not judged. Read what was said: {result_call(run_id, 'transcript')}"


def _next_of_host(seen: DebateProgress) -> str:
    run_id = seen.report.run_id
    if seen.report.state not in OVER:
        return f"You play it. Get the open questions: {next_call(run_id)}"
    if seen.report.ending == "played":
        return f"The debate is over. Judge it: {next_call(judging_id(run_id))}"
    return f"It ended before a verdict. Read what was said: {result_call(run_id, 'transcript')}"


def turns_so_far(seen: DebateProgress) -> str:
    """For a person who watches: turns, and who speaks."""
    many = f"{seen.turns} turn{'' if seen.turns == 1 else 's'}"
    if seen.phase == "judging":
        return f"{many}, being judged"
    return f"{many}, speaking: {', '.join(seen.speaking)}" if seen.speaking else many


def wait_call(run_id: str) -> str:
    return f'Wait for it: debate_wait(run_id="{run_id}", seconds=45)'


def next_call(run_id: str) -> str:
    return f'debate_next(run_id="{run_id}")'


def result_call(run_id: str, part: Part) -> str:
    return f'debate_result(run_id="{run_id}", part="{part}")'


def result_text(service: RunService, seen: DebateProgress, part: Part) -> str:
    """A part of a finished debate, and the next call."""
    run_id = seen.report.run_id
    if seen.report.state not in OVER or (seen.continues and part != "transcript"):
        what = "is being judged" if seen.report.state in OVER else "has not ended"
        raise Unsuitable(f"{run_id!r} {what}", fix=f"{wait_call(run_id)[0].lower()}{wait_call(run_id)[1:]}")
    found = dossier(service.runs, run_id)
    match part:
        case "trace":
            text = csv.render(found)
        case "transcript":
            text = "\n\n".join(markdown.parts(found.proceedings))
        case "briefing" if found.judgement:
            result = result_sections(found.proceedings, found.judgement)
            text = judgement_markdown.render_judgement(
                found.judgement, depth=2, cost=found.cost, result=result, summary=found.summary
            )
        case "briefing":
            text = "\n\n".join((wording.UNJUDGED, *markdown.sections(result_sections(found.proceedings))))
    others: list[Part] = [one for one in ("briefing", "trace", "transcript") if one != part]
    more = f"Report it with every caveat. Read more: {' or '.join(result_call(run_id, one) for one in others)}"
    return f"{marked(new_marks(), f'{part} of {run_id}', text)}\n\nnext: {more}"
