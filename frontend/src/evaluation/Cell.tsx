/** A turn at a glance: mean, four bars, whether words and deeds fit, and the causal ladder. Each by word as well as by shape. */
import type { PillarBar, TurnCell } from "../api";
import { words } from "../words/evaluating";

const w = words.evaluation;

export function CellContent({ cell }: { cell: TurnCell }) {
  return (
    <span className="flex flex-col gap-1.5" aria-hidden="true">
      <span className="flex items-end justify-between gap-3">
        <b className="text-base leading-none tabular-nums">{cell.rho_shown}</b>
        <Bars bars={cell.bars} />
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Verdict cell={cell} />
        <Ladder cell={cell} />
      </span>
    </span>
  );
}

const [BAR, GAP, TALL] = [13, 4, 26];

/** A pillar that could not be read is an empty, broken frame: never a bar of no height. */
export function Bars({ bars }: { bars: readonly PillarBar[] }) {
  const width = bars.length * (BAR + GAP) - GAP;
  return (
    <svg width={width} height={TALL + 13} viewBox={`0 0 ${width} ${TALL + 13}`} role="presentation">
      {bars.map(({ name, value }, n) => {
        const x = n * (BAR + GAP);
        const height = Math.max(1.5, (value ?? 0) * TALL);
        return (
          <g key={name}>
            <rect
              x={x + 0.5}
              y={0.5}
              width={BAR - 1}
              height={TALL - 1}
              fill="none"
              stroke="var(--edge)"
              strokeWidth="1"
              {...(value === null ? { strokeDasharray: "2 2" } : { strokeOpacity: 0.45 })}
            />
            {value !== null && <rect x={x} y={TALL - height} width={BAR} height={height} fill="var(--accent)" />}
            <text x={x + BAR / 2} y={TALL + 11.5} textAnchor="middle" fontSize="12" fill="var(--muted)">
              {w.pillars[n]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const SIGNS = { good: "✓", care: "⚠", none: "–" } as const;
const LOOKS = {
  good: "border-accent bg-accent-soft",
  care: "border-care-edge bg-care",
  none: "border-dashed border-edge bg-raised",
} as const;

export function Verdict({ cell }: { cell: Pick<TurnCell, "verdict" | "tone"> }) {
  return (
    <span className={`inline-block rounded-full border px-2 text-xs leading-5 whitespace-nowrap ${LOOKS[cell.tone]}`}>
      {SIGNS[cell.tone]} {cell.verdict}
    </span>
  );
}

/** Three rungs: filled as far as the grounds reach, open where more is claimed. */
export function Ladder({ cell }: { cell: Pick<TurnCell, "asserted" | "shown" | "ladder_tone"> }) {
  if (cell.asserted === null) return <span className="text-xs text-muted">{w.unread}</span>;
  const claimed = cell.asserted;
  const shown = cell.shown ?? 0;
  return (
    <span className="inline-flex items-center gap-1 text-xs whitespace-nowrap tabular-nums">
      <svg width="16" height="20" viewBox="0 0 16 20" role="presentation">
        <path d="M2 0V20M14 0V20" stroke="var(--edge)" strokeWidth="1" />
        {[1, 2, 3].map((rung) => (
          <rect
            key={rung}
            x="2"
            y={20 - rung * 6}
            width="12"
            height="3.5"
            fill={rung <= shown ? "var(--accent)" : rung <= claimed ? "var(--care)" : "none"}
            stroke={rung <= shown ? "var(--accent)" : rung <= claimed ? "var(--care-edge)" : "none"}
          />
        ))}
      </svg>
      {cell.ladder_tone === "care" && "⚠ "}
      {w.rung(claimed)}/{shown ? w.rung(shown) : "–"}
    </span>
  );
}
