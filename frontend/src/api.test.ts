import { expect, test } from "vitest";
import { partFor } from "./api";

test.each([
  ["/debates/a", "", "verdict"],
  ["/debates/a/", "", "verdict"],
  ["/debates/a", "PRO-1", "verdict"],
  ["/debates/a/transcript", "", "opening"],
  ["/debates/a/transcript", "r9.t1", null],
  ["/debates/a/map", "", null],
  ["/debates/b", "", null],
])("%s#%s begins with its %s", (pathname, hash, part) => {
  expect(partFor("a", { pathname, hash })).toBe(part);
});

test("an id is read as it is written in an address", () => {
  expect(partFor("a:b", { pathname: `/debates/${encodeURIComponent("a:b")}/transcript`, hash: "" })).toBe("opening");
});
