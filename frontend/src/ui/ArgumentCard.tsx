/** An argument, the same on every page: id, standing, strength, claim, reason and evidence. */
import type { ReactNode } from "react";
import { words } from "../words/verdict";
import { HUES, type Side, SideTag } from "./Badge";
import { type Evidence, EvidenceChip } from "./EvidenceChip";
import { type Standing, StandingChip } from "./StandingChip";
import { useSpoken } from "./spoken";

export interface ArgumentCardProps {
  /** Its id, such as "PRO-1". One that names its side carries the side's colour, and the side is not said twice. */
  id: string;
  side: Side;
  claim: string;
  /** The id as a link to where the argument is told; plain text without it. */
  link?: ReactNode;
  /** Who put it forward, where the id does not say it. */
  seat?: ReactNode;
  /** A few words on why it stands here, such as "strongest claim left". */
  note?: ReactNode;
  /** `null` says "not judged"; leave it out to say nothing. */
  standing?: Standing | null;
  /** How much of it is left, from 0 to 1. */
  strength?: number | null;
  /** Why it stands as it does. */
  reason?: ReactNode;
  evidence?: readonly Evidence[];
  /** The name that links lead to. */
  anchor?: string;
  /** For the first screen. */
  large?: boolean;
  /** Whatever a page adds below: replies, links. */
  children?: ReactNode;
  className?: string;
}

const STRIPES: Record<Side, string> = {
  pro: "before:bg-pro",
  con: "before:bg-con",
  judge: "before:bg-judge",
  "": "before:bg-edge",
};
const LOST: readonly (Standing | null | undefined)[] = ["refuted", "withdrawn"];

export function ArgumentCard(card: ArgumentCardProps) {
  const { id, side, claim, standing, strength, evidence = [], large = false } = card;
  const named = namesSide(id, side);
  return (
    <article
      id={card.anchor}
      className={`relative grid content-start gap-1.5 overflow-hidden rounded-md border border-line bg-raised py-3 pr-4 pl-5 before:absolute before:inset-y-0 before:left-0 before:w-1 ${STRIPES[side]} ${card.className ?? ""}`}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        {!named && side && <SideTag side={side} />}
        <span className={`font-semibold whitespace-nowrap ${named ? HUES[side] : ""}`}>{card.link ?? id}</span>
        {card.seat && <span className="text-muted">{card.seat}</span>}
        {standing !== undefined && <StandingChip standing={standing} />}
        {card.note && <span className="text-note text-muted">{card.note}</span>}
        {strength != null && <Strength value={strength} />}
      </div>
      <p
        className={`${large ? "text-[1.0625rem] leading-snug" : "text-base leading-snug"} ${LOST.includes(standing) ? "font-normal" : "font-semibold"}`}
        dir="auto"
        lang={useSpoken()}
      >
        {claim}
      </p>
      {card.reason && (
        <p className="text-sm text-muted" dir="auto" lang="en">
          {card.reason}
        </p>
      )}
      {evidence.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={words.evidence}>
          {evidence.map((one, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes, and two may read alike
            <li key={n} className="max-w-full">
              <EvidenceChip {...one} />
            </li>
          ))}
        </ul>
      )}
      {card.children}
    </article>
  );
}

/** Whether an id says whose it is, as "PRO-1" does. */
export const namesSide = (id: string, side: Side) => side !== "" && id.toLowerCase().startsWith(`${side}-`);

function Strength({ value }: { value: number }) {
  const share = Math.round(100 * Math.min(1, Math.max(0, value)));
  return (
    <span className="ml-auto inline-flex items-center gap-1.5 whitespace-nowrap text-muted tabular-nums">
      {words.strength(share)}
      <span aria-hidden="true" className="inline-block h-1.5 w-8 overflow-hidden rounded-sm bg-line">
        <span className="block h-full bg-ink" style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
