import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { SpeechPart } from "../api";
import { dangers, HOSTILE } from "../ui/hostile";
import { knownAmong, SpeechParts } from "./SpeechParts";

afterEach(cleanup);

const part = (some: Partial<SpeechPart>): SpeechPart => ({
  id: "",
  kind: "statement",
  target: "",
  text: "Words.",
  quote: "",
  extent: "",
  details: [],
  ...some,
});
const CLAIMS = [{ id: "CON-2", side: "con" as const, claim: "Cars bring trade.", standing: "upheld" as const }];

function shown(parts: SpeechPart[]) {
  return render(<SpeechParts parts={parts} side="pro" known={knownAmong(CLAIMS)} />).container;
}

test("an argument is a card: its claim, its reasoning without a label, its evidence with one", () => {
  const details = [
    { label: "Reasoning", text: "They fill the streets." },
    { label: "Evidence", text: "A count." },
  ];
  const card = shown([part({ id: "PRO-1", kind: "argument", text: "Cars take room.", details })]);
  expect(card.textContent).toContain("Cars take room.");
  expect(card.textContent).toContain("They fill the streets.");
  expect(card.textContent).not.toContain("Reasoning");
  expect(card.textContent).toContain("Evidence");
});

test("an id that names its side is not preceded by the side", () => {
  const card = shown([part({ id: "PRO-1", kind: "argument" })]);
  expect(card.textContent).not.toMatch(/PRO\s*PRO-1/);
});

test.each(["CON-2", "CON-2/response"])("a reply to %s carries the claim it answers", (target) => {
  const card = shown([part({ id: "x", kind: "challenge", target })]);
  expect(card.textContent).toContain("Challenges");
  expect(card.textContent).toContain("Cars bring trade.");
});

test("a reply to a claim that is not known names it", () => {
  expect(shown([part({ id: "x", kind: "answer", target: "CON-9/response" })]).textContent).toContain("CON-9");
});

test("a concession of the core says so", () => {
  const card = shown([part({ id: "x", kind: "concede", target: "CON-2", extent: "core", quote: "bring trade" })]);
  expect(card.textContent).toContain("Grants the core of");
  expect(card.textContent).toContain("bring trade");
});

test("claims are told without their standing where nobody has judged yet", () => {
  expect(knownAmong(CLAIMS)("CON-2")).toEqual({ id: "CON-2", side: "con", claim: "Cars bring trade." });
});

test.each(["argument", "refute", "statement"])("a part that is a %s shows hostile words as words only", (kind) => {
  for (const text of HOSTILE) {
    const details = [{ label: text, text }];
    const container = shown([
      part({ id: text, kind, target: kind === "refute" ? text : "", text, quote: text, details }),
    ]);
    expect(dangers(container)).toEqual([]);
    cleanup();
  }
});
