"""Protocols in files of the user's: loaded when the user names one, and again where its debate goes on, if unchanged.

Nothing is registered. Without its loaded protocol nobody can play a debate, so a name or a record never runs a file.
"""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from hashlib import sha256
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Any, cast

from hustings.errors import HustingsError, NotFound, ScriptError, Unsuitable
from hustings.readers.files import is_file, read_bytes
from hustings.script.debate import ProtocolFile
from hustings.script.protocol import Protocol
from hustings.script.protocol_result import SeatNames, Section
from hustings.script.seats import Seat
from hustings.script.stage import Settings, Stage

from .registry import find_protocol, is_taken, missing_parts, read_protocol
from .spec import RunSpec

ENDING = ".py"
Play = Callable[[Stage[Any]], Coroutine[Any, Any, Any]]
Describe = Callable[[Any, SeatNames], Iterable[Section]]
MOST_BYTES = 2**20
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def names_file(protocol: str | Path) -> bool:
    """Whether a file is meant and not the name of a protocol."""
    return isinstance(protocol, Path) or protocol.endswith(ENDING)


def find_or_load(protocol: str | Path) -> Protocol:
    """A protocol by its name, or from the file of that name."""
    return load_protocol(Path(protocol)) if names_file(protocol) else find_protocol(str(protocol))


def protocol_fields(protocol: str | Path) -> dict[str, Any]:
    """Fields of a request for a protocol by its name, or from the file of that name."""
    if not names_file(protocol):
        return {"protocol": protocol}
    loaded = load_protocol(Path(protocol))
    return {"protocol": loaded.name, "own_protocol": loaded}


def load_protocol(path: Path) -> Protocol:
    """The protocol in a file that the user named. Its code is run."""
    name, place = path.stem, path.parent.resolve() / path.name
    if path.suffix != ENDING or not NAME.fullmatch(name):
        fix = "name the file with small letters, digits and _, for example my_duel.py"
        raise Unsuitable(f"{path.name!r} can't name a protocol", fix=fix)
    if not str(place).isprintable():
        raise Unsuitable(f"the folder of {path.name!r} has a name that can't be kept", fix="move the file")
    from .imported import PROTOCOL as IMPORTED  # noqa: PLC0415  heavy, and most debates name no file

    if is_taken(name) or name == IMPORTED:
        raise Unsuitable(f"{name!r} is a protocol already", fix=f"rename the file, for example my_{name}{ENDING}")
    if not is_file(place):
        why = f"it is not a regular file: {place}" if place.exists() else f"there is no such file: {place}"
        raise NotFound(f"no protocol {str(path)!r}", why=why, fix="check the name, or choose from hustings protocols")
    content = _content(place)
    return _protocol_in(ProtocolFile(path=str(place), digest=sha256(content).hexdigest()), name, content)


def with_protocol(spec: RunSpec) -> RunSpec:
    """The same run with the protocol of its file, if it has one. The code is run only if it is what it was."""
    debate, file = spec.debate, spec.debate.protocol_file
    if file is None or debate.script:
        return spec
    path = Path(file.path)
    if not is_file(path):
        what = f"{path}, the protocol of this debate, is not on this machine ({socket.gethostname()})"
        raise Unsuitable(what, fix="put it back, or start anew")
    content = _content(path)
    if sha256(content).hexdigest() != file.digest:
        raise Unsuitable(f"{path} changed since this debate began", fix="put the old version back, or start anew")
    if (file, debate.protocol) not in _loaded and not _is_ours(path):
        what = f"{path}, the protocol of this debate, belongs to another user"
        raise Unsuitable(what, fix="resume it as that user, or make the file your own")
    loaded = _protocol_in(file, debate.protocol, content)
    return spec.model_copy(update={"debate": debate.with_script(loaded)})


def _content(path: Path) -> bytes:
    content = read_bytes(path, MOST_BYTES, "a protocol file")
    if len(content) > MOST_BYTES:
        raise Unsuitable(f"{path} is longer than {MOST_BYTES:,} bytes", fix="shorten it")
    return content


