/** A run as far as its events tell it: one pure fold. A reader who comes back later and reads on sees the same. */

import type { Event as AnyEvent, Chair, Judgement, Participant, RoundClosed, View } from "../api";
import { aside, note } from "./noted";

type Kinded<T> = T extends { kind?: infer Kind } ? Omit<T, "kind"> & { kind: NonNullable<Kind> } : never;
export type Event = Kinded<AnyEvent>;
type Of<Kind> = Extract<Event, { kind: Kind }>;
type TextStreamed = Of<"text_streamed">;
type Intervention = Of<"intervention_made">["intervention"];

export type Side = Chair["side"];
export type Ending = View["ending"];
export type Outcome = Judgement["outcome"];

export interface Seat {
  id: string;
  name: string;
  team: string;
  side: Side;
  model: string;
  person: boolean;
}

export interface Round {
  index: number;
  label: string;
  status: RoundClosed["status"] | "open";
}

/** A finished turn. */
export interface Said {
  id: string;
  round: number;
  seat: string;
  kind: string;
  words: string;
  /** Words it was allowed, where what counts is all of it. */
  allowed: number | null;
  lost: string;
  retries: number;
  /** Seconds from the question to the answer, where the log has both. */
  took: number | null;
}

/** Why the words of a seat do not come: a try failed, or the call waits before it is sent. */
export type Delay = Required<Pick<Of<"call_delayed">, "reason" | "fault" | "words" | "times" | "most">> & {
  /** By the server's clock. */
  at: number;
  /** Seconds from then until the next try, where that is known. */
  wait: number | null;
};

/** A seat that was asked and has not been heard. */
export interface Speaking {
  address: string;
  seat: string;
  brief: string;
  onRecord: boolean;
  attempt: number;
  words: number | null;
  seconds: number | null;
  /** As it came, plain words or a form that is not complete. */
  text: string;
  /** The same call made again begins its words anew. */
  tried: number;
  /** Its answer is there, and waits for those of others. */
  whole: boolean;
  delay?: Delay | undefined;
}

export interface Awaited {
  address: string;
  seat: string;
  key: string;
  task: string;
  until: string | null;
}

export interface Marked {
  turn: string;
  seat: string;
  by: string;
  marks: Record<string, number | null>;
  /** The judge's words on it: the reason of the first mark. */
  line: string;
}

export interface Breach {
  rule: string;
  seat: string;
  turn: string;
  words: number | null;
  allowed: number | null;
  /** One judge says so. */
  provisional: boolean;
  /** Of the seat and of its team; both 0 where it costs nothing. */
  points: readonly [number, number];
}

export interface Aside {
  seq: number;
  kind: "sent back" | "missed" | "told" | "recovered" | "failed";
  seat: string;
  text: string;
}

export interface Spending {
  calls: number;
  spent: number;
  /** A call without a known price. */
  unpriced: boolean;
}

export interface Floor {
  /** Number of the next event; those before are known. */
  next: number;
  topic: string;
  protocol: string;
  seats: readonly Seat[];
  rounds: readonly Round[];
  turns: readonly Said[];
  open: readonly Speaking[];
  awaited: readonly Awaited[];
  marked: readonly Marked[];
  breaches: readonly Breach[];
  asides: readonly Aside[];
  docket: Readonly<Record<string, string>>;
  issues: Readonly<Record<string, string>>;
  /** Arguments by their ids, and what was asked of each, as far as forms say so. */
  claims: Readonly<Record<string, string>>;
  asked: Readonly<Record<string, string>>;
  /** How each seat's last turn went. */
  last: Readonly<Record<string, "spoke" | "missed">>;
  /** Seconds that calls of this wave took, by address. */
  took: Readonly<Record<string, number>>;
  /** Rounds that were planned, where the protocol says so. */
  planned: number | null;
  /** Of a judging: claims that were drawn, sheets that were marked. */
  drawn: number;
  sheets: number;
  spending: Spending;
  pausedBy: string | null;
  ending: Ending | null;
  outcome: Outcome | null;
}

