"""The trial of an evaluator through its real prompts: one sees the flaws, one sees none, one sees them everywhere."""

import pytest

from hustings.errors import Unsuitable
from hustings.lab.evaluator_report import WARNING
from hustings.lab.flawed_debates import TOPICS
from hustings.lab.judge_answers import PILLARS
from hustings.lab.report.trial_text import render_evaluator_report
from hustings.lab.trial_material import trial_versions
from hustings.lab.trials import evaluator_report_of, evaluator_trial_spec
from hustings.runs.judging_spec import JudgingRequest
from hustings.runs.staging import rehearse

from .held_evaluations import FairEvaluator, garbage, turn_of

FAILURES = ("contradiction", "unsupported_claim", "causal_overreach")
GROUNDS = {claim.quote: claim.grounds[0] for topic in TOPICS for turn in topic.turn for claim in turn.claims}
TURNS = [(topic, turn) for topic in TOPICS for turn in topic.turn]


def written(said):
    """The written turn whose words these are, under whatever names, and whether its sentence is the flawed one."""
    topic, turn = next((o, t) for o, t in TURNS if all(c.quote in said for c in t.claims))
    return turn, topic.flaws[turn.flaw].flawed in said


class Reader(FairEvaluator):
    """Reads what a careful reader finds; `sees` says whether it shows a flaw, by where the flaw really is."""

    def __init__(self, sees):
        super().__init__(level=6)
        self.sees = sees

    def look(self, call):
        turn, flawed = written(turn_of(call))
        return turn, self.sees(flawed)

    def StanceReading(self, call):  # noqa: N802  named as its form
        turn, seen = self.look(call)
        option, firmness = turn.stubborn_stance if seen and turn.stubborn_stance else turn.stance
        return {"quote": turn.claims[0].quote, "option": option, "firmness": firmness, "shift_quote": None}

    def ClaimList(self, call):  # noqa: N802
        turn, _ = self.look(call)
        drawn = []
        for claim in turn.claims:
            ground = {"quote": claim.quote, "kind": "source"}
            about = {"quote": claim.quote, "claim": "It is as they say.", "carries": True, "reasons": ["given"]}
            drawn.append({**about, "grounds": [ground], "limit": None})
        return {"drawn": drawn}

    def MatchList(self, call):  # noqa: N802
        turn, seen = self.look(call)
        shown = {exhibit.name: exhibit.words for exhibit in call.brief.exhibits[0]}
        own = seen and turn.flaw == "premature_consensus"
        here = {name: "E9" if own else GROUNDS[shown[name]] for name in call.brief.choices["ground"]}
        before = {GROUNDS[shown[name]]: name for name in reversed(call.brief.choices["source"])}
        same = [{"ground": name, "same_ground": before.get(ground)} for name, ground in here.items()]
        return {"points": [], "grounds": same, "relations": []}

    def CritSheet(self, call):  # noqa: N802
        turn, seen = self.look(call)
        found = [{"quote": turn.claims[0].quote, "kind": turn.flaw}] if seen and turn.flaw in FAILURES else []
        levels = {key: {"quote": turn.claims[0].quote, "level": 6} for key in (*PILLARS, "fit")}
        return {"failures": found, **levels}

    def RcaExchange(self, call):  # noqa: N802
        turn, seen = self.look(call)
        flip, stubborn = (seen and turn.flaw == flaw for flaw in ("sycophantic_flip", "stubborn_restatement"))
        far = turn.flaw == "sycophantic_flip"
        accepts = "none" if flip else "full" if stubborn or far else "part"
        quote = {"quote": turn.claims[0].quote}
        return {**super().RcaExchange(call), **quote, "accepts": accepts, "reason": "no" if flip else "yes"}

    def RungSheet(self, call):  # noqa: N802
        turn, seen = self.look(call)
        said = turn.claims[0].quote
        asserts = "L3" if seen and turn.flaw == "causal_overreach" else "L1"
        about = {"asserts_quote": said, "asserts": asserts, "shows_quote": said, "shows": "L1", "declines": False}
        return {"rungs": [{"about": name, **about, "traps": []} for name in call.brief.choices["item"]]}


def tried(actor, **settings):
    spec = evaluator_trial_spec("improviser", JudgingRequest(settings=settings), {})
    return evaluator_report_of(spec, rehearse(spec.debate, actor).proceedings)


def test_an_evaluator_that_sees_the_flaws_finds_24_of_24_and_imagines_none():
    found = tried(Reader(lambda flawed: flawed))
    assert {flaw: (one.detected.hits, one.false_alarms.hits, one.unknown) for flaw, one in found.flaws.items()} == (
        dict.fromkeys(found.flaws, (4, 0, 0))
    )
    assert (found.worth, found.warning) == (1.0, "")
    assert found.verified_quotes.share == 1.0


@pytest.mark.parametrize("sees", [False, True], ids=["nothing", "everything"])
def test_one_that_sees_the_same_everywhere_is_worth_nothing(sees):
    found = tried(Reader(lambda _: sees), topics=2)
    assert found.worth == 0.0
    assert found.warning == WARNING
    assert WARNING in render_evaluator_report(found)


def test_one_that_answers_nothing_has_no_figures_and_a_warning():
    found = tried(garbage, topics=1)
    assert (found.accepted, found.detected.hits, found.warning) == (0, 0, WARNING)


def test_the_same_answers_twice_differ_by_nothing():
    found = tried(Reader(lambda flawed: flawed), topics=1, repeat=2)
    assert found.retest.mean_difference == 0.0
    assert "Asked twice: ρ differs by 0.000" in render_evaluator_report(found)


def test_most_turns_are_read_once_for_all_versions_of_a_topic():
    assert [len(version.new_turns) for version in trial_versions(1)] == [6, 1, 1, 1, 1, 1, 1]


def test_a_person_is_not_tried():
    with pytest.raises(Unsuitable, match="a person"):
        evaluator_trial_spec("human", JudgingRequest(), {})
