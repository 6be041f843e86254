"""Builds wheel and sdist twice from the tracked files, elsewhere and at other times, and compares their bytes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = "frontend/node_modules"
PLACES: Mapping[str, Mapping[str, str]] = {
    "one": {"TZ": "UTC", "LANG": "C.UTF-8", "PYTHONHASHSEED": "1", "touched": "1000000000", "umask": "022"},
    "another/and deeper": {
        "TZ": "Asia/Tokyo",
        "LANG": "C",
        "PYTHONHASHSEED": "2",
        "touched": "1500000000",
        "umask": "077",
    },
}
"""Where it is built, and what must not matter there."""


def copy(source: Path, target: Path, touched: int) -> None:
    """The tracked files as they are now, with times of their own, and the installed parts of the pages as links."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (source / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)
            os.utime(target / name, (touched, touched))
    if (source / MODULES).is_dir():
        shutil.copytree(source / MODULES, target / MODULES, symlinks=True, copy_function=os.link)


def build(root: Path, settings: Mapping[str, str], epoch: str) -> dict[str, str]:
    """Digests of what is built in a copy."""
    environment = {**os.environ, **{key: settings[key] for key in ("TZ", "LANG", "PYTHONHASHSEED")}}
    environment |= {"SOURCE_DATE_EPOCH": epoch, "PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel"],
        cwd=root, env=environment, umask=int(settings["umask"], 8), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"Building in {root} failed:\n{done.stdout}{done.stderr}")
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in sorted((root / "dist").iterdir())}


def twice(source: Path, folder: Path) -> dict[str, list[str]]:
    """Digests of every file, by the place where it was built: one of each if they are equal."""
    epoch = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=source, capture_output=True, text=True, check=True
    ).stdout.strip()  # fmt: skip
    digests: dict[str, list[str]] = {}
    for place, settings in PLACES.items():
        copy(source, folder / place, int(settings["touched"]))
        for name, digest in build(folder / place, settings, epoch).items():
            digests.setdefault(name, []).append(digest)
    return digests


def main() -> int:
    began = time.monotonic()
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        digests = twice(ROOT, Path(folder))
    same = {name: len(found) == len(PLACES) and len(set(found)) == 1 for name, found in digests.items()}
    for name, found in digests.items():
        print(f"{name}: {'equal' if same[name] else 'differs'}, sha256 {', '.join(dict.fromkeys(found))}")
    print(json.dumps({"equal": all(same.values()), "seconds": round(time.monotonic() - began), "sha256": digests}))
    return 0 if digests and all(same.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
