import { expect, it } from "vitest";
import { wayBack } from "./Enter";

it("leads back to a page of this server and nowhere else", () => {
  expect(["/debates/x", "/new"].map(wayBack)).toEqual(["/debates/x", "/new"]);
  const others = [
    "//elsewhere.test",
    "/\\elsewhere.test",
    "https://elsewhere.test",
    "javascript:alert(1)",
    "",
    undefined,
  ];
  expect(others.map(wayBack)).toEqual(others.map(() => "/"));
});
