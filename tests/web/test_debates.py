"""Debates over HTTP: begun once, listed, steered, taken up again, judged and forgotten."""

import threading

import pytest

from tests.rig.waiting import until

from .rig import MOTION


def test_a_debate_is_begun_played_and_judged(site):
    run_id = site.play(judges="auto", follows=1)
    state = site.http.get(f"/api/debates/{run_id}").json()
    assert (state["report"]["ending"], state["viewable"]) == ("played", True)
    assert [report["protocol"].split("/")[0] for report in state["follows"]] == ["judging"]


def test_what_follows_can_include_a_control(site):
    run_id = site.play(control=True, judges=["improviser"], follows=2)
    follows = site.http.get(f"/api/debates/{run_id}").json()["follows"]
    assert [report["protocol"].split("/")[0] for report in follows] == ["control", "judging"]


def test_the_answer_says_where_it_is(site):
    answer = site.http.post("/api/debates", json={"question": MOTION, "judges": "none"})
    assert answer.headers["location"] == f"/api/debates/{answer.json()['run_id']}"
    assert site.http.get(answer.headers["location"]).status_code == 200


def test_the_same_request_under_one_key_is_one_debate(still):
    body, headers = {"question": MOTION, "judges": "none"}, {"Idempotency-Key": "once"}
    runs = {still.http.post("/api/debates", json=body, headers=headers).json()["run_id"] for _ in range(3)}
    assert len(runs) == 1


def test_requests_under_one_key_at_the_same_time_are_one_debate(still):
    body, headers, runs = {"question": MOTION, "judges": "none"}, {"Idempotency-Key": "at-once"}, []

    def ask():
        runs.append(still.http.post("/api/debates", json=body, headers=headers).json()["run_id"])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(runs), len(set(runs))) == (8, 1)


