"""Requests made up from the document of the API, alone and in chains, against a real server with a worker.

python -m tests.web.fuzz --seconds 600 --database postgresql
"""

import argparse
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

from .rig import fresh, served

CHECKS = (
    "status_code_conformance,content_type_conformance,response_schema_conformance,"
    "negative_data_rejection,use_after_free,unsupported_method,allow_header_conformance,missing_required_header"
)
"""Errors of the server are taken from its log: that a model is away is no fault of it, and the document says so."""


class Errors(logging.Handler):
    """What the server could not help."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))


def fuzz(kind: str, seconds: int, seed: int, folder: Path) -> tuple[int, str]:
    """Faults known to schemathesis or the server's log, and all that was told; streams have no end: without them."""
    errors = Errors()
    logging.getLogger("hustings.web").addHandler(errors)
    with fresh(kind, folder) as url, served(url, works=True) as site:
        token = site.caller("ann").headers["Authorization"]
        site.http.headers["Authorization"] = token
        site.play(judges=["improviser"], follows=1)
        # Written once, which takes a busy machine longer than the ten seconds that schemathesis waits for it.
        site.http.get("/api/openapi.json", timeout=60).raise_for_status()
        options = [
            *("--checks", CHECKS, "--phases", "examples,coverage,fuzzing,stateful"),
            *("--exclude-operation-id", "events", "--header", f"Authorization: {token}"),
            *("--max-time", str(seconds), "--seed", str(seed), "--generation-database", "none"),
            *("--request-timeout", "30", "--no-color", "--warnings", "off", "--suppress-health-check", "all"),
        ]
        script = Path(sys.executable).with_name("st")
        command = [script, "run", f"{site.url}/api/openapi.json", *options]
        found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    logging.getLogger("hustings.web").removeHandler(errors)
    return found.returncode + len(errors.told), "\n".join([found.stdout + found.stderr, *errors.told])


def main() -> int:
    cli = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    cli.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    cli.add_argument("--seconds", type=int, default=600)
    cli.add_argument("--seed", type=int, default=7)
    args = cli.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults, told = fuzz(args.database, args.seconds, args.seed, Path(folder))
    sys.stdout.write(told)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
