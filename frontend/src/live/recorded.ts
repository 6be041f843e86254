/// <reference types="node" />
/** The recordings of the demo, for tests: as a server would tell them, words as they come included. */

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Event } from "./events";

const FOLDER = resolve(process.cwd(), "../src/hustings/data/recordings");
export const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl.gz"));

/** The log alone. */
export function recorded(name: string): Event[] {
  const [, ...lines] = gunzipSync(readFileSync(resolve(FOLDER, name)))
    .toString("utf8")
    .trim()
    .split("\n");
  return lines.flatMap((line) => (JSON.parse(line) as { event?: Event }).event ?? []);
}

/** With the words of every turn in pieces, between the question and its answer. */
export function spoken(log: readonly Event[], size = 40): Event[] {
  return log.flatMap((event): Event[] => {
    if (event.kind !== "turn_begun" || !event.on_record) return [event];
    const entered = log.find((one) => one.kind === "turn_entered" && one.address === event.address);
    const words = entered?.kind === "turn_entered" ? (entered.turn.attempts.at(-1)?.content ?? "") : "";
    const pieces = words.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    return [
      event,
      ...pieces.map((text): Event => ({ kind: "text_streamed", address: event.address, attempt: 1, text })),
    ];
  });
}

/** What a server sends to a reader who comes back after this many events: words in progress from their beginning. */
export function resumed(told: readonly Event[], cut: number, known: number): Event[] {
  const missed = told
    .slice(0, cut)
    .filter((event) => event.kind !== "text_streamed" && event.seq !== undefined && event.seq >= known);
  return [...missed, ...inProgress(told.slice(0, cut)), ...told.slice(cut)];
}

function inProgress(told: readonly Event[]): Event[] {
  // Those who speak at the same time come to their ends one after the other.
  const over = new Set(told.map((event) => (event.kind === "turn_entered" ? event.address : null)));
  if (told.some((event) => event.kind === "debate_ended")) return [];
  return told.filter((event) => event.kind === "text_streamed" && !over.has(event.address));
}
