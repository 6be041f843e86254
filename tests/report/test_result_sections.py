"""What a protocol itself came to is told in its own sections, filled with what judges found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_jsonable_python

from hustings.judging.arguments import names
from hustings.judging.judgement import Movement, Total, Votes
from hustings.lab.gold import gold_debates
from hustings.protocols.adaptive import Decision
from hustings.protocols.critique import CritiqueResult, ObjectionResult
from hustings.protocols.moderated import Finding, Settlement, Synthesis
from hustings.report.formats.html import render as page
from hustings.report.formats.md import render as report
from hustings.report.markdown import render as record
from hustings.report.result_sections import result_sections
from hustings.report.view import view
from hustings.runs.registry import find_protocol, protocols
from hustings.script.protocol_result import ResultSection
from hustings.text.tables import text_table
from hustings.text.words import called
from tests.judging.judgings import EVERY
from tests.rig.lanes import examples

from .dossiers import judged, unjudged
from .golden import gold
from .judged import DEADLOCK
from .test_markdown import HOSTILE

SETTLEMENT = Settlement(status="open", issues={}, exchanges=0, synthesis=None)
OF = {one.protocol: name for name, one in reversed(gold_debates().items())}
"""A gold debate of each protocol that has one."""


def sections(name):
    dossier = gold(OF[name])
    return {section.title: section for section in result_sections(dossier.proceedings, dossier.judgement)}


def returned(protocol, result, judgement=None):
    """The sections of a debate whose script returned this."""
    proceedings = unjudged(protocol).proceedings
    by_id = names(proceedings.transcript)
    described = find_protocol(protocol).describe_result(result, lambda seat: by_id.get(seat) or called(seat))
    changes = {"result": to_jsonable_python(result), "sections": tuple(described)}
    return result_sections(proceedings.model_copy(update=changes), judgement)


# -- each protocol ---------------------------------------------------------------------------


def test_every_protocol_of_ours_has_its_own_sections():
    assert {name for name, protocol in protocols().items() if protocol.describe_result} == set(EVERY)


@pytest.mark.parametrize("how", [judged, unjudged], ids=["judged", "unjudged"])
@pytest.mark.parametrize("name", ["structured", "competition", "moderated", "adaptive", "critique"])
def test_a_rehearsed_debate_is_told_in_sections_of_its_own(name, how):
    found = result_sections(how(name).proceedings, how(name).judgement)
    assert found
    assert "Result of the debate" not in {section.title for section in found}


@pytest.mark.parametrize("name", OF)
def test_a_gold_debate_is_told_in_sections_that_are_not_empty(name):
    told = sections(name).values()
    assert told
    assert all(section.title and (section.lines or (section.table and section.table.rows)) for section in told)
    assert all(line.strip() for section in told for line in section.lines)


@pytest.mark.parametrize("name", OF)
def test_a_table_has_a_cell_under_every_head(name):
    tables = [section.table for section in sections(name).values() if section.table]
    assert all(len(row) == len(table.heads) for table in tables for row in table.rows)


def test_two_sides_are_told_by_their_final_positions():
    dossier = gold(OF["structured"])
    (found,) = sections("structured").values()
    assert found.title == "Final positions"
    assert [row[0] for row in found.table.rows] == ["Pro", "Con"]
    assert [row[1] for row in found.table.rows] == [dossier.proceedings.result[s]["position"] for s in ("pro", "con")]


def test_a_competition_is_told_by_its_review():
    result = gold(OF["competition"]).proceedings.result
    told = {title: section.lines for title, section in sections("competition").items()}
    expected = {
        "Turning points": tuple(result["turning_points"]),
        "Advice to Pro": tuple(result["advice_to_pro"]),
        "Advice to Con": tuple(result["advice_to_con"]),
    }
    assert told == {title: lines for title, lines in expected.items() if lines}


def test_a_moderated_panel_is_told_by_its_answer_its_issues_and_its_findings():
    dossier, found = gold(OF["moderated"]), sections("moderated")
    synthesis = dossier.proceedings.result["synthesis"]
    assert found["The panel's answer, as the moderator sums it up"].lines == (synthesis["answer"],)
    assert [row[1] for row in found["Issues"].table.rows] == [one.question for one in dossier.judgement.settled]
    assert {row[2] for row in found["Issues"].table.rows} <= {"agreed", "replaced", "deadlocked", "open"}
    assert len(found["Findings"].lines) == len(synthesis["findings"])


def panel_at(options, chosen, conditions=None):
    votes = Votes(options=options, seats=sum(options.values()), chosen=chosen, conditions=conditions or {})
    judgement = judged("moderated").judgement.model_copy(update={"votes": votes})
    return [s.lines for s in returned("moderated", SETTLEMENT, judgement) if s.title == "Minority"]


def test_a_panel_that_decided_tells_who_ended_elsewhere_and_on_which_condition():
    chosen, conditions = {"p1": "no", "p2": "no", "p3": "yes"}, {"p3": "the count is public."}
    ((line,),) = panel_at({"no": 2, "yes": 1}, chosen, conditions)
    assert line.endswith(" ended at yes, on condition that the count is public.")


def test_a_panel_that_is_split_evenly_has_no_minority():
    assert panel_at({"no": 1, "yes": 1}, {"p1": "no", "p2": "yes"}) == []


def test_a_finding_says_who_agrees_and_on_what_basis():
    finding = Finding(finding="It is late.", seats=("ada", "ben"), basis="the timetable")
    synthesis = Synthesis(
        findings=(finding,), modifications=(), unresolved=(), surprises=(), answer="Later, if it must be."
    )
    settlement = SETTLEMENT.model_copy(update={"synthesis": synthesis})
    (found,) = [s for s in returned("moderated", settlement) if s.title == "Findings"]
    assert found.lines[0].startswith("It is late. Agreed by Ada and Ben.")
    assert "the timetable" in found.lines[0]


def test_an_unjudged_panel_has_its_issues_from_the_docket():
    (found,) = [s for s in result_sections(unjudged("moderated").proceedings) if s.title == "Issues"]
    assert found.table.heads == ("Issue", "Question", "State")


def decision(stance="for", stopped="consensus", **assessment):
    told = {"extended": False, "reason": "it has two sides", **assessment}
    return Decision(
        stopped=stopped, stance=stance, rounds=1, complexity=0.5, confidence=1.0, assessment=told, summary=""
    )


@pytest.mark.parametrize(
    ("stance", "stopped", "told"),
    [
        ("for", "consensus", ("All speakers ended in favour.", "It ended because all speakers agreed.")),
        ("against", "round limit", ("All speakers ended against it.", "It ended at the round limit.")),
        (None, "diminishing returns", ("The speakers did not agree.", "It ended because the last round added little.")),
    ],
)
def test_an_adaptive_debate_says_its_decision_and_why_it_ended(stance, stopped, told):
    section = returned("adaptive", decision(stance, stopped))[0]
    assert (section.title, section.lines[:2]) == ("Decision", told)


@pytest.mark.parametrize(("extended", "many"), [(True, "All speakers took part"), (False, "Two speakers took part")])
def test_an_adaptive_debate_says_why_so_many_spoke(extended, many):
    lines = returned("adaptive", decision(extended=extended))[0].lines
    assert f"{many}, because of the question's complexity: it has two sides." in lines


def test_an_adaptive_debate_says_that_its_extent_was_chosen():
    lines = returned("adaptive", decision(extent="standard"))[0].lines
    assert "Two speakers took part, as was chosen: it has two sides." in lines


def test_an_adaptive_debate_shows_each_speaker_s_own_view_by_round():
    dossier = gold(OF["adaptive"])
    rows = sections("adaptive")["Own views"].table.rows
    told = [note for note in dossier.proceedings.notes if note.kind == "stance" and note.by == "rules"]
    assert [row[2] for row in rows] == [note.body["says"] for note in told]
    assert all(row[0] and row[1] for row in rows)


def objected(**changes):
    usual = {"id": "A-1", "by": "critic_a", "claim": "It is late.", "state": "holds", "severity": "serious"}
    told = {"ruling": "It says so.", "ruling_quote": "on 1 May", "change": "Begin earlier."}
    return ObjectionResult(**{**usual, **told, "quote": "in June", "reply": "", **changes})


def criticised(*objections, verdict="revise", silent=()):
    result = CritiqueResult(verdict=verdict, why="It follows.", objections=objections, silent=tuple(silent))
    return {section.title: section for section in returned("critique", result)}


def test_a_critique_is_told_by_its_verdict_its_objections_and_what_would_meet_them():
    found = criticised(objected())
    assert found["Verdict of the critique"].lines == ("Revise the document first.", "It follows.")
    assert found["Objections"].table.rows == (
        ("A-1", "Critic A", "It is late.", "holds", "serious", "It says so. (“on 1 May”)"),
    )
    assert found["Changes that would meet them"].lines == ("A-1: Begin earlier.",)


def test_a_critique_says_who_did_not_answer_and_that_there_is_no_verdict():
    found = criticised(verdict=None, silent=["Critic B"])
    assert found["Verdict of the critique"].lines == ("No verdict.", "It follows.", "No usable answer: Critic B.")
    assert "Objections" not in found


def test_a_critique_says_why_an_objection_does_not_count():
    rows = criticised(objected(state="put aside"), objected(state="open", ruling_quote=""))["Objections"].table.rows
    assert [row[-1] for row in rows] == ["the words that it quotes are not in the document", "no ruling"]


# -- who moved ---------------------------------------------------------------------------------


def moved(*movements, **more):
    found = DEADLOCK.model_copy(update={"movements": movements, "votes": None, "totals": (), **more})
    return returned("roundtable", None, found)


def test_it_says_who_moved_by_what_and_who_gave_no_reason():
    (found,) = moved(
        Movement(seat="ben", began="no", ended="yes", condition="not on Saturdays", moved_by="the bus is paid for"),
        Movement(seat="chi", began="no", ended="yes"),
        Movement(seat="dora", began="no", ended="no"),
    )
    assert found.table.rows == (
        ("Ben", "no", "yes", "not on Saturdays", "the bus is paid for"),
        ("Chi", "no", "yes", "", "gave no reason"),
        ("Dora", "no", "no", "", "did not move"),
    )


def test_dissent_is_told_with_how_well_it_was_argued():
    votes = Votes(options={"yes": 2, "no": 1}, seats=3, chosen={"ada": "yes", "ben": "yes", "dora": "no"})
    totals = tuple(Total(side=s, score=n, scored=1, unscored=0) for s, n in (("ada", 5.0), ("ben", 6.0), ("dora", 7.4)))
    (found,) = moved(Movement(seat="dora", began="no", ended="no"), votes=votes, totals=totals)
    assert found.lines == ("Dissent: Dora ended at no and scored 7.4 of 10, those at yes 5.5.",)


def test_a_roundtable_of_which_nothing_is_known_has_no_section():
    assert returned("roundtable", None) == moved() == ()


# -- sections of any protocol --------------------------------------------------------------------

words = st.sampled_from(["It is late.", *HOSTILE])
tables = st.integers(1, 3).flatmap(
    lambda width: st.builds(
        text_table,
        words,
        st.lists(words, min_size=width, max_size=width),
        st.lists(st.lists(words, min_size=width, max_size=width), max_size=2),
    )
)
described = st.builds(
    ResultSection, title=words, lines=st.lists(words, max_size=3).map(tuple), table=st.none() | tables
)


@settings(deadline=None, max_examples=examples(25))
@given(st.lists(described, max_size=3))
def test_no_words_of_a_protocol_break_a_report(parts):
    dossier = unjudged("structured")
    hostile = dossier.model_copy(
        update={"proceedings": dossier.proceedings.model_copy(update={"sections": tuple(parts)})}
    )
    assert report(hostile)
    assert page(hostile)
    assert view(hostile)


def test_a_result_that_its_protocol_does_not_describe_is_told_line_by_line():
    plain = {"result": {"winner": "nobody", "rounds": [1, 2]}, "sections": ()}
    (found,) = result_sections(unjudged("structured").proceedings.model_copy(update=plain))
    assert found.title == "Result of the debate"
    assert any("nobody" in line for line in found.lines)


def test_a_debate_without_a_result_has_no_section():
    stopped = {"result": None, "sections": ()}
    assert result_sections(unjudged("structured").proceedings.model_copy(update=stopped)) == ()


def test_the_issues_of_a_debate_that_was_stopped_are_told():
    stopped = {"result": None, "sections": ()}
    (found,) = result_sections(unjudged("moderated").proceedings.model_copy(update=stopped))
    assert found.title == "Issues"


# -- where it is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["structured", "moderated", "adaptive", "roundtable"])
def test_a_report_of_a_judged_debate_tells_its_result_once(name):
    dossier = gold(OF[name])
    for title in sections(name):
        assert report(dossier).count(f"## {title}\n") == 1


@pytest.mark.parametrize("name", ["structured", "moderated", "adaptive"])
def test_the_record_of_an_unjudged_debate_tells_its_result(name):
    proceedings = unjudged(name).proceedings
    assert all(f"## {section.title}\n" in record(proceedings) for section in result_sections(proceedings))
