import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "../router";
import { dangers, HOSTILE } from "../ui/hostile";
import { Markdown } from "../ui/Markdown";
import { shownIn } from "./Quote";
import { quote } from "./sample";

afterEach(cleanup);

const WRITTEN = "[DOC-2.1: “every *word* of [it]”]";

async function shown(text: string, quotes: ReturnType<typeof quote>[], id = "d-1"): Promise<HTMLElement> {
  const component = () => <Markdown shown={shownIn(quotes, id).get("r1.t0") ?? []}>{text}</Markdown>;
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() });
  await router.load();
  return render(<RouterProvider router={router} />).container;
}

test("a quote that was checked is its words and a chip that leads to its place", async () => {
  const page = await shown(`So: ${WRITTEN}.`, [quote("c-1", "every word", WRITTEN, true)]);
  expect(page.querySelector("q")?.textContent).toBe("every word");
  const chip = page.querySelector("a");
  expect([chip?.getAttribute("href"), chip?.textContent]).toEqual([
    "/debates/d-1/documents/DOC-1#c-1",
    "✓ DOC-1.1 accepted",
  ]);
});

test("a quote that is not accepted says so by sign and by word, and leads to the reason", async () => {
  const page = await shown(`So: ${WRITTEN}.`, [quote("c-1", "every word", WRITTEN, false)]);
  const chip = page.querySelector("a");
  expect([chip?.getAttribute("href"), chip?.textContent]).toEqual([
    "/debates/d-1/documents#c-1",
    "✕ DOC-1 not accepted",
  ]);
});

test("a bracket that was not checked is shown as it was written", async () => {
  const text = 'So: [DOC-2.1: “no check”], and [DOC-2.1: "✓ accepted"].';
  const page = await shown(text, [quote("c-1", "every word", WRITTEN, true)]);
  expect([page.textContent?.trim(), page.querySelector("a, q")]).toEqual([text, null]);
});

test("the same words twice are one chip for each check", async () => {
  const twice = `${WRITTEN} and ${WRITTEN} and ${WRITTEN}`;
  const page = await shown(twice, [quote("c-1", "x", WRITTEN, true), quote("c-2", "x", WRITTEN, false)]);
  expect([...page.querySelectorAll("[data-quote]")].map((one) => one.getAttribute("data-quote"))).toEqual([
    "c-1",
    "c-2",
  ]);
});

test("no author can write the mark of a chip", async () => {
  const page = await shown(`\uE0000\uE001 ${WRITTEN}`, [quote("c-1", "x", WRITTEN, true)]);
  expect(page.querySelectorAll("a")).toHaveLength(1);
});

test("inside a link a quote stays words", async () => {
  const page = await shown(`[see ${WRITTEN} there](http://127.0.0.1:9/)`, [quote("c-1", "x", WRITTEN, true)]);
  expect([...page.querySelectorAll("a")].every((one) => !one.querySelector("a"))).toBe(true);
});

test("while a debate goes on a chip leads nowhere", async () => {
  const page = await shown(WRITTEN, [quote("c-1", "x", WRITTEN, true)], "");
  expect([page.querySelector("a"), page.textContent]).toEqual([null, "x ✓ DOC-1.1 accepted"]);
});

test.each(HOSTILE)("nothing in a quote of %j can act or call out", async (text) => {
  const page = await shown(`So: ${WRITTEN} ${text}`, [
    { ...quote("c-1", text, WRITTEN, false), named: text, passage: text },
  ]);
  expect(dangers(page)).toEqual([]);
});
