import { expect, test } from "vitest";
import { momentOf, pause } from "./moments";
import { sample } from "./sample";

const view = sample("Cars take room.", 9);
const all = view.speeches.length;

test("before the first turn nothing is known", () => {
  const { speech, claims, spoken, points } = momentOf(view, 0);
  expect([speech, claims.length, spoken.size, points]).toEqual([null, 0, 0, {}]);
});

test("after the last turn everything is known", () => {
  const { claims, rounds, spoken } = momentOf(view, all);
  expect(claims).toEqual(view.claims);
  expect(rounds.every(({ state }) => state === "done")).toBe(true);
  expect([...spoken.values()].reduce((sum, count) => sum + count)).toBe(all);
});

test("every moment holds what the one before held, and one turn more", () => {
  for (let at = 1; at <= all; at++) {
    const [before, now] = [momentOf(view, at - 1), momentOf(view, at)];
    expect(now.speech).toBe(view.speeches[at - 1]);
    expect(now.claims.slice(0, before.claims.length)).toEqual(before.claims);
    expect(now.rounds.filter(({ state }) => state === "done").length).toBeGreaterThanOrEqual(
      before.rounds.filter(({ state }) => state === "done").length,
    );
  }
});

test("the board shows what penalties had taken by then, not later ones", () => {
  expect(momentOf(view, 1).penalties).toEqual({ pro: 0, con: 0 });
  expect(momentOf(view, 2).penalties).toEqual({ pro: 0, con: -2 });
});

test("a pause is as long as the turn takes to be spoken, divided by the speed", () => {
  const spoken = (words: string) => ({ ...view, speeches: view.speeches.map((speech) => ({ ...speech, words })) });
  const minute = spoken("word ".repeat(250).trim());
  expect(pause(minute, 1, 1)).toBe(60_000);
  expect(pause(minute, 1, 4)).toBe(15_000);
  expect(pause(spoken("Yes."), 1, 1)).toBe(1_500);
  expect(pause(minute, 0, 1)).toBe(1_500);
});
