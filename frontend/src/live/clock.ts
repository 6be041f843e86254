/** Time: what is left of a speech, counted by its words; how long a model is waited for; and the server's clock. */
import { useEffect, useState } from "react";
import type { LiveRun, OpenCall } from "../api";
import { clock, words } from "../words/doing";
import type { Delay } from "./events";

export interface SpeakingTime {
  /** Seconds that the rules allow. */
  allowed: number;
  /** Seconds that are left; below zero, how far it went over. */
  left: number;
}

/** The time of a speech follows from its words, as in the rules: each word takes the same time. */
export function speakingTime(said: number, words: number | null, seconds: number | null): SpeakingTime | null {
  if (!words || !seconds) return null;
  return { allowed: seconds, left: seconds - Math.round((said * seconds) / words) };
}

export interface Wait {
  /** Seconds since this try was sent. */
  since: number;
  /** Seconds after which it is given up, from the same moment. */
  until: number;
  attempt: number;
  attempts: number;
  /** The try before it: what went wrong, and after how many seconds. */
  before: { fault: string; seconds: number | null } | null;
}

/** By so much a try may outlast its limit: the server says so a moment later. */
const GRACE_MS = 3_000;

/** How long a call has been under way at a moment, by the server's clock. */
export function waitOf(call: OpenCall | undefined, now: number, heard: boolean): Wait | null {
  if (call?.state !== "sent" || !call.sent_at) return null;
  const sent = Date.parse(call.sent_at);
  const first = Date.parse(call.first_word_by ?? "");
  // A model that is not given up by then thinks without a word: it has the time of a whole answer.
  const end = heard || now > first + GRACE_MS ? Date.parse(call.gives_up_at ?? "") : first;
  if (Number.isNaN(end)) return null;
  return {
    since: Math.max(0, (now - sent) / 1_000),
    until: (end - sent) / 1_000,
    attempt: call.attempt,
    attempts: call.attempts,
    before: failureOf(call.lost.at(-1)),
  };
}

type LostTry = OpenCall["lost"][number];

function failureOf(lost: LostTry | undefined): Wait["before"] {
  if (!lost) return null;
  const seconds = (Date.parse(lost.answered_at ?? "") - Date.parse(lost.sent_at)) / 1_000;
  return { fault: lost.ended, seconds: Number.isNaN(seconds) ? null : seconds };
}

/** Whether the next try is still to come. */
export const rests = (delay: Delay, call: OpenCall | undefined): boolean =>
  !(Date.parse(call?.sent_at ?? "") >= delay.at);

/** Seconds until the next try, where they are known. */
export const leftOf = ({ wait, at }: Delay, now: number): number | null =>
  wait === null ? null : Math.max(0, wait - (now - at) / 1_000);

/** What becomes of a call after a try that failed. */
export function thenOf(delay: Delay, left: number | null): string {
  const { reason, wait, times, most } = delay;
  const { again, nextTry, notAgain, slowly } = words.live.wait;
  if (reason === "breaker") return slowly;
  if (left !== null && left >= 1) return nextTry(clock(left));
  return wait === null ? notAgain : again(times + 1, most);
}

/** Milliseconds by which the server's clock is ahead of this one; `received` is when it told the time. */
export const ahead = (live: LiveRun | null | undefined, received: number): number =>
  live ? Date.parse(live.now) - received : 0;

/** The server's time now, again every second. */
export function useNow(offset: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return now + offset;
}
