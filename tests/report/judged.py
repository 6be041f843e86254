"""Judgements of five debates, made by hand."""

from hustings.judging.arguments import QuestionLeftOpen
from hustings.judging.board import Board, Individual, Penalised, StageTotals, Team
from hustings.judging.briefing import brief
from hustings.judging.judgement import (
    ArgumentResult,
    Briefing,
    Changed,
    Control,
    Flag,
    Flip,
    Gap,
    IssueResult,
    Judge,
    Judgement,
    Reliability,
    StrengthChange,
    Total,
    Votes,
)
from hustings.judging.marks import Observation
from hustings.judging.verdict import Verdict
from hustings.transcript.notes import Deadlocked, Decided, NoQuorum, TooClose
from tests.judging.givens import Given

SHARED = ("reliability", "totals", "gap", "trace", "votes", "control", "issues", "settled", "board", "names")
TWO_SIDES = ("structured", "competition")


def judged(questions=(), **parts):
    """A judgement with the briefing that follows from it."""
    bare = Judgement(
        **{
            "judged": "d-7f3", "digest": "sha256:9f2c41d0", "policy": "standing-1", "rubrics": ("argument/1",),
            "seed": "d-7f3/judging", "orders": 2, "degraded": (), "totals": (), "trace": (), "briefing": Briefing(),
            **parts,
        }
    )  # fmt: skip
    shared = {name: getattr(bare, name) for name in SHARED}
    seen = [Observation("judge-1", 0, {row.id: {"mark": row.score} for row in bare.trace if row.score is not None})]
    found = Given(
        **shared,
        pair=("pro", "con") if bare.protocol.startswith(TWO_SIDES) else None,
        by_speech=bare.board is not None,
        measured=(seen, {"mark": 1.0}, {row.id: row.side for row in bare.trace}, {}),
        questions=[QuestionLeftOpen(*one) for one in questions],
    )
    verdict = Verdict(bare.outcome, bare.reason, bare.degraded)
    return bare.model_copy(update={"briefing": brief(found, verdict)})


def traced(claim_id, claim, standing, strength, **more):
    side = claim_id.split("-")[0].lower()
    word = WORDS[standing]
    return ArgumentResult(
        **{
            "id": claim_id, "seat": side, "side": side, "turn_id": "r1.t0", "claim": claim, "standing": standing,
            "strength": strength, "examined": "Nobody challenged it", "reason": f"{word}: Con conceded it.", **more,
        }
    )  # fmt: skip


WORDS = {
    "upheld": "Upheld", "partially_upheld": "Partly upheld", "refuted": "Refuted", "withdrawn": "Withdrawn",
    "uncertain": "Unsettled",
}  # fmt: skip


def judges(*accepted, asked=4):
    models = ["claude-x", "gpt-x", "gemini-x"]
    families = ["anthropic", "openai", "google"]
    return tuple(
        Judge(seat=f"judge-{n + 1}", model=models[n], family=families[n], asked=asked, accepted=sheets, kin=n == 1)
        for n, sheets in enumerate(accepted)
    )


