"""The tests and a debate beside the oldest and the newest of every dependency (proofs `oldest` and `newest`).

Each end has an environment of its own in `build/`, with the wheel of this checkout and all its extras.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
TESTED = (
    "llm", "engine", "db", "runs", "cli", "api", "mcp", "web", "readers", "config", "report", "script", "transcript",
    "chaos",
)  # fmt: skip
"""Folders of tests in which a dependency is at work."""
LEFT = (
    "web/browser", "report/test_sharing_browser.py",
    "web/test_openapi.py", "web/openai/test_clients.py", "cli/test_skill.py",
    "report/test_argdown.py",
    *(f"transcript/rules/test_{name}.py" for name in ("fuzz", "mutation")),
)  # fmt: skip
"""The pages, what needs tools that want newer packages, and files by the thousand."""
TOKENS = 2_300
"""Of a call, by the last report of the pretend provider; all its reports together say more."""


def main() -> None:
    end = sys.argv[1]
    if end == "here":
        told = {**debate(), **guard_elsewhere()}
        right = told["tokens"] == told["calls"] * TOKENS and told["calls"] and not told["heard_past_the_guard"]
    else:
        told = tried(end, sys.argv[2:])
        right = not told["failed"] and told["passed"]
    sys.stdout.write(json.dumps(told) + "\n")
    sys.exit(not right)


def tried(end: str, chosen: Sequence[str]) -> dict[str, object]:
    folder = ROOT / "build" / end
    python = environment(folder, RESOLUTIONS[end])
    bytecode = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    bytecode.pop("PYTHONDONTWRITEBYTECODE", None)
    here = subprocess.run(
        [python, "-m", "benchmarks.ranges", "here"], cwd=ROOT, env=bytecode, stdout=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    tests = chosen or [f"tests/{name}" for name in TESTED]
    command = [python, "-m", "pytest", "-q", "-o", f"cache_dir={folder / 'pytest'}"]
    command += ["-W", "default"] if end == "oldest" else []  # old packages warn of what newer ones deprecate
    tests = [*tests, *(f"--ignore=tests/{path}" for path in LEFT)]
    at_once = ["-n", str(os.cpu_count()), "--dist", "loadfile", *tests]
    first = run(command, at_once, folder / "tests.xml", bytecode)
    # What waits, measures or kills can fail beside others. It is tried once more alone, and must then pass.
    again = run(command, ["--last-failed", *tests], folder / "again.xml", bytecode) if first["failed"] else None
    debated = json.loads(here.stdout.splitlines()[-1]) if here.stdout else {}
    failed = again["failed"] if again else 0
    return {
        "end": end,
        "python": sys.version.split()[0],
        "versions": versions(python),
        "debate": debated,
        "passed": first["passed"] + (again["passed"] if again else 0),
        "failed": failed + here.returncode,
        "passed_alone": again["passed"] if again else 0,
        "skipped": first["skipped"],
    }


def environment(folder: Path, resolution: str) -> str:
    """The Python of an environment with the wheel of this checkout, and nothing of ours beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    python, pins = str(folder / "environment" / "bin" / "python"), str(folder / "pins.txt")
    for old in folder.glob("*.whl"):
        old.unlink()
    built = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", "wheel"]
    subprocess.run(built, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    options = ["--quiet", "--python", python]
    for command in (
        ["venv", "--quiet", "--clear", "--python", sys.executable, str(folder / "environment")],
        ["pip", "compile", *options, "--no-header", "--all-extras", "--upgrade", "--resolution", resolution,
         "pyproject.toml", "--output-file", pins],
        ["pip", "install", *options, "--group", "test", "--requirement", pins],
        ["pip", "install", *options, "--no-deps", str(wheel)],
    ):  # fmt: skip
        subprocess.run(["uv", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return python


def run(command: list[str], options: Sequence[str], report: Path, env: dict[str, str]) -> dict[str, int]:
    report.unlink(missing_ok=True)
    subprocess.run([*command, *options, "--junitxml", str(report)], cwd=ROOT, env=env, stdout=sys.stderr, check=False)
    suite = ET.parse(report).getroot()[0]
    tests, failures, errors, skipped = (int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped"))
    return {"passed": tests - failures - errors - skipped, "failed": failures + errors, "skipped": skipped}


def versions(python: str) -> dict[str, str]:
    extras = (one for each in PROJECT["optional-dependencies"].values() for one in each)
    names = sorted({re.split(r"[^\w.-]", one)[0] for one in (*PROJECT["dependencies"], *extras)})
    ask = "import sys, json, importlib.metadata as m; print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))"
    done = subprocess.run([python, "-c", ask, *names], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def debate() -> dict[str, object]:
    """A whole debate, judged, at a provider that reports its total so far in every chunk."""
    from tests.rig.provider import serving  # noqa: PLC0415  it needs the packages that are tried

    with serving() as provider, tempfile.TemporaryDirectory() as folder:
        own = {
            "HOME": folder,
            "HUSTINGS_DATABASE": f"sqlite:///{folder}/own.db",
            "LLM_PROVIDER": "openai_compatible",
            "LLM_BASE_URL": provider.always("usage_growing"),
            "LLM_MODEL": "m",
            "LLM_PRICE_INPUT": "1",
            "LLM_PRICE_OUTPUT": "1",
        }
        played = hustings("run", "Is it so?", "--budget", "50", "--display", "quiet", **own)
        shown = json.loads(hustings("show", "last", "--json", **own).stdout)
    told = {name: shown[name] for name in ("ending", "calls", "tokens", "misreported")}
    return {"hustings": version("hustings"), "code": played.returncode, **told}


def hustings(*arguments: str, **own: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("hustings")), *arguments]
    return subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=True)


def guard_elsewhere() -> dict[str, object]:
    """What reaches a server on loopback, to which no server may talk, by a pool that does not use the guard."""
    import httpcore2  # noqa: PLC0415

    from hustings.llm.egress import PUBLIC, http_client  # noqa: PLC0415
    from tests.rig.provider import serving  # noqa: PLC0415

    class Elsewhere(httpcore2.AsyncConnectionPool):
        def create_connection(self, origin: httpcore2.Origin) -> httpcore2.AsyncConnectionInterface:
            return httpcore2.AsyncHTTPConnection(origin)

    async def send(url: str) -> str:
        async with http_client(PUBLIC) as client:
            try:
                return str((await client.post(url, json={"messages": []})).status_code)
            except Exception as error:  # noqa: BLE001  any refusal is one
                return type(error).__name__

    guarded, httpcore2.AsyncConnectionPool = httpcore2.AsyncConnectionPool, Elsewhere
    try:
        with serving() as provider:
            answer = asyncio.run(send(f"{provider.base_url}/chat/completions"))
            return {"past_the_guard": answer, "heard_past_the_guard": len(provider.calls())}
    finally:
        httpcore2.AsyncConnectionPool = guarded


if __name__ == "__main__":
    main()
