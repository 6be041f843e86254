"""Recordings: made from a run, written, read without belief, told again; and those that come with the package."""

import gzip
import json
from dataclasses import replace

import pytest

from hustings.cli.commands.replay import LONGEST_PAUSE, READING_PACE, paced, pieces
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.judging.judgement import ExecutiveSummary, SummarySentence
from hustings.lab.trials import probing_spec
from hustings.runs.judging_spec import JudgingRequest, control_spec, judging_spec
from hustings.runs.recording import MOST_BYTES, MOST_LINES, MOST_UNPACKED, dump, load, name_of, packaged, peek, record
from hustings.runs.registry import protocols
from hustings.transcript.rules import check_document

FILES = {file.name: file for file in packaged()}


@pytest.fixture(scope="module")
def opened(provider, tmp_path_factory):
    """On one kind of database: a recording knows nothing of it."""
    from tests.engine.rig import open_rig  # noqa: PLC0415  the engine takes seconds to load

    with open_rig("sqlite", tmp_path_factory.mktemp("rig"), provider) as rig:
        yield rig


@pytest.fixture(scope="module")
def runs(opened):
    """A debate with its control and its judging; a trial of a judge; one that was not judged."""
    opened.tidy()
    opened.provider.plan(delay=0.05)
    debate = opened.play(opened.model_spec(model="llama-3")).run_id
    old, said = opened.runs.spec(debate), opened.runs.finished(debate)
    request = JudgingRequest(judges=("improviser",))
    for made in (control_spec(old, said, request, {}, 1000), judging_spec(old, said, request, {})):
        opened.control.enter_here(made)
        opened.worker.start(made.run_id)
        last = opened.ended(made.run_id).run_id
    trial = probing_spec("improviser", JudgingRequest(), {})
    opened.control.enter(trial)
    return {"debate": debate, "judging": last, "trial": trial.run_id, "unjudged": opened.play().run_id}


@pytest.fixture(scope="module")
def made(opened, runs):
    return record(opened.runs, runs["debate"], note="as it was")


# -- made from a run -----------------------------------------------------------------------


def test_a_recording_holds_every_event_of_its_run(opened, runs, made):
    assert [came.event for came in made.events] == opened.runs.events(runs["debate"])


def test_a_recording_leaves_out_which_server_failed_and_is_numbered_without_a_gap(opened):
    opened.provider.plan(rate=1.0, faults=["status429_now"], patience=1)
    seen = opened.play(opened.model_spec(model="soon"))
    opened.tidy()
    found = [came.event for came in record(opened.runs, seen.run_id).events]
    assert seen.of("call_delayed")
    assert [event.seq for event in found] == list(range(len(found)))
    assert [event.kind for event in found] == [kind for kind in seen.kinds if kind != "call_delayed"]


def test_it_tells_what_the_run_left_behind(opened, runs, made):
    assert made.proceedings == opened.runs.finished(runs["debate"])


def test_time_goes_on_from_the_first_call_to_the_end(made):
    times = [came.at for came in made.events]
    assert times == sorted(times)
    assert (times[0], times[-1]) == (0.0, made.head.seconds)


def test_a_turn_is_entered_later_than_it_was_begun(made):
    begun = {came.event.address: came.at for came in made.events if came.event.kind == "turn_begun"}
    entered = {came.event.address: came.at for came in made.events if came.event.kind == "turn_entered"}
    assert all(entered[address] - begun[address] >= 0.05 for address in entered)


def test_its_head_says_who_spoke_about_what_and_when(opened, runs, made):
    report = opened.runs.read(runs["debate"])
    head = made.head
    assert (head.topic, head.protocol, head.recorded) == (report.topic, report.protocol, report.created_at[:10])
    assert (head.label, head.judges) == ("recorded with openai_compatible/llama-3 in every seat", ("improviser",))
    assert (head.note, head.engine.split()[0]) == ("as it was", "hustings")


def test_its_judgement_with_the_control_is_computed_again_from_the_marks(made):
    assert made.remains.judgement.control is not None
    assert made.recomputed() == made.remains.judgement


