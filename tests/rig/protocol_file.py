"""A protocol as somebody would save it: one file, in no package, that tells when its code is run."""

from dataclasses import dataclass
from pathlib import Path

DUEL = '''"""Two speakers, one speech and one rebuttal each."""

from pydantic import Field

from hustings.protocol import Brief, Form, Seat, Settings, Speech, Stage, or_none


async def play(stage: Stage[Settings]) -> None:
    with stage.round("openings"):
        await stage.together(*(or_none(stage.ask(seat, OPEN)) for seat in stage.seats))
    with stage.round("rebuttals"):
        for seat in stage.seats:
            await or_none(stage.ask(seat, REBUT))


SEATS = (Seat("pro", duty="You speak for the motion."), Seat("con", duty="You speak against the motion."))
RULES = "Both speak once without hearing each other. Then each answers once."
RUBRIC = "argument"
OPEN = Brief("opening", Speech, "Make your case in two points.", words=200)
REBUT = Brief("rebuttal", Speech, "Answer the strongest point.", turn_type="rebuttal", words=150)
'''


@dataclass(frozen=True)
class OwnFile:
    path: Path

    @property
    def trace(self) -> Path:
        """It is there if the code was run since it was last deleted."""
        return self.path.with_suffix(".ran")

    def write(self, text=DUEL):
        """Write the file. Every process that runs its code leaves a trace."""
        trace = f"\n__import__('pathlib').Path({str(self.trace)!r}).touch()\n"
        self.path.write_text(text + trace, "utf-8")
        return self

    def was_run(self):
        there = self.trace.exists()
        self.trace.unlink(missing_ok=True)
        return there


def own_file(folder, name="duel.py"):
    return OwnFile(folder / name).write()
