"""Screen of `hustings` without a command: the models found here, and what to type next."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from .terminal import show

if TYPE_CHECKING:
    from hustings.llm.environment import Environment
    from hustings.llm.local_servers import LocalServer

TRY = 'hustings "Should we rewrite it in Rust?"'
MOST_NAMED = 4


def welcome(ctx: Any) -> None:
    """Show the welcome screen; without a terminal, only the list of commands."""
    if not sys.stdout.isatty():
        show(ctx.get_help())
        return
    from hustings.config.variables import variables  # noqa: PLC0415  it reads files
    from hustings.llm.local_servers import find  # noqa: PLC0415

    known = variables()
    show(screen(known, find(known.process)))


def screen(known: Environment, servers: Sequence[LocalServer]) -> str:
    from hustings.config.models import CURES, keys_at_hand  # noqa: PLC0415

    found = [
        *map(_of_server, servers),
        *(f"{name} ({known.place_of(name)})" for name in keys_at_hand(known).values()),
    ]
    ready = known.set_up or keys_at_hand(known) or any(server.models for server in servers)
    lines = [
        f"hustings {version('hustings')} — debates between AI models, scored so that you can check it",
        "",
        *_labelled("Models", found or ["none found"]),
        "",
    ]
    if ready:
        lines += _labelled(
            "Try", [f"{TRY:<46} debate and judge a question", f"{'hustings demo':<46} watch a recorded debate"]
        )
    else:
        lines += _labelled("Try", CURES.splitlines())
    return "\n".join([*lines, f"           {'hustings --help':<46} all commands"])


def _of_server(server: LocalServer) -> str:
    more = f" and {len(server.models) - MOST_NAMED} more" if len(server.models) > MOST_NAMED else ""
    where = server.url.partition("//")[2].partition("/")[0]
    return f"{server.name} {where}  {' · '.join(server.models[:MOST_NAMED]) or 'no model yet'}{more}"


def _labelled(label: str, lines: Sequence[str]) -> Iterator[str]:
    for n, line in enumerate(lines):
        yield f"  {label if n == 0 else '':<8} {line}"