STARTUP = "Should a startup of fewer than ten people adopt microservices from day one?"
TRACE = (
    traced(
        "PRO-1",
        "Independent deployment shortens the release cycle more than fivefold, as a survey of 30,000 teams found.",
        "partially_upheld", 0.4853, interval=(0.401, 0.553), second_opinion=0.51, certainty=0.87,
        shares={"partially_upheld": 0.87, "refuted": 0.13}, examined="Con challenged it, Pro answered",
        reason="Partly upheld: Con's challenge was strong (7.4 of 10), and Pro's answer met part of that (5.5).",
        contributions=(
            StrengthChange(response="con.r1", kind="challenge", by="con", share=-0.242),
            StrengthChange(response="pro.a1", kind="answer", by="pro", share=0.1334),
        ),
        flip=Flip(what="Con's challenge", now=7.4, then=9.3, standing="refuted"), score=6.9,
    ),
    traced(
        "PRO-2", "Each service can take the language that suits it best.", "refuted", 0.2112, interval=(0.12, 0.31),
        second_opinion=0.34, certainty=1.0, shares={"refuted": 1.0}, examined="Con disputed it, Pro answered",
        reason="Refuted: Con's refutation was strong (8.5 of 10), "
        "and Pro's answer left most of the refutation standing (3.0).",
        contributions=(StrengthChange(response="con.r2", kind="refute", by="con", share=-0.45),),
        flip=Flip(what="Pro's answer", now=3.0, then=5.2, standing="partially_upheld"), score=5.1,
    ),
    traced(
        "PRO-3", "Faults stay in one service.", "uncertain", 0.59, interval=(0.44, 0.71), second_opinion=0.6,
        certainty=0.58, shares={"upheld": 0.42, "partially_upheld": 0.58}, guards=("panel divided",),
        examined="Con accepted it in part, no answer", score=6.0,
        reason="Unsettled: Con's partial objection was fair (5.9 of 10), and got no answer. "
               "Judges are split: partly upheld in 58% of resamples, upheld in 42%.",
    ),
    traced(
        "CON-1", "Ten people cannot run a distributed system and build a product at the same time.", "upheld", 0.7731,
        interval=(0.69, 0.84), second_opinion=0.68, certainty=0.964,
        shares={"upheld": 0.964, "partially_upheld": 0.036}, examined="Pro disputed it, Con answered", score=8.2,
        reason="Upheld: Pro's refutation was strong (8.1 of 10), and Con's answer met it (9.1).",
        contributions=(
            StrengthChange(response="pro.r1", kind="refute", by="pro", share=-0.0769),
            StrengthChange(response="con.a1", kind="answer", by="con", share=0.5),
        ),
        flip=Flip(what="Con's answer", now=9.1, then=6.8, standing="partially_upheld"),
    ),
    traced(
        "CON-2", "Service boundaries drawn before the domain is known are drawn wrongly.", "upheld", 0.9,
        certainty=0.995, interval=(0.88, 0.92), second_opinion=0.7, shares={"upheld": 0.995, "partially_upheld": 0.005},
        examined="Pro conceded it", reason="Upheld: Pro conceded it.", score=6.8,
        contributions=(StrengthChange(response="pro.r2", kind="concede", by="pro", share=0.4),),
    ),
)  # fmt: skip
GOOD = Reliability(
    word="good", items=5, judges=3, observations=6, alpha=0.834, alpha_interval=(0.61, 0.93), icc_single=0.79,
    icc_panel=0.92, kendall_w=0.81, order_flip_rate=0.0, position_bias=0.12, length_slope=-0.04, mean_difference=0.7,
    remarks=("Only 5 scored items (10 are better)",),
)  # fmt: skip

DECIDED = judged(
    protocol="structured/1", topic=STARTUP, panel=judges(4, 4, 4), trace=TRACE, reliability=GOOD,
    outcome=Decided(what="con", extent="full", margin=1.5, interval=(0.72, 2.11)),
    reason="Con argued better, by 1.5 points out of 10 (95% range 0.7 to 2.1).",
    totals=(
        Total(side="pro", score=6.0, interval=(5.6, 6.5), scored=3, unscored=0),
        Total(side="con", score=7.5, interval=(7.1, 7.8), scored=2, unscored=0),
    ),
    gap=Gap(sides=("pro", "con"), value=-1.5, interval=(-2.11, -0.72), word="lead"),
    flags=(
        Flag(kind="appeal to authority", about="PRO-1", seat="pro", quote="a survey of 30,000 teams found",
             families=("anthropic", "openai")),
        Flag(kind="false_dilemma", about="CON-1", seat="con", quote="cannot run a distributed system and build",
             families=("google",)),
    ),
    control=Control(
        comparable=True, options=("yes", "no"), single="no", majority="no", debate="no",
        said="Same answer with and without debate: no (2 of 3 models without it). "
             "1 of 3 models changed their answer after reading the debate, each with a reason.",
        changed=(Changed(voice="gemini-x", before="yes", after="no", cited="CON-2"),),
        debate_tokens=14210, control_tokens=960,
    ),
    questions=(
        ("PRO-1", "Does the survey separate architecture from team size?"),
        ("PRO-2", "Who reviews code in the fifth language?", True),
        ("CON-1", "does the survey separate architecture  from team size?"),
    ),
)  # fmt: skip

TOO_CLOSE = judged(
    protocol="structured/1", topic=STARTUP, panel=judges(4, 0, 3), trace=TRACE[2:4],
    degraded=("No judge of the family openai gave usable scores", "The judges disagree (α 0.41)"),
    reliability=Reliability(
        word="do not rely", items=2, judges=2, observations=4, alpha=0.41, order_flip_rate=0.5, position_bias=0.8,
        remarks=("Only 2 scored items (10 are better)", "Order matters: arguments read first scored 0.8 points higher"),
    ),
    outcome=TooClose(margin=0.4, interval=(-0.4, 1.2), reasons=("The sides are less than a point apart",)),
    reason="The sides are less than a point apart.",
    totals=(
        Total(side="pro", score=6.4, interval=(5.9, 7.2), scored=1, unscored=1),
        Total(side="con", score=6.0, interval=(5.6, 6.3), scored=1, unscored=0),
    ),
    gap=Gap(sides=("pro", "con"), value=0.4, interval=(-0.4, 1.2), word="evenly matched"), dropped=1,
)  # fmt: skip

