"""An imported debate is a record like any other, except that nothing in it can be asked again."""

import json
from hashlib import sha256

import pytest

from hustings.db import activity
from hustings.errors import NotFound, Unsuitable
from hustings.judging.verdict import STRANGERS
from hustings.llm.improviser import Improviser
from hustings.runs.dossiers import dossier, judgement
from hustings.runs.evaluation_spec import EvaluationRequest, evaluation_spec
from hustings.runs.fork import fork
from hustings.runs.imported import events_of, import_debates
from hustings.runs.judging_spec import JudgingRequest, control_spec, judgement_of, judging_spec
from hustings.runs.recording import dump, load, record
from hustings.runs.registry import exports, find_protocol, protocols
from hustings.runs.staging import plan, rehearse
from hustings.transcript.canonical import digest
from hustings.transcript.imports.recognise import HowToRead
from hustings.transcript.models import Transcript
from hustings.transcript.record import fold
from hustings.transcript.rules import check_document
from tests.transcript.imports.foreign import EVERY, NAMED, TOPIC, transcript

pytestmark = pytest.mark.both_databases

TEXT = f"{TOPIC}\nAda: Yes, they are loud.\nBen: No, shops need them.\nAda: Shops gain.\nBen: They do not.".encode()
JUDGES = JudgingRequest(judges=("improviser",), tier="quick")
UNBUILT = {"share"}
"""Needs the pages, which tests of the browser build."""


@pytest.fixture
def bring(rig):
    def bring(content=TEXT, *, owner="local", name="debate.txt", **how):
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        found = import_debates(rig.runs.acting_for(owner), raw, name, HowToRead(**how), "user:ann")
        return found[0] if how.get("item") != "all" else found

    return bring


def own(name, **more):
    """A transcript with a run_id of its own: tests share one database."""
    return transcript(["ada", "ben"], ["ben", "ada"], run_id=name, **more)


def test_it_is_listed_as_over_and_imported(rig, bring):
    found = bring()
    report = rig.runs.read(found.run_id)
    assert (report.state, report.ending, report.protocol, report.topic) == ("ended", "played", "imported/1", TOPIC)
    assert report.run_id in {each.run_id for each in rig.runs.latest(most=1_000)}
    assert (report.imported, report.is_debate, report.judged) == (True, True, "")


def test_its_spec_says_imported_and_keeps_the_digest_of_the_file(rig, bring):
    spec = rig.runs.spec(bring().run_id)
    assert (spec.made, spec.imported.shape, spec.imported.name) == ("imported", "text", "debate.txt")
    assert spec.imported.digest == sha256(TEXT).hexdigest()
    assert spec.model_specs == {}


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.shape)
def test_its_log_folds_to_its_transcript(rig, bring, file):
    content = file.content.encode() if isinstance(file.content, str) else file.content
    found = bring(content, **file.how)
    kept = rig.seen(found.run_id)
    assert kept.told.transcript == kept.proceedings.transcript
    assert (kept.findings, kept.told.ending.kind) == ([], "played")


def test_a_transcript_keeps_its_bytes_and_its_digest(rig, bring):
    written = Transcript.model_validate(own("kept-as-it-is")).document()
    found = bring(written)
    document = rig.runs.finished(found.run_id).document()
    assert found.run_id == "kept-as-it-is"
    assert document["integrity"]["digest"] == digest(written)
    assert {name: part for name, part in document.items() if name != "integrity"} == written


def test_the_same_file_gives_the_same_run_and_says_so(rig, bring):
    text = TEXT.replace(b"loud", b"fast")
    first, second = bring(text), bring(text, name="other.txt")
    assert (first.before, second.before, first.run_id) == (False, True, second.run_id)
    assert [each.run_id for each in rig.runs.latest(most=1_000)].count(first.run_id) == 1


def test_another_question_makes_another_run(bring):
    first, second = bring(TEXT), bring(TEXT, topic="Another?")
    assert (first.run_id == second.run_id, second.question) == (False, "Another?")


