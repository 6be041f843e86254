import re

import pytest
from pydantic import ValidationError

from hustings.errors import NotFound, Unreachable, Unsuitable
from hustings.runs.request import LOOK_UPS, DebateRequest, build_spec, fitted, lacks_model, requested
from hustings.script.background import Background
from hustings.script.debate import header
from hustings.script.documents import DocumentText

LOCAL = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": "http://127.0.0.1:1/v1", "LLM_MODEL": "m"}


def request(**more):
    return DebateRequest(**{"protocol": "structured", "question": "Should we?", "model": "improviser", **more})


def test_every_seat_has_the_model_spec_that_was_wished_for():
    made = build_spec(request(), {})
    assert {seat: model_spec.label for seat, model_spec in made.model_specs.items()} == {
        "pro": "improviser",
        "con": "improviser",
    }


def test_the_transcript_will_name_who_sits_where():
    made = build_spec(request(model="", seats={"con": "improviser"}), LOCAL)
    assert {seat: player.model for seat, player in made.debate.cast.items()} == {
        "pro": "openai_compatible/m",
        "con": "improviser",
    }


def test_the_request_for_a_seat_wins_over_that_for_all_and_both_over_the_environment():
    made = build_spec(request(model="llamacpp/x", seats={"pro": "improviser"}), LOCAL)
    assert {seat: model_spec.label for seat, model_spec in made.model_specs.items()} == {
        "pro": "improviser",
        "con": "llamacpp/x",
    }


def test_a_person_needs_no_model_spec():
    made = build_spec(request(seats={"pro": "human"}), {})
    assert (set(made.model_specs), made.debate.cast["pro"].model) == ({"con"}, "human")


def test_a_spec_holds_the_name_of_a_key_and_never_the_key():
    made = build_spec(request(model="openai/gpt-4o"), {"OPENAI_API_KEY": "sk-very-secret"})
    assert ("OPENAI_API_KEY" in made.model_dump_json(), "sk-very-secret" in made.model_dump_json()) == (True, False)


def test_a_model_that_nobody_has_a_price_for_is_refused_before_anything_begins():
    with pytest.raises(Unsuitable, match="LLM_PRICE_INPUT"):
        build_spec(request(model="openai/no-such-model-at-all"), {"OPENAI_API_KEY": "sk-x"})


def test_a_seat_without_a_model_is_told_what_to_set():
    with pytest.raises(Unreachable, match="PROVIDER"):
        build_spec(request(model=""), {})


@pytest.mark.parametrize(
    ("more", "environment", "lacks"),
    [
        ({"model": ""}, {}, True),
        ({"model": ""}, LOCAL, False),
        ({"model": ""}, {"PRO_LLM_PROVIDER": "ollama"}, True),
        ({}, {}, False),
        ({"model": "", "seats": {"pro": "human", "con": "openai/needs-a-key"}}, {}, False),
    ],
)
def test_whether_a_seat_lacks_a_model_is_known_before_anything_is_drawn_up(more, environment, lacks):
    assert lacks_model(request(**more), environment) is lacks


def test_a_seat_for_which_no_model_is_named_is_not_named():
    assert request(seats={"pro": "", "con": "improviser"}).seats == {"con": "improviser"}


def test_a_request_that_cannot_be_is_told_to_the_user():
    with pytest.raises(Unsuitable, match="these debate settings don't work: budget"), requested("debate"):
        request(budget=-1)


def test_a_seat_that_is_not_at_the_table_is_refused_with_those_that_are():
    with pytest.raises(Unsuitable, match="no seat jury in 'structured': choose from con, pro"):
        build_spec(request(seats={"jury": "improviser"}), {})


def test_a_protocol_that_is_not_there_is_refused():
    with pytest.raises(NotFound):
        build_spec(request(protocol="nonsense"), {})


def test_a_word_that_means_nothing_in_a_request_is_refused():
    with pytest.raises(ValidationError):
        request(modle="improviser")


def test_a_run_gets_a_name_of_its_own_unless_it_is_given_one():
    names = {build_spec(request(), {}).run_id for _ in range(3)}
    assert (len(names), all(name.startswith("should-we-") for name in names)) == (3, True)
    assert build_spec(request(run_id="mine"), {}).run_id == "mine"


def test_a_topic_without_latin_letters_makes_a_name_too():
    assert build_spec(request(question="要不要?"), {}).run_id.startswith("debate-")


def test_what_else_was_wished_for_is_in_the_spec():
    made = build_spec(request(budget=0.000007, seed=3, retries=0, seconds_per_call=9), {}, owner="ann", batch="b")
    assert (made.caps.money, made.seed, made.debate.retries, made.seconds_per_call) == (7, 3, 0, 9)
    assert (made.owner, made.batch, made.lineage) == ("ann", "b", made.run_id)


def test_settings_reach_the_debate():
    assert build_spec(request(settings={"closing_words": 77}), {}).debate.settings["closing_words"] == 77


# -- what transcripts say ------------------------------------------------------------------


def test_one_question_has_one_id_under_every_protocol_and_another_question_another():
    ids = {name: build_spec(request(protocol=name), {}).debate.debate_id for name in ("structured", "roundtable")}
    assert ids["structured"] == ids["roundtable"] == build_spec(request(question=" should  WE? "), {}).debate.debate_id
    assert re.fullmatch(r"should-we-[0-9a-f]{8}", ids["structured"])
    long = "Should every town of this country close its centre to"
    assert len({build_spec(request(question=f"{long} {what}?"), {}).debate.debate_id for what in ("cars", "dogs")}) == 2


def test_the_same_question_about_another_document_is_another_one():
    documents = [None, Background(title="A", text="a b"), Background(title="A", text="a c")]
    assert len({build_spec(request(background=each), {}).debate.debate_id for each in documents}) == 3


