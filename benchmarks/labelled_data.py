"""A model as a judge of texts that people have labelled (`make proof NAME=labelled-data ARGS=…`).

python -m benchmarks.labelled_data TASK DATA [MODEL [ITEMS]]     a table, and JSON on the last line

DATA is a folder of your own with lines of JSON: cladder-easy.jsonl (given, question, answer, rung), argotario-en.jsonl
(topic, intended, voted, text) or ukpconvarg-strict-sample.jsonl (topic, a1, a2, more_convincing). MODEL is
`improviser`, `local` (the small model of the tests) or any name that `hustings models` lists. Its answers pass the same
checks as in every debate; what it does not answer, or answers without its quotes, is told apart and counts as missed.
"""

import asyncio
import json
import random
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from hustings.config.variables import variables
from hustings.errors import SeatFailed, Unsuitable
from hustings.lab.debate_metrics import wilson
from hustings.lab.from_notes import EvaluatedRun, evaluation_from
from hustings.lab.human_labels import asserted_rung, kappa
from hustings.lab.trial_debates import SIDES, WRITTEN
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from hustings.llm.improviser import Improviser, clock
from hustings.llm.model import LlmRequest
from hustings.llm.model_spec import ModelSpec, parse_model_spec
from hustings.llm.prices import room_for
from hustings.runs.judging_spec import judgement_of
from hustings.runs.registry import find_script
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.script.debate import Proceedings
from hustings.script.forms import Point
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player
from hustings.transcript.models import (
    SCHEMA_VERSION,
    Attempt,
    DebateMetadata,
    Participant,
    Round,
    RunMetadata,
    Transcript,
    Turn,
    TurnMetadata,
)
from hustings.transcript.notes import RULES, Note, Played, Subject
from tests.rig.local_model import SAMPLING, running

SEED, LONGEST_FILE = 7, 2**26
FALLACIES = {
    "Ad Hominem": "ad_hominem",
    "Irrelevant Authority": "appeal_to_authority",
    "Hasty Generalization": "anecdotal_evidence",
}
"""Kinds of the data that our judges are asked about, by our names. Of others it only counts whether any was seen."""


# -- the model -------------------------------------------------------------------------------


def actor_of(name, stack):
    """Answers calls: made up, by the model of the tests, or by any other."""
    if name == "improviser":
        return Improviser()
    if name == "local":
        served = stack.enter_context(running(n_ctx=8_192))
        spec = ModelSpec(
            provider="openai_compatible", base_url=served.base_url, model=served.name, local=True, extra=SAMPLING
        )
    else:
        spec = parse_model_spec(name)
    model, loop = model_of(spec, variables(), PUBLIC_OR_LOOPBACK), stack.enter_context(asyncio.Runner())

    def answer(call):
        asked = LlmRequest(prompt_of(call, Player()), room_for(call, spec), seconds=600.0, extra=spec.extra)
        said = loop.run(model.answer(asked, lambda _: None))
        return Reply(said.text, clock(call)) if said.kind == "ok" else SeatFailed(said.kind)

    return answer


# -- records and audits ----------------------------------------------------------------------


def said(topic, *texts):
    """A record of openings in which each side makes one argument, numbered as on a form, so that no clerk is asked."""
    points = [
        Point(id=f"{side.upper()}-1", kind="argument", claim=text, words=text)
        for side, text in zip(SIDES, texts, strict=False)
    ]
    turns = [
        Turn(
            turn_id=f"r1.t{n}",
            round_index=1,
            turn_index_in_round=n,
            speaker_id=SIDES[n],
            attempts=[Attempt(attempt_index=0, timestamp=WRITTEN, status="ok", content=point.words)],
            metadata=TurnMetadata(kind="opening"),
        )
        for n, point in enumerate(points)
    ]
    transcript = Transcript(
        schema_version=SCHEMA_VERSION,
        debate_id="labelled",
        run_id="labelled",
        mode="posthoc",
        created_at=WRITTEN,
        run_metadata=RunMetadata(generation_mode="written", protocol="structured/1"),
        debate_metadata=DebateMetadata(task_type="structured", topic=topic, language="en"),
        participants=[Participant(agent_id=side, role=side) for side in SIDES],
        rounds=[Round(round_index=1, turns=turns, transcript_visibility="isolated", label="opening")],
    )
    notes = [
        Note(
            note_id=f"n{n}",
            kind="points",
            by=RULES,
            about=(Subject(turn_id=turn.turn_id),),
            created_at=WRITTEN,
            body={"points": [point.model_dump(mode="json")]},
        )
        for n, (turn, point) in enumerate(zip(turns, points, strict=True))
    ]
    return Proceedings(transcript=transcript, notes=tuple(notes), result=None, ending=Played())


def audited(script, record, actor, **settings):
    topic = record.transcript.debate_metadata.topic or ""
    audit = plan(find_script(script), topic, judged=record, settings=settings, model="labelled")
    if script == "judging":
        audit = audit.model_copy(update={"rubric": "argument"})
    return audit, rehearse(audit, actor).proceedings


