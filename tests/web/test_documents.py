"""Documents over HTTP: a file is read, lists and texts go to those who may read them, and no further."""

import socket

import pytest

from hustings.web.limits import FILE, MOST_BYTES, WITH_DOCUMENTS
from tests.rig.waiting import until

from .rig import MOTION, fresh, served

BYTES = {"Content-Type": "application/octet-stream"}
PLAN = "# Night buses\n\nThe last bus leaves at midnight. 👋 We propose one bus an hour until five."
REPORT = {"title": "<img src=x onerror=alert(1)>", "text": "The street was measured twice.\n\nNobody slept at all."}
OURS = {"title": "Ours", "text": "Only the drivers object to the new timetable.", "seats": ["ada"]}
THEIRS = {"title": "Theirs", "text": "The council has already paid for the signs.", "seats": ["ben"]}


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """A server with a worker; a debate of ann's that is over, and one in which Ada is a person and is asked."""
    with fresh("sqlite", tmp_path_factory.mktemp("documents")) as url, served(url, works=True) as site:
        ann = site.caller("ann")
        asked = {
            "protocol": "roundtable",
            "model": "improviser",
            "background": {"text": PLAN},
            "documents": [REPORT, OURS, THEIRS],
        }
        awaiting = site.begin(ann, **asked, seats={"ada": "human"})
        over = site.play(ann, **asked)
        until(lambda: ann.get(f"/api/debates/{awaiting}").json()["questions"])
        yield site, ann, over, awaiting


def listed(http, run_id):
    return http.get(f"/api/debates/{run_id}/documents").json()


def ids(http, run_id):
    return [one["id"] for one in listed(http, run_id)["documents"]]


def test_a_debate_lists_its_documents_with_who_reads_them(team):
    _, ann, over, _ = team
    found = listed(ann, over)["documents"]
    assert [(one["id"], one["title"], one["seats"], one["background"]) for one in found] == [
        ("DOC-1", "Night buses", [], True),
        ("DOC-2", REPORT["title"], [], False),
        ("DOC-3", "Ours", ["ada"], False),
        ("DOC-4", "Theirs", ["ben"], False),
    ]


def test_the_list_counts_the_quotes_that_stand_in_each(team):
    _, ann, over, _ = team
    found = listed(ann, over)
    quoted = [one["document"] for one in found["quotes"] if one["accepted"]]
    assert quoted
    assert {one["id"]: one["accepted"] for one in found["documents"]} == {
        one["id"]: quoted.count(one["id"]) for one in found["documents"]
    }


def test_a_document_is_read_with_its_passages_and_its_quotes(team):
    _, ann, over, _ = team
    for one in listed(ann, over)["documents"]:
        found = ann.get(f"/api/debates/{over}/documents/{one['id']}").json()
        for quote in found["quotes"]:
            words = found["text"][quote["start"] : quote["end"]]
            assert " ".join(words.split()) == quote["excerpt"]["words"]
        assert found["passages"][0]["id"] == f"{one['id']}.1"


def test_a_debate_with_a_background_alone_lists_it(team):
    site, ann, *_ = team
    run_id = site.begin(ann, background={"text": PLAN})
    assert ids(ann, run_id) == ["DOC-1"]
    assert ann.get(f"/api/debates/{run_id}/documents/DOC-1").json()["text"] == PLAN


def test_a_debate_without_documents_lists_none(team):
    site, ann, *_ = team
    assert listed(ann, site.begin(ann)) == {"documents": [], "quotes": []}


@pytest.mark.parametrize("when", ["over", "awaiting"])
def test_a_seat_link_reads_shared_documents_and_its_own_alone(team, when):
    site, _, over, awaiting = team
    run_id = {"over": over, "awaiting": awaiting}[when]
    ada = site.caller("ann", "seat", run_id, "ada")
    assert ids(ada, run_id) == ["DOC-1", "DOC-2", "DOC-3"]
    answers = [ada.get(f"/api/debates/{run_id}/documents/DOC-{n}").status_code for n in range(1, 6)]
    assert answers == [200, 200, 200, 404, 404]


def test_a_seat_link_gets_no_byte_of_another_sides_document_by_any_route(team):
    site, _, over, _ = team
    ada = site.caller("ann", "seat", over, "ada")
    paths = ("", "/view", "/documents", "/documents/DOC-2", "/documents/DOC-4")
    found = [ada.get(f"/api/debates/{over}{path}").json() for path in paths]
    assert "Theirs" not in str(found)
    quotes = [*found[1]["quotes"], *found[2]["quotes"]]
    assert not [one for one in quotes if one["document"] == "DOC-4" and (one["excerpt"] or one["start"] >= 0)]


