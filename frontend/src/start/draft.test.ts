// @vitest-environment node
import { expect, it } from "vitest";
import type { About, ProtocolCard } from "../api";
import { type Brought, idsOf } from "./brought";
import { asked, blank, type Draft, refused, wrong } from "./draft";

const CARD: ProtocolCard = {
  name: "structured",
  version: 1,
  about: "",
  calls: 6,
  seats: [{ id: "pro", team: "", role: "pro", name: "Pro" }],
  by_settings: false,
  about_document: false,
  settings: {
    type: "object",
    properties: { closing_words: { type: "integer", minimum: 50, maximum: 400, default: 200 } },
  },
};
const ABOUT = {
  protocols: [CARD],
  models: [{ name: "improviser", label: "Improviser", where: "", free: true }],
  usual_budget: 0.5,
} as unknown as About;
const draft = (change: Partial<Draft> = {}): Draft => ({ ...blank(ABOUT), question: " Cars? ", ...change });

it("asks for no more than what was said", () => {
  expect(asked(draft(), CARD)).toEqual({
    question: "Cars?",
    protocol: "structured",
    settings: {},
    model: "improviser",
    seats: {},
    judges: "auto",
    control: false,
    budget: 0.5,
    language: "en",
  });
});

const document = (title: string, reader = ""): Brought => ({
  key: title,
  title,
  text: "x",
  words: 1,
  pages: null,
  media: "text",
  reader,
});

it("sends the first document for all as the one that judges read, and the others as further ones", () => {
  const made = asked(draft({ documents: [document("Memo", "pro"), document("Plan"), document("Report")] }), CARD);
  expect(made.background).toEqual({ title: "Plan", text: "x" });
  expect(made.documents).toEqual([
    { title: "Memo", text: "x", media: "text", seats: ["pro"] },
    { title: "Report", text: "x", media: "text", seats: [] },
  ]);
});

it("names documents as they will be quoted", () => {
  expect(idsOf([document("Memo", "pro"), document("Plan"), document("Report")])).toEqual(["DOC-2", "DOC-1", "DOC-3"]);
  expect(idsOf([document("Plan")])).toEqual(["DOC-1"]);
  expect(idsOf([document("Memo", "pro")])).toEqual(["DOC-1"]);
});

it("never gives a document to others because its reader is gone", () => {
  const draftWith = draft({ documents: [document("Memo", "ada")] });
  expect(Object.keys(wrong(draftWith, CARD))).toEqual(["documents"]);
  expect(asked(draftWith, CARD).documents?.[0]?.seats).toEqual(["ada"]);
});

it("sends settings and seats that differ, and no others", () => {
  const made = asked(
    draft({
      settings: { structured: { closing_words: 90 } },
      seats: { structured: { pro: "human", con: "" }, other: { x: "y" } },
    }),
    CARD,
  );
  expect([made.settings, made.seats]).toEqual([{ closing_words: 90 }, { pro: "human" }]);
});

it("takes an empty budget for none", () => {
  expect(asked(draft({ budget: " " }), CARD).budget).toBe(null);
});

it("says beside each field what is wrong", () => {
  const bad = draft({
    question: " ",
    budget: "-1",
    language: "english!",
    panel: "own",
    settings: { structured: { closing_words: 1 } },
  });
  expect(Object.keys(wrong(bad, CARD)).sort()).toEqual([
    "budget",
    "judges",
    "language",
    "question",
    "settings.closing_words",
  ]);
  expect(wrong(draft(), CARD)).toEqual({});
});

it("finds the fields that the server names", () => {
  expect(refused(["body.question", "settings.words"], "too long")).toEqual({
    question: "too long",
    "settings.words": "too long",
  });
});
