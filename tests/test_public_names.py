"""What others build on changes on purpose or not at all."""

import copy
import pickle
import subprocess
import sys
from importlib.metadata import version

import pytest

import hustings
import hustings.protocol
import hustings.testing
from hustings.runs.registry import protocols
from hustings.transcript.events import EVENT


def test_the_public_names_are_these():
    assert hustings.__all__ == [
        "Debate",
        "HustingsError",
        "Result",
        "Unfinished",
        "__version__",
        "adebate",
        "aresume",
        "debate",
        "import_debates",
        "resume",
    ]
    assert all(hasattr(hustings, name) for name in hustings.__all__)


def test_shells_complete_the_public_names_alone():
    assert sorted(dir(hustings)) == sorted(hustings.__all__)


@pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_that_was_sent_elsewhere_says_the_same(copied):
    error = hustings.Unfinished("run-1", "the key was refused")
    again = copied(error)
    assert (str(again), again.run_id, again.why, again.fix) == (str(error), "run-1", error.why, error.fix)


def test_a_protocol_is_written_with_these_names():
    assert hustings.protocol.__all__ == [
        "ArgumentRuling",
        "Brief",
        "ClaimId",
        "FigureSection",
        "Form",
        "IssueId",
        "Link",
        "Malformed",
        "Mark",
        "OutOfOrder",
        "OwnId",
        "Penalty",
        "Player",
        "Point",
        "ProtocolResult",
        "Quote",
        "Remark",
        "ResultSection",
        "Rubric",
        "Score",
        "Seat",
        "SeatError",
        "SeatFailed",
        "SeatId",
        "SeatNames",
        "SeatingContext",
        "Section",
        "Settings",
        "Speech",
        "Stage",
        "TextTable",
        "Weight",
        "or_none",
        "pick",
        "text_table",
    ]


def test_a_name_that_is_not_public_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'Stage'"):
        hustings.Stage  # noqa: B018


def test_the_version_is_that_of_the_package():
    assert hustings.__version__ == version("hustings")


def test_importing_hustings_loads_nothing_else():
    ask = "import sys, hustings; print([name for name in sys.modules if name.startswith(('hustings.', 'pydantic'))])"
    assert subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_words_of_a_script_are_six():
    words = {"round", "ask", "consult", "together", "meanwhile", "say"}
    looks = {"topic", "seats", "seat", "team", "heard_by", "documents_of", "asides_started"}
    assert {name for name, value in vars(hustings.protocol.Stage).items() if not name.startswith("_")} == words | looks


def test_the_conformance_suite_has_these_checks():
    assert [check.__name__ for check in hustings.testing.PROTOCOL_CHECKS] == [
        "says_what_it_is",
        "plays_to_its_end",
        "repeats_itself",
        "writes_a_valid_record",
        "folds_back_from_its_events",
        "lets_seats_share_what_all_may_read",
        "keeps_secrets",
        "ends_under_any_settings",
        "ends_without_a_seat",
        "ends_when_an_answer_is_malformed",
        "ends_when_an_answer_is_late",
        "ends_when_an_answer_is_refused",
        "ends_when_an_answer_is_empty",
        "ends_when_an_answer_is_rule_breaking",
    ]


def test_audits_go_through_these_checks():
    assert [check.__name__ for check in hustings.testing.AUDIT_CHECKS] == [
        "says_what_it_is",
        "plays_to_its_end",
        "repeats_itself",
        "folds_back_from_its_events",
        "ends_under_any_settings",
        "ends_without_a_seat",
        "ends_when_an_answer_is_malformed",
        "ends_when_an_answer_is_late",
        "ends_when_an_answer_is_refused",
        "ends_when_an_answer_is_empty",
        "ends_when_an_answer_is_rule_breaking",
        "needs_a_record",
        "leaves_the_record_as_it_is",
        "asks_the_same_in_every_run",
        "shows_what_it_asks_about",
        "reads_once_what_it_is_shown_often",
        "keeps_judges_apart",
        "hides_who_debated",
        "ends_on_any_record",
    ]


def test_the_kinds_of_events_are_these():
    assert sorted(EVENT.json_schema()["discriminator"]["mapping"]) == [
        "attempt_rejected",
        "budget_changed",
        "call_delayed",
        "call_paid",
        "debate_ended",
        "debate_started",
        "human_awaited",
        "intervention_made",
        "note_taken",
        "outcome_reached",
        "paused",
        "penalty_given",
        "recovered",
        "resumed",
        "round_closed",
        "round_opened",
        "score_given",
        "seat_missed",
        "text_streamed",
        "turn_begun",
        "turn_entered",
    ]


def test_the_protocols_and_their_versions_are_these():
    own = {name: p.version for name, p in protocols().items() if p.play.__module__.startswith("hustings.")}
    assert own.keys() >= {"adaptive", "competition", "critique", "moderated", "roundtable", "structured"}
    assert set(own.values()) == {1}
