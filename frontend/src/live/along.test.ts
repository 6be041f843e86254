// @vitest-environment node
import { expect, it } from "vitest";
import { readable } from "./along";
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

it("undoes escapes, and shows what is no letter as it came", () => {
  expect(readable('{"a": "x\\n\\u00e9\\uD83D\\uDE00 \\"q\\" \\uZZZZ"}')).toBe('a: x\né😀 "q" \\uZZZZ');
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
