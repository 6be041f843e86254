import { expect, test } from "vitest";
import { argumentsOf, fitting, NO_FILTER } from "./argument";
import { path, ticks } from "./chart";
import { laid, roomFor } from "./rows";
import { sample } from "./sample";

const view = sample("Cars take room.", 12);

test("every turn is laid out once, under its round, in the order of the record", () => {
  const rows = laid(view, "");
  expect(rows.flatMap((row) => row.speech?.id ?? [])).toEqual(view.speeches.map((speech) => speech.id));
  expect(rows.filter((row) => !row.speech)).toHaveLength(view.rounds.length);
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
});

test("a search keeps the turns that hold the words, and the rounds they stand in", () => {
  const rows = laid(view, " ROOM. (7) ");
  expect(rows.map((row) => row.speech?.id ?? "round")).toEqual(["round", "r4.t1"]);
});

test("an argument is found by its name", () => {
  expect(laid(view, "con-1").flatMap((row) => row.speech?.id ?? [])).toEqual(["r1.t1"]);
});

test("a search for nothing that was said leaves nothing", () => {
  expect(laid(view, "zebra")).toEqual([]);
});

test("a longer speech gets more room, and a narrower page too", () => {
  const [, row] = laid(view, "");
  if (!row?.speech) throw new Error("the second row is a turn");
  const long = { ...row, speech: { ...row.speech, words: row.speech.words.repeat(50) } };
  expect(roomFor(long, 800)).toBeGreaterThan(roomFor(row, 800));
  expect(roomFor(long, 350)).toBeGreaterThan(roomFor(long, 800));
});

test("arguments that were not judged stand in the table too", () => {
  const unjudged = { ...view, trace: { ...view.trace, rows: [] } };
  expect(argumentsOf(unjudged).map(({ id, strengthWords }) => [id, strengthWords])).toEqual([
    ["PRO-1", ""],
    ["CON-1", ""],
  ]);
});

test("a filter keeps what fits all of it", () => {
  const all = argumentsOf(view);
  expect(fitting(all, { ...NO_FILTER, standing: "refuted" }).map((row) => row.id)).toEqual(["CON-1"]);
  expect(fitting(all, { ...NO_FILTER, standing: "refuted", side: "pro" })).toEqual([]);
});

test.each([
  [0, 0],
  [-3, 0],
  [0, 108.7],
  [-0.4, 0.9],
])("ticks hold both ends of %d to %d and are round", (low, high) => {
  const marks = ticks(low, high);
  expect(marks[0]).toBeLessThanOrEqual(low);
  expect(marks.at(-1)).toBeGreaterThanOrEqual(high);
  expect(marks.length).toBeLessThanOrEqual(7);
});

test("a line holds its value until the next one", () => {
  expect(
    path([
      [0, 1],
      [5, 2],
    ]),
  ).toBe("M0 1H5V2");
});
