/** A vote while it is being made: for whom one can vote, and what is sent. */
import type { NewVote, View } from "../api";
import type { Standing } from "../ui/Badge";

export const TIE = "tie";

export interface Ballot {
  /** A side or seat, a tie, or nothing yet. */
  winner: string;
  sure: number;
  standings: Readonly<Record<string, Standing>>;
  remark: string;
}

export const EMPTY: Ballot = { winner: "", sure: 75, standings: {}, remark: "" };

const LEADING = new Set(["judge", "moderator", "clerk"]);

export interface Candidate {
  id: string;
  name: string;
  side: View["seats"][number]["side"];
}

/** Teams where there are any, else the seats that argue; those who judge or lead are not voted for. */
export function candidates(view: View): Candidate[] {
  const arguing = view.seats.filter((seat) => !LEADING.has(seat.role));
  const teams = [...new Set(arguing.map((seat) => seat.team).filter(Boolean))];
  if (!teams.length) return arguing.map(({ id, name, side }) => ({ id, name, side }));
  return teams.map((team) => ({ id: team, name: team, side: arguing.find((seat) => seat.team === team)?.side ?? "" }));
}

/** Nothing until it is clear whom it is for. */
export function vote(ballot: Ballot): NewVote | null {
  if (!ballot.winner) return null;
  const tie = ballot.winner === TIE;
  return {
    winner: tie ? null : ballot.winner,
    sure: tie ? 50 : ballot.sure,
    standings: { ...ballot.standings },
    remark: ballot.remark.trim(),
  };
}

/** The standing that most people gave; none where two are even. */
export function most(counts: Readonly<Record<string, number>> | undefined): Standing | null {
  const ranked = Object.entries(counts ?? {})
    .filter(([, many]) => many > 0)
    .toSorted(([, one], [, other]) => other - one);
  const [first, second] = ranked;
  return first && first[1] !== second?.[1] ? (first[0] as Standing) : null;
}
