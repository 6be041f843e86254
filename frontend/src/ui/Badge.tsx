/** How an argument stands and whose it is: never by colour alone, always with sign, border and word. */
import type { ReactNode } from "react";
import type { ArgumentResult, Chair } from "../client";
import { words } from "../words/reading";

export type Standing = ArgumentResult["standing"];
export type Side = Chair["side"];

export const SIGNS: Record<Standing, string> = {
  upheld: "✓",
  partially_upheld: "◐",
  refuted: "✕",
  withdrawn: "↩",
  uncertain: "?",
};

/** Border of whatever has this standing: thick, thin, broken, dotted. */
export const BORDERS: Record<Standing | "none", string> = {
  upheld: "border-2 border-solid border-accent",
  partially_upheld: "border border-solid border-accent",
  refuted: "border-2 border-dashed border-edge",
  withdrawn: "border border-dashed border-edge",
  uncertain: "border-2 border-dotted border-edge",
  none: "border border-solid border-line",
};

export function StandingBadge({ standing }: { standing: Standing | null | undefined }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full bg-raised px-2 py-px text-xs whitespace-nowrap ${BORDERS[standing ?? "none"]}`}
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

const HUES: Record<Side, string> = { pro: "text-pro", con: "text-con", judge: "text-judge", "": "text-muted" };
/** The edge of what a side said. */
export const EDGES: Record<Side, string> = {
  pro: "border-l-4 border-pro pl-4",
  con: "border-r-4 border-con pr-4",
  judge: "border-l-4 border-judge pl-4",
  "": "border-l-4 border-line pl-4",
};

/** The word of a side in its colour, and who it is; the space between is for those who hear or copy it. */
export function SideTag({ side, children }: { side: Side; children?: ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      {side && <b className={`text-xs font-bold tracking-wide ${HUES[side]}`}>{words.sides[side]}</b>}
      {children && " "}
      {children}
    </span>
  );
}

export function Badge({ children, look = "plain" }: { children: ReactNode; look?: "plain" | "care" | "accent" }) {
  const looks = {
    plain: "border-line bg-raised",
    care: "border-care-edge bg-care",
    accent: "border-accent bg-accent-soft",
  };
  return (
    <span className={`inline-block rounded-full border px-2 py-px text-xs whitespace-nowrap ${looks[look]}`}>
      {children}
    </span>
  );
}
