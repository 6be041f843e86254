import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { EMPTY, type Floor, type Said, type Speaking } from "./events";
import { Now, Turns } from "./Turns";

const HOSTILE = [
  '<img src=x onerror="alert(1)">',
  "<script>alert(1)</script>",
  "![x](http://127.0.0.1:1/leak.png)",
  "[go](javascript:alert(1))",
];
const said = (words: string): Said =>
  ({
    id: "r1.t0",
    round: 1,
    seat: "pro",
    kind: words,
    words,
    allowed: null,
    lost: "",
    retries: 0,
    took: null,
  }) satisfies Said;
const speaking = (text: string): Speaking => ({
  address: "000.0 pro opening",
  seat: "pro",
  brief: text,
  onRecord: true,
  attempt: 0,
  words: 5,
  seconds: null,
  text,
  tried: 1,
  whole: false,
});
const floor = (words: string, change: Partial<Floor>): Floor => ({
  ...EMPTY,
  seats: [{ id: "pro", name: words, team: "", side: "pro", model: words, person: false }],
  rounds: [{ index: 1, label: words, status: "open" }],
  ...change,
});

afterEach(cleanup);

it.each(HOSTILE)("shows %j as words, finished or not, and nothing else of it", (words) => {
  const { container } = render(
    <>
      <Turns floor={floor(words, { turns: [said(words)] })} />
      <Now floor={floor(words, { open: [speaking(words)] })} />
    </>,
  );
  expect(container.querySelectorAll("img, script, [onerror], a[href^=javascript]").length).toBe(0);
});

it("tells who goes past the allowance while they still speak", () => {
  render(<Now floor={floor("Pro", { open: [speaking("one two three four five six")] })} />);
  expect(screen.getByText(/6 of 5 words/).textContent).toContain("over the word limit");
});

it("does not show the words of a person who is awaited", () => {
  const open = [speaking("")];
  const awaited = [{ address: "000.0 pro opening", seat: "pro", key: "k", task: "Speak.", until: null }];
  const { container } = render(<Now floor={floor("Pro", { open, awaited })} />);
  expect(container.querySelector("section")).toBe(null);
});
