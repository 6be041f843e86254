"""Debates the design documents that a pull request changes, and writes or updates one comment about them.

It reads its inputs from the environment (action.yml), runs on `pull_request` alone, and does nothing for forks. What a
pull request brings is material: documents are read as blobs, never through links, and no setting of theirs counts.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

sys.path.insert(0, str(Path(__file__).parent))

from comment import MARKER, Comment, Debated, debated, fails

MOST_BYTES = 400_000
"""Of a document."""
MOST_PAGES = 30
SECONDS = 30
MOST_MINUTES = 30
"""For one debate."""
FAILED, WRONG = 1, 2
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


class CannotRunError(Exception):
    """Something that the author of the workflow has to change."""


@dataclass(frozen=True)
class PullRequest:
    repository: str
    number: int
    base: str
    head: str
    forked: bool


def main(environment: Mapping[str, str]) -> int:
    pull = pull_request(environment)
    if pull.forked:
        say("This pull request comes from a fork. Nothing is debated: its author must not spend your key.")
        return 0
    with tempfile.TemporaryDirectory(dir=environment.get("RUNNER_TEMP")) as folder:
        found, left_out = debate_changes(pull, environment, Path(folder))
    comments = Comments(environment["GITHUB_API_URL"], pull, environment["HUSTINGS_ACTION_TOKEN"])
    if found:
        comments.put(Comment(pull.head, environment["HUSTINGS_ACTION_MODEL"], found, left_out).render())
    elif comments.ours() is not None:
        comments.put(Comment(pull.head, environment["HUSTINGS_ACTION_MODEL"], []).render())
    for one in found:
        say(f"{one.path}: {one.verdict or 'no verdict'}")
    return FAILED if fails(found, environment.get("HUSTINGS_ACTION_FAIL_ON", "never")) else 0


def pull_request(environment: Mapping[str, str]) -> PullRequest:
    if environment.get("GITHUB_EVENT_NAME") != "pull_request":
        raise CannotRunError("This action runs on `pull_request` alone. On other events a key could reach strangers.")
    event: dict[str, Any] = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text("utf-8"))["pull_request"]
    base, head = event["base"], event["head"]
    home = (head.get("repo") or {}).get("full_name")
    for commit in (base["sha"], head["sha"]):
        if not COMMIT.fullmatch(commit):
            raise CannotRunError(f"{commit!r} is not a commit.")
    repository = base["repo"]["full_name"]
    return PullRequest(repository, int(event["number"]), base["sha"], head["sha"], home != repository)


# -- documents ---------------------------------------------------------------------------


def debate_changes(pull: PullRequest, environment: Mapping[str, str], folder: Path) -> tuple[list[Debated], int]:
    patterns = environment.get("HUSTINGS_ACTION_PATHS", "").split()
    changed = [path for path in changed_files(pull) if any(matches(path, pattern) for pattern in patterns)]
    most = int(environment.get("HUSTINGS_ACTION_DOCUMENTS", "3"))
    found = [critique(path, pull, environment, folder / str(n)) for n, path in enumerate(changed[:most])]
    return found, max(0, len(changed) - most)


def changed_files(pull: PullRequest) -> Iterator[str]:
    """Ordinary files that the pull request adds or changes. A link is skipped: it could lead to any file here."""
    told = git("diff", "--raw", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=AM", f"{pull.base}...{pull.head}")
    fields = told.decode("utf-8", "replace").split("\0")
    for about, path in zip(fields[::2], fields[1::2], strict=False):
        if about.split()[1:2] and about.split()[1] in {"100644", "100755"}:
            yield path


def matches(path: str, pattern: str) -> bool:
    """Whether a pattern names the file; `**/` also stands for no folder at all."""
    return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, pattern.replace("**/", ""))


def critique(path: str, pull: PullRequest, environment: Mapping[str, str], folder: Path) -> Debated:
    """Debate one document in a folder of its own: settings that the pull request brings are not found from there."""
    text = git("cat-file", "blob", f"{pull.head}:{path}")
    if len(text) > MOST_BYTES:
        return Debated(path, why=f"It has more than {MOST_BYTES:,} bytes.")
    folder.mkdir()
    (folder / "document.md").write_bytes(text)
    database = ["--database", f"sqlite:///{folder / 'hustings.db'}"]
    command = [environment["HUSTINGS_ACTION_COMMAND"]]
    given = [
        *("run", "--file", "document.md", "--protocol", "critique", "--judges", "none", "--json"),
        *("--model", environment["HUSTINGS_ACTION_MODEL"], "--budget", environment["HUSTINGS_ACTION_BUDGET"]),
        *("--set", f"reply={environment.get('HUSTINGS_ACTION_REPLY', 'false')}"),
    ]
    try:
        ran = in_folder([*command, *given, *database], environment, folder)
        run_id = next(event["run_id"] for event in map(json.loads, ran.stdout.splitlines()) if "run_id" in event)
        told = in_folder([*command, "export", run_id, "--to", "json", "-o", "-", *database], environment, folder)
        return debated(path, json.loads(told.stdout).get("result"))
    except (StopIteration, ValueError, subprocess.TimeoutExpired):
        return Debated(path, why="The debate did not finish. See the log of this check.")


def in_folder(command: list[str], environment: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run hustings with the provider's key and without our token; what it says goes to the log."""
    kept = {name: value for name, value in environment.items() if not name.startswith(("HUSTINGS_ACTION_", "GITHUB_"))}
    key = environment.get("HUSTINGS_ACTION_KEY", "")
    named = {environment.get("HUSTINGS_ACTION_KEY_VARIABLE", "LLM_API_KEY"): key} if key else {}
    homes = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    ran = subprocess.run(  # noqa: S603  the command is ours, and its arguments are not read by a shell
        command,
        cwd=folder,
        env={**kept, **homes, **named},
        stdout=subprocess.PIPE,
        timeout=MOST_MINUTES * 60,
        check=False,
    )
    say(f"{Path(command[0]).name} {command[1]}: exit code {ran.returncode}")
    return ran


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], capture_output=True, check=True).stdout  # noqa: S603, S607


