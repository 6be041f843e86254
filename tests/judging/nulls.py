"""Null tests: debates in which there is nothing to find, judges who give nothing, and words that want to cheat.

Each is a function of protocol and seed that holds the debates, has them judged and concluded, and yields for each
what is wrong with the judgement. None may ever come to a verdict that the words do not bear out.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from hustings.judging.build_judgement import build_judgement
from hustings.judging.judgement import Judgement
from hustings.judging.quorum import by_votes, tally
from hustings.judging.rng import Rng
from hustings.runs.registry import find_rubric, find_script, rubrics
from hustings.runs.staging import Rehearsal, plan, rehearse
from hustings.script.rubric import Rubric
from hustings.script.stage import AuditSubject
from hustings.transcript.notes import TooClose

from .debaters import INJECTIONS, SIGN, TOPIC, Debater, held, injection, swapped
from .judges import (
    FOUL,
    changing,
    fair,
    first_lover,
    judge,
    length_lover,
    mumbling,
    obeying,
    opening_lover,
    opinionated,
    outside_of_the_fence,
    unreachable,
    wavering,
)

OPPOSED = ("structured", "competition")
OPEN = ("roundtable", "adaptive", "moderated")
EVERY = OPPOSED + OPEN
FAMILIES = ("a", "b", "c")
PADDING_LIMIT = 0.5
"""Points that three times the words may gain a side."""


@dataclass(frozen=True)
class Finding:
    """One judged debate: what it came to, and what is wrong with that."""

    verdict: str
    wrong: tuple[str, ...] = ()
    false_verdict: bool = False


Findings = Iterator[Finding]


def finding(judgement: Judgement, *allowed: str, **right: bool) -> Finding:
    """`right` says what must hold, by name."""
    verdict = verdict_of(judgement)
    broken = [name.replace("_", " ") for name, holds in right.items() if not holds]
    surprise = [] if verdict in allowed else [f"{verdict} instead of {' or '.join(allowed)}: {judgement.reason}"]
    return Finding(verdict, (*surprise, *broken), bool(surprise) and verdict.startswith("decided"))


def verdict_of(judgement: Judgement) -> str:
    outcome = judgement.outcome
    return f"decided {outcome.what}" if outcome.kind == "decided" else outcome.kind


# -- what is judged ----------------------------------------------------------------------


def voices(protocol: str, seed: int) -> tuple[Debater, ...]:
    """One side is clearly better, by turns; or the seats end here and there, and some give in."""
    good, poor = Debater(f"good {seed}", (8, 7, 8)), Debater(f"poor {seed}", (4, 5, 4))
    if protocol in OPPOSED:
        return (good, poor) if seed % 2 else (poor, good)
    stands = Rng("stands", seed).shuffled(("yes", "no", "yes" if seed % 3 else "no"))
    some = (good, poor, replace(good, seed=f"third {seed}"))
    return tuple(replace(v, stand=f"I say {s}.", yields=not seed % 2) for v, s in zip(some, stands, strict=True))


@dataclass(frozen=True)
class Judged:
    judgement: Judgement
    rehearsal: Rehearsal
    """Of the judging."""


def judged(protocol: str, spoken: tuple[Debater, ...], actor, seed: int) -> Judged:
    """The whole way: the debate, its judging by these judges, and what follows from their marks."""
    played = held(protocol, spoken)
    settings = {"families": list(FAMILIES), "seed": str(seed), "items_per_sheet": 12}
    audit = plan(find_script("judging"), TOPIC, judged=played.proceedings, settings=settings, model="scripted")
    audit = audit.model_copy(update={"rubric": played.debate.rubric})
    sat = rehearse(audit, actor)
    rubric = find_rubric(audit.rubric) if audit.rubric else Rubric
    return Judged(
        build_judgement(audit, sat.proceedings, AuditSubject(played.proceedings, every_rubric()), rubric), sat
    )


@cache
def clean(protocol: str, seed: int) -> Judgement:
    """What fair judges make of the same words: the twin that every other judgement is compared with."""
    return judged(protocol, voices(protocol, seed), judge(fair), seed).judgement


@cache
def every_rubric():
    return rubrics()


def panel(usual, spoilt, *seats: str):
    """Some seats are taken by others; the clerk is the first judge by another name, as on a real panel."""
    spoilt_seats = {*seats, *(["clerk"] if "judge_1" in seats else [])}
    return lambda call: (spoilt if call.seat.id in spoilt_seats else usual)(call)


def scores_in(sat: Rehearsal) -> int:
    """Marks and stances that counted."""
    bodies = [note.body for note in sat.proceedings.notes if "judge" in note.body]
    rows = [row["scores"] for body in bodies for row in body.get("items", {}).values()]
    rows += [body["stances"] for body in bodies if "stances" in body]
    return sum(given is not None for row in rows for given in row.values())


# -- something to find, else the rest would prove nothing --------------------------------


def clear_case(protocol: str, seed: int) -> Findings:
    """Fair judges find what the words bear out."""
    if protocol in OPPOSED:
        expected = "decided pro" if seed % 2 else "decided con"
    elif protocol == "moderated" and seed % 2:
        expected = "deadlocked"
    else:
        spoken = voices(protocol, seed)
        seats = len(spoken) if protocol == "moderated" else len(held(protocol, spoken).proceedings.transcript.turns)
        stands = [voice.stand.strip(".").split()[-1] for voice in spoken[:seats]]
        most = max(stands, key=stands.count)
        expected = f"decided {most}" if 2 * stands.count(most) > seats else "too_close"
    yield finding(clean(protocol, seed), expected)


# -- nothing usable ----------------------------------------------------------------------


def garbage(protocol: str, seed: int) -> Findings:
    """Every reply is unparsable."""
    found = judged(protocol, voices(protocol, seed), mumbling, seed)
    calls = [call for wave in found.rehearsal.waves for call in wave]
    planned = [call for call in calls if not call.complaints]
    votes = found.judgement.votes
    yield finding(
        found.judgement,
        "no_quorum",
        nothing_is_scored=not scores_in(found.rehearsal) and all(t.score is None for t in found.judgement.totals),
        # In an adaptive debate the seats say on their forms where they stand; no judge is asked.
        nobody_voted=votes is None or protocol == "adaptive" or not sum(votes.options.values()),
        nothing_is_asked_three_times=len(calls) <= 2 * len(planned),
    )


def garbage_from_one(protocol: str, seed: int) -> Findings:
    seat = f"judge_{1 + seed % 3}"
    yield without(protocol, seed, panel(judge(fair), mumbling, seat), seat)


def one_family_down(protocol: str, seed: int) -> Findings:
    seat = f"judge_{1 + seed % 3}"
    yield without(protocol, seed, panel(judge(fair), unreachable, seat), seat)


def two_families_down(protocol: str, seed: int) -> Findings:
    seats = [f"judge_{n}" for n in (1, 2, 3) if n != 1 + seed % 3]
    found = judged(protocol, voices(protocol, seed), panel(judge(fair), unreachable, *seats), seed).judgement
    named = sum("of the family" in line for line in found.degraded)
    yield finding(found, "no_quorum", both_are_named=named == 2 or nothing_was_drawn(found))


def nothing_was_drawn(found: Judgement) -> bool:
    """The clerk is of the first judge's family: without it nothing is drawn from plain words, and nothing is scored."""
    return any("could not be split into arguments" in line for line in found.degraded)


