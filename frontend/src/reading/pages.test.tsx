import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { client } from "../api";
import Evaluation from "../evaluation/Evaluation";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "../router";
import { dangers, HOSTILE } from "../ui/hostile";
import Briefing from "./Briefing";
import Documents from "./Documents";
import MapPage from "./MapPage";
import { DebateContext } from "./open";
import Replay from "./Replay";
import Scores from "./Scores";
import { sample } from "./sample";
import Trace from "./Trace";

afterEach(cleanup);

const PAGES = { Briefing, MapPage, Trace, Scores, Evaluation, Replay, Documents };

async function shown(
  Page: () => React.JSX.Element,
  view: ReturnType<typeof sample>,
  hash = "r2.t1",
): Promise<HTMLElement> {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: "/", component: Page });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [`/#${hash}`] }),
  });
  await router.load();
  client.setQueryData(["documents", view.run_id, 0], { documents: [], quotes: [] });
  const { container } = render(
    <QueryClientProvider client={client}>
      <DebateContext value={view}>
        <RouterProvider router={router} />
      </DebateContext>
    </QueryClientProvider>,
  );
  return container;
}

/** Several in one text: a page is slow to make. */
const TEXTS = Array.from({ length: Math.ceil(HOSTILE.length / 9) }, (_, n) =>
  HOSTILE.slice(9 * n, 9 * n + 9).join("\n\n"),
);
const CASES = Object.entries(PAGES).flatMap(([name, Page]) => TEXTS.map((text, n) => ({ name, n, Page, text })));

test.each(CASES)("$name shows what people wrote, in every place, as words only ($n)", async ({ Page, text }) => {
  const container = await shown(Page, sample(text));
  expect(container.textContent).toContain(HOSTILE.find((one) => text.startsWith(one))?.slice(0, 8));
  expect(dangers(container)).toEqual([]);
});

test("the outcome, its trust, the strongest claim and reasons for care stand in this order", async () => {
  const seen = sample();
  const first = {
    ...seen.first,
    sentence: "Pro argued better.",
    trust: { word: "Not reliable" as const, reason: "One judge." },
    care: ["Longer arguments scored higher"],
  };
  const strongest = [{ ...seen.digest.strongest[0], claim: "Streets belong to all." }] as typeof seen.digest.strongest;
  const view = { ...seen, first, digest: { ...seen.digest, strongest } };
  const text = (await shown(Briefing, view)).textContent ?? "";
  const told = ["Pro argued better.", "Not reliable", "Streets belong to all.", "Longer arguments scored higher"];
  const places = told.map((words) => text.indexOf(words));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

test("a debate that broke off shows its failure instead of a verdict", async () => {
  const seen = sample();
  const failure = {
    what: "Pro gave no usable answer.",
    why: "No answer in time.",
    fix: "Allow more.",
    kept: "1 turn.",
  };
  const ending = { kind: "failed" as const, code: "SeatFailed", reason: "" };
  const container = await shown(Briefing, { ...seen, ending, first: { ...seen.first, failure } });
  expect(container.querySelector("h2")?.textContent).toBe("Pro gave no usable answer.");
  expect(container.textContent).toContain("Allow more.");
});

test("an argument that stands says so by sign and by word", async () => {
  const row = (await shown(Trace, sample())).querySelector("#PRO-1");
  expect(row?.textContent).toContain("✓");
  expect(row?.textContent).toContain("upheld");
});

test("every table has a caption, and every head a scope", async () => {
  for (const Page of Object.values(PAGES)) {
    const container = await shown(Page, sample());
    for (const table of container.querySelectorAll("table")) {
      expect(table.querySelector("caption")?.textContent).toBeTruthy();
      expect(table.querySelector("th:not([scope])")).toBeNull();
    }
    cleanup();
  }
});

test("a claim in focus has what bears on it above, and says why it fell", async () => {
  const text = (await shown(MapPage, sample(), "CON-1")).textContent ?? "";
  expect(text.indexOf("− Attacks on it")).toBeLessThan(text.indexOf("Why it fell"));
  expect(text).toContain("All claims");
});

test.each(["PRO-1", "PRO-1.r"])("in focus, %s shows what a speaker wrote as words only", async (id) => {
  for (const text of TEXTS) {
    expect(dangers(await shown(MapPage, sample(text), id))).toEqual([]);
    cleanup();
  }
});

test("the map of a debate without sides begins with the outline", async () => {
  const view = sample();
  const claims = view.claims.map((claim) => ({ ...claim, side: "" as const }));
  const container = await shown(MapPage, { ...view, claims });
  expect(container.querySelectorAll("[data-box]")).toHaveLength(0);
  expect(container.querySelectorAll("article")).toHaveLength(2);
});
