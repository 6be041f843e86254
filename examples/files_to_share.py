"""A debate as files: a report for people, the record for programs, the arguments for a spreadsheet or a map."""

from pathlib import Path
from tempfile import mkdtemp

from hustings import debate

result = debate("Should homework be abolished?", model="improviser", control=True)
folder = Path(mkdtemp())
for name in ("report.html", "report.md", "record.json", "arguments.csv", "arguments.argdown"):
    path = result.save(folder / name)
    print(f"{path.name}: {path.stat().st_size} bytes")
