// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { OpenCall } from "../api";
import { live as german } from "../words/de/live";
import { live } from "../words/live";
import { benches, nextSpeaker } from "./bench";
import { leftOf, rests, speakingTime, thenOf, waitOf } from "./clock";
import { EMPTY, type Event, type Floor, rejoined, skips, take } from "./events";
import { NAMES, recorded, resumed, spoken } from "./recorded";
import { score } from "./score";
import { roundAt, stages } from "./stages";

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

  it("gives the same state wherever the line breaks, at a hundred random moments", () => {
    const random = chance(7);
    for (let trial = 0; trial < 100; trial++) {
      const cut = Math.floor((random.next().value ?? 0) * events.length);
      const before = fold(events.slice(0, cut));
      expect(fold(resumed(events, cut, before.next), rejoined(before))).toEqual(whole);
    }
  });

  it("gives the same state when the line breaks again and again", () => {
    const random = chance(11);
    let floor = EMPTY;
    let at = 0;
    let cuts = 0;
    while (at < events.length) {
      const end = Math.min(events.length, at + 1 + Math.floor((random.next().value ?? 0) * 12));
      const told = at ? resumed(events, at, floor.next) : events;
      const missed = told.length - (events.length - at);
      floor = fold(told.slice(0, missed + end - at), rejoined(floor));
      at = end;
      cuts += 1;
    }
    expect(floor).toEqual(whole);
    expect(cuts).toBeGreaterThan(10);
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

it("keeps whoever still speaks in sight when another seat is asked again", () => {
  const asked = (address: string, seat: string, seq: number) =>
    told({ kind: "turn_begun", seq, address, seat, brief: "b", on_record: true, attempt: 0 });
  const words = told({ kind: "text_streamed", address: "000.0 a", attempt: 0, text: "Words." });
  const floor = fold([asked("000.0 a", "a", 0), words, asked("001.0 b", "b", 1)]);
  expect(floor.open.map((one) => [one.seat, one.text])).toEqual([
    ["a", "Words."],
    ["b", ""],
  ]);
  const missed = told({ kind: "seat_missed", seq: 2, state: { agent_id: "a", timestamp: "", event_type: "absent" } });
  expect(fold([missed], floor).open.map((one) => one.seat)).toEqual(["b"]);
});

describe("a delayed call", () => {
  const asked = told({
    kind: "turn_begun",
    seq: 0,
    address: "000.0 a",
    seat: "a",
    brief: "b",
    on_record: true,
    attempt: 0,
  });
  const delayed = (seq: number, attempt: number, more: object = {}) =>
    told({
      kind: "call_delayed",
      seq,
      address: "000.0 a",
      seat: "a",
      model: "p/m",
      endpoint: "127.0.0.1:9",
      at: "2026-01-01T00:00:00.000Z",
      reason: "fault",
      attempt,
      fault: "overloaded",
      words: "server error 500",
      times: 5,
      wait: 80,
      ...more,
    });
  const piece = (attempt: number) => told({ kind: "text_streamed", address: "000.0 a", attempt, text: "Well" });
  const at = Date.parse("2026-01-01T00:00:30.000Z");

  it("says how long nothing came, what failed and when it is tried again, in both languages", () => {
    const { delay } = fold([asked, delayed(1, 4)]).open[0] ?? {};
    if (!delay) throw new Error("no delay");
    const said = [live, german].map(({ wait }) => wait.unanswered("Pro", 130, delay));
    expect([...said, thenOf(delay, leftOf(delay, at))]).toEqual([
      "Pro has not answered for 2 min (server error 500, five times)",
      "Pro antwortet seit 2 min nicht (der Versuch traf auf einen Anbieter in Schwierigkeiten (500), 5-mal)",
      "next try in 0:50",
    ]);
  });

  it("rests until the next try, and is over with its words", () => {
    const { delay } = fold([asked, delayed(1, 4)]).open[0] ?? {};
    const sent = { state: "sent", sent_at: "2026-01-01T00:00:20.000Z" } as OpenCall;
    expect(delay && [rests(delay, undefined), rests(delay, sent)]).toEqual([true, false]);
    expect(fold([asked, delayed(1, 0), piece(1)]).open[0]?.delay).toBe(undefined);
  });

  it("does not come back when the log tells of it after the words of a later try", () => {
    expect(fold([asked, piece(1), delayed(1, 0)]).open[0]?.delay).toBe(undefined);
  });
});

it("leaves events of a kind that it does not know", () => {
  const floor = fold([told({ kind: "paused", seq: 0, by: "me" }), { kind: "of_tomorrow", seq: 1 } as unknown as Event]);
  expect([floor.pausedBy, floor.next]).toEqual(["me", 2]);
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

it("tells the stages that are over, the one that goes on and those to come", () => {
  const competition = log("phones");
  const free = competition.findIndex((event) => event.kind === "round_opened" && event.label.startsWith("free"));
  expect(stages(fold(competition.slice(0, free + 1))).map((stage) => [stage.label, stage.state])).toEqual([
    ["opening", "done"],
    ["cross-examination", "done"],
    ["free debate", "now"],
    ["closing", "next"],
  ]);
  expect(stages(fold(competition)).every((stage) => stage.state === "done")).toBe(true);
});

it("names a round by its stage and its own number", () => {
  const floor = fold(log("phones"));
  const named = floor.rounds.map((round) => [round.label, roundAt(floor, round.index)]);
  expect(Object.fromEntries(named)).toMatchObject({
    opening: "Opening",
    "cross-examination by pro_2": `Cross-examination, by ${floor.seats.find((seat) => seat.id === "pro_2")?.name}`,
    "cross-examination summaries": "Cross-examination, summaries",
    "free debate 3": "Free debate, exchange 3",
  });
});

it("names a next speaker only where it is the one who is asked next", () => {
  const competition = log("phones");
  const asked = (from: number) =>
    competition.slice(from).find((event) => event.kind === "turn_begun" && event.on_record);
  let named = 0;
  for (let n = 1; n < competition.length; n++) {
    const floor = fold(competition.slice(0, n));
    const next = nextSpeaker(floor);
    // The next question of this round or the one after it, not the one that is open.
    if (!next || competition[n]?.kind === "turn_begun") continue;
    expect(asked(n)).toMatchObject({ seat: next });
    named += 1;
  }
  expect(named).toBeGreaterThan(5);
});

it("gives no marks before there are any", () => {
  const [started] = log("phones");
  const { teams } = score(fold([started as Event]), { logic: 1 });
  expect(teams.map((team) => [team.team, team.perSpeech])).toEqual([
    ["pro", null],
    ["con", null],
  ]);
});

it("keeps the judge's words with the marks of a speech", () => {
  const { marked } = fold(log("phones"));
  expect(marked[0]).toMatchObject({
    turn: "r1.t0",
    line: "Puts the weight where a rule for lessons cannot reach, with figures for both.",
  });
});

it("tells how long an answer took", () => {
  const asked = { address: "000.0 a", seat: "a", brief: "x", on_record: true, attempt: 0 };
  const times = { sent_at: "2026-01-01T00:00:00.000Z", answered_at: "2026-01-01T00:00:21.000Z" };
  const turn = { turn_id: "r1.t0", round_index: 1, speaker_id: "a", attempts: [{ status: "ok", content: "So." }] };
  const floor = fold([
    told({ kind: "turn_begun", seq: 0, ...asked }),
    told({ kind: "call_paid", seq: 1, address: "000.0 a", model: "m", price: 0, ...times }),
    told({ kind: "turn_entered", seq: 2, address: "000.0 a", turn }),
  ]);
  expect(floor.turns[0]?.took).toBe(21);
});

describe("a bench", () => {
  const seats = ["pro", "con"].map((id) => ({ id, name: id, team: "", side: "", model: "", person: false }) as const);
  const speaking = { address: "000.0 pro", seat: "pro", brief: "x", onRecord: true, attempt: 0 };
  const open = (text: string, whole = false) => [{ ...speaking, words: null, seconds: null, text, tried: 0, whole }];
  const stateOf = (change: Partial<Floor>, calls: OpenCall[] = []) =>
    benches({ ...EMPTY, seats, ...change }, calls)[0]?.seats[0]?.state;
  const call = (state: OpenCall["state"]) => ({ address: "000.0 pro", state }) as OpenCall;

  it("tells what a seat does", () => {
    expect([
      stateOf({}),
      stateOf({ open: open("") }),
      stateOf({ open: open("Well") }),
      stateOf({ open: open("Well", true) }),
      stateOf({ last: { pro: "spoke" } }),
      stateOf({ last: { pro: "missed" } }),
    ]).toEqual(["waits", "asked", "speaking", "held back", "spoke", "missed"]);
  });

  it("knows from the server that an answer is held back", () => {
    expect(stateOf({ open: open("") }, [call("answered")])).toBe("held back");
    expect(stateOf({ open: open("") }, [call("sent")])).toBe("asked");
  });
});

it("counts speaking time by words, also beyond the allowance", () => {
  expect([speakingTime(0, 125, 30), speakingTime(100, 125, 30), speakingTime(150, 125, 30)]).toEqual([
    { allowed: 30, left: 30 },
    { allowed: 30, left: 6 },
    { allowed: 30, left: -6 },
  ]);
  expect(speakingTime(9, null, 30)).toBe(null);
});

describe("a wait", () => {
  const slow = {
    ended: "timed_out",
    sent_at: "2026-01-01T00:00:00.000Z",
    answered_at: "2026-01-01T00:01:00.000Z",
  } as OpenCall["lost"][number];
  const call: OpenCall = {
    address: "000.0 pro",
    state: "sent",
    asked_at: "2026-01-01T00:00:00.000Z",
    sent_at: "2026-01-01T00:01:01.000Z",
    answered_at: null,
    attempt: 2,
    attempts: 2,
    first_word_by: "2026-01-01T00:02:01.000Z",
    gives_up_at: "2026-01-01T00:03:01.000Z",
    lost: [slow],
  };
  const at = Date.parse("2026-01-01T00:01:39.000Z");

  it("runs from when the try was sent to when it is given up", () => {
    expect(waitOf(call, at, false)).toEqual({
      since: 38,
      until: 60,
      attempt: 2,
      attempts: 2,
      before: { fault: "timed_out", seconds: 60 },
    });
    expect(waitOf(call, at, true)?.until).toBe(120);
  });

  it("gives a model that thinks without a word the time of a whole answer", () => {
    expect([61, 64].map((seconds) => waitOf(call, at + (seconds - 38) * 1_000, false)?.until)).toEqual([60, 120]);
  });

  it("does not exist where nothing is waited for", () => {
    expect([waitOf(undefined, at, false), waitOf({ ...call, state: "answered" }, at, false)]).toEqual([null, null]);
  });
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

it("keeps a penalty when the judge flags the same words", () => {
  const note = (kind: string, more: object) => ({
    kind,
    about: [{ turn_id: "r1.t0" }],
    body: { rule: "counter_question", seat: "con_3", ...more },
  });
  const floor = fold([
    told({ kind: "penalty_given", seq: 0, note: note("penalty", { individual: -2, on_team: 0 }) }),
    told({ kind: "note_taken", seq: 1, note: note("violation", { provisional: true }) }),
  ]);
  expect(floor.breaches.map((one) => [one.points, one.provisional])).toEqual([[[-2, 0], false]]);
});