def test_another_request_under_the_same_key_is_a_conflict(still):
    headers = {"Idempotency-Key": "twice"}
    still.http.post("/api/debates", json={"question": MOTION, "judges": "none"}, headers=headers)
    answer = still.http.post("/api/debates", json={"question": "Another?", "judges": "none"}, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (409, "application/problem+json")


def test_pages_of_the_list_hold_every_debate_once_and_the_newest_first(still):
    begun = [still.begin(question=f"Question {n}?") for n in range(7)]
    found, cursor = [], ""
    while cursor is not None:
        page = still.http.get("/api/debates", params={"limit": 3, "cursor": cursor, "q": "Question"}).json()
        found += [debate["run_id"] for debate in page["debates"]]
        cursor = page["next"]
    assert found == begun[::-1]


def test_the_list_is_searched_and_filtered(still):
    run_id = still.begin(question="Ought zebras to be counted?")
    asked = {"q": "zebras", "state": "waiting"}
    assert [d["run_id"] for d in still.http.get("/api/debates", params=asked).json()["debates"]] == [run_id]
    assert still.http.get("/api/debates", params={**asked, "state": "ended"}).json()["debates"] == []


def test_a_cursor_that_leads_nowhere_is_refused(still):
    assert still.http.get("/api/debates", params={"cursor": "nowhere"}).status_code == 422


def test_a_sign_that_no_database_keeps_is_refused(still):
    assert still.http.get("/api/debates", params={"q": "a\0b"}).status_code == 422
    assert still.http.post("/api/debates", json={"question": "a\0b", "model": "improviser"}).status_code == 422


def test_a_debate_pauses_goes_on_and_is_stopped(site):
    run_id = site.begin(seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    assert site.http.post(f"/api/debates/{run_id}/pause").status_code == 202
    assert site.http.post(f"/api/debates/{run_id}/resume").status_code == 202
    assert site.http.post(f"/api/debates/{run_id}/cancel").status_code == 202
    site.ended(run_id)
    assert site.http.get(f"/api/debates/{run_id}").json()["report"]["ending"] == "cancelled"
    assert site.http.post(f"/api/debates/{run_id}/resume").status_code == 409


def test_a_paused_debate_goes_on_with_another_model_in_a_seat_or_without_it(site):
    run_id = site.begin(model="improviser", seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    site.http.post(f"/api/debates/{run_id}/pause")
    refused = site.http.post(f"/api/debates/{run_id}/resume", json={"seats": {"pro": "openai/gpt-9"}})
    taken = site.http.post(f"/api/debates/{run_id}/resume", json={"without": ["pro"]})
    events = site.state.operator.runs.events(run_id)
    site.http.post(f"/api/debates/{run_id}/cancel")
    assert (refused.status_code, taken.status_code) == (422, 202)
    assert [event.seats for event in events if event.kind == "resumed"] == [{"pro": "silent"}]


def test_a_debate_that_was_never_queued_is_queued_when_it_is_resumed(site):
    spec = site.state.operator.runs.spec(site.play())
    left_over = spec.model_copy(update={"run_id": f"{spec.run_id}-again", "lineage": f"{spec.run_id}-again"})
    site.state.operator.control.enter_here(left_over)
    assert site.http.post(f"/api/debates/{left_over.run_id}/resume").status_code == 202
    assert site.ended(left_over.run_id)


def test_a_fork_repeats_what_was_said_before_its_turn(site):
    run_id = site.play()
    answer = site.http.post(f"/api/debates/{run_id}/forks", json={"turn": "r2.t0"})
    forked = site.ended(answer.json()["run_id"])
    old, new = (site.http.get(f"/api/debates/{run}/view").json()["speeches"] for run in (run_id, forked))
    assert [s["words"] for s in old if s["round"] == 1] == [s["words"] for s in new if s["round"] == 1]


def test_a_fork_from_a_turn_that_is_not_there_is_refused(site):
    run_id = site.play()
    answer = site.http.post(f"/api/debates/{run_id}/forks", json={"turn": "r9.t9"})
    assert (answer.status_code, answer.json()["fields"]) == (422, ["turn"])


def test_a_debate_is_judged_again_under_a_key_once(site):
    run_id = site.play()
    calls = [
        site.http.post(
            f"/api/debates/{run_id}/verdicts", json={"judges": ["improviser"]}, headers={"Idempotency-Key": "verdict"}
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in calls] == [202, 202]
    assert len({answer.json()["run_id"] for answer in calls}) == 1
    site.ended(run_id, follows=1)
    assert site.http.get(f"/api/debates/{run_id}/view").json()["judgement"] is not None


def test_a_debate_is_evaluated_and_its_figures_are_read(site):
    run_id = site.play()
    assert site.http.get(f"/api/debates/{run_id}/evaluation").status_code == 404
    asked = {"judges": ["improviser"], "parts": ["crit"]}
    foreseen = site.http.post(f"/api/debates/{run_id}/evaluations/estimates", json=asked).json()
    assert foreseen["rows"][0]["what"] == "evaluation"
    begun = site.http.post(f"/api/debates/{run_id}/evaluations", json=asked).json()["run_id"]
    site.ended(begun)
    found = site.http.get(f"/api/debates/{run_id}/evaluation").json()
    assert (found["run_id"], found["x_hustings"]["evaluation_run_id"]) == (run_id, begun)
    assert found["x_hustings"]["badges"][0] == "judged by its own family"
    assert found["run_summary"]["crit_summary"]["threshold_pass"] is None
    assert "pass" in found["run_summary"]["t3_summary"]


def test_a_debate_that_goes_on_is_neither_judged_nor_forgotten_nor_read(still):
    run_id = still.begin()
    http = still.http
    assert http.post(f"/api/debates/{run_id}/verdicts", json={}).status_code == 409
    assert http.post(f"/api/debates/{run_id}/evaluations", json={}).status_code == 409
    assert http.delete(f"/api/debates/{run_id}").status_code == 409
    assert http.get(f"/api/debates/{run_id}/view").status_code == 409


def test_a_debate_that_is_over_is_forgotten_with_its_judging(site):
    run_id = site.play(judges=["improviser"], follows=1)
    judging = site.http.get(f"/api/debates/{run_id}").json()["follows"][0]["run_id"]
    assert site.http.delete(f"/api/debates/{run_id}").status_code == 204
    assert [site.http.get(f"/api/debates/{run}").status_code for run in (run_id, judging)] == [404, 404]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"model": "openai/gpt-6"}, "model"),
        ({"model": "openai_compatible/x@http://127.0.0.1:1/v1"}, "model"),
        ({"seats": {"pro": "ollama/llama3.2"}}, "seats"),
        ({"judges": ["human"]}, "judges"),
        ({"judges": ["openai/gpt-6"]}, "judges"),
        ({"protocol": "quarrel"}, "protocol"),
        ({"protocol": "judging"}, "protocol"),
        ({"settings": {"rounds": "many"}, "protocol": "roundtable"}, "settings"),
        ({"budget": -1}, "budget"),
        ({"question": ""}, "question"),
    ],
)
def test_what_is_not_offered_or_does_not_fit_is_refused_by_its_field(still, asked, field):
    answer = still.http.post("/api/debates", json={"question": MOTION, "judges": "none", **asked})
    assert answer.status_code == 422
    assert [name.split(".")[0] for name in answer.json()["fields"]] == [field]


@pytest.mark.parametrize("path", ["debates", "estimates"])
def test_people_alone_are_told_to_choose_judges_where_no_model_is_named(still, path):
    asked = {"question": MOTION, "model": "human", "judges": "auto"}
    told = still.http.post(f"/api/{path}", json=asked).json()
    assert (told["title"], told["fields"], told["fix"]) == ("Choose judges, or No judging.", ["judges"], "")


def test_an_estimate_for_people_alone_counts_the_default_model_that_judges(still):
    asked = {"question": MOTION, "model": "improviser", "seats": {"pro": "human", "con": "human"}, "judges": "auto"}
    found = still.http.post("/api/estimates", json=asked).json()
    assert [row["what"] for row in found["rows"]] == ["structured", "judging"]