def test_an_id_may_be_chosen():
    assert build_spec(request(debate_id="trial-7"), {}).debate.debate_id == "trial-7"
    with pytest.raises(ValidationError, match="debate_id"):
        request(debate_id="trial 7")


def test_the_scenario_is_written_into_the_transcript():
    meta = {"scenario_id": "s-1", "task_type": "forecast", "asset_symbol": "ACME", "required_rung": "L2"}
    made = build_spec(request(meta={**meta, "market_context": "calm"}), {})
    about = header(made.debate, made.run_id, made.created_at, made.metadata).debate_metadata
    assert about.model_dump(exclude_none=True) == {
        **meta,
        "market_context": "calm",
        "topic": "Should we?",
        "language": "en",
    }


@pytest.mark.parametrize("meta", [{"required_rung": "L9"}, {"scenario_id": "a\nb"}, {"colour": "red"}])
def test_a_scenario_that_no_transcript_could_hold_is_refused(meta):
    with pytest.raises(ValidationError):
        request(meta=meta)


def test_a_run_tells_how_it_was_made():
    assert build_spec(request(), {}).metadata.generation_mode == "improvised"
    assert build_spec(request(seats={"pro": "human"}), {}).metadata.generation_mode == "mixed"
    assert build_spec(request(model=""), LOCAL).metadata.generation_mode == "live"


def test_a_seat_names_the_version_of_what_it_was_told():
    made = [build_spec(request(personas={"pro": each}), {}) for each in ("logical", "diplomatic")]
    seats = [header(each.debate, "r", each.created_at, each.metadata).participants for each in made]
    versions = [[seat.system_prompt_version for seat in each] for each in seats]
    assert versions[0][0] != versions[1][0]
    assert versions[0][1] == versions[1][1]
    assert versions[0][0].startswith("structured/1+")


# -- further documents ---------------------------------------------------------------------

REPORT = DocumentText(title="Report", text="Nights were loud.")


def test_documents_are_numbered_after_the_background_and_named_by_seat_team_or_role():
    memo = DocumentText(title="Memo", text="Only the drivers object.", seats=("pro",))
    everyone = DocumentText(title="All", text="Everything.", seats=("pro", "con"))
    made = build_spec(request(background={"title": "Plan", "text": "Buses."}, documents=(REPORT, memo, everyone)), {})
    assert [(one.id, one.seats) for one in made.debate.documents.each] == [
        ("DOC-2", ()),
        ("DOC-3", ("pro",)),
        ("DOC-4", ()),
    ]
    assert made.texts == {"DOC-2": REPORT.text, "DOC-3": memo.text, "DOC-4": everyone.text}


def test_a_document_for_a_seat_that_is_not_there_is_refused():
    with pytest.raises(Unsuitable, match="no seat nobody in 'structured'"):
        build_spec(request(documents=(REPORT.model_copy(update={"seats": ("nobody",)}),)), {})


def test_other_documents_are_another_experiment():
    ids = {build_spec(request(documents=each), {}).debate.debate_id for each in ((), (REPORT,), (REPORT, REPORT))}
    assert len(ids) == 3


def test_documents_that_leave_no_room_in_the_window_are_refused_with_the_figures():
    long = DocumentText(title="Long", text="word " * 2_000)
    with pytest.raises(Unsuitable, match=r"the documents of pro have 1,9\d\d tokens, and 400 is the most \(40%"):
        build_spec(request(model="", documents=(long,), look_ups=0), {**LOCAL, "LLM_CONTEXT": "1000"})
    assert build_spec(request(model="", documents=(long,)), {**LOCAL, "LLM_CONTEXT": "10000"}).texts


def test_documents_that_are_too_long_for_the_prompts_are_looked_up():
    long = DocumentText(title="Long", text="word " * 2_000)
    spec = build_spec(request(model="", documents=(long,)), {**LOCAL, "LLM_CONTEXT": "1000"})
    assert (spec.debate.documents.look_ups, spec.model_specs["librarian"].provider) == (LOOK_UPS, "librarian")
    assert spec.debate.documents.digest == build_spec(request(documents=(long,)), {}).debate.documents.digest


def test_documents_that_fit_are_looked_up_only_if_that_is_asked_for():
    short = DocumentText(title="Short", text="a few words")
    asked = [build_spec(request(documents=(short,), **more), {}) for more in ({}, {"look_ups": 3})]
    assert [spec.debate.documents.look_ups for spec in asked] == [0, 3]
    assert ["librarian" in spec.debate.cast for spec in asked] == [False, True]


def test_a_background_that_leaves_no_room_is_refused_even_where_the_rest_is_looked_up():
    long = Background(title="Long", text="word " * 2_000)
    with pytest.raises(Unsuitable, match="400 is the most"):
        build_spec(
            request(model="", background=long, documents=(DocumentText(title="Short", text="a few words"),)),
            {**LOCAL, "LLM_CONTEXT": "1000"},
        )


def test_a_protocol_with_a_librarian_of_its_own_takes_no_look_ups():
    debate = build_spec(request(documents=(DocumentText(title="Short", text="a few words"),), look_ups=1), {})
    with pytest.raises(Unsuitable, match="has a seat 'librarian' of its own"):
        fitted(debate, 1)


def test_documents_for_a_model_with_an_unknown_window_have_a_limit_together():
    half = DocumentText(title="Half", text="x" * 200_001)
    with pytest.raises(Unsuitable, match="400,002 characters, and 400,000 is the most"):
        build_spec(request(documents=(half, half), look_ups=0), {})
    mine, theirs = (half.model_copy(update={"seats": (seat,)}) for seat in ("pro", "con"))
    assert build_spec(request(documents=(mine, theirs)), {}).texts