export const EMPTY: Floor = {
  next: 0,
  topic: "",
  protocol: "",
  seats: [],
  rounds: [],
  turns: [],
  open: [],
  awaited: [],
  marked: [],
  breaches: [],
  asides: [],
  docket: {},
  issues: {},
  claims: {},
  asked: {},
  last: {},
  took: {},
  planned: null,
  drawn: 0,
  sheets: 0,
  spending: { calls: 0, spent: 0, unpriced: false },
  pausedBy: null,
  ending: null,
  outcome: null,
};

/** After a break in the line: words in progress are sent again from their beginning. */
export const rejoined = (floor: Floor): Floor => ({
  ...floor,
  open: floor.open.map((one) => ({ ...one, text: "", tried: 0 })),
});

/** Whether something between was lost, so that it must be read again from `next`. */
export const skips = (floor: Floor, event: Event): boolean =>
  event.kind !== "text_streamed" && (event.seq ?? 0) > floor.next;

export function take(floor: Floor, event: Event): Floor {
  if (event.kind === "text_streamed") return hear(floor, event);
  if ((event.seq ?? 0) < floor.next) return floor;
  return { ...told(floor, event), next: (event.seq ?? 0) + 1 };
}

type Durable = Exclude<Event, TextStreamed>;

function told(floor: Floor, event: Durable): Floor {
  switch (event.kind) {
    case "debate_started":
      return {
        ...EMPTY,
        topic: event.header.debate_metadata.topic ?? event.header.debate_id,
        protocol: event.header.run_metadata.protocol ?? "",
        seats: event.header.participants.map(seated),
      };
    case "round_opened":
      return { ...floor, rounds: [...floor.rounds, { index: event.round_index, label: event.label, status: "open" }] };
    case "round_closed":
      return {
        ...floor,
        rounds: floor.rounds.map((one) => (one.index === event.round_index ? { ...one, status: event.status } : one)),
      };
    case "turn_begun":
      return begin(floor, event);
    case "attempt_rejected":
      return aside(
        close(floor, (one) => one.address === event.address),
        event.seq,
        "sent back",
        event.seat,
        event.complaints.join("; "),
      );
    case "turn_entered":
      return enter(floor, event);
    case "note_taken":
    case "score_given":
    case "penalty_given":
      return note(floor, event.note, event.seq);
    case "seat_missed":
      return aside(
        {
          ...close(floor, (one) => one.seat === event.state.agent_id),
          last: { ...floor.last, [event.state.agent_id]: "missed" },
        },
        event.seq,
        "missed",
        event.state.agent_id,
        event.state.reason ?? "",
      );
    case "intervention_made":
      return tell(floor, event.intervention, event.seq);
    case "call_paid":
      return pay(floor, event);
    case "call_delayed":
      return delay(floor, event);
    case "human_awaited":
      return await_(floor, event);
    case "paused":
      return { ...floor, pausedBy: event.by };
    case "resumed":
      return { ...floor, pausedBy: null };
    case "recovered":
      return aside(floor, event.seq, "recovered", "", "");
    case "debate_ended":
      return { ...floor, ending: event.ending, open: [], awaited: [], pausedBy: null };
    case "outcome_reached":
      return { ...floor, outcome: event.outcome };
    default: // also kinds that only a newer server knows
      return floor;
  }
}

function seated(one: Participant): Seat {
  const team = one.team ?? "";
  const role = one.role ?? "";
  return {
    id: one.agent_id,
    name: one.display_name ?? one.agent_id,
    team,
    side: sideOf(team || role || one.agent_id),
    model: one.model_name ?? "",
    person: one.model_name === "human",
  };
}

/** As the server has it: the rest have no colour of their own. */
export function sideOf(word: string): Side {
  const plain = word.toLowerCase();
  return plain === "pro" || plain === "con" || plain === "judge" ? plain : "";
}

// -- who speaks ----------------------------------------------------------------------------

const wave = (address: string): number => Number.parseInt(address, 10);

/** Without the questions that are over. */
function close(floor: Floor, over: (one: { address: string; seat: string }) => boolean): Floor {
  const stays = (one: { address: string; seat: string }) => !over(one);
  return { ...floor, open: floor.open.filter(stays), awaited: floor.awaited.filter(stays) };
}

