"""Look-ups: what a seat finds before it speaks is for its side alone, and no side may look things up more often."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.llm import librarian
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse, set_stage
from hustings.script.background import Background
from hustings.script.calls import Reply
from hustings.script.documents import DocumentText, laid_down
from hustings.script.look_ups import PER_TURN, looked_up_by
from hustings.script.prompt import EVIDENCE, prompt_of
from hustings.script.seats import LIBRARIAN, Player
from hustings.transcript.models import RunMetadata
from hustings.transcript.rules import check_document

REPORT = DocumentText(title="Report on noise", text="Nights were loud in June.\n\n" + "Trams were checked twice. " * 90)
MEMO = DocumentText(title="Memo", text="Only the drivers object to trams.", seats=("pro",))
PLAN = Background(title="Night trams", text="The last tram should leave at two.")


LONG = pytest.mark.nightly("a dozen long debates; two short protocols are tried on every change")


def played(*brought, protocol="structured", look_ups=2, searches=("loud nights",), background=None, **more):
    """A rehearsal in which every seat searches for this each time it is asked; none if that is empty."""
    debate = plan(find_protocol(protocol), "Is it sound?", **more)
    documents, texts = laid_down(brought, first=2 if background else 1)
    documents = documents.model_copy(update={"look_ups": look_ups})
    cast = {**debate.cast, LIBRARIAN.id: Player(model="librarian")}
    debate = debate.model_copy(update={"documents": documents, "cast": cast, "background": background})
    improviser, queue = Improviser(), iter(searches) if isinstance(searches, list) else None

    def actor(call):
        if not call.brief.name.startswith("look-up"):
            return improviser(call)
        asked_for = next(queue, None) if queue else searches
        return Reply(json.dumps({"searches": asked_for or []}), clock(call))

    return rehearse(debate, actor, texts=texts)


def calls(found, seat="", brief=""):
    every = [call for wave in found.waves for call in wave]
    return [call for call in every if seat in ("", call.seat.id) and call.brief.name.startswith(brief)]


def prompts(found, seat):
    return [prompt_of(call, found.debate.cast[seat]).text for call in calls(found, seat)]


def test_a_seat_is_shown_what_it_looked_up_before_it_speaks():
    found = played(REPORT)
    opening = prompt_of(calls(found, "pro", "opening")[0], found.debate.cast["pro"])
    assert "note by librarian: found for pro 1" in opening.tail
    assert "  - passage: DOC-1.1\n    words: Nights were loud in June." in opening.tail


def test_what_can_be_looked_up_is_listed_and_not_shown():
    rules = prompt_of(played(REPORT, background=PLAN, searches=()).waves[0][0], Player()).rules
    assert "DOC-2: Report on noise (365 words), begins: Nights were loud in June. Trams were" in rules
    assert ("The last tram should leave at two." in rules, "DOC-2.1:\n" in rules) == (True, False)


def test_the_rule_about_evidence_says_that_documents_can_be_looked_up():
    rules = played(REPORT).waves[0][0]
    assert "some documents can be looked up before you speak" in prompt_of(rules, Player()).rules


def test_a_side_alone_with_documents_changes_no_rule_for_the_others():
    found = played(MEMO)
    assert EVIDENCE in prompts(found, "con")[0]
    assert calls(found, "con", "look-up") == []
    assert "Only you can look this up. Cite it like this: [DOC-1.1:" in prompts(found, "pro")[0]


def test_what_one_side_finds_stands_in_no_prompt_of_the_other():
    found = played(REPORT, MEMO, searches=("drivers object",))
    assert all("drivers object to trams" in text for text in prompts(found, "pro")[1:])
    assert not any("drivers object to trams" in text for text in prompts(found, "con"))


def test_the_librarian_finds_for_a_seat_what_that_seat_may_read():
    found = played(REPORT, MEMO, searches=("drivers object to trams",))
    ids = {
        note.kind.split()[2]: {one["passage"].split(".")[0] for one in note.body["passages"]}
        for note in found.proceedings.notes
        if note.by == LIBRARIAN.id
    }
    assert ids == {"pro": {"DOC-1", "DOC-2"}, "con": {"DOC-1"}}


def test_a_team_reads_what_one_of_it_looked_up():
    found = played(REPORT, protocol="competition", look_ups=1)
    seats = found.debate.seats
    mates = {seat.id for seat in seats if seat.team == seats[0].team}
    first = next(note for note in found.proceedings.notes if note.by == LIBRARIAN.id)
    assert set(first.visible_to) in ({*mates, LIBRARIAN.id}, {s.id for s in seats if s.team} - mates | {LIBRARIAN.id})


def test_a_seat_that_wants_nothing_is_asked_once_and_uses_up_nothing():
    found = played(REPORT, searches=())
    assert calls(found, LIBRARIAN.id) == []
    assert Counter(call.brief.name for call in calls(found, "pro", "look-up")) == {"look-up 1": 3}


def test_a_request_that_fits_no_form_costs_the_seat_its_look_up_and_not_its_turn():
    debate = plan(find_protocol("structured"), "Is it sound?")
    documents, texts = laid_down([REPORT])
    cast = {**debate.cast, LIBRARIAN.id: Player(model="librarian")}
    change = {"documents": documents.model_copy(update={"look_ups": 1}), "cast": cast}
    improviser = Improviser()
    found = rehearse(
        debate.model_copy(update=change),
        lambda call: Reply("{", clock(call)) if call.brief.name.startswith("look-up") else improviser(call),
        texts=texts,
    )
    assert found.proceedings.ending.kind == "played"
    assert (calls(found, LIBRARIAN.id), len(found.proceedings.transcript.turns)) == ([], 6)


def test_who_only_listens_looks_nothing_up():
    found = played(REPORT, protocol="moderated", look_ups=9)
    silent = {seat.id for seat in found.debate.seats if seat.role == "moderator"}
    assert silent
    assert silent.isdisjoint(call.seat.id for call in calls(found, brief="look-up"))


def test_the_record_with_look_ups_is_valid_and_names_the_librarian():
    found = played(REPORT, MEMO)
    document = found.proceedings.document()
    assert check_document(document) == []
    assert document["participants"][-1]["agent_id"] == LIBRARIAN.id
    assert looked_up_by(found.proceedings.notes) == {"con": 2, "pro": 2}


def test_without_the_texts_the_same_calls_are_made_out():
    """A replay knows the answers and needs no document: neither whom to ask nor how often follows from a text."""
    found, answers, improviser = played(REPORT, MEMO), dict[str, Reply](), Improviser()
    for call in calls(found):
        asked = call.brief.name.startswith("look-up")
        said = Reply(json.dumps({"searches": ["loud nights"]}), clock(call)) if asked else improviser(call)
        answers[call.address] = librarian.answer(call) if call.seat == LIBRARIAN else said
    driver, _ = set_stage(found.debate, "replayed", clock(found.waves[0][0]), RunMetadata(), fence="secret")
    told = list[list[str]]()
    while waiting := driver.calls:
        told.append([call.address for call in waiting])
        driver.resume([answers[call.address] for call in waiting])
    assert told == found.choreography


@pytest.mark.parametrize(
    "protocol",
    ["structured", "roundtable", pytest.param("moderated", marks=LONG), pytest.param("competition", marks=LONG)],
)
@given(data=st.data(), look_ups=st.integers(1, 5))
@settings(max_examples=12, deadline=None)
def test_no_side_looks_things_up_more_often_than_it_may(protocol, data, look_ups):
    searches = data.draw(st.lists(st.lists(st.text(min_size=1, max_size=9), max_size=3), max_size=60))
    found = played(REPORT, protocol=protocol, look_ups=look_ups, searches=[*searches])
    side = {seat.id: seat.team or seat.id for seat in found.debate.seats}
    used = Counter(side[call.brief.name.split()[2]] for call in calls(found, LIBRARIAN.id))
    assert all(count <= look_ups for count in used.values())
    turns = Counter(turn.speaker_id for turn in found.proceedings.transcript.turns)
    asked = looked_up_by(found.proceedings.notes)
    assert all(asked[seat] <= PER_TURN * turns[seat] for seat in asked)
