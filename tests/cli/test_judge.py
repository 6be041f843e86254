"""`hustings judge`, judging after `hustings run`, and `hustings show --briefing`, as a person uses them."""

import json
import re

import pytest

from hustings.cli.display.partial import heading_of
from hustings.engine.service import open_service
from hustings.engine.worker import Duty, Worker
from hustings.errors import NotFound, Unsuitable
from hustings.judging.judgement import Judgement
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .console import hustings
from .engine import TOPIC, debate, events_of, run


@pytest.fixture(autouse=True)
def url(tmp_path, monkeypatch):
    address = ready_sqlite_file(tmp_path)
    monkeypatch.setenv("HUSTINGS_DATABASE", address)
    monkeypatch.chdir(tmp_path)
    return address


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


@pytest.fixture
def priced(provider, monkeypatch):
    """A model for all, which costs something."""
    provider.plan(delay=0.0)
    for name, value in {
        "PROVIDER": "openai_compatible",
        "BASE_URL": provider.base_url,
        "MODEL": "m",
        "PRICE_INPUT": "1",
        "PRICE_OUTPUT": "2",
    }.items():
        monkeypatch.setenv(f"LLM_{name}", value)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A debate with its control and its judging, all in one command: where it is kept, and what was told."""
    where = ("--database", ready_sqlite_file(tmp_path_factory.mktemp("judged")))
    told = run("run", TOPIC, "-m", "improviser", "--judges", "auto", "--control", *where)
    return where, told


def run_of(judged):
    """Id of the debate."""
    return judged[1].stderr.partition(":")[0]


def audits_in(judged):
    """Ids of the runs about it, by what they are."""
    reports = json.loads(run("list", "--json", *judged[0]).stdout)
    return {report["protocol"].partition("/")[0]: report["run_id"] for report in reports}


def judgements(told):
    return [Judgement.model_validate(line) for line in told if line["kind"] == "judgement"]


def caps(told):
    return [line["cap"] for line in told if line["kind"] == "launched"]


def ended(told):
    """The runs that were had, in order."""
    return [line for line in told if line["kind"] == "done"]


# -- all in one command ----------------------------------------------------------------------


def test_a_debate_its_control_and_its_judging_can_be_had_at_once(judged):
    lines = judged[1].stdout.splitlines()
    begun = [line for line in lines if line.endswith(TOPIC)]
    headings = map(heading_of, ("structured/1", "control/1", "judging/1"))
    assert begun == [*(f"{heading}: {TOPIC}" for heading in headings), f"# {TOPIC}"]
    assert judged[1].exit_code == 0


def test_how_sure_a_verdict_is_stands_right_below_it(judged):
    _, _, told = judged[1].stdout.partition(f"# {TOPIC}\n\n")
    verdict, sure, *_ = told.split("\n\n")
    assert verdict.startswith("**Bottom line:** No clear winner")
    assert sure == "**How sure:** Not reliable. A single judge scored it."


def test_a_briefing_says_that_all_of_it_was_free(judged):
    assert "- **Cost:** Free, 6 calls + 8 for judging + 5 for control" in judged[1].stdout.splitlines()


@pytest.mark.usefixtures("priced")
def test_a_briefing_says_what_each_part_cost():
    told = run("run", TOPIC, "--judges", "auto", "--control", "--budget", 1).stdout
    (line,) = (line.replace("\\$", "$") for line in told.splitlines() if line.startswith("- **Cost:** "))
    figures = r"\$([\d.]+) \(debate \$([\d.]+), judging \$([\d.]+), control \$([\d.]+)\), .+, [\d,]+ tokens"
    total, *parts = map(float, re.fullmatch(rf"- \*\*Cost:\*\* {figures}", line).groups())
    assert total == pytest.approx(sum(parts), abs=0.0002)
    assert min(parts) > 0


def test_a_briefing_says_what_would_have_been_answered_without_a_debate(judged):
    assert "- **Without a debate:** " in judged[1].stdout


def test_a_judging_ends_with_the_command_that_shows_more_of_it(judged):
    judging = audits_in(judged)["judging"]
    assert judged[1].stderr.splitlines()[-1] == f"Read more: hustings show {judging} --briefing --depth 3"


def test_judges_that_cannot_judge_are_refused_before_the_debate_begins():
    with pytest.raises(Unsuitable, match="name models"):
        run("run", TOPIC, "-m", "improviser", "--judges", "human")
    assert run("list").stdout == ""


def test_a_debate_that_was_stopped_is_not_judged():
    told = run("run", TOPIC, "-m", "improviser", "--judges", "auto", "--max-calls", 3, "--json")
    assert (told.exit_code, len(caps(events_of(told.stdout)))) == (3, 1)


# -- caps ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("priced")
def test_one_cap_holds_for_debate_control_and_judging_together():
    told = events_of(run("run", TOPIC, "--judges", "auto", "--control", "--budget", 1, "--json").stdout)
    spent = [line["spent"] for line in ended(told)]
    assert caps(told) == pytest.approx([1, 1 - spent[0], 1 - spent[0] - spent[1]])
    assert [line["ending"] for line in ended(told)] == ["played"] * 3
    assert min(spent) > 0


@pytest.mark.usefixtures("priced")
def test_a_judging_after_a_debate_stops_where_the_cap_of_both_is_reached():
    ran = run("run", TOPIC, "--judges", "auto", "--max-calls", 9, "--json")
    told = events_of(ran.stdout)
    assert [(line["ending"], line["calls"]) for line in ended(told)] == [("played", 6), ("budget_stopped", 3)]
    assert (ran.exit_code, [found.outcome.kind for found in judgements(told)]) == (3, ["budget_stopped"])


@pytest.mark.nightly("ten seconds; one cap for all three is tried on every change")
@pytest.mark.usefixtures("priced")
def test_one_cap_holds_for_control_and_judging_together(url):
    run_id, _ = debate()
    told = events_of(run("judge", run_id, "--control", "--budget", 1, "--max-calls", 50, "--json").stdout)
    control, judging = ended(told)
    assert caps(told) == pytest.approx([1, 1 - control["spent"]])
    with open_service(url) as service:
        assert service.runs.spec(judging["run_id"]).caps.calls == 50 - control["calls"]


@pytest.mark.usefixtures("priced")
def test_a_judging_that_costs_something_gets_a_dollar_and_no_more():
    run_id, _ = debate()
    assert caps(events_of(run("judge", run_id, "--json").stdout)) == [1.0]


def test_a_control_and_its_judging_cannot_both_be_left_to_the_workers(judged):
    with pytest.raises(Unsuitable, match="leave out --detach, or --control and --summary"):
        run("judge", run_of(judged), "--control", "--detach", *judged[0])


# -- judging a debate that is over -----------------------------------------------------------


def test_as_json_the_last_line_is_the_judgement(judged):
    told = events_of(run("judge", run_of(judged), "--json", *judged[0]).stdout)
    [found] = judgements(told)
    assert (told[-1]["kind"], told[-1]["run_id"], found.judged) == ("judgement", told[0]["run_id"], run_of(judged))
    reached = [line["outcome"] for line in told if line["kind"] == "outcome_reached"]
    assert reached == [{name: value for name, value in told[-1]["outcome"].items() if value is not None}]


def test_a_judge_who_keeps_no_form_pauses_the_judging_and_another_can_take_its_place(judged, provider):
    model = f"openai_compatible/m@{provider.always('not_the_form')}"
    paused = run("judge", run_of(judged), "--judges", model, *judged[0])
    judging = re.search(r"hustings resume (\S+) --seat (judge_1|clerk)", paused.stderr)
    ended = run("resume", judging[1], *(f"--seat={seat}=improviser" for seat in ("judge_1", "clerk")), *judged[0])
    assert (paused.exit_code, ended.exit_code) == (4, 0)


@pytest.mark.nightly("a judging by three; judgings by one are held on every change")
def test_judges_may_be_named_in_one_list_or_one_by_one(judged):
    flags = ("--judges", "improviser, improviser", "--judges", "improviser")
    [found] = judgements(events_of(run("judge", run_of(judged), *flags, "--json", *judged[0]).stdout))
    assert [judge.seat for judge in found.panel] == ["judge_1", "judge_2", "judge_3"]


def test_a_judge_may_be_named_by_the_environment(judged, provider, monkeypatch):
    monkeypatch.setenv("JUDGE_LLM_PROVIDER", "openai_compatible")
    monkeypatch.setenv("JUDGE_LLM_BASE_URL", provider.base_url)
    monkeypatch.setenv("JUDGE_LLM_MODEL", "solo")
    [found] = judgements(events_of(run("judge", run_of(judged), "--json", *judged[0]).stdout))
    assert [(judge.model, judge.kin) for judge in found.panel] == [("openai_compatible/solo", False)]


@pytest.mark.nightly("a judging by three; judgings by one are held on every change")
def test_a_tier_and_the_debates_own_models_make_a_panel_of_kin(judged):
    [found] = judgements(events_of(run("judge", run_of(judged), "--tier", "standard", "--json", *judged[0]).stdout))
    assert [(judge.family, judge.kin) for judge in found.panel] == [("improviser", True)] * 3


def test_another_draw_is_another_seed(judged):
    [found] = judgements(events_of(run("judge", run_of(judged), "--draw", "x", "--json", *judged[0]).stdout))
    assert found.seed == f"x/{run_of(judged)}"


@pytest.mark.nightly("two runs; tests/runs/test_judging_spec.py compares records")
def test_the_transcript_is_the_same_before_and_after():
    run_id, _ = debate("-m", "improviser")
    before = run("show", run_id, "--transcript", "--json").stdout
    run("judge", run_id)
    assert run("show", run_id, "--transcript", "--json").stdout == before


@pytest.mark.nightly("three runs; tests/runs/test_results.py has the latest")
def test_judging_twice_gives_two_runs_of_which_the_latest_is_shown():
    run_id, _ = debate("-m", "improviser")
    runs = [events_of(run("judge", run_id, "--tier", tier, "--json").stdout)[0] for tier in ("standard", "quick")]
    [shown] = events_of(run("show", run_id, "--briefing", "--json").stdout)
    assert runs[0]["run_id"] != runs[1]["run_id"] == shown["run_id"]
    assert len(Judgement.model_validate(shown).panel) == 1


def test_what_a_judging_would_take_is_said_and_nobody_is_called(provider, priced):
    run_id, _ = debate()
    before = len(provider.calls())
    told = run("judge", run_id, "--estimate", "--control", "--budget", "0.5")
    seen = json.loads(run("judge", run_id, "--estimate", "--json").stdout)
    assert told.stdout.startswith("control + judging · about ")
    assert ("typical" in told.stdout, "worst case" in told.stdout, "budget $0.50" in told.stdout) == (True, True, True)
    assert told.stderr.endswith("To start, drop --estimate\n")
    assert (seen["cap"], [part["script"] for part in seen["parts"]]) == (1_000_000, ["judging"])
    assert (len(provider.calls()), len(json.loads(run("list", "--json").stdout))) == (before, 1)


@pytest.mark.nightly("two runs and a worker; workers begin judgings in tests/engine")
def test_a_judging_that_is_left_to_a_worker_is_carried_out_by_one(url):
    run_id, _ = debate("-m", "improviser")
    told = run("judge", run_id, "--detach")
    judging = told.stdout.strip()
    assert (f"hustings show {judging}" in told.stderr, "hustings worker" in told.stderr) == (True, True)
    with (
        Worker(url, lambda model_spec: model_of(model_spec, {}, PUBLIC_OR_LOOPBACK), Duty(polling=0.05)),
        open_service(url) as service,
    ):
        assert [event.kind for event in service.runs.follow(judging)][-2:] == ["outcome_reached", "budget_changed"]
    assert run("show", run_id, "--briefing").stdout.startswith(f"# {TOPIC}")


@pytest.mark.nightly("two runs; tests/runs/test_judging_spec.py pauses one")
def test_a_judging_that_was_paused_before_it_began_goes_on_here():
    run_id, _ = debate("-m", "improviser")
    judging = run("judge", run_id, "--detach").stdout.strip()
    run("pause", judging)
    resumed = run("resume", judging)
    assert (resumed.exit_code, "  outcome: too close" in resumed.stdout.splitlines()) == (0, True)
    assert resumed.stderr.splitlines()[-1] == f"Read more: hustings show {judging} --briefing --depth 3"


@pytest.mark.nightly("ten seconds; tests/runs/test_fork.py forks a judging on every change")
def test_a_fork_of_a_judging_pays_for_nothing_twice():
    run_id, _ = debate("-m", "improviser")
    judging = events_of(run("judge", run_id, "--json").stdout)[0]["run_id"]
    again = events_of(run("fork", judging, "--json").stdout)[-1]
    assert (again["judged"], again["protocol"], again["calls"]) == (run_id, "judging/1", 0)


@pytest.mark.nightly("two runs; tests/runs/test_judging_spec.py cancels one")
def test_a_cancelled_judging_is_over_even_if_nobody_works():
    run_id, _ = debate("-m", "improviser")
    judging = run("judge", run_id, "--detach").stdout.strip()
    run("cancel", judging)
    [shown] = events_of(run("show", judging, "--briefing", "--json").stdout)
    assert shown["outcome"] == {"kind": "cancelled", "by": "user"}


@pytest.mark.nightly("half a minute; tests/cli/test_errors.py has a wrong key on every change")
def test_a_refused_key_of_a_judge_pauses_the_judging_and_exits_with_4(provider):
    run_id, _ = debate("-m", "improviser")
    model = f"openai_compatible/m@{provider.always('status401')}"
    code, _, said = hustings("judge", run_id, "--judges", model)
    assert (code, b"refused the key" in said, b"hustings resume" in said) == (4, True, True)


# -- what cannot be judged -------------------------------------------------------------------


def test_a_run_that_is_not_there_cannot_be_judged(judged):
    with pytest.raises(NotFound, match="see your debates: hustings list"):
        run("judge", "nothing", *judged[0])


def test_a_run_that_is_not_over_cannot_be_judged():
    run_id = run("run", TOPIC, "-m", "improviser", "--detach").stdout.strip()
    with pytest.raises(Unsuitable, match=f"has not ended: hustings show {run_id}"):
        run("judge", run_id)


def test_an_audit_cannot_be_judged(judged):
    for audit in ("judging", "control"):
        with pytest.raises(Unsuitable, match="is a judging or comparison"):
            run("judge", audits_in(judged)[audit], *judged[0])


@pytest.mark.parametrize(
    ("flags", "cure"),
    [
        (("--judges", "human"), "name models"),
        (("--judges", "nonsense"), "write provider/model"),
        (("--judges", ",".join(["improviser"] * 6)), "at most 5"),
        (("--rubric", "nonsense"), "choose from answer, argument, challenge, speech"),
        (("--set", "nonsense=1"), "choose from judges, orders"),
        (("--set", "judges=5"), "choose judges with --judges and --tier"),
        (("--judges", "improviser,improviser", "--tier", "quick"), "tier quick has 1"),
        (("--options", "yes"), "at least 2"),
        (("--control", "--rubric", "nonsense"), "choose from answer, argument, challenge, speech"),
    ],
)
def test_wrong_usage_is_refused_with_its_cure_before_anything_begins(judged, flags, cure):
    before = run("list", "--json", *judged[0]).stdout
    with pytest.raises((Unsuitable, NotFound), match=cure):
        run("judge", run_of(judged), *flags, *judged[0])
    assert run("list", "--json", *judged[0]).stdout == before


@pytest.mark.nightly("a process of its own; what is refused is tried on every change")
def test_wrong_usage_exits_with_2():
    code, out, said = hustings("judge", "nothing", "--tier", "huge")
    assert (code, out, b"quick" in said) == (2, b"", True)


# -- reading ---------------------------------------------------------------------------------


def shown(judged, run_id, *flags):
    return run("show", run_id, "--briefing", *flags, *judged[0]).stdout


def test_each_depth_says_more_than_the_one_before(judged):
    first, second, third = (shown(judged, run_of(judged), "--depth", depth) for depth in (1, 2, 3))
    heads = [[line for line in text.splitlines() if line.startswith("## ")] for text in (first, second, third)]
    assert (heads[0], "## Each argument" in heads[1], "## Judges" in heads[1]) == ([], True, False)
    assert (set(heads[1]) < set(heads[2]), "## Judges" in heads[2]) == (True, True)


def test_the_second_depth_is_shown_if_none_is_named(judged):
    assert shown(judged, run_of(judged)) == shown(judged, run_of(judged), "--depth", 2)


@pytest.mark.nightly("two runs")
def test_what_is_shown_is_what_judging_told():
    run_id, _ = debate("-m", "improviser")
    told = run("judge", run_id).stdout
    assert told.endswith(run("show", run_id, "--briefing").stdout)


def test_a_depth_that_is_not_there_is_refused(judged):
    assert run("show", run_of(judged), "--briefing", "--depth", 4, *judged[0]).exit_code == 2


def test_for_a_control_the_judging_beside_which_it_stands_is_shown(judged):
    assert shown(judged, audits_in(judged)["control"]) == shown(judged, run_of(judged))


def test_whoever_has_read_all_of_a_briefing_is_pointed_to_what_was_said(judged):
    told = run("show", run_of(judged), "--briefing", "--depth", 3, *judged[0])
    assert told.stderr.splitlines() == [f"Read what was said: hustings show {run_of(judged)} --transcript"]


def test_a_run_that_was_not_judged_says_how_to_judge_it():
    run_id, _ = debate("-m", "improviser")
    with pytest.raises(Unsuitable, match=f"is not judged yet: hustings judge {run_id}"):
        run("show", run_id, "--briefing")


@pytest.mark.nightly("two runs")
def test_a_judging_that_is_not_over_says_so():
    run_id, _ = debate("-m", "improviser")
    judging = run("judge", run_id, "--detach").stdout.strip()
    with pytest.raises(Unsuitable, match=f"has not ended: .*hustings resume {judging}"):
        run("show", judging, "--briefing")


def test_the_words_of_a_debate_cannot_steer_the_terminal_from_its_briefing():
    told = run("run", "Red\x1b[31m herring?", "-m", "improviser", "--judges", "auto")
    assert "\x1b" not in told.stdout
