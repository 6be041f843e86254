"""The librarian: ranks the passages of a debate's documents for a seat's searches, by BM25 and without a model.

The index decides nothing and is kept nowhere: what a look-up found is recorded with it, so a replay never searches.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock

from hustings.script.calls import Call, Reply
from hustings.script.documents import passages
from hustings.script.look_ups import PASSAGES, FoundPassage, LookUpResult, searches_in
from hustings.text.folding import Folded

from .improviser import clock

MOST_TERMS = 40
"""Words of a search that are looked for."""
RANKED = 60
"""Weighs places in several rankings: the higher it is, the less a first place counts beside a second."""
KEPT = 4
"""Indexes that a process keeps."""


def answer(call: Call) -> Reply:
    """The librarian as an actor, for rehearsals."""
    return Reply(found_for(call), clock(call), model="librarian")


def found_for(call: Call) -> str:
    """The answer to a call to the librarian: passages of what the asking seat may read, and of nothing else."""
    seat, searches = searches_in(call.brief)
    known, texts = call.context.documents, call.context.texts
    readable = known.readable_by(seat) if known else ()
    index = _index(tuple((one.id, texts[one.id]) for one in readable))
    each = (index.passage(place) for place in index.search(searches, PASSAGES))
    return LookUpResult(
        passages=tuple(FoundPassage(passage=name, words=words) for name, words in each)
    ).model_dump_json()


class PassageIndex:
    """An index of passages in memory, thrown away with its process."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._places = [(name, one) for name, text in texts.items() for one in passages(name, text)]
        self._lock = Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE passages USING fts5(terms, content='', tokenize=\"unicode61\")")
        rows = ((n, " ".join(terms(texts[name][one.start : one.end]))) for n, (name, one) in enumerate(self._places))
        self._db.executemany("INSERT INTO passages(rowid, terms) VALUES (?, ?)", rows)

    def search(self, searches: Iterable[str], most: int) -> list[int]:
        """Places of the passages that fit best: first what several wordings find, equal ones in their order."""
        weights: defaultdict[int, float] = defaultdict(float)
        for search in searches:
            for rank, place in enumerate(self._ranked(search, 4 * most)):
                weights[place] += 1 / (RANKED + rank)
        return sorted(weights, key=lambda place: (-round(weights[place], 9), place))[:most]

    def passage(self, place: int) -> tuple[str, str]:
        """Id, and words as they stand in the document."""
        name, one = self._places[place]
        return one.label, self._texts[name][one.start : one.end]

    def _ranked(self, search: str, most: int) -> Sequence[int]:
        sought = [term for term in dict.fromkeys(terms(search)) if term not in COMMON][:MOST_TERMS]
        if not sought:
            return ()
        match = " OR ".join(f'"{term}"' for term in sought)
        with self._lock:
            rows = self._db.execute(
                "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY round(bm25(passages), 6), rowid LIMIT ?",
                (match, most),
            ).fetchall()
        return [place for (place,) in rows]


@lru_cache(maxsize=KEPT)
def _index(texts: tuple[tuple[str, str], ...]) -> PassageIndex:
    return PassageIndex(dict(texts))


def terms(text: str) -> list[str]:
    """The words of a text as they are compared; letters of scripts without spaces in pairs."""
    found, before = list[str](), ""
    for word in Folded(text).words:
        if len(word) == 1 and ord(word) > FIRST_WITHOUT_SPACES:
            found += [before + word] if before else []
            before = word
            continue
        before = ""
        found += [ENDINGS.sub("", part) for part in WORD.findall(word)]
    return found


FIRST_WITHOUT_SPACES = 0x0E00
ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ies|ing|ed|es|s|e)$")
"""English endings that a question may have otherwise; those of other languages stay."""
WORD = re.compile(r"\w+")
COMMON = frozenset(
    terms(
        "the a an of to and or in on is are was were be by for with as at it its this that these those what which who "
        "whom how why when where does do did can could may might must should would will has have had from than then "
        "there not no if but about into over under between any all some more most much many"
    )
)
