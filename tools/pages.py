"""Pictures of every page, to look at: `hustings serve` with improvised debates, and a shared file, in a real browser.

python tools/pages.py FOLDER [PART]    desktop and phone, light and dark; PART: only pages whose name contains it
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

ROOT = Path(__file__).parent.parent
HUSTINGS = Path(sys.executable).parent / "hustings"
CHROMIUM = "/usr/bin/chromium"
MOTION = "Should towns close their centres to cars?"
PROTOCOLS = ("structured", "competition", "roundtable", "adaptive", "moderated")
READING = ("", "transcript", "trace", "map", "scores", "evaluation", "replay")
SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
SCHEMES = ("light", "dark")
PATIENCE = 300
"""Seconds for a debate and its judging."""
HEADING = 15


class Server:
    """The real command, in a home where nobody ever was."""

    def __init__(self, home: Path) -> None:
        self.environment = {**os.environ, "HOME": str(home), **{f"XDG_{n}_HOME": str(home / n) for n in XDG}}
        self.process = subprocess.Popen(
            [HUSTINGS, "serve", "--port", "0"], env=self.environment, cwd=home, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)

    def call(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.url}/api{path}", data=data, headers={"Content-Type": "application/json"})
        with urlopen(asked, timeout=60) as answer:
            return json.load(answer)

    def begin(self, protocol: str, **more: Any) -> str:
        body = {"motion": MOTION, "protocol": protocol, "model": "improviser", **more}
        return self.call("/debates", body)["run_id"]

    def wait(self, run_id: str, *, judged: bool) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            state = self.call(f"/debates/{run_id}")
            judgings = [run for run in state["follows"] if run["state"] == "ended"]
            if state["questions"] or (state["viewable"] and (judgings or not judged)):
                return
            time.sleep(0.5)
        raise LookupError(f"{run_id} is not over after {PATIENCE} seconds: see `hustings show {run_id}`")

    def evaluate(self, run_id: str) -> None:
        evaluation = self.call(f"/debates/{run_id}/evaluations", {"tier": "quick"})["run_id"]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            follows = self.call(f"/debates/{run_id}")["follows"]
            if any(run["run_id"] == evaluation and run["state"] == "ended" for run in follows):
                return
            time.sleep(0.5)
        raise LookupError(f"{evaluation} is not over after {PATIENCE} seconds: see `hustings show {evaluation}`")

    def shared(self, run_id: str, folder: Path) -> str:
        file = folder / f"{run_id}.share.html"
        command = [HUSTINGS, "export", run_id, "--to", "share", "--force", "-o", file]
        subprocess.run(command, env=self.environment, cwd=folder, check=True, capture_output=True)
        print(f"{file}: {file.stat().st_size:,} bytes")
        return file.as_uri()


@contextmanager
def serving() -> Iterator[Server]:
    with TemporaryDirectory() as home:
        server = Server(Path(home))
        try:
            yield server
        finally:
            server.close()


def pages(server: Server, folder: Path) -> dict[str, str]:
    """Name of a picture to its address."""
    runs = {protocol: server.begin(protocol) for protocol in PROTOCOLS}
    again = [server.begin("structured", settings=settings) for settings in ({"closing_words": 100}, {})]
    awaited = server.begin("structured", seats={"con": "human"}, judges="none")
    unjudged = server.begin("roundtable", judges="none")
    for run in (*runs.values(), *again):
        server.wait(run, judged=True)
    for run in (awaited, unjudged):
        server.wait(run, judged=False)
    for run in runs.values():
        server.evaluate(run)
    first, repeats = runs["structured"], "&".join(f"run={run}" for run in (runs["structured"], *again))
    shared = server.shared(first, folder)
    return {
        "runs": "/",
        "runs-blind": "/?blind=yes",
        "new": "/new",
        "live": f"/debates/{awaited}",
        "seat": f"/debates/{awaited}/seat/con",
        "unjudged": f"/debates/{unjudged}",
        "judge": f"/debates/{first}/judge",
        "compare": f"/compare?first={first}&second={again[0]}",
        "stability": f"/stability?{repeats}",
        "stats": "/stats?by=protocol",
        "missing": "/debates/nobody-knows-it",
        **{
            f"{protocol}-{page or 'briefing'}": f"/debates/{run}/{page}".rstrip("/")
            for protocol, run in runs.items()
            for page in READING
        },
        **{f"shared-{page or 'briefing'}": f"{shared}#/debates/{quote(first)}/{page}".rstrip("/") for page in READING},
    }


def photograph(browser: Browser, base: str, addresses: Mapping[str, str], folder: Path) -> list[str]:
    """What went wrong on the way."""
    faults: list[str] = []
    for (screen, (width, height)), scheme in ((s, c) for s in SCREENS.items() for c in SCHEMES):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        for name, path in addresses.items():
            page = context.new_page()
            where = f"{name}-{screen}-{scheme}"
            page.on("pageerror", lambda error, at=where: faults.append(f"{at}: {error}"))
            page.on("requestfailed", lambda asked, at=where: faults.append(f"{at}: {asked.url} {asked.failure}"))
            page.goto(path if path.startswith("file:") else base + path)
            if not _settled(page):
                faults.append(f"{where}: no heading and no message after {HEADING} seconds")
            page.screenshot(path=folder / f"{where}.png", full_page=True)
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                faults.append(f"{where}: {wide} px wide on a screen of {width}")
            page.close()
        context.close()
    return faults


def _settled(page: Page) -> bool:
    """Its heading stands, and what it asked for has come; one that follows a debate is never quiet."""
    try:
        page.locator("h1, [role=alert]").first.wait_for(timeout=HEADING * 1_000)
    except TooLate:
        return False
    with suppress(TooLate):
        page.wait_for_load_state("networkidle", timeout=3_000)
    page.wait_for_timeout(300)
    return True


def main(folder: str, part: str = "") -> int:
    target = Path(folder).resolve()
    target.mkdir(parents=True, exist_ok=True)
    with serving() as server, sync_playwright() as playwright:
        addresses = {name: path for name, path in pages(server, target).items() if part in name}
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        faults = photograph(browser, server.url, addresses, target)
        browser.close()
    print(f"{len(addresses) * len(SCREENS) * len(SCHEMES)} pictures in {target}, {len(faults)} faults")
    print(*faults, sep="\n")
    return 1 if faults else 0


XDG = ("DATA", "STATE", "CONFIG", "CACHE")

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
