"""Servers of tools to test with: a quick one over a pipe, and one by the package `mcp`.

python -m tests.rig.tool_server http PORT, or package FILE; the second has a line for each call.
"""

import sys
from pathlib import Path
from typing import Literal

from .quick_tool_server import FACTS, ORDERS, PRAISE, told

ROOT = Path(__file__).parents[2]
QUICK = Path(__file__).with_name("quick_tool_server.py")


def tool_server(mode="honest", calls="", *, name="web", allow=("search",)):
    """Where the tests find it. The package loads for two seconds; only it has an address, and asks back."""
    # The client too is only loaded by those who look for a server.
    from hustings.llm.tool_server import ToolServer  # noqa: PLC0415

    server = (sys.executable, "-I", str(QUICK))
    if mode in {"http", "package"}:
        server = (f"PYTHONPATH={ROOT / 'src'}", sys.executable, "-m", __name__)
    return ToolServer(name, allow, ("env", "-C", str(ROOT), *server, mode, *([str(calls)] if calls else [])))


def offered(calls):
    """A server that offers one sound tool and one that asks back."""
    from mcp.server import MCPServer  # noqa: PLC0415
    from mcp.server.mcpserver import Context  # noqa: PLC0415
    from pydantic import BaseModel  # noqa: PLC0415

    class AskedBack(BaseModel):
        yes: bool

    server = MCPServer("shops", instructions=ORDERS)

    @server.tool(description=PRAISE)
    def search(
        query: str, ctx: Context, kind: Literal["news", "archive"] | None = None, most: int | None = None
    ) -> str:
        told(calls, f"search {(ctx.request_context.meta or {}).get('hustings/call')}")
        return f"{FACTS}They searched for: {query}"

    @server.tool()
    async def asks(question: str, ctx: Context) -> str:
        told(calls, "asks")
        answer = await ctx.elicit(question, AskedBack)
        return f"the person said {answer}"

    return server


def main(mode, second=""):
    # Over HTTP the second word is a port, and no books are kept.
    if mode == "http":
        offered("").run("streamable-http", port=int(second))
    else:
        offered(second).run("stdio")


if __name__ == "__main__":
    main(*sys.argv[1:])
