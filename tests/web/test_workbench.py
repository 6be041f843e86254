"""The list as a workbench: models, how sure, tags and batches; filters, order, search, and deleting several."""

import pytest

from hustings.db import leases
from hustings.runs.find_words import excerpt
from hustings.runs.request import DebateRequest, build_spec

from .rig import MOTION, fresh, served

PARKS = "Should parks stay open at night?"


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Of ann: a judged debate on towns, an unjudged roundtable on parks, a batch of three that waits. Of bob: one."""
    with fresh("sqlite", tmp_path_factory.mktemp("bench")) as url, served(url, works=True) as site:
        ann, bob = site.caller("ann"), site.caller("bob")
        towns = site.play(ann, model="improviser", judges=["improviser"], follows=1)
        parks = site.play(ann, model="improviser", protocol="roundtable", question=PARKS)
        bobs = site.play(bob, model="improviser")
        leases.take(site.state.operator.runs.database, "another process", 3600)
        for n in range(3):
            request = DebateRequest(protocol="structured", question="A batch?", model="improviser")
            spec = build_spec(request, {}).model_copy(update={"owner": "ann", "batch": "b1", "run_id": f"b1-{n}"})
            site.state.operator.control.enter_here(spec, "another process")
        ann.patch(f"/api/debates/{towns}", json={"tags": ["transport", "2027"]})
        yield site, ann, bob, {"towns": towns, "parks": parks, "bobs": bobs}


def listed(http, **asked):
    answer = http.get("/api/debates", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(http, **asked):
    return [row["run_id"] for row in listed(http, **asked)["debates"]]


def test_a_row_tells_models_how_sure_it_is_and_tags(bench):
    _, ann, _, runs = bench
    row = next(row for row in listed(ann)["debates"] if row["run_id"] == runs["towns"])
    assert (row["models"], row["tags"]) == (["improviser"], ["2027", "transport"])
    assert row["sure"] in {"High", "Medium", "Low", "Not reliable"}
    assert listed(ann)["tags"] == ["2027", "transport"]


def test_filters_hold_each_for_itself(bench):
    _, ann, _, runs = bench
    towns, parks = [runs["towns"]], [runs["parks"]]
    outcome = next(row for row in listed(ann)["debates"] if row["run_id"] == runs["towns"])["outcome"]["kind"]
    assert ids(ann, tag="transport") == towns
    assert ids(ann, protocol="roundtable") == parks
    assert ids(ann, outcome=outcome) == towns
    assert ids(ann, outcome="not_judged") == parks
    assert ids(ann, model="improviser", state="ended") == [*parks, *towns]
    assert ids(ann, model="improvise") == ids(ann, model="open/improviser") == ids(ann, tag="transp") == []


def test_a_batch_is_one_row_that_can_be_opened(bench):
    _, ann, _, _ = bench
    found = [row for row in listed(ann, grouped=True)["debates"] if row["batch"]]
    assert [(row["group"]["name"], row["group"]["debates"], row["group"]["open"]) for row in found] == [("b1", 3, 3)]
    assert sorted(ids(ann, batch="b1")) == ["b1-0", "b1-1", "b1-2"]


@pytest.mark.parametrize("order", ["newest", "oldest", "open_first"])
def test_pages_of_any_order_show_every_debate_once(bench, order):
    _, ann, _, _ = bench
    seen, cursor = [], ""
    while cursor is not None:
        page = listed(ann, order=order, limit=2, cursor=cursor)
        seen, cursor = seen + [row["run_id"] for row in page["debates"]], page["next"]
    assert sorted(seen) == sorted(ids(ann))
    if order == "open_first":
        assert {run[:3] for run in seen[:3]} == {"b1-"}


def test_the_list_is_searched_by_what_was_said(bench):
    _, ann, bob, runs = bench
    turns = ann.get(f"/api/debates/{runs['parks']}/view").json()["speeches"]
    word = max("".join(c if c.isalpha() else " " for c in turns[0]["words"]).split(), key=len)
    assert runs["parks"] in ids(ann, q=word)
    assert runs["parks"] not in ids(bob, q=word)


def test_search_groups_what_it_finds_and_marks_the_words(bench):
    _, ann, bob, runs = bench
    found = ann.get("/api/search", params={"words": "parks OPEN"}).json()
    assert [one["debate"]["run_id"] for one in found["debates"]] == [runs["parks"]]
    assert [part["text"] for part in found["debates"][0]["excerpt"] if part["found"]] == ["parks", "open"]
    assert bob.get("/api/search", params={"words": "parks"}).json() == {"debates": [], "speeches": []}


def test_a_found_speech_names_its_turn(bench):
    _, ann, _, runs = bench
    speech = ann.get(f"/api/debates/{runs['parks']}/view").json()["speeches"][0]
    words = " ".join(speech["words"].split()[:4])
    found = ann.get("/api/search", params={"words": words, "limit": 50}).json()["speeches"]
    assert (runs["parks"], speech["id"]) in {(one["run_id"], one["turn_id"]) for one in found}


def test_tags_that_cannot_be_kept_are_refused(bench):
    _, ann, _, runs = bench
    for tags in (["a\nb", ""], ["x" * 41], [str(n) for n in range(21)], ["\u0007"]):
        assert ann.patch(f"/api/debates/{runs['parks']}", json={"tags": tags}).status_code == 422


def test_tags_are_replaced_as_a_whole(bench):
    _, ann, _, runs = bench
    path = f"/api/debates/{runs['parks']}"
    kept = [ann.patch(path, json={"tags": tags}).json()["tags"] for tags in (["b", " a  c ", "b"], [])]
    assert kept == [["b", "a c"], []]


def test_several_are_deleted_at_once_and_those_that_go_on_stay(bench):
    site, ann, bob, runs = bench
    gone = site.play(ann, model="improviser")
    foreign = ann.post("/api/debates/deletions", json={"runs": [gone, runs["bobs"]]})
    told = ann.post("/api/debates/deletions", json={"runs": [gone, "b1-0", gone]}).json()
    assert foreign.status_code == 404
    assert told == {"deleted": [gone], "kept": ["b1-0"]}
    assert runs["bobs"] in ids(bob)
    assert gone not in ids(ann)


def test_a_judge_sees_neither_how_sure_it_is_nor_outcome(bench):
    site, *_ = bench
    rows = listed(site.caller("ann", "judge"))["debates"]
    assert {(row["outcome"], row["sure"]) for row in rows} == {(None, None)}


def test_an_excerpt_shows_the_place_on_one_line():
    text = f"{'Before that. ' * 20}The test\nsuite took an hour. {'After that. ' * 20}"
    parts = excerpt(text, ("test", "sui"))
    whole = "".join(part.text for part in parts)
    assert [part.text for part in parts if part.found] == ["test", "suite"]
    assert (whole[:2], whole[-2:], len(whole) < 200) == ("… ", " …", True)
    assert excerpt("Nothing here", ("absent",))[0].text == "Nothing here"


def test_the_question_of_every_debate_is_found_before_it_is_held(bench):
    _, ann, _, _ = bench
    found = ann.get("/api/search", params={"words": MOTION[:12]}).json()["debates"]
    assert found
