"""Computes a competition's score board: speeches add points, the penalties of rubrics/speech cost some.

Marks and flags of the judge at the table are provisional: the panel's replace them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import fsum, inf

from pydantic import JsonValue

from hustings.script.rubric import Penalty, Rubric
from hustings.transcript.models import Round, Transcript, Turn
from hustings.transcript.notes import Note

from .board import Board, Individual, Penalised, StageTotals, Team
from .judgement import Flag


def board(
    transcript: Transcript,
    notes: Sequence[Note],
    scores: Mapping[str, float | None],
    flags: Iterable[Flag],
    rubric: type[Rubric],
) -> Board:
    """`scores` are the panel's, by turn; a speech without one adds nothing and counts in no mean."""
    team_of = {p.agent_id: p.team for p in transcript.participants if p.team}
    speeches = {turn.turn_id: turn for turn in transcript.turns if turn.said and turn.speaker_id in team_of}
    given = {turn_id: scores.get(turn_id) for turn_id in speeches}
    noted = tuple(_noted(notes))
    known = {(one.rule, one.turn_id) for one in noted}
    twice = _running_on(transcript, team_of, rubric.penalties.get(TWICE))
    found = (*_confirmed(flags, speeches, team_of, rubric), *twice)
    paid = (*noted, *(one for one in found if (one.rule, one.turn_id) not in known))
    individuals = tuple(
        _individual(seat, team, {t: given[t] for t, turn in speeches.items() if turn.speaker_id == seat}, paid)
        for seat, team in team_of.items()
    )
    return Board(
        individuals=individuals,
        teams=tuple(_team(team, individuals, paid) for team in dict.fromkeys(team_of.values())),
        penalties=paid,
        stages=tuple(_stages(transcript.rounds, notes, given, team_of)),
        best=_best(individuals),
    )


def rankings_differ(board: Board) -> bool:
    """Whether the teams rank differently by points per speech: totals favour a team that speaks more."""
    shared = [team.total * team.per_speech / team.speeches if team.per_speech else -inf for team in board.teams]
    return _places([team.total for team in board.teams]) != _places(shared)


def stage_of(label: str | None) -> str:
    """The part of a debate that a round belongs to; a round of no known part is its own part."""
    return next((stage for stage in STAGES if (label or "").startswith(stage)), label or "")


# -- penalties ---------------------------------------------------------------------------


def _noted(notes: Iterable[Note]) -> Iterator[Penalised]:
    """Penalties that the rules found during the debate."""
    for note in notes:
        if note.kind == "penalty" and not note.body.get("provisional"):
            body = note.body
            yield Penalised(
                rule=str(body.get("rule", "")),
                seat=str(body.get("seat", "")),
                team=str(body.get("team", "")),
                turn_id=next((about.turn_id for about in note.about if about.turn_id), note.after_turn or ""),
                individual=_points(body.get("individual")),
                on_team=_points(body.get("on_team")),
                found_by="rules",
            )


def _confirmed(
    flags: Iterable[Flag], speeches: Mapping[str, Turn], team_of: Mapping[str, str], rubric: type[Rubric]
) -> Iterator[Penalised]:
    """Penalties that two families flagged in a speech to which the rule applies, however many quotes they gave."""
    families: dict[tuple[str, str], set[str]] = {}
    for flag in flags:
        families.setdefault((flag.about, flag.kind), set()).update(flag.families)
    for (turn_id, rule), seen in sorted(families.items()):
        turn, penalty = speeches.get(turn_id), rubric.penalties.get(rule)
        if turn is None or penalty is None or len(seen) < FAMILIES or not rubric.can_break(rule, _kind(turn)):
            continue
        yield Penalised(
            rule=rule,
            seat=turn.speaker_id,
            team=team_of[turn.speaker_id],
            turn_id=turn_id,
            individual=penalty.individual,
            on_team=penalty.team,
            found_by="panel",
            families=tuple(sorted(seen)),
        )


