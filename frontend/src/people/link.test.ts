import { expect, test } from "vitest";
import { tokenOf } from "./link";

test("the token of a link stands behind the number sign", () => {
  expect(tokenOf("#link=abc_-1")).toBe("abc_-1");
});

test("no other fragment is taken for a link", () => {
  for (const hash of ["", "#r1.t0", "#Link=x", "#a#link=x"]) expect(tokenOf(hash)).toBe("");
});
