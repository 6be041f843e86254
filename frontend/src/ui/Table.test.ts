import { expect, test } from "vitest";
import { type Column, sorted } from "./Table";

interface Row {
  id: string;
  strength: number | null;
}
const columns: Column<Row>[] = [
  { key: "id", head: "id", cell: (row) => row.id, sort: (row) => row.id },
  { key: "strength", head: "strength", cell: (row) => row.strength, sort: (row) => row.strength },
];
const rows: Row[] = [
  { id: "PRO-10", strength: 0.2 },
  { id: "PRO-9", strength: null },
  { id: "PRO-1", strength: 0.9 },
];
const ids = (key: string, up: boolean) => sorted(rows, columns, { key, up }).map((row) => row.id);

test("rows stay as they came until they are sorted", () => {
  expect(sorted(rows, columns, null)).toBe(rows);
});

test("numbers in names count as numbers", () => {
  expect(ids("id", true)).toEqual(["PRO-1", "PRO-9", "PRO-10"]);
});

test("what has no value comes last, whichever way it is turned", () => {
  expect(ids("strength", true)).toEqual(["PRO-10", "PRO-1", "PRO-9"]);
  expect(ids("strength", false)).toEqual(["PRO-1", "PRO-10", "PRO-9"]);
});