def judged(record, actor):
    chosen = {"judges": 1, "orders": 1, "families": ["one"], "debaters": ["other"]}
    return judgement_of(*audited("judging", record, actor, **chosen))


# -- tasks -----------------------------------------------------------------------------------


def rungs(items, actor):
    """The rung that a turn asserts, beside the rung of the question that it answers."""
    pairs = []
    for item in items:
        text = f"{item['given']} So my answer to the question “{item['question']}” is {item['answer']}."
        audit, proceedings = audited(
            "evaluation", said(item["question"], text), actor, judges=1, parts=["t3"], options=[]
        )
        turns = evaluation_from(EvaluatedRun(audit, proceedings, "labelled", WRITTEN)).turn_evaluations
        pairs.append((f"L{item['rung']}", asserted_rung(turns[0]) if turns else None))
    return read(pairs)


def read(pairs):
    """Answers beside labels, by label: how many were given, and how many agree."""
    given = [(label, answer) for label, answer in pairs if answer is not None]
    right = sum(label == answer for label, answer in given)
    rows = {
        label: {
            "items": sum(one == label for one, _ in pairs),
            **Counter(answer or "no answer" for one, answer in pairs if one == label),
        }
        for label in sorted({label for label, _ in pairs})
    }
    found = kappa(given)
    low, high = wilson(right, len(pairs))
    return rows, {
        "items": len(pairs),
        "answered": len(given),
        "right": right,
        "share": round(right / len(pairs), 4) if pairs else None,
        "range": [round(low, 4), round(high, 4)],
        "kappa": None if found is None else round(found, 4),
    }


def fallacies(items, actor):
    """Fallacies that a judge flags in one argument, beside what its author meant and others voted."""
    pairs, named = [], Counter()
    for item in items:
        label = item["voted"] if item["voted"] != "-" else item["intended"]
        found = judged(said(item["topic"], item["text"]), actor)
        seen = {flag.kind for flag in found.flags} if found else set()
        scored = bool(found and any(argument.score is not None for argument in found.trace))
        pairs.append(
            ("none" if label == "No Fallacy" else "fallacy", ("fallacy" if seen else "none") if scored else None)
        )
        if label in FALLACIES:
            named[f"{FALLACIES[label]} named"] += FALLACIES[label] in seen
            named[f"{FALLACIES[label]} items"] += 1
    rows, told = read(pairs)
    return rows, {**told, **named}


def arguments(items, actor):
    """Which of two arguments a judge scores higher, beside which convinces people more. Equal scores are no answer."""
    pairs = []
    for item in items:
        record = said(item["topic"].replace("-", " ").replace("_", ": "), item["a1"], item["a2"])
        found = judged(record, actor)
        seats = [turn.speaker_id for turn in record.transcript.turns]
        marks = [mean([a.score for a in found.trace if a.seat == seat and a.score is not None]) for seat in seats[:2]]
        told = None if None in marks or marks[0] == marks[1] else "a1" if marks[0] > marks[1] else "a2"
        pairs.append((item["more_convincing"], told))
    return read(pairs)


def mean(values):
    return sum(values) / len(values) if values else None


TASKS = {
    "rungs": (rungs, "cladder-easy.jsonl", {"given", "question", "answer", "rung"}),
    "fallacies": (fallacies, "argotario-en.jsonl", {"topic", "intended", "voted", "text"}),
    "arguments": (arguments, "ukpconvarg-strict-sample.jsonl", {"topic", "a1", "a2", "more_convincing"}),
}


def items_of(file, fields, count):
    """Some items of a file, drawn by lot, always the same."""
    if not file.exists():
        raise Unsuitable(f"no file {file}", fix="name the folder that holds it")
    if file.stat().st_size > LONGEST_FILE:
        raise Unsuitable(f"{file} is too large", fix="take a part of it, of up to 64 MB")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    if any(not isinstance(row, dict) or not fields <= row.keys() for row in rows):
        raise Unsuitable(f"{file} has other fields", fix=f"each line needs {', '.join(sorted(fields))}")
    return random.Random(SEED).sample(rows, min(count, len(rows)))


def main(task="", data="", model="improviser", count="40"):
    if task not in TASKS or not data:
        raise Unsuitable("no task or no data", fix=f"name one of {', '.join(TASKS)}, and a folder")
    work, name, fields = TASKS[task]
    items = items_of(Path(data) / name, fields, int(count))
    with ExitStack() as stack:
        rows, told = work(items, actor_of(model, stack))
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    sys.stdout.write(f"{'label':<12}" + "".join(f"{column:>12}" for column in columns) + "\n")
    for label, row in rows.items():
        sys.stdout.write(f"{label:<12}" + "".join(f"{row.get(column, 0):>12}" for column in columns) + "\n")
    sys.stdout.write(json.dumps({"task": task, "model": model, **told}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
