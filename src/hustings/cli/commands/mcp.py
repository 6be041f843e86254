"""`hustings mcp`: debates as tools for assistants that speak MCP."""

from __future__ import annotations

from importlib.util import find_spec

from hustings.cli.options import DatabaseOption
from hustings.config.paths import address
from hustings.errors import Unsuitable
from hustings.installation import install_hint


def serve_assistant(*, database: DatabaseOption = "") -> None:
    """Offer debates as tools to an assistant (MCP). The assistant starts this command and talks to it."""
    if find_spec("mcp") is None:
        raise Unsuitable("MCP needs an optional package", fix=install_hint("mcp"))
    from hustings.mcp.local import serve_host  # noqa: PLC0415  heavy

    serve_host(address(database))
