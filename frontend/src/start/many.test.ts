// @vitest-environment node
import { expect, it } from "vitest";
import type { NewDebate, ProtocolCard } from "../api";
import { debatesOf, hasSides, sidesDiffer, swappedSeats } from "./many";

const seat = (id: string) => ({ id, team: "", role: "", name: id });
const TWO = { seats: ["pro", "con"].map(seat) } as ProtocolCard;
const TEAMS = { seats: ["pro_1", "pro_2", "con_1", "con_2", "judge"].map(seat) } as ProtocolCard;
const TABLE = { seats: ["ada", "ben"].map(seat) } as ProtocolCard;
const ASKED: NewDebate = { question: "Cars?", model: "m", seats: { con: "other" } };

it("is one debate as it was asked for, unless more are wanted", () => {
  expect(debatesOf(ASKED, TWO, 1, false)).toEqual([ASKED]);
});

it("repeats a debate with another seed each time", () => {
  expect(debatesOf(ASKED, TWO, 3, false).map(({ seed }) => seed)).toEqual([1, 2, 3]);
});

it("holds it again with the sides swapped, as often", () => {
  const all = debatesOf(ASKED, TWO, 2, true);
  expect(all.map(({ seats, seed }) => [seats, seed])).toEqual([
    [{ con: "other" }, 1],
    [{ con: "other" }, 2],
    [{ pro: "other" }, 1],
    [{ pro: "other" }, 2],
  ]);
});

it("swaps nothing where both sides have the same model", () => {
  expect(sidesDiffer(TWO, {})).toBe(false);
  expect(debatesOf({ ...ASKED, seats: {} }, TWO, 1, true)).toHaveLength(1);
});

it("swaps members of teams with those opposite, and leaves the judge", () => {
  expect(swappedSeats(TEAMS, { pro_2: "a", con_1: "b", judge: "c" })).toEqual({ con_2: "a", pro_1: "b", judge: "c" });
});

it("knows which protocols have sides", () => {
  expect([TWO, TEAMS, TABLE].map(hasSides)).toEqual([true, true, false]);
});
