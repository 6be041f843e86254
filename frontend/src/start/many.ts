/** One draft, several debates: repeated with other seeds, and once more with the sides swapped. */
import type { NewDebate, ProtocolCard } from "../api";

export const MOST_REPEATS = 20;

/** The seat opposite: `pro_2` faces `con_2`. Empty for a seat without one. */
function opposite(card: ProtocolCard, id: string): string {
  const other = id.startsWith("pro") ? id.replace("pro", "con") : id.replace("con", "pro");
  return other !== id && card.seats.some((seat) => seat.id === other) ? other : "";
}

export const hasSides = (card: ProtocolCard): boolean => card.seats.some(({ id }) => opposite(card, id));

/** Every seat of a side has the model of the seat opposite. */
export function swappedSeats(card: ProtocolCard, seats: NewDebate["seats"] = {}): Record<string, string> {
  const moved = Object.entries(seats).map(([id, model]) => [opposite(card, id) || id, model] as const);
  return Object.fromEntries(moved);
}

/** Whether swapping would change anything. */
export const sidesDiffer = (card: ProtocolCard, seats: NewDebate["seats"] = {}): boolean =>
  card.seats.some(({ id }) => {
    const other = opposite(card, id);
    return other !== "" && (seats[id] ?? "") !== (seats[other] ?? "");
  });

/** What is asked of the server, one after the other. Only where there are several do they need seeds. */
export function debatesOf(asked: NewDebate, card: ProtocolCard, repeats: number, swapped: boolean): NewDebate[] {
  const ways =
    swapped && sidesDiffer(card, asked.seats) ? [asked, { ...asked, seats: swappedSeats(card, asked.seats) }] : [asked];
  const all = ways.flatMap((way) => Array.from({ length: repeats }, (_, n) => ({ ...way, seed: n + 1 })));
  return all.length > 1 ? all : [asked];
}
