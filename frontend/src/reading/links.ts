/** Where a hash leads: `#r1.t0` is a turn, `#PRO-1` an argument, `#PRO-1/CON-2` whatever else has a name. */
import { useRouterState } from "../router";
import type { Index } from "./open";

export interface Place {
  id: string;
  /** The turn in which it was said. */
  turn: string;
  kind: "turn" | "claim" | "reply";
}

export function decoded(hash: string): string {
  const name = hash.replace(/^#/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Nothing if the debate has nothing of that name. */
export function placed(index: Index, hash: string): Place | null {
  const id = decoded(hash);
  if (index.speeches.has(id)) return { id, turn: id, kind: "turn" };
  const claim = index.claims.get(id) ?? index.traced.get(id);
  if (claim) return { id, turn: claim.turn, kind: "claim" };
  const reply = index.replies.get(id);
  return reply ? { id, turn: reply.turn, kind: "reply" } : null;
}

export const useHash = () => useRouterState({ select: (state) => state.location.hash });
