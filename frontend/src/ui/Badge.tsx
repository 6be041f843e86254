/** How an argument stands and whose it is: never by colour alone, always with sign, border and word. */
import type { ReactNode } from "react";
import type { Chair } from "../client";
import { words } from "../words/reading";
import type { Standing } from "./StandingChip";

export { SIGNS, type Standing } from "./StandingChip";

export type Side = Chair["side"];

/** Border of whatever has this standing: thick, thin, broken, dotted. */
export const BORDERS: Record<Standing | "none", string> = {
  upheld: "border-2 border-solid border-accent",
  partially_upheld: "border border-solid border-accent",
  refuted: "border-2 border-dashed border-edge",
  withdrawn: "border border-dashed border-edge",
  uncertain: "border-2 border-dotted border-edge",
  none: "border border-solid border-line",
};

/** The colour of a side's words. */
export const HUES: Record<Side, string> = { pro: "text-pro", con: "text-con", judge: "text-judge", "": "text-muted" };
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
