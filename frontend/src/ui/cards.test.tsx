import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ArgumentCard } from "./ArgumentCard";
import { CareStrip } from "./CareStrip";
import { FailureCard } from "./FailureCard";
import { dangers, HOSTILE } from "./hostile";
import { IntervalBars } from "./IntervalBar";
import { VerdictCard } from "./VerdictCard";

afterEach(cleanup);

const CLAIM = "Cars take room.";

test("an id that names its side stands without the word of the side", () => {
  const { container } = render(<ArgumentCard id="PRO-1" side="pro" claim={CLAIM} standing="upheld" />);
  expect(container.textContent).toBe(`PRO-1✓upheld${CLAIM}`);
});

test("an id that does not name its side has the word of the side before it", () => {
  const { container } = render(<ArgumentCard id="r1.t0-1" side="con" claim={CLAIM} />);
  expect(container.textContent).toContain("CON");
});

test("a card says how strong an argument is as a number", () => {
  const { container } = render(<ArgumentCard id="PRO-1" side="pro" claim={CLAIM} strength={0.917} />);
  expect(container.textContent).toContain("strength 92");
});

test("a card says in words what the check of its evidence found", () => {
  const evidence = [{ source: "DOC-1, page 4", found: "accepted", passed: true }, { source: "own knowledge" }];
  const { container } = render(<ArgumentCard id="PRO-1" side="pro" claim={CLAIM} evidence={evidence} />);
  expect([...container.querySelectorAll("li")].map((one) => one.textContent)).toEqual([
    "DOC-1, page 4✓ accepted",
    "own knowledge",
  ]);
});

test("a card shows what a speaker wrote as words only", () => {
  const text = HOSTILE.join("\n\n");
  const evidence = [{ source: text, found: text, title: text }];
  const { container } = render(
    <ArgumentCard id="PRO-1" side="pro" claim={text} reason={text} seat={text} note={text} evidence={evidence} />,
  );
  expect(dangers(container)).toEqual([]);
});

test("an interval stands where its figures are on the axis", () => {
  const row = { key: "pro", label: "PRO", side: "pro" as const, mean: 5, shown: "5.0", told: "5.0, 4.0 to 7.0" };
  const { getByRole } = render(<IntervalBars rows={[{ ...row, interval: [4, 7] }]} ends={["", ""]} />);
  const [, band, point] = getByRole("img").children as unknown as HTMLElement[];
  expect([band?.style.left, band?.style.width, point?.style.left]).toEqual(["40%", "30%", "50%"]);
});

test("a bar is told in words to those who do not see it", () => {
  const row = { key: "pro", label: "PRO", side: "pro" as const, mean: 5, shown: "5.0", interval: null };
  const { getByRole } = render(<IntervalBars rows={[{ ...row, told: "Pro: 5.0 of 10" }]} ends={["0", "10"]} />);
  expect(getByRole("img").getAttribute("aria-label")).toBe("Pro: 5.0 of 10");
});

test("a weak verdict says so by its weight", () => {
  const { container } = render(<VerdictCard chip="Too close" sentence="No clear winner." weak />);
  expect(container.querySelector("h2")?.className).toContain("font-[430]");
});

test("trust is a word with its reason", () => {
  const trust = { word: "Not reliable" as const, reason: "The judges disagree." };
  const { container } = render(<VerdictCard chip="" sentence="Pro argued better." weak trust={trust} />);
  expect(container.textContent).toContain("Not reliable");
  expect(container.textContent).toContain("The judges disagree.");
});

test("without reasons for care there is no strip", () => {
  expect(render(<CareStrip reasons={[]} />).container.textContent).toBe("");
});

test("a failure says why, what to do and what was kept, and leaves out what it does not know", () => {
  const { container } = render(<FailureCard chip="Stopped" title="Pro did not answer." fix="Start the server." />);
  expect([...container.querySelectorAll("dt")].map((one) => one.textContent)).toEqual(["What to do"]);
});
