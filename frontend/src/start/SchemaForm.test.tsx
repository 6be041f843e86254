import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { SchemaForm } from "./SchemaForm";
import { initial, type Schema } from "./schema";

const SCHEMA: Schema = {
  type: "object",
  properties: {
    closing_words: { type: "integer", minimum: 50, maximum: 400, default: 200, description: "most words of a closing" },
    regime: { enum: ["natural", "prior_round_only"], default: "natural" },
    open: { type: "boolean", default: false },
    answers: { type: "array", maxItems: 2, items: { type: "string", maxLength: 20 }, default: [] },
  },
};
let value: unknown;

function Held({ faults = {} }: { faults?: Record<string, string> }) {
  const [held, setHeld] = useState(initial(SCHEMA));
  value = held;
  return <SchemaForm schema={SCHEMA} root={SCHEMA} value={held} change={setHeld} path="" faults={faults} />;
}

afterEach(cleanup);

it("gives back what was filled in, in the types of the schema", () => {
  render(<Held />);
  fireEvent.input(screen.getByLabelText("Closing words"), { target: { value: "90" } });
  fireEvent.change(screen.getByLabelText("Regime"), { target: { value: "prior_round_only" } });
  fireEvent.click(screen.getByLabelText("Open"));
  expect(value).toEqual({ closing_words: 90, regime: "prior_round_only", open: true, answers: [] });
});

it("lets lines be added as far as there is room, and taken away", () => {
  render(<Held />);
  fireEvent.click(screen.getByLabelText("Add to Answers"));
  fireEvent.click(screen.getByLabelText("Add to Answers"));
  expect(screen.queryByLabelText("Add to Answers")).toBe(null);
  fireEvent.input(screen.getByLabelText("Answer 2"), { target: { value: "yes" } });
  fireEvent.click(screen.getByLabelText("Remove Answer 1"));
  expect((value as { answers: string[] }).answers).toEqual(["yes"]);
});

it("says beside the field what is wrong with it, to everybody", () => {
  render(<Held faults={{ closing_words: "At least 50." }} />);
  const field = screen.getByLabelText("Closing words");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  const told = (field.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent);
  expect(told).toEqual(["Most words of a closing Default 200, from 50 to 400.", "At least 50."]);
});
