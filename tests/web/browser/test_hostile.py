"""Whatever is said in a debate stays words on every page of it, served or shared: nobody is called, nothing runs."""

import json
import threading
from html.parser import HTMLParser
from itertools import product
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import quote

import pytest

from hustings.runs.registry import find_export
from hustings.web.app import BUNDLE
from tests.report.dossiers import everywhere
from tests.rig.waiting import until

from .infested import Infested
from .payloads import EVENTS, RUN, TAGS, payloads

pytestmark = pytest.mark.timeout(120)
PAGES = 6
"""Of a debate in a shared file; a server also offers to evaluate it."""
"""Of every debate: from its briefing to its replay."""
SHOWN = "main header:has(nav) + *"
"""Below the links to all of them."""
LATER = pytest.mark.nightly("seconds for each of very many pages; one of every kind is looked at on every change")
HANDLED = [f"<{tag} class=hostile {event}={RUN}>" for tag, event in product(TAGS, EVENTS)]
"""Those that Markdown leaves as they are."""


def later(*cases):
    return [pytest.param(case, marks=LATER) for case in cases]


@pytest.fixture(scope="module")
def canary():
    """Somebody who notes whoever comes, even without a word."""
    came = []

    class Noting(BaseRequestHandler):
        def handle(self):
            came.append(self.client_address)

    with ThreadingTCPServer(("127.0.0.1", 0), Noting) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}", came
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def texts(canary):
    return payloads(canary[0])


@pytest.fixture(scope="module")
def debates(site, texts):
    """Ids by name."""
    infested = Infested(site, texts)
    return {
        "first": infested.judged("structured"),
        "second": infested.judged("structured", first=90),
        "competition": infested.judged("competition", first=180),
        "one by one": infested.one_by_one(),
        "everywhere": infested.everywhere(),
        "under way": infested.under_way(),
        "broken": infested.broken(),
    }


@pytest.fixture
def harmless(canary, texts):
    """Looks at the page as it is, with all of it unfolded: nothing came of the words, and they are there."""
    host, came = canary

    def look_at(page, at, least=1):
        page.evaluate(UNFOLDED)
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate(DANGERS) == []
        assert came == []
        assert page.url.startswith(at)
        told = " ".join(page.evaluate(TOLD).replace(f" ({host})", "").split())
        shown = [text for text in texts if text.isprintable() and text.strip() and " ".join(text.split()) in told]
        assert len(shown) >= least, told[:500]
        return told

    return look_at


def test_there_are_enough_of_them(texts):
    assert len(set(texts)) >= 200


def through(look, address, harmless, least):
    """From page to page of a debate; how many there are."""
    page = look.page
    page.goto(address)
    page.wait_for_selector(SHOWN)
    tabs = page.locator("main nav").first.locator("a")
    for n in range(tabs.count()):
        tabs.nth(n).click()
        page.locator(f"main nav li:nth-child({n + 1}) a.active").wait_for()
        page.wait_for_selector(SHOWN)
        harmless(page, address, least)
    return tabs.count()


# -- served ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["first", *later("competition", "one by one", "everywhere")])
def test_the_pages_of_a_debate_show_words_and_nothing_else(looking, debates, harmless, name):
    look = looking()
    assert through(look, f"{look.base}/debates/{debates[name]}", harmless, least=200) == PAGES + 1


@pytest.mark.nightly("five hundred turns in one page")
def test_every_turn_says_what_was_said(looking, debates, harmless):
    look, path = looking(), f"/debates/{debates['one by one']}/transcript"
    page = look.at(path, "article")
    page.emulate_media(media="print")  # on paper all turns are there
    page.wait_for_function("count => document.querySelectorAll('article').length >= count", arg=500)
    told = harmless(page, f"{look.base}{path}", least=200)
    assert [text for text in HANDLED if text not in told] == []


@pytest.mark.parametrize("name", ["first", *later("one by one")])
def test_whoever_judges_is_shown_words_and_nothing_else(looking, debates, harmless, texts, name):
    look, path = looking(), f"/debates/{debates[name]}/judge"
    page = look.at(path, "textarea")
    page.fill("textarea", "\n".join(texts)[:2_000])
    harmless(page, f"{look.base}{path}", least=200)
    page.get_by_role("radio").first.check()
    page.locator("button[type=submit]").click()
    page.wait_for_selector("caption", state="attached")  # of our own tables; those in Markdown have none
    harmless(page, f"{look.base}{path}", least=200)


