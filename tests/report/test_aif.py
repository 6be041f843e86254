"""AIF is read by `arguebuf`: its nodes and edges are those of the debate."""

import json

import pytest

from hustings.judging.arguments import arguments_of
from hustings.report.formats.aif import render

from .dossiers import everywhere, judged, unjudged

try:
    import arguebuf
    from arguebuf.schemas.aif import DATE_FORMAT
except ImportError as error:  # a missing oracle is a failure, not a reason to leave the test out
    raise AssertionError("the reader of AIF is not installed: make oracles") from error


def loaded(dossier):
    return arguebuf.load.aif(json.loads(render(dossier)), reconstruct_dialog=False)


def without_locutions(dossier):
    """What `arguebuf` has words for: claims and schemes."""
    document = json.loads(render(dossier))
    kept = {node["nodeID"] for node in document["nodes"] if node["type"] in {"I", "RA", "CA"}}
    edges = [edge for edge in document["edges"] if {edge["fromID"], edge["toID"]} <= kept]
    return {"nodes": [n for n in document["nodes"] if n["nodeID"] in kept], "edges": edges, "locutions": []}


@pytest.mark.parametrize("name", ["structured", "roundtable", "moderated"])
def test_nodes_and_edges_are_as_many_as_claims_and_responses(name):
    found = arguments_of(judged(name))
    graph = arguebuf.load.aif(without_locutions(judged(name)))
    assert len(graph.atom_nodes) == len(found.claims) + len(found.spoken)
    assert len(graph.scheme_nodes) == len(found.responses)
    assert len(graph.edges) == 2 * len(found.responses)


def test_what_attacks_is_a_conflict_and_what_supports_an_inference():
    graph = arguebuf.load.aif(without_locutions(judged("structured")))
    schemes = {name: type(node.scheme).__name__ for name, node in graph.scheme_nodes.items()}
    assert schemes == {
        f"{'CA' if r.attacks else 'RA'}:{r.id}": "Attack" if r.attacks else "Support"
        for r in arguments_of(judged("structured")).responses
    }


def test_every_edge_joins_nodes_that_are_there():
    document = json.loads(render(judged("structured")))
    names = [node["nodeID"] for node in document["nodes"]]
    assert len(names) == len(set(names))
    assert {end for edge in document["edges"] for end in (edge["fromID"], edge["toID"])} <= set(names)


def test_every_turn_is_a_locution_of_its_seat():
    document = json.loads(render(unjudged("roundtable")))
    turns = judged("roundtable").proceedings.transcript.turns
    assert [(at["nodeID"], at["personID"]) for at in document["locutions"]] == [
        (f"L:{turn.turn_id}", turn.speaker_id) for turn in turns if turn.said
    ]


def test_every_claim_is_anchored_in_the_turn_that_makes_it():
    document = json.loads(render(judged("structured")))
    joined = {(edge["fromID"], edge["toID"]) for edge in document["edges"]}
    claims = arguments_of(judged("structured")).claims
    assert {(f"L:{claim.turn_id}", f"YA:{claim.id}") for claim in claims} <= joined


def test_times_are_written_as_the_format_has_them():
    graph = arguebuf.load.aif(without_locutions(judged("structured")))
    assert DATE_FORMAT == "YYYY-MM-DD HH:mm:ss"
    assert {node.metadata.created.year for node in graph.atom_nodes.values()} == {2026}


def test_words_are_kept_whatever_they_are():
    assert [n["text"] for n in without_locutions(everywhere("right\u202eleft"))["nodes"]] == ["right\u202eleft"]
