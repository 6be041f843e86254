// @vitest-environment node
import { expect, it } from "vitest";
import type { View } from "../api";
import { candidates, EMPTY, most, TIE, vote } from "./ballot";

const view = (...seats: [id: string, team: string, role: string][]): View =>
  ({
    seats: seats.map(([id, team, role]) => ({ id, team, role, side: team, name: id.toUpperCase() })),
  }) as unknown as View;
const names = (of: View) => candidates(of).map((one) => one.id);

it("lets people vote for teams, or for the seats that argue", () => {
  expect(
    names(
      view(
        ["pro_1", "pro", "debater"],
        ["pro_2", "pro", "debater"],
        ["con_1", "con", "debater"],
        ["judge", "", "judge"],
      ),
    ),
  ).toEqual(["pro", "con"]);
  expect(names(view(["ada", "", "panelist"], ["ben", "", "contrarian"], ["moderator", "", "moderator"]))).toEqual([
    "ada",
    "ben",
  ]);
});

it("is no vote before it is clear for whom", () => {
  expect(vote(EMPTY)).toBe(null);
});

it("takes a tie for nobody, and for no more than a coin toss", () => {
  expect(vote({ ...EMPTY, winner: TIE, sure: 90 })).toEqual({ winner: null, sure: 50, standings: {}, remark: "" });
});

it("sends what was chosen", () => {
  expect(vote({ winner: "pro", sure: 80, standings: { "PRO-1": "upheld" }, remark: " well put " })).toEqual({
    winner: "pro",
    sure: 80,
    standings: { "PRO-1": "upheld" },
    remark: "well put",
  });
});

it("names what most people said, and nothing where they are even", () => {
  expect([most({ upheld: 2, refuted: 1 }), most({ upheld: 1, refuted: 1 }), most({}), most(undefined)]).toEqual([
    "upheld",
    null,
    null,
    null,
  ]);
});
