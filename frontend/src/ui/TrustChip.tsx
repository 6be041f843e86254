/** How sure a verdict is, by sign and word: the words of the briefing. */
import { words } from "../words/verdict";

export type Sure = keyof typeof words.sure;

const SIGNS: Record<Sure, string> = {
  High: "✓",
  Medium: "◐",
  Low: "◔",
  "Not reliable": "✕",
  "Not measured": "?",
};
const LOOKS: Record<Sure, string> = {
  High: "border-accent bg-accent-soft text-accent",
  Medium: "border-care-edge bg-care",
  Low: "border-care-edge bg-care",
  "Not reliable": "border-wrong bg-wrong-soft text-wrong",
  "Not measured": "border-edge bg-raised",
};

export function TrustChip({ sure }: { sure: Sure }) {
  return (
    <span
      className={`inline-flex min-h-7 items-center gap-2 rounded-full border px-3 text-sm font-semibold whitespace-nowrap ${LOOKS[sure]}`}
    >
      <HowSure sure={sure} />
    </span>
  );
}

export function HowSure({ sure }: { sure: Sure }) {
  return (
    <>
      <span aria-hidden="true">{SIGNS[sure]}</span> {words.sure[sure]}
    </>
  );
}
