/** Which figure stands in which part of the page, and how it is written. */
import type { FigureOverRuns, RunGroup } from "../api";
import { words } from "../words/evaluating";
import { fixed, money, short, spaced } from "../words/figures";

const w = words.stats;

export const PARTS = {
  quality: [
    "gamma_mean",
    "trace_consistency_rate",
    "argument_diversity",
    "reasoning_depth",
    "synthesis_quality",
    "balance",
    "decision_confidence",
  ],
  coordination: ["challenges_answered", "redundancy", "gini_of_words", "idle_share"],
  cost: ["cost_efficiency", "tokens", "dollars"],
  rating: ["rating"],
} as const;

export type PartName = keyof typeof w.parts;

const PLACED = new Set<string>(Object.values(PARTS).flat());

/** Figures of each part that some group has, in their order; what is new to this page comes last. */
export function partsOf(groups: readonly RunGroup[]): [PartName, string[]][] {
  const had = new Set(groups.flatMap((group) => Object.keys(group.figures)));
  const known = Object.entries(PARTS).map(([part, names]): [PartName, string[]] => [
    part as PartName,
    names.filter((name) => had.has(name)),
  ]);
  const parts: [PartName, string[]][] = [...known, ["other", [...had].filter((name) => !PLACED.has(name))]];
  return parts.filter(([, names]) => names.length);
}

export const named = (figure: string) => w.names[figure] ?? spaced(figure);

/** Shares lie between 0 and 1, and can be drawn on one axis. */
export const isShare = (figure: string) =>
  ([...PARTS.quality, ...PARTS.coordination] as readonly string[]).includes(figure);

export function written(figure: string, value: number): string {
  if (figure === "dollars") return money(value);
  if (figure === "tokens") return short(value);
  return fixed(value, figure === "cost_efficiency" ? 3 : figure === "rating" ? 1 : 2);
}

/** Median and interval; both are there or neither. */
export function known(found: FigureOverRuns | undefined): { median: number; low: number; high: number } | null {
  if (!found || found.median === null || found.low === null || found.high === null) return null;
  return { median: found.median, low: found.low, high: found.high };
}
