"""One question under several protocols, read back later by their ids."""

from hustings import Result, debate

MOTION = "Should a small team keep its code in one repository?"
runs = {name: debate(MOTION, protocol=name, model="improviser").run_id for name in ("structured", "roundtable")}

for name, run_id in runs.items():
    result = Result.of(run_id)
    print(f"{name}: {len(result.transcript.turns)} turns, {result.outcome.kind}")
