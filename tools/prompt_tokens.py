"""Tokens of every kind of prompt, by protocol, without the record and notes: JSON on the last line.

`python tools/prompt_tokens.py > before.json` in the worktree of an earlier commit, then
`python tools/prompt_tokens.py before.json` here, prints a table for docs/prompts.md first.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from hustings.lab.trial_debates import BASES, TOPIC, proceedings_of
from hustings.llm.improviser import Improviser
from hustings.llm.prices import likely_tokens
from hustings.runs.registry import find_script, protocols
from hustings.runs.staging import Rehearsal, plan, rehearse
from hustings.script.prompt import prompt_of

SETTINGS = {"adaptive": {"stakes": "critical"}, "moderated": {"domain": "technical"}}
FENCED = re.compile(r"<<(\w+) (?!\.\.\.)[^\n]*>>\n.*?\n<<end \1>>\n", re.DOTALL)
SEEDS = range(4)
"""Improvised debates that are looked at: not every one comes to every brief."""


def measured() -> dict[str, dict[str, int]]:
    """Protocol to its shared part and its briefs, each with the most tokens that one prompt of it had."""
    found = {
        name: tokens([rehearse(plan(one, TOPIC, settings=SETTINGS.get(name)), Improviser(seed)) for seed in SEEDS])
        for name, one in protocols().items()
    }
    judged = rehearse(plan(protocols()["competition"], TOPIC), Improviser()).proceedings
    records = (("structured", proceedings_of(BASES[0])), ("competition", judged))
    for name, record in records:
        audit = plan(find_script("judging"), TOPIC, judged=record, model="improviser", settings={"judges": 1})
        rubric = "speech" if name == "competition" else "argument"
        sat = rehearse(audit.model_copy(update={"rubric": rubric}), Improviser())
        found["judging"] = {**tokens([sat]), **found.get("judging", {})}
    return found


def tokens(played: list[Rehearsal]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in played:
        for call in (call for wave in one.waves for call in wave):
            prompt = prompt_of(call, one.debate.cast[call.seat.id])
            brief = "summary of a stage" if call.brief.name.startswith("summary of") else call.brief.name
            for part, text in (("shared part", prompt.rules), (brief, prompt.tail)):
                found[part] = max(found.get(part, 0), likely_tokens(FENCED.sub("", text)))
    return found


def table(before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]) -> list[str]:
    lines = ["| protocol | prompt | before | after |", "|---|---|--:|--:|"]
    for name, parts in after.items():
        lines += [f"| {name} | {part} | {before.get(name, {}).get(part, '')} | {n} |" for part, n in parts.items()]
    return lines


def main(arguments: list[str]) -> int:
    after = measured()
    if arguments:
        before = json.loads(Path(arguments[0]).read_text("utf-8").splitlines()[-1])
        sys.stdout.write("\n".join(table(before, after)) + "\n")
    sys.stdout.write(json.dumps(after) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