def _running_on(transcript: Transcript, team_of: Mapping[str, str], penalty: Penalty | None) -> Iterator[Penalised]:
    """Penalties for speaking twice in a row in free debate, unless the other team was asked in between but silent."""
    rounds = [r for r in transcript.rounds if stage_of(r.label) == FREE]
    spoken = [(n, t) for n, r in enumerate(rounds) for t in r.turns if t.said and t.speaker_id in team_of]
    for (n, before), (m, turn) in pairwise(spoken):
        team = team_of[turn.speaker_id]
        missed = chain.from_iterable(_missed(round_) for round_ in rounds[n : m + 1])
        excused = any(team_of.get(seat, team) != team for seat in missed)
        if penalty and team_of[before.speaker_id] == team and not excused:
            yield Penalised(
                rule=TWICE,
                seat=turn.speaker_id,
                team=team,
                turn_id=turn.turn_id,
                individual=penalty.individual,
                on_team=penalty.team,
                found_by="rules",
            )


def _missed(round_: Round) -> list[str]:
    spoke = {turn.speaker_id for turn in round_.turns if turn.said}
    return [seat for seat in round_.planned_speaking_order or () if seat not in spoke]


def _kind(turn: Turn) -> str | None:
    return turn.metadata.kind if turn.metadata else None


def _points(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


# -- sums --------------------------------------------------------------------------------


def _individual(seat: str, team: str, speeches: Mapping[str, float | None], paid: Iterable[Penalised]) -> Individual:
    marks = [mark for mark in speeches.values() if mark is not None]
    penalties = sum(one.individual for one in paid if one.seat == seat)
    return Individual(
        seat=seat,
        team=team,
        speeches=speeches,
        penalties=penalties,
        total=round(fsum(marks) + penalties, DECIMALS),
        per_speech=_mean(marks),
    )


def _team(team: str, individuals: Iterable[Individual], paid: Iterable[Penalised]) -> Team:
    members = [one for one in individuals if one.team == team]
    marks = [mark for one in members for mark in one.speeches.values() if mark is not None]
    penalties = sum(one.penalties for one in members) + sum(one.on_team for one in paid if one.team == team)
    return Team(
        team=team,
        speeches=round(fsum(marks), DECIMALS),
        penalties=penalties,
        total=round(fsum(marks) + penalties, DECIMALS),
        per_speech=_mean(marks),
    )


def _best(individuals: Iterable[Individual]) -> tuple[str, ...]:
    """Debaters without a score are never best, even where all others are below zero."""
    heard = [one for one in individuals if one.per_speech is not None]
    most = max((one.total for one in heard), default=0.0)
    return tuple(one.seat for one in heard if one.total == most)


def _stages(
    rounds: Iterable[Round], notes: Iterable[Note], given: Mapping[str, float | None], team_of: Mapping[str, str]
) -> Iterator[StageTotals]:
    """Penalties are kept apart: a team's stages add up to its speeches."""
    summaries = {note.kind: note.body for note in notes}
    turns: dict[str, list[Turn]] = {}
    for round_ in rounds:
        turns.setdefault(stage_of(round_.label), []).extend(round_.turns)
    for stage, spoken in turns.items():
        marks = [(team_of[t.speaker_id], mark) for t in spoken if (mark := given.get(t.turn_id)) is not None]
        teams = dict.fromkeys(team_of.values())
        summary = summaries.get(f"summary of {STAGES.get(stage, stage)}", {})
        yield StageTotals(
            label=stage,
            teams={team: round(fsum(mark for owner, mark in marks if owner == team), DECIMALS) for team in teams},
            clashes=_lines(summary.get("clashes")),
            dropped=_lines(summary.get("dropped")),
        )


def _places(figures: Sequence[float]) -> list[int]:
    """Count how many are above each figure; ties share a place."""
    rounded = [round(figure, DECIMALS) for figure in figures]
    return [sum(other > figure for other in rounded) for figure in rounded]


def _mean(marks: Sequence[float]) -> float | None:
    return round(fsum(marks) / len(marks), DECIMALS) if marks else None


def _lines(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


FREE = "free debate"
STAGES = {
    "opening": "the openings",
    "cross-examination": "the cross-examination",
    FREE: "the free debate",
    "closing": "the closings",
}
"""Prefix of the labels of a stage's rounds, to the stage's name in its summary."""
TWICE = "consecutive_team"
FAMILIES = 2
"""Model families that must flag a violation before it costs points."""
DECIMALS = 6
