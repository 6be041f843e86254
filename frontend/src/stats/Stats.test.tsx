import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { FigureOverRuns, RunGroup, Statistics } from "../api";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "../router";
import { dangers, HOSTILE } from "../ui/hostile";
import { partsOf } from "./parts";
import { Found } from "./Stats";

afterEach(cleanup);

const figure = (runs: number, median: number | null = null): FigureOverRuns => ({
  runs,
  median,
  low: median === null ? null : median - 0.1,
  high: median === null ? null : median + 0.1,
  origin: "evaluation",
});

const group = (change: Partial<RunGroup> = {}): RunGroup => ({
  value: "",
  runs: 12,
  evaluated: 12,
  outcomes: {},
  figures: { gamma_mean: figure(12, 0.76), redundancy: figure(4), tokens: figure(12, 22_500) },
  dollars_by_outcome: { "no clear winner": figure(3) },
  calibration: { outcomes: 2, needed: 30, brier: null, error: null, right: null },
  ...change,
});

const accord = { pairs: 0, same: 0, kappa: null };

const statistics = (change: Partial<Statistics> = {}): Statistics => ({
  by: null,
  since: null,
  whole: group(),
  groups: [],
  threshold: { pairs: 1, needed: 30, complexity: null, gain: null, price: 0.13 },
  targets: [],
  people: { labels: 0, needed: 200, remark: "", verdicts: accord, rungs: accord },
  left_out: 0,
  ungrouped: 0,
  ...change,
});

async function shown(found: Statistics, span = ""): Promise<HTMLElement> {
  const root = createRootRoute({ component: () => <Found found={found} span={span} /> });
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: "/stats" })]),
    history: createMemoryHistory({ initialEntries: ["/stats"] }),
  });
  await router.load();
  return render(<RouterProvider router={router} />).container;
}

const row = (container: HTMLElement, name: string) =>
  [...container.querySelectorAll("tbody tr")].find((one) => one.textContent?.startsWith(name))?.textContent;

test("a figure has its median, the interval and how many debates have it", async () => {
  expect(row(await shown(statistics()), "Reasoning (ρ)")).toContain("0.76 0.66 to 0.86 · 12 debates");
});

test("below ten debates there is their number, and no median", async () => {
  expect(row(await shown(statistics()), "Redundancy")).toBe("Redundancy4 debates, too few");
});

test("a figure that no debate of a group has is not known, and no nought", async () => {
  const some = group({ value: "structured", figures: {} });
  expect(row(await shown(statistics({ by: "protocol", groups: [some] })), "Redundancy")).toContain("not known");
});

test("only what has a median is drawn, and the tables come first", async () => {
  const container = await shown(statistics());
  expect(container.querySelectorAll("figure")).toHaveLength(1);
  const text = container.innerHTML;
  expect(text.lastIndexOf("<table")).toBeLessThan(text.indexOf("<figure"));
});

test("what is not known for lack of debates says how many it needs", async () => {
  const text = (await shown(statistics())).textContent;
  expect(text).toContain("2 of 30 outcomes");
  expect(text).toContain("1 of 30 questions");
});

test("without debates it says what to do", async () => {
  const empty = statistics({ whole: group({ runs: 0, evaluated: 0, figures: {} }) });
  expect((await shown(empty)).querySelector("a")?.getAttribute("href")).toBe("/new");
  cleanup();
  expect((await shown(empty, "7d")).textContent).toContain("No debate was begun in this time.");
});

test("without an evaluation it says how to get one", async () => {
  const text = (await shown(statistics({ whole: group({ evaluated: 0 }) }))).textContent;
  expect(text).toContain("Open a debate, then Evaluation.");
});

test("a figure that this page does not know yet is shown all the same", () => {
  expect(partsOf([group({ figures: { new_figure: figure(12, 0.5) } })])).toEqual([["other", ["new_figure"]]]);
});

test.each(HOSTILE.slice(0, 12))("names of groups and results are words only (%#)", async (text) => {
  const some = group({ value: text, dollars_by_outcome: { [text]: figure(12, 0.5) } });
  const container = await shown(statistics({ by: "task", whole: { ...some, value: "" }, groups: [some] }));
  expect(dangers(container)).toEqual([]);
});

test("too few labels of people are counted", async () => {
  const people = { labels: 12, needed: 200, remark: "not checked against people", verdicts: accord, rungs: accord };
  const text = (await shown(statistics({ people }))).textContent;
  expect(text).toContain("Not checked against people: 12 of 200 labels");
});

test("with enough labels, agreement with people is told for each question", async () => {
  const verdicts = { pairs: 210, same: 180, kappa: 0.71 };
  const people = { labels: 220, needed: 200, remark: "", verdicts, rungs: { pairs: 205, same: 205, kappa: null } };
  const text = (await shown(statistics({ people }))).textContent;
  expect(text).toContain("Whether words fit deeds: the same in 180 of 210 turns, κ 0.71.");
  expect(text).toContain("How far causes reach: the same in 205 of 205 turns.");
});

test("targets of the source stand beside what was measured", async () => {
  const targets = [{ figure: "gamma_mean", standard: null, extended: 0.76, target: 0.8, reached: false }];
  expect(row(await shown(statistics({ targets })), "Reasoning (ρ)not known")).toBe(
    "Reasoning (ρ)not known0.76at least 0.80no",
  );
});
