"""A debate in one call: two sides, judged, and the briefing that comes of it."""

from hustings import debate

result = debate("Should a small team keep its code in one repository?", model="improviser")

for reason in result.degraded:
    print("Read with care:", reason)
print(result.outcome.kind)
for argument in result.trace:
    print(argument.id, argument.standing, argument.claim)
