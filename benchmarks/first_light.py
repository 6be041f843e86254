"""Ten fixed questions, played by whatever models are here, and one page of what came of it.

    python -m benchmarks.first_light                  every model that hustings finds or is set up for
    python -m benchmarks.first_light --model ollama/qwen3 --model openai/gpt-5 --yes

Servers and keys are those that hustings itself would use. If there are none, a model of 135 million weights plays,
which shows only that the command runs. Before anything is paid for, the estimate is shown and `--yes` is asked for.
Records are kept in build/first-light, the page is docs/notes/first-light.md, and the last line is JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

from hustings import Debate
from hustings.config.models import candidates, configured_models
from hustings.config.variables import variables
from hustings.db.instants import instant
from hustings.errors import HustingsError
from hustings.llm.endpoints import PROVIDERS
from hustings.llm.environment import Environment
from hustings.llm.local_servers import find
from hustings.llm.model_spec import ModelSpec, family, parse_model_spec
from hustings.runs.queries import RunQueries, open_runs
from hustings.script.background import Background, title_of
from tests.rig.local_model import installed, running

from .first_light_figures import PlayedQuestion, read_played, sums
from .first_light_page import Trial, page

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "notes" / "first-light.md"
DATA = files("hustings") / "data" / "first_light"
MINUTES, DOLLARS, CALLS = 30.0, 0.5, 120
"""Most of each that a debate may take, with its judging."""
SHORT_MINUTES = 1.5
"""For the model of 135 million weights: ten debates in less than 25 minutes."""
GRACE_SECONDS = 20
"""A call that began in time may end; after that the process is ended, and the record stays as it is."""
TINY = {"LLM_MAX_TOKENS": "300", "LLM_TEMPERATURE": "0.7", "LLM_TIMEOUT": "75", "LLM_AT_ONCE": "2"}
"""Its settings: it seldom stops by itself, and a busy machine takes a minute for as many tokens."""
SEATS_OF_NO_MODEL = {"human", "host"}


@dataclass(frozen=True)
class TriedModel:
    flag: str
    """As after -m."""
    model_spec: ModelSpec

    @property
    def label(self) -> str:
        return self.model_spec.label


@dataclass(frozen=True)
class Caps:
    minutes: float
    dollars: float

    def __str__(self) -> str:
        return (
            f"{self.minutes:g} minutes, {CALLS} calls and ${self.dollars:.2f}, its judging included; what is not "
            "over by then is cut off"
        )


# -- questions and models ------------------------------------------------------------------


def first_light() -> dict:
    """The questions and the settings of their protocols, as they are in the package."""
    return tomllib.loads((DATA / "questions.toml").read_text("utf-8"))


def first_light_digest() -> str:
    """Of all its files: with another digest, figures are not to be compared."""
    every = sorted(DATA.iterdir(), key=lambda file: file.name)
    return sha256(b"".join(file.name.encode() + b"\0" + file.read_bytes() for file in every)).hexdigest()


def debate_of(question: dict, model: TriedModel, judges: str | list[str], caps: Caps, database: Path) -> dict:
    """What `hustings.Debate` is told to play a question."""
    document = (DATA / question["document"]).read_text("utf-8") if "document" in question else ""
    return {
        "question": question["question"],
        "background": Background(title=title_of(document), text=document) if document else None,
        "protocol": question["protocol"],
        "settings": first_light()["settings"][question["protocol"]],
        "model": model.flag,
        "judges": judges,
        "debate_id": f"first-light-{question['id']}",
        "budget": caps.dollars,
        "max_calls": CALLS,
        "max_minutes": caps.minutes,
        "database": database,
    }


def models_here(known: Environment) -> list[TriedModel]:
    """The models that are set up, then those of local servers and of keys; each once."""
    configured = [one.model_spec for one in configured_models(known) if one.model_spec and "judge" not in one.name]
    found = [one.model_spec for one in candidates(known, find(known.process))]
    tried = (TriedModel(_flag(one), one) for one in [*configured, *found] if one.provider not in SEATS_OF_NO_MODEL)
    return list({one.flag: one for one in tried}.values())


def _flag(model_spec: ModelSpec) -> str:
    endpoint = PROVIDERS.get(model_spec.provider)
    own = not model_spec.base_url or (endpoint and endpoint.url == model_spec.base_url)
    return model_spec.label if own else f"{model_spec.provider}/{model_spec.model}@{model_spec.base_url}"


def judges_of(model: TriedModel, models: Sequence[TriedModel], known: Environment) -> str | list[str]:
    """The judges that are set up, else one model of another maker, else the model itself."""
    if any(name.startswith("judge") for name in known.set_up):
        return "auto"
    others = (one for one in models if family(one.model_spec) != family(model.model_spec))
    return [next(others, model).flag]


@contextmanager
def tiny_model() -> Generator[TriedModel]:
    """The model of 135 million weights, served on this machine, with short answers."""
    with running(n_parallel=2, n_ctx=16_384) as served:
        settings = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": served.base_url, "LLM_MODEL": served.name}
        os.environ.update({**settings, **TINY})
        try:
            flag = f"openai_compatible/{served.name}@{served.base_url}"
            yield TriedModel(flag, parse_model_spec(flag))
        finally:
            for name in {**settings, **TINY}:
                del os.environ[name]


# -- playing -------------------------------------------------------------------------------


def play(answer: Connection, debate: dict) -> None:
    """In a process of its own, which can be ended whatever it does. Sends the run's id, and why it did not go on."""
    Thread(target=end_with_parent, daemon=True).start()
    try:
        begun = Debate(**debate)
        answer.send(begun.run_id)
        begun.run()
        answer.send("")
    except HustingsError as error:
        answer.send(str(error))


