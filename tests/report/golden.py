"""Dossiers of gold debates, each played and judged once."""

from functools import cache

from hustings.judging.dossier import Dossier
from hustings.lab.gold import gold_debates, judged, played


@cache
def gold(name):
    debate = gold_debates()[name]
    record = played(debate)
    return Dossier(proceedings=record.proceedings, judgement=judged(debate, record))
