"""The action on a repository made for the test, with an improvised debate and a stand-in of GitHub on loopback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.console import ENTRY

from .github_stand_in import serving

ACTION = Path(__file__).parents[2] / "integrations" / "action"
SCRIPT = ACTION / "critique_changes.py"
PLAN = "# Buses first\n\nThe centre closes to cars on 1 May. Buses run every ten minutes from then on.\n"
TOO_LONG = "x" * 400_001
"""A document that is told about in a comment and not debated: a debate is two processes, for seconds."""
TOKEN = "token-of-the-test"


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """`hustings` of this checkout, as one program."""
    program = tmp_path_factory.mktemp("bin") / "hustings"
    source = Path(__file__).parents[2] / "src"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(source)!r})\n{ENTRY}\n", "utf-8")
    program.chmod(0o755)
    return program


@pytest.fixture
def github():
    with serving() as found:
        yield found


class Repository:
    """A repository with a base commit, and a pull request that is tried."""

    def __init__(self, folder, command, github):
        self.folder, self.command, self.github = folder / "work", command, github
        self.temp = folder / "temp"
        self.temp.mkdir()
        self.folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.base = self.commit({"README.md": "A project.\n"})

    def git(self, *arguments):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"]
        ran = subprocess.run(["git", *who, *arguments], cwd=self.folder, capture_output=True, check=True)
        return ran.stdout.decode().strip()

    def commit(self, files):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")
        return self.git("rev-parse", "HEAD")

    def event(self, **changes):
        base = {"sha": self.base, "repo": {"full_name": "a/b"}}
        head = {"sha": self.git("rev-parse", "HEAD"), "repo": {"full_name": changes.get("home", "a/b")}}
        path = self.temp / "event.json"
        path.write_text(json.dumps({"pull_request": {"number": 7, "base": base, "head": head}}), "utf-8")
        return path

    def run(self, *, event="pull_request", home="a/b", **inputs):
        given = {"PATHS": "docs/design/**/*.md", "MODEL": "improviser", "BUDGET": "0.5", "DOCUMENTS": "3", **inputs}
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HUSTINGS_")},
            **{f"HUSTINGS_ACTION_{name.upper()}": value for name, value in given.items()},
            "HUSTINGS_ACTION_COMMAND": str(self.command),
            "HUSTINGS_ACTION_TOKEN": TOKEN,
            "GITHUB_API_URL": self.github.url,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self.event(home=home)),
            "RUNNER_TEMP": str(self.temp),
        }
        command = [sys.executable, "-I", str(SCRIPT)]
        ran = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, check=False)
        return ran.returncode, ran.stderr.decode()


@pytest.fixture
def repository(tmp_path, command, github):
    return Repository(tmp_path, command, github)


def test_one_comment_is_written_and_then_updated(repository, github):
    first = repository.commit({"docs/design/buses.md": PLAN, "src/x.py": "1\n"})
    assert repository.run()[0] == 0
    (comment,) = github.comments
    assert comment["body"].startswith(f"<!-- hustings critique -->\n\nDebated at `{first[:12]}` under critique: ")
    second = repository.commit({"docs/design/buses.md": PLAN + "\nParking fees pay for it.\n"})
    assert repository.run(reply="true")[0] == 0
    assert [one["id"] for one in github.comments] == [comment["id"]]
    assert second[:12] in github.comments[0]["body"]
    assert {token for *_, token in github.asked} == {f"Bearer {TOKEN}"}


LATER = pytest.mark.nightly("a debate for each; one is held on every change, and test_comment.py has every limit")


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [("revise", 1), pytest.param("reject", 0, marks=LATER), pytest.param("never", 0, marks=LATER)],
)
def test_the_check_fails_as_configured(repository, github, fail_on, code):
    repository.commit({"docs/design/buses.md": PLAN})
    assert repository.run(reply="true", fail_on=fail_on)[0] == code
    assert "under critique: revise." in github.comments[0]["body"]


def test_a_fork_is_told_nothing_and_costs_nothing(repository, github):
    repository.commit({"docs/design/buses.md": PLAN})
    code, said = repository.run(home="stranger/b")
    assert (code, github.asked) == (0, [])
    assert "comes from a fork" in said


@pytest.mark.parametrize("event", ["pull_request_target", "push", "issue_comment"])
def test_no_other_event_is_served(repository, github, event):
    repository.commit({"docs/design/buses.md": PLAN})
    code, said = repository.run(event=event)
    assert (code, github.asked) == (2, [])
    assert "runs on `pull_request` alone" in said


def test_what_is_no_design_document_is_left_alone(repository, github):
    repository.commit({"docs/other.md": PLAN, "x.md": PLAN})
    assert repository.run()[0] == 0
    assert github.comments == []


def test_a_comment_says_when_nothing_is_left_to_debate(repository, github):
    github.enter("<!-- hustings critique -->\n\nan older one")
    repository.commit({"x.md": PLAN})
    assert repository.run()[0] == 0
    assert "under critique: nothing to debate." in github.comments[0]["body"]


def test_a_link_is_never_read(repository, github):
    (repository.folder / "docs" / "design").mkdir(parents=True)
    (repository.folder / "docs" / "design" / "passwords.md").symlink_to("/etc/passwd")
    repository.commit({"docs/design/buses.md": TOO_LONG})
    repository.run()
    assert "passwords.md" not in github.comments[0]["body"]


def test_settings_of_the_pull_request_do_not_count(repository, github):
    """They could send the key to an address of its author."""
    hostile = 'model = "openai/x@http://127.0.0.1:9/v1"\nprotocol = "structured"\n'
    repository.commit({"docs/design/buses.md": PLAN, "hustings.toml": hostile, ".env": "LLM_BASE_URL=http://x\n"})
    assert repository.run()[0] == 0
    assert "By `improviser`." in github.comments[0]["body"]


def test_more_documents_than_allowed_are_counted(repository, github):
    repository.commit({f"docs/design/{n}.md": TOO_LONG for n in range(3)})
    assert repository.run(documents="1")[0] == 0
    assert "2 more changed documents were left out." in github.comments[0]["body"]


def test_a_marker_that_a_person_copied_is_not_ours(repository, github):
    github.enter("<!-- hustings critique -->\n\nedit me", kind="User")
    repository.commit({"docs/design/buses.md": TOO_LONG})
    repository.run()
    assert github.comments[0]["body"].endswith("edit me")
    assert len(github.comments) == 2


def test_our_comment_is_found_behind_a_hundred_others(repository, github):
    for n in range(150):
        github.enter(f"remark {n}", kind="User")
    ours = github.enter("<!-- hustings critique -->\n\nan older one")
    repository.commit({"docs/design/buses.md": TOO_LONG})
    repository.run()
    assert len(github.comments) == 151
    assert ours["body"] != "<!-- hustings critique -->\n\nan older one"


def test_an_api_that_refuses_is_told_without_the_token(repository, github):
    github.refuses = 403
    repository.commit({"docs/design/buses.md": TOO_LONG})
    code, said = repository.run()
    assert (code, TOKEN in said) == (2, False)
    assert "Give the job `pull-requests: write`" in said


def test_the_token_follows_no_redirect(repository, github):
    github.refuses = 302
    repository.commit({"docs/design/buses.md": TOO_LONG})
    assert repository.run()[0] == 2


def test_a_debate_that_cannot_run_is_no_verdict(repository, github):
    repository.commit({"docs/design/buses.md": PLAN})
    code, _ = repository.run(model="nobody/nothing", fail_on="reject")
    assert code == 1
    assert "no verdict" in github.comments[0]["body"]


# -- the files around it -----------------------------------------------------------------------


def test_every_action_is_pinned_by_its_hash():
    steps = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))["runs"]["steps"]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    assert all(len(name.rpartition("@")[2]) == 40 for name in used)


def test_no_input_is_put_into_a_shell_by_the_runner():
    steps = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))["runs"]["steps"]
    assert not [step["run"] for step in steps if "${{" in step.get("run", "")]


def test_the_example_runs_on_pull_requests_alone_and_may_write_nothing_else():
    workflow = yaml.safe_load((ACTION / "example.yml").read_text("utf-8"))
    assert list(workflow[True]) == ["pull_request"]
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}
