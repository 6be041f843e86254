// @vitest-environment node
import { expect, it } from "vitest";
import type { About, ProtocolCard } from "../api";
import { asked, blank, type Draft, refused, wrong } from "./draft";

const CARD: ProtocolCard = {
  name: "structured",
  version: 1,
  about: "",
  calls: 6,
  seats: [{ id: "pro", team: "", role: "pro", name: "Pro" }],
  by_settings: false,
  settings: {
    type: "object",
    properties: { closing_words: { type: "integer", minimum: 50, maximum: 400, default: 200 } },
  },
};
const ABOUT = {
  protocols: [CARD],
  models: [{ name: "improviser", label: "Improviser", where: "", free: true }],
  usual_budget: 0.5,
} as unknown as About;
const draft = (change: Partial<Draft> = {}): Draft => ({ ...blank(ABOUT), motion: " Cars? ", ...change });

it("asks for no more than what was said", () => {
  expect(asked(draft(), CARD)).toEqual({
    motion: "Cars?",
    protocol: "structured",
    settings: {},
    model: "improviser",
    seats: {},
    judges: "auto",
    control: false,
    budget: 0.5,
    language: "en",
  });
});

it("sends a document only if there is one", () => {
  expect("background" in asked(draft({ background: " \n" }), CARD)).toBe(false);
  expect(asked(draft({ background: "# Plan" }), CARD).background).toEqual({ text: "# Plan" });
});

it("sends settings and seats that differ, and no others", () => {
  const made = asked(
    draft({
      settings: { structured: { closing_words: 90 } },
      seats: { structured: { pro: "human", con: "" }, other: { x: "y" } },
    }),
    CARD,
  );
  expect([made.settings, made.seats]).toEqual([{ closing_words: 90 }, { pro: "human" }]);
});

it("takes an empty budget for none", () => {
  expect(asked(draft({ budget: " " }), CARD).budget).toBe(null);
});

it("says beside each field what is wrong", () => {
  const bad = draft({
    motion: " ",
    budget: "-1",
    language: "english!",
    panel: "own",
    settings: { structured: { closing_words: 1 } },
  });
  expect(Object.keys(wrong(bad, CARD)).sort()).toEqual([
    "budget",
    "judges",
    "language",
    "motion",
    "settings.closing_words",
  ]);
  expect(wrong(draft(), CARD)).toEqual({});
});

it("finds the fields that the server names", () => {
  expect(refused(["body.motion", "settings.words"], "too long")).toEqual({
    motion: "too long",
    "settings.words": "too long",
  });
});
