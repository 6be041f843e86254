"""Every way in makes the same checks: a table of ways and checks, each tried with the real command, server or tool."""

import asyncio
import json
from functools import partial

import pytest

from hustings import Debate
from hustings.config.plan_run import USUAL_BUDGET
from hustings.config.variables import variables
from hustings.db.tokens import Access, Credential
from hustings.engine.service import open_service
from hustings.errors import HustingsError
from hustings.llm.local_servers import find
from hustings.mcp.answering import answer_tool
from hustings.mcp.local import LocalCaller
from hustings.mcp.over_http import TokenCaller
from hustings.mcp.shapes import StartArguments
from hustings.web.server_state import RequestContext
from tests.cli.engine import run
from tests.rig.postgres import ready_sqlite_file
from tests.web.rig import served

PAID, AWAY, DIVERTED = "openai/gpt-4o", "openai_compatible/away@http://127.0.0.1:9/v1", "openai_compatible/m"
OFFERED = (PAID, AWAY, DIVERTED, "improviser")
LONG = "many words " * 2_000


class Ways:
    """Each method asks for a debate in its way, and returns the run spec that is on record."""

    def __init__(self, url, folder):
        self.url, self.folder = url, folder

    def newest(self):
        with open_service(self.url) as service:
            found = service.runs.latest(most=1)
            return service.runs.spec(found[0].run_id)

    def options(self, seat="", document="", protocol="structured", look_ups=None):
        seats = ["--seat", f"{'con' if protocol == 'structured' else 'debater'}={seat}"] if seat else []
        documents = ["--file", self.document(document), "--file", self.document(document, "b.txt")] if document else []
        looked_up = [] if look_ups is None else ["--look-ups", look_ups]
        return ["-p", protocol, *seats, *documents, *looked_up, "--database", self.url]

    def document(self, text, name="a.txt"):
        file = self.folder / name
        file.write_text(text, "utf-8")
        return file

    def run(self, question, model="", **more):
        run("run", question, *(["-m", model] if model else []), *self.options(**more), "--detach")
        return self.newest()

    def start(self, question, model="", **more):
        run("start", question, *self.options(seat=model, **more))
        return self.newest()

    def batch(self, question, model="", document="", **more):
        run("batch", self.lines(question, model, document, **more), "--detach", "--database", self.url)
        return self.newest()

    def lines(self, question, model="", document="", **more):
        documents = [self.document(document).name] if document else []
        file = self.folder / "many.jsonl"
        file.write_text(json.dumps({"question": question, "model": model, "documents": documents, **more}), "utf-8")
        return file

    def python(self, question, model="", document="", **more):
        documents = [document] if document else []
        made = Debate(question, model=model or None, documents=documents, database=self.url, **more)
        if model == AWAY:
            made.run()  # servers are asked when it begins
        return made._spec

    def web(self, question, model="", document="", **more):
        body = {"question": question, "model": model, **more}
        body |= {"documents": [{"text": document}]} if document else {}
        return self.posted("/api/debates", body)

    def posted(self, path, body):
        with self.server() as site:
            answer = site.http.post(path, json=body)
            if answer.status_code != 202:
                raise HustingsError(f"{answer.json()['title']} {answer.json()['why']}")
        return self.newest()

    def server(self):
        return served(self.url, look=variables, find=partial(find, ports=()), allowed=OFFERED)

    def assistant(self, question, model="", protocol="structured"):
        return self.tool(LocalCaller, question=question, model=model, protocol=protocol)

    def assistant_by_token(self, question, model="", protocol="structured"):
        with self.server() as site:
            caller = TokenCaller(RequestContext(site.state, Access("local"), Credential(), "127.0.0.1"))
            return self.tool(lambda _: caller, question=question, model=model, protocol=protocol)

    def assistant_plays(self, question, protocol="structured"):
        return self.tool(LocalCaller, question=question, brain="you", protocol=protocol)

    def tool(self, caller_of, **arguments):
        with open_service(self.url) as service:
            asyncio.run(answer_tool(caller_of(service), None, StartArguments(**arguments)))
        return self.newest()

    def estimate(self, question, model):
        return json.loads(run("run", question, "-m", model, "--estimate", "--json").stdout)["expected"]["calls"]

    def estimate_of_a_batch(self, question, model):
        return json.loads(run("batch", self.lines(question, model), "--estimate", "--json").stdout)["expected"]["calls"]

    def estimate_on_the_web(self, question, model):
        with self.server() as site:
            answer = site.http.post("/api/estimates", json={"question": question, "model": model})
        return answer.json()["total"]["calls"][0]

    def estimate_in_python(self, question, model):
        return Debate(question, model=model, database=self.url).estimate().expected.calls

    def old(self, question, protocol):
        run("run", question, "-m", "improviser", "-p", protocol, "--judges", "none", "--database", self.url)
        return self.newest().run_id

    def fork(self, question, model="", protocol="structured"):
        run("fork", self.old(question, protocol), "-m", model, "--detach", "--database", self.url)
        return self.newest()

    def fork_on_the_web(self, question, model="", protocol="structured"):
        old = self.old(question, protocol)
        seats = dict.fromkeys(("pro", "con"), model) if protocol == "structured" else {"debater": model}
        return self.posted(f"/api/debates/{old}/forks", {"seats": seats})


