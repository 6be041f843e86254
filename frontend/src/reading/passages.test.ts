// @vitest-environment node
import { expect, it } from "vitest";
import { cut, indexOf } from "./passages";
import { quote } from "./sample";

const TEXT = "One 👋 two. Three four.\n\nFive six.\fSeven.";
const points = [...TEXT];
const place = (words: string) => {
  const start = [...TEXT.slice(0, TEXT.indexOf(words))].length;
  return { start, end: start + [...words].length };
};
const passage = (id: string, words: string, page: number | null = null) => ({ id, page, ...place(words) });
const quoted = (id: string, words: string) => ({ ...quote(id, words, "", true), ...place(words) });
const PASSAGES = [passage("DOC-1.1", "One 👋 two. Three four."), passage("DOC-1.2", "Five six.\fSeven.")];
const shown = (...quotes: ReturnType<typeof quoted>[]) =>
  cut({ text: TEXT, passages: PASSAGES, quotes }).map(({ pieces }) =>
    pieces.map(({ text, quotes: own }) => `${own.map((one) => one.id).join("+")}:${text}`),
  );

it("counts letters of two units as the server does", () => {
  expect(points.length).toBeLessThan(TEXT.length);
  expect(shown(quoted("a", "two. Three"))[0]).toEqual([":One 👋 ", "a:two. Three", ": four."]);
});

it("marks words that several have quoted once for all of them", () => {
  expect(shown(quoted("a", "two. Three"), quoted("b", "Three four"))[0]).toEqual([
    ":One 👋 ",
    "a:two. ",
    "a+b:Three",
    "b: four",
    ":.",
  ]);
});

it("marks a quote that goes on in the next passage, and leads to its beginning", () => {
  const made = cut({ text: TEXT, passages: PASSAGES, quotes: [quoted("a", "four.\n\nFive")] });
  expect(made.map(({ pieces }) => pieces.filter((one) => one.quotes.length).map((one) => one.text))).toEqual([
    ["four."],
    ["Five"],
  ]);
  expect([indexOf(made, "a"), indexOf(made, "DOC-1.2"), indexOf(made, "nothing")]).toEqual([0, 1, -1]);
});

it("marks nothing for a quote that stands nowhere", () => {
  expect(shown({ ...quoted("a", "Five"), start: -1, end: -1 }).flat()).toEqual([
    ":One 👋 two. Three four.",
    ":Five six.\nSeven.",
  ]);
});

it("says where another page begins", () => {
  const passages = [passage("DOC-1.1", "One", 1), passage("DOC-1.2", "Five", 1), passage("DOC-1.3", "Seven", 2)];
  expect(cut({ text: TEXT, passages, quotes: [] }).map(({ turned }) => turned)).toEqual([true, false, true]);
});
