// @vitest-environment node
import { expect, it } from "vitest";
import type { About, ProtocolCard } from "../api";
import { blank, type Draft } from "./draft";
import { panelOf, taken } from "./panels";

const CARD = {
  name: "structured",
  seats: [{ id: "pro" }, { id: "con" }],
  settings: { properties: { closing_words: { type: "integer", default: 200 } } },
} as unknown as ProtocolCard;
const ABOUT = {
  protocols: [CARD],
  models: [{ name: "first" }, { name: "second" }],
  usual_budget: 1,
  people: true,
} as unknown as About;
const DRAFT: Draft = {
  ...blank(ABOUT),
  question: "Is it so?",
  model: "second",
  settings: { structured: { closing_words: 100 } },
  seats: { structured: { con: "human", pro: "" } },
  panel: "own",
  judges: ["first"],
  control: true,
  repeats: "3",
  swapped: true,
};

it("keeps who sits, who judges and how often, and not the question", () => {
  expect(panelOf(" Ours ", DRAFT, CARD)).toEqual({
    name: "Ours",
    protocol: "structured",
    settings: { closing_words: 100 },
    model: "second",
    seats: { con: "human" },
    judges: ["first"],
    control: true,
    repeats: 3,
    swapped: true,
  });
});

it("gives back the draft that was saved", () => {
  const found = taken(panelOf("Ours", DRAFT, CARD), blank(ABOUT), ABOUT);
  const again = { ...blank(ABOUT), ...found?.change };
  expect({ ...panelOf("Ours", again, CARD), lost: found?.lost }).toEqual({ ...panelOf("Ours", DRAFT, CARD), lost: [] });
  expect(again.question).toBe("");
});

it("names models that are not on offer and seats none of them", () => {
  const panel = {
    name: "x",
    protocol: "structured",
    model: "gone",
    seats: { pro: "gone", con: "human" },
    judges: ["away"],
  };
  const found = taken(panel, blank(ABOUT), ABOUT);
  expect(found?.lost).toEqual(["gone", "away"]);
  expect(found?.change).toMatchObject({
    model: "first",
    seats: { structured: { con: "human" } },
    panel: "auto",
    judges: [],
  });
});

it("takes no panel of a protocol that is not there", () => {
  expect(taken({ name: "x", protocol: "gone" }, blank(ABOUT), ABOUT)).toBe(null);
});