@pytest.mark.parametrize("name", ["under way", "broken"])
def test_whoever_watches_is_shown_words_and_nothing_else(looking, debates, harmless, name):
    look, path = looking(), f"/debates/{debates[name]}"
    page = look.at(path, "h1")
    if name == "under way":
        page.wait_for_selector("[data-turn]")
    harmless(page, f"{look.base}{path}", least=200)


def test_the_list_of_debates_is_words_and_nothing_else(looking, debates, harmless):
    look = looking()
    harmless(look.at("/", "tbody time"), f"{look.base}/", least=200)


@pytest.mark.parametrize(
    "path", ["/compare?first={first}&second={second}", *later("/stability?run={first}&run={second}")]
)
def test_debates_side_by_side_are_words_and_nothing_else(looking, debates, harmless, path):
    look, path = looking(), path.format(**debates)
    harmless(look.at(path, "table"), f"{look.base}{path}", least=200)


@pytest.mark.nightly("a debate of its own; a debate under way is watched on every change")
def test_a_motion_of_somebody_else_is_words_to_a_person_who_speaks(looking, site, texts, harmless):
    motion = "\n".join(text for text in texts if text.startswith("<"))[:2_000]
    run_id = site.begin(question=motion, seats={"con": "human"}, model="improviser")
    asked = until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])[0]
    look, path = looking(), f"/debates/{run_id}/seat/con"
    harmless(look.at(path, "textarea"), f"{look.base}{path}", least=10)
    parts = ("claim", "reasoning", "evidence")
    arguments = [{"id": f"CON-{n}", **{part: f"{texts[n]} {part} it was" for part in parts}} for n in (1, 2, 3)]
    speech = {"seat": "con", "text": json.dumps({"arguments": arguments}), "key": asked["key"]}
    said = site.http.post(f"/api/debates/{run_id}/speeches", json=speech)
    assert said.status_code == 202, said.text
    page = look.at(f"/debates/{run_id}", "[data-turn]")
    page.get_by_text("evidence it was").first.wait_for()
    harmless(page, f"{look.base}/debates/{run_id}", least=10)
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


@pytest.mark.parametrize(
    "path",
    [
        "/debates/{}/transcript",
        "/enter?back={}",
        *later(
            "/?q={}&state={}",
            "/debates/{}",
            "/debates/{}/seat/{}",
            "/debates/{}/judge",
            "/compare?first={}&second={}",
            "/stability?run={}&run={}",
            "/{}",
        ),
    ],
)
def test_an_address_is_words_and_nothing_else(looking, harmless, canary, path):
    look = looking(absent=True)
    words = quote(f"//hustings.invalid/<img class=hostile src=http://{canary[0]}/x onerror={RUN}>", safe="")
    look.page.goto(f"{look.base}{path.format(words, words)}")
    look.page.wait_for_selector("main :is(h1, [role=alert], input), pre")
    harmless(look.page, f"{look.base}/", least=0)


@pytest.mark.nightly("a page with all of them, for seconds")
def test_a_link_into_a_debate_is_words_and_nothing_else(looking, debates, harmless, texts):
    look, path = looking(), f"/debates/{debates['first']}/transcript"
    page = look.at(path, "article")
    for text in texts[::10]:
        page.evaluate("text => { location.hash = text }", text)
    harmless(page, f"{look.base}{path}", least=200)


# -- shared ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["first", *later("competition", "one by one")])
def test_a_shared_file_shows_words_and_nothing_else(looking, site, debates, harmless, tmp_path, name):
    file = tmp_path / "shared.html"
    file.write_bytes(site.http.get(f"/api/debates/{debates[name]}/export", params={"format": "share"}).content)
    assert through(looking(), file.as_uri(), harmless, least=200) == PAGES


