"""What a judge is asked in one order, and what counts of its answer."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.anonymise import mask
from hustings.judging.arguments import argued
from hustings.judging.extract_claims import drawn
from hustings.judging.sheets import Item, JudgeReading, Material, laid_out, portions, sheets
from hustings.llm.improviser import clock
from hustings.runs.registry import rubrics
from hustings.script.background import FIELD, Background
from hustings.script.calls import Reply
from hustings.text.words import count_words

from .judges import changing, fair, judge
from .judgings import EVERY, calls, debated, judged, noted, saying, shown

STRUCTURED, ROUNDTABLE = debated("structured"), debated("roundtable")


def material_of(played):
    return Material(played.proceedings, argued(played.proceedings), rubrics())


def labels_of(material, reading):
    return mask(material.judged.transcript, material.named, reading.seed, reading.judge, reading.order).labels


def sent(change, played=STRUCTURED, times=2):
    """What is noted if judge 1 changes what it gives on its first sheet of arguments, this many times."""
    done = []

    def answer(call):
        first = done[0].brief.choices if done else call.brief.choices
        same = call.seat.id == "judge_1" and call.brief.name == "argument marks" and call.brief.choices == first
        if same and len(done) < times:
            done.append(call)
            return Reply(json.dumps(change(json.loads(judge(fair)(call).text), call)), clock(call))
        return judge(fair)(call)

    sat = judged(played, answer)
    (kept,) = [body for body in noted(sat, "marks") if _of(body) == ("judge_1", 0, "argument") and body["sheet"] == 0]
    return kept


def _of(body):
    return body["judge"], body["order"], body["rubric"]


# -- sheets ------------------------------------------------------------------------------


@st.composite
def _items(draw):
    owners = draw(st.lists(st.sampled_from("abcd"), max_size=40))
    return [Item(f"i{n}", side, ()) for n, side in enumerate(owners)]


@given(_items(), st.integers(1, 12), st.integers(0, 1), st.text())
def test_each_item_is_asked_once_in_a_reading_and_no_sheet_holds_too_many(items, most, order, seed):
    dealt = portions(items, most, JudgeReading("judge", order, seed), "argument")
    assert sorted(item.id for sheet in dealt for item in sheet) == sorted(item.id for item in items)
    assert all(0 < len(sheet) <= most for sheet in dealt)


@given(_items(), st.integers(1, 12), st.text())
def test_every_sheet_has_its_share_of_every_side(items, most, seed):
    dealt = portions(items, most, JudgeReading("judge", 0, seed), "argument")
    for side, count in Counter(item.side for item in items).items():
        shares = [sum(item.side == side for item in sheet) for sheet in dealt]
        assert max(shares) - min(shares) <= 1, (side, count, shares)


@given(_items(), st.integers(1, 12), st.text())
def test_the_second_order_has_the_same_sheets_mirrored(items, most, seed):
    first, second = (portions(items, most, JudgeReading("judge", order, seed), "argument") for order in (0, 1))
    assert second == [sheet[::-1] for sheet in first]


@given(_items(), st.integers(1, 12), st.text())
def test_sides_stand_together_on_a_sheet_in_the_order_of_the_record(items, most, seed):
    reading = JudgeReading("judge", 0, seed)
    first = reading.first(item.side for item in items)
    for sheet in portions(items, most, reading, "argument"):
        assert [item.side for item in sheet] == sorted((item.side for item in sheet), key=first.index)


def test_over_the_judges_each_side_is_first_about_as_often():
    firsts = [JudgeReading(f"judge_{n}", 0, "seed").first(["pro", "con"])[0] for n in range(200)]
    assert 80 < firsts.count("pro") < 120


@pytest.mark.parametrize("protocol", EVERY)
@pytest.mark.parametrize("most", [1, 5])
def test_in_a_judging_everything_is_asked_once_a_reading(protocol, most):
    sat = judged(debated(protocol), items_per_sheet=most, judges=1)
    asked = noted(sat, "marks")
    for order in (0, 1):
        shown_then = Counter(item for body in asked if body["order"] == order for item in body["shown"])
        assert shown_then
        assert set(shown_then.values()) == {1}
    assert all(len(body["items"]) <= most for body in asked)


def test_speeches_are_marked_only_where_there_is_a_rubric_for_them():
    assert "speech" not in {body["rubric"] for body in noted(judged(ROUNDTABLE), "marks")}
    assert "speech" in {body["rubric"] for body in noted(judged(debated("competition")), "marks")}


def test_whatever_is_to_be_marked_lies_before_the_judge():
    for played in (STRUCTURED, ROUNDTABLE):
        for call in calls(judged(played)):
            names = shown(call).keys() if call.brief.name.endswith("marks") else _speakers(call)
            assert call.seat.role != "judge" or set(call.brief.choices["item"]) <= names


def _speakers(call):
    return {name.rpartition("-")[0] for name in shown(call)}


def test_what_all_sheets_of_a_reading_share_comes_first():
    asked = [call for call in calls(judged(ROUNDTABLE), seat="judge_2") if call.brief.name.endswith("marks")]
    assert len({call.brief.exhibits[0] for call in asked}) == 2


# -- what counts -------------------------------------------------------------------------


def test_a_quote_that_was_not_said_leaves_no_score_but_keeps_the_others():
    def unfounded(given, call):
        given["marks"][0]["logic"]["quote"] = "as nobody in this debate has ever put it"
        return given

    body = sent(unfounded)
    rows = [body["items"][item] for item in body["shown"]]
    assert rows[0]["scores"]["logic"] is None
    assert "logic" not in rows[0]["quotes"]
    assert all(rows[0]["scores"][name] for name in ("evidence", "responsiveness", "honesty"))
    assert all(all(row["scores"].values()) for row in rows[1:])
    assert [row["unfounded"] for row in rows] == [["logic"], *[[] for _ in rows[1:]]]


def test_an_unfounded_quote_is_asked_for_once_more():
    def unfounded(given, call):
        given["marks"][0]["logic"]["quote"] = "as nobody in this debate has ever put it"
        return given

    body = sent(unfounded, times=1)
    assert body["items"][body["shown"][0]]["scores"]["logic"]


def test_of_two_answers_the_usable_one_stands_if_the_other_is_no_answer():
    def worse(given, call):
        worse.times += 1
        if worse.times == 2:
            return {"marks": []}
        given["marks"][0]["logic"]["quote"] = "as nobody in this debate has ever put it"
        return given

    worse.times = 0
    body = sent(worse)
    assert body["items"][body["shown"][0]]["unfounded"] == ["logic"]


def test_a_mark_is_kept_with_its_reason():
    body = sent(lambda given, call: given)
    assert {row["reasons"]["logic"] for row in body["items"].values()} == {"as the words show"}


def test_a_near_quote_is_marked_near_and_counts():
    def slips(given, call):
        quote = shown(call)[given["marks"][0]["about"]].split("\n")[1]
        given["marks"][0]["logic"]["quote"] = quote.replace("Reasoning", "Reasonnig")
        return given

    body = sent(slips)
    row = body["items"][body["shown"][0]]
    assert row["near"] == ["logic"]
    assert row["scores"]["logic"]


def quoting(pick):
    """What becomes of a mark of the first argument that quotes one of the texts shown, picked by their labels."""

    def borrowed(given, call):
        about = given["marks"][0]["about"]
        given["marks"][0]["honesty"]["quote"] = " ".join(shown(call)[pick(about, call)].split()[:10])
        return given

    body = sent(borrowed)
    return body["items"][body["shown"][0]]["scores"]["honesty"]


def test_words_of_another_argument_ground_nothing():
    assert quoting(lambda about, call: next(i for i in call.brief.choices["item"] if i != about)) is None


def test_an_objection_may_be_quoted_where_it_was_ignored():
    def objection(about, call):
        record = [exhibit for group in call.brief.exhibits for exhibit in group]
        return next(e.name for e in record if re.search(rf"(?:responds to|concedes something of) {about},", e.what))

    assert quoting(objection)


def test_a_score_left_out_needs_no_quote():
    def blank(given, call):
        given["marks"][0]["responsiveness"] = {"score": None, "quote": "", "reason": ""}
        return given

    body = sent(blank)
    assert body["items"][body["shown"][0]]["scores"]["responsiveness"] is None


def test_a_hint_without_words_that_were_said_is_none():
    def flagged(given, call):
        said = given["marks"][0]["logic"]["quote"]
        quotes = [said, "as nobody in this debate has ever put it"]
        given["marks"][0]["fallacies"] = [{"kind": "straw_man", "quote": quote} for quote in quotes]
        return given

    body = sent(flagged)
    assert len(body["items"][body["shown"][0]]["flags"]) == 1


def test_quotes_are_kept_with_the_real_names():
    body = sent(lambda given, call: given)
    for item in body["shown"]:
        assert body["items"][item]["quotes"]["logic"].startswith(f"[{item}]")


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: [{**rows[0], "about": "Maple-xx"}, *rows[1:]],
        lambda rows: rows[1:],
        lambda rows: [*rows, rows[0]],
        lambda rows: [{**row, "about": rows[0]["about"]} for row in rows],
        lambda rows: [],
    ],
    ids=["another", "one missing", "one twice", "all the same", "none"],
)
def test_marks_for_anything_but_what_was_asked_are_refused_and_mended_once(change):
    def answer(call):
        given = json.loads(judge(fair)(call).text)
        return Reply(json.dumps({"marks": change(given["marks"])}), clock(call))

    sat = judged(STRUCTURED, answer, judges=1, orders=1)
    assert noted(sat, "marks") == []
    assert len(sat.waves) == 2
    assert len(noted(sat, "failure")) == len(sat.waves[0])


def test_a_response_cannot_make_the_same_point_as_itself():
    sat = judged(STRUCTURED, changing(lambda row: row.update(same_point_as=row["about"]) if _challenges(row) else None))
    rows = [row for body in noted(sat, "marks") if body["rubric"] == "challenge" for row in body["items"].values()]
    assert rows
    assert {row["same_point_as"] for row in rows} == {None}


def test_the_same_point_is_kept_under_the_name_of_the_response():
    def answer(call):
        given = json.loads(judge(fair)(call).text)
        for row in given.get("marks", ()):
            if _challenges(row):
                row["same_point_as"] = given["marks"][0]["about"]
        return Reply(json.dumps(given), clock(call))

    sat = judged(STRUCTURED, answer)
    for body in noted(sat, "marks"):
        if body["rubric"] == "challenge":
            first, *rest = body["shown"]
            assert [body["items"][item]["same_point_as"] for item in rest] == [first] * len(rest)


def _challenges(row):
    return "effectiveness" in row


# -- grounds -----------------------------------------------------------------------------


def test_an_argument_may_be_quoted_with_its_answers_what_was_said_to_it_and_the_question():
    material = material_of(STRUCTURED)
    responses = material.case.responses
    for item in material.items["argument"]:
        said = [r.words for r in responses if r.target == item.id]
        answers = [r.words for r in responses if r.target == f"{item.id}/response"]
        assert list(item.grounds[1:]) == [*answers, *said, material.topic]


def test_a_drawn_claim_is_held_by_its_authors_words_from_then_on():
    sat = judged(ROUNDTABLE)
    turns = [turn for turn in ROUNDTABLE.proceedings.transcript.turns if turn.speaker_id == "ada"]
    (first, second) = [turn.said for turn in turns]
    material = Material(ROUNDTABLE.proceedings, drawn(ROUNDTABLE.proceedings, sat.proceedings.notes), rubrics())
    held = {item.grounds for item in material.items["argument"] if item.side == "ada"}
    assert all(grounds[:2] == (first, second) or grounds[0] == second for grounds in held)
    assert all(grounds[-1] == material.topic for grounds in held)


# -- the debate as it is laid out --------------------------------------------------------


def speakers(played, order):
    """Who is shown speaking, turn by turn, under their real ids."""
    material, reading = material_of(played), JudgeReading("judge_1", order, "seed")
    hidden = mask(material.judged.transcript, material.named, reading.seed, reading.judge, order)
    items = {label: item for item, label in hidden.labels.items()}
    turns = material.turns
    return [turns[items[exhibit.name]].speaker_id for exhibit in laid_out(material, hidden, reading)]


def test_first_and_last_words_of_two_sides_change_places_with_the_order():
    played = debated("competition")
    first, second = (speakers(played, order) for order in (0, 1))
    assert {first[-1], second[-1]} == {"pro_4", "con_4"}
    assert {first[0], second[0]} == {"pro_1", "con_1"}
    assert first[2:-2] == second[2:-2]


def test_openings_that_did_not_answer_each_other_change_places_too():
    material = material_of(STRUCTURED)
    firsts = set()
    for order in (0, 1):
        reading = JudgeReading("judge_1", order, "seed")
        labels = labels_of(material, reading)
        (record, *_) = sheets(material, reading, 6)[0].exhibits
        firsts.add(next(item for item, label in labels.items() if label == record[0].name))
    assert firsts == {"PRO-1", "CON-1"}


def test_who_answers_somebody_is_never_shown_before_them():
    assert speakers(ROUNDTABLE, 0) == speakers(ROUNDTABLE, 1) == ["ada", "ben", "chi", "ben", "chi", "ada"]


def test_the_number_of_words_is_shown_with_everything_said():
    played = debated("roundtable", saying("It is so, I say."))
    call = calls(judged(played), seat="judge_1")[0]
    assert all(exhibit.what.endswith("5 words") for exhibit in call.brief.exhibits[0])
    structured = calls(judged(STRUCTURED), seat="judge_1")[0].brief.exhibits[0]
    assert all(exhibit.what.endswith(" words") for exhibit in structured)


def test_nobody_is_told_that_a_response_does_what_its_author_calls_it():
    told = " ".join(exhibit.what for exhibit in calls(judged(STRUCTURED), seat="judge_1")[0].brief.exhibits[0])
    assert " responds to " in told
    assert " concedes " in told
    assert "refutes" not in told


def test_layout_does_not_reach_the_judges():
    played = debated("roundtable", saying("# Look\n\n- **Bold** words\n- [linked](https://example.org) ones"))
    laid = [words for call in calls(judged(played), seat="judge_1") for words in shown(call).values()]
    assert "Look\n\nBold words\nlinked (https://example.org) ones" in laid
    assert not [words for words in laid if "**" in words or "# " in words]


def test_what_the_forms_say_of_a_turn_is_laid_down_piece_by_piece():
    material, reading = material_of(STRUCTURED), JudgeReading("judge_1", 0, "seed")
    labels = labels_of(material, reading)
    (record, *_) = sheets(material, reading, 6)[0].exhibits
    names = [exhibit.name for exhibit in record]
    assert {labels[claim.id] for claim in material.case.claims} <= set(names)
    assert len(set(names)) == len(names)
    assert all(count_words(exhibit.words) for exhibit in record)


# -- the document beside the question ------------------------------------------------------

DOCUMENT = Background(title="Night buses", text="The last bus leaves at midnight, and thirty percent miss it.")


def test_marks_may_quote_from_the_document_that_came_with_the_question():
    about = STRUCTURED.proceedings.transcript.debate_metadata.model_copy(update={FIELD: DOCUMENT.document()})
    transcript = STRUCTURED.proceedings.transcript.model_copy(update={"debate_metadata": about})
    proceedings = STRUCTURED.proceedings.model_copy(update={"transcript": transcript})

    def quoting(sheet, _):
        for marks in sheet["marks"]:
            for mark in marks.values():
                if isinstance(mark, dict):
                    mark |= {"score": 6, "quote": "thirty percent miss it"}
        return sheet

    with_it, without = (
        sent(quoting, replace(STRUCTURED, proceedings=told)) for told in (proceedings, STRUCTURED.proceedings)
    )
    assert {score for row in with_it["items"].values() for score in row["scores"].values()} == {6}
    assert {score for row in without["items"].values() for score in row["scores"].values()} == {None}
