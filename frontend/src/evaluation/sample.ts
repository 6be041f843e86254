/** A small evaluation for tests. `words` stands wherever a judge or a speaker could have written. */
import type { EvaluationView, Plot, TurnCell, TurnReading } from "../api";

export function cell(turn: string, change: Partial<TurnCell> = {}): TurnCell {
  const bars = [0.85, 0.7, null, 1].map((value, n) => ({
    name: ["Logic", "Evidence", "Alternatives", "Causes"][n] ?? "",
    value,
    shown: value === null ? "not known" : value.toFixed(2),
  }));
  return {
    turn,
    kind: "critique and revision",
    rho: 0.85,
    rho_shown: "0.85",
    passed: "",
    bars,
    verdict: "gives in",
    tone: "care",
    asserted: 2,
    shown: 1,
    ladder: "claims L2, shows L1, trap T7 open",
    ladder_tone: "care",
    says: `${turn}: mean 0.85; gives in; claims L2, shows L1.`,
    ...change,
  };
}

export const UNKNOWN: Partial<TurnCell> = {
  rho: null,
  rho_shown: "not known",
  verdict: "not judged",
  tone: "none",
  asserted: null,
  shown: null,
  ladder: "no causal claim was read",
  ladder_tone: "none",
};

export function reading(turn: string, seat: string, words: string): TurnReading {
  return {
    turn,
    seat,
    round: 1,
    cell: cell(turn),
    facts: [{ label: "Position", text: words }],
    places: [{ words, number: 1, fault: true }],
    quotes: [
      { words, label: words, judge: "j1", fault: true, number: 1 },
      { words, label: "words and deeds", judge: words, fault: false, number: null },
    ],
    answers: [{ judge: "j1", lines: [{ label: "Logic", text: words }] }],
    claims: { caption: "Claims and their rungs", heads: ["Claim", "In words"], rows: [["C1", words]] },
  };
}

export function plot(words: string): Plot {
  return {
    id: "quality",
    title: "Quality of reasoning",
    says: words,
    width: 330,
    height: 190,
    left: 34,
    right: 264,
    heights: [
      { at: 162, label: "0" },
      { at: 22, label: "1" },
    ],
    columns: [
      { at: 34, label: "r1" },
      { at: 264, label: "r2" },
    ],
    band: "M34 50L264 50L264 70L34 70Z",
    target: { at: 50, label: "target" },
    lines: [
      {
        name: "mean ρ",
        stroke: 0,
        path: "M34 92L264 80",
        points: [{ x: 34, y: 92, label: "mean ρ, r1: 0.50" }],
        name_y: 80,
      },
    ],
    table: { caption: words, heads: ["Round", "Mean ρ"], rows: [["r1", "0.50"]] },
  };
}

export function evaluationOf(words: string, change: Partial<EvaluationView> = {}): EvaluationView {
  return {
    run_id: "d-1",
    evaluated_at: "2026-01-01T00:00:00Z",
    mode: "posthoc",
    panel: words,
    badges: [{ text: "Judged by its own family", why: words }],
    facts: [{ label: "Reasoning, mean ρ", text: words }],
    rounds: [
      { index: 1, label: "r1" },
      { index: 2, label: words },
    ],
    seats: [
      { seat: "pro", rho: "0.85", cells: [[cell("r1.t0")], [cell("r2.t0", UNKNOWN)]] },
      { seat: "con", rho: "not known", cells: [[cell("r1.t1", { verdict: "consistent", tone: "good" })], []] },
    ],
    key: "Bars: L logic.",
    turns: [reading("r1.t0", "pro", words), reading("r1.t1", "con", words), reading("r2.t0", "pro", words)],
    plots: [plot(words)],
    movement: [words],
    speakers: { caption: "What each speaker did", heads: ["Speaker", "Changes"], rows: [["pro", "not known"]] },
    syntheses: { caption: "How well a synthesis states what mattered", heads: ["Synthesis", "Quality"], rows: [] },
    metrics: [{ name: "Redundancy", shown: "not known", range: "0 to 1", means: "repeats", not_means: "bad" }],
    cannot: "Not whether it is right.",
    judges: { caption: "Judges", heads: ["Judge", "Model"], rows: [["j1", words]] },
    repeat: [words],
    ...change,
  };
}
