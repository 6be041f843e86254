/** The score at the table, counted as the server counts it: marks of speeches, weighted, and what broken rules cost. */
import { type Floor, type Marked, type Side, sideOf } from "./events";

/** Shares of the marks; they add up to 1. */
export type Weights = Readonly<Record<string, number>>;

export interface SeatScore {
  seat: string;
  team: string;
  /** The mark of each of its speeches, in their order; null where one is not complete. */
  marks: readonly (number | null)[];
  penalties: number;
  total: number;
}

export interface TeamScore {
  team: string;
  side: Side;
  marks: number;
  penalties: number;
  total: number;
  /** Mean mark of its speeches; null before the first. */
  perSpeech: number | null;
}

/** The lead of the first team after a speech that was marked. */
export interface Lead {
  turn: string;
  seat: string;
  round: number;
  mark: number | null;
  lead: number;
}

export interface Score {
  teams: readonly TeamScore[];
  seats: readonly SeatScore[];
  leads: readonly Lead[];
}

/** The weighted mark of a speech; null if a part of it is missing. */
export function markOf({ marks }: Marked, weights: Weights): number | null {
  const names = Object.keys(weights);
  const given = Object.entries(marks).filter(([, mark]) => mark !== null);
  if (given.length !== names.length || names.some((name) => marks[name] == null)) return null;
  return names.reduce((sum, name) => sum + (marks[name] ?? 0) * (weights[name] ?? 0), 0);
}

/** Without the dust of binary fractions, which would round 114.65 down here and up elsewhere. */
const clean = (figure: number): number => Number(figure.toFixed(9));
const sum = (figures: readonly number[]): number => clean(figures.reduce((all, one) => all + one, 0));
const known = (marks: readonly (number | null)[]): number[] => marks.filter((mark) => mark !== null);

export function score(floor: Floor, weights: Weights): Score {
  const debaters = floor.seats.filter((seat) => seat.team);
  const marked = new Map(floor.marked.map((one) => [one.turn, markOf(one, weights)]));
  const seats = debaters.map(({ id, team }): SeatScore => {
    const spoken = floor.turns.filter((turn) => turn.seat === id && !turn.lost && marked.has(turn.id));
    const marks = spoken.map((turn) => marked.get(turn.id) ?? null);
    const penalties = sum(floor.breaches.filter((one) => one.seat === id).map((one) => one.points[0]));
    return { seat: id, team, marks, penalties, total: clean(sum(known(marks)) + penalties) };
  });
  const names = [...new Set(debaters.map((seat) => seat.team))];
  return {
    teams: names.map((team) => teamScore(floor, team, seats)),
    seats,
    leads: leads(floor, marked, names[0] ?? ""),
  };
}

function teamScore(floor: Floor, team: string, seats: readonly SeatScore[]): TeamScore {
  const members = seats.filter((one) => one.team === team);
  const marks = members.flatMap((one) => known(one.marks));
  const paid = floor.breaches.filter((one) => members.some((member) => member.seat === one.seat));
  const penalties = sum(members.map((one) => one.penalties)) + sum(paid.map((one) => one.points[1]));
  return {
    team,
    side: sideOf(team),
    marks: sum(marks),
    penalties,
    total: clean(sum(marks) + penalties),
    perSpeech: marks.length ? sum(marks) / marks.length : null,
  };
}

/** After each speech up to the last that was marked, with what it cost. */
function leads(floor: Floor, marked: ReadonlyMap<string, number | null>, first: string): Lead[] {
  const teamOf = new Map(floor.seats.map((seat) => [seat.id, seat.team]));
  const spoken = floor.turns.filter((turn) => !turn.lost && teamOf.get(turn.seat));
  const until = spoken.findLastIndex((turn) => marked.has(turn.id));
  let lead = 0;
  return spoken.slice(0, until + 1).map((turn) => {
    const mark = marked.get(turn.id) ?? null;
    const paid = floor.breaches.filter((one) => one.turn === turn.id).map((one) => one.points[0] + one.points[1]);
    const gained = (mark ?? 0) + sum(paid);
    lead += teamOf.get(turn.seat) === first ? gained : -gained;
    return { turn: turn.id, seat: turn.seat, round: turn.round, mark, lead };
  });
}
