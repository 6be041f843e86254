"""What a protocol itself came to is told in its own sections, whatever shape its result has."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.judgement import Movement, Total, Votes
from hustings.lab.gold import gold_debates
from hustings.report.debate_result import SECTIONS, debate_result
from hustings.report.formats.html import render as page
from hustings.report.formats.md import render as report
from hustings.report.markdown import render as record
from hustings.report.view import view
from hustings.runs.registry import protocols
from tests.judging.judgings import EVERY
from tests.rig.lanes import examples

from .dossiers import judged, unjudged
from .golden import gold
from .judged import DEADLOCK
from .test_markdown import HOSTILE

OF = {one.protocol: name for name, one in reversed(gold_debates().items())}
"""A gold debate of each protocol that has one."""


def sections(name):
    dossier = gold(OF[name])
    return {section.title: section for section in debate_result(dossier.proceedings, dossier.judgement)}


def returned(protocol, result, judgement=None):
    """The sections of a debate whose script returned this."""
    proceedings = unjudged(protocol).proceedings.model_copy(update={"result": result})
    return debate_result(proceedings, judgement)


# -- each protocol ---------------------------------------------------------------------------


def test_every_protocol_of_ours_has_its_own_sections():
    assert set(SECTIONS) == set(protocols()) == set(EVERY)


@pytest.mark.parametrize("how", [judged, unjudged], ids=["judged", "unjudged"])
@pytest.mark.parametrize("name", ["structured", "competition", "moderated", "adaptive", "critique"])
def test_a_rehearsed_debate_is_told_in_sections_of_its_own(name, how):
    found = debate_result(how(name).proceedings, how(name).judgement)
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
    return [s.lines for s in returned("moderated", {"synthesis": {}}, judgement) if s.title == "Minority"]


def test_a_panel_that_decided_tells_who_ended_elsewhere_and_on_which_condition():
    chosen, conditions = {"p1": "no", "p2": "no", "p3": "yes"}, {"p3": "the count is public."}
    ((line,),) = panel_at({"no": 2, "yes": 1}, chosen, conditions)
    assert line.endswith(" ended at yes, on condition that the count is public.")


def test_a_panel_that_is_split_evenly_has_no_minority():
    assert panel_at({"no": 1, "yes": 1}, {"p1": "no", "p2": "yes"}) == []


def test_a_finding_says_who_agrees_and_on_what_basis():
    finding = {"finding": "It is late.", "seats": ["ada", "ben"], "basis": "the timetable"}
    (found,) = [s for s in returned("moderated", {"synthesis": {"findings": [finding]}}) if s.title == "Findings"]
    assert found.lines[0].startswith("It is late. Agreed by Ada and Ben.")
    assert "the timetable" in found.lines[0]


def test_an_unjudged_panel_has_its_issues_from_the_docket():
    (found,) = [s for s in debate_result(unjudged("moderated").proceedings) if s.title == "Issues"]
    assert found.table.heads == ("Issue", "Question", "State")


@pytest.mark.parametrize(
    ("stance", "stopped", "told"),
    [
        ("for", "consensus", ("All speakers ended in favour.", "It ended because all speakers agreed.")),
        ("against", "round limit", ("All speakers ended against it.", "It ended at the round limit.")),
        (
            "none",
            "diminishing returns",
            ("The speakers did not agree.", "It ended because the last round added little."),
        ),
    ],
)
def test_an_adaptive_debate_says_its_decision_and_why_it_ended(stance, stopped, told):
    decision = returned("adaptive", {"stance": stance, "stopped": stopped, "summary": ""})[0]
    assert (decision.title, decision.lines) == ("Decision", told)


@pytest.mark.parametrize(("extended", "many"), [(True, "All speakers took part"), (False, "Two speakers took part")])
def test_an_adaptive_debate_says_why_so_many_spoke(extended, many):
    assessment = {"extended": extended, "reason": "it has two sides"}
    lines = returned("adaptive", {"stance": "for", "stopped": "", "assessment": assessment})[0].lines
    assert f"{many}, because of the question's complexity: it has two sides." in lines


def test_an_adaptive_debate_says_that_its_extent_was_chosen():
    assessment = {"extended": False, "extent": "standard", "reason": "it has two sides"}
    lines = returned("adaptive", {"stance": "for", "stopped": "", "assessment": assessment})[0].lines
    assert "Two speakers took part, as was chosen: it has two sides." in lines


@pytest.mark.parametrize(
    ("assessment", "told"),
    [
        ({"affordable": False, "stakes": "critical", "score": 0.3}, True),
        ({"affordable": False, "stakes": "normal", "score": 0.8}, True),
        ({"affordable": False, "stakes": "high", "score": 0.7}, True),
        ({"affordable": False, "stakes": "normal", "score": 0.7}, False),
        ({"affordable": False, "stakes": "low", "score": 0.3, "extent": "extended"}, True),
        ({"affordable": True, "stakes": "critical", "score": 0.9}, False),
    ],
)
def test_an_adaptive_debate_says_when_all_seats_were_too_dear(assessment, told):
    assessment = {"extended": False, "reason": "it has two sides", **assessment}
    lines = returned("adaptive", {"stance": "for", "stopped": "", "assessment": assessment})[0].lines
    assert ("it has two sides; all seats would have cost more than its budget." in " ".join(lines)) == told


def test_an_adaptive_debate_shows_each_speaker_s_own_view_by_round():
    dossier = gold(OF["adaptive"])
    rows = sections("adaptive")["Own views"].table.rows
    told = [note for note in dossier.proceedings.notes if note.kind == "stance" and note.by == "rules"]
    assert [row[2] for row in rows] == [note.body["says"] for note in told]
    assert all(row[0] and row[1] for row in rows)


def objected(**changes):
    usual = {"id": "A-1", "by": "critic_a", "claim": "It is late.", "state": "holds", "severity": "serious"}
    told = {"ruling": "It says so.", "ruling_quote": "on 1 May", "change": "Begin earlier."}
    return {**usual, **told, **changes}


def criticised(*objections, verdict="revise", silent=()):
    body = {"verdict": verdict, "why": "It follows.", "objections": list(objections), "silent": list(silent)}
    return {section.title: section for section in returned("critique", body)}


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


# -- hostile shapes ----------------------------------------------------------------------------

KEYS = ("pro", "con", "position", "shift", "why", "explanation", "turning_points", "advice_to_pro", "synthesis",
        "answer", "findings", "finding", "seats", "basis", "modifications", "unresolved", "question", "surprises",
        "stance", "stopped", "assessment", "extended", "reason", "summary", "verdict", "objections", "silent", "id",
        "by", "claim", "state", "severity", "ruling", "ruling_quote", "change")  # fmt: skip
shapes = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["", *HOSTILE]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)


@settings(deadline=None, max_examples=examples(80))
@given(st.sampled_from(EVERY), shapes)
def test_no_shape_of_a_result_raises(protocol, result):
    for section in returned(protocol, result):
        assert section.title
        assert all(isinstance(line, str) for line in section.lines)


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(["structured", "moderated", "adaptive", "critique"]), shapes)
def test_no_shape_of_a_result_breaks_a_report(protocol, result):
    dossier = unjudged(protocol)
    hostile = dossier.model_copy(update={"proceedings": dossier.proceedings.model_copy(update={"result": result})})
    assert report(hostile)
    assert page(hostile)
    assert view(hostile)


def test_a_result_that_its_protocol_does_not_describe_is_told_line_by_line():
    (found,) = returned("structured", {"winner": "nobody", "rounds": [1, 2]})
    assert found.title == "Result of the debate"
    assert any("nobody" in line for line in found.lines)


def test_a_debate_without_a_result_has_no_section():
    assert returned("structured", None) == ()


def test_the_result_of_a_protocol_that_nobody_knows_is_told_line_by_line():
    dossier = unjudged("structured")
    about = dossier.proceedings.transcript.run_metadata.model_copy(update={"protocol": "other/3"})
    transcript = dossier.proceedings.transcript.model_copy(update={"run_metadata": about})
    proceedings = dossier.proceedings.model_copy(update={"transcript": transcript, "result": {"who": "all of them"}})
    (found,) = debate_result(proceedings)
    assert found.lines == ("who: all of them",)


# -- where it is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["structured", "moderated", "adaptive", "roundtable"])
def test_a_report_of_a_judged_debate_tells_its_result_once(name):
    dossier = gold(OF[name])
    for title in sections(name):
        assert report(dossier).count(f"## {title}\n") == 1


@pytest.mark.parametrize("name", ["structured", "moderated", "adaptive"])
def test_the_record_of_an_unjudged_debate_tells_its_result(name):
    proceedings = unjudged(name).proceedings
    assert all(f"## {section.title}\n" in record(proceedings) for section in debate_result(proceedings))
