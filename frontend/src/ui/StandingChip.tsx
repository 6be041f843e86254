/** How an argument stands: sign, word and border say it, colour only repeats it. */
import type { ArgumentResult } from "../client";
import { words } from "../words/reading";

export type Standing = ArgumentResult["standing"];

export const SIGNS: Record<Standing, string> = {
  upheld: "✓",
  partially_upheld: "◐",
  refuted: "✕",
  withdrawn: "↩",
  uncertain: "?",
};

const LOOKS: Record<Standing | "none", string> = {
  upheld: "border-[1.5px] border-solid border-accent bg-accent-soft font-semibold text-accent",
  partially_upheld: "border-[1.5px] border-solid border-accent bg-raised",
  refuted: "border-[1.5px] border-dashed border-edge bg-raised text-muted",
  withdrawn: "border border-dashed border-edge bg-raised text-muted",
  uncertain: "border-[1.5px] border-dotted border-edge bg-raised",
  none: "border border-solid border-line bg-raised text-muted",
};

/** `null` is an argument that was not judged. */
export function StandingChip({ standing }: { standing: Standing | null | undefined }) {
  return (
    <span
      className={`inline-flex min-h-[22px] items-center gap-1.5 rounded-full px-2 text-xs whitespace-nowrap ${LOOKS[standing ?? "none"]}`}
    >
      {standing && (
        <span aria-hidden="true" className="font-bold">
          {SIGNS[standing]}
        </span>
      )}
      {words.standing[standing ?? "none"]}
    </span>
  );
}
