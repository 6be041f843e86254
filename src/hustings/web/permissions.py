"""Which role may call which route; added routes bring their own roles. A route that is not named is the owner's."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request

from hustings.db.tokens import Access, Role

from .problems import Refused, unknown

EVERYONE: frozenset[Role] = frozenset({"owner", "viewer", "judge", "seat"})
READERS: frozenset[Role] = frozenset({"owner", "viewer"})
READERS_AND_SEATS: frozenset[Role] = READERS | frozenset[Role]({"seat"})
VOTERS: frozenset[Role] = frozenset({"owner", "judge"})
ROLES: Mapping[str, frozenset[Role]] = {
    "about": EVERYONE,
    "debates": READERS | VOTERS,
    "list_debate_models": READERS,
    "debate_model": READERS,
    "recordings": READERS | VOTERS,
    "recording": READERS | VOTERS,
    "recorded_events": READERS | VOTERS,
    "debate": EVERYONE,
    "read": EVERYONE,
    "documents": EVERYONE,
    "document": EVERYONE,
    "events": READERS_AND_SEATS,
    "advise": READERS_AND_SEATS,
    "export": READERS,
    "compare": READERS,
    "stability": READERS,
    "outcome": READERS,
    "costs": READERS,
    "find": READERS,
    "votes": VOTERS,
    "vote": VOTERS,
    "say": frozenset[Role]({"owner", "seat"}),
}
"""Roles by the name of the route."""
TOOLS: Mapping[str, frozenset[Role]] = {"debate_wait": READERS, "debate_result": READERS, "debate_find": READERS}
"""Roles by the name of a tool for assistants; one that is not named here is the owner's."""
OWNER: frozenset[Role] = frozenset({"owner"})
SESSION = frozenset({"enter", "leave"})
"""Routes that come before any role: login and logout."""


@dataclass(frozen=True)
class ExtensionRoutes:
    """Routes from outside of this package, and the roles that may call them."""

    router: APIRouter
    roles: Mapping[str, frozenset[Role]]
    """By the name of the route; one that is not named is the owner's."""


def must_be_permitted(request: Request) -> None:
    """Refuse a request that the role of its token does not allow; every route depends on this."""
    name: str = request.scope["route"].name
    if name in SESSION:
        return
    access: Access = request.scope["access"]
    roles: Mapping[str, frozenset[Role]] = request.app.state.roles
    if access.role not in roles.get(name, OWNER):
        raise forbidden(access)
    params = request.path_params
    if access.run_id and name != "about":
        if "run_id" not in params:
            raise forbidden(access)
        if params["run_id"] != access.run_id:
            raise unknown()
    if access.role == "seat" and params.get("seat", access.seat) != access.seat:
        raise forbidden(access)


def tool_must_be_permitted(access: Access, tool: str, run_id: str) -> None:
    """Refuse a tool that the role does not allow, or another debate than the one that the token opens."""
    if access.role not in TOOLS.get(tool, OWNER) or (access.run_id and not run_id):
        raise forbidden(access)
    if access.run_id and run_id != access.run_id:
        raise unknown()


def may_read_document(access: Access, seats: Collection[str]) -> bool:
    """Whether a caller may read a document of these seats (none: of all)."""
    return not seats or access.role in READERS or (access.role == "seat" and access.seat in seats)


def forbidden(access: Access) -> Refused:
    what = {
        "viewer": "Your access token is read-only.",
        "judge": "With your access token you can only read without names, and vote.",
        "seat": "Your link only works for one seat of one debate.",
    }
    return Refused(
        403,
        what.get(access.role, "Your access token only works for one debate."),
        fix="Ask the owner of the debate for another access token.",
    )
