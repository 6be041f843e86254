/** One line to the server for one run. It comes back by itself, from where it broke: nothing is lost, nothing comes twice. */
import { useEffect, useState } from "react";
import { at } from "../api";
import { EMPTY, type Event, type Floor, rejoined, skips, take } from "./events";

export interface Followed {
  floor: Floor;
  line: "joining" | "open" | "broken" | "over";
  /** When the line broke and when it is tried again, by this machine's clock, while it is broken. */
  broken: { since: number; again: number | null } | null;
}

const JOINING: Followed = { floor: EMPTY, line: "joining", broken: null };
const FRAME_MS = 50;
const AGAIN_MS = [500, 1_000, 2_000, 5_000];

export function useFloor(id: string): Followed {
  const [seen, setSeen] = useState<Followed>(JOINING);
  useEffect(() => {
    setSeen(JOINING);
    return follow(id, setSeen);
  }, [id]);
  return seen;
}

/** Shows what is known, at most once a frame; returns what ends it. */
export function follow(id: string, show: (seen: Followed) => void): () => void {
  let seen: Followed = JOINING;
  let source: EventSource | undefined;
  let due: number | undefined;
  let again: number | undefined;
  let failures = 0;
  let left = false;

  const change = (next: Partial<Followed>) => {
    seen = { ...seen, ...next };
    due ??= window.setTimeout(() => {
      due = undefined;
      show(seen);
    }, FRAME_MS);
  };

  const close = () => {
    source?.close();
    source = undefined;
  };

  const lose = (wait: number | null) => {
    const [since, now] = [seen.broken?.since ?? Date.now(), Date.now()];
    change({ line: "broken", broken: { since, again: wait === null ? null : now + wait } });
  };

  const comeBack = () => {
    close();
    if (left) return;
    const wait = AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)] ?? 0;
    lose(wait);
    again = window.setTimeout(join, wait);
  };

  const heard = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as Event;
    if (skips(seen.floor, event)) return comeBack();
    change({ floor: take(seen.floor, event), line: "open", broken: null });
  };

  const join = () => {
    const known = seen.floor.next - 1;
    source = new EventSource(`${at(id, "events")}${known >= 0 ? `?after=${known}` : ""}`);
    source.onopen = () => {
      failures = 0;
      change({ floor: rejoined(seen.floor), line: "open", broken: null });
    };
    source.onmessage = heard;
    source.addEventListener("end", () => {
      close();
      change({ line: "over", broken: null });
    });
    // The browser reads on by Last-Event-ID, unless it has given up.
    source.onerror = () => (source?.readyState === EventSource.CLOSED ? comeBack() : lose(null));
  };

  join();
  return () => {
    left = true;
    close();
    window.clearTimeout(due);
    window.clearTimeout(again);
  };
}
