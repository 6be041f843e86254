import { expect, it } from "vitest";
import type { RunSummary } from "../api";
import { doable } from "./list";

const run = (topic: string, state: RunSummary["state"] = "ended", protocol = "structured/1"): RunSummary =>
  ({ run_id: topic + Math.random(), topic, state, protocol }) as RunSummary;
const can = (...chosen: RunSummary[]) => {
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
it("does nothing with one, with a debate that goes on, or with three motions, and says why", () => {
  expect(can(run("a"))).toEqual([false, false]);
  expect(can(run("a"), run("a", "running"))).toEqual([false, false]);
  expect(doable([run("a"), run("b"), run("c")]).why).toBe("Select debates with the same question and protocol.");
  expect(can(run("a"), run("a"), run("a", "ended", "competition/1"))).toEqual([false, false]);
});
