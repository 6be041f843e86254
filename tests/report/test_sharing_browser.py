"""A real browser opens a shared file from disk: its own code runs, no other does, and nobody is called."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from hustings.report.formats.share import share
from hustings.report.view import view

from .dossiers import everywhere, judged
from .test_html import NASTY
from .test_sharing import PAGE

POLICY = re.compile('<meta http-equiv="Content-Security-Policy"[^>]*>')
CHROMIUM = Path("/usr/bin/chromium-headless-shell")
CODE = """
const shared = JSON.parse(document.getElementById("shared-debate").textContent);
document.getElementById("root").textContent = shared.topic + `\x01`.length;
"""
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs chromium")


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def canary():
    """Somebody who notes every call."""
    calls = []

    class Noting(BaseHTTPRequestHandler):
        def do_GET(self):
            calls.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Noting) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", calls
        server.shutdown()
        thread.join()


def page_with(code):
    first = PAGE.index("crossorigin>") + len("crossorigin>")
    return PAGE[:first] + code + PAGE[PAGE.index("</script>", first) :]


def opened(browser, tmp_path, text):
    """What it shows, the dialogs it raised, and the addresses it asked for."""
    (tmp_path / "shared.html").write_text(text, "utf-8")
    page, dialogs, asked = browser.new_page(), [], []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "shared.html").as_uri())
    page.wait_for_timeout(100)
    shown = page.locator("#root").text_content()
    page.close()
    return shown, dialogs, [url for url in asked if not url.startswith(("file:", "data:"))]


def test_its_own_code_reads_the_debate(browser, tmp_path):
    dossier = judged("structured")
    shown, _, asked = opened(browser, tmp_path, share(view(dossier), page_with(CODE)))
    assert (shown, asked) == (f"{dossier.judgement.topic}1", [])


def test_hostile_words_run_nothing(browser, tmp_path):
    words = "\n".join(NASTY)
    shown, dialogs, asked = opened(browser, tmp_path, share(view(everywhere(words)), page_with(CODE)))
    assert (shown, dialogs, asked) == (f"{words}1", [], [])


def test_code_that_somebody_adds_later_does_not_run(browser, tmp_path):
    edited = share(view(judged("structured")), page_with(CODE)).replace("</body>", "<script>alert(1)</script></body>")
    assert opened(browser, tmp_path, edited)[1] == []


def test_what_somebody_adds_later_calls_nobody(browser, tmp_path, canary):
    address, calls = canary
    added = (
        f'<img src="{address}/a"><link rel="stylesheet" href="{address}/b"><iframe src="{address}/c"></iframe></body>'
    )
    edited = share(view(judged("structured")), page_with(CODE)).replace("</body>", added)
    opened(browser, tmp_path, edited)
    assert calls == []


def test_code_of_its_own_may_call_nobody_either(browser, tmp_path, canary):
    address, calls = canary
    calling = CODE + f'fetch("{address}/a").catch(() => 0); new Image().src = "{address}/b";'
    opened(browser, tmp_path, share(view(judged("structured")), page_with(calling)))
    assert calls == []
