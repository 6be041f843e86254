import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { View } from "../api";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "../router";
import { GoOn, TryAgain } from "./GoOn";

const ABOUT = { role: "owner", models: [{ name: "improviser", label: "improviser", where: "", free: true }] };
const VIEW = {
  run_id: "a-1",
  ending: { kind: "played" },
  seats: [
    { id: "pro", name: "Pro", side: "pro", person: false },
    { id: "con", name: "Con", side: "con", person: true },
  ],
  speeches: [{ id: "r1.t0", seat: "pro" }],
} as unknown as View;
const sent: [string, unknown][] = [];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sent.length = 0;
});

async function page(what: typeof GoOn, view: View) {
  vi.stubGlobal("fetch", async (path: string, asked: RequestInit) => {
    if (asked.method === "POST") sent.push([path, JSON.parse(String(asked.body))]);
    return new Response(JSON.stringify(asked.method === "POST" ? { run_id: "b-2" } : ABOUT));
  });
  const What = what;
  const root = createRootRoute({ component: () => <What view={view} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole("heading", { level: 2 });
}

it("asks a further question, and not an empty one", async () => {
  await page(GoOn, VIEW);
  fireEvent.click(screen.getByText("Debate it"));
  fireEvent.input(screen.getByLabelText("Ask a further question"), { target: { value: " And then? " } });
  fireEvent.click(screen.getByText("Debate it"));
  await waitFor(() => expect(sent).toEqual([["/api/debates/a-1/questions", { question: "And then?" }]]));
});

it("swaps sides where there are two", async () => {
  await page(GoOn, VIEW);
  fireEvent.click(screen.getByText("Hold it again, sides swapped"));
  await waitFor(() => expect(sent).toEqual([["/api/debates/a-1/repeats", { swapped: true }]]));
  cleanup();
  await page(GoOn, { ...VIEW, seats: VIEW.seats.map((seat) => ({ ...seat, side: "" })) });
  expect(screen.queryByText("Hold it again, sides swapped")).toBeNull();
});

it("tries a failed debate again, with another model in every seat that is no person's", async () => {
  await page(TryAgain, { ...VIEW, ending: { kind: "failed", code: "", reason: "" } });
  fireEvent.change(screen.getByLabelText("Seat another model"), { target: { value: "improviser" } });
  fireEvent.click(screen.getByText("Try again from here"));
  await waitFor(() => expect(sent).toEqual([["/api/debates/a-1/retry", { seats: { pro: "improviser" } }]]));
});
