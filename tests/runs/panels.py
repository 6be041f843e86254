"""Debates and judgings to be commissioned: who debated, and which models judge."""

from hustings.db import run_rows
from hustings.judging.judgement import Judgement
from hustings.llm.improviser import Improviser
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.request import DebateRequest, build_spec
from hustings.runs.staging import rehearse
from tests.engine.rig import TOPIC

LLAMA, QWEN, GEMMA = "llamacpp/llama-3", "llamacpp/qwen-3", "llamacpp/gemma-3"


def held(protocol="structured", **more):
    """A debate that is over: what was commissioned, and what remains of it."""
    made = build_spec(DebateRequest(**{"protocol": protocol, "question": TOPIC, "model": LLAMA, **more}), {})
    return made, rehearse(made.debate, Improviser()).proceedings


def wanted(old, environment=None, **request):
    return judging_spec(*old, JudgingRequest(**request), environment or {})


def at(url, *, price=False, **by_name):
    """Variables that name judges at an address: `JUDGE=m`, or `JUDGE_1=m`."""
    fields = {"PROVIDER": "openai_compatible", "BASE_URL": url}
    fields |= {"PRICE_INPUT": "1", "PRICE_OUTPUT": "2"} if price else {}
    return {
        f"{name}_LLM_{field}": value
        for name, model in by_name.items()
        for field, value in {**fields, "MODEL": model}.items()
    }


def judgement_in(seen):
    """As it is kept."""
    with seen.rig.database.reading() as db:
        return Judgement.model_validate_json(run_rows.read(db, seen.run_id)["judgement"])


CHAT = '''"""Two rounds; whoever says nothing is passed over."""
from hustings.protocol import Brief, Seat, Settings, Speech, Stage, or_none

async def play(stage: Stage[Settings]) -> None:
    for name in ("first", "second"):
        with stage.round(name):
            await stage.together(*(or_none(stage.ask(seat, SPEAK)) for seat in stage.seats))

SEATS = (Seat("pro"), Seat("con"))
RULES = "Both speak, twice."
SPEAK = Brief("speech", Speech, "Speak.", words=40)
'''
