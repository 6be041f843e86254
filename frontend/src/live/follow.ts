/** One line to the server for one run. It comes back by itself, from where it broke: nothing is lost, nothing comes twice. */
import { useEffect, useRef, useState } from "react";
import { at, useAbout } from "../api";
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
/** A line that comes back by then was not lost: the browser comes back after a second. */
const LOST_MS = 2_000;

export function useFloor(id: string): Followed {
  const [seen, setSeen] = useState<Followed>(JOINING);
  const role = useAbout().data?.role;
  const readsAll = useRef(false);
  readsAll.current = role === "owner" || role === "viewer";
  useEffect(() => {
    setSeen(JOINING);
    return follow(id, setSeen, () => readsAll.current);
  }, [id]);
  return seen;
}

/** Shows what is known, at most once a frame; returns what ends it. A guest is not told of every event. */
export function follow(id: string, show: (seen: Followed) => void, readsAll: () => boolean): () => void {
  let seen: Followed = JOINING;
  let source: EventSource | undefined;
  let due: number | undefined;
  let again: number | undefined;
  let lost: number | undefined;
  let breaks: Followed["broken"] = null;
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

  /** What changes only while the line is there. */
  const joined = (next: Partial<Followed>) => {
    window.clearTimeout(lost);
    lost = undefined;
    breaks = null;
    change({ ...next, broken: null });
  };

  const lose = (wait: number | null) => {
    const now = Date.now();
    breaks = { since: breaks?.since ?? now, again: wait === null ? null : now + wait };
    if (seen.broken) change({ broken: breaks });
    lost ??= window.setTimeout(() => change({ line: "broken", broken: breaks }), LOST_MS);
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
    if (readsAll() && skips(seen.floor, event)) return comeBack();
    joined({ floor: take(seen.floor, event), line: "open" });
  };

  const join = () => {
    const known = seen.floor.next - 1;
    source = new EventSource(`${at(id, "events")}${known >= 0 ? `?after=${known}` : ""}`);
    source.onopen = () => {
      failures = 0;
      joined({ floor: rejoined(seen.floor), line: "open" });
    };
    source.onmessage = heard;
    source.addEventListener("end", () => {
      close();
      joined({ line: "over" });
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
    window.clearTimeout(lost);
  };
}
