import { expect, test } from "vitest";
import type { View } from "../api";
import { HOSTILE } from "../ui/hostile";
import { drawn, headOf, safe } from "./drawing";
import { beside, laidOut, type Part, shortened, thickness, wrapped } from "./layout";
import { sample } from "./sample";
import {
  type Box,
  type Choice,
  claimsOf,
  FIRST,
  hasSides,
  onto,
  outOf,
  repliesTo,
  stageOf,
  treeOf,
  wingsOf,
} from "./tree";

const ALL: Choice = { standings: new Set(), all: [true, true] };
const SOME: Choice = { standings: new Set(), all: [false, false] };
const MOTION = "Should towns close their centres to cars?";

/** Many arguments, each answering an earlier one, and two that answer each other. */
function large(count: number): View {
  const view = sample();
  const claims = Array.from({ length: count }, (_, n) => ({
    id: `A-${n}`,
    seat: n % 2 ? "con" : "pro",
    side: n % 2 ? ("con" as const) : ("pro" as const),
    turn: "r1.t0",
    claim: `${n}: ${"It is so because it was so. ".repeat(1 + (n % 5))}`,
    standing: null,
    replies: [],
  }));
  const reply = (n: number, to: number): View["replies"][number] => ({
    id: `A-${n}>A-${to}`,
    kind: "refute",
    deed: "refutation",
    target: `A-${to}`,
    seat: "pro",
    side: "pro",
    turn: "r1.t0",
    words: "no",
    attacks: n % 3 > 0,
    source: `A-${n}`,
    replies: [],
  });
  const replies = claims.flatMap((_, n) => (n % 4 ? [reply(n, Math.floor(n / 2))] : []));
  const row = view.trace.rows[0] as View["trace"]["rows"][number];
  const rows = claims.map(({ id }, n) => ({ ...row, id, strength: ((n * 37) % 100) / 100 }));
  return { ...view, claims, replies: [...replies, reply(1, 2), reply(2, 1)], trace: { ...view.trace, rows } };
}

const wings = (view: View, choice = ALL) => wingsOf(view, treeOf(view), choice);
const layout = (view: View, room = 1360, choice = ALL) => laidOut(wings(view, choice), MOTION, room);

