/** Words, then Enter in the same moment, as a paste or a password manager does it: what is sent is what stands there. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { About, DebateRow, Question } from "./api";
import { Tell } from "./live/Controls";
import { Answer } from "./people/Answer";
import Enter from "./people/Enter";
import Judge from "./people/Judge";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "./router";
import { Chosen } from "./runs/Chosen";
import EvaluateIt from "./start/EvaluateIt";
import JudgeAgain from "./start/JudgeAgain";
import New from "./start/New";

const CARD = {
  name: "structured",
  version: 1,
  seats: [{ id: "pro", role: "debater", team: "pro", name: "Pro" }],
  calls: 4,
  about: "",
  by_settings: false,
  about_document: false,
  settings: { type: "object", properties: {} },
};
const ABOUT = {
  owner: "ann",
  role: "owner",
  protocols: [CARD],
  models: [{ name: "improviser", label: "improviser", where: "", free: true }],
  usual_budget: 1,
  formats: [],
};
const VIEW = {
  run_id: "a-1",
  topic: "Tabs?",
  language: "en",
  seats: [
    { id: "pro", name: "Pro", role: "debater", team: "pro", side: "pro" },
    { id: "con", name: "Con", role: "debater", team: "con", side: "con" },
  ],
  speeches: [],
  claims: [],
};
const ANSWERS: Record<string, unknown> = {
  "/api/about": ABOUT,
  "/api/panels": { panels: [] },
  "/api/debates/a-1?blind=true": { report: { run_id: "a-1" }, viewable: true, votes: 0, follows: [] },
  "/api/debates/a-1/view?blind=true": VIEW,
};
const sent: [string, unknown][] = [];
let status = 200;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  localStorage.clear();
  sent.length = 0;
  status = 200;
});

function page(what: ReactNode) {
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("fetch", async (path: string, asked: RequestInit) => {
    if (path.includes("estimates")) return new Promise<Response>(() => undefined);
    const counts = asked.method !== "GET" && asked.method !== undefined;
    if (counts) sent.push([path, JSON.parse(String(asked.body))]);
    if (counts && status !== 200) return new Response(JSON.stringify({ title: "?", status, fields: [] }), { status });
    return new Response(JSON.stringify(ANSWERS[path] ?? { run_id: "b-2", models: [], seats: [] }));
  });
  const root = createRootRoute({ component: () => what });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

type Box = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Not one moment between the words and the form: nothing is painted in between. */
function fill(box: Box, text: string, kind = "input") {
  const known = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value");
  known?.set?.call(box, text);
  box.dispatchEvent(new Event(kind, { bubbles: true }));
}
const go = (box: Box) => box.form?.requestSubmit();
const settled = () => new Promise((after) => setTimeout(after, 20));

/** `draft` stood there when the page was painted last. */
async function typedAndSent(box: Box, draft: string, last: string, kind?: string) {
  fill(box, draft, kind);
  await settled();
  fill(box, last, kind);
  go(box);
  await waitFor(() => expect(sent).toHaveLength(1));
  return sent[0]?.[1];
}

it("signs in by the token that was pasted last", async () => {
  page(<Enter back="/" />);
  expect(await typedAndSent(await screen.findByLabelText("Access token"), "x", " whole ")).toEqual({ token: "whole" });
});

it("sends no empty token, and asks for the whole of one that is cut", async () => {
  page(<Enter back="/" />);
  const box = await screen.findByLabelText<HTMLInputElement>("Access token");
  fireEvent.submit(box.form as HTMLFormElement);
  await screen.findByText("Type the whole token.");
  expect(sent).toEqual([]);
  fill(box, "x");
  await waitFor(() => expect(screen.queryByText("Type the whole token.")).toBeNull());
  status = 422;
  go(box);
  await screen.findByText("Type the whole token.");
  expect(screen.queryByText("Unknown access token.")).toBeNull();
});

