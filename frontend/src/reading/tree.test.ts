import { expect, test } from "vitest";
import type { View } from "../api";
import { HOSTILE } from "../ui/hostile";
import { drawn, farOf, safe } from "./drawing";
import { laidOut, wrapped } from "./layout";
import { sample } from "./sample";
import { type Box, bearing, folded, MOTION, treeOf } from "./tree";

/** Many arguments, each answering an earlier one, and two that answer each other. */
function large(count: number): View {
  const view = sample();
  const claims = Array.from({ length: count }, (_, n) => ({
    id: `A-${n}`,
    seat: n % 2 ? "con" : "pro",
    side: n % 2 ? ("con" as const) : ("pro" as const),
    turn: "r1.t0",
    claim: "It is so because it was so. ".repeat(1 + (n % 5)),
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
  return { ...view, claims, replies: [...replies, reply(1, 2), reply(2, 1)] };
}

test("every argument and every reply has its box, and the motion has one", () => {
  const view = sample();
  expect(treeOf(view).boxes.map((box) => box.id)).toEqual([MOTION, "PRO-1", "CON-1", "PRO-1.r"]);
});

test("every arrow leads from a box to a box", () => {
  const { boxes, arrows } = treeOf(large(150));
  const known = new Set(boxes.map((box) => box.id));
  expect(arrows.filter(({ from, to }) => !known.has(from) || !known.has(to))).toEqual([]);
});

test("no two boxes overlap, with 150 arguments", () => {
  const all = [...laidOut(treeOf(large(150))).at.values()];
  const over = all.flatMap((a, n) =>
    all
      .slice(n + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height),
  );
  expect(all).toHaveLength(151);
  expect(over).toEqual([]);
});

test.each(["__proto__", "constructor", "toString"])("a box may be called %s", (id) => {
  const box = { ...treeOf(sample()).boxes[1], id } as Box;
  const [placed] = laidOut({ boxes: [box], arrows: [] }).at.values();
  expect(Number.isFinite(placed?.x)).toBe(true);
});

test("arguments that go round in a circle are counted once", () => {
  const under = bearing([
    { id: "1", from: "a", to: "b", attacks: true, label: "" },
    { id: "2", from: "b", to: "a", attacks: true, label: "" },
  ]);
  expect([...under("a")]).toEqual(["b"]);
});

test("folding an argument hides what bears only on it, and keeps the argument", () => {
  const whole = treeOf(sample());
  const shown = folded(whole, new Set(["CON-1"]));
  expect(shown.boxes.map((box) => box.id)).toEqual([MOTION, "PRO-1", "CON-1"]);
});

test("the count on a box is what folding it hides", () => {
  const whole = treeOf(sample());
  for (const box of whole.boxes.filter(({ under }) => under))
    expect(folded(whole, new Set([box.id])).boxes).toHaveLength(whole.boxes.length - box.under);
});

test("unfolding brings everything back", () => {
  const whole = treeOf(large(40));
  expect(folded(whole, new Set())).toBe(whole);
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

test.each(HOSTILE)("a drawing holds %j as words only", (text) => {
  const svg = drawn(treeOf(sample(text)));
  const tags = new Set([...svg.matchAll(/<\/?([a-zA-Z]+)/g)].map((found) => found[1]));
  expect(
    [...tags].filter((tag) => !["svg", "title", "rect", "defs", "marker", "path", "g", "text"].includes(tag ?? "")),
  ).toEqual([]);
});

test("letters that XML has no place for are left out", () => {
  expect(safe("a\u0000b\u001bc\ud800d<")).toBe("abcd&lt;");
});

test("from afar a box is its standing and its name, or what a reply does, a word a line", () => {
  const [motion, claim, , reply] = treeOf(sample()).boxes as [Box, Box, Box, Box];
  expect(farOf(motion)).toEqual(["Question"]);
  expect(farOf({ ...claim, standing: "refuted" })).toEqual(["✕ PRO-1"]);
  expect(farOf({ ...claim, standing: null })).toEqual(["PRO-1"]);
  expect(farOf({ ...reply, deed: "partial objection" })).toEqual(["partial", "objection"]);
});