function overlapping(parts: readonly Part[]): string[] {
  return parts.flatMap((a, n) =>
    parts
      .slice(n + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.key} over ${b.key}`),
  );
}

test("every argument and every reply is on the map, and the motion once", () => {
  expect(layout(sample()).parts.map((part) => part.kind)).toEqual(["motion", "claim", "unanswered", "claim", "reply"]);
});

test.each([6, 8, 45, 60, 200])("no two boxes overlap, with %d arguments and all of them open", (count) => {
  for (const room of [700, 960, 1200, 1360]) expect(overlapping(layout(large(count), room).parts)).toEqual([]);
});

test.each([6, 45, 200])("no box reaches over the edge, with %d arguments", (count) => {
  const { parts, width, height } = layout(large(count));
  expect(
    parts.filter((one) => one.x < 0 || one.y < 0 || one.x + one.width > width || one.y + one.height > height),
  ).toEqual([]);
});

test("pro stands on the left, con on the right, the motion between them", () => {
  const { parts } = layout(sample());
  const column = (key: string) => parts.find((part) => part.key === key)?.column;
  expect([column("PRO-1"), column("motion"), column("CON-1")]).toEqual([1, 2, 3]);
});

test("in a wing the strongest comes first", () => {
  const [left] = wings(large(45));
  const strengths = left.groups.flatMap((group) => group.entries.map((entry) => entry.claim.strength ?? 0));
  expect(strengths).toEqual(strengths.toSorted((one, other) => other - one));
});

test("a wing shows six claims, and says how many weaker ones there are", () => {
  const [left] = wings(large(45), SOME);
  expect([left.groups.flatMap((group) => group.entries).length, left.hidden]).toEqual([FIRST, 23 - FIRST]);
  const more = layout(large(45), 1360, SOME).parts.filter((part) => part.kind === "more");
  expect(more.map((part) => part.count)).toEqual([17, 16]);
});

test("one more than six is shown, since a button would take the same room", () => {
  expect(wings(large(14), SOME).map((wing) => wing.hidden)).toEqual([0, 0]);
});

test("chosen standings are shown, others are not", () => {
  const kept = wings(sample(), { ...ALL, standings: new Set(["refuted"]) });
  expect(claimsOf(kept).map((box) => box.id)).toEqual(["CON-1"]);
});

test("a debate of teams is grouped by stage, in the order of the record", () => {
  const { seats, ...rest } = sample();
  const view = { ...rest, seats: seats.map((seat) => ({ ...seat, team: `team ${seat.id}` })) };
  const labels = ["free debate 2", "opening"];
  const claims = ["r2.t0", "r1.t0"].map((turn, n) => ({
    ...(view.claims[0] as View["claims"][number]),
    id: `${n}`,
    turn,
  }));
  const speeches = view.speeches.map(
    (speech) => ({ ...speech, label: speech.round === 2 ? labels[0] : labels[1] }) as never,
  );
  const [left] = wings({ ...view, claims, speeches, replies: [] });
  expect(left.groups.map((group) => group.title)).toEqual(["free debate", "opening"]);
});

test.each([
  ["free debate 12", "free debate"],
  ["cross-examination by pro_2", "cross-examination"],
  ["cross-examination summaries", "cross-examination"],
  ["closing", "closing"],
])("%s is of the stage %s", (label, stage) => {
  expect(stageOf(label)).toBe(stage);
});

test("a debate without sides has a group for each seat, and both wings are used", () => {
  const view = sample();
  const claims = view.claims.map((claim) => ({ ...claim, side: "" as const }));
  const found = wings({ ...view, claims, replies: [] });
  expect(hasSides({ ...view, claims })).toBe(false);
  expect(found.map((wing) => wing.groups.length)).toEqual([1, 1]);
});

test("an answer to an attack strengthens the claim, and stands in its row", () => {
  const view = sample();
  const [reply] = view.replies as [View["replies"][number]];
  const answer = { ...reply, id: "CON-1.a", kind: "answer", target: "PRO-1.r", seat: "con", side: "con" as const };
  const found = repliesTo(treeOf({ ...view, replies: [reply, answer] }), "CON-1");
  expect(found.map(({ box, attacks, to }) => [box.id, attacks, to])).toEqual([
    ["PRO-1.r", true, ""],
    ["CON-1.a", false, "PRO-1.r"],
  ]);
});

test("arguments that go round in a circle are told once in a row", () => {
  const tree = treeOf(large(3));
  expect(repliesTo(tree, "A-1").map((reply) => reply.box.id)).toEqual(
    ["A-3", "A-2"].filter((id) => tree.boxes.has(id)),
  );
});

test("every arrow leads from a box to a box", () => {
  const { boxes, arrows } = treeOf(large(150));
  expect(arrows.filter(({ from, to }) => !boxes.has(from) || !boxes.has(to))).toEqual([]);
  expect(onto(treeOf(sample()), "CON-1").map((arrow) => arrow.from)).toEqual(["PRO-1.r"]);
  expect(outOf(treeOf(sample()), "PRO-1.r").map((arrow) => arrow.to)).toEqual(["CON-1"]);
});

test.each(["__proto__", "constructor", "toString"])("a claim may be called %s", (id) => {
  const view = sample();
  const claims = [{ ...(view.claims[0] as View["claims"][number]), id }];
  expect(layout({ ...view, claims, replies: [] }).parts.some((part) => part.key === id)).toBe(true);
});

test("the better a claim stands, the thicker its line", () => {
  expect([thickness(0), thickness(null), thickness(0.5), thickness(1)]).toEqual([1, 1.5, 2.5, 4]);
});

test("arrow keys follow the lines: from a reply to its claim, to the motion, and over to the other wing", () => {
  const drawing = layout(sample());
  const reply = drawing.parts.find((part) => part.kind === "reply")?.key ?? "";
  const path = [reply];
  for (let at = beside(drawing, reply, "ArrowLeft"); at; at = beside(drawing, at, "ArrowLeft")) path.push(at);
  expect(path).toEqual([reply, "CON-1", "motion", "PRO-1"]);
  expect(beside(drawing, "CON-1", "ArrowRight")).toBe(reply);
  expect(beside(drawing, "CON-1", "ArrowDown")).toBeNull();
});

test("up and down lead through a column as it is drawn", () => {
  const drawing = layout(large(8));
  const column = drawing.parts.filter((part) => part.column === 1).toSorted((one, other) => one.y - other.y);
  const [first, second] = column as [Part, Part];
  expect(beside(drawing, first.key, "ArrowDown")).toBe(second.key);
  expect(beside(drawing, second.key, "ArrowUp")).toBe(first.key);
});

test("a long text is cut with an ellipsis, a short one is whole", () => {
  expect(wrapped("Cars take room.")).toEqual(["Cars take room."]);
  const lines = wrapped("word ".repeat(100));
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toMatch(/…$/);
});

test("no line is longer than its box, whatever the letters", () => {
  for (const text of ["x".repeat(500), "字".repeat(200), "🚲".repeat(100)])
    for (const line of wrapped(text)) expect([...line].length).toBeLessThanOrEqual(31);
});

test("in a small box a reply stands without its questions and without the brackets of its quotes", () => {
  expect(shortened("It fell: [DOC-1.2: “by half”].\nQuestion: Why?\nQuestion: How?")).toBe("It fell: “by half”.");
});

test.each(HOSTILE)("a drawing holds %j as words only", (text) => {
  const view = sample(text);
  const svg = drawn(layout(view), view.topic);
  const tags = new Set([...svg.matchAll(/<\/?([a-zA-Z]+)/g)].map((found) => found[1]));
  expect(
    [...tags].filter((tag) => !["svg", "title", "rect", "path", "g", "text", "circle"].includes(tag ?? "")),
  ).toEqual([]);
});

test("letters that XML has no place for are left out", () => {
  expect(safe("a\u0000b\u001bc\ud800d<")).toBe("abcd&lt;");
});

test("the head of a claim says its name, how it stands and how strong it is", () => {
  const claim = treeOf(sample()).boxes.get("PRO-1") as Box;
  expect(headOf(claim)).toBe("PRO-1 · ✓ upheld · strength 80");
});
