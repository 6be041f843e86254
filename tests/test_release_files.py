"""Files that ship a release: every action is pinned by its hash, no password is stored, the image is not root."""

import re
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.name)
def workflow(request):
    return yaml.safe_load(request.param.read_text("utf-8"))


def test_every_action_is_pinned_by_its_hash(workflow):
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert used
    assert [name for name in used if not PINNED.fullmatch(name)] == []


def test_no_secret_is_stored_and_nothing_from_outside_reaches_a_shell(workflow):
    assert "secrets." not in yaml.safe_dump(workflow)
    assert not [step["run"] for step in steps(workflow) if "${{" in step.get("run", "")]


def test_a_workflow_may_only_read_unless_a_job_says_more(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in workflow[True]


def test_what_is_published_was_tried_and_is_attested():
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    publish = workflow["jobs"]["publish"]
    assert publish["needs"] == ["build", "try"]
    assert publish["permissions"]["id-token"] == "write"
    used = [step["uses"].partition("@")[0] for step in publish["steps"]]
    assert used[-3:] == ["actions/attest-build-provenance", "actions/attest-sbom", "pypa/gh-action-pypi-publish"]
    assert len([step for step in publish["steps"] if "run" in step]) == 0


def succeeds(step, folder):
    """Whether a step of the build goes on, as the runner's shell has it."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    (script,) = (each["run"] for each in workflow["jobs"]["build"]["steps"] if each.get("name") == step)
    return subprocess.run(["bash", "-e", "-c", script], cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(("address", "goes_on"), [("https://h.example/r", False), ("https://h.test/r", True)])
def test_nothing_is_released_until_the_address_of_the_repository_is_set(tmp_path, address, goes_on):
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    text = re.sub(r'^Repository = ".*"$', f'Repository = "{address}"', text, flags=re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    assert succeeds("The address of the repository is set", tmp_path) is goes_on


@pytest.mark.parametrize(("pages", "goes_on"), [(("_dist", "_share"), True), (("_dist",), False), (("_share",), False)])
def test_no_wheel_is_released_without_its_pages(tmp_path, pages, goes_on):
    (tmp_path / "dist").mkdir()
    with zipfile.ZipFile(tmp_path / "dist/hustings-1-py3-none-any.whl", "w") as wheel:
        for name in pages:
            wheel.writestr(f"hustings/web/{name}/index.html", "")
    assert succeeds("The wheel has its pages", tmp_path) is goes_on


def test_the_image_is_not_root_and_the_services_have_no_rights():
    assert "\nUSER 10001\n" in (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["services"]
    for name in ("web", "worker"):
        assert (services[name]["read_only"], services[name]["cap_drop"]) == (True, ["ALL"])
    assert services["web"]["ports"] == ["127.0.0.1:8642:8642"]


def test_versions_agree():
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)[1]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"ARG VERSION={version}\n" in (ROOT / "deploy" / "Dockerfile").read_text("utf-8")


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.name
)
def test_issue_templates_are_valid(path):
    found = yaml.safe_load(path.read_text("utf-8"))
    assert "blank_issues_enabled" in found or all(part["type"] in {"markdown", "textarea"} for part in found["body"])


# -- every change ------------------------------------------------------------------------------


def every_step():
    """Those that `.ci/run` has, as it tells them."""
    ran = subprocess.run([ROOT / ".ci/run", "nothing"], capture_output=True, text=True, timeout=20, check=False)
    assert ran.returncode == 2
    return ran.stderr.partition("these are:")[2].split()


def test_the_machines_together_run_what_the_lane_of_every_change_runs():
    (job,) = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"].values()
    dealt = [step for machine in job["strategy"]["matrix"]["include"] for step in machine["steps"].split()]
    assert sorted(step for step in dealt if step != "bytecode") == sorted({*every_step()} - {"bytecode"})
    assert [step["run"] for step in job["steps"] if "make" in step.get("run", "")] == []


def test_every_step_of_the_lane_is_a_target():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert [step for step in every_step() if f"\n{step}:" not in makefile] == []
