/** A mean and its interval on an axis; several share one axis, so that an overlap is seen. Numbers stand beside it as text. */
import type { ReactNode } from "react";
import type { Side } from "./Badge";

export interface IntervalRow {
  key: string;
  /** Who or what it is about. */
  label: ReactNode;
  side: Side;
  mean: number;
  /** `null` if it was not measured: then the mean stands alone. */
  interval: readonly [low: number, high: number] | null;
  /** The mean as text. */
  shown: string;
  /** The interval as text, where there is room for it. */
  within?: string;
  /** All of it in words, for those who do not see the bar. */
  told: string;
}

const BANDS: Record<Side, string> = {
  pro: "border-pro bg-pro-band",
  con: "border-con bg-con-band",
  judge: "border-judge bg-judge-soft",
  "": "border-edge bg-line",
};
const POINTS: Record<Side, string> = { pro: "bg-pro", con: "bg-con", judge: "bg-judge", "": "bg-ink" };

type Axis = readonly [low: number, high: number];

/** One bar. `axis` is the whole of it: scores have 0 to 10. */
export function IntervalBar({
  side,
  mean,
  interval,
  told,
  axis = [0, 10],
}: Pick<IntervalRow, "side" | "mean" | "interval" | "told"> & { axis?: Axis }) {
  const at = (value: number) => Math.min(100, Math.max(0, (100 * (value - axis[0])) / (axis[1] - axis[0] || 1)));
  return (
    <div role="img" aria-label={told} className="relative h-[22px]">
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {interval && (
        <span
          className={`absolute inset-y-[3px] rounded-[3px] border ${BANDS[side]}`}
          style={{ left: `${at(interval[0])}%`, width: `${at(interval[1]) - at(interval[0])}%` }}
        />
      )}
      <span
        className={`absolute inset-y-0 -ml-[1.5px] w-[3px] rounded-sm ${POINTS[side]}`}
        style={{ left: `${at(mean)}%` }}
      />
    </div>
  );
}

/** Several bars on one axis, whose ends are named. */
export function IntervalBars({
  rows,
  axis = [0, 10],
  ends,
}: {
  rows: readonly IntervalRow[];
  axis?: Axis;
  /** What its ends mean, after their figures. */
  ends: readonly [low: string, high: string];
}) {
  return (
    <div className="grid grid-cols-[minmax(4.5rem,auto)_minmax(0,1fr)] items-center sm:grid-cols-[minmax(5rem,auto)_minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 text-sm">
      {rows.map((row) => (
        <div key={row.key} className="contents">
          <span className="flex max-w-44 items-baseline justify-between gap-2">
            <span className="min-w-0 truncate">{row.label}</span>
            <b className="text-base tabular-nums">{row.shown}</b>
          </span>
          <IntervalBar side={row.side} mean={row.mean} interval={row.interval} told={row.told} axis={axis} />
          <span aria-hidden="true" className="text-xs whitespace-nowrap text-muted tabular-nums max-sm:hidden">
            {row.within}
          </span>
        </div>
      ))}
      <span />
      <span aria-hidden="true" className="flex justify-between gap-3 text-xs text-muted">
        {[...ends.keys()].map((n) => (
          <span key={n} className={n ? "order-2" : ""}>
            {axis[n]}
            <span className="max-sm:hidden">{ends[n]}</span>
          </span>
        ))}
        <span className="order-1">{(axis[0] + axis[1]) / 2}</span>
      </span>
      <span className="max-sm:hidden" />
    </div>
  );
}
