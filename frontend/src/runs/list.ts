/** The list of debates as data: what its address asks for, its order on the page, and what may be done with the chosen. */
import type { DebateRow, RunSummary } from "../api";
import { over } from "../live/state";
import { words } from "../words/doing";

export interface Sought {
  q?: string;
  state?: string;
  protocol?: string;
  outcome?: string;
  model?: string;
  tag?: string;
  batch?: string;
  order?: string;
  /** Outcomes are hidden, and a debate opens as a ballot. */
  blind?: string;
}

/** What narrows the list; the order and blindness do not. */
export const FILTERS = ["q", "state", "protocol", "outcome", "model", "tag", "batch"] as const;

export const narrowed = (sought: Sought) => FILTERS.some((name) => sought[name]);

/** The query of a page. Batches are one row each, unless something is sought. */
export function asked(sought: Sought, cursor: string, limit = 30): string {
  const query = new URLSearchParams({ limit: String(limit), order: sought.order || "open_first" });
  if (!narrowed(sought)) query.set("grouped", "true");
  if (cursor) query.set("cursor", cursor);
  for (const name of FILTERS) if (sought[name]) query.set(name, sought[name]);
  return query.toString();
}

export const isLive = (run: RunSummary) => run.state === "running" || run.state === "waiting";

/** Those that wait for a person come first; the order of the server holds otherwise. */
export function awaitedFirst<Row extends RunSummary>(
  rows: readonly Row[],
  awaited: Readonly<Record<string, readonly string[]>>,
): readonly Row[] {
  return rows.toSorted((one, other) => Number(Boolean(awaited[other.run_id])) - Number(Boolean(awaited[one.run_id])));
}

const plain = (topic: string) => topic.trim().toLowerCase().replace(/\s+/g, " ");

export interface Doable {
  compare: boolean;
  stability: boolean;
  /** Whether all of them have ended, so that they can be exported and deleted. */
  over: boolean;
  /** Why less can be done with them than one may wish, if so. */
  why: string;
}

/** Two can be compared; several of one motion and protocol can be looked through for what is stable. */
export function doable(chosen: readonly RunSummary[]): Doable {
  const [first, ...rest] = chosen;
  const ended = chosen.every(over);
  if (!ended) return { compare: false, stability: false, over: false, why: words.runs.onlyOver };
  if (!first || !rest.length) return { compare: false, stability: false, over: true, why: words.runs.pickHint };
  const one = rest.every((run) => plain(run.topic) === plain(first.topic) && run.protocol === first.protocol);
  const compare = chosen.length === 2;
  return { compare, stability: one, over: true, why: compare || one ? "" : words.runs.oneMotion };
}

export interface Chip {
  look: "live" | "care" | "pro" | "con" | "decided" | "close" | "stuck" | "wrong" | "plain";
  sign: string;
  text: string;
}

/** How a debate stands, or what came of it, in two or three words. */
export function chipOf(run: DebateRow, blind = false): Chip {
  if (run.state === "running") return { look: "live", sign: "●", text: words.runs.live };
  if (!over(run)) return { look: "plain", sign: "", text: words.states[run.state] };
  if (run.state === "broken" || run.ending === "failed")
    return { look: "wrong", sign: "✕", text: words.ending("failed") };
  if (run.ending && run.ending !== "played") return { look: "plain", sign: "", text: words.ending(run.ending) };
  if (blind) return { look: "plain", sign: "", text: words.states.ended };
  const found = run.outcome;
  switch (found?.kind) {
    case "decided": {
      const side = found.what.toLowerCase();
      if (side === "pro" || side === "con") return { look: side, sign: "", text: words.runs.argued(side) };
      return { look: "decided", sign: "✓", text: found.what };
    }
    case "too_close":
      return { look: "close", sign: "≈", text: words.runs.outcomes.too_close };
    case "deadlocked":
      return { look: "stuck", sign: "⇄", text: words.runs.outcomes.deadlocked };
    case "no_quorum":
      return { look: "close", sign: "?", text: words.runs.outcomes.no_quorum };
    case "failed":
      return { look: "wrong", sign: "✕", text: words.outcome(found) };
    default:
      return { look: "plain", sign: "", text: words.runs.outcomes.not_judged };
  }
}

/** `a, b,, A ` → `["a", "b", "A"]`, as the server keeps them. */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((one) => one.trim().replace(/\s+/g, " "))
      .filter(Boolean),
  ),
];
