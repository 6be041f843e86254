"""A home of its own for every page, and a model server on this machine that all of them share."""

import os
import re

import pytest

from . import ollama
from .blocks import ROOT
from .console import Console
from .interpreter import Interpreter

OURS = re.compile(r"HUSTINGS_.*|(.*_)?LLM_.*|.*_API_KEY|OLLAMA_.*|CI|NO_COLOR|FORCE_COLOR|XDG_.*")


@pytest.fixture(scope="session")
def port():
    with ollama.serving() as port:
        yield port


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A person's folder, and one in it to work in; nothing of this machine shows."""
    for name in [*os.environ]:
        if OURS.fullmatch(name):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    yield work
    for name in [*os.environ]:  # what the page exported
        if OURS.fullmatch(name):
            del os.environ[name]


@pytest.fixture
def console(home, port, monkeypatch):
    instead = {}
    if port != ollama.PORT:
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{port}")
        instead = {f"ollama/{model}": f"ollama/{model}@http://127.0.0.1:{port}/v1" for model in ollama.MODELS}
        instead |= {f"127.0.0.1:{ollama.PORT}": f"127.0.0.1:{port}", "": f" at 127.0.0.1:{port}"}
    terminal = Console(instead)
    yield terminal
    terminal.close()


@pytest.fixture
def interpreter(home):
    python = Interpreter()
    yield python
    python.close()
