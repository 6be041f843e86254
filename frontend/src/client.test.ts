import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { read, typed } from "../client";

test("the page's types are those of the server's document", () => {
  expect(readFileSync("src/client/index.ts", "utf-8")).toBe(typed(read("openapi.json")));
});

test("what is asked may leave out its usual values, what is answered is whole", () => {
  const properties = { name: { type: "string" } };
  const schemas = {
    Asked: { type: "object", properties, additionalProperties: false },
    Told: { type: "object", properties },
  };
  const made = typed({ components: { schemas } });
  expect(made).toContain('Asked = {\n  "name"?: string;');
  expect(made).toContain('Told = {\n  "name": string;');
});
