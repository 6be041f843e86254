"""Writes what hustings ships as a CycloneDX bill of materials, and the licences of all of it: `sbom.py [FOLDER]`."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from tools.locked import ROOT, Pin, shipped

BY_CLASSIFIER = {
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""Classifiers that name one licence. "BSD License" is not one of them: there are several."""


def licence_of(pin: Pin, known: Mapping[str, str]) -> str:
    """SPDX expression; empty where neither we nor the package tell."""
    if pin.ecosystem == "npm" or pin.name in known:
        return _spdx(known.get(pin.name, pin.licence))
    try:
        about = metadata.metadata(pin.name)
    except metadata.PackageNotFoundError:
        return ""
    classifiers = [line.rpartition(":: ")[2] for line in about.get_all("Classifier") or [] if "License ::" in line]
    named = [BY_CLASSIFIER[name] for name in classifiers if name in BY_CLASSIFIER]
    told = (about.get("License-Expression"), about.get("License"), " OR ".join(named))
    return next(filter(None, (_spdx(text or "") for text in told)), "")


def _spdx(text: str) -> str:
    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression:
        return ""


def permitted(expression: str, allowed: Iterable[str]) -> bool:
    """Whether one of the alternatives is made of permitted licences alone. Brackets are not: nobody uses them here."""
    alternatives = [re.split(r" AND ", one) for one in expression.split(" OR ")]
    return any(all(licence in set(allowed) for licence in one) for one in alternatives)


def bill(pins: Iterable[Pin], licences: Mapping[Pin, str], version: str) -> dict[str, Any]:
    """The bill of materials: the same bytes for the same lock files, so it has no date."""
    pins = sorted(pins)
    refs = {pin: _purl(pin) for pin in pins}
    root = f"pkg:pypi/hustings@{version}"
    by_name = {(pin.ecosystem, pin.name): ref for pin, ref in refs.items()}
    wants = {ref: set[str]() for ref in (root, *refs.values())}
    for pin, ref in refs.items():
        for name in pin.wanted_by:
            wants[root if name == "hustings" else by_name[pin.ecosystem, name]].add(ref)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, ' '.join((root, *refs.values())))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "hustings",
                "version": version,
                "purl": root,
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": [_component(pin, refs[pin], licences[pin]) for pin in pins],
        "dependencies": [{"ref": ref, "dependsOn": sorted(wanted)} for ref, wanted in wants.items()],
    }


def _component(pin: Pin, ref: str, licence: str) -> dict[str, Any]:
    scope, _, name = pin.name.rpartition("/")
    algorithm = "SHA-512" if pin.ecosystem == "npm" else "SHA-256"
    return {
        "type": "library",
        "bom-ref": ref,
        **({"group": scope} if scope else {}),
        "name": name,
        "version": pin.version,
        "scope": "optional" if pin.marker else "required",
        "hashes": [{"alg": algorithm, "content": digest} for digest in pin.digests],
        **({"licenses": [{"expression": licence}]} if licence else {}),
        "purl": ref,
        **({"properties": [{"name": "hustings:marker", "value": pin.marker}]} if pin.marker else {}),
    }


def _purl(pin: Pin) -> str:
    return f"pkg:{pin.ecosystem.lower()}/{quote(pin.name)}@{quote(pin.version)}"


def table(licences: Mapping[Pin, str]) -> str:
    rows = (f"| {pin.name} | {pin.version} | {pin.ecosystem} | {licences[pin]} |\n" for pin in sorted(licences))
    return "| package | version | from | licence |\n| --- | --- | --- | --- |\n" + "".join(rows)


def main(folder: Path) -> int:
    rules = tomllib.loads((ROOT / "requirements/licences.toml").read_text("utf-8"))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    licences = {pin: licence_of(pin, rules["known"]) for pin in shipped()}
    refused = [pin for pin, licence in licences.items() if not permitted(licence, rules["allowed"])]
    folder.mkdir(parents=True, exist_ok=True)
    written = json.dumps(bill(licences, licences, version), indent=1, sort_keys=True)
    (folder / "sbom.cdx.json").write_text(f"{written}\n", "utf-8")
    (folder / "licences.md").write_text(table(licences), "utf-8")
    for pin in refused:
        print(f"{pin.name} {pin.version}: licence {licences[pin] or 'not told'} is not in requirements/licences.toml")
    print(f"{folder}/sbom.cdx.json and {folder}/licences.md are written.")
    kinds = Counter(pin.ecosystem for pin in licences)
    print(json.dumps({**kinds, "licences": Counter(licences.values()), "refused": [pin.name for pin in refused]}))
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build"))
