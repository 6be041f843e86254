"""Route to import debates that other programs wrote down."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request

from hustings.errors import HustingsError
from hustings.runs.imported import import_debates
from hustings.transcript.imports.recognise import HowToRead, Shape
from hustings.web.problems import Refused
from hustings.web.schemas import ImportedDebates
from hustings.web.server_state import Context, RequestContext

from .documents import BYTES

router = APIRouter(tags=["debates"])
Text = Annotated[str, Query(max_length=2_000, pattern=r"^[^\x00]*$")]


@router.post("/debates/import", status_code=201, openapi_extra={"requestBody": {"required": True, "content": BYTES}})
async def import_file(
    context: Context,
    request: Request,
    shape: Annotated[Shape | None, Query(alias="as")] = None,
    topic: Text = "",
    speakers: Text = "",
    item: Annotated[str, Query(pattern=r"^(|all|[1-9][0-9]{0,5})$")] = "",
    name: Annotated[str, Query(max_length=255, pattern=r"^[^\x00-\x1f]*$")] = "",
) -> ImportedDebates:
    """Import the debates of a file. The same file gives the same debates again, and no new ones."""
    context.must_be_within_limits()
    content = await request.body()
    named = tuple(dict.fromkeys(one.strip() for one in speakers.split(",") if one.strip()))
    number = "all" if item == "all" else int(item) if item else None
    how = HowToRead(shape, topic.strip(), named, number)
    return await context.state.heavily(lambda: _imported(context, content, name, how))


def _imported(context: RequestContext, content: bytes, name: str, how: HowToRead) -> ImportedDebates:
    try:
        found = import_debates(context.runs, content, name, how, context.actor)
    except HustingsError as error:
        # No answer repeats what was sent, and errors quote the file.
        what, why, fix = (without_quoted(said) for said in (error.what, error.why, error.fix))
        raise Refused(422, what[:1].upper() + what[1:], why=why, fix=fix) from None
    return ImportedDebates(debates=tuple(found))


def without_quoted(text: str) -> str:
    """A text without what stands in quotation marks; a mark that nothing closes is an apostrophe."""
    kept, done, unclosed = list[str](), 0, ""
    for mark in MARK.finditer(text):
        start, sign = mark.start(), mark[0]
        if start < done or sign in unclosed:
            continue
        quoted = QUOTED[sign].match(text, start)
        if quoted and quoted["closed"]:
            kept += [text[done:start], "…"]
            done = quoted.end()
        else:  # and nothing closes those further on
            unclosed += sign
    return "".join((*kept, text[done:]))


MARK = re.compile("['\"]")
QUOTED = {
    "'": re.compile(r"'(?:[^'\\]|\\.)*+(?P<closed>'…?)?", re.DOTALL),
    '"': re.compile(r'"(?:[^"\\]|\\.)*+(?P<closed>")?', re.DOTALL),
}