def test_while_it_goes_on_a_seat_link_gets_quotes_of_what_it_may_read(team):
    site, ann, _, awaiting = team
    ada = site.caller("ann", "seat", awaiting, "ada")
    (question,) = ada.get(f"/api/debates/{awaiting}").json()["questions"]
    quoted = {one["turn"] for one in listed(ada, awaiting)["quotes"]}
    assert quoted <= set(question["readable"])
    assert quoted <= {one["turn"] for one in listed(ann, awaiting)["quotes"]}


def test_a_viewer_reads_all_and_a_judge_what_all_could_read(team):
    site, _, over, awaiting = team
    viewer, judge = site.caller("ann", "viewer"), site.caller("ann", "judge")
    assert (len(ids(viewer, over)), ids(judge, over)) == (4, ["DOC-1", "DOC-2"])
    assert judge.get(f"/api/debates/{awaiting}/documents").status_code == 409


@pytest.mark.parametrize("name", ["DOC-0", "doc-1", "DOC-1.1", "DOC-1%00", "DOC-99999"])
def test_what_is_no_id_of_a_document_is_refused(team, name):
    _, ann, over, _ = team
    assert ann.get(f"/api/debates/{over}/documents/{name}").status_code in {404, 422}


# -- a file is read ------------------------------------------------------------------------


def read(http, content, name, **headers):
    return http.post("/api/documents/read", params={"name": name}, content=content, headers={**BYTES, **headers})


def test_a_file_is_read_to_its_title_and_text(still):
    answer = read(still.http, PLAN.encode(), "plan.md")
    assert (answer.status_code, answer.json()) == (
        200,
        {"title": "Night buses", "text": PLAN, "words": 16, "pages": None, "media": "markdown"},
    )


def test_what_was_read_can_be_debated(still):
    found = read(still.http, b"<title>T</title><p>Loud nights.</p><script>x</script>", "a.html").json()
    assert found["text"] == "Loud nights."
    run_id = still.begin(documents=[{name: found[name] for name in ("title", "text", "media")}])
    (kept,) = still.state.operator.runs.spec(run_id).debate.documents.each
    assert (kept.title, kept.media) == ("T", "html")


@pytest.mark.parametrize("title", ["x" * 290, "<script>alert(1)</script>"])
def test_every_title_that_is_read_is_accepted_with_the_debate(still, title):
    page = f"<title>{title.replace('<', '&lt;')}</title><p>Loud nights.</p>"
    found = read(still.http, page.encode(), "a.html").json()
    assert found["title"] == title
    still.begin(documents=[{"title": found["title"], "text": found["text"]}])


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "empty.txt"),
        (b"\xff\xfe\x00", "half.txt"),
        (b"\xe9t\xe9", "latin.txt"),
        (b"a\0b", "nul.txt"),
        (b"\x89PNG\r\n", "picture.txt"),
        (b"PK\x03\x04broken", "archive.zip"),
        (b"<div hidden>" * 5_000, "deep.html"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words_without_its_name(still, content, name):
    answer = read(still.http, content, f"secret-plan/{name}")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["title"]
    assert name not in answer.text


@pytest.mark.parametrize("name", ["", "a\nb", "a\0b", "x" * 256])
def test_a_name_that_is_none_is_refused(still, name):
    assert read(still.http, b"Words.", name).status_code == 422


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\keys.txt", "/etc/hostname"])
def test_a_name_is_never_opened(still, name):
    assert read(still.http, b"Only these words.", name).json()["text"] == "Only these words."


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data"])
def test_a_file_comes_as_bytes_alone(still, kind):
    assert read(still.http, b"Words.", "a.txt", **{"Content-Type": kind}).status_code == 415


def test_a_file_may_be_longer_than_other_requests_and_not_endless(still):
    words = b"word " * (MOST_BYTES // 5 + 100)
    assert read(still.http, words, "long.txt").status_code == 200
    host, port = still.url.removeprefix("http://").split(":")
    head = f"POST /api/documents/read?name=a HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {FILE.bytes + 1}\r\n"
    with socket.create_connection((host, int(port)), timeout=5) as line:
        line.sendall(f"{head}Content-Type: application/octet-stream\r\n\r\n".encode())
        assert line.recv(100).split(b" ")[1] == b"413"


def test_a_debate_may_bring_more_than_two_megabytes_of_documents(still):
    """Each is as long as one may be; what a model can hold is another matter."""
    documents = [{"title": f"Part {n}", "text": "word " * 79_999} for n in range(6)]
    asked = {"question": MOTION, "judges": "none", "documents": documents, "look_ups": 0}
    answer = still.http.post("/api/estimates", json=asked)
    assert answer.status_code == 422
    assert "is the most" in answer.json()["title"]
    assert MOST_BYTES < len(answer.request.content) < WITH_DOCUMENTS.bytes


def test_a_file_from_another_site_is_refused(still):
    assert read(still.http, b"Words.", "a.txt", Origin="http://127.0.0.1:9").status_code == 403
