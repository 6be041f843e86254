// @vitest-environment node
import { describe, expect, it } from "vitest";
import { faults, initial, type Schema } from "../start/schema";
import { added, begun, faultsOf, meanings, partOf, put, removed, stepAt, stepsOf, written } from "./guide";

const TEXT: Schema = { type: "string", minLength: 5 };
const OPENING: Schema = {
  type: "object",
  required: ["arguments"],
  properties: {
    arguments: {
      type: "array",
      minItems: 2,
      maxItems: 3,
      items: {
        type: "object",
        required: ["id", "claim"],
        properties: { id: { type: "string", "x-choice": "own" }, claim: TEXT },
      },
    },
  },
};
const KINDS: Schema = {
  enum: ["refute", "concede"],
  description: "refute: a step is wrong; concede: it holds",
};
const ANSWERING: Schema = {
  type: "object",
  required: ["responses", "why", "recommend"],
  properties: {
    responses: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["target", "reasoning", "accepts", "kind"],
        properties: {
          target: { type: "string", "x-choice": "claim", enum: ["PRO-1", "PRO-2"] },
          reasoning: TEXT,
          accepts: { type: "string", "x-quote": true },
          kind: KINDS,
        },
      },
    },
    why: TEXT,
    recommend: { enum: ["accept", "reject"] },
    taken_back: {
      type: "array",
      items: { type: "object", properties: { argument: { type: "string", "x-choice": "argument", enum: ["CON-1"] } } },
    },
    unasked: {
      type: "array",
      items: { type: "object", properties: { about: { type: "string", "x-choice": "question" } } },
    },
  },
};
const PLAIN: Schema = {
  type: "object",
  properties: { to: { enum: ["a"] }, questions: { type: "array", items: TEXT } },
};
const names = (form: Schema, value: unknown) => stepsOf(form, value).map((step) => step.name);

describe("steps", () => {
  it("are the claims to answer, then what else is asked", () => {
    const value = initial(ANSWERING);
    expect(stepsOf(ANSWERING, value).map(({ name, kind, paths }) => [name, kind, paths])).toEqual([
      ["PRO-1", "claim", ["responses.0"]],
      ["PRO-2", "claim", ["responses.1"]],
      ["why", "", ["why", "recommend"]],
      ["taken_back", "", ["taken_back"]],
    ]);
  });

  it("are the arguments to make, with ids that are given", () => {
    expect(names(OPENING, initial(OPENING, OPENING, "CON"))).toEqual(["CON-1", "CON-2"]);
  });

  it("are none for a form of another shape", () => {
    expect(stepsOf(PLAIN, initial(PLAIN))).toEqual([]);
  });

  it("grow and shrink with the arguments, which stay numbered without a gap", () => {
    const three = added(OPENING, initial(OPENING, OPENING, "CON"), "arguments", "CON");
    expect(names(OPENING, three)).toEqual(["CON-1", "CON-2", "CON-3"]);
    const [, second] = stepsOf(OPENING, three);
    if (!second) throw new Error("no second step");
    const written = put(three, "arguments.2.claim", "The third.");
    expect(removed(OPENING, written, second, "CON")).toEqual({
      arguments: [
        { id: "CON-1", claim: "" },
        { id: "CON-2", claim: "The third." },
      ],
    });
  });
});

describe("faults", () => {
  const value = initial(ANSWERING);
  const steps = stepsOf(ANSWERING, value);

  it("stand at the step where they are put right", () => {
    const found = faults(ANSWERING, value);
    expect(stepAt(steps, "responses.1.kind")).toBe(1);
    expect(stepAt(steps, "recommend")).toBe(2);
    expect(stepAt(steps, "responses")).toBe(1);
    expect(steps.map((step) => faultsOf(step, found).length)).toEqual([2, 2, 2, 0]);
  });

  it("do not make a step one that was begun", () => {
    expect(steps.map((step) => begun(ANSWERING, value, step))).toEqual([false, false, false, false]);
    const later = put(value, "responses.0.reasoning", "Since");
    expect(stepsOf(ANSWERING, later).map((step) => begun(ANSWERING, later, step))).toEqual([true, false, false, false]);
  });
});

it("counts words that were written, and no ids, choices or words of others", () => {
  const value = put(initial(ANSWERING), "responses.0", {
    target: "PRO-1",
    reasoning: "two words",
    accepts: "three quoted words",
    kind: "refute",
  });
  expect(written(ANSWERING, initial(ANSWERING)).trim()).toBe("");
  expect(written(ANSWERING, value).trim()).toBe("two words");
});

it("tells what each choice means, if the form says it of all", () => {
  expect(meanings(KINDS)).toEqual({ refute: "a step is wrong", concede: "it holds" });
  expect(meanings({ enum: ["refute", "other"], description: "refute: a step is wrong" })).toEqual({});
});

it("finds the words about one id", () => {
  const said = "[PRO-1] It rains.\nReasoning: clouds.\n\n[PRO-2] It snows.";
  expect(partOf(said, "PRO-1")).toBe("It rains.\nReasoning: clouds.");
  expect(partOf(said, "PRO-2")).toBe("It snows.");
  expect(partOf(said, "PRO-3")).toBe("");
});
