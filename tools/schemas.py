"""Writes the JSON Schemas into `schema/`. A released one must not change: the test compares every byte."""

from __future__ import annotations

from pathlib import Path

from hustings.lab.evaluation_schema import SCHEMAS as OF_EVALUATIONS
from hustings.transcript.schema import SCHEMAS, text

FOLDER = Path(__file__).parent.parent / "schema"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, schema in {**SCHEMAS, **OF_EVALUATIONS}.items():
        (FOLDER / name).write_text(text(schema()), encoding="utf-8")
        print(f"schema/{name}")


if __name__ == "__main__":
    main()