@pytest.mark.nightly("a quarter of a minute; one shared file is read on every change")
def test_a_shared_file_with_all_of_it_everywhere_shows_words_and_nothing_else(looking, texts, harmless, tmp_path):
    file = tmp_path / "shared.html"
    file.write_text(find_export("share").render(everywhere("\n\n".join(texts))), "utf-8")
    assert through(looking(), file.as_uri(), harmless, least=200) == PAGES


@pytest.mark.parametrize("name", ["__proto__", *later("constructor", "..", "%E0%A4%A", "a/b?c#d")])
def test_a_shared_file_whose_ids_are_misleading_can_be_read(looking, harmless, tmp_path, name):
    file = tmp_path / "shared.html"
    file.write_text(find_export("share").render(everywhere(name)), "utf-8")
    assert through(looking(), file.as_uri(), harmless, least=0) == PAGES


# -- what keeps them in, should words ever get out ------------------------------------------------


class Head(HTMLParser):
    """Scripts with what stands inside them, and the policies of a page."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.policies, self.inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        about = dict(attrs)
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append((about, []))
        if about.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(about["content"])

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1][1].append(data)


def rules(policy):
    return {name: sources.split() for name, _, sources in (part.strip().partition(" ") for part in policy.split(";"))}


@pytest.mark.parametrize("path", ["/", "/new", "/debates/x/transcript", "/assets/none.js", "/api/about", "/api/none"])
def test_a_served_page_may_run_its_own_files_and_nothing_else(site, path):
    found = rules(site.http.get(path).headers["content-security-policy"])
    assert (found["default-src"], found["script-src"], found["connect-src"]) == (["'none'"], ["'self'"], ["'self'"])
    assert (found["base-uri"], found["frame-ancestors"], found["form-action"]) == (["'none'"], ["'none'"], ["'self'"])
    assert (found["require-trusted-types-for"], found["trusted-types"]) == (["'script'"], ["'none'"])


def test_the_page_as_it_is_built_has_no_code_inside():
    scripts = Head((BUNDLE / "index.html").read_text("utf-8")).scripts
    code = [about for about, inside in scripts if about.get("type") != "application/json"]
    assert [about for about in code if not about.get("src", "").startswith("/assets/")] == []
    assert ["".join(inside).strip() for _, inside in scripts] == [""] * len(scripts)


def test_a_shared_file_may_run_its_own_code_and_nothing_else():
    (policy,) = Head(find_export("share").render(everywhere("word"))).policies
    found = rules(policy)
    assert (found["default-src"], found["base-uri"], found["form-action"]) == (["'none'"], ["'none'"], ["'none'"])
    assert [source for source in found["script-src"] if not source.startswith("'sha256-")] == []
    assert "connect-src" not in found
    assert (found["require-trusted-types-for"], found["trusted-types"]) == (["'script'"], ["'none'"])


UNFOLDED = "() => document.querySelectorAll('details:not(header *)').forEach(one => { one.open = true })"
TOLD = """() => document.body.innerText + document.title
  + [...document.querySelectorAll("textarea, input, option")].map(one => one.value).join(" ")"""
DANGERS = r"""() => {
  const found = [...document.querySelectorAll(".hostile, .HOSTILE")].map(one => one.outerHTML);
  const kept = "script[src], script[type='application/json'], script[type='module']";
  for (const one of document.querySelectorAll("script, iframe, object, embed, base, meta[http-equiv=refresh]"))
    if (!one.matches(kept)) found.push(one.outerHTML);
  for (const one of document.querySelectorAll("body *"))
    for (const { name, value } of one.attributes) {
      if (name.startsWith("on")) found.push(`${one.tagName} ${name}`);
      if (name === "style" && /url\(|@import|expression/i.test(value)) found.push(`${one.tagName} ${value}`);
      const leads = ["href", "xlink:href", "src", "srcset", "action", "formaction", "poster", "background", "ping"];
      if (!leads.includes(name)) continue;
      const away = one.tagName === "A" && /^(https?:\/\/|mailto:)/.test(value);
      if (away ? one.rel !== "noopener noreferrer nofollow" : !/^(\/(?![/\\])|#|data:,|blob:)/.test(value))
        found.push(`${one.tagName} ${name}=${value}`.slice(0, 200));
    }
  return found.concat(({}).hostile === undefined ? [] : ["every object was changed"]);
}"""
