// @vitest-environment node
import { expect, it } from "vitest";
import { readable } from "./partial";
import { NAMES, recorded } from "./recorded";

it("leaves plain words as they are", () => {
  expect(readable("  First, the cost. {not a form}")).toBe("First, the cost. {not a form}");
});

it("reads a form in lines", () => {
  expect(
    readable('{"own_claim": "Cars are loud", "points": [{"id": "P-1", "sure": true}, {"id": "P-2"}], "none": []}'),
  ).toBe("own claim: Cars are loud\npoints:\n  - id: P-1\n    sure: yes\n  - id: P-2\nnone: none");
});

it("reads what has come of a form in a code block", () => {
  expect(readable('```json\n{"claim": "Half a sen')).toBe("claim: Half a sen");
  expect(readable("```js")).toBe("");
});

it("undoes escapes, also one that is not complete", () => {
  expect(readable('{"a": "x\\n\\u00e9\\uD83D\\uDE00 \\"q\\" \\u00')).toBe('a: x\né😀 "q" ');
});

it("shows what is no JSON as it came", () => {
  const speech = `[Opening] ${"Friends, the cost. ".repeat(20)}`;
  expect(readable(speech)).toBe(speech);
  const deep = "[".repeat(50_000);
  expect(readable(deep)).toBe(deep);
});

it("reads an endless answer to a point", () => {
  expect(readable(`{"a": "${"word ".repeat(100_000)}`).length).toBeLessThan(40_001);
  expect(readable("[".repeat(15) + "1,".repeat(1_000_000)).length).toBeLessThan(1_000_000);
});

it("only ever adds to what was read of an answer", () => {
  const answers = NAMES.flatMap(recorded).flatMap((event) =>
    event.kind === "turn_entered" ? event.turn.attempts.map((attempt) => attempt.content) : [],
  );
  for (const answer of answers)
    for (let end = 1, before = ""; end <= answer.length; end += 13) {
      const now = readable(answer.slice(0, end));
      expect(now.startsWith(before)).toBe(true);
      before = now;
    }
});
