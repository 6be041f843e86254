"""`hustings serve` in a process of its own, from its first words to its end."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import httpx2 as httpx

from tests.cli.console import ENTRY

OPENING = json.dumps(
    {
        "arguments": [
            {
                "id": f"CON-{n}",
                "claim": f"Shops in the centre lose every {n}th customer who came by car.",
                "reasoning": "Whoever cannot park nearby goes elsewhere, and elsewhere has the same goods.",
                "evidence": f"The chamber of commerce counted in year {n}.",
            }
            for n in (1, 2, 3)
        ]
    }
)


@contextmanager
def serving(folder, url, *options, entry=ENTRY, python=sys.executable):
    """A process that serves, and a client to it; it is killed at the latest when the test ends."""
    command = [python, "-c", entry, "serve", "--port", "0", "--database", url, *options]
    places = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE")}
    known = {name: value for name, value in os.environ.items() if "LLM_" not in name and not name.endswith("_API_KEY")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env={**known, **places}
    ) as process:
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), process.stderr.read()
            with httpx.Client(base_url=address, timeout=30) as http:
                yield process, http
        finally:
            process.kill()
