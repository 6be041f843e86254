/** How far something has come of what is allowed: neutral in its side's colour until it is full. */
import { words } from "../words/doing";
import type { Side } from "./events";

const FILLS: Record<Side | "wait", string> = {
  pro: "fill-pro",
  con: "fill-con",
  judge: "fill-judge",
  "": "fill-edge",
  wait: "fill-care-edge",
};

interface Props {
  value: number;
  most: number;
  look: Side | "wait";
  label: string;
}

export function Bar({ value, most, look, label }: Props) {
  const share = most > 0 ? Math.min(value / most, 1) : 0;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="block h-1.5 w-full rounded-full bg-line"
    >
      <rect width={100 * share} height="4" className={FILLS[look]} />
    </svg>
  );
}

export function WordBar({ said, allowed, side }: { said: number; allowed: number | null; side: Side }) {
  if (allowed === null) return <div className="h-1.5" />;
  const label = `${words.live.wordsSpoken}: ${words.live.of(said, allowed)}`;
  return <Bar value={said} most={allowed} look={side} label={label} />;
}
