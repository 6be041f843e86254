/** A document cut for reading: its passages, and in them the words that were quoted. Places come in code points. */
import type { DocumentReading, PassageView, QuoteView } from "../api";

export interface Piece {
  text: string;
  /** Quotes to which these words belong. */
  quotes: readonly QuoteView[];
  /** Those of them that begin here. */
  begins: readonly QuoteView[];
}

export interface Passage {
  id: string;
  page: number | null;
  /** Whether another page begins with it. */
  turned: boolean;
  pieces: readonly Piece[];
}

type Part = Pick<DocumentReading, "text" | "passages" | "quotes">;

export function cut({ text, passages, quotes }: Part): Passage[] {
  const standing = quotes.filter((quote) => quote.start >= 0);
  const place = inUnits(
    text,
    [...passages, ...standing].flatMap(({ start, end }) => [start, end]),
  );
  const at = (one: { start: number; end: number }) => [place(one.start), place(one.end)] as const;
  const spans = standing.map((quote) => ({ quote, span: at(quote) })).sort((a, b) => a.span[0] - b.span[0]);
  const begun = new Set<string>();
  return passages.map((passage, n) => ({
    id: passage.id,
    page: passage.page,
    turned: passage.page !== null && passage.page !== passages[n - 1]?.page,
    pieces: pieces(text, at(passage), spans, begun),
  }));
}

interface Span {
  quote: QuoteView;
  span: readonly [number, number];
}

function pieces(
  text: string,
  [start, end]: readonly [number, number],
  all: readonly Span[],
  begun: Set<string>,
): Piece[] {
  const here = all.filter(({ span }) => span[0] < end && span[1] > start);
  const inside = here.flatMap(({ span }) => span).filter((place) => place > start && place < end);
  const cuts = [...new Set([start, ...inside, end])].sort((one, other) => one - other);
  return cuts.slice(0, -1).map((from, n) => {
    const to = cuts[n + 1] ?? end;
    const quotes = here.filter(({ span }) => span[0] <= from && span[1] >= to).map(({ quote }) => quote);
    const begins = quotes.filter((quote) => !begun.has(quote.id));
    for (const quote of begins) begun.add(quote.id);
    return { text: text.slice(from, to).replaceAll("\f", "\n"), quotes, begins };
  });
}

/** From places in code points to places in the string, whose letters may take two units. */
function inUnits(text: string, places: readonly number[]): (place: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (place) => place;
  const wanted = new Set(places);
  const found = new Map<number, number>();
  let [points, units] = [0, 0];
  for (const letter of text) {
    if (wanted.has(points)) found.set(points, units);
    points += 1;
    units += letter.length;
  }
  return (place) => found.get(place) ?? units;
}

/** The passage in which a quote or a passage of that name begins, or −1. */
export const indexOf = (passages: readonly Passage[], name: string): number =>
  passages.findIndex(
    ({ id, pieces: own }) => id === name || own.some(({ begins }) => begins.some((q) => q.id === name)),
  );

export type { PassageView };
