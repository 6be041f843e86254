"""`hustings tokens` and `hustings activity`: who may use a server, and who did what."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import show_json, show_line, talk
from hustings.config.paths import address
from hustings.config.running_server import running_server
from hustings.db import activity, tokens
from hustings.db.tokens import Access
from hustings.errors import Unsuitable

from .db import open_service, upgraded

HOUR, DAY = 3_600.0, 86_400.0
TokenId = Annotated[str, typer.Argument(metavar="ID", help="Token ID, from `hustings tokens list`.")]


def add_token(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Owner of the debates. Owners see only their own.")],
    *,
    name: Annotated[str, typer.Option(help="A note for yourself.")] = "",
    role: Annotated[
        Literal["owner", "viewer", "judge"],
        typer.Option(help="owner: everything. viewer: read. judge: read without names, then vote."),
    ] = "owner",
    run_id: Annotated[str, typer.Option("--run", metavar="RUN", help="Restrict it to this debate.")] = "",
    days: Annotated[float | None, typer.Option(min=0.0, help="Days until it expires. Default: never.")] = None,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Create an access token. It is shown once and stored only as a hash."""
    if run_id:
        with open_service(database) as service:
            run_id = service.runs.find(run_id)
            if (whose := service.runs.read(run_id).owner) != owner:
                raise Unsuitable(f"{run_id!r} does not belong to {owner!r}", fix=f"it belongs to {whose!r}")
    with upgraded(database) as opened:
        seconds = None if days is None else days * DAY
        token = tokens.issue(opened, Access(owner, role, run_id), name, seconds=seconds)
    _show_token(token, owner, as_json=as_json)
    talk("Save it now: it is not shown again. From now on `hustings serve` requires an access token.")


def rotate_token(
    token_id: TokenId,
    *,
    hours: Annotated[float, typer.Option(min=0.0, help="Hours until the old one stops working.")] = 24.0,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Replace an access token. The new one has the same rights, and the old one expires."""
    with upgraded(database) as opened:
        token = tokens.rotate(opened, token_id, hours * HOUR)
        owner = next(kept.access.owner for kept in tokens.every(opened) if kept.id == token_id[: tokens.ID])
    _show_token(token, owner, as_json=as_json)
    talk(f"Save it now: it is not shown again. The old one works for {hours:g} more hours.")


def link_seat(
    run_id: Run,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A seat taken by a person.")],
    *,
    hours: Annotated[float, typer.Option(min=0.0, help="Hours until it expires.")] = 72.0,
    url: Annotated[
        str,
        typer.Option("--url", metavar="URL", help="Address of your server. Default: the one that runs here."),
    ] = "",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Create a link with which a person can answer for one seat, and nothing else. The first makes you a token too."""
    from hustings.engine.people import link_path, seat_token  # noqa: PLC0415  heavy

    at = url or running_server(address(database))
    if not at:
        raise Unsuitable(
            "no server runs here with this database",
            why="the link needs its address",
            fix="start one in another terminal: hustings serve. Or name its address: --url URL",
        )
    with open_service(database) as service:
        run_id, opened = service.runs.find(run_id), service.runs.database
        first = not tokens.ever_issued(opened)
        link = at.rstrip("/") + link_path(run_id, seat, seat_token(service.control, run_id, seat, hours * HOUR))
        own = (
            tokens.issue(opened, Access(service.runs.read(run_id).owner), "made with the first link") if first else None
        )
    if as_json:
        show_json({"run_id": run_id, "seat": seat, "link": link, "hours": hours, "token": own})
    else:
        show_line(link)
    talk(f"Send it to one person. It works for {hours:g} hours.")
    if _on_this_machine(at):
        talk("It opens on this machine only. For others: hustings serve --host NAME, then make the link again.")
    if own:
        talk("From now on `hustings serve` requires an access token. This is yours, and is not shown again:")
        if not as_json:
            show_line(own)
        talk("Pages that you have open on this machine stay signed in until the server stops.")


def _on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def list_tokens(*, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """List who has access. The tokens themselves are never shown."""
    with upgraded(database) as opened:
        found = tokens.every(opened)
    rows = [
        {
            "id": token.id,
            "owner": token.access.owner,
            "role": token.access.role,
            "run": token.access.run_id,
            "seat": token.access.seat,
            "name": token.name,
            "created": _instant(token.created_at),
            "used": _instant(token.used_at),
            "expires": _instant(token.expires),
        }
        for token in found
    ]
    if as_json:
        show_json(rows)
        return
    for row in rows:
        until = f", until {row['expires']}" if row["expires"] else ""
        of = " ".join(filter(None, (row["run"], row["seat"], row["name"])))
        times = f"created {row['created']}, used {row['used'] or 'never'}{until}"
        show_line(f"{row['id']}  {row['owner']:<20} {row['role']:<6}  {times}  {of}".rstrip())
    talk("Revoke one: hustings tokens revoke ID" if rows else "No tokens yet. Create one: hustings tokens add OWNER")


def revoke_token(token_id: TokenId, *, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """Revoke an access token. It stops working at once, and so do live pages opened with it."""
    with upgraded(database) as opened:
        tokens.revoke(opened, token_id)
        left = len(tokens.every(opened))
    if as_json:
        show_json({"revoked": token_id, "left": left})
    else:
        show_line(f"{token_id} is revoked.")
    if not left:
        talk("That was the last token. Servers let nobody in until you create another: hustings tokens add OWNER")


def list_activity(
    *,
    owner: Annotated[str, typer.Option(help="Only this owner.")] = "",
    about: Annotated[
        str, typer.Option(metavar="ID", help="Only this debate or token. The start of its ID is enough.")
    ] = "",
    most: Annotated[int, typer.Option(min=1, help="Maximum number shown.")] = 50,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """List who did what with access tokens, debates and limits, newest first."""
    with upgraded(database) as opened, opened.reading() as db:
        found = activity.latest(db, most, owner=owner, subject=about)
    if as_json:
        show_json([{**asdict(row), "at": _instant(row.at)} for row in found])
        return
    for row in found:
        show_line(f"{_instant(row.at)}  {row.actor:<22} {row.action:<18} {row.subject}  {row.detail}".rstrip())
    talk("This log can't be edited." if found else "No activity yet.")


def _show_token(token: str, owner: str, *, as_json: bool) -> None:
    if as_json:
        show_json({"owner": owner, "token": token})
    else:
        show_line(token)


def _instant(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
