"""Own brain: the caller plays the seats, and hustings keeps protocol, record, rules and verdict.

Each call is complete in itself and holds nothing between calls: the run is told again from the ledger, as far as
there are answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from hustings.db.instants import instant
from hustings.errors import NotFound, Unsuitable
from hustings.report import hosting_text
from hustings.runs.call_result import CallResult
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.queries import RunQueries
from hustings.runs.spec import RunSpec
from hustings.script.attempts import REPAIRS, Weighed, legible, weigh
from hustings.script.calls import Call, Reply
from hustings.script.open_question import OpenQuestion
from hustings.script.prompt import prompt_of
from hustings.script.seats import HOST

from .hosted_run import HostedRun, Models
from .people import QuestionClosed, short_key
from .service import RunService

WaveState = Literal["open", "resting", "ended"]
"""`open`: questions wait. `resting`: a person paused it, or a provider must be waited for. `ended`: the run is over."""
JUDGING = ".judging-"


@dataclass(frozen=True)
class Wave:
    """How a hosted run stands: the questions that are open now, and what to do next."""

    run_id: str
    state: WaveState
    questions: tuple[OpenQuestion, ...]
    next: str
    """A sentence with the next command in it."""


@dataclass(frozen=True)
class HostedAnswer:
    """What became of an answer. One that was not taken is on record as an attempt."""

    taken: bool
    why: str | None
    """What is wrong with it, or what is remarked about it."""
    left: int
    """Questions of this wave that are still open."""
    told: str
    """What became of it, in a sentence."""
    next: str
    """A sentence with the next command in it."""


def enter(service: RunService, spec: RunSpec) -> str:
    """Enter a run that the host plays. Return its id."""
    if not spec.hosted:
        raise Unsuitable("every seat has a model, and you play none", fix="leave a seat open, or use hustings run")
    if any(player.model == "human" for player in spec.debate.cast.values()):
        raise Unsuitable("a person can't sit in a debate that you play", fix="play that seat as well, or hustings run")
    if spec.caps.money is None and not all(model_spec.free for model_spec in spec.model_specs.values()):
        raise Unsuitable("a debate with a paid model needs a budget", fix="add --budget")
    if not service.control.enter_hosted(service.budgets.apply(spec)):
        raise Unsuitable(f"there is a run {spec.run_id!r} already", fix="choose another id")
    return spec.run_id


# -- the next wave -------------------------------------------------------------------------


def next_wave(service: RunService, run_id: str, models: Models | None = None) -> Wave:
    """Tell a hosted run as far as it is answered, and hand out the questions that are open now.

    Seats with a model are called here by `models`, and paid once. `RUN.judging-…`, which the end of a debate names, is
    entered when it is first asked for.
    """
    enter_own_judging(service, run_id)
    with HostedRun(service.runs, run_id, models) as run:
        return wave_of(run)


def wave_of(run: HostedRun) -> Wave:
    """How a hosted run stands that has been told."""
    run_id = run.run_id
    if run.ended:
        return Wave(run_id, "ended", (), _over(run))
    if run.rests:
        return Wave(run_id, "resting", (), _resting(run, run.rests.seconds))
    questions = tuple(_question(run, call) for call in run.questions)
    return Wave(run_id, "open", questions, hosting_text.open_questions(run_id, [one.seat for one in questions]))


def _question(run: HostedRun, call: Call) -> OpenQuestion:
    prompt = prompt_of(call, run.spec.debate.cast[call.seat.id])
    return OpenQuestion(
        key=short_key(call.key),
        seat=call.seat.id,
        role=call.seat.role,
        prompt=prompt.text,
        form_schema=None if prompt.schema is None else dict(prompt.schema),
        words=call.brief.words,
        attempt=run.attempt(call) + 1,
        attempts=_attempts(run, call),
    )


def _attempts(run: HostedRun, call: Call) -> int:
    retries = run.spec.debate.retries
    return 1 + (retries if call.on_record else max(retries, REPAIRS))


def _resting(run: HostedRun, seconds: float) -> str:
    if seconds:
        return hosting_text.put_off(run.run_id, seconds)
    return hosting_text.paused(run.run_id, run.runs.read(run.run_id).reason)


def _over(run: HostedRun) -> str:
    if run.spec.judged:
        return hosting_text.audit_over(run.spec.judged)
    ending = run.runs.read(run.run_id).ending
    return hosting_text.debate_over(run.run_id, judging_id(run.run_id), played=ending == "played")


# -- judging by the same host --------------------------------------------------------------


def judging_id(run_id: str) -> str:
    """Id of the judging in which the host of a debate is the judge. It follows from the debate's, so it is one."""
    return f"{run_id[:90]}{JUDGING}{sha256(run_id.encode()).hexdigest()[:8]}"


