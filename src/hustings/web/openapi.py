"""`python -m hustings.web.openapi` prints the OpenAPI document, from which the frontend types are made."""

from __future__ import annotations

import json
import sys

from .app import api


def document() -> str:
    return json.dumps(api().openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
