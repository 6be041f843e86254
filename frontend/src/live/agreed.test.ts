// @vitest-environment node
/// <reference types="node" />
/** The record's own figures after every event of a competition; tests/web/agreed.py writes them down. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { countWords } from "../people/counting";
import { live } from "../words/live";
import { benches } from "./bench";
import { speakingTime, thenOf } from "./clock";
import { type Delay, EMPTY, type Event, type Floor, take } from "./events";
import { NAMES, recorded } from "./recorded";
import { score } from "./score";

type Row = [
  seq: number,
  stands: [Record<string, [number, number]>, Record<string, [number, number, string]>, Record<string, number>],
];

const WEIGHTS = { logic: 0.25, persuasion: 0.25, expression: 0.2, teamwork: 0.15, rule_compliance: 0.15 };
const log: readonly Event[] = recorded(NAMES.find((name) => name.includes("phones")) ?? "");
const rows = JSON.parse(readFileSync(resolve(process.cwd(), "../tests/web/agreed.json"), "utf8")) as Row[];

/** Every event, the floor after it, and what the record says there. */
function* told(): Generator<[Floor, Row[1], readonly Event[]]> {
  let floor = EMPTY;
  let says = rows[0]?.[1];
  for (const [n, event] of log.entries()) {
    floor = take(floor, event);
    if (event.kind !== "text_streamed") says = rows.find(([seq]) => seq === event.seq)?.[1] ?? says;
    if (says) yield [floor, says, log.slice(0, n + 1)];
  }
}

const rounded = (figure: number) => Number(figure.toFixed(6));

it("has the score of the record at every event", () => {
  let seen = 0;
  for (const [floor, [teams, seats]] of told()) {
    const found = score(floor, WEIGHTS);
    expect(Object.fromEntries(found.teams.map((one) => [one.team, [rounded(one.total), one.penalties]]))).toEqual(
      teams,
    );
    expect(found.seats.map((one) => rounded(one.total))).toEqual(found.seats.map((one) => seats[one.seat]?.[0]));
    seen += 1;
  }
  expect(seen).toBe(log.length);
});

it("has the benches of the record at every event", () => {
  for (const [floor, [, seats]] of told()) {
    const shown = benches(floor).flatMap((bench) => bench.seats.filter((one) => one.seat.team));
    // Who is next is not on record before it is asked.
    const state = (one: (typeof shown)[number]) => (one.state === "next" ? (seats[one.seat.id]?.[2] ?? "") : one.state);
    expect(shown.map((one) => [one.seat.id, one.times, state(one)])).toEqual(
      shown.map(({ seat }) => [seat.id, ...(seats[seat.id] ?? []).slice(1)]),
    );
  }
});

it("has the speaking time of the record for every speech", () => {
  for (const [floor, [, , left], events] of told()) {
    const found = floor.turns.flatMap((turn) => {
      const asked = events.findLast(
        (event) =>
          event.kind === "turn_begun" && event.on_record && event.seat === turn.seat && !isLater(event, turn.id),
      );
      const seconds = asked?.kind === "turn_begun" ? (asked.seconds ?? null) : null;
      const time = speakingTime(countWords(turn.words), turn.allowed, seconds);
      return time ? [[turn.id, time.left]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(left);
  }
  /** Whether a question was asked after a turn was entered. */
  function isLater(event: Event, turn: string): boolean {
    const entered = log.findIndex((one) => one.kind === "turn_entered" && one.turn.turn_id === turn);
    return log.indexOf(event) > entered;
  }
});

it("leads by the difference of the totals after the last speech that was marked", () => {
  const { teams, leads } = score(log.reduce(take, EMPTY), WEIGHTS);
  expect(leads.at(-1)?.lead).toBeCloseTo((teams[0]?.total ?? 0) - (teams[1]?.total ?? 0), 6);
});

/** What goes on after every event, as Python's fold has it; tests/web/going_on.py writes it down. */
interface GoingOn {
  open: [address: string, answered: boolean][];
  awaited: string[];
  spending: Floor["spending"];
  pausedBy: string | null;
  over: boolean;
}
const GOING_ON = JSON.parse(readFileSync(resolve(process.cwd(), "../tests/web/going_on.json"), "utf8")) as [
  Event,
  GoingOn,
][];

const goesOn = (floor: Floor): GoingOn => ({
  open: floor.open.map((one): [string, boolean] => [one.address, one.whole]).sort(),
  awaited: floor.awaited.map((one) => one.address).sort(),
  spending: floor.spending,
  pausedBy: floor.pausedBy,
  over: floor.ending !== null,
});

it("has open questions, people awaited and cost as the log has them at every event", () => {
  let floor = EMPTY;
  for (const [event, expected] of GOING_ON) {
    floor = take(floor, event);
    expect([event.kind, goesOn(floor)]).toEqual([event.kind, expected]);
  }
  expect(GOING_ON.length).toBeGreaterThan(0);
});

interface Silence {
  delay: Delay;
  seconds: number;
  left: number | null;
  says: string;
}
const SILENCES = JSON.parse(readFileSync(resolve(process.cwd(), "../tests/web/unanswered.json"), "utf8")) as Silence[];

it.each(SILENCES)("says of a model what the terminal says: $says", ({ delay, seconds, left, says }) =>
  expect(`${live.wait.unanswered("Pro", seconds, delay)}; ${thenOf(delay, left)}`).toBe(`Pro ${says}`),
);
