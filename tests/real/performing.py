"""One debate by one worker in a process of its own, since the engine is one per process.

python -m tests.real.performing URL [unguided]      a commission as the first line in; pieces of text heard, out
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from threading import Thread

from hustings.db.instants import instant
from hustings.llm.model_spec import ModelSpec
from hustings.runs.registry import find_protocol
from hustings.runs.request import cast_with
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan
from hustings.script.debate import Proceedings
from hustings.transcript.events import CallPaid, Event
from tests.rig.local_model import SAMPLING, LocalModel

from .guided import Guided

END = 2
"""The token that ends an answer."""
IMPROVISER = ModelSpec(provider="improviser", model="improviser", local=True)
TOPIC = "Should towns close their centres to cars?"
COMPETITION = {
    "opening_words": 50,
    "question_words": 30,
    "answer_words": 30,
    "summary_words": 50,
    "free_words": 200,
    "free_speech_words": 50,
    "closing_words": 50,
}
SHORT = {
    "adaptive": ("sqlite", {"max_rounds": 1}),
    "competition": ("postgres", COMPETITION),
    "critique": ("sqlite", {"objections": 1}),
    "moderated": ("sqlite", {"panelists": 2, "max_exchanges": 1}),
    "roundtable": ("postgres", {"seats": 2, "rounds": 2, "words": 50}),
    "structured": ("sqlite", {}),  # it is played once for all who look at it
}
"""Where each is performed, and the least it can be."""
IMPROVISED = {"competition": "judge"}
"""Its marks take a small machine longer than all the speeches: `make proof NAME=judge-competition` has them."""


@dataclass(frozen=True)
class Seen:
    """What is left of a debate that is over."""

    proceedings: Proceedings
    events: list[Event]
    heard: int
    seconds: float

    @property
    def asked(self) -> list[CallPaid]:
        """Calls of the model."""
        return [call for call in self.paid if call.model != "improviser"]

    @property
    def paid(self) -> list[CallPaid]:
        return [event for event in self.events if event.kind == "call_paid"]

    def tokens(self, what: str) -> int:
        return sum(getattr(call, f"tokens_{what}") or 0 for call in self.paid)

    def row(self) -> str:
        """Of the table that the tests print."""
        read, cached, written = map(self.tokens, ("in", "cached", "out"))
        protocol = self.proceedings.transcript.debate_metadata.task_type
        calls = f"{len(self.asked):>3} of {len(self.paid):>2} calls"
        tokens = f"{read:>6} in {cached:>6} cached ({cached / max(read, 1):.0%}) {written:>6} out"
        return f"{protocol:<12} {calls} {self.seconds:>6.1f} s {tokens}  {self.proceedings.ending.kind}"


def spec_of(
    model: LocalModel,
    protocol: str,
    settings: dict,
    *,
    improvised: str = "",
    ending: float = 4.0,
    **model_spec,
) -> RunSpec:
    """`improvised` is a seat without the model. `ending` is how fond the model is made of coming to an end: speeches
    get shorter, and forms end when their grammar says so."""
    speaker = ModelSpec(
        provider="openai_compatible",
        base_url=model.base_url,
        model=model.name,
        local=True,
        at_once=2,
        **{"temperature": 0.7, "extra": {**SAMPLING, "logit_bias": [[END, ending]]}, **model_spec},
    )
    debate = plan(find_protocol(protocol), TOPIC, settings=settings)
    model_specs = {seat: IMPROVISER if seat == improvised else speaker for seat in debate.cast}
    # Always the same: the marks around words in the prompts go by it.
    run_id = f"real-{protocol}"
    return RunSpec(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate, model_specs),
        model_specs=model_specs,
        created_at=instant(),
        fence="recorded",
        seed=1,
        seconds_per_call=300,
    )


def performed(url: str, spec: RunSpec, seconds: float, *, guided: bool = True) -> Seen:
    """From its beginning to its end. The process ends with this one, whatever happens to it: it lives by its stdin."""
    from hustings.engine.service import open_service  # noqa: PLC0415  the engine takes seconds to load

    began, command = time.monotonic(), [sys.executable, "-m", __name__, url, *(["unguided"] if not guided else [])]
    with (
        open_service(url) as service,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
    ):
        service.upgrade()
        service.control.enter_here(spec)
        process.stdin.write(spec.model_dump_json() + "\n")
        process.stdin.flush()
        late = began + seconds
        events = list(
            service.runs.follow(spec.run_id, until=lambda: time.monotonic() > late or process.poll() is not None)
        )
        proceedings = service.runs.proceedings(spec.run_id)
        assert proceedings is not None, service.runs.read(spec.run_id)
        return Seen(proceedings, events, json.loads(process.stdout.readline()), time.monotonic() - began)


def main(url: str, *how: str) -> None:
    from hustings.engine.service import open_service  # noqa: PLC0415
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415
    from hustings.llm.egress import PUBLIC_OR_LOOPBACK  # noqa: PLC0415
    from hustings.llm.http_model import model_of  # noqa: PLC0415

    hold = (lambda model: model) if how else Guided
    spec, pieces = RunSpec.model_validate_json(sys.stdin.readline()), []
    Thread(target=end_with_stdin, daemon=True).start()
    with (
        Worker(url, lambda model_spec: hold(model_of(model_spec, {}, PUBLIC_OR_LOOPBACK)), Duty(takes=False)) as worker,
        open_service(url) as service,
        worker.bus.listening(spec.run_id, pieces.append),
    ):
        worker.start(spec.run_id)
        for _ in service.runs.follow(spec.run_id):
            pass
    sys.stdout.write(f"{len(pieces)}\n")


def end_with_stdin() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
