"""What a client has already is not sent again; what is large is sent compressed; no secret is."""

import gzip
import json
import statistics
import sys
from time import perf_counter

import httpx2 as httpx
import pytest

from hustings.web.app import accepted

from .rig import fresh, served

SECONDS = 0.020
GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def judged(site):
    return site.play(model="improviser", judges=["improviser"], follows=1)


def etag(answer):
    assert answer.status_code == 200, answer.text
    return answer.headers["etag"]


PARTS = ["/view", "/view?blind=true", "/view?part=verdict", "/view?part=opening"]
PATHS = [*PARTS, "/export?format=json", "/export?format=md"]


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_has_the_current_version_is_sent_nothing(site, judged, path):
    where = f"/api/debates/{judged}{path}"
    held = etag(site.http.get(where))
    again = site.http.get(where, headers={"If-None-Match": f'"other", {held}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", held)


def test_the_list_is_sent_again_when_something_changes(site, judged):
    held = {"If-None-Match": etag(site.http.get("/api/debates"))}
    same = site.http.get("/api/debates", headers=held).status_code
    site.http.patch(f"/api/debates/{judged}", json={"tags": ["new"]})
    assert (same, site.http.get("/api/debates", headers=held).status_code) == (304, 200)


def test_a_view_is_sent_again_when_the_debate_is_judged_again(site):
    run_id = site.play(model="improviser")
    where = f"/api/debates/{run_id}/view"
    held = {"If-None-Match": etag(site.http.get(where))}
    site.http.post(f"/api/debates/{run_id}/verdicts", json={"judges": ["improviser"]})
    site.ended(run_id, follows=1)
    assert site.http.get(where, headers=held).json()["judgement"]


def test_what_one_may_not_see_has_another_tag(site, judged):
    asked = ("", "?blind=true", "?part=verdict", "?part=verdict&blind=true", "?part=opening")
    assert len({etag(site.http.get(f"/api/debates/{judged}/view{what}")) for what in asked}) == len(asked)


def test_an_unchanged_view_is_told_within_twenty_milliseconds(site, judged):
    """A busy machine takes longer, and as much longer for a bare answer: then five times that is the limit."""
    where = f"/api/debates/{judged}/view"
    held = {"If-None-Match": etag(site.http.get(where))}
    told, bare = [], []
    for _ in range(20):  # by turns, so that a busy moment meets both
        assert timed(told, lambda: site.http.get(where, headers=held)).status_code == 304
        assert timed(bare, lambda: site.http.get("/api/panels")).status_code == 200
    sys.stdout.write(f"304: best {min(told):.4f} s, median {statistics.median(told):.4f} s; bare {min(bare):.4f} s\n")
    assert min(told) <= max(SECONDS, 5 * min(bare))


def timed(taken, ask):
    begun = perf_counter()
    answer = ask()
    taken.append(perf_counter() - begun)
    return answer


def test_a_large_answer_is_compressed_for_those_who_read_it(site, judged):
    where = f"/api/debates/{judged}/view"
    plain = site.http.get(where, headers={"Accept-Encoding": "identity"})
    with site.http.stream("GET", where, headers=GZIP) as answer:
        raw = b"".join(answer.iter_raw())
    assert "content-encoding" not in plain.headers
    assert answer.headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(raw)) == plain.json()
    assert len(raw) < len(plain.content) / 3


def test_the_event_stream_is_never_compressed(site, judged):
    with site.http.stream("GET", f"/api/debates/{judged}/events", headers=GZIP) as answer:
        assert "content-encoding" not in answer.headers


def test_an_answer_with_a_secret_is_not_compressed(tmp_path):
    """The link is made long, so that its answer is worth compressing."""
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        ann = site.caller("ann")
        run_id = site.begin(ann, seats={"con": "human"}, model="improviser", debate_id="d" * 120)
        answer = ann.post(f"/api/debates/{run_id}/links", json={"seat": "con"}, headers=GZIP)
        assert (answer.status_code, answer.headers.get("content-encoding")) == (201, None)


@pytest.mark.parametrize(
    ("header", "codings"),
    [
        ("", []),
        ("gzip, deflate, br, zstd", ["br", "gzip"]),
        ("BR;q=0.5,gzip;q=1.0", ["br", "gzip"]),
        ("br;q=0, gzip; q=0.0", []),
        ("xgzip", []),
    ],
)
def test_the_smallest_coding_that_a_client_reads_comes_first(header, codings):
    assert accepted(header) == codings


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    bundle = tmp_path_factory.mktemp("packed")
    (bundle / "assets").mkdir()
    (bundle / "index.html").write_text("<!doctype html><title>the page</title>")
    for end, content in (("", b"plain"), (".br", b"brotli"), (".gz", b"gzip")):
        (bundle / "assets" / f"index-a1.js{end}").write_bytes(content)
    with fresh("sqlite", tmp_path_factory.mktemp("packed-db")) as url, served(url, bundle=bundle) as made:
        yield made


@pytest.mark.parametrize(("accept", "sent"), [("br, gzip", b"brotli"), ("gzip", b"gzip"), ("identity", b"plain")])
def test_a_script_is_sent_as_it_was_compressed_when_the_pages_were_built(packed, accept, sent):
    with packed.http.stream("GET", "/assets/index-a1.js", headers={"Accept-Encoding": accept}) as answer:
        assert b"".join(answer.iter_raw()) == sent
    headers = answer.headers
    assert "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith("text/javascript")
    assert headers.get("content-encoding") == {b"brotli": "br", b"gzip": "gzip"}.get(sent)


def test_the_page_itself_is_asked_for_each_time_and_sent_once(packed):
    first = packed.http.get("/")
    again = packed.http.get("/", headers={"If-None-Match": etag(first)})
    assert (first.headers["cache-control"], again.status_code) == ("no-cache", 304)


def test_a_stranger_is_refused_and_not_told_that_nothing_has_changed(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        held = {"If-None-Match": etag(site.caller("ann").get("/api/debates"))}
        with httpx.Client(base_url=site.url, headers=held) as stranger:
            assert stranger.get("/api/debates").status_code == 401
