/** Which stage a debate is in, and what its rounds are called: the same in the head and above speeches. */
import { capital, words } from "../words/doing";
import type { Floor, Round } from "./events";

export interface Stage {
  label: string;
  state: "done" | "now" | "next";
}

/** Stages that are known beforehand. */
const PLANS: Record<string, readonly string[]> = {
  structured: ["opening", "cross-examination", "closing"],
  competition: ["opening", "cross-examination", "free debate", "closing"],
};

const planOf = (floor: Floor): readonly string[] => PLANS[floor.protocol.split("/")[0] ?? ""] ?? [];

const stageOf = (plan: readonly string[], label: string): string =>
  plan.find((one) => label.startsWith(one)) ?? label.replace(/\s+\d+$/, "");

/** The stages that have begun, and those known to come. */
export function stages(floor: Floor): Stage[] {
  const plan = planOf(floor);
  const begun = [...new Set(floor.rounds.map((round) => stageOf(plan, round.label)))];
  const last = floor.rounds.at(-1);
  const here = last && !floor.ending ? stageOf(plan, last.label) : null;
  const toCome = floor.ending ? [] : plan.filter((label) => !begun.includes(label));
  return [
    ...begun.map((label): Stage => ({ label, state: label === here ? "now" : "done" })),
    ...toCome.map((label): Stage => ({ label, state: "next" })),
  ];
}

/** What a round is called: its stage, and which part of it. */
export function roundName(floor: Floor, round: Round): string {
  const stage = stageOf(planOf(floor), round.label);
  const rest = round.label.slice(stage.length).trim();
  if (!rest) return capital(words.live.named(round.label));
  if (/^\d+$/.test(rest))
    return planOf(floor).length
      ? words.live.exchange(capital(words.live.named(stage)), Number(rest))
      : `${capital(words.live.named(stage))} ${rest}`;
  const by = rest.match(/^by (\S+)$/)?.[1];
  const who = floor.seats.find((seat) => seat.id === by)?.name ?? by;
  return `${capital(words.live.named(stage))}, ${who ? words.live.by(who) : rest}`;
}

export const roundAt = (floor: Floor, index: number): string => {
  const round = floor.rounds.find((one) => one.index === index);
  return round ? roundName(floor, round) : "";
};
