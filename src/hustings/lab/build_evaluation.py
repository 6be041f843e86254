"""Builds the evaluation of a debate from bundles and judges' answers; pure, so that it can be computed again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from .artefact import (
    PLACES,
    Consistency,
    ControlStep,
    CritSummary,
    EvalMetadata,
    Evaluation,
    EvaluationSummary,
    JudgeAgreement,
    MajorityRung,
    OwnFigures,
    PidSummary,
    RauditSummary,
    SynthesisFigures,
    TurnDetails,
    TurnEvaluation,
    TurnVerdict,
    sealed_evaluation,
)
from .bundle import Amount, Bundle, Distribution, favoured, moved
from .debate_figures import (
    debate_figures,
    dominance,
    form_agreement,
    looks_of,
    loop_figures,
    one_position,
    seat_figures,
    told_looks,
)
from .evaluation_material import EvaluationMaterial
from .judge_answers import TurnAnswers
from .judge_panel import badges, disagree, is_independent, judge_agreement
from .scorers.crit import CritMark, crit_summary, judged, panel_mark, quoted_by, spread_of
from .scorers.rca import majority, rca_summary, reader_agreement, verdict_of
from .scorers.synthesis import panel_synthesis
from .scorers.t3 import all_rungs, panel_rungs, t3_summary
from .signals import Look, alarm, drift, first_stop, instability, returns, roughness

BY_A_PERSON, BY_A_PROGRAM = 2, 1
"""Audit strength of an instruction."""


def build_evaluation(material: EvaluationMaterial) -> Evaluation:
    """The same material always gives the same bytes."""
    return sealed_evaluation(_Computed(material).evaluation)


@dataclass(frozen=True)
class _Computed:
    """Every step from answers to figures, each computed once."""

    given: EvaluationMaterial

    # -- turns -------------------------------------------------------------------------

    @cached_property
    def bundles(self) -> list[Bundle]:
        """With stances as the file keeps them, of one source alone: readers' if there are any, else seats' own."""
        sources = {bundle.stance.source for bundle in self.given.bundles if bundle.stance}
        kept = "reader" if "reader" in sources else "elicited"
        found: list[Bundle] = []
        for bundle in self.given.bundles:
            stance = bundle.stance if bundle.stance and bundle.stance.source == kept else None
            if stance:
                # Rounded before anything is computed, so that the file gives the same figures again.
                exact = {option: round(p, PLACES) for option, p in stance.beliefs.items()}
                stance = stance.model_copy(update={"beliefs": exact})
            found.append(bundle.model_copy(update={"stance": stance}))
        return found

    @cached_property
    def answers(self) -> dict[str, TurnAnswers]:
        """In order of the judges' names, whatever order they answered in."""
        found: dict[str, TurnAnswers] = {}
        for bundle in self.bundles:
            given = self.given.answers.get(bundle.turn_id, TurnAnswers())
            found[bundle.turn_id] = TurnAnswers(
                crit=tuple(sorted(given.crit, key=lambda answer: answer.judge)),
                rca=tuple(sorted(given.rca, key=lambda answer: answer.judge)),
                t3=tuple(sorted(given.t3, key=lambda answer: answer.judge)),
                speaks_to_reader=tuple(sorted(given.speaks_to_reader)),
            )
        return found

    @cached_property
    def judged(self) -> dict[str, list[CritMark]]:
        return {turn: [judged(answer) for answer in answers.crit] for turn, answers in self.answers.items()}

    @cached_property
    def marks(self) -> dict[str, CritMark]:
        return {turn: panel_mark(marks) for turn, marks in self.judged.items()}

    @cached_property
    def rhos(self) -> dict[str, float | None]:
        return {turn: mark.rho() for turn, mark in self.marks.items()}

    @cached_property
    def deeds(self) -> dict[str, Amount | None]:
        before: dict[str, Distribution | None] = {}
        found: dict[str, Amount | None] = {}
        for bundle in self.bundles:
            found[bundle.turn_id] = moved(before.get(bundle.seat), bundle.beliefs)
            before[bundle.seat] = bundle.beliefs
        return found

    @cached_property
    def verdicts(self) -> dict[str, Consistency | None]:
        found: dict[str, Consistency | None] = {}
        for bundle in self.bundles:
            deed, answers = self.deeds[bundle.turn_id], self.answers[bundle.turn_id].rca
            verdicts: list[Consistency | None] = [verdict_of(bundle, deed, answer) for answer in answers]
            found[bundle.turn_id] = majority(verdicts)
        return found

    @cached_property
    def reasoned(self) -> dict[str, bool | None]:
        """Turn that moved to whether most judges see a reason; None if they cannot tell."""
        changed = [turn for turn, deed in self.deeds.items() if deed in ("part", "full")]
        words = {turn: majority([answer.reason for answer in self.answers[turn].rca]) for turn in changed}
        return {turn: None if word in (None, "unclear") else word == "yes" for turn, word in words.items()}

    @cached_property
    def rungs(self) -> dict[str, tuple[MajorityRung, ...]]:
        return {turn: panel_rungs(answers.t3) for turn, answers in self.answers.items()}

    def turn(self, bundle: Bundle) -> TurnEvaluation:
        turn, mark = bundle.turn_id, self.marks[bundle.turn_id]
        return TurnEvaluation(
            turn_id=turn,
            round_index=bundle.round,
            speaker_id=bundle.seat,
            crit_summary=CritSummary(
                gamma_mean=self.rhos[turn],
                theta_mean=mark.theta,
                threshold_pass=mark.passes() if self.independent else None,
            ),
            rca_summary=TurnVerdict(verdict=self.verdicts[turn]),
            t3_summary=t3_summary(self.rungs[turn], independent=self.independent)[0],
            x_hustings=TurnDetails(
                phases=bundle.phases,
                pillars=mark.pillars,
                spread=spread_of(one.rho() for one in self.judged[turn]),
                failures=mark.failures,
                failures_by_judges=quoted_by(self.judged[turn]),
                deed=self.deeds[turn],
                reasoned=self.reasoned.get(turn),
                rungs=self.rungs[turn],
                bundle=bundle,
                answers=self.answers[turn],
            ),
        )

    # -- the panel ---------------------------------------------------------------------

    @cached_property
    def rhos_by_judge(self) -> list[dict[str, float]]:
        found: list[dict[str, float]] = []
        for turn, answers in self.answers.items():
            marks = zip(answers.crit, self.judged[turn], strict=True)
            rhos = {answer.judge: mark.rho() for answer, mark in marks}
            found.append({judge: rho for judge, rho in rhos.items() if rho is not None})
        return found

    @cached_property
    def agreement(self) -> JudgeAgreement:
        return judge_agreement(self.rhos_by_judge)

    @cached_property
    def independent(self) -> bool:
        """Whether the panel may say pass, mixed or fail."""
        return is_independent(self.given.judges, self.given.debater_families) and not disagree(self.agreement)

    # -- the table ---------------------------------------------------------------------

    @cached_property
    def looks(self) -> list[Look]:
        return looks_of(self.bundles, self.rhos)

    @cached_property
    def raudit(self) -> RauditSummary:
        seats = dict.fromkeys(bundle.seat for bundle in self.bundles)
        paths = [[favoured(bundle.beliefs) for bundle in self.bundles if bundle.seat == seat] for seat in seats]
        log = self.given.transcript.intervention_log or []
        strengths = (BY_A_PERSON if one.trigger == "human_override" else BY_A_PROGRAM for one in log)
        return RauditSummary(
            audit_strength=max(strengths, default=0),
            instability_index=returns(paths),
            behavioral_drift_score=self._drift(),
        )

    def _drift(self) -> float | None:
        known = [reasoned for reasoned in self.reasoned.values() if reasoned is not None]
        if len(self.looks) < 2 or len(known) < len(self.reasoned):
            return None
        return drift(self.looks[0].stances, self.looks[-1].stances, len(known), sum(known))

    @cached_property
    def pid(self) -> PidSummary:
        turns = self.given.transcript.turns
        return PidSummary(
            retry_count_total=sum(len(turn.attempts) - 1 for turn in turns),
            intervention_count_total=len(self.given.transcript.intervention_log or []),
            instability_index=roughness([look.rho for look in self.looks if look.rho is not None]),
        )

    @property
    def control_trace(self) -> tuple[ControlStep, ...]:
        """What the record keeps of a control of its own; nothing here ever controls a debate."""
        return tuple(
            ControlStep(turn_id=turn.turn_id, round_index=turn.round_index, state=state)
            for turn in self.given.transcript.turns
            if (state := turn.attempts[-1].control_state) is not None
        )

    # -- the file ----------------------------------------------------------------------

    @cached_property
    def syntheses(self) -> tuple[SynthesisFigures, ...]:
        return tuple(
            panel_synthesis(one.id, one.mattered, one.sentences, one.answers).model_copy(update=vars(one))
            for one in self.given.syntheses
        )

    @property
    def evaluation(self) -> Evaluation:
        given, transcript = self.given, self.given.transcript
        marks = list(self.marks.values())
        crit, crit_details = crit_summary(marks, independent=self.independent)
        passed = [mark.passes() for mark in marks]
        rca, rca_details = rca_summary(list(self.verdicts.values()), passed, independent=self.independent)
        rungs = all_rungs(self.rungs.values())
        t3, t3_details = t3_summary(rungs, given.task.required_rung, independent=self.independent)
        fits = reader_agreement(list(self.deeds.values()), [answers.rca for answers in self.answers.values()])
        speaks = next((t for t, some in self.rungs.items() if any(r.claim == t3_details.claim for r in some)), None)
        own = self._own().model_copy(
            update={
                "crit": crit_details,
                "rca": rca_details.model_copy(update={"reader_agreement": fits}),
                "t3": t3_details.model_copy(update={"turn_id": speaks}),
            }
        )
        return Evaluation(
            debate_id=transcript.debate_id,
            run_id=transcript.run_id,
            evaluation_mode=transcript.mode,
            evaluated_at=given.evaluated_at,
            eval_metadata=EvalMetadata(evaluator_version=given.evaluator_version),
            run_summary=EvaluationSummary(
                crit_summary=crit,
                rca_summary=rca,
                t3_summary=t3,
                pid_summary=self.pid,
                raudit_summary=self.raudit,
            ),
            turn_evaluations=tuple(self.turn(bundle) for bundle in self.bundles),
            control_trace=self.control_trace or None,
            x_hustings=own,
        )

    def _own(self) -> OwnFigures:
        given, agreement = self.given, self.agreement
        usage = given.tokens, given.cost
        seats = seat_figures(self.bundles, self.deeds, self.reasoned, self.answers)
        return OwnFigures(
            transcript_digest=given.transcript_digest,
            evaluation_run_id=given.evaluation_run_id,
            badges=badges(given.judges, given.debater_families, agreement),
            independent=self.independent,
            judges=tuple(sorted(given.judges, key=lambda judge: judge.seat)),
            debater_families=tuple(sorted(set(given.debater_families))),
            prompt_versions=given.prompt_versions,
            calls=given.calls,
            abstentions=given.abstentions,
            task=given.task,
            cap=given.cap,
            agreement=agreement,
            looks=told_looks(self.looks, [alarm(a, b) for a, b in pairwise(self.looks)], self.bundles, self.rhos),
            form_agreement=form_agreement(self.bundles),
            stop=first_stop(self.looks, given.cap),
            instability_index=instability(self.raudit.instability_index, self.pid.instability_index),
            seats=seats,
            syntheses=self.syntheses,
            metrics=debate_figures(given.transcript, self.bundles, self.looks, self.syntheses, usage).model_copy(
                update={"dominance": dominance(seats.values()), "one_position": one_position(self.marks.values())}
            ),
            loop=loop_figures(given.transcript, self.bundles, self.verdicts, self.rhos, self.deeds),
        )
