"""What this installation lacks, and how to add it."""

from __future__ import annotations

import shlex
import sys
from importlib.metadata import requires
from importlib.util import find_spec

PAGES_CURE = "clone the repository of hustings, run `make setup` in it, and use the hustings in its .venv"
"""For an installation without the pages that are built from frontend/."""


def install_hint(extra: str) -> str:
    """The command that adds the packages of an extra to the environment in which this program runs.

    It names the packages and this Python, so it holds however hustings was installed; no index has hustings itself.
    """
    pip = [sys.executable, "-m", "pip", "install"]
    uv = ["uv", "pip", "install", "--python", sys.executable]
    return shlex.join([*(pip if find_spec("pip") else uv), *_packages(extra)])


def _packages(extra: str) -> list[str]:
    lines = (line.partition(";") for line in requires("hustings") or ())
    return [package.strip() for package, _, marker in lines if marker.strip() == f"extra == '{extra}'"]
