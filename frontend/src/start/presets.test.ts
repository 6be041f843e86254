// @vitest-environment node
import { expect, it } from "vitest";
import type { About, ProtocolCard } from "../api";
import { blank, type Draft } from "./draft";
import { type Purpose, preset, purposeOf, purposes } from "./presets";

const card = (name: string) => ({ name, seats: [], settings: {} }) as unknown as ProtocolCard;
const ABOUT = {
  protocols: [card("critique"), card("structured")],
  models: [{ name: "m" }],
  usual_budget: 1,
  people: true,
} as unknown as About;
const chosen = (purpose: Purpose, change: Partial<Draft> = {}): Draft => {
  const draft = { ...blank(ABOUT), ...change };
  return { ...draft, ...preset(draft, purpose) };
};

it("begins with a decision", () => {
  expect(purposeOf(blank(ABOUT))).toBe("decide");
});

it.each(["decide", "stress", "practise", "research"] as const)("knows a draft for %s again", (purpose) => {
  expect(purposeOf(chosen(purpose))).toBe(purpose);
});

it("is for nothing in particular once something of it was changed", () => {
  expect(purposeOf({ ...chosen("decide"), control: true })).toBe(null);
});

it("keeps models that were chosen, and gives the person's seat back", () => {
  const practising = chosen("practise", { seats: { structured: { pro: "other" } } });
  expect(practising.seats.structured).toEqual({ pro: "other", con: "human" });
  expect({ ...practising, ...preset(practising, "decide") }.seats.structured).toEqual({ pro: "other" });
});

it("offers what the server can hold", () => {
  expect(purposes({ ...ABOUT, protocols: [card("structured")], people: false }).map(([purpose]) => purpose)).toEqual([
    "decide",
    "research",
  ]);
});