def test_named_by_its_judging_it_is_the_same(opened, runs, made):
    assert record(opened.runs, runs["judging"], note="as it was") == made


def test_a_debate_that_was_not_judged_can_be_recorded(opened, runs):
    unjudged = record(opened.runs, runs["unjudged"])
    assert (unjudged.remains.judgement, unjudged.recomputed(), unjudged.head.judges) == (None, None, ())


def test_it_plays_where_paid_answers_were_forgotten(opened, runs):
    opened.control.prune("9999", answers_before="9999")
    forgotten = record(opened.runs, runs["debate"])
    assert load(dump(forgotten), "it") == forgotten


def test_a_trial_of_a_judge_is_no_debate(opened, runs):
    with pytest.raises(Unsuitable, match="not a debate"):
        record(opened.runs, runs["trial"])


def test_a_run_that_is_not_there_cannot_be_recorded(opened):
    with pytest.raises(NotFound):
        record(opened.runs, "nobody")


def test_no_key_and_no_address_is_in_the_file(opened, made):
    text = gzip.decompress(dump(made)).decode()
    assert "127.0.0.1" not in text
    assert "API_KEY" not in text


# -- written and read ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def file():
    """One of those in the package, as lines of plain values."""
    raw = next(iter(FILES.values())).read_bytes()
    return [json.loads(line) for line in gzip.decompress(raw).splitlines()]


def packed(lines):
    return gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode(), mtime=0)


def renumbered(head, events, rest):
    return [head, *({**came, "event": {**came["event"], "seq": n}} for n, came in enumerate(events)), rest]


def without(kind):
    return lambda lines: renumbered(
        lines[0], [came for came in lines[1:-1] if came["event"]["kind"] != kind], lines[-1]
    )


def changed(place, **fields):
    return lambda lines: [{**line, **fields} if n == place % len(lines) else line for n, line in enumerate(lines)]


def judged_otherwise(lines):
    *most, rest = lines
    return [*most, {**rest, "judgement": {**rest["judgement"], "digest": "0" * 64}}]


def other_words(lines):
    text = json.dumps(lines).replace('"turn_index_in_round": 0', '"turn_index_in_round": 7')
    return json.loads(text)


