"""Builds the pages into the package, for a wheel or an sdist and by `make frontend`; gives the README full addresses.

Nothing is done where they were made of the same sources already, so whatever is built from an sdist needs no Node.
Where they can't be built, a wheel goes without them: so `pip install git+…` needs no Node. An sdist never does, and
what is released is built from one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

WEB = Path("src/hustings/web")
PAGES = (WEB / "_dist/index.html", WEB / "_share/index.html")
STAMP = WEB / "_share/sources.sha256"
"""What the pages were made of."""
RELATIVE = re.compile(r"((!?)\[[^\[\]]*\]\()(?![a-z]+:|#|/)")


class Pages(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  the plugin's signature
        if version == "editable":
            return
        try:
            build(Path(self.root))
        except SystemExit as error:
            if self.target_name == "sdist":
                raise
            for page in PAGES:  # older ones do not fit this server
                shutil.rmtree(Path(self.root, page).parent, ignore_errors=True)
            self.app.display_warning(f"{error}\nThis wheel has no pages: `hustings serve` will say how to get them.")


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text("utf-8")
        text = with_addresses(text, metadata["urls"]["Repository"], f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_addresses(text: str, repository: str, tag: str) -> str:
    """Its relative links and pictures as those of a release, since the text is shown outside the repository too."""
    return RELATIVE.sub(lambda found: f"{found[1]}{repository}/{'raw' if found[2] else 'blob'}/{tag}/", text)


def build(root: Path) -> bool:
    """Whether there was anything to do."""
    sources = digest(root / "frontend")
    if not _missing(root) and (root / STAMP).is_file() and (root / STAMP).read_text("utf-8") == sources:
        return False
    npm = _npm(root)
    installed, locked = root / "frontend/node_modules/.package-lock.json", root / "frontend/package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < locked.stat().st_mtime:
        _install(npm, root, locked)
    (root / STAMP).unlink(missing_ok=True)
    _run(npm, root, "run", "build")
    if missing := _missing(root):
        raise SystemExit(f"Building the pages made no {' and no '.join(missing)}: see frontend/vite.*.ts")
    (root / STAMP).write_text(sources, "utf-8")
    return True


def digest(folder: Path) -> str:
    """Of all that the pages are made of, by content: a checkout gives files new times."""
    total = sha256()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if "node_modules" not in inside.parts and ".test." not in path.name and path.is_file():
            total.update(f"{inside.as_posix()}\0{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def _missing(root: Path) -> list[str]:
    return [page.as_posix() for page in PAGES if not (root / page).is_file()]


def _npm(root: Path) -> str:
    """The one of this environment, or of the checkout's, before any other."""
    places = [str(Path(sys.executable).parent), str(root / ".venv/bin"), os.environ.get("PATH", "")]
    found = shutil.which("npm", path=os.pathsep.join(places))
    if found is None or not (root / "frontend/package.json").is_file():
        lacking = "npm" if found is None else "frontend/package.json"
        raise SystemExit(f"The pages are not built, and there is no {lacking}: run `make setup` in a checkout first.")
    return found


def _install(npm: str, root: Path, locked: Path) -> None:
    """As locked, with digests. `npm ci` would also want the parts of every other platform in the lock file.

    One package is asked for first: without a registry, an installation would try each of them for a minute.
    """
    if first := next(filter(None, json.loads(locked.read_text("utf-8"))["packages"]), ""):
        soon = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=30000")
        _run(npm, root, "view", first.removeprefix("node_modules/"), "name", *soon)
    _run(npm, root, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund")


def _run(npm: str, root: Path, *arguments: str) -> None:
    # npm starts programs that look for node by name: the one beside it.
    environment = {**os.environ, "PATH": f"{Path(npm).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run([npm, *arguments], cwd=root / "frontend", env=environment, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"`npm {' '.join(arguments)}` in frontend/ failed ({done.returncode}): its words stand above.")


if __name__ == "__main__":
    print("The pages are built." if build(Path(__file__).parent) else "The pages are up to date.")  # noqa: T201