@pytest.fixture
def ways(machine, tmp_path):
    machine.has(NO_COLOR="1", COLUMNS="100")
    return Ways(ready_sqlite_file(tmp_path), machine.work)


NEW = ("run", "start", "batch", "python", "web", "assistant", "assistant_by_token", "assistant_plays")
FORKS = ("fork", "fork_on_the_web")
WITH_MODELS = tuple(way for way in (*NEW, *FORKS) if way != "assistant_plays")
JUDGED = ("run", "batch", "python", "web", "assistant", "assistant_by_token")
WITH_DOCUMENTS = ("run", "start", "batch", "python", "web")
ESTIMATES = ("estimate", "estimate_of_a_batch", "estimate_on_the_web", "estimate_in_python")
QUESTION = "Should towns close their centres to cars?"


def every(*names):
    return pytest.mark.parametrize("way", names)


@every(*NEW)
def test_a_question_of_the_users_own_catalogue_is_known(way, ways, machine):
    machine.user(f'catalogue = "{ways.folder}"\n')
    (ways.folder / "topics.toml").write_text('[topics.mine]\ntext = "Should my town ban cars?"\n', "utf-8")
    model = {} if way == "assistant_plays" else {"model": "improviser"}
    assert getattr(ways, way)("topic: mine", **model).debate.topic == "Should my town ban cars?"


@every(*(way for way in NEW if way not in {"start", "assistant_plays"}))
def test_a_model_is_found_here_for_seats_without_one(way, ways, machine):
    machine.has(OPENAI_API_KEY="sk-nobody-calls-this")
    assert all(spec.model for spec in getattr(ways, way)(QUESTION).model_specs.values())


@every(*WITH_MODELS)
def test_a_paid_debate_without_a_budget_gets_one(way, ways, machine):
    machine.has(OPENAI_API_KEY="sk-nobody-calls-this")
    assert getattr(ways, way)(QUESTION, model=PAID).caps.money == USUAL_BUDGET


@every(*WITH_MODELS)
def test_a_protocol_that_goes_by_its_budget_is_told_it(way, ways, machine):
    machine.has(OPENAI_API_KEY="sk-nobody-calls-this")
    settings = getattr(ways, way)(QUESTION, model=PAID, protocol="adaptive").debate.settings
    assert settings["budget"] == 1.0
    assert settings["extended_cost"] > 0


@every(*WITH_MODELS)
def test_no_key_goes_to_an_address_that_a_shared_folder_chose(way, ways, machine):
    machine.has(LLM_API_KEY="sk-secret")
    machine.project('[llm]\nprovider = "openai_compatible"\nmodel = "m"\nbase_url = "https://elsewhere.example/v1"\n')
    with pytest.raises(HustingsError, match=r"key LLM_API_KEY comes from elsewhere"):
        getattr(ways, way)(QUESTION, model=DIVERTED)


@every(*JUDGED)
def test_judges_that_cannot_judge_are_refused_before_the_debate(way, ways, machine):
    machine.has(JUDGE_LLM_PROVIDER="human", JUDGE_LLM_MODEL="human")
    with pytest.raises(HustingsError, match="people can't be judges"):
        getattr(ways, way)(QUESTION, model="improviser")


@every(*WITH_MODELS)
def test_a_local_server_must_answer(way, ways, machine):
    with pytest.raises(HustingsError, match=r"no answer from 127\.0\.0\.1:9"):
        getattr(ways, way)(QUESTION, model=AWAY)


@every(*WITH_DOCUMENTS)
def test_documents_must_leave_room_to_think(way, ways, machine):
    machine.has(LLM_PROVIDER="openai", LLM_MODEL="gpt-4o", LLM_CONTEXT="1000", OPENAI_API_KEY="sk-nobody-calls-this")
    model = {"model": PAID} if way == "start" else {}
    with pytest.raises(HustingsError, match=r"the documents of (pro|con) have"):
        getattr(ways, way)(QUESTION, document=LONG, look_ups=0, **model)


@every(*NEW)
def test_a_protocol_must_be_known(way, ways):
    with pytest.raises(HustingsError, match=r"(?i)(unknown|no) protocol"):
        getattr(ways, way)(QUESTION, protocol="oxford")


@every(*ESTIMATES)
def test_an_estimate_needs_neither_a_key_nor_a_server(way, ways):
    assert getattr(ways, way)(QUESTION, AWAY) > 0
