"""Argdown says what the ledger says: read by its own parser, its relations are those of the debate."""

import pytest

from hustings.judging.arguments import argued, arguments_of
from hustings.judging.dossier import Dossier
from hustings.llm.improviser import Improviser
from hustings.report.formats.argdown import render
from hustings.text.figures import on_one_line
from tests.judging.judgings import debated
from tests.oracles.argdown_reader import read

from .dossiers import everywhere, judged, unjudged
from .test_markdown import HOSTILE

NASTY = [*HOSTILE, "[PRO-9]: mine", "<PRO-9>: mine", "(1) one", "e.g. a.b.c :x: //no", "a -- b == c", "=== ---", "\\]"]


@pytest.fixture(scope="module")
def parsed():
    """All documents of this module in one go: starting the parser takes longer than reading."""
    documents = {f"judged {name}": render(judged(name)) for name in ("structured", "roundtable", "moderated")}
    documents |= {f"unjudged {name}": render(unjudged(name)) for name in ("structured", "roundtable")}
    documents |= {f"other {seed}": render(Dossier(proceedings=other(seed))) for seed in (1, 2)}
    return read(documents | {f"nasty {n}": render(everywhere(text)) for n, text in enumerate(NASTY)})


def other(seed):
    return debated("structured", Improviser(seed)).proceedings


def ledger(proceedings):
    """Attacks and supports as judging weighs them: source and target."""
    responses = argued(proceedings).responses
    return sorted(["attack" if r.attacks else "support", r.id, r.target] for r in responses)


def test_the_parser_finds_no_fault(parsed):
    assert {name: found["errors"] for name, found in parsed.items() if found["errors"]} == {}


def test_its_relations_are_those_of_the_ledger(parsed):
    assert sorted(parsed["judged structured"]["relations"]) == ledger(judged("structured").proceedings)
    assert [sorted(parsed[f"other {seed}"]["relations"]) for seed in (1, 2)] == [ledger(other(s)) for s in (1, 2)]


@pytest.mark.parametrize("name", ["roundtable", "moderated"])
def test_relations_drawn_from_plain_words_are_those_that_were_weighed(name, parsed):
    carried = [r for r in judged(name).judgement.responses if r.source]
    weighed = {("attack" if r.attacks else "support", r.source, r.target) for r in carried}
    assert weighed <= {tuple(relation) for relation in parsed[f"judged {name}"]["relations"]}


@pytest.mark.parametrize("name", ["structured", "roundtable", "moderated"])
def test_every_claim_of_the_judgement_is_a_statement(name):
    claims = [claim.id for claim in arguments_of(judged(name)).claims]
    assert claims == [traced.id for traced in judged(name).judgement.trace]


def test_claims_are_read_back_with_their_words(parsed):
    texts = {
        name: members[0].partition(" #(")[0] for name, members in parsed["judged structured"]["statements"].items()
    }
    assert texts == {traced.id: traced.claim for traced in judged("structured").judgement.trace}


def test_a_debate_without_arguments_is_a_title(parsed):
    found = parsed["unjudged roundtable"]
    assert (found["statements"], found["relations"], found["title"] != "") == ({}, [], True)


@pytest.mark.parametrize("n", range(len(NASTY)), ids=[ascii(text) for text in NASTY])
def test_hostile_words_stay_words(n, parsed):
    found = parsed[f"nasty {n}"]
    assert (len(found["statements"]), found["arguments"], found["relations"]) == (1, {}, [])
    ((text,),) = found["statements"].values()
    assert text.partition(" #(by")[0].split() == on_one_line(NASTY[n]).split()
