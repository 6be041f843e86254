"""What it would take, and a cap that holds: a debate that runs out is a result with that outcome, not an error."""

from hustings import Debate

held = Debate("Is a four-day week worth trying?", model="improviser", max_calls=4)
print("about", held.estimate().expected.calls, "calls")
result = held.run()
said = [turn for turn in result.transcript.turns if turn.said]
print(result.outcome.kind, "after", result.calls, "calls;", len(said), "turns are kept")
