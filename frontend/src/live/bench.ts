/** Who sits where, and what each seat does now. */
import type { OpenCall } from "../api";
import type { Floor, Seat, Side } from "./events";

export type SeatState = "waits" | "next" | "asked" | "speaking" | "held back" | "spoke" | "missed";

export interface BenchSeat {
  seat: Seat;
  /** A figure or a letter that tells it from others of its bench. */
  face: string;
  state: SeatState;
  /** How often it has spoken. */
  times: number;
}

export interface Bench {
  /** The name of a team or a side; empty for those who have none. */
  name: string;
  side: Side;
  seats: readonly BenchSeat[];
}

/** Seats that never speak at the table. */
const STAFF = ["librarian"];

export function benches(floor: Floor, calls: readonly OpenCall[] = []): Bench[] {
  const next = floor.ending ? null : nextSpeaker(floor);
  const seated = floor.seats.filter((seat) => !STAFF.includes(seat.id));
  const names = [...new Set(seated.map(benchOf))];
  return names.map((name) => {
    const seats = seated.filter((seat) => benchOf(seat) === name);
    const shown = seats.map((seat, place): BenchSeat => {
      const times = floor.turns.filter((turn) => turn.seat === seat.id && !turn.lost).length;
      const face = seats.length > 1 ? String(place + 1) : seat.name.slice(0, 1).toUpperCase();
      return { seat, face, state: stateOf(floor, seat.id, calls, next), times };
    });
    return { name, side: seats[0]?.side ?? "", seats: shown };
  });
}

const benchOf = (seat: Seat): string => seat.team || seat.side;

function stateOf(floor: Floor, seat: string, calls: readonly OpenCall[], next: string | null): SeatState {
  const open = floor.open.find((one) => one.seat === seat && one.onRecord);
  if (open) {
    const answered = calls.some((call) => call.address === open.address && call.state === "answered");
    if (open.whole || answered) return "held back";
    return open.text ? "speaking" : "asked";
  }
  if (floor.awaited.some((one) => one.seat === seat)) return "asked";
  if (seat === next) return "next";
  return floor.last[seat] ?? "waits";
}

/** Who speaks after the one who speaks now, where teams follow a known order. */
export function nextSpeaker(floor: Floor): string | null {
  const open = floor.open.filter((one) => one.onRecord);
  const label = floor.rounds.at(-1)?.label ?? "";
  const team = (name: string) => floor.seats.filter((seat) => seat.team === name).map((seat) => seat.id);
  const [pro, con] = [team("pro"), team("con")];
  const orders: Record<string, readonly (string | undefined)[]> = {
    opening: [pro[0], con[0], pro[1]],
    "cross-examination summaries": [pro[0], con[0]],
    closing: [con[3], pro[3]],
  };
  const speaker = open[0];
  if (open.length !== 1 || !speaker) return null;
  const after = (order: readonly (string | undefined)[], seat: string) =>
    order.includes(seat) ? (order[order.indexOf(seat) + 1] ?? null) : null;
  const order = orders[label];
  if (order) return after(order, speaker.seat);
  const askers = [pro[1], con[1], pro[2], con[2], pro[0]];
  const asker = label.match(/^cross-examination by (\S+)$/)?.[1];
  // Whom an asker chooses is not known before.
  return asker && speaker.brief === "answers" ? after(askers, asker) : null;
}
