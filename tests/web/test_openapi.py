"""The document of the API: the one that the page's types are made from, and whatever is made up from it is answered."""

from pathlib import Path

import pytest

from hustings.lab.routes import ROUTES
from hustings.web.app import api, openapi_document

PAGE = Path(__file__).parents[2] / "frontend" / "openapi.json"
CONTRACT = """
DELETE /api/debates/{run_id}
DELETE /api/panels
DELETE /api/session
GET /api/about
GET /api/awaited
GET /api/checkup
GET /api/comparisons
GET /api/comparisons/evaluations
GET /api/costs
GET /api/debates
GET /api/debates/{run_id}
GET /api/debates/{run_id}/advice/{seat}
GET /api/debates/{run_id}/documents
GET /api/debates/{run_id}/documents/{document}
GET /api/debates/{run_id}/evaluation
GET /api/debates/{run_id}/events
GET /api/debates/{run_id}/export
GET /api/debates/{run_id}/outcome
GET /api/debates/{run_id}/view
GET /api/debates/{run_id}/votes
GET /api/discovery
GET /api/panels
GET /api/recordings
GET /api/recordings/{name}
GET /api/recordings/{name}/events
GET /api/search
GET /api/settings
GET /api/stability
GET /api/stats
PATCH /api/debates/{run_id}
POST /api/checkup/calls
POST /api/debates
POST /api/debates/deletions
POST /api/debates/import
POST /api/debates/{run_id}/cancel
POST /api/debates/{run_id}/estimates
POST /api/debates/{run_id}/evaluations
POST /api/debates/{run_id}/evaluations/estimates
POST /api/debates/{run_id}/forks
POST /api/debates/{run_id}/instructions
POST /api/debates/{run_id}/links
POST /api/debates/{run_id}/outcome
POST /api/debates/{run_id}/pause
POST /api/debates/{run_id}/questions
POST /api/debates/{run_id}/ratings
POST /api/debates/{run_id}/repeats
POST /api/debates/{run_id}/resume
POST /api/debates/{run_id}/retry
POST /api/debates/{run_id}/speeches
POST /api/debates/{run_id}/verdicts
POST /api/debates/{run_id}/votes
POST /api/documents/read
POST /api/estimates
POST /api/panels
POST /api/session
"""


def test_the_page_is_made_from_this_document():
    """Else: python -m tools.openapi > frontend/openapi.json, and the client anew."""
    assert PAGE.read_text(encoding="utf-8") == openapi_document([ROUTES])


def test_the_calls_are_those_of_the_contract():
    found = [
        f"{method.upper()} {path}"
        for path, methods in api(added=[ROUTES]).openapi()["paths"].items()
        for method in methods
    ]
    assert sorted(found) == CONTRACT.split("\n")[1:-1]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seconds", [8, pytest.param(30, marks=pytest.mark.nightly("half a minute of requests"))])
def test_whatever_is_made_up_from_it_is_answered_as_it_says(tmp_path, seconds):
    from .fuzz import fuzz  # noqa: PLC0415  the engine takes seconds to load

    faults, told = fuzz("sqlite", seconds, 7, tmp_path)
    assert faults == 0, told[-7000:]