def test_an_estimate_calls_nobody_and_says_whether_the_budget_holds(still):
    before = len(still.state.operator.runs.latest(most=1000))
    found = still.http.post("/api/estimates", json={"question": MOTION, "control": True, "budget": 0.5}).json()
    assert [row["what"] for row in found["rows"]] == ["structured", "control", "judging"]
    assert (found["within"], found["budget"]) == (True, 0.5)
    assert found["total"]["calls"] == [sum(row["calls"][n] for row in found["rows"]) for n in (0, 1)]
    assert len(still.state.operator.runs.latest(most=1000)) == before


def test_what_judging_once_more_would_take_is_told_and_nobody_is_called(site, played):
    before = len(site.state.operator.runs.latest(most=1000))
    asked = {"judges": ["improviser"], "control": True}
    found = site.http.post(f"/api/debates/{played}/estimates", json=asked).json()
    assert [row["what"] for row in found["rows"]] == ["control", "judging"]
    assert (found["within"], found["total"]["dollars"]) == (True, [0, 0])
    assert 0 < found["rows"][1]["calls"][0] <= found["rows"][1]["calls"][1]
    assert len(site.state.operator.runs.latest(most=1000)) == before


def test_about_says_what_may_be_done_here(still):
    found = still.http.get("/api/about").json()
    assert found["owner"] == "local"
    assert [model["name"] for model in found["models"]] == ["improviser"]
    assert {card["name"] for card in found["protocols"]} >= {"structured", "competition", "roundtable"}
    assert {"html", "json", "md"} <= set(found["formats"])


@pytest.mark.parametrize("name", ["md", "html", "json", "csv", "transcript", "jsonl", "argdown"])
def test_a_debate_that_is_over_is_a_file_in_every_format(site, played, name):
    answer = site.http.get(f"/api/debates/{played}/export", params={"format": name})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="{played}.')
    assert answer.headers["content-security-policy"] == "sandbox"


def test_a_format_that_is_none_is_refused(site, played):
    assert site.http.get(f"/api/debates/{played}/export", params={"format": "docx"}).status_code == 422


@pytest.fixture(scope="module")
def played(site):
    return site.play(judges=["improviser"], follows=1)


def test_a_blind_view_names_no_model(site, played):
    view = site.http.get(f"/api/debates/{played}/view", params={"blind": True}).json()
    assert (view["judgement"], {seat["model"] for seat in view["seats"]}) == (None, {""})


def test_a_debate_may_come_with_a_document(site):
    text = "# Night buses\n\nThe last bus should leave at two."
    run_id = site.play(question="Is it sound?", background={"text": text})
    view = site.http.get(f"/api/debates/{run_id}/view").json()
    assert (view["topic"], view["background"]) == ("Is it sound?", {"title": "Night buses", "words": 9, "text": text})
    assert site.http.get(f"/api/debates/{run_id}").json()["report"]["topic"].endswith("document of 9 words)")


@pytest.mark.parametrize(
    "document", [{"text": " "}, {"text": "a\0b"}, {"text": "x" * 400_001}, {"title": "t"}, "words"]
)
def test_a_document_that_cannot_be_read_is_refused(still, document):
    answer = still.http.post("/api/debates", json={"question": MOTION, "background": document})
    assert answer.status_code == 422
    assert answer.json()["fields"][0].removeprefix("body.").startswith("background")


def test_a_debate_may_come_with_further_documents(site):
    documents = [{"text": "Nights were loud.", "title": "Noise"}, {"text": "Drivers object.", "seats": ["pro"]}]
    run_id = site.play(question="Is it sound?", documents=documents)
    view = site.http.get(f"/api/debates/{run_id}/view").json()
    assert [(one["id"], one["title"], one["seats"]) for one in view["documents"]] == [
        ("DOC-1", "Noise", []),
        ("DOC-2", "Drivers object.", ["pro"]),
    ]


@pytest.mark.parametrize(
    "document",
    [{"text": " "}, {"text": "a\0b"}, {"text": "x" * 400_001}, {"file": "plan.md"}, "plan.md"],
)
def test_a_further_document_that_cannot_be_read_is_refused(still, document):
    answer = still.http.post("/api/debates", json={"question": MOTION, "documents": [document]})
    assert answer.status_code == 422
    assert answer.json()["fields"][0].removeprefix("body.").startswith("documents")


def test_the_server_reads_no_file_for_a_request(still):
    document = {"text": "Words.", "path": "/etc/hostname"}
    assert still.http.post("/api/debates", json={"question": MOTION, "documents": [document]}).status_code == 422


def test_a_document_for_a_seat_that_is_not_there_is_refused_by_the_server(still):
    documents = [{"text": "Words.", "seats": ["nobody"]}]
    assert still.http.post("/api/debates", json={"question": MOTION, "documents": documents}).status_code == 422