it("says of a whole token that it is unknown", async () => {
  status = 401;
  page(<Enter back="/" />);
  await typedAndSent(await screen.findByLabelText("Access token"), "x", "whole");
  await screen.findByText("Unknown access token.");
});

it("tells the speakers the words that stand there", async () => {
  page(<Tell id="a-1" speakers={[]} />);
  const box = await screen.findByLabelText<HTMLInputElement>("Tell the speakers something");
  expect(await typedAndSent(box, "draft", "final")).toEqual({ text: "final", seat: "" });
});

it("tags debates as the field says", async () => {
  const run = { run_id: "a-1", topic: "Tabs?", tags: ["old"], state: "ended" } as unknown as DebateRow;
  page(<Chosen runs={[run]} clear={() => undefined} />);
  fireEvent.click(await screen.findByText("Tag", { exact: false, selector: "button" }));
  expect(await typedAndSent(await screen.findByDisplayValue("old"), "draft", "one, two")).toEqual({
    tags: ["one", "two"],
  });
});

async function asked(asked_words: number | null) {
  const question = { seat: "pro", key: "k", form: null, words: null, asked_words, since: "" } as unknown as Question;
  page(
    <Answer
      {...{ id: "a-1", question, own: "PRO", documents: [] }}
      about={() => ""}
      point={() => ({ claim: "", words: "", questions: "", side: "" })}
      said={() => undefined}
      left={() => undefined}
    />,
  );
  return await screen.findByRole<HTMLTextAreaElement>("textbox");
}

it("asks before it gives a speech that is far too long", async () => {
  const box = await asked(2);
  fill(box, "one two three four five");
  fireEvent.click(screen.getByText("Submit"));
  await screen.findByText("5 words; about 2 were asked. Submit all of it?");
  expect(sent).toHaveLength(0);
  fireEvent.click(screen.getByText("Submit it as it is"));
  await waitFor(() => expect(sent).toHaveLength(1));
});

it("gives the speech that was written last", async () => {
  const box = await asked(null);
  expect(await typedAndSent(box, "draft", "final")).toEqual({ seat: "pro", text: "final", key: "k" });
});

it("votes as the ballot stands", async () => {
  page(<Judge id="a-1" />);
  const [pro] = await screen.findAllByRole("radio");
  if (pro) fireEvent.click(pro);
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox");
  expect(await typedAndSent(box, "draft", "final")).toMatchObject({ winner: "pro", remark: "final" });
});

it("evaluates as thoroughly as was chosen last", async () => {
  page(<EvaluateIt id="a-1" about={ABOUT as unknown as About} close={() => undefined} />);
  const box = await screen.findByRole<HTMLSelectElement>("combobox");
  expect(await typedAndSent(box, "standard", "quick", "change")).toEqual({ tier: "quick" });
});

it("has judges judge again who were chosen last", async () => {
  page(<JudgeAgain id="a-1" about={ABOUT as unknown as About} close={() => undefined} />);
  const [box] = await screen.findAllByRole<HTMLInputElement>("checkbox");
  if (!box) throw new Error("no box");
  box.click();
  go(box);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.[1]).toEqual({ judges: "auto", control: true });
});

it("begins the debate whose question stands there, and saves the panel that is filled in", async () => {
  page(<New />);
  const question = await screen.findByLabelText<HTMLTextAreaElement>(/Your question/);
  const budget = screen.getByLabelText<HTMLInputElement>(/budget/i);
  const name = screen.getByLabelText<HTMLInputElement>("Name", { exact: false });
  fill(question, "Draft?");
  await settled();
  fill(question, "Final?");
  go(question);
  await waitFor(() => expect(sent[0]?.[1]).toMatchObject({ motion: "Final?" }));
  sent.length = 0;
  fill(budget, "1");
  fill(name, "ours");
  name.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await waitFor(() => expect(sent[0]?.[1]).toMatchObject({ name: "ours" }));
});
