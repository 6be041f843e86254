"""Settings of the person at the machine do not matter, and plug-ins are installed for real."""

import os
import signal
import sys

import pytest

for name in ("CI", "GITHUB_ACTIONS", "FORCE_COLOR", "PY_COLORS"):
    os.environ.pop(name, None)  # where it is set, libraries write in colour to what is no terminal

pytest_plugins = ["tests.rig.lanes", "tests.rig.order"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background by a shell without job control: tests of Ctrl-C, and their processes, must hear it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _settings_of_nobody(tmp_path_factory):
    """Settings and keys of the person who runs the tests must not matter, and their data is left alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Makes a package of one module that names itself by an entry point."""
    modules = []

    def install(name, source, *, module, group="protocols"):
        folder = tmp_path / module
        about = folder / f"{module}_debate-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}-debate\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[hustings.{group}]\n{name} = {module}\n")
        if source is not None:
            (folder / f"{module}.py").write_text(source, "utf-8")
        monkeypatch.syspath_prepend(folder)
        modules.append(module)

    yield install
    for module in modules:
        sys.modules.pop(module, None)
