// @vitest-environment node
import { describe, expect, it } from "vitest";
import { EMPTY, type Event, type Floor, rejoined, skips, take } from "./events";
import { parts, teams } from "./figures";
import { NAMES, recorded, resumed, spoken } from "./recorded";

const fold = (events: readonly Event[], from: Floor = EMPTY): Floor => events.reduce(take, from);
const log = (name: string): Event[] => recorded(NAMES.find((one) => one.includes(name)) ?? "");

/** An event as the log has it: what is empty is left out. */
const told = (event: { kind: Event["kind"]; [field: string]: unknown }): Event => event as unknown as Event;

/** Numbers that look random and are the same every time. */
function* chance(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

describe.each(NAMES)("%s", (name) => {
  const events = spoken(recorded(name));
  const whole = fold(events);

  it("gives the same state however often the line breaks", () => {
    const random = chance(7);
    for (let trial = 0; trial < 60; trial++) {
      const cut = Math.floor((random.next().value ?? 0) * events.length);
      const before = fold(events.slice(0, cut));
      expect(fold(resumed(events, cut, before.next), rejoined(before))).toEqual(whole);
    }
  });

  it("gives the same state when words and events come again that are known", () => {
    const cut = Math.floor(events.length / 2);
    const before = fold(events.slice(0, cut));
    expect(fold(resumed(events, cut, Math.max(before.next - 20, 0)), rejoined(before))).toEqual(whole);
  });

  it("stands at every break where it would stand without it", () => {
    for (let cut = 0; cut < events.length; cut += 7) {
      const before = fold(events.slice(0, cut));
      const again = fold(
        resumed(events, cut, before.next).slice(0, -(events.length - cut) || undefined),
        rejoined(before),
      );
      const heard = (floor: Floor) => floor.open.map((one) => [one.address, one.whole ? "" : one.text]);
      expect(heard(again)).toEqual(heard(before));
    }
  });

  it("keeps every turn of the log, once and in its order", () => {
    const entered = events.flatMap((event) => (event.kind === "turn_entered" ? [event.turn.turn_id] : []));
    expect(whole.turns.map((turn) => turn.id)).toEqual(entered);
  });

  it("leaves nobody speaking when it is over", () => {
    expect([whole.open, whole.awaited, whole.ending?.kind]).toEqual([[], [], "played"]);
  });
});

it("sees that something was lost", () => {
  const [first, second, third] = log("monolith");
  const floor = fold([first, second].filter((one) => one !== undefined));
  expect([skips(floor, third as Event), skips(EMPTY, third as Event)]).toEqual([false, true]);
});

it("begins the words anew when a call is made again", () => {
  const asked = told({
    kind: "turn_begun",
    seq: 0,
    address: "000.0 a b",
    seat: "a",
    brief: "b",
    on_record: true,
    attempt: 0,
  });
  const piece = (attempt: number, text: string) => told({ kind: "text_streamed", address: "000.0 a b", attempt, text });
  expect(fold([asked, piece(1, "lost "), piece(2, "he"), piece(2, "ld")]).open[0]?.text).toBe("held");
});

it("keeps what was said in sight until its turn is entered, and lets thoughts go", () => {
  const asked = (address: string, on_record: boolean, seq: number) =>
    told({ kind: "turn_begun", seq, address, seat: address.slice(6), brief: "x", on_record, attempt: 0 });
  const paid = (address: string, seq: number) => told({ kind: "call_paid", seq, address, model: "m", price: 0.5 });
  const floor = fold([asked("000.0 a", true, 0), asked("000.1 b", false, 1), paid("000.0 a", 2), paid("000.1 b", 3)]);
  expect(floor.open.map((one) => [one.seat, one.whole])).toEqual([["a", true]]);
  expect(floor.spending).toEqual({ calls: 2, spent: 1, unpriced: false });
});

it("does not take an unknown price for nothing", () => {
  expect(fold([told({ kind: "call_paid", seq: 0, address: "a", model: "m" })]).spending.unpriced).toBe(true);
});

it("waits for a person until they have spoken", () => {
  const waits = told({
    kind: "human_awaited",
    seq: 0,
    address: "001.0 pro opening",
    seat: "pro",
    key: "k",
    task: "Speak.",
  });
  const floor = fold([waits]);
  expect(floor.awaited.map((one) => one.seat)).toEqual(["pro"]);
  const paid = told({ kind: "call_paid", seq: 1, address: "001.0 pro opening", model: "human", price: 0 });
  expect(fold([paid], floor).awaited).toEqual([]);
});

it("tells the parts that are over, the one that goes on and those to come", () => {
  const competition = log("phones");
  const free = competition.findIndex((event) => event.kind === "round_opened" && event.label.startsWith("free"));
  expect(parts(fold(competition.slice(0, free + 1))).map((part) => [part.label, part.state])).toEqual([
    ["opening", "done"],
    ["cross-examination", "done"],
    ["free debate", "now"],
    ["closing", "next"],
  ]);
  expect(parts(fold(competition)).every((part) => part.state === "done")).toBe(true);
});

it("knows no marks of a team before there are any", () => {
  const [started] = log("phones");
  expect(teams(fold([started as Event])).map((team) => [team.team, team.mean])).toEqual([
    ["pro", null],
    ["con", null],
  ]);
});

it("counts a violation and its penalty as one breach", () => {
  const about = (kind: string, points: object) =>
    told({
      kind: kind === "penalty" ? "penalty_given" : "note_taken",
      seq: kind === "penalty" ? 1 : 0,
      note: {
        kind,
        about: [{ turn_id: "r1.t0" }],
        body: { rule: "overtime", seat: "pro_1", words: 60, allowed: 50, ...points },
      },
    });
  const floor = fold([about("violation", {}), about("penalty", { individual: -2, on_team: -1 })]);
  expect(floor.breaches).toEqual([
    { rule: "overtime", seat: "pro_1", turn: "r1.t0", words: 60, allowed: 50, provisional: false, points: [-2, -1] },
  ]);
});

it("tells what a controller saw and told apart from words of the chair", () => {
  const intervention = (seq: number, controller_snapshot: object | null) =>
    told({
      kind: "intervention_made",
      seq,
      intervention: { speaker_id: "ada", instruction_sent: "Press.", controller_snapshot },
    });
  const look = told({
    kind: "note_taken",
    seq: 0,
    note: { kind: "controller", about: [], body: { beta: 0.58, gate: 1 } },
  });
  expect(
    fold([look, intervention(1, {}), intervention(2, null)]).asides.map((one) => [one.kind, one.seat, one.text]),
  ).toEqual([
    ["looked", "", "tone 0.58, evidence gate 1"],
    ["controlled", "ada", "Press."],
    ["told", "ada", "Press."],
  ]);
});
