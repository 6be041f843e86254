"""A vulnerable pin is found: by the file of advisories, by the index and by npm; silence is not taken for safety."""

import json
import threading
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tools.advisories import Found, affects, by_file, by_index, by_npm, renewed
from tools.locked import Pin, every

from tools import advisories

OLD = Pin("PyPI", "jinja2", "2.10.0")
KNOWN = json.loads(advisories.FILE.read_text("utf-8"))


def between(*events):
    return {"package": {"ecosystem": "PyPI", "name": "alpha"}, "ranges": [{"type": "ECOSYSTEM", "events": [*events]}]}


def test_no_pin_of_ours_is_named_by_the_file():
    assert [str(found) for found in by_file(every(), KNOWN["advisories"])] == []


def test_a_vulnerable_version_is_found_where_one_is_pinned():
    found = [*by_file([*every(), OLD], KNOWN["advisories"])]
    assert [(each.pin, each.advisory.split(", ")[0]) for each in found] == [
        (OLD, "PYSEC-2019-217"),
        (OLD, "PYSEC-2021-66"),
    ]


def test_the_file_names_its_date_and_its_source():
    assert date.fromisoformat(KNOWN["date"]).isoformat() == max(each["modified"][:10] for each in KNOWN["advisories"])
    assert KNOWN["source"]


@pytest.mark.parametrize(
    ("version", "expected"), [("0.9", False), ("1.0", True), ("1.4.9", True), ("1.5", False), ("2.0rc1", False),
                              ("2.0", True), ("2.1", True), ("2.1.1", False), ("not-a-version", False)]
)  # fmt: skip
def test_a_version_is_affected_between_its_events(version, expected):
    ranges = between({"introduced": "2.0"}, {"last_affected": "2.1"}, {"introduced": "1.0"}, {"fixed": "1.5"})
    assert affects(ranges, version) is expected


def test_a_version_that_is_listed_is_affected():
    assert affects({"versions": ["odd-1"]}, "odd-1")


def test_an_advisory_that_was_withdrawn_is_passed_over():
    advisory = {"id": "X", "affected": [between({"introduced": "0"})]}
    pin = Pin("PyPI", "alpha", "1.0")
    assert [*by_file([pin], [advisory])] == [Found(pin, "X", "")]
    assert [*by_file([pin], [{**advisory, "withdrawn": "2026-01-01T00:00:00Z"}])] == []


def test_the_file_is_renewed_from_a_copy_of_a_database(tmp_path):
    ours = {
        "id": "A-1",
        "modified": "2026-01-02T00:00:00Z",
        "details": "long",
        "affected": [between({"introduced": "0"})],
    }
    (tmp_path / "vulns/alpha").mkdir(parents=True)
    (tmp_path / "vulns/alpha/A-1.json").write_text(json.dumps(ours), "utf-8")
    other = "id: B-1\nmodified: 2026-03-04T00:00:00Z\naffected:\n- package: {ecosystem: PyPI, name: other}\n"
    (tmp_path / "vulns/B-1.yaml").write_text(other, "utf-8")
    made = renewed(tmp_path, [Pin("PyPI", "alpha", "1.0")])
    assert (made["date"], [each["id"] for each in made["advisories"]]) == ("2026-03-04", ["A-1"])
    assert "details" not in made["advisories"][0]


def test_a_folder_without_advisories_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="no advisory in OSV's format"):
        renewed(tmp_path, [OLD])


# -- an index of our own ---------------------------------------------------------------------


class Index(BaseHTTPRequestHandler):
    """Tells of one package, and as npm's registry of another."""

    def do_GET(self):
        told = [{"id": "PYSEC-1", "aliases": ["CVE-1"], "summary": "bad"}, {"id": "PYSEC-2", "withdrawn": "2026"}]
        self.answer({"vulnerabilities": told} if self.path == "/pypi/jinja2/2.10.0/json" else None)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        bad = {"id": 7, "url": "advisory-7", "title": "worse", "severity": "high", "vulnerable_versions": "<2.0.0"}
        self.answer({"odd": [bad]} if self.path.endswith("/advisories/bulk") else None)

    def answer(self, body):
        self.send_response(200 if body else 404)
        self.end_headers()
        self.wfile.write(json.dumps(body or {}).encode())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    with ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_index_is_asked_of_every_pin_and_what_it_does_not_tell_is_named(address):
    silent = Pin("PyPI", "unheard", "1.0")
    assert [*by_index([OLD, silent], f"{address}/simple/")] == [Found(OLD, "PYSEC-1, CVE-1", "bad"), silent]


def test_an_index_that_is_away_tells_of_nothing():
    assert [*by_index([OLD], "http://127.0.0.1:9/simple")] == [OLD]


def test_npm_tells_of_parts_of_the_pages(address, tmp_path, monkeypatch):
    lock = {"": {"dependencies": {"odd": "^1.0.0"}}, "node_modules/odd": {"version": "1.0.0"}}
    (tmp_path / "package.json").write_text('{"name": "small", "version": "1.0.0", "dependencies": {"odd": "^1.0.0"}}')
    (tmp_path / "package-lock.json").write_text(
        json.dumps({"name": "small", "version": "1.0.0", "lockfileVersion": 3, "packages": lock})
    )
    monkeypatch.setenv("npm_config_registry", address)
    odd = Pin("npm", "odd", "1.0.0")
    assert [*by_npm([odd], tmp_path)] == [Found(odd, "advisory-7", "worse")]


def test_the_index_is_the_one_of_pip_or_uv(monkeypatch):
    for name in advisories.ASKED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert advisories.index() == "http://127.0.0.1:9/simple"
    monkeypatch.setenv("UV_INDEX_URL", "http://127.0.0.1:8/simple")
    assert advisories.index() == "http://127.0.0.1:8/simple"


@pytest.mark.parametrize(("pins", "code"), [((OLD,), 1), ((Pin("PyPI", "unheard", "1.0"),), 2)])
def test_what_was_found_and_what_was_not_told_are_no_success(pins, code, address, monkeypatch, capsys):
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"{address}/simple")
    assert advisories.main(["--online"], pins) == code
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["found"], figures["untold"]) == ((3, 0) if code == 1 else (0, 1))
