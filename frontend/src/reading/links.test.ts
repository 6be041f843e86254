import { expect, test } from "vitest";
import { decoded, placed } from "./links";
import { indexed } from "./open";
import { sample } from "./sample";

const index = indexed(sample());

test.each([
  ["#r1.t0", "turn", "r1.t0"],
  ["r2.t1", "turn", "r2.t1"],
  ["#PRO-1", "claim", "r1.t0"],
  ["#PRO%2D1", "claim", "r1.t0"],
  ["#PRO-1.r", "reply", "r2.t0"],
])("%s leads to a %s in %s", (hash, kind, turn) => {
  expect(placed(index, hash)).toMatchObject({ kind, turn });
});

test.each(["", "#", "#nothing", "#%E0%A4%A", "#<script>"])("%j leads nowhere", (hash) => {
  expect(placed(index, hash)).toBeNull();
});

test("a hash that cannot be decoded is taken as it stands", () => {
  expect(decoded("#%E0%A4%A")).toBe("%E0%A4%A");
});