def test_all_debates_of_a_file_become_runs(bring):
    said = [{"role": "assistant", "content": "Words."}]
    several = {f"Question {n}?": [[said, said], n] for n in range(3)}
    assert [one.question for one in bring(several, item="all")] == [f"Question {n}?" for n in range(3)]


@pytest.mark.parametrize("protocol", sorted(protocols()))
def test_a_transcript_of_every_protocol_comes_back_the_same_and_can_be_judged(rig, bring, protocol):
    played = rehearse(plan(find_protocol(protocol), TOPIC, model="improviser"), Improviser()).proceedings
    found = bring(played.document())
    kept = rig.runs.finished(found.run_id)
    assert (kept.document(), found.unknown) == (played.document(), ())
    spec = judging_spec(rig.runs.spec(found.run_id), kept, JUDGES, {})
    assert judgement_of(spec.debate, rehearse(spec.debate, Improviser()).proceedings)


# -- ids -------------------------------------------------------------------------------------


def test_a_transcript_of_this_database_is_found_again(rig, bring):
    run_id = rig.play().run_id
    found = bring(rig.runs.finished(run_id).document())
    assert (found.run_id, found.before, rig.runs.read(run_id).imported) == (run_id, True, False)


def test_a_taken_id_is_left_to_its_run(rig, bring):
    first, second = bring(own("taken")), bring(own("taken", debate_id="another"))
    assert (first.run_id, second.before) == ("taken", False)
    assert second.run_id != "taken"
    assert any("'taken' is taken here" in remark for remark in second.remarks)
    assert rig.runs.finished(second.run_id).transcript.run_id == second.run_id
    assert bring(own("taken", debate_id="another")).run_id == second.run_id


def test_no_file_can_call_itself_last(bring):
    assert bring(own("last")).run_id != "last"


def test_an_import_belongs_to_its_owner_alone(rig, bring):
    text = TEXT.replace(b"loud", b"large")
    anns, bobs = bring(text, owner="ann"), bring(text, owner="bob")
    assert (anns.before, bobs.before, anns.run_id == bobs.run_id) == (False, False, False)
    with pytest.raises(NotFound):
        rig.runs.acting_for("bob").read(anns.run_id)


def test_an_id_that_another_owner_has_is_not_told_apart_from_a_free_one(bring):
    anns, bobs = bring(own("shared"), owner="ann"), bring(own("shared"), owner="bob")
    assert (anns.run_id, bobs.before) == ("shared", False)
    assert bobs.run_id not in ("shared", anns.run_id)


def test_no_answer_of_a_run_is_reached_through_its_id(rig, bring):
    found = bring(own("lineage-of-others"))
    assert rig.runs.spec(found.run_id).lineage != found.run_id
    assert rig.runs.answers(found.run_id) == {}


def test_where_no_id_is_free_it_is_refused_in_words(bring, monkeypatch):
    monkeypatch.setattr("hustings.runs.imported.MOST_IDS", 0)
    bring(own("none-free"))
    with pytest.raises(Unsuitable, match="no id is free"):
        bring(own("none-free", debate_id="another"))


def test_the_activity_log_tells_who_imported_it(rig, bring):
    found = bring(TEXT.replace(b"loud", b"red"))
    with rig.database.reading() as db:
        (row,) = activity.latest(db, 5, subject=found.run_id)
    assert (row.actor, row.action) == ("user:ann", "debate imported")


# -- what can be done with it ----------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(exports().keys() - UNBUILT))
def test_it_is_exported_in_every_format(rig, bring, form):
    found = bring()
    assert exports()[form].render(dossier(rig.runs, found.run_id))


def test_what_it_cost_is_not_known(rig, bring):
    assert dossier(rig.runs, bring().run_id).expenses == ()


def test_it_is_recorded_and_replayed(rig, bring):
    made = record(rig.runs, bring().run_id)
    assert load(dump(made), "a.jsonl.gz").proceedings == made.proceedings


def judged(rig, run_id):
    spec = judging_spec(rig.runs.spec(run_id), rig.runs.finished(run_id), JUDGES, {})
    rig.control.enter_here(spec)
    rig.worker.start(spec.run_id)
    rig.ended(spec.run_id)
    return spec, judgement(rig.runs, run_id)


