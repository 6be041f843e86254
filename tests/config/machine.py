"""A machine on which nothing is set up: folders of its own, no variables about models, an empty working directory."""

import os
import re
from pathlib import Path

import pytest

ABOUT_US = re.compile(r".*(LLM_|_API_KEY$|^HUSTINGS_|^OLLAMA_HOST$).*")


class Machine:
    def __init__(self, folder: Path, patch: pytest.MonkeyPatch):
        self.work, self.config, self.patch = folder / "work", folder / "config", patch
        self.work.mkdir()
        (folder / ".git").mkdir()  # nobody's files above count
        for name in filter(ABOUT_US.fullmatch, list(os.environ)):
            patch.delenv(name)
        for kind in ("CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(folder / kind.lower()))
        # No keyring of whoever runs the tests.
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
        patch.chdir(self.work)

    def has(self, **variables):
        for name, value in variables.items():
            self.patch.setenv(name, value)

    def project(self, text, name="hustings.toml"):
        (self.work / name).write_text(text, "utf-8")

    def user(self, text, name="config.toml", mode=0o600):
        path = self.config / "hustings" / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(text, "utf-8")
        path.chmod(mode)
        return path


@pytest.fixture
def machine(tmp_path, monkeypatch):
    return Machine(tmp_path, monkeypatch)
