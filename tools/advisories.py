"""Compares every pin with known vulnerabilities: by a file of advisories, and by the index where it tells.

`advisories.py` reads requirements/advisories.json, in OSV's format. `--online` asks the index that pip or uv is set up
with, and npm's. `--renew FOLDER` writes the file anew from a copy of an advisory database (OSV as JSON or YAML).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import yaml
from packaging.version import InvalidVersion, Version
from tools.locked import ROOT, Pin, every

FILE = ROOT / "requirements/advisories.json"
KEPT = ("id", "aliases", "modified", "summary", "affected")
ASKED = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")
Json = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """A pin that an advisory names."""

    pin: Pin
    advisory: str
    summary: str

    def __str__(self) -> str:
        return f"{self.pin.name} {self.pin.version} ({self.pin.ecosystem}): {self.advisory}, {self.summary}"


# -- by the file -----------------------------------------------------------------------------


def by_file(pins: Iterable[Pin], advisories: Iterable[Json]) -> Iterator[Found]:
    named: dict[tuple[str, str], list[Pin]] = {}
    for pin in pins:
        named.setdefault((pin.ecosystem, pin.name), []).append(pin)
    for advisory in advisories:
        for affected in advisory["affected"]:
            package = affected["package"]
            for pin in named.get((package["ecosystem"], package["name"].lower()), ()):
                if not advisory.get("withdrawn") and affects(affected, pin.version):
                    told = advisory.get("summary") or advisory.get("details", "")[:100]
                    yield Found(pin, ", ".join((advisory["id"], *advisory.get("aliases", ()))), told)


def affects(affected: Json, version: str) -> bool:
    """Whether a version is listed, or lies in a range. What is no version of Python's kind is looked up by its name."""
    if version in affected.get("versions", ()):
        return True
    try:
        return any(
            _within(each["events"], Version(version)) for each in affected.get("ranges", ()) if each["type"] != "GIT"
        )
    except InvalidVersion:
        return False


def _within(events: Iterable[dict[str, str]], version: Version) -> bool:
    steps = sorted((Version(at), kind) for event in events for kind, at in event.items() if kind != "limit")
    inside = False
    for at, kind in steps:
        if kind == "introduced" and version >= at:
            inside = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            inside = False
    return inside


def renewed(folder: Path, pins: Iterable[Pin]) -> Json:
    """What a copy of an advisory database says of the pins, with the date of its latest entry."""
    names = {(pin.ecosystem, pin.name) for pin in pins}
    read = [_read(path) for path in sorted(folder.rglob("*")) if path.suffix in {".json", ".yaml"} and path.is_file()]
    known = [entry for entry in read if {"id", "modified", "affected"} <= entry.keys()]
    if not known:
        raise SystemExit(f"{folder} has no advisory in OSV's format: give a copy of an advisory database.")
    ours = [
        {key: entry[key] for key in KEPT if key in entry}
        for entry in sorted(known, key=lambda entry: str(entry["id"]))
        if names & {(each["package"]["ecosystem"], each["package"]["name"].lower()) for each in entry["affected"]}
    ]
    return {"date": max(str(entry["modified"]) for entry in known)[:10], "source": folder.name, "advisories": ours}


def _read(path: Path) -> Json:
    text = path.read_text("utf-8")
    found = json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.BaseLoader)
    return found if isinstance(found, dict) else {}


# -- by the index ----------------------------------------------------------------------------


def index() -> str:
    """The index that this machine is set up with; its address is nowhere in this repository."""
    for name in ASKED:
        if told := os.environ.get(name):
            return told
    ran = subprocess.run(
        ["python3", "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    if ran.returncode or not ran.stdout.strip():
        raise SystemExit(f"No index is set up: name it by {ASKED[-1]}, as pip knows it (it ends in /simple).")
    return ran.stdout.strip()


def by_index(pins: Iterable[Pin], address: str) -> Iterator[Found | Pin]:
    """What the index tells of every pin; the pin itself where it tells nothing."""
    base = address.rstrip("/").removesuffix("/simple")
    for pin in pins:
        try:
            with urlopen(f"{base}/pypi/{pin.name}/{pin.version}/json", timeout=20) as answer:
                told = json.load(answer)["vulnerabilities"]
        except (URLError, TimeoutError, ValueError, KeyError):
            yield pin
            continue
        for entry in told:
            if not entry.get("withdrawn"):
                summary = entry.get("summary") or (entry.get("details") or "")[:100]
                yield Found(pin, ", ".join((entry["id"], *entry.get("aliases", ()))), summary)


def by_npm(pins: Iterable[Pin], folder: Path) -> Iterator[Found | Pin]:
    """What `npm audit` tells of the parts of the pages, by the registry that npm is set up with."""
    by_name = {pin.name: pin for pin in pins}
    if not by_name:
        return
    places = os.pathsep.join((str(ROOT / ".venv/bin"), os.environ.get("PATH", "")))
    npm = shutil.which("npm", path=places)
    command = [npm or "npm", "audit", "--json", "--omit=dev", "--package-lock-only"]
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": places},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        told = json.loads(ran.stdout)["vulnerabilities"]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError):
        yield from by_name.values()
        return
    for name in sorted(told.keys() & by_name.keys()):
        for via in told[name]["via"]:
            if isinstance(via, dict):
                yield Found(by_name[name], str(via.get("url") or via.get("source")), via["title"])


def main(given: list[str] | None = None, pins: tuple[Pin, ...] = ()) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--online", action="store_true")
    parser.add_argument("--renew", type=Path, metavar="FOLDER")
    options = parser.parse_args(given)
    pins = pins or every()
    if options.renew:
        FILE.write_text(json.dumps(renewed(options.renew, pins), indent=1, ensure_ascii=False) + "\n", "utf-8")
    file = json.loads(FILE.read_text("utf-8"))
    told: list[Found | Pin] = [*by_file(pins, file["advisories"])]
    if options.online:
        told += by_index((pin for pin in pins if pin.ecosystem == "PyPI"), index())
        told += by_npm((pin for pin in pins if pin.ecosystem == "npm"), ROOT / "frontend")
    found = [each for each in told if isinstance(each, Found)]
    untold = [each for each in told if isinstance(each, Pin)]
    print(
        "\n".join(map(str, found))
        or f"No pin is named by the {len(file['advisories'])} advisories, up to {file['date']}."
    )
    if untold:
        print(f"The index told nothing of {len(untold)} packages: {', '.join(pin.name for pin in untold[:5])} …")
    age = (datetime.now(UTC).date() - date.fromisoformat(file["date"])).days
    figures = {"pins": len(pins), "advisories": len(file["advisories"]), "date": file["date"], "days_old": age}
    print(json.dumps({**figures, "online": options.online, "untold": len(untold), "found": len(found)}))
    return 1 if found else 2 if untold else 0


if __name__ == "__main__":
    sys.exit(main())
