"""Commands are tried one at a time: a debate is judged where a test is about judging."""

import io
import os

import pytest

from .console import typed


@pytest.fixture(autouse=True, scope="session")
def _left_unjudged():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HUSTINGS_JUDGES", "none")
        yield


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def seen(home, tmp_path, monkeypatch):
    """What a command ends with: its exit code and the last words of its talk."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.endswith("_API_KEY") or "LLM_" in name]:
        monkeypatch.delenv(name)
    places = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("CONFIG", "DATA", "STATE")}
    for name, value in {"HOME": str(home), "NO_COLOR": "1", "COLUMNS": "100", **places}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def see(*arguments, lines=3, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        code, _, err = typed(*arguments)
        said = [line for line in err.splitlines() if line.strip()]
        heads = [n for n, line in enumerate(said) if line.startswith("Error:")]
        shown = said[heads[-1] :] if heads else said[-lines:]
        return code, "\n".join(shown).replace(str(tmp_path), "HERE")

    return see
