/** Quotes from documents in what is said while a debate goes on: looked up again after each turn, if there are documents. */
import { useMemo } from "react";
import { useDocuments } from "../api";
import { type Quoted, shownIn } from "../reading/Quote";
import type { Floor } from "./events";

export type { Quoted };

const NONE: Quoted = new Map();

export function useQuoted(id: string, floor: Floor): Quoted {
  const { data: first } = useDocuments(id);
  const some = Boolean(first?.documents.length);
  const { data } = useDocuments(id, floor.turns.length, some);
  return useMemo(() => (some && data ? shownIn(data.quotes) : NONE), [some, data]);
}
