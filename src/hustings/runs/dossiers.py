"""Results of a run: judgement computed from the stored notes, control comparison, expenses, dossier."""

from __future__ import annotations

from contextlib import suppress

from hustings.errors import Unsuitable
from hustings.judging.audits.control import AFTER
from hustings.judging.audits.control import Settings as ControlSettings
from hustings.judging.comparison import DebateFacts
from hustings.judging.control_comparison import compare
from hustings.judging.dossier import DebateSection, Dossier, Expense, allowances
from hustings.judging.executive_summary import summary_of
from hustings.judging.judgement import Control, ExecutiveSummary, Judgement
from hustings.report.formats import Export
from hustings.script.documents import TextsOf
from hustings.transcript.events import CallPaid

from .judging_spec import debaters, judgement_of
from .queries import RunQueries
from .registry import find_section, section_names


def latest_audit(runs: RunQueries, run_id: str, script: str) -> str | None:
    """The run itself if it is an audit by this script, else the latest of the debate; stopped ones as a last resort."""
    report = runs.read(run_id)
    if report.protocol.startswith(f"{script}/"):
        return run_id
    audits = runs.finished_audits(report.judged or run_id, script)
    return next((run for run in audits if runs.read(run).ending == "played"), next(iter(audits), None))


def judging_of(runs: RunQueries, run_id: str) -> str | None:
    return latest_audit(runs, run_id, "judging")


def judgement(runs: RunQueries, run_id: str) -> Judgement | None:
    """Judgement of a run; None if it has no judging, or the judging is not over."""
    judging = judging_of(runs, run_id)
    proceedings = runs.proceedings(judging) if judging else None
    if judging is None or proceedings is None:
        return None
    spec = runs.spec(judging)
    found = judgement_of(spec.debate, proceedings)
    control = found and _control(runs, spec.judged, found)
    return judgement_of(spec.debate, proceedings, control) if control else found


def rendered(runs: RunQueries, run_id: str, export: Export) -> str:
    """A finished debate in a format."""
    return export.render(dossier(runs, run_id))


def dossier(runs: RunQueries, run_id: str, *, brief: bool = False) -> Dossier:
    """Everything about a finished debate, which may be named by one of its judgings.

    `brief` leaves out what the parts of a view do not tell and takes long to read: word limits and plug-ins' sections.
    """
    debate = runs.read(run_id).judged or run_id
    judging, found = judging_of(runs, run_id), judgement(runs, run_id)
    # What an imported debate cost is not known, which is not the same as free.
    parts = {} if runs.read(debate).imported else {"debate": debate}
    parts |= {"judging": judging} if judging and found else {}
    if found and found.control:
        parts["control"] = runs.finished_audits(debate, "control")[0]
    written = _summary(runs, debate, judging) if judging and found else None
    if written:
        parts["summary"] = written.run_id
    sections: list[DebateSection] = []
    for name in section_names():
        audit = latest_audit(runs, run_id, name)
        section = find_section(name).read(runs, audit) if audit and not brief else None
        sections += [section] if section else []
        if audit and (section or brief):
            parts[name] = audit
    reports = {what: runs.read(run) for what, run in parts.items()}
    expenses = [
        Expense(
            what=what,
            run_id=report.run_id,
            calls=report.calls,
            tokens=report.tokens,
            tokens_held=report.tokens_held,
            spent=report.spent,
            misreported=report.misreported,
            hosted=report.hosted,
        )
        for what, report in reports.items()
    ]
    return Dossier(
        proceedings=runs.finished(debate),
        judgement=found,
        expenses=tuple(expenses),
        summary=written,
        allowances=allowances([] if brief else runs.events(debate)),
        sections=tuple(sections),
        texts=_texts(runs, debate),
    )


def _texts(runs: RunQueries, debate: str) -> TextsOf:
    """Texts of its documents. What was said can be read without them, so a missing one hides nothing else."""
    with suppress(Unsuitable):
        return runs.document_texts(debate)
    return {}


def _summary(runs: RunQueries, debate: str, judging: str) -> ExecutiveSummary | None:
    """The latest summary of a judging; one of another judging would summarise other findings."""
    for run in runs.finished_audits(debate, "summary"):
        spec = runs.spec(run)
        if spec.debate.settings.get("judging") == judging:
            return summary_of(run, spec.debate.cast["writer"].model, runs.finished(run))
    return None


def held(runs: RunQueries, run_id: str) -> DebateFacts:
    """A finished debate with the settings of its spec, to compare it with others."""
    about = dossier(runs, run_id)
    spec = runs.spec(about.proceedings.transcript.run_id)
    debate = spec.debate
    manner = {"language": debate.language, "retries": debate.retries, "seed": spec.seed}
    return DebateFacts(run_id, about, {**manner, **debate.settings})


def _control(runs: RunQueries, judged: str, found: Judgement) -> Control | None:
    """The latest control of a debate, compared with the outcome of this judging."""
    controls = runs.finished_audits(judged, "control")
    if not controls:
        return None
    spec, proceedings = runs.spec(controls[0]), runs.finished(controls[0])
    labels = {seat.id: spec.model_specs[seat.id].label for seat in spec.debate.seats}
    best = max(found.trace, key=lambda argument: argument.score or 0.0, default=None)
    voices = debaters(runs.spec(judged))
    return compare(
        runs.finished(judged),
        proceedings,
        found.outcome,
        strongest=voices[best.seat].label if best and best.seat in voices else "",
        voices=labels,
        options=ControlSettings.model_validate(spec.debate.settings).options,
        tokens=(runs.read(judged).tokens, _blind_tokens(runs, controls[0])),
    )


def _blind_tokens(runs: RunQueries, control: str) -> int:
    """Tokens of the answers without a debate; those for reading the debate afterwards are not included."""
    paid = [event for event in runs.events(control) if isinstance(event, CallPaid)]
    return sum(p.tokens for p in paid if not p.address.endswith(AFTER.name))
