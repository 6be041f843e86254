import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import type { Checkup, CostRow, Costs, SettingsView } from "../api";
import { dangers, HOSTILE } from "../ui/hostile";
import { Sums } from "./Costs";
import { Findings } from "./Doctor";
import { Found } from "./Settings";

afterEach(cleanup);

function shown(page: ReactNode): HTMLElement {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(["about"], { owner: "local", role: "owner", protocols: [], models: [] });
  return render(<QueryClientProvider client={client}>{page}</QueryClientProvider>).container;
}

const cost = (change: Partial<CostRow> = {}): CostRow => ({
  name: "",
  runs: 2,
  calls: 30,
  tokens: 4_000,
  spent: 1.5,
  presumed: 0,
  unknown: 0,
  ...change,
});
const costs = (change: Partial<Costs> = {}): Costs => ({
  total: cost(),
  days: [cost({ name: "2026-05-01" })],
  models: [cost({ name: "m" })],
  protocols: [cost({ name: "structured" })],
  kinds: [cost({ name: "debate" })],
  caps: [
    { what: "day", cap: 2, spent: 0.5, held: 1 },
    { what: "total", cap: null, spent: 0, held: 0 },
  ],
  owners: [],
  ...change,
});
const checkup = (...findings: Checkup["findings"]): Checkup => ({ at: "2026-05-01T10:00:00.000Z", findings });
const settings = (text: string): SettingsView => ({
  files: [{ name: text, path: text, there: true }],
  options: [{ name: text, value: text, origin: text }],
  models: [
    { name: text, model: text, where: text, key: text, price: null, problem: "", configured: true },
    { name: "con", model: "", where: "", key: "", price: null, problem: text, configured: true },
  ],
  keys: [{ provider: text, name: text, place: text, install: text, checked: "", works: null }],
});

test("tells what is used of a limit, and that there is no limit", () => {
  const text = shown(<Sums found={costs()} span="" />).textContent;
  expect(text).toContain("$0.50 spent, $1.00 held, of $2.00");
  expect(text).toContain("no limit");
});

test("tells presumed and unknown cost apart from what is known", () => {
  const text = shown(<Sums found={costs({ total: cost({ presumed: 0.25, unknown: 1 }) })} span="" />).textContent;
  expect(text).toContain("Up to $0.25 of it is presumed");
  expect(text).toContain("The cost of 1 run is unknown");
});

test("says so where nothing was spent", () => {
  const none = costs({ total: cost({ runs: 0, calls: 0, spent: 0 }), days: [], models: [], protocols: [], kinds: [] });
  expect(shown(<Sums found={none} span="" />).textContent).toContain("Nothing was spent yet");
  cleanup();
  expect(shown(<Sums found={none} span="7d" />).textContent).toContain("No run in this time");
});

test("shows what failed first, with what to do", () => {
  const found = checkup(
    { state: "ok", about: "disk", said: "9 GB free", fix: "" },
    { state: "FAIL", about: "database", said: "can't write", fix: "chmod u+rw" },
  );
  const rows = [...shown(<Findings found={found} />).querySelectorAll("tbody tr")].map((row) => row.textContent);
  expect(rows[0]).toContain("chmod u+rw");
  expect(rows).toHaveLength(2);
});

test.each(HOSTILE)("shows hostile names as text: %s", (text) => {
  const name = { name: text };
  const pages = [
    <Sums
      key="costs"
      span=""
      found={costs({ models: [cost(name)], days: [cost(name)], owners: [cost(name), cost()] })}
    />,
    <Findings key="doctor" found={checkup({ state: "FAIL", about: text, said: text, fix: text })} />,
    <Found key="settings" found={settings(text)} />,
  ];
  for (const page of pages) {
    expect(dangers(shown(page))).toEqual([]);
    cleanup();
  }
});
