import { expect, it } from "vitest";
import type { DebateRow } from "../api";
import { asked, awaitedFirst, chipOf, doable, tagsIn } from "./list";

const run = (topic: string, state: DebateRow["state"] = "ended", protocol = "structured/1"): DebateRow =>
  ({ run_id: topic + Math.random(), topic, state, protocol, ending: "played", outcome: null }) as DebateRow;
const can = (...chosen: DebateRow[]) => {
  const { compare, stability } = doable(chosen);
  return [compare, stability];
};

it("compares two that are over, whatever they were about", () => {
  expect(can(run("a"), run("b"))).toEqual([true, false]);
});
it("looks for what is stable in several of one motion", () => {
  expect(can(run("Cars?"), run(" cars? "), run("CARS?"))).toEqual([false, true]);
  expect(can(run("a"), run("a"))).toEqual([true, true]);
});
it("compares nothing with one, with a debate that goes on, or with three motions, and says why", () => {
  expect(can(run("a"))).toEqual([false, false]);
  expect(can(run("a"), run("a", "running"))).toEqual([false, false]);
  expect(doable([run("a"), run("b"), run("c")]).why).toContain("same question and protocol");
  expect(can(run("a"), run("a"), run("a", "ended", "competition/1"))).toEqual([false, false]);
});
it("exports and deletes only what is over", () => {
  expect([doable([run("a")]).over, doable([run("a", "paused")]).over]).toEqual([true, false]);
});
it("asks for batches as one row each, until something is sought", () => {
  expect(asked({}, "")).toBe("limit=30&order=open_first&grouped=true");
  expect(asked({ tag: "a b", order: "oldest", blind: "yes" }, "c~d", 5)).toBe(
    "limit=5&order=oldest&cursor=c%7Ed&tag=a+b",
  );
});
it("puts those that wait for a person first and keeps the order of the others", () => {
  const rows = [run("a"), run("b"), run("c")];
  expect(awaitedFirst(rows, { [rows[2]?.run_id ?? ""]: ["con"] }).map((row) => row.topic)).toEqual(["c", "a", "b"]);
});
it("tells in a few words what came of a debate", () => {
  const told = (more: Partial<DebateRow>, blind = false) => chipOf({ ...run("a"), ...more } as DebateRow, blind).text;
  const pro = { outcome: { kind: "decided", what: "pro", extent: "full", margin: null, interval: null } } as const;
  expect(told(pro)).toBe("PRO argued better");
  expect(told({ outcome: { ...pro.outcome, what: "rewrite it" } })).toBe("rewrite it");
  expect(told(pro, true)).toBe("ended");
  expect(told({})).toBe("not judged");
  expect(told({ ending: "failed" })).toBe("failed");
  expect(told({ state: "running" })).toBe("live");
});
it("reads tags as the server keeps them", () => {
  expect(tagsIn(" a,b  c,, a ,")).toEqual(["a", "b c"]);
});