def end_with_parent() -> None:
    """Whoever stops the command stops its debate, and pays for no further call."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def played(runs_of: Path, question: dict, model: TriedModel, debate: dict, caps: Caps) -> PlayedQuestion:
    """One debate from its beginning until it has ended, stands still, or its time is over."""
    mine, its = get_context("spawn").Pipe(duplex=False)
    process = get_context("spawn").Process(target=play, args=(its, debate))
    process.start()
    its.close()
    process.join(caps.minutes * 60 + GRACE_SECONDS)
    process.kill()
    process.join()
    sent = list(_received(mine))
    with open_runs(f"sqlite:///{runs_of}") as runs:
        if sent and runs.exists(sent[0]):
            screen = _screen(runs, sent[0], runs_of)
            return read_played(runs, sent[0], question["id"], model.label, screen)
    return PlayedQuestion(question["id"], question["protocol"], model.label, "never began", "".join(sent), "", "no")


def _received(connection: Connection) -> Iterator[str]:
    while connection.poll():
        try:
            yield connection.recv()
        except EOFError:
            return


def _screen(runs: RunQueries, run_id: str, database: Path) -> str:
    """What `hustings show` prints, and the first page of the briefing if there is one."""
    parts = [[], ["--briefing", "--depth", "1"]] if runs.finished_audits(run_id, "judging") else [[]]
    command = [sys.executable, "-c", "from hustings.main import main; main()", "show", run_id]
    shown = [
        subprocess.run(
            [*command, *part, "--database", f"sqlite:///{database}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        )
        for part in parts
    ]
    return "\n".join(one.stdout or one.stderr for one in shown)


def estimated(debates: Sequence[dict]) -> float | None:
    """What they are expected to cost in dollars; None if all of it is free."""
    first = Debate(**debates[0]).estimate()
    if first.free:
        return None
    rest = (Debate(**debate).estimate() for debate in debates[1:])
    return sum(one.expected.money for one in [first, *rest]) / 1_000_000


# -- the command ---------------------------------------------------------------------------


def told(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_light", description=__doc__.splitlines()[0])
    parser.add_argument("--model", action="append", default=[], help="provider/model, as after -m; may be repeated")
    parser.add_argument("--question", action="append", default=[], help="id of one of the ten; all without it")
    parser.add_argument("--minutes", type=float, help="most minutes of a debate, its judging included")
    parser.add_argument("--budget", type=float, default=DOLLARS, help="most dollars of a debate, its judging included")
    parser.add_argument("--yes", action="store_true", help="spend what the estimate says")
    parser.add_argument("--output", type=Path, default=PAGE, help="where the page goes")
    parser.add_argument("--records", type=Path, default=ROOT / "build" / "first-light", help="folder of the records")
    return parser.parse_args(arguments)


def main(*arguments: str) -> None:
    options, known = told(arguments), variables()
    models = [TriedModel(name, parse_model_spec(name)) for name in options.model] or models_here(known)
    if models:
        try_all(options, models, known, options.minutes or MINUTES)
    elif installed():
        with tiny_model() as model:
            try_all(options, [model], variables(), options.minutes or SHORT_MINUTES)
    else:
        sys.exit("no model here: start a local server, store a key (hustings keys set PROVIDER), or run make setup")


def try_all(options: argparse.Namespace, models: Sequence[TriedModel], known: Environment, minutes: float) -> None:
    questions = [one for one in first_light()["questions"] if not options.question or one["id"] in options.question]
    caps, date = Caps(minutes, options.budget), instant()
    options.records.mkdir(parents=True, exist_ok=True)
    database = options.records / f"{date[:19].replace(':', '')}.db"
    judges = {one.flag: judges_of(one, models, known) for one in models}
    planned = [
        (one, model, debate_of(one, model, judges[model.flag], caps, database)) for model in models for one in questions
    ]
    must_be_agreed(options, [debate for _, _, debate in planned], caps)
    found: list[PlayedQuestion] = []
    for question, model, debate in planned:
        began = time.monotonic()
        found.append(played(database, question, model, debate, caps))
        seconds = time.monotonic() - began
        sys.stderr.write(f"{model.label}, {question['id']}: {found[-1].ended} {found[-1].why} ({seconds:.0f} s)\n")
    trial = Trial(
        date=date[:10],
        version=version("hustings"),
        questions=questions,
        caps=str(caps),
        judges="; ".join(_judging(model, judges[model.flag]) for model in models),
        digest=first_light_digest(),
    )
    options.output.write_text(page(trial, found), "utf-8")
    figures = {model.label: sums(one for one in found if one.model == model.label) for model in models}
    sys.stdout.write(json.dumps({"page": options.output.name, "records": database.name, "models": figures}) + "\n")


def must_be_agreed(options: argparse.Namespace, debates: Sequence[dict], caps: Caps) -> None:
    """Say what it will take. What costs money needs a yes."""
    try:
        dollars = estimated(debates)
    except HustingsError as error:
        sys.exit(str(error))
    most = len(debates) * (caps.minutes + GRACE_SECONDS / 60)
    cost = "free" if dollars is None else f"about ${dollars:.2f}, at most ${len(debates) * caps.dollars:.2f}"
    sys.stderr.write(f"{len(debates)} debates, {cost}, at most {most:.0f} minutes\n")
    if dollars is not None and not options.yes:
        sys.exit("This costs money. Go on with --yes (in ARGS of make), or choose models with --model")


def _judging(model: TriedModel, judges: str | list[str]) -> str:
    if judges == "auto":
        return f"{model.label} by the judges that are set up"
    return f"{model.label} by itself" if judges == [model.flag] else f"{model.label} by {judges[0].partition('@')[0]}"


if __name__ == "__main__":
    main(*sys.argv[1:])
