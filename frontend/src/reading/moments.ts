/** A debate as it went: what was known after each turn, folded from the record. */
import type { ClaimView, RoundHead, SpeechView, View } from "../api";

export interface Moment {
  /** How many turns are over. */
  at: number;
  /** The last of them. */
  speech: SpeechView | null;
  rounds: readonly { round: RoundHead; done: number; state: "done" | "now" | "next" }[];
  spoken: ReadonlyMap<string, number>;
  claims: readonly ClaimView[];
  /** Points of each team, and what penalties took, if they are known. */
  points: Readonly<Record<string, number>>;
  penalties: Readonly<Record<string, number>>;
}

export function momentOf(view: View, at: number): Moment {
  const over = view.speeches.slice(0, at);
  const heard = new Set(over.map((speech) => speech.id));
  const step = view.board?.course.findLast(({ turn }) => heard.has(turn));
  const spoken = new Map<string, number>();
  for (const { seat } of over) spoken.set(seat, (spoken.get(seat) ?? 0) + 1);
  const current = over.at(-1)?.round;
  return {
    at,
    speech: over.at(-1) ?? null,
    rounds: view.rounds.map((round) => {
      const done = round.speeches.filter((id) => heard.has(id)).length;
      const whole = done === round.speeches.length && (done > 0 || (current ?? -1) > round.index);
      const state = whole ? "done" : done || round.index === current ? "now" : "next";
      return { round, done, state };
    }),
    spoken,
    claims: view.claims.filter((claim) => heard.has(claim.turn)),
    points: step?.totals ?? {},
    penalties: step?.penalty_totals ?? {},
  };
}

const SHORTEST = 1_500;
const WORD = 60_000 / 250;

/** Milliseconds before the next turn: as long as this one takes to be spoken aloud. */
export function pause(view: View, at: number, speed: number): number {
  const said = view.speeches[at - 1]?.words.split(/\s+/).length ?? 0;
  return Math.max(SHORTEST, said * WORD) / speed;
}