function begin(floor: Floor, asked: Of<"turn_begun">): Floor {
  const now = wave(asked.address);
  const fresh: Speaking = {
    address: asked.address,
    seat: asked.seat,
    brief: asked.brief,
    onRecord: asked.on_record,
    attempt: asked.attempt,
    words: asked.words ?? null,
    seconds: asked.seconds ?? null,
    text: "",
    tried: 0,
    whole: false,
  };
  // In a written sample, some of the wave before still speak. Words of people have no call that is paid.
  const people = new Set(floor.awaited.map((one) => one.address));
  const speaks = (one: Speaking) =>
    wave(one.address) === now || (one.onRecord && !one.whole && !people.has(one.address));
  const others = floor.open.filter((one) => one.address !== asked.address && speaks(one));
  const awaited = floor.awaited.filter((one) => wave(one.address) === now);
  return { ...floor, open: [...others, fresh], awaited, took: {} };
}

function hear(floor: Floor, piece: TextStreamed): Floor {
  const open = floor.open.map((one) => {
    if (one.address !== piece.address) return one;
    const text = one.tried === piece.attempt ? one.text + piece.text : piece.text;
    return { ...one, text, tried: piece.attempt, delay: undefined };
  });
  return { ...floor, open };
}

/** Words of a later try may be there before the log tells of the one that failed. */
function delay(floor: Floor, event: Of<"call_delayed">): Floor {
  const { reason, fault = "", words = "", times = 0, most = 0, wait = null, attempt = 0 } = event;
  const found: Delay = { reason, fault, words, times, most, wait, at: Date.parse(event.at) };
  const late = (one: Speaking) => one.text !== "" && one.tried > attempt;
  const open = floor.open.map((one) => (one.address === event.address && !late(one) ? { ...one, delay: found } : one));
  return { ...floor, open };
}

/** Words stay where they are until the turn is entered: thoughts go. */
function pay(floor: Floor, { address, price = null, sent_at, answered_at }: Of<"call_paid">): Floor {
  const took = (Date.parse(answered_at ?? "") - Date.parse(sent_at ?? "")) / 1_000;
  const open = floor.open.flatMap((one) =>
    one.address !== address ? [one] : one.onRecord ? [{ ...one, whole: true }] : [],
  );
  const { calls, spent, unpriced } = floor.spending;
  return {
    ...floor,
    open,
    awaited: floor.awaited.filter((one) => one.address !== address),
    took: Number.isNaN(took) ? floor.took : { ...floor.took, [address]: took },
    spending: { calls: calls + 1, spent: spent + (price ?? 0), unpriced: unpriced || price === null },
  };
}

function await_(floor: Floor, event: Of<"human_awaited">): Floor {
  const fresh: Awaited = {
    address: event.address,
    seat: event.seat,
    key: event.key ?? "",
    task: event.task ?? "",
    until: event.until ?? null,
  };
  return { ...floor, awaited: [...floor.awaited.filter((one) => one.address !== fresh.address), fresh] };
}

function enter(floor: Floor, { turn, address, words }: Of<"turn_entered">): Floor {
  const last = turn.attempts.at(-1);
  const spoke = last?.status === "ok";
  const said: Said = {
    id: turn.turn_id,
    round: turn.round_index,
    seat: turn.speaker_id,
    kind: turn.metadata?.kind ?? "",
    words: spoke ? (last.final_answer ?? last.content) : "",
    allowed: last?.final_answer == null ? (words ?? null) : null,
    lost: spoke ? "" : (turn.turn_outcome ?? last?.diagnostics?.error_type ?? "error"),
    retries: turn.retry_count ?? 0,
    took: address ? (floor.took[address] ?? null) : null,
  };
  return {
    ...close(floor, (one) => one.address === address),
    turns: [...floor.turns, said],
    last: { ...floor.last, [said.seat]: spoke ? "spoke" : "missed" },
  };
}

/** Words of a person to a speaker. */
function tell(floor: Floor, told: Intervention, seq: number | undefined): Floor {
  return aside(floor, seq, "told", told.speaker_id ?? "", told.instruction_sent);
}
