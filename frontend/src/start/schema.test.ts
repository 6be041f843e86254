// @vitest-environment node
import { describe, expect, it } from "vitest";
import { changed, faults, initial, kindOf, resolved, type Schema } from "./schema";

const SETTINGS: Schema = {
  type: "object",
  properties: {
    words: { type: "integer", minimum: 50, maximum: 400, default: 200 },
    regime: { type: "string", enum: ["natural", "structured"], default: "natural" },
    panel: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 2, default: [] },
  },
};
/** As a protocol's form comes: parts by name, ids, lists of groups. */
const OPENING: Schema = {
  type: "object",
  required: ["arguments"],
  properties: { arguments: { type: "array", items: { $ref: "#/$defs/Argument" }, minItems: 2, maxItems: 3 } },
  $defs: {
    Argument: {
      type: "object",
      required: ["id", "claim"],
      properties: {
        id: { type: "string", "x-choice": "own" },
        claim: { type: "string", minLength: 10 },
        sure: { anyOf: [{ type: "integer" }, { type: "null" }] },
      },
    },
  },
};

describe("settings", () => {
  it("stand as usual at first, and then nothing is sent", () => {
    expect(initial(SETTINGS)).toEqual({ words: 200, regime: "natural", panel: [] });
    expect(changed(SETTINGS, initial(SETTINGS) as Record<string, unknown>)).toEqual({});
  });
  it("are sent where they differ", () => {
    expect(changed(SETTINGS, { words: 200, regime: "structured", panel: ["Ada: critic"] })).toEqual({
      regime: "structured",
      panel: ["Ada: critic"],
    });
  });
  it.each([
    [49, "At least 50."],
    [401, "At most 400."],
    [60.5, "Enter a whole number."],
    [null, "Required."],
    [Number.NaN, "Enter a number."],
  ])("of %j say what is wrong beside their field", (words, problem) => {
    expect(faults(SETTINGS, { words, regime: "natural", panel: [] })).toEqual({ words: problem });
  });
  it("tell which line of a list is too long", () => {
    expect(faults(SETTINGS, { words: 50, regime: "natural", panel: ["x".repeat(21)] })).toEqual({
      "panel.0": "At most 20 characters.",
    });
    expect(faults(SETTINGS, { words: 50, regime: "natural", panel: ["a", "b", "c"] })).toEqual({ panel: "At most 2." });
  });
});

describe("a form", () => {
  it("has as many lines as it needs, all empty", () => {
    const line = { id: "", claim: "", sure: null };
    expect(initial(OPENING)).toEqual({ arguments: [line, line] });
  });
  it("counts ids of what is put forward by itself", () => {
    const made = initial(OPENING, OPENING, "PRO") as { arguments: { id: string }[] };
    expect(made.arguments.map((one) => one.id)).toEqual(["PRO-1", "PRO-2"]);
  });
  it("finds its parts by name, and what may be null", () => {
    expect(kindOf(resolved({ $ref: "#/$defs/Argument" }, OPENING))).toBe("group");
    expect(resolved({ anyOf: [{ type: "integer" }, { type: "null" }] }, OPENING)).toEqual({
      type: "integer",
      nullable: true,
    });
  });
  it("says of every field what is missing", () => {
    const value = {
      arguments: [
        { id: "PRO-1", claim: "Cars are loud in towns", sure: null },
        { id: "PRO-2", claim: "short", sure: 3 },
      ],
    };
    expect(faults(OPENING, value)).toEqual({ "arguments.1.claim": "At least 10 characters." });
    expect(faults(OPENING, { arguments: [] })).toEqual({ arguments: "At least 2." });
  });
});

const ids = (kind: string, ...choices: string[]): Schema => ({ type: "string", "x-choice": kind, enum: choices });
const answering = (least: number, named: Schema): Schema => ({
  type: "array",
  minItems: least,
  maxItems: 3,
  items: { type: "object", properties: { target: named, why: { type: "string" } } },
});
const begun = (list: Schema) => (initial(list) as { target: string }[]).map((line) => line.target);

it("begins with a line for each thing that is to be answered", () => {
  expect(begun(answering(1, ids("claim", "PRO-1", "PRO-2")))).toEqual(["PRO-1", "PRO-2"]);
  expect(begun(answering(0, ids("question", "CON-1", "CON-2", "CON-3", "CON-4")))).toEqual(["CON-1", "CON-2", "CON-3"]);
});

it("begins with nothing where nothing has to be named, and never chooses for anybody", () => {
  expect(begun(answering(0, ids("claim", "PRO-1")))).toEqual([]);
  expect(initial({ type: "object", properties: { vote: ids("option", "yes", "no") } })).toEqual({ vote: "" });
});
