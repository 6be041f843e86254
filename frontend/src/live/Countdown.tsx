/** What is left of the speaking time, counted by the words so far. */
import { clock, words } from "../words/doing";
import type { SpeakingTime } from "./clock";

export function Countdown({ time }: { time: SpeakingTime | null }) {
  if (!time) return null;
  const over = time.left < 0;
  return (
    <p role="timer" aria-label={words.live.timeLeft} className="w-20 shrink-0 text-right tabular-nums">
      <b className={`block text-lg leading-6 ${over ? "text-wrong" : ""}`}>{clock(Math.abs(time.left))}</b>
      <span className="block text-xs text-muted">
        {over ? words.live.overTime(clock(time.allowed)) : words.live.ofTime(clock(time.allowed))}
      </span>
    </p>
  );
}
