"""Own brain: the assistant plays the seats of a debate, and then of its judging."""

from __future__ import annotations

from hustings.engine.hosting import JUDGING, answer, judging_id, next_wave
from hustings.errors import NotFound, Unsuitable

from .caller import Caller
from .debate_words import marked, new_marks, next_call, result_call
from .shapes import (
    AnswerArguments,
    NextArguments,
    TakenAnswer,
    WaveAnswer,
)

ALONE = "Answer each alone, from its prompt and nothing else"


def next_questions(caller: Caller, asked: NextArguments) -> WaveAnswer:
    run_id = _hosted(caller, "debate_next", asked.run_id)
    wave = next_wave(caller.service, run_id)
    # The prompt describes the form in words, and an assistant pays for every word twice.
    questions = tuple(question.model_copy(update={"form_schema": None}) for question in wave.questions)
    match wave.state:
        case "open":
            said = f'{ALONE}: debate_answer(run_id="{run_id}", key=…, words=…)'
        case "resting":
            said = f'It is paused. Resume it: debate_steer(run_id="{run_id}", what="resume")'
        case "ended":
            said = _over(caller, run_id)
    return WaveAnswer(run_id=run_id, questions=questions, next=said)


def _over(caller: Caller, run_id: str) -> str:
    report = caller.service.runs.read(run_id)
    if report.judged:
        return f'It is judged. See the verdict: debate_wait(run_id="{report.judged}", seconds=0)'
    if report.ending == "played":
        return f"The debate is over. Judge it: {next_call(judging_id(run_id))}"
    return f"It ended before a verdict. Read what was said: {result_call(run_id, 'transcript')}"


def take_answer(caller: Caller, asked: AnswerArguments) -> TakenAnswer:
    run_id = _hosted(caller, "debate_answer", asked.run_id)
    try:
        found = answer(caller.service, run_id, asked.key, asked.words)
    except NotFound:
        raise NotFound(f"{asked.key!r} is not open in {run_id!r}", fix=f"see what is: {next_call(run_id)}") from None
    if found.left:
        said = f'Answer the next of {found.left}: debate_answer(run_id="{run_id}", key=…, words=…)'
    else:
        said = f"Nothing is left in this wave. Go on: {next_call(run_id)}"
    if not found.taken:
        said = f"It comes again with a new key, if an attempt is left. {said}"
    # The reason may repeat words of other speakers.
    return TakenAnswer(
        taken=found.taken, why=marked(new_marks(), "reason", found.why or ""), left=found.left, next=said
    )


def _hosted(caller: Caller, tool: str, name: str) -> str:
    """The id of a run that the caller plays; that of its judging may not be on record yet."""
    caller.must_be_permitted(tool, name)
    runs = caller.service.runs
    run_id = runs.find(name)
    caller.must_be_permitted(tool, run_id)
    known = runs.exists(run_id)
    if not known and JUDGING not in run_id:
        raise NotFound(f"no debate {name!r}", fix="find it: debate_find(words=…)")
    if known and not runs.read(run_id).hosted:
        raise Unsuitable(f"models hold {run_id!r}", fix=f'wait for it: debate_wait(run_id="{run_id}")')
    return run_id
