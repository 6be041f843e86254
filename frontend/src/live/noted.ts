/** What the fold makes of notes: marks, broken rules, the docket, arguments. */
import type { Note } from "../api";
import type { Aside, Breach, Floor, Marked } from "./events";

export function aside(floor: Floor, seq: number | undefined, kind: Aside["kind"], seat: string, text: string): Floor {
  return { ...floor, asides: [...floor.asides, { seq: seq ?? 0, kind, seat, text }] };
}

type Body = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const figure = (value: unknown): number | null => (typeof value === "number" ? value : null);
const rows = (value: unknown): Body[] => (Array.isArray(value) ? value.filter(isBody) : []);
const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null && !Array.isArray(value);

export function note(floor: Floor, taken: Note, seq: number | undefined): Floor {
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
    case "failure":
      return aside(floor, seq, "failed", text(body.seat), text(body.why));
    default:
      return floor;
  }
}

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
    line: marks.map(([, row]) => text(row.reason)).find(Boolean) ?? "",
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

/** A penalty follows its violation: one line for both. What a judge says later does not undo what code has found. */
function broken(known: readonly Breach[], fresh: Breach): readonly Breach[] {
  const same = (one: Breach) => one.rule === fresh.rule && one.turn === fresh.turn && one.seat === fresh.seat;
  if (fresh.provisional && known.some(same)) return known;
  return [...known.filter((one) => !same(one)), fresh];
}