def test_it_is_judged_with_a_warning_that_the_debaters_are_unknown(rig, bring):
    spec, found = judged(rig, bring().run_id)
    assert spec.debate.settings["debaters"] == ["unknown"]
    assert STRANGERS in found.degraded
    assert found.judged == spec.judged


def test_an_evaluation_knows_that_the_debaters_are_unknown(rig, bring):
    run_id = bring().run_id
    spec = evaluation_spec(
        rig.runs.spec(run_id), rig.runs.finished(run_id), EvaluationRequest(judges=("improviser",)), {}
    )
    assert spec.debate.settings["debaters"] == ["unknown"]


def test_models_that_the_file_names_are_known_and_never_called(rig, bring):
    document = own("with-models")
    for seat, model in zip(document["participants"], ("improviser", "x@http://127.0.0.9/gpt-9"), strict=True):
        seat["model_name"] = model
    found = bring(document)
    spec = judging_spec(rig.runs.spec(found.run_id), rig.runs.finished(found.run_id), JUDGES, {})
    assert (found.unknown, found.badges) == ((), ())
    assert spec.debate.settings["debaters"] == ["gpt", "improviser"]
    assert {model.provider for model in spec.model_specs.values()} == {"improviser"}


def test_people_are_no_unknown_debaters(bring):
    document = own("of-people")
    for seat in document["participants"]:
        seat["tags"] = ["human"]
    assert bring(document).unknown == ()


def test_without_judges_the_error_names_the_option(rig, bring):
    found = bring()
    with pytest.raises(Unsuitable, match="--judges"):
        judging_spec(rig.runs.spec(found.run_id), rig.runs.finished(found.run_id), JudgingRequest(), {})


def test_it_is_never_forked_nor_has_a_control(rig, bring):
    run_id = bring().run_id
    with pytest.raises(Unsuitable, match="imported and can't be forked"):
        fork(rig.runs, run_id)
    with pytest.raises(Unsuitable, match="a control asks the debate's own models"):
        control_spec(rig.runs.spec(run_id), rig.runs.finished(run_id), JUDGES, {}, 100)


def test_it_is_neither_steered_nor_queued(rig, bring):
    run_id = bring().run_id
    assert [rig.control.steer(run_id, control) for control in ("pause", "go", "cancel")] == [False] * 3
    assert rig.control.enqueue(run_id) == []


def test_it_is_deleted_like_any_other(rig, bring):
    found = bring(TEXT.replace(b"loud", b"green"))
    rig.control.forget(found.run_id)
    assert not rig.runs.exists(found.run_id)
    assert bring(TEXT.replace(b"loud", b"green")).before is False


def test_a_document_that_its_transcript_keeps_is_read_by_judges(rig, bring):
    about = {"topic": TOPIC, "x_background": {"title": "A plan", "words": 2, "text": "Two words."}}
    found = bring(own("with-a-document", debate_metadata=about))
    assert rig.runs.spec(found.run_id).debate.background.title == "A plan"


@pytest.mark.parametrize(("language", "kept"), [("de-CH", "de-CH"), ("no language!", "en"), (None, "en")])
def test_a_language_that_is_none_is_not_taken_over(rig, bring, language, kept):
    found = bring(own(f"in-{kept}-{len(language or '')}", debate_metadata={"topic": TOPIC, "language": language}))
    assert rig.runs.spec(found.run_id).debate.language == kept


@pytest.mark.parametrize("name", ["/home/ann/secret/a.txt", "C:\\secret\\a.txt", "a.txt"])
def test_only_the_name_of_the_file_is_kept(rig, bring, name):
    found = bring(TEXT.replace(b"loud", name.encode()), name=name)
    assert rig.runs.spec(found.run_id).imported.name == "a.txt"


def test_events_of_a_transcript_fold_to_it():
    whole = Transcript.model_validate(NAMED)
    assert fold(events_of(whole)).transcript.document() == whole.document()
    assert check_document(whole.document()) == []