def without(protocol: str, seed: int, actor, seat: str) -> Finding:
    """The verdict of the others, or none, and the one who is missing is said to be."""
    found, twin = judged(protocol, voices(protocol, seed), actor, seed).judgement, clean(protocol, seed)
    (absent,) = (one for one in found.panel if one.seat == seat)
    return finding(
        found,
        verdict_of(twin),
        "too_close",
        # The clerk is of the first judge's family: without it nothing was drawn from plain words.
        *(["no_quorum"] if protocol == "adaptive" and not found.trace else []),
        the_missing_judge_stays_on_the_panel=len(found.panel) == 3 and not absent.accepted,
        it_is_in_no_mean=found.reliability.judges in (0, 2),
        the_others_decide_as_ever=[t.score for t in found.totals] in ([t.score for t in twin.totals], []),
        degraded_says_so=f"No judge of the family {absent.family} gave usable scores" in found.degraded
        or nothing_was_drawn(found),
    )


def ungrounded(protocol: str, seed: int) -> Findings:
    """Marks without a quote, and with quotes that nobody said."""
    quote = "as everybody in the whole town knows full well" if seed % 2 else ""
    found = judged(protocol, voices(protocol, seed), judge(fair, lambda _: quote), seed)
    # A moderated panel is decided by its docket, which no judge writes.
    # Without readings of where the seats end, the issues decide, and not the question that was asked.
    answers = [f"decided {issue.id}: {issue.answer}; long_bill moved" for issue in clean(protocol, seed).settled]
    allowed = ("deadlocked", *answers) if protocol == "moderated" else ("no_quorum",)
    yield finding(found.judgement, *allowed, nothing_is_scored=not scores_in(found.rehearsal))


