/** What a page says of a model that does not answer, to its owner, who may act. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it } from "vitest";
import type { OpenCall } from "../api";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "../router";
import { type Delay, EMPTY, type Speaking } from "./events";
import { Now } from "./Turns";
import { ModelWait } from "./WaitCard";

const ADDRESS = "000.0 con opening";
const ENOUGH = "This takes long. Pause the debate, or seat another model.";
const ago = (seconds: number) => Date.now() - 1_000 * seconds;
const call = (asked: number, sent: number) =>
  ({
    address: ADDRESS,
    state: "sent",
    asked_at: new Date(ago(asked)).toISOString(),
    sent_at: new Date(ago(sent)).toISOString(),
    answered_at: null,
    attempt: 2,
    attempts: 4,
    first_word_by: new Date(ago(sent - 60)).toISOString(),
    gives_up_at: new Date(ago(sent - 120)).toISOString(),
    lost: [],
  }) satisfies OpenCall;
const delay = (seconds: number): Delay => ({
  reason: "fault",
  fault: "timed_out",
  words: "no answer within 25 s",
  times: 1,
  most: 4,
  wait: 1,
  at: ago(seconds),
});

afterEach(cleanup);

/** Part of the page of a debate, seen by its owner. */
async function show(component: () => ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(["about"], { role: "owner", models: [] });
  const root = createRootRoute({});
  const page = createRoute({ getParentRoute: () => root, path: "/debates/$id", component });
  const history = createMemoryHistory({ initialEntries: ["/debates/a-1"] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByLabelText("Another model");
  return document.querySelector("[data-wait]")?.textContent;
}

const card = (asked: number, paused = false) =>
  show(() => (
    <ModelWait
      call={call(asked, 5)}
      delay={delay(10)}
      offset={0}
      heard={false}
      seat={{ id: "con", name: "Con" }}
      paused={paused}
    />
  ));

it("counts the silence over all tries, and says nothing more before two minutes", async () => {
  const said = await card(40);
  expect(said).toContain("Con has not answered for 40 s; asking again, 2 of 4.");
  expect(said).not.toContain(ENOUGH);
});

it("says what to do after two minutes", async () => {
  expect(await card(125)).toContain(ENOUGH);
});

it("counts nothing while the debate is paused, and still offers another model", async () => {
  expect(await card(125, true)).not.toMatch(/has not answered|This takes long/);
});

it("shows the silence of those who think, too", async () => {
  const thinking: Speaking = {
    address: ADDRESS,
    seat: "con",
    brief: "summary",
    onRecord: false,
    attempt: 0,
    words: null,
    seconds: null,
    text: "",
    tried: 0,
    whole: false,
    delay: delay(10),
  };
  const waiting: OpenCall = { ...call(40, 40), state: "waiting" };
  const said = await show(() => <Now floor={{ ...EMPTY, open: [thinking] }} calls={[waiting]} />);
  expect(said).toContain("con has not answered for 40 s");
});
