/** What has been filled in so far, and the debate it asks for. */
import type { About, NewDebate, ProtocolCard } from "../api";
import { words } from "../words/doing";
import { type Brought, readersOf, sent } from "./brought";
import { MOST_REPEATS } from "./many";
import { changed, type Faults, faults, initial, type Schema } from "./schema";

/** Who is to judge. */
export interface Panel {
  panel: "auto" | "none" | "own";
  judges: readonly string[];
  control: boolean;
}

export interface Draft extends Panel {
  question: string;
  /** In the order in which they were brought. */
  documents: readonly Brought[];
  protocol: string;
  /** By protocol, so that going back to one finds them again. */
  settings: Readonly<Record<string, Record<string, unknown>>>;
  model: string;
  seats: Readonly<Record<string, Readonly<Record<string, string>>>>;
  budget: string;
  language: string;
  /** How often it is held. */
  repeats: string;
  /** Whether it is held again with the models of both sides swapped. */
  swapped: boolean;
}

export const schemaOf = (card: ProtocolCard): Schema => card.settings as Schema;

const USUAL = "structured";

/** The usual one first. */
export const protocols = (about: About): ProtocolCard[] =>
  about.protocols.toSorted((one, other) => Number(other.name === USUAL) - Number(one.name === USUAL));

export function blank(about: About): Draft {
  const [first] = protocols(about);
  return {
    question: "",
    documents: [],
    protocol: first?.name ?? "",
    settings: {},
    model: about.models[0]?.name ?? "",
    seats: {},
    panel: "auto",
    judges: [],
    control: false,
    budget: String(about.usual_budget),
    language: "en",
    repeats: "1",
    swapped: false,
  };
}

export const settingsOf = (draft: Draft, card: ProtocolCard): Record<string, unknown> =>
  draft.settings[card.name] ?? (initial(schemaOf(card)) as Record<string, unknown>);

export const seatsOf = (draft: Draft): Readonly<Record<string, string>> => draft.seats[draft.protocol] ?? {};

export function asked(draft: Draft, card: ProtocolCard): NewDebate {
  return {
    question: draft.question.trim(),
    protocol: card.name,
    settings: changed(schemaOf(card), settingsOf(draft, card)),
    model: draft.model,
    seats: Object.fromEntries(Object.entries(seatsOf(draft)).filter(([, model]) => model)),
    judges: draft.panel === "own" ? [...draft.judges] : draft.panel,
    control: draft.control,
    budget: draft.budget.trim() === "" ? null : Number(draft.budget),
    language: draft.language.trim() || "en",
    ...sent(draft.documents),
  };
}

/** By field; those of settings as `settings.NAME`. */
export function wrong(draft: Draft, card: ProtocolCard): Faults {
  const found: Record<string, string> = {};
  if (!draft.question.trim()) found.question = words.start.motionNeeded;
  const budget = draft.budget.trim() === "" ? 0 : Number(draft.budget);
  if (!(budget >= 0 && budget <= 1_000)) found.budget = words.start.budgetWrong;
  if (!/^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/.test(draft.language.trim())) found.language = words.start.languageWrong;
  const repeats = Number(draft.repeats);
  if (!(Number.isInteger(repeats) && repeats >= 1 && repeats <= MOST_REPEATS))
    found.repeats = words.start.repeatsWrong(MOST_REPEATS);
  if (card.about_document && !draft.documents.length) found.documents = words.start.documents.needed;
  const lost = draft.documents.find(({ reader }) => reader && !readersOf(card).some(([name]) => name === reader));
  if (lost) found.documents = words.start.documents.readerGone(lost.title, lost.reader);
  if (draft.panel === "own" && !draft.judges.length) found.judges = words.start.judgesNeeded;
  for (const [path, fault] of Object.entries(faults(schemaOf(card), settingsOf(draft, card))))
    found[`settings.${path}`] = fault;
  return found;
}

/** Fields the server named, with what it said of them. */
export const refused = (fields: readonly string[] | undefined, why: string): Faults =>
  Object.fromEntries((fields ?? []).map((field) => [field.replace(/^body\./, ""), why]));
