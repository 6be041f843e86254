/** How far to trust a verdict, by sign and word. */
import { words } from "../words/verdict";

export type Trust = "clear" | "tentative" | "do not rely" | "not measured";

const SIGNS: Record<Trust, string> = { clear: "✓", tentative: "◐", "do not rely": "✕", "not measured": "?" };
const LOOKS: Record<Trust, string> = {
  clear: "border-accent bg-accent-soft text-accent",
  tentative: "border-care-edge bg-care",
  "do not rely": "border-wrong bg-wrong-soft text-wrong",
  "not measured": "border-edge bg-raised",
};

export function TrustChip({ trust }: { trust: Trust }) {
  return (
    <span
      className={`inline-flex min-h-7 items-center gap-2 rounded-full border px-3 text-sm font-semibold whitespace-nowrap ${LOOKS[trust]}`}
    >
      <span aria-hidden="true">{SIGNS[trust]}</span>
      {words.trust[trust]}
    </span>
  );
}