NO_QUORUM = judged(
    protocol="structured/1", topic=STARTUP, panel=judges(4, 0, 0),
    degraded=("No judge of the family openai gave usable scores", "No judge of the family google gave usable scores"),
    reliability=Reliability(word="do not rely", items=0, judges=1, observations=2),
    outcome=NoQuorum(needed=4, had=2, families=("anthropic",), abstentions=4),
    reason="Too few judges gave usable scores: 2 of 6 readings count, 4 are needed.",
    totals=(Total(side="pro", score=None, scored=0, unscored=3), Total(side="con", score=None, scored=0, unscored=3)),
)  # fmt: skip


def debater(seat, penalties, *scores):
    speeches = {f"r{n}.{seat}": score for n, score in enumerate(scores, 1)}
    given = [score for score in scores if score is not None]
    return Individual(
        seat=seat, team=seat[:3], speeches=speeches, penalties=penalties, total=sum(given) + penalties,
        per_speech=sum(given) / len(given) if given else None,
    )  # fmt: skip


COMPETITION = judged(
    protocol="competition/1", topic="This house would ban targeted advertising", panel=judges(12, 11, 12, asked=12),
    reliability=GOOD.model_copy(update={"items": 7, "word": "tentative", "alpha": 0.71}), rubrics=("speech/1",),
    outcome=Decided(what="pro", extent="full", margin=1.3, interval=(0.5, 2.2)),
    reason="Pro argued better, by 1.3 points out of 10 (95% range 0.5 to 2.2).", trace=(),
    totals=(Total(side="pro", score=7.4, scored=4, unscored=0), Total(side="con", score=6.1, scored=3, unscored=1)),
    gap=Gap(sides=("pro", "con"), value=1.3, interval=(0.5, 2.2), word="lead"),
    flags=(Flag(kind="counter_question", about="r2.con_2", seat="con_2", quote="And what would you ban next?",
                families=("anthropic", "google")),),
    board=Board(
        individuals=(debater("pro_1", 0, 7.9, 7.1), debater("pro_2", -2, 7.2, 7.4), debater("con_1", 0, 7.3, 7.7),
                     debater("con_2", -2, 3.3, None)),
        teams=(Team(team="pro", speeches=29.6, penalties=-5, total=24.6, per_speech=7.4),
               Team(team="con", speeches=18.3, penalties=-2, total=16.3, per_speech=6.1)),
        penalties=(
            Penalised(rule="overtime", seat="pro_2", team="pro", turn_id="r2.t3", individual=-2, on_team=-3,
                      found_by="rules"),
            Penalised(rule="counter_question", seat="con_2", team="con", turn_id="r2.t4", individual=-2, on_team=0,
                      found_by="panel", families=("anthropic", "google")),
        ),
        stages=(
            StageTotals(label="opening", teams={"pro": 7.9, "con": 7.5}, clashes=("Is consent real?",)),
            StageTotals(label="cross-examination", teams={"pro": 19.7}, dropped=("The cost to small shops",)),
        ),
        best=("pro_1", "con_1"),
    ),
)  # fmt: skip

DEADLOCK = judged(
    protocol="moderated/1", topic="Is our launch plan sound?", panel=judges(4, 4, 4), trace=(),
    degraded=("Only the moderator judged what was agreed", "1 of 3 judges is the same kind of model as a speaker"),
    reliability=Reliability(word="tentative", items=0, judges=3, observations=6, alpha=0.7),
    outcome=Deadlocked(issues=("D-1", "D-2")), reason="No issue was agreed: D-1, D-2.",
    issues={"D-1": "deadlocked", "D-2": "open"},
    settled=(
        IssueResult(id="D-1", question="Can support staff cope with the launch?", state="deadlocked",
                    says={"ada": "yes, with two more people", "ben": "no"}),
        IssueResult(id="D-2", question="Is the price right?", state="open", says={"ada": "yes", "ben": "too low"}),
    ),
    votes=Votes(options={"yes": 2, "no": 1}, void=("ada",), silent=("ben",), seats=5),
    control=Control(comparable=False, why_not="the question is open", said="Not comparable: the question is open."),
    questions=(("D-1", "What did the last launch cost in support calls?"),),
)  # fmt: skip

SAMPLES = {
    "decided": DECIDED, "too_close": TOO_CLOSE, "no_quorum": NO_QUORUM, "competition": COMPETITION,
    "deadlock": DEADLOCK,
}  # fmt: skip
