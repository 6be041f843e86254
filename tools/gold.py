"""Play a gold debate while it is being written, and print its transcript or what is wrong with it.

python tools/gold.py src/hustings/data/gold/NAME.toml
"""

import sys
import tomllib
from pathlib import Path

from hustings.judging.arguments import argued
from hustings.lab.gold import GoldDebate, played


def main() -> None:
    file = Path(sys.argv[1])
    gold = GoldDebate.model_validate({"name": file.stem, **tomllib.loads(file.read_text("utf-8"))})
    done = played(gold)
    sent_back = [
        (turn.turn_id, attempt.diagnostics and attempt.diagnostics.error_message)
        for turn in done.proceedings.transcript.turns
        for attempt in turn.attempts
        if attempt.status != "ok"
    ]
    failures = [note.body for note in done.proceedings.notes if note.kind == "failure"]
    for turn in done.proceedings.transcript.turns:
        print(f"## {turn.turn_id} {turn.speaker_id}\n{turn.said}\n")
    for note in done.proceedings.notes:
        if note.kind in {"agenda", "docket", "ruling", "stance", "reading"}:
            print(f"# {note.kind} by {note.by}: {note.body}")
    case = argued(done.proceedings)
    responses = [r.id for r in case.responses if r.kind not in {"concede", "withdraw"}]
    items = [*(claim.id for claim in case.claims), *responses]
    print("to be marked:", ", ".join(items))
    missing = [item for item in items if item not in gold.marks]
    print("without marks:", ", ".join(missing) or "none")
    print("ending:", done.proceedings.ending.kind, "| result:", done.proceedings.result)
    if sent_back or failures:
        sys.exit(f"WRONG: {sent_back} {failures}")
    print("SOUND")


if __name__ == "__main__":
    main()
