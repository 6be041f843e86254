"""Twenty things a provider does, each met by `hustings run` at a terminal: what a person reads after ten seconds.

    python -m benchmarks.provider_trouble        rows of Markdown, then a line of JSON

The server is on this machine. What follows in the end stands in tests/engine/test_provider_trouble.py.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Timer
from urllib.parse import urlsplit

from tests.rig.certificates import self_signed
from tests.rig.provider import secured, serving
from tests.rig.proxy import proxied

SECONDS = 10.0
FAULTS = {
    "refused": "",
    "unreachable": "",
    "reset": "conn_reset",
    "certificate": "",
    "redirect": "redirect",
    "sign-in page": "html200",
    "401": "status401",
    "402": "status402",
    "403": "status403",
    "404": "unknown_model",
    "429 with a time": "status429",
    "429 without": "status429_bare",
    "500": "status500",
    "502": "status502_html",
    "503": "status503",
    "silent": "hang",
    "endless": "endless",
    "empty": "empty",
    "too long for the model": "ctx_exceeded",
    "wrong price": "usage_huge",
    "gone for 5 s": "",
}
SETTINGS = {
    "LLM_PROVIDER": "openai_compatible",
    "LLM_MODEL": "m",
    "LLM_API_KEY": "a key that no one checks",
    "LLM_PRICE_INPUT": "1",
    "LLM_PRICE_OUTPUT": "2",
    "LLM_FIRST_TOKEN_TIMEOUT": "4",
}
COMMAND = [sys.executable, "-c", "from hustings.main import main; main()", "run", "Should towns close their centres?"]


def read_after_ten_seconds(address: str) -> tuple[str, int | None]:
    """The last line that stands there about the debate, and the exit code if the command has ended."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "NO_COLOR": "1", **SETTINGS}
        environment["LLM_BASE_URL"] = address
        options = ["-p", "roundtable", "--judges", "none", "--display", "plain"]
        process = subprocess.Popen(
            [*COMMAND, *options], env=environment, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        lines: list[str] = []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
        reader.start()
        begun = time.monotonic()
        # Loading takes longer on a busy machine: ten seconds count from the first round.
        while process.poll() is None and not any(line.startswith("==") for line in lines):
            time.sleep(0.1)
            if time.monotonic() - begun > 40:
                break
        begun = time.monotonic()
        while process.poll() is None and time.monotonic() - begun < SECONDS:
            time.sleep(0.1)
        code = process.poll()
        process.kill()
        process.wait()
        reader.join(5)
    shown = [line.strip() for line in lines if line.strip()]
    about = [line for line in shown if not line.startswith(("Next:", "Read what", "See ", "Fix:", "not meant for"))]
    return (about[-1] if about else "nothing"), code


def main() -> None:
    with ExitStack() as stack:
        provider = stack.enter_context(serving(hang=30.0))
        there = urlsplit(provider.url)
        certificate = self_signed(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        distrusted = stack.enter_context(secured(certificate.both))
        proxy = stack.enter_context(proxied(there.hostname, there.port))
        elsewhere = {
            "refused": "http://127.0.0.1:9/v1",
            "unreachable": f"http://{'a' * 64}.localhost/v1",
            "certificate": distrusted.base_url,
            "gone for 5 s": f"http://127.0.0.1:{proxy.port}/v1",
        }

        def row(thing: str) -> tuple[str, str, int | None]:
            if thing == "gone for 5 s":  # once the debate has begun: a server that is away at first is refused at once
                Timer(4.0, proxy.down).start()
                Timer(9.0, proxy.up).start()
            address = elsewhere.get(thing) or provider.always(FAULTS[thing])
            return thing, *read_after_ten_seconds(address)

        with ThreadPoolExecutor(3) as pool:
            rows = list(pool.map(row, FAULTS))
    sys.stdout.write("| the provider | after ten seconds a person reads | ended with |\n|---|---|---|\n")
    for thing, line, code in rows:
        shown = line.replace("|", "/")[:220]
        sys.stdout.write(f"| {thing} | {shown} | {'goes on' if code is None else code} |\n")
    silent = [thing for thing, line, _ in rows if line.startswith("==")]
    sys.stdout.write(json.dumps({"things": len(rows), "without a word": silent}) + "\n")


if __name__ == "__main__":
    main()
