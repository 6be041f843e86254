/** What may be done with the debates that are chosen in the list. */
import type { RunSummary } from "../api";
import { over } from "../live/state";
import { words } from "../words/doing";

export const isLive = (run: RunSummary) => run.state === "running" || run.state === "waiting";

const plain = (topic: string) => topic.trim().toLowerCase().replace(/\s+/g, " ");

export interface Doable {
  compare: boolean;
  stability: boolean;
  /** Why nothing can be done with them, if so. */
  why: string;
}

/** Two can be compared; several of one motion and protocol can be looked through for what is stable. */
export function doable(chosen: readonly RunSummary[]): Doable {
  const [first, ...rest] = chosen;
  if (!first || !rest.length) return { compare: false, stability: false, why: words.runs.pickHint };
  if (!chosen.every(over)) return { compare: false, stability: false, why: words.runs.onlyOver };
  const one = rest.every((run) => plain(run.topic) === plain(first.topic) && run.protocol === first.protocol);
  const compare = chosen.length === 2;
  return { compare, stability: one, why: compare || one ? "" : words.runs.oneMotion };
}