def _is_ours(path: Path) -> bool:
    """What a record names may be a file that another user put there."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


# -- running the code ----------------------------------------------------------------------


_loaded: dict[tuple[ProtocolFile, str], Protocol] = {}
"""Protocols whose code has run in this process, by file and name."""


def _protocol_in(file: ProtocolFile, name: str, content: bytes) -> Protocol:
    """The protocol that these bytes define; their code is run once in a process."""
    if (file, name) not in _loaded:
        _loaded[file, name] = _read(file, name, content)
    return _loaded[file, name]


def _module(file: ProtocolFile, name: str, content: bytes) -> ModuleType:
    """Run the code in a module that no import can name by accident; forms look up their names in it."""
    module = ModuleType(f"{name}_{file.digest}")
    module.__file__ = file.path
    sys.modules[module.__name__] = module
    try:
        with _blamed_on(file):
            exec(compile(content, file.path, "exec", dont_inherit=True), vars(module))  # noqa: S102  named by the user
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def _read(file: ProtocolFile, name: str, content: bytes) -> Protocol:
    module, title = _module(file, name, content), Path(file.path).name
    if missing := missing_parts(module):
        raise ScriptError(f"{title} lacks {'; '.join(missing)}", fix="add it; hustings protocols lists whole ones")
    for part, (wanted, fits) in PARTS.items():
        if not fits(getattr(module, part, None)):
            raise ScriptError(f"{title}{_at(_line_of_part(part, content))}: {part} is not {wanted}", fix="correct it")
    found = read_protocol(name, module)
    return replace(
        found,
        file=file,
        play=_played(file, found.play),
        seating=_blamed_on(file)(found.seating),
        judge_result=found.judge_result and _blamed_on(file)(found.judge_result),
        describe_result=found.describe_result and _described(file, found.describe_result),
    )


def _is_seats(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(seat, Seat) for seat in cast("tuple[Any, ...]", value))


def _is_texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) for text in cast("tuple[Any, ...]", value))


def _is_settings(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Settings)


PARTS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "RULES": ("a text", lambda value: isinstance(value, str)),
    "SEATS": ("a tuple of `Seat`", lambda value: value is None or _is_seats(value)),
    "Settings": ("a class of `Settings`", lambda value: value is None or _is_settings(value)),
    "VERSION": ("a whole number", lambda value: value is None or type(value) is int),
    "VERDICTS": ("a tuple of texts", lambda value: value is None or _is_texts(value)),
    "judge_result": ("a function", lambda value: value is None or callable(value)),
    "describe_result": ("a function", lambda value: value is None or callable(value)),
}
"""Parts of a protocol that a wrong value would break later, far from its line."""


def _played(file: ProtocolFile, play: Play) -> Play:
    @wraps(play)
    async def played(stage: Stage[Any]) -> Any:
        with _blamed_on(file):
            return await play(stage)

    return played


def _described(file: ProtocolFile, describe: Describe) -> Describe:
    @wraps(describe)
    def described(result: Any, names: SeatNames) -> Iterable[Section]:
        with _blamed_on(file):
            return tuple(describe(result, names))

    return described


@contextmanager
def _blamed_on(file: ProtocolFile) -> Generator[None]:
    """Tell an error of the file's code with its line: it is its author's, and no bug of ours."""
    try:
        yield
    except HustingsError:
        raise
    except (Exception, SystemExit) as error:
        where = f"{Path(file.path).name}{_at(_line_of(error, file.path))}"
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ScriptError(f"{where}: {type(error).__name__}: {said}", fix=f"correct it in {file.path}") from error


def _line_of(error: BaseException, path: str) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
    return lines[-1] if lines else None


def _line_of_part(part: str, content: bytes) -> int | None:
    lines = enumerate(content.splitlines(), 1)
    return next((n for n, line in lines if line.removeprefix(b"class ").startswith(part.encode())), None)


def _at(line: int | None) -> str:
    return f" line {line}" if line else ""
