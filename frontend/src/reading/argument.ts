/** Arguments as the table shows them: judged ones with their standing, others as they were put forward. */
import type { View } from "../api";
import type { Side, Standing } from "../ui/Badge";

export interface Argument {
  id: string;
  seat: string;
  side: Side;
  claim: string;
  quote: string;
  examined: string;
  standing: Standing | null;
  strength: number | null;
  strengthWords: string;
  certainty: number | null;
  certaintyWords: string;
  reason: string;
  moved: readonly string[];
}

const UNJUDGED = {
  strength: null,
  strengthWords: "",
  certainty: null,
  certaintyWords: "",
  reason: "",
  examined: "",
  quote: "",
  moved: [],
};

export function argumentsOf(view: View): Argument[] {
  const sides = new Map(view.seats.map((seat) => [seat.id, seat.side]));
  const column = (name: string) => view.trace.heads.indexOf(name);
  const [examined, strength, certainty, reason] = ["What happened", "Strength", "How sure", "Why"].map(column);
  const judged = view.trace.rows.map((row): Argument => {
    const cell = (n: number | undefined) => row.cells[n ?? -1] ?? "";
    return {
      ...row,
      side: sides.get(row.seat) ?? "",
      examined: cell(examined),
      strengthWords: cell(strength),
      certaintyWords: cell(certainty),
      reason: cell(reason),
    };
  });
  const known = new Set(judged.map((row) => row.id));
  const others = view.claims.filter((claim) => !known.has(claim.id)).map((claim) => ({ ...UNJUDGED, ...claim }));
  return [...judged, ...others];
}

export const NO_FILTER = { text: "", standing: "", side: "" };

export function fitting(all: readonly Argument[], filter: typeof NO_FILTER): readonly Argument[] {
  const asked = filter.text.trim().toLowerCase();
  return all.filter(
    (row) =>
      (!filter.standing || row.standing === filter.standing) &&
      (!filter.side || row.side === filter.side) &&
      (!asked ||
        [row.id, row.seat, row.claim, row.quote, row.reason].some((text) => text.toLowerCase().includes(asked))),
  );
}
