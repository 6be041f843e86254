import { expect, it } from "vitest";
import type { RunSummary, State } from "../api";
import { settled } from "./state";

const AT = Date.parse("2026-11-15T12:00:00Z");
const run = (protocol: string, state: RunSummary["state"], ended_at: string | null = "2026-11-15T12:00:00Z") =>
  ({ protocol, state, ended_at, ending: "played" }) as RunSummary;
const state = (report: RunSummary, ...follows: RunSummary[]) => ({ report, follows }) as unknown as State;

it("expects nothing more once a debate was judged", () => {
  expect(settled(state(run("structured/1", "ended"), run("judging/1", "ended")), AT)).toBe(true);
});

it("waits a moment for what follows a debate, and for what follows its control", () => {
  const after = state(run("structured/1", "ended"));
  const control = state(run("structured/1", "ended"), run("control/1", "ended"));
  expect([settled(after, AT + 1_000), settled(after, AT + 60_000)]).toEqual([false, true]);
  expect([settled(control, AT + 1_000), settled(control, AT + 60_000)]).toEqual([false, true]);
});

it("expects nothing after a debate that was stopped", () => {
  expect(settled(state({ ...run("structured/1", "ended"), ending: "cancelled" }), AT + 1_000)).toBe(true);
});

it("goes on looking while anything goes on", () => {
  expect(settled(state(run("structured/1", "ended"), run("judging/1", "running", null)), AT + 60_000)).toBe(false);
});
