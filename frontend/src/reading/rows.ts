/** The transcript as rows: the head of each round, and its turns; with a search, only what fits it. */
import type { Chair, RoundHead, SpeechView, View } from "../api";

export interface Row {
  key: string;
  round: RoundHead;
  /** None for the head of a round. */
  speech?: SpeechView;
}

export function laid(view: View, search: string): Row[] {
  const speeches = new Map(view.speeches.map((speech) => [speech.id, speech]));
  const seats = new Map(view.seats.map((seat) => [seat.id, seat]));
  const asked = search.trim().toLowerCase();
  return view.rounds.flatMap((round): Row[] => {
    const turns = round.speeches
      .flatMap((id) => speeches.get(id) ?? [])
      .filter((speech) => !asked || fits(speech, seats.get(speech.seat), asked))
      .map((speech) => ({ key: speech.id, round, speech }));
    const empty = asked ? !turns.length : !turns.length && !round.absent.length;
    return empty ? [] : [{ key: `round ${round.index}`, round }, ...turns];
  });
}

function fits(speech: SpeechView, seat: Chair | undefined, asked: string): boolean {
  const texts = [
    speech.words,
    speech.seat,
    seat?.name ?? "",
    speech.label,
    speech.kind,
    ...speech.claims,
    ...speech.remarks,
  ];
  return texts.some((text) => text.toLowerCase().includes(asked));
}

const LINE = 26;
/** What a card takes beside its words. */
const CARD = 74;
/** Pixels a letter takes, on the whole. */
const LETTER = 7.6;

/** About how high a row will be, so that the page does not jump when it is measured. */
export function roomFor(row: Row | undefined, width: number): number {
  if (!row?.speech) return 72;
  const { words, remarks, claims, replies, parts = [] } = row.speech;
  const letters = Math.max(20, Math.min(width - 70, 620) / LETTER);
  const lines = words.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);
  const beside = remarks.length * 22 + (claims.length ? 30 : 0) + (replies.length ? 30 : 0);
  return 84 + lines * LINE + (parts.length ? parts.length * CARD : beside);
}
