"""Every error the package raises on purpose, in one tree, grouped by who has to act.

* HustingsError
  x ScriptError            the protocol's author
    + NotAMove             a script awaited something that is not a move
    + RoundError           a round inside a round, a turn outside of any, a seat twice in one
    + OffTheRecord         a script that runs `meanwhile` tried to speak
    + Standstill           every line of a script waits for another
    + UnknownSeat          a script named a seat that the debate does not have
  x SeatError              the script itself: it is raised where the seat was asked
    + SeatFailed           no answer came: unreachable, too late, gone
    + Malformed            no answer fitted the form
    + OutOfOrder           every answer broke the rules of its brief
  x UserError              the person who set up the debate
    + NotFound             no protocol, rubric, topic or file of that name
    + Unsuitable           settings or a cast that the protocol cannot use
    + BrokenFile           a file that cannot be read as what it should be
    + Unreachable          no model that answers, no key that is accepted
    + Unfinished           a run that has stopped, and how to resume it (in api)
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Self

_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|gsk|xai|hf|ghp|pplx)[-_][\w-]{12,}"  # by its beginning
    r"|AIza[\w-]{20,}"
    r"|[0-9a-f]{32}\.\w{12,}"
    r"|(?=[A-Za-z]*[0-9])(?=[0-9A-Z]*[a-z])(?=[0-9a-z]*[A-Z])[A-Za-z0-9]{24,}"  # digits, small letters and capitals
    r")"
)


def without_keys(text: str) -> str:
    """A message without anything that looks like a key: people type one where a name belongs."""
    return _KEY.sub("[key]", text)


class HustingsError(Exception):
    """Root of every error this package raises on purpose: what is wrong, why if that helps, and how to fix it."""

    def __init__(self, what: str = "", *, why: str = "", fix: str = "") -> None:
        self.what, self.why, self.fix = map(without_keys, (what, why, fix))
        said = f"{self.what} ({self.why})" if self.why else self.what
        before = ":\n" if "\n" in self.fix else ": "  # commands below each other begin on lines of their own
        super().__init__(f"{said}{before}{self.fix}" if self.fix else said)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled as it is: what a subclass is made from is not its message."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class ScriptError(HustingsError):
    """The script of a protocol is wrong; its author has to fix it."""


class NotAMove(ScriptError):
    """A script awaited something that is not a move."""


class RoundError(ScriptError):
    """A round inside a round, a turn outside of any, or a seat twice in one."""


class OffTheRecord(ScriptError):
    """A script that runs `meanwhile` may consult seats, but not have them speak."""


class Standstill(ScriptError):
    """Every line of a script waits for another one."""


class UnknownSeat(ScriptError):
    """A script named a seat that the debate does not have."""


class SeatError(HustingsError):
    """A seat gave no usable answer."""


class SeatFailed(SeatError):
    """No answer came: the seat's model or human could not be reached, or not in time."""


class Malformed(SeatError):
    """No answer of the seat fitted the form it was asked for."""


class OutOfOrder(SeatError):
    """Every answer a seat gave broke the rules of its brief."""


class UserError(HustingsError):
    """The person who set up the debate can fix this."""


class NotFound(UserError):
    """No protocol, rubric, topic or file of that name."""

    @classmethod
    def among(cls, known: Iterable[str], kind: str, name: str) -> Self:
        """Build the error with the name that was probably meant, and all known names."""
        names = list(dict.fromkeys(known))
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]!r}? Known:" if near else "choose from"
        return cls(f"no {kind} {name!r}", fix=f"{hint} {', '.join(names)}")


class Unsuitable(UserError):
    """Settings or a cast that the protocol cannot use."""


class NoJudges(Unsuitable):
    """Nobody can judge: no model was named or configured, and none speaks."""


class BrokenFile(UserError):
    """A file that cannot be read as what it should be."""


class Unreachable(UserError):
    """No model that answers, or no key that is accepted."""


class NoModel(Unreachable):
    """No model was named or configured, and none was found here."""
