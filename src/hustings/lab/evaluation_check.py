"""Checks an evaluation file: its form, its digest, its transcript, and whether its figures follow from its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import ValidationError

from hustings.script.complaints import words_of_error
from hustings.transcript.canonical import digest
from hustings.transcript.models import Transcript
from hustings.transcript.rules import Finding, SizeLimits
from hustings.transcript.rules.reader import PUBLISHED, read, reading_rule
from hustings.transcript.rules.rulebook import findings, quoted

from .artefact import EVALUATION_VERSION, EvalMetadata, Evaluation, evaluation_digest
from .build_evaluation import build_evaluation
from .evaluation_material import material_of

MOST = 20
"""Findings of one kind that are told."""
LONGEST = 2_000
"""Turns up to which figures are computed again."""


def evaluation_in(raw: bytes, *, limits: SizeLimits = PUBLISHED) -> dict[str, Any] | None:
    """The document, if the file looks like an evaluation; a file that cannot be read is left to the other rules."""
    document = read(raw, limits).document
    if not isinstance(document, dict):
        return None
    known = cast("dict[str, Any]", document)
    return known if "evaluation_mode" in known or "turn_evaluations" in known else None


def check_evaluation(raw: bytes, transcript: Mapping[str, Any] | None = None) -> list[Finding]:
    """Everything that is wrong with the file. With its transcript, figures are computed again and compared."""
    reading = read(raw, PUBLISHED)
    unreadable = [one for one in findings(reading_rule, reading, PUBLISHED.findings) if one.code.startswith("DT-P")]
    return unreadable or _check(reading.document, transcript)


def _check(document: Any, transcript: Mapping[str, Any] | None) -> list[Finding]:
    try:
        evaluation = Evaluation.model_validate(document)
    except ValidationError as error:
        told = (_error("EV-S001", _pointer(one["loc"]), words_of_error(one)) for one in error.errors()[:MOST])
        return list(told)
    return [*_version(evaluation), *_integrity(document, evaluation), *_against(evaluation, transcript)]


def _version(evaluation: Evaluation) -> Iterator[Finding]:
    version = evaluation.schema_version
    if version.split(".")[0] != EVALUATION_VERSION.split(".")[0]:
        said = f"version {quoted(version)} is not known here, {EVALUATION_VERSION} is"
        yield _error("EV-S002", "/schema_version", said)


def _integrity(document: Mapping[str, Any], evaluation: Evaluation) -> Iterator[Finding]:
    block = evaluation.x_hustings.integrity
    if block is None or block.digest is None:
        yield Finding("EV-G001", "warning", "/x_hustings/integrity", "the file has no digest: changes cannot be seen")
    elif block.digest != evaluation_digest(document):
        yield _error("EV-G002", "/x_hustings/integrity/digest", "the file was changed after it was written")


def _against(evaluation: Evaluation, transcript: Mapping[str, Any] | None) -> Iterator[Finding]:
    if transcript is None:
        return
    if digest(transcript) != evaluation.x_hustings.transcript_digest:
        yield _error("EV-G003", "/x_hustings/transcript_digest", "the transcript is not the one that was evaluated")
        return
    metadata = evaluation.eval_metadata
    if metadata != EvalMetadata(evaluator_version=metadata.evaluator_version, crit_version=metadata.crit_version):
        yield Finding("EV-F001", "warning", "/eval_metadata", "other arithmetic: its figures are not computed again")
        return
    if len(evaluation.turn_evaluations) > LONGEST:
        yield Finding("EV-F004", "warning", "/turn_evaluations", f"more than {LONGEST} turns are not computed again")
        return
    try:
        again = build_evaluation(material_of(evaluation, Transcript.model_validate(transcript)))
    except (ValueError, KeyError, IndexError, ZeroDivisionError):
        yield _error("EV-F002", "/turn_evaluations", "no figures can be computed from these answers")
        return
    places = _differences(evaluation.document(), again.document(), "")
    for place, _ in zip((p for p in places if "/integrity" not in p), range(MOST), strict=False):
        yield _error("EV-F003", place, "this does not follow from the answers in the file")


def _differences(one: Any, other: Any, pointer: str) -> Iterator[str]:
    """Pointers of values that differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        for key in sorted(first.keys() | second.keys()):
            yield from _differences(first.get(key), second.get(key), f"{pointer}/{key}")
    elif isinstance(one, list) and isinstance(other, list):
        here, there = cast("list[Any]", one), cast("list[Any]", other)
        if len(here) != len(there):
            yield pointer
        for n, (a, b) in enumerate(zip(here, there, strict=False)):
            yield from _differences(a, b, f"{pointer}/{n}")
    elif one != other:
        yield pointer


def _error(code: str, pointer: str, message: str) -> Finding:
    return Finding(code, "error", pointer, message)


def _pointer(path: tuple[int | str, ...]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)