def enter_own_judging(service: RunService, run_id: str) -> None:
    """Enter the judging that the end of a hosted debate names, if this is its id and it is not on record."""
    begins, judging, _ = run_id.rpartition(JUDGING)
    if not judging or service.runs.exists(run_id):
        return
    debate = service.runs.find(begins)
    if judging_id(debate) == run_id:
        enter_judging(service, debate, JudgingRequest(), {}, run_id)


def enter_judging(
    service: RunService, debate: str, request: JudgingRequest, environment: Mapping[str, str], run_id: str = ""
) -> str:
    """Enter a judging in which the host is a judge; without judges, the host of the debate is the only one."""
    runs: RunQueries = service.runs
    old, judged = runs.whole_spec(debate), runs.finished(debate)
    own = [player.model for player in old.debate.cast.values() if player.hosted]
    if not request.judges:
        request = request.model_copy(update={"judges": (own[0] if own else HOST,)})
    spec = judging_spec(old, judged, request, environment)
    if run_id:
        spec = spec.model_copy(update={"run_id": run_id, "lineage": run_id})
        service.control.enter_hosted(service.budgets.apply(spec))
        return run_id
    return enter(service, spec)


# -- an answer -----------------------------------------------------------------------------


def answer(service: RunService, run_id: str, key: str, words: str, models: Models | None = None) -> HostedAnswer:
    """Answer one question; the first answer stands. The same words again change nothing."""
    with HostedRun(service.runs, run_id, models) as run:
        return answer_in(run, key, words)


def answer_in(run: HostedRun, key: str, words: str) -> HostedAnswer:
    """The same for a run that has been told."""
    words = words.encode("utf-8", "backslashreplace").decode()
    if not words.strip() or "\0" in words:
        raise Unsuitable("that is no answer", fix="write words, without the character NUL")
    call = next((call for call in run.calls if key in (call.key, short_key(call.key))), None)
    if call is None:
        _must_be_known(run, key, words)
        return _done(run, hosting_text.taken())
    said = CallResult("ok", instant(), words, model=run.spec.debate.cast[call.seat.id].model)
    if not run.enter(call, said):
        _must_be_known(run, key, words)
    return _became(run, call, weigh(call.brief, legible(Reply(words, said.at))))


def _became(run: HostedRun, call: Call, found: Weighed) -> HostedAnswer:
    """What the driver will make of an answer when its wave is complete."""
    attempt, attempts, why = run.attempt(call) + 1, _attempts(run, call), "; ".join(found.complaints)
    if call.on_record and not run.spec.debate.retries:
        return _done(run, hosting_text.taken(why), why)
    if found.preferences and attempt < attempts and (call.on_record or attempt == 1):
        why = "; ".join(found.preferences)
    return _done(
        run, hosting_text.sent_back(why, attempt, attempts) if why else hosting_text.taken(), why, taken=not why
    )


def _done(run: HostedRun, told: str, why: str = "", *, taken: bool = True) -> HostedAnswer:
    left = len(run.questions)
    return HostedAnswer(taken, why or None, left, told, hosting_text.then(run.run_id, left))


def _must_be_known(run: HostedRun, key: str, words: str) -> None:
    """A question that is not open may be answered again in the same words, as after a command that was killed."""
    known = next((run.answers[name] for name in run.answers if key in (name, short_key(name))), None)
    if known is None:
        raise NotFound(f"{key!r} is not open in {run.run_id!r}", fix=f"see what is: hustings next {run.run_id}")
    if CallResult.load(known).text != words:
        raise QuestionClosed(f"{key!r} was answered before. The first answer counts")
