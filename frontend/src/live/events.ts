/** A run as far as its events tell it: one pure fold. Whoever comes back later and reads on from there sees the same. */

import type { Event as AnyEvent, Chair, Judgement, Note, Participant, RoundClosed, View } from "../api";
import { words } from "../words/doing";

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
}

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
  kind: "sent back" | "missed" | "told" | "controlled" | "looked" | "recovered" | "failed";
  seat: string;
  text: string;
}

export interface Spending {
  calls: number;
  spent: number;
  /** A call whose price nobody knows. */
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
  /** Rounds that were planned, where somebody said so. */
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
        { ...floor, open: floor.open.filter((one) => one.address !== event.address) },
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
      return aside(floor, event.seq, "missed", event.state.agent_id, event.state.reason ?? "");
    case "intervention_made":
      return tell(floor, event.intervention, event.seq);
    case "call_paid":
      return pay(floor, event.address, event.price ?? null);
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
    case "budget_changed":
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
  const others = floor.open.filter((one) => wave(one.address) === now && one.address !== asked.address);
  return { ...floor, open: [...others, fresh] };
}

function hear(floor: Floor, piece: TextStreamed): Floor {
  const open = floor.open.map((one) => {
    if (one.address !== piece.address) return one;
    const text = one.tried === piece.attempt ? one.text + piece.text : piece.text;
    return { ...one, text, tried: piece.attempt };
  });
  return { ...floor, open };
}

/** Words stay where they are until the turn is entered: thoughts go. */
function pay(floor: Floor, address: string, price: number | null): Floor {
  const open = floor.open.flatMap((one) =>
    one.address !== address ? [one] : one.onRecord ? [{ ...one, whole: true }] : [],
  );
  const { calls, spent, unpriced } = floor.spending;
  return {
    ...floor,
    open,
    awaited: floor.awaited.filter((one) => one.address !== address),
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
  };
  return {
    ...floor,
    turns: [...floor.turns, said],
    open: floor.open.filter((one) => one.address !== address),
    awaited: floor.awaited.filter((one) => one.address !== address),
  };
}

function aside(floor: Floor, seq: number | undefined, kind: Aside["kind"], seat: string, text: string): Floor {
  return { ...floor, asides: [...floor.asides, { seq: seq ?? 0, kind, seat, text }] };
}

/** Words from outside: a controller's have its figures with them. */
function tell(floor: Floor, told: Intervention, seq: number | undefined): Floor {
  const seat = told.speaker_id ?? "";
  return aside(floor, seq, told.controller_snapshot ? "controlled" : "told", seat, told.instruction_sent);
}

// -- what is noted -------------------------------------------------------------------------

type Body = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const figure = (value: unknown): number | null => (typeof value === "number" ? value : null);
const rows = (value: unknown): Body[] => (Array.isArray(value) ? value.filter(isBody) : []);
const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null && !Array.isArray(value);

function note(floor: Floor, taken: Note, seq: number | undefined): Floor {
  const body: Body = taken.body;
  switch (taken.kind) {
    case "score":
      return { ...floor, marked: [...floor.marked, marked(taken, body)] };
    case "violation":
    case "penalty":
      return { ...floor, breaches: broken(floor.breaches, breach(taken, body)) };
    case "docket":
      return { ...floor, docket: Object.fromEntries(Object.entries(body).map(([id, state]) => [id, text(state)])) };
    case "agenda":
      return { ...floor, issues: named(rows(body.issues), "id", "question") };
    case "points":
      return points(floor, rows(body.points));
    case "assessment":
      return { ...floor, planned: figure(body.rounds) };
    case "drawn":
      return { ...floor, drawn: floor.drawn + rows(body.claims).length };
    case "marks":
      return { ...floor, sheets: floor.sheets + 1 };
    case "controller":
      return aside(floor, seq, "looked", text(body.dial), looked(body));
    case "failure":
      return aside(floor, seq, "failed", text(body.seat), text(body.why));
    default:
      return floor;
  }
}

/** Tone and evidence gate after a look of the controller. */
const looked = (body: Body): string => words.live.looked(figure(body.beta) ?? 0, figure(body.gate) ?? 0);

function points(floor: Floor, made: Body[]): Floor {
  const asking = made.filter((one) => Array.isArray(one.questions) && one.questions.length && text(one.target));
  const asked = asking.map((one) => [text(one.target), (one.questions as unknown[]).map(text).join(" ")]);
  return {
    ...floor,
    claims: { ...floor.claims, ...named(made, "id", "claim") },
    asked: { ...floor.asked, ...Object.fromEntries(asked) },
  };
}

const named = (found: Body[], id: string, words: string): Record<string, string> =>
  Object.fromEntries(found.filter((one) => text(one[words])).map((one) => [text(one[id]), text(one[words])]));

const turnOf = (taken: Note): string => taken.about?.find((one) => one.turn_id)?.turn_id ?? taken.after_turn ?? "";

function marked(taken: Note, body: Body): Marked {
  const marks = Object.entries(body).filter((row): row is [string, Body] => isBody(row[1]) && "score" in row[1]);
  return {
    turn: turnOf(taken),
    seat: text(body.about),
    by: taken.by,
    marks: Object.fromEntries(marks.map(([name, row]) => [name, figure(row.score)])),
  };
}

function breach(taken: Note, body: Body): Breach {
  return {
    rule: text(body.rule),
    seat: text(body.seat),
    turn: turnOf(taken),
    words: figure(body.words),
    allowed: figure(body.allowed),
    provisional: body.provisional === true,
    points: [figure(body.individual) ?? 0, figure(body.on_team) ?? 0],
  };
}

/** A penalty follows its violation: one line for both. */
function broken(known: readonly Breach[], fresh: Breach): readonly Breach[] {
  const same = (one: Breach) => one.rule === fresh.rule && one.turn === fresh.turn && one.seat === fresh.seat;
  return [...known.filter((one) => !same(one)), fresh];
}
