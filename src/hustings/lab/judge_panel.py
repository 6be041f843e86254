"""Whether a panel of evaluating judges may say pass or fail: its independence, its agreement, and its badges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hustings.judging.audits.judging import UNKNOWN_FAMILY
from hustings.judging.judgement import Judge
from hustings.judging.reliability import FEW_ITEMS, TENTATIVE, alpha_interval, krippendorff_alpha, trust_of

from .artefact import JudgeAgreement

OWN_FAMILY = "judged by its own family"
ONE_FAMILY = "judged by one family"
NO_AGREEMENT = "the judges do not agree"
ONE_JUDGE = "one judge"
UNKNOWN_DEBATERS = "debaters unknown"
# The gravest first, as a reader meets them.
BADGES = (OWN_FAMILY, ONE_FAMILY, NO_AGREEMENT, UNKNOWN_DEBATERS, ONE_JUDGE)


def families_heard(judges: Sequence[Judge]) -> list[str]:
    """Families of the judges who answered, one entry for each judge."""
    return [judge.family for judge in judges if judge.accepted]


def is_independent(judges: Sequence[Judge], debaters: Collection[str]) -> bool:
    """One judge at least is of no debater's family, and two judges or more are of two families or more.

    Where a debater is unknown, so is whether a judge is of its family.
    """
    heard, known = families_heard(judges), UNKNOWN_FAMILY not in debaters
    return known and bool(set(heard) - set(debaters)) and (len(heard) < 2 or len(set(heard)) > 1)


def judge_agreement(rhos: Sequence[Mapping[str, float]]) -> JudgeAgreement:
    """How well the judges agree; each entry is a turn, with ρ by judge."""
    judges = sorted({judge for turn in rhos for judge in turn})
    table = [[round(turn[judge], 9) if judge in turn else None for judge in judges] for turn in rhos]
    # Neither the order of turns nor that of judges may change the interval, which is drawn from the rows.
    rows = sorted(sorted(value for value in row if value is not None) for row in table)
    pairs = [row for row in rows if len(row) > 1]
    alpha = krippendorff_alpha(pairs)
    word, _ = trust_of(pairs, alpha, len(judges))
    return JudgeAgreement(alpha=alpha, interval=alpha_interval(pairs, "evaluation"), turns=len(pairs), word=word)


def disagree(agreement: JudgeAgreement) -> bool:
    """Whether the judges agree too little, over enough turns, for any word about the run."""
    return agreement.alpha is not None and agreement.alpha < TENTATIVE and agreement.turns >= FEW_ITEMS


def badges(judges: Sequence[Judge], debaters: Collection[str], agreement: JudgeAgreement) -> tuple[str, ...]:
    """What a reader must know before any figure, the gravest first."""
    heard = families_heard(judges)
    kin = bool(heard) and not set(heard) - set(debaters)
    holds = {
        OWN_FAMILY: kin,
        ONE_FAMILY: not kin and len(heard) > 1 and len(set(heard)) == 1,
        NO_AGREEMENT: disagree(agreement),
        UNKNOWN_DEBATERS: UNKNOWN_FAMILY in debaters,
        ONE_JUDGE: len(heard) == 1,
    }
    return tuple(badge for badge in BADGES if holds[badge])
