/** What the rail and the side show, counted from what the events told. */
import { type Floor, type Side, sideOf } from "./events";

export interface Part {
  label: string;
  state: "done" | "now" | "next";
  /** Rounds it has had. */
  rounds: number;
}

/** Parts that are known beforehand. */
const PLANS: Record<string, readonly string[]> = {
  structured: ["opening", "cross-examination", "closing"],
  competition: ["opening", "cross-examination", "free debate", "closing"],
};

/** Rounds by the part they belong to, and what is known to come. */
export function parts(floor: Floor): Part[] {
  const plan = PLANS[floor.protocol.split("/")[0] ?? ""] ?? [];
  const found: Part[] = [];
  let here = "";
  for (const round of floor.rounds) {
    const label = plan.find((one) => round.label.startsWith(one)) ?? round.label.replace(/\s+\d+$/, "");
    const known = found.find((one) => one.label === label);
    if (known) known.rounds += 1;
    else found.push({ label, state: "done", rounds: 1 });
    here = label;
  }
  for (const part of found) if (part.label === here && !floor.ending) part.state = "now";
  const known = new Set(found.map((one) => one.label));
  const toCome = floor.ending ? [] : plan.filter((label) => !known.has(label));
  return [...found, ...toCome.map((label): Part => ({ label, state: "next", rounds: 0 }))];
}

export interface TeamSoFar {
  team: string;
  side: Side;
  speeches: number;
  /** Of all marks so far, unweighted; none before the first. */
  mean: number | null;
  penalties: number;
}

/** What the judge at the table gave until now. Only a panel's scores count, so nothing is weighted here. */
export function teams(floor: Floor): TeamSoFar[] {
  const names = [...new Set(floor.seats.map((seat) => seat.team).filter(Boolean))];
  const member = (seat: string, team: string) => floor.seats.some((one) => one.id === seat && one.team === team);
  return names.map((team) => {
    const speeches = floor.marked.filter((one) => member(one.seat, team));
    const marks = speeches.flatMap((one) => Object.values(one.marks)).filter((mark) => mark !== null);
    const paid = floor.breaches.filter((one) => member(one.seat, team));
    return {
      team,
      side: sideOf(team),
      speeches: speeches.length,
      mean: marks.length ? marks.reduce((sum, mark) => sum + mark, 0) / marks.length : null,
      penalties: paid.reduce((sum, one) => sum + one.points[0] + one.points[1], 0),
    };
  });
}