# -- the comment -------------------------------------------------------------------------


class _NoRedirect(HTTPRedirectHandler):
    """A token is sent to the address that the runner names, and to no other."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


@dataclass(frozen=True)
class Comments:
    api: str
    pull: PullRequest
    token: str

    def put(self, body: str) -> None:
        """Update our comment, or write it."""
        ours = self.ours()
        if ours is None:
            self._ask("POST", f"/repos/{self.pull.repository}/issues/{self.pull.number}/comments", body)
        else:
            self._ask("PATCH", f"/repos/{self.pull.repository}/issues/comments/{ours}", body)

    def ours(self) -> int | None:
        """The comment with our marker that a bot wrote: others may copy the marker."""
        for page in range(1, MOST_PAGES + 1):
            where = f"/repos/{self.pull.repository}/issues/{self.pull.number}/comments?per_page=100&page={page}"
            found = self._ask("GET", where)
            for one in found:
                if str(one.get("body", "")).startswith(MARKER) and (one.get("user") or {}).get("type") == "Bot":
                    return int(one["id"])
            if len(found) < 100:
                return None
        return None

    def _ask(self, method: str, path: str, body: str | None = None) -> Any:
        if urlsplit(self.api).scheme not in {"http", "https"}:
            raise CannotRunError(f"{self.api!r} is not the address of an API.")
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json"}
        data = None if body is None else json.dumps({"body": body}).encode()
        request = Request(self.api + path, data, headers, method=method)  # noqa: S310  checked above
        try:
            with build_opener(_NoRedirect).open(request, timeout=SECONDS) as answer:
                return json.load(answer)
        except (URLError, HTTPException, ValueError) as error:
            why = f"{error.code}" if isinstance(error, HTTPError) else type(error).__name__
            raise CannotRunError(
                f"The comment could not be written ({method}: {why}). Give the job `pull-requests: write`."
            ) from None


def say(text: str) -> None:
    """One line of the log; a line that begins with `::` would be a command of the runner."""
    shown = " ".join(text.split())
    sys.stderr.write(f"hustings: {shown}\n")


if __name__ == "__main__":
    try:
        sys.exit(main(os.environ))
    except CannotRunError as error:
        say(str(error))
        sys.exit(WRONG)
