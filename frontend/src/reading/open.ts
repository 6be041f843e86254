/** The debate that is being read, for every part of its pages, and what they look up in it. */
import { createContext, useContext } from "react";
import type { Chair, ClaimView, ReplyView, SpeechView, Thought, TraceRow, View } from "../api";
import { type Quoted, shownIn } from "./Quote";

export const DebateContext = createContext<View | null>(null);

/** Whether what is missing in it may come any moment. */
export const JudgingContext = createContext(false);

export function useDebate(): View {
  const view = useContext(DebateContext);
  if (!view) throw new Error("no debate is open");
  return view;
}

export interface Index {
  seats: ReadonlyMap<string, Chair>;
  speeches: ReadonlyMap<string, SpeechView>;
  claims: ReadonlyMap<string, ClaimView>;
  replies: ReadonlyMap<string, ReplyView>;
  traced: ReadonlyMap<string, TraceRow>;
  /** Thoughts beside the record, by the turn they came after. */
  thoughts: ReadonlyMap<string, readonly Thought[]>;
  /** How quotes from documents are shown, by turn. */
  quotes: Quoted;
}

const byId = <T extends { id: string }>(things: readonly T[]) => new Map(things.map((thing) => [thing.id, thing]));

/** Made once for a debate, however many parts of a page ask. */
export function indexed(view: View): Index {
  const made = MADE.get(view) ?? {
    seats: byId(view.seats),
    speeches: byId(view.speeches),
    claims: byId(view.claims),
    replies: byId(view.replies),
    traced: byId(view.trace.rows),
    thoughts: Map.groupBy(view.thoughts, (thought) => thought.after),
    quotes: shownIn(view.quotes ?? [], view.run_id),
  };
  MADE.set(view, made);
  return made;
}

const MADE = new WeakMap<View, Index>();

export const useIndex = (): Index => indexed(useDebate());

/** A seat as sentences call it. */
export function useName(): (seat: string) => string {
  const { judgement } = useDebate();
  const { seats } = useIndex();
  return (seat) => judgement?.names?.[seat] ?? seats.get(seat)?.name ?? seat;
}
