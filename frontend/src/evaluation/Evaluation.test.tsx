import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { client, type View } from "../api";
import { DebateContext } from "../reading/open";
import { sample } from "../reading/sample";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "../router";
import Evaluation from "./Evaluation";
import { cell, evaluationOf } from "./sample";

afterEach(cleanup);
client.setQueryData(["about"], { role: "viewer" });

const SAID = "Cars take room.";

async function shown(view: View, hash = ""): Promise<HTMLElement> {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: "/debates/$id/evaluation", component: Evaluation });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [`/debates/d-1/evaluation${hash}`] }),
  });
  await router.load();
  return render(
    <QueryClientProvider client={client}>
      <DebateContext value={view}>
        <RouterProvider router={router} />
      </DebateContext>
    </QueryClientProvider>,
  ).container;
}

const evaluated = (change: Parameters<typeof evaluationOf>[1] = {}) => ({
  ...sample(SAID),
  sections: { evaluation: evaluationOf(SAID, change) },
});

test("what weakens the figures stands before every figure", async () => {
  const text = (await shown(evaluated())).textContent ?? "";
  const places = ["Judged by its own family", "Reasoning, mean ρ", "0.85", "Metrics"].map((one) => text.indexOf(one));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

test("a turn that nobody could judge says so, and shows no nought", async () => {
  const found = (await shown(evaluated())).querySelector('a[href$="#r2.t0"]');
  expect(found?.textContent).toContain("not known");
  expect(found?.textContent).toContain("not judged");
  expect(found?.textContent).toContain("no causal claim");
  expect(found?.textContent).not.toContain("0.00");
});

test("a pillar that could not be read is an empty frame, not a bar", async () => {
  const bars = (await shown(evaluated())).querySelector('a[href$="#r1.t0"] svg');
  expect(bars?.querySelectorAll("rect[fill='none']")).toHaveLength(4);
  expect(bars?.querySelectorAll("rect[fill='var(--accent)']")).toHaveLength(3);
});

test("a verdict and a rung are told by word, and a listener hears all of the cell", async () => {
  const found = (await shown(evaluated())).querySelector('a[href$="#r1.t0"]');
  expect(found?.textContent).toContain("gives in");
  expect(found?.textContent).toContain("L2/L1");
  expect(found?.querySelector(".sr-only")?.textContent).toContain("claims L2, shows L1");
});

test("of many rounds there are no empty columns: turns follow each other, each with its round", async () => {
  const rounds = Array.from({ length: 9 }, (_, n) => ({ index: n + 1, label: `r${n + 1} talk` }));
  const seats = [{ seat: "pro", rho: "0.85", cells: rounds.map((_, n) => (n === 7 ? [cell("r8.t0")] : [])) }];
  const table = (await shown(evaluated({ rounds, seats }))).querySelector("table");
  expect(table?.querySelectorAll("thead th")).toHaveLength(2);
  expect(table?.textContent).toContain("r8 talk");
  expect(table?.textContent).not.toContain("silent");
});

test("a cell that is open shows its quotes in place, with their number, and each judge's answer", async () => {
  const dialog = (await shown(evaluated(), "#r1.t0")).querySelector("dialog");
  expect(dialog?.querySelector("mark")?.textContent).toBe(`${SAID}1`);
  expect(dialog?.textContent).toContain("not in this turn");
  expect(dialog?.querySelector('section[aria-label="j1"]')?.textContent).toContain("Logic");
});

test("an address that names no turn opens nothing", async () => {
  const dialog = (await shown(evaluated(), "#r9.t9")).querySelector("dialog");
  expect(dialog?.querySelector("mark")).toBeNull();
});

test("every plot has its figures as a table", async () => {
  const container = await shown(evaluated());
  const plot = container.querySelector('section[aria-label="Quality of reasoning"]');
  expect(plot?.querySelector("table")?.textContent).toContain("0.50");
});

test("a metric stands beside what it does not mean", async () => {
  const container = await shown(evaluated());
  const row = [...container.querySelectorAll("tr")].find((one) => one.textContent?.startsWith("Redundancy"));
  expect(row?.textContent).toContain("not known");
  expect(row?.textContent).toContain("bad");
});

test("a debate that was not evaluated says what an evaluation would show", async () => {
  const container = await shown({ ...sample(SAID), sections: {} });
  expect(container.textContent).toContain("Not evaluated yet");
});
