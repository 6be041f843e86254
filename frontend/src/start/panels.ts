/** A draft as a saved panel, and a saved panel as a draft: who sits, who judges and how often, without the question. */
import type { About, NewPanel, ProtocolCard } from "../api";
import { words } from "../words/doing";
import { asked, type Draft, schemaOf } from "./draft";
import { initial } from "./schema";

export function panelOf(name: string, draft: Draft, card: ProtocolCard): NewPanel {
  const { protocol, settings = {}, model = "", seats = {}, judges = "auto", control = false } = asked(draft, card);
  const repeats = Number(draft.repeats) || 1;
  return {
    name: name.trim(),
    protocol: protocol ?? card.name,
    settings,
    model,
    seats,
    judges,
    control,
    repeats,
    swapped: draft.swapped,
  };
}

export interface Taken {
  change: Partial<Draft>;
  /** Models that this server does not offer any more, each once. */
  lost: readonly string[];
}

/** What a panel changes in a draft; null if this server does not have its protocol. */
export function taken(panel: NewPanel, draft: Draft, about: About): Taken | null {
  const card = about.protocols.find((one) => one.name === panel.protocol);
  if (!card) return null;
  const offered = new Set([words.PERSON, ...about.models.map((one) => one.name)]);
  const named = [panel.model ?? "", ...Object.values(panel.seats ?? {}), ...judgesOf(panel)];
  const seats = Object.entries(panel.seats ?? {}).filter(([, model]) => offered.has(model));
  const judges = judgesOf(panel).filter((model) => offered.has(model));
  const usual = initial(schemaOf(card)) as Record<string, unknown>;
  return {
    lost: [...new Set(named)].filter((model) => model && !offered.has(model)),
    change: {
      protocol: card.name,
      settings: { ...draft.settings, [card.name]: { ...usual, ...panel.settings } },
      model: panel.model && offered.has(panel.model) ? panel.model : (about.models[0]?.name ?? ""),
      seats: { ...draft.seats, [card.name]: Object.fromEntries(seats) },
      panel: panel.judges === "none" ? "none" : judges.length ? "own" : "auto",
      judges,
      control: panel.control ?? false,
      repeats: String(panel.repeats ?? 1),
      swapped: panel.swapped ?? false,
    },
  };
}

const judgesOf = ({ judges }: NewPanel): readonly string[] => (typeof judges === "object" ? judges : []);