def out_of_schema(protocol: str, seed: int) -> Findings:
    """A whole number from 1 to 10 is a score, and nothing else is; nor may anything stand beside the marks."""
    wrong = list(FOUL.values())[seed % len(FOUL)]
    found = judged(protocol, voices(protocol, seed), wrong, seed)
    yield finding(found.judgement, "no_quorum", nothing_is_scored=not scores_in(found.rehearsal))


# -- nothing to find ---------------------------------------------------------------------


def identical(protocol: str, seed: int) -> Findings:
    """All say the same. Between sides that is a tie; where nobody has a side, all end where the words end, and the
    one verdict they bear is the answer that every one of them gives."""
    one = replace(voices(protocol, seed)[0], stand="" if protocol in OPPOSED or seed % 2 else "I say yes.")
    allowed = "too_close" if protocol in OPPOSED else "decided yes" if one.stand else "no_quorum"
    marks = (fair, wavering)[seed // 2 % 2]
    found = judged(protocol, (one,), judge(marks), seed).judgement
    scores = [total.score for total in found.totals]
    yield finding(found, allowed, all_are_level=marks is wavering or max(scores) - min(scores) < 1e-9)


def all_tens(protocol: str, seed: int) -> Findings:
    found = judged(protocol, voices(protocol, seed), judge(lambda _: 10), seed).judgement
    yield finding(found, "too_close", there_is_no_gap=found.gap is not None and found.gap.value == 0)


def self_voters(protocol: str, seed: int) -> Findings:
    """Each is for nobody but itself, in its vote and in its last words."""
    spoken = tuple(replace(voice, stand="I alone am right.") for voice in voices(protocol, seed))
    found = judged(protocol, spoken, judge(fair), seed).judgement
    seats = [p.agent_id for p in held(protocol, spoken).proceedings.transcript.participants if p.role != "moderator"]
    ballot = by_votes(tally(seats, {seat: seat for seat in seats}, seats))
    yield finding(found, "no_quorum", votes_for_oneself_are_void=ballot.kind == "no_quorum")


def first_shown(protocol: str, seed: int) -> Findings:
    """Two points more for whoever's things are to be marked first."""
    found = judged(protocol, alike(protocol, seed), judge(first_lover), seed).judgement
    bias = found.reliability.position_bias
    yield finding(
        found,
        "too_close",
        there_is_no_gap=found.gap is not None and found.gap.value == 0,
        the_bias_is_two_points=bias is not None and abs(bias - 2) < 1e-9,
        degraded_says_so="Order matters: arguments read first scored 2.0 points higher" in found.degraded,
    )


def first_in_the_record(protocol: str, seed: int) -> Findings:
    """Two points more for whoever's words stand first in what is laid before the judge."""
    found = judged(protocol, alike(protocol, seed), judge(opening_lover), seed).judgement
    yield finding(found, "too_close", there_is_no_gap=found.gap is not None and found.gap.value == 0)


def alike(protocol: str, seed: int) -> tuple[Debater, ...]:
    """Other words of the same worth."""
    one = replace(voices(protocol, seed)[0], quality=(6,))
    return one, replace(one, seed=f"other {seed}")


# -- the same from the other side --------------------------------------------------------


def swapped_sides(protocol: str, seed: int) -> Findings:
    """Each side says what the other said: the same arguments stand as they stood, and the other side leads."""
    ours = voices(protocol, seed)
    here = judged(protocol, ours, judge(opinionated), seed).judgement
    there = judged(protocol, swapped(*ours), judge(opinionated), seed).judgement
    other = {"decided pro": "decided con", "decided con": "decided pro"}
    yield finding(
        there,
        other.get(verdict_of(here), verdict_of(here)),
        the_gap_is_mirrored=bool(here.gap and there.gap) and abs(here.gap.value + there.gap.value) < 1e-9,
        standings_are_kept=standings(here, {"pro": "con", "con": "pro"}) == standings(there, {}),
    )


def standings(judgement: Judgement, other: Mapping[str, str]) -> list[object]:
    found = [
        (other.get(traced.side, traced.side), traced.score, traced.standing, traced.strength)
        for traced in judgement.trace
    ]
    return sorted(found, key=repr)


# -- length ------------------------------------------------------------------------------


def padded(protocol: str, seed: int, *, by: str) -> Findings:
    """Three times the words, and nothing said in them, where one side is better, and where neither is."""
    clear = voices(protocol, seed)
    spoken = tuple(replace(voice, quality=(6,)) for voice in clear) if by == "neither" else clear
    better = max(range(2), key=lambda n: clear[n].quality)
    longer = better if by == "the better" else 1 - better
    with_padding = tuple(replace(voice, padded=n == longer) for n, voice in enumerate(spoken))
    found = judged(protocol, with_padding, judge(fair), seed).judgement
    if by == "neither":
        yield finding(found, "too_close", it_gains_next_to_nothing=abs(found.gap.value) <= PADDING_LIMIT)
    else:
        twin = clean(protocol, seed)
        gain = abs(found.gap.value - twin.gap.value)
        due = verdict_of(twin) if by == "the worse" else not_beyond(twin, found)
        yield finding(found, due, it_gains_next_to_nothing=gain <= PADDING_LIMIT)


def not_beyond(twin: Judgement, found: Judgement) -> str:
    """What is due where the better side got longer: the same, or a lead that might as well be due to its length.

    From six marks nobody can tell a side that is better and longer from one that is marked up for being longer.
    """
    reasons = found.outcome.reasons if isinstance(found.outcome, TooClose) else ()
    return "too_close" if reasons == ("The difference in length explains the gap",) else verdict_of(twin)


def loved_for_length(protocol: str, seed: int) -> Findings:
    """Words of the same worth, and judges who love long ones."""
    one = replace(voices(protocol, seed)[0], quality=(6,))
    spoken = (one, replace(one, padded=True))
    found = judged(protocol, spoken if seed % 2 else spoken[::-1], judge(length_lover), seed).judgement
    slope = found.reliability.length_slope
    yield finding(
        found,
        "too_close",
        the_slope_is_flagged=slope is not None and slope > 0.5,
        degraded_says_so=any("arguments scored higher" in line for line in found.degraded),
    )


# -- words that want to cheat ------------------------------------------------------------


def injected(protocol: str, seed: int) -> Findings:
    """Instructions to the judge in somebody's words, and in the other's: both as if they had not been said."""
    kind = list(INJECTIONS)[seed % len(INJECTIONS)]
    for n in (0, 1):
        spoken = tuple(
            replace(voice, added=injection(kind, protocol) if n == i else "")
            for i, voice in enumerate(voices(protocol, seed))
        )
        found = judged(protocol, spoken, obeying(SIGN), seed)
        calls = [call for wave in (*held(protocol, spoken).waves, *found.rehearsal.waves) for call in wave]
        yield finding(
            found.judgement,
            not_beyond(clean(protocol, seed), found.judgement),
            the_fence_holds=not any(SIGN in outside_of_the_fence(call).casefold() for call in calls),
            no_score_moves=[t.score for t in found.judgement.totals] == [t.score for t in clean(protocol, seed).totals],
        )


def parroted(protocol: str, seed: int) -> Findings:
    """A judge copies what it read to where an id or a field's name belongs, and is told what is wrong with that."""
    copies = (changing(lambda row: row.update(about=SIGN)), judge(fair, **{SIGN: 10}))
    found = judged(protocol, voices(protocol, seed), copies[seed % 2], seed)
    calls = [call for wave in found.rehearsal.waves for call in wave]
    held_back = not any(SIGN in outside_of_the_fence(call).casefold() for call in calls)
    yield finding(found.judgement, "no_quorum", the_fence_holds=held_back)


NULLS: Mapping[str, tuple[Callable[[str, int], Findings], tuple[str, ...]]] = {
    "clear case": (clear_case, EVERY),
    "garbage": (garbage, EVERY),
    "garbage from one": (garbage_from_one, EVERY),
    "one family down": (one_family_down, EVERY),
    "two families down": (two_families_down, EVERY),
    "ungrounded": (ungrounded, EVERY),
    "out of schema": (out_of_schema, EVERY),
    "identical": (identical, EVERY),
    "all tens": (all_tens, OPPOSED),
    "self-voters": (self_voters, OPEN),
    "first shown": (first_shown, OPPOSED),
    "first in the record": (first_in_the_record, OPPOSED),
    "swapped sides": (swapped_sides, OPPOSED),
    "padded, even": (partial(padded, by="neither"), OPPOSED),
    "padded by the better": (partial(padded, by="the better"), OPPOSED),
    "padded by the worse": (partial(padded, by="the worse"), OPPOSED),
    "loved for length": (loved_for_length, OPPOSED),
    "injected": (injected, EVERY),
    "parroted": (parroted, EVERY),
}
