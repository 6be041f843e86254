"""What a form puts forward goes into the notes piece by piece, beside the turn."""

import json
from collections.abc import Sequence

import pytest

from hustings.llm.improviser import clock
from hustings.protocols.structured import Closing, CrossExamination, Opening
from hustings.script.calls import Reply
from hustings.script.forms import Form, Point, Speech
from hustings.script.moves import Brief, or_none
from hustings.script.seats import Seat
from tests.protocols.playing import notes, play

from .stages import play as play_script


class Case(Form):
    thesis: str

    def said(self) -> str:
        return self.thesis

    def puts_forward(self) -> Sequence[Point]:
        return [Point(id="T-1", kind="argument", claim=self.thesis, words=self.said())] if self.thesis else []


CASE = Brief("case", Case, "Put your case.")


def put(thesis):
    async def script(stage, a: Seat, b: Seat, c: Seat):
        with stage.round("one"):
            await or_none(stage.ask(a, CASE))

    played, stage, _ = play_script(script, lambda call: Reply(json.dumps({"thesis": thesis}), clock(call)))
    assert played.ending.kind == "played"
    return [note for note in stage.recorder.notes if note.kind == "points"], stage


def test_an_answer_on_a_form_leaves_its_points_beside_its_turn():
    (note,), stage = put("It is so.")
    (turn,) = stage.recorder.record.transcript.turns
    assert [subject.turn_id for subject in note.about] == [turn.turn_id]
    assert note.by == "rules"
    assert [Point.model_validate(point).claim for point in note.body["points"]] == ["It is so."]


def test_an_answer_that_puts_nothing_forward_leaves_none():
    found, _ = put("")
    assert found == []


def test_plain_words_put_nothing_forward():
    assert Speech(text="It is so.").puts_forward() == ()


def test_what_a_seat_thinks_is_not_put_forward():
    async def script(stage, a: Seat, b: Seat, c: Seat):
        await or_none(stage.consult(a, CASE))

    _, stage, _ = play_script(script, lambda call: Reply('{"thesis": "It is so."}', clock(call)))
    assert [note.kind for note in stage.recorder.notes] == ["case"]


def test_what_a_form_does_not_ask_for_is_not_noted():
    (note,), _ = put("It is so.")
    assert set(note.body["points"][0]) == {"id", "kind", "words", "claim", "target", "questions"}


@pytest.mark.parametrize(
    "given", [{"extent": "core"}, {"quote": "it is so"}, {"disputes": "evidence"}, {"extent": "all", "quote": "so"}]
)
def test_what_a_form_asks_for_is_noted(given):
    noted = Point(id="T-1/response", kind="concede", words="Granted.", target="T-1", **given).noted()
    assert {name: noted[name] for name in noted if name in {"extent", "quote", "disputes"}} == given


def test_a_point_is_read_back_as_it_was_noted():
    point = Point(
        id="T-1/withdrawal", kind="withdraw", words="It fell.", target="T-1", extent="point", quote="it is so"
    )
    assert Point.model_validate(point.noted()) == point


def test_a_structured_debate_puts_forward_arguments_responses_answers_and_where_each_ends():
    points = [Point.model_validate(p) for note in notes(play("structured"), "points") for p in note.body["points"]]
    kinds = {point.kind for point in points}
    assert {"argument", "answer", "concede", "withdraw", "statement"} <= kinds
    assert all(point.words for point in points)
    assert all(bool(point.claim) == (point.kind == "argument") for point in points)


def test_an_answer_is_aimed_at_the_response_that_asked_for_it():
    played = play("structured")
    by_form = {
        form: [form.model_validate_json(json.dumps(note.body)) for note in notes(played, "form") if field in note.body]
        for form, field in ((Opening, "arguments"), (CrossExamination, "responses"), (Closing, "stand"))
    }
    claims = {point.id for form in by_form[Opening] for point in form.puts_forward()}
    responses = {point.id: point.target for form in by_form[CrossExamination] for point in form.puts_forward()}
    assert set(responses.values()) == claims
    for closing in by_form[Closing]:
        for point in closing.puts_forward():
            known = {"answer": responses, "concede": claims, "withdraw": claims, "statement": {""}}[point.kind]
            assert point.target in known
