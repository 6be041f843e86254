/** Documents that come with a new debate: who may read each, and how they are sent. */
import type { FileRead, NewDebate, ProtocolCard } from "../api";
import { words } from "../words/doing";

const w = words.start.documents;

/** A document that was read. */
export interface Brought extends FileRead {
  /** Tells it from others of the same name. */
  key: string;
  /** A seat or team; empty for all. */
  reader: string;
}

/** Characters of what judges read whole. */
const MOST_FOR_JUDGES = 400_000;
export const MOST_DOCUMENTS = 200;

/** Where among them the one is that judges read too: the first for all, or −1. */
export const firstForAll = (documents: readonly Brought[]): number =>
  documents.findIndex(({ reader, text }) => !reader && text.length <= MOST_FOR_JUDGES);

export function sent(documents: readonly Brought[]): Pick<NewDebate, "background" | "documents"> {
  const first = firstForAll(documents);
  const background = documents[first];
  const further = documents.filter((_, n) => n !== first);
  const body = ({ title, text }: Brought) => ({ title, text });
  return {
    ...(background ? { background: body(background) } : {}),
    ...(further.length
      ? {
          documents: further.map((one) => ({
            ...body(one),
            media: one.media,
            seats: one.reader ? [one.reader] : [],
          })),
        }
      : {}),
  };
}

/** The ids under which they will be quoted. */
export function idsOf(documents: readonly Brought[]): string[] {
  const first = firstForAll(documents);
  let next = first >= 0 ? 2 : 1;
  return documents.map((_, n) => `DOC-${n === first ? 1 : next++}`);
}

/** Who may be chosen: teams of several speakers, and each speaker. */
export function readersOf(card: ProtocolCard): (readonly [name: string, label: string])[] {
  const speakers = card.seats.filter((seat) => seat.role !== "judge");
  const teams = [...Map.groupBy(speakers, (seat) => seat.team)].filter(([team, of]) => team && of.length > 1);
  return [
    ...teams.map(([team]) => [team, w.team(team)] as const),
    ...speakers.map((seat) => [seat.id, w.seat(seat.name)] as const),
  ];
}