BROKEN = {
    "no recording at all": (lambda lines: [{}, {}, {}], "line 1"),
    "another format": (changed(0, format="hustings-recording/9"), "line 1"),
    "a field nobody knows": (changed(0, extra=1), "line 1"),
    "no time at all": (changed(0, seconds="NaN"), "line 1"),
    "an event of no kind": (changed(1, event={"kind": "surprise"}), "line 2"),
    "time that runs backwards": (changed(1, at=1e9), "backwards"),
    "a place that is missing": (lambda lines: [*lines[:2], *lines[3:]], "without a gap"),
    "words that were passing": (
        changed(2, event={"kind": "text_streamed", "address": "a", "attempt": 0, "text": "x"}),
        "without a gap",
    ),
    "two debates": (lambda lines: renumbered(lines[0], [lines[1], *lines[1:-1]], lines[-1]), "one debate"),
    "no end": (without("debate_ended"), "not ended"),
    "turns outside of rounds": (without("round_opened"), "no transcript"),
    "a transcript that breaks a rule": (other_words, "DT-"),
    "a head about something else": (changed(0, topic="Another"), "another debate"),
    "a judgement of something else": (judged_otherwise, "judgement is about another"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_not_whole_is_refused(file, name):
    breaking, why = BROKEN[name]
    with pytest.raises(BrokenFile, match=why):
        load(packed(breaking(file)), "it")


BYTES = {
    "empty": (b"", "lines"),
    "no gzip": (b"plain words", "gzipped"),
    "cut short": (packed([{}] * 100)[:-9], "gzipped"),
    "damaged": (packed([{}])[:12] + b"\xff" * 20, "gzipped"),
    "too few lines": (packed([{}]), "lines"),
    "too many lines": (gzip.compress(b"{}\n" * (MOST_LINES + 1)), "lines"),
    "too long": (bytes(MOST_BYTES + 1), "more than 8 MB"),
    "longer than it looks": (gzip.compress(bytes(MOST_UNPACKED + 1), 1), "unpacks"),
    "nested without end": (gzip.compress(b"[" * 100_000 + b"\n{}\n{}\n"), "line 1"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_recording_are_refused(name):
    raw, why = BYTES[name]
    with pytest.raises(BrokenFile, match=why):
        load(raw, "it")


def test_what_is_read_is_what_was_written_and_written_again_the_same(file):
    whole = load(packed(file), "it")
    assert load(dump(whole), "it") == whole
    assert dump(load(dump(whole), "it")) == dump(whole)


def test_a_summary_is_kept_with_a_recording_and_absent_where_none_was_written(file):
    whole = load(packed(file), "it")
    sentence = SummarySentence(text="It was said.", ids=("PRO-1",), quote="as it was said")
    summary = ExecutiveSummary(run_id="s", model="m", sentences=(sentence, sentence), dropped=1)
    summed_up = replace(whole, remains=whole.remains.model_copy(update={"summary": summary}))
    assert load(dump(summed_up), "it").dossier.summary == summary
    assert b'"summary"' not in gzip.decompress(dump(whole)).splitlines()[-1]


# -- told again ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def first():
    return load(next(iter(FILES.values())).read_bytes(), "it")


def test_told_again_nothing_is_left_out_and_nothing_changes_places(first):
    told = [event for _, event in paced(first, 8) if event.kind != "text_streamed"]
    assert told == [came.event for came in first.events]


def test_the_words_of_a_turn_come_in_pieces_before_it_is_paid_for_and_entered(first):
    heard, paid = {}, set()
    for _, event in paced(first, 8):
        if event.kind == "text_streamed":
            assert event.address not in paid
            heard[event.address] = heard.get(event.address, "") + event.text
        if event.kind == "call_paid":
            paid.add(event.address)
        if event.kind == "turn_entered":
            assert heard.pop(event.address) == event.turn.attempts[-1].content
    assert heard == {}


def test_pieces_come_as_one_reads_and_no_pause_is_long(first):
    for speed in (1, 8):
        waits = list(paced(first, speed))
        assert {wait for wait, event in waits if event.kind == "text_streamed"} == {1 / (READING_PACE * speed)}
        assert all(0 <= wait <= LONGEST_PAUSE for wait, _ in waits)


@pytest.mark.parametrize("text", ["", " ", "one", " one  two\n\nthree ", "没有空格的句子也要一点一点地说" * 3])
def test_pieces_are_short_and_make_up_the_text(text):
    assert "".join(pieces(text)) == text
    assert all(len(piece.strip()) <= 16 for piece in pieces(text))


# -- those that come with the package --------------------------------------------------------


def test_every_protocol_has_its_recording():
    recorded = [peek(file.read_bytes(), name).protocol for name, file in FILES.items()]
    assert {name.partition("/")[0] for name in recorded} == protocols().keys()


def test_they_are_about_different_motions():
    topics = [peek(file.read_bytes(), name).topic for name, file in FILES.items()]
    assert len(set(topics)) == len(topics)


@pytest.mark.parametrize("name", FILES)
def test_a_recording_of_the_package_is_small_valid_and_judged_as_its_marks_say(name):
    raw = FILES[name].read_bytes()
    recording = load(raw, name)
    assert len(raw) < 200_000
    assert recording.head.note
    assert [found for found in check_document(recording.proceedings.document()) if found.severity == "error"] == []
    found = recording.remains.judgement
    assert (found is None) == (recording.recomputed() is None)
    assert found is None or recording.recomputed().figures() == found.figures()


@pytest.mark.parametrize("name", FILES)
def test_a_judged_recording_is_shown_with_a_bottom_line(name):
    shown = load(FILES[name].read_bytes(), name).dossier.judgement
    assert shown is None or shown.briefing.bottom_line


def test_the_one_of_a_real_model_comes_last_under_a_name_that_says_so():
    *written, small = (peek(file.read_bytes(), file.name).written for file in packaged())
    assert (set(written), small, name_of(packaged()[-1])) == ({True}, False, "small-model")


def test_that_one_was_judged_and_has_its_control():
    assert load(packaged()[-1].read_bytes(), "it").remains.judgement.control is not None
