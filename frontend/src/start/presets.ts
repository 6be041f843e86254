/** What a debate is for: each purpose sets the protocol, who judges, how often it is held, and who sits. */
import type { About, ProtocolCard } from "../api";
import { words } from "../words/doing";
import type { Draft } from "./draft";

export type Purpose = "decide" | "stress" | "practise" | "research";

interface Preset {
  protocol: string;
  control: boolean;
  repeats: number;
  swapped: boolean;
  /** The seat that a person takes. */
  person: string;
}

const ONCE = { protocol: "structured", control: false, repeats: 1, swapped: false, person: "" };
const PRESETS: Readonly<Record<Purpose, Preset>> = {
  decide: ONCE,
  stress: { ...ONCE, protocol: "critique" },
  practise: { ...ONCE, person: "con" },
  research: { ...ONCE, control: true, repeats: 3, swapped: true },
};

/** Those that this server can hold, each with the card of its protocol. */
export function purposes(about: About): readonly (readonly [Purpose, ProtocolCard])[] {
  return (Object.entries(PRESETS) as [Purpose, Preset][]).flatMap(([purpose, { protocol, person }]) => {
    const card = about.protocols.find((one) => one.name === protocol);
    return card && !(person && about.people === false) ? [[purpose, card] as const] : [];
  });
}

/** What choosing it changes; models, words and limits of the draft stay. */
export function preset(draft: Draft, purpose: Purpose): Partial<Draft> {
  const { protocol, control, repeats, swapped, person } = PRESETS[purpose];
  const models = Object.entries(draft.seats[protocol] ?? {}).filter(([, model]) => model && model !== words.PERSON);
  const seats = { ...Object.fromEntries(models), ...(person ? { [person]: words.PERSON } : {}) };
  return {
    protocol,
    control,
    repeats: String(repeats),
    swapped,
    panel: "auto",
    judges: [],
    seats: { ...draft.seats, [protocol]: seats },
  };
}

/** The purpose that the draft still serves as it was set; null once it was changed. */
export function purposeOf(draft: Draft): Purpose | null {
  const seats = draft.seats[draft.protocol] ?? {};
  const [person = "", ...others] = Object.keys(seats).filter((seat) => seats[seat] === words.PERSON);
  const fits = ([, one]: [Purpose, Preset]) =>
    one.protocol === draft.protocol &&
    one.control === draft.control &&
    one.repeats === Number(draft.repeats) &&
    one.swapped === draft.swapped &&
    one.person === person &&
    !others.length &&
    draft.panel === "auto";
  return (Object.entries(PRESETS) as [Purpose, Preset][]).find(fits)?.[0] ?? null;
}
