"""The bill of materials holds what the lock files pin, by the published schema, and no licence is a surprise."""

import json
import tomllib
from collections import Counter

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from tools.locked import ROOT, Pin, page_pins, python_pins, shipped

from tools import sbom

RULES = tomllib.loads((ROOT / "requirements/licences.toml").read_text("utf-8"))
LOCK = """\
alpha==1.0 \\
    --hash=sha256:{0} \\
    --hash=sha256:{1}
    # via hustings (pyproject.toml)
beta==2.0 ; sys_platform == 'win32' \\
    --hash=sha256:{0}
    # via
    #   alpha
    #   hustings (pyproject.toml)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sbom")
    assert sbom.main(folder) == 0
    return folder


def test_it_is_valid_by_the_schema_of_cyclonedx(written):
    text = (written / "sbom.cdx.json").read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text.replace('"library"', '"thing"', 1)) is not None


def test_every_locked_package_is_in_it_with_its_digests(written):
    components = json.loads((written / "sbom.cdx.json").read_text("utf-8"))["components"]
    pins = shipped()
    assert Counter(each["version"] for each in components) == Counter(pin.version for pin in pins)
    assert all(each["hashes"] for each in components)
    text = (ROOT / "requirements/run.txt").read_text("utf-8")
    assert sum(len(pin.digests) for pin in pins if pin.ecosystem == "PyPI") == text.count("--hash=sha256:")


def test_every_package_is_wanted_by_something_in_it(written):
    wanted = json.loads((written / "sbom.cdx.json").read_text("utf-8"))
    reached = {ref for each in wanted["dependencies"] for ref in each["dependsOn"]}
    assert {each["purl"] for each in wanted["components"]} == reached


def test_it_is_the_same_every_time(written, tmp_path):
    sbom.main(tmp_path)
    for name in ("sbom.cdx.json", "licences.md"):
        assert (tmp_path / name).read_bytes() == (written / name).read_bytes()


@pytest.mark.parametrize("pin", shipped(), ids=lambda pin: f"{pin.ecosystem}-{pin.name}")
def test_the_licence_of_every_dependency_is_allowed(pin):
    licence = sbom.licence_of(pin, RULES["known"])
    assert sbom.permitted(licence, RULES["allowed"]), f"{pin.name} {pin.version}: {licence or 'not told'}"


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("MIT", True),
        ("MIT AND PSF-2.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("", False),
    ],
)
def test_a_licence_outside_of_the_list_is_refused(licence, expected):
    assert sbom.permitted(licence, RULES["allowed"]) is expected


def test_a_package_that_tells_no_licence_is_refused():
    unknown = Pin("PyPI", "no-such-package", "1.0")
    assert sbom.licence_of(unknown, {}) == ""
    assert sbom.licence_of(unknown, {"no-such-package": "MIT"}) == "MIT"
    assert sbom.licence_of(Pin("npm", "odd", "1.0", licence="SEE LICENSE IN FILE"), {}) == ""


def test_a_lock_file_is_read_with_markers_digests_and_reasons(tmp_path):
    (tmp_path / "run.txt").write_text(LOCK.format("a" * 64, "b" * 64), "utf-8")
    assert python_pins(tmp_path / "run.txt") == (
        Pin("PyPI", "alpha", "1.0", digests=("a" * 64, "b" * 64), wanted_by=("hustings",)),
        Pin("PyPI", "beta", "2.0", "sys_platform == 'win32'", digests=("a" * 64,), wanted_by=("alpha", "hustings")),
    )


def test_what_only_builds_the_pages_is_left_out():
    names = {pin.name for pin in page_pins(ROOT / "frontend/package-lock.json")}
    assert {"preact", "tailwindcss"} <= names
    assert not {"vite", "vitest", "typescript"} & names


def test_a_package_in_place_of_another_is_told_once_and_by_its_own_name():
    names = [pin.name for pin in page_pins(ROOT / "frontend/package-lock.json")]
    assert names.count("@preact/compat") == 1
    assert not {"react", "react-dom"} & set(names)
