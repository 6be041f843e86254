"""A person who holds a seat asks what is wanted of them, and answers."""

import json
import re

import pytest
from inline_snapshot import snapshot

from hustings.engine.service import open_service
from hustings.engine.worker import Duty, Worker
from hustings.errors import NotFound, Unsuitable
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, run


@pytest.fixture(scope="module")
def awaited(tmp_path_factory):
    """A debate that waits for con to open: how to speak in it."""
    url = ready_sqlite_file(tmp_path_factory.mktemp("awaited"))
    seats = ("-m", "improviser", "--seat", "con=human", "--judges", "none")
    run_id = run("run", TOPIC, *seats, "--detach", "--database", url).stdout.strip()
    with Worker(url, lambda model_spec: model_of(model_spec, {}, PUBLIC_OR_LOOPBACK), Duty(polling=0.05, drain=1)):
        with open_service(url) as service:
            next(event for event in service.runs.follow(run_id) if event.kind == "human_awaited")
        yield run_id, ("--database", url)


def say(awaited, *words):
    run_id, where = awaited
    return run("say", run_id, *words, *where)


def test_words_that_do_not_fit_go_back_to_the_person_with_the_way_to_the_form(awaited):
    with pytest.raises(Unsuitable, match="not accepted as opening") as refused:
        say(awaited, "con", "no form")
    assert refused.value.fix == f"see the question: hustings say {awaited[0]} con"


def test_whoever_is_not_asked_is_told_who_is(awaited):
    with pytest.raises(NotFound, match="the debate waits for con"):
        say(awaited, "pro")


def test_without_words_the_question_is_told_with_its_key(awaited):
    told = say(awaited, "con").stderr
    assert told.startswith("Question for con: opening")
    assert re.search(r"hustings say \S+ con --key 000\.1-[0-9a-f]{8} @answer\.json", told)


def test_a_key_that_no_question_had_is_refused(awaited):
    with pytest.raises(NotFound, match="no person was asked a question with the key"):
        say(awaited, "con", "Words.", "--key", "000.1-0")


def test_a_form_comes_as_a_sheet_to_fill_in(awaited):
    first, *more = json.loads(say(awaited, "con").stdout)["arguments"]
    assert (first, len(more)) == snapshot(
        (
            {
                "id": "CON-1",
                "claim": "<one sentence that could turn out false>",
                "reasoning": "<each step from cause to effect, in 2 to 5 sentences>",
                "evidence": "<a fact with its source if you are sure of both, not “many studies”; or “General "
                "knowledge:” and how sure you are; or “None:” and what would settle it>",
            },
            2,
        )
    )
