"""The pages: files of the bundle and nothing beside them, kept as long as they may be."""

import socket

import pytest

from .rig import fresh, served


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    bundle = folder / "dist"
    (bundle / "assets").mkdir(parents=True)
    (bundle / "index.html").write_text("<!doctype html><title>the page</title>")
    (bundle / "assets" / "index-a1b2c3.js").write_text("export {}")
    (folder / "secret.txt").write_text("not for you")
    (bundle / "assets" / "away").symlink_to(folder / "secret.txt")
    with fresh("sqlite", tmp_path_factory.mktemp("pages")) as url, served(url, bundle=bundle) as made:
        yield made


@pytest.mark.parametrize(
    "path", ["/", "/new", "/debates/a-run/transcript", "/debates/a.run", "/compare?first=a&second=b"]
)
def test_every_address_of_the_app_is_the_page(bundled, path):
    answer = bundled.http.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert "the page" in answer.text


def test_files_with_a_digest_in_their_name_are_kept_for_good(bundled):
    answer = bundled.http.get("/assets/index-a1b2c3.js")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json"])
def test_where_other_servers_describe_their_api_the_way_leads_to_ours(bundled, path):
    answer = bundled.http.get(path, follow_redirects=True)
    assert (answer.url.path, answer.json()["info"]["title"]) == ("/api/openapi.json", "hustings")


@pytest.mark.parametrize("path", ["/assets/index-old.js", "/favicon.ico", "/api/nothing", "/api/debates/x/nothing"])
def test_what_is_missing_is_missing_and_no_page(bundled, path):
    answer = bundled.http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/....//secret.txt",
        "//secret.txt",
        "/assets/away",
        "/%00secret.txt",
        "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    ],
)
def test_no_path_leads_out_of_the_bundle(bundled, path):
    assert b"not for you" not in raw(bundled, path)


@pytest.mark.parametrize("path", ["//evil.example", "//evil.example/..", "/\\evil.example", "/assets", "/debates//"])
def test_nobody_is_sent_to_another_site(bundled, path):
    head = raw(bundled, path).partition(b"\r\n\r\n")[0].lower()
    assert b"location: " not in head or b"location: http://127.0.0.1" in head


def test_without_a_bundle_it_is_said_how_to_get_it(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, bundle=tmp_path / "none") as made:
        answer = made.http.get("/")
        assert (answer.status_code, "make setup" in answer.text) == (503, True)
        assert made.http.get("/api/about").status_code == 200


def raw(site, path):
    """The path as it is: a client would tidy it up."""
    host, port = site.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        got = b""
        while piece := line.recv(2**16):
            got += piece
    return got
