"""An Argdown document: claims as statements, responses as arguments that attack or support them.

What speaks against a claim stands below it with a minus, what speaks for it with a plus.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from hustings.judging.arguments import Argumentation, Claim, ClaimResponse, arguments_of
from hustings.judging.dossier import Dossier
from hustings.text.figures import as_json, on_one_line

FORMAT = "argdown"
SUFFIX = "argdown"


def render(dossier: Dossier) -> str:
    transcript, found = dossier.proceedings.transcript, arguments_of(dossier)
    blocks = [
        "\n".join(["===", *_front(dossier), "==="]),
        f"# {words(transcript.debate_metadata.topic or transcript.debate_id)}",
        *_blocks(found),
        *([] if found.claims else [NOTHING]),
    ]
    return "\n\n".join(blocks) + "\n"


def _front(dossier: Dossier) -> Iterator[str]:
    """YAML front matter: a JSON string is a YAML string, and equal signs are escaped since three would end it."""
    transcript = dossier.proceedings.transcript
    facts = {
        "title": transcript.debate_metadata.topic or transcript.debate_id,
        "run": transcript.run_id,
        "protocol": transcript.run_metadata.protocol or "unknown",
        "judged": "yes" if dossier.judgement else "no",
    }
    yield from (f"{name}: {as_json(text).replace('=', BACKSLASH_EQUALS)}" for name, text in facts.items())


def _blocks(found: Argumentation) -> Iterator[str]:
    """One block per claim, with the responses below it."""
    below: Mapping[str, list[ClaimResponse]] = defaultdict(list)
    for response in found.responses:
        below[response.target].append(response)
    for claim in found.claims:
        yield "\n".join([_statement(claim), *_relations(below, claim.id, 1)])


def _statement(claim: Claim) -> str:
    tag = f" #{claim.standing.replace('_', '-')}" if claim.standing else ""
    return f"[{title(claim.id)}]: {words(claim.claim)} #(by {name(claim.seat)}){tag}"


def _relations(below: Mapping[str, Sequence[ClaimResponse]], target: str, depth: int) -> Iterator[str]:
    for response in below.get(target, ()):
        sign = "-" if response.attacks else "+"
        if response.source:
            # The claim that makes it has a block of its own.
            yield f"{'  ' * depth}{sign} [{title(response.source)}]"
            continue
        said = f"{words(response.said)} #(by {name(response.seat)}) #{name(response.kind)}"
        yield f"{'  ' * depth}{sign} <{title(response.id)}>: {said}"
        yield from _relations(below, response.id, depth + 1)


def title(name: str) -> str:
    """Escape brackets, which would end a title wherever they stand."""
    return TITLE.sub(lambda found: f"%{ord(found.group()):02x}", on_one_line(name))


def name(text: str) -> str:
    return NAME.sub("-", on_one_line(text)) or "nobody"


def words(text: str) -> str:
    """Escape text for Argdown, on one line."""
    return ACTIVE.sub(r"\\\g<0>", on_one_line(text)) or "…"


ACTIVE = re.compile(r"[\\@#*_\[\]<>{}/]|[.:](?=\S)|-(?=-)|=(?==)|^[+\-=(\d]")
TITLE = re.compile(r"[\[\]<>{}\\%]|^-")
NAME = re.compile(r"[^\w-]+")
BACKSLASH_EQUALS = "\\u003d"
NOTHING = "// Nothing was numbered as an argument, and no judge has drawn any from the words."
