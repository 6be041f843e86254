/** Why a claim stands as it does: the reason in words, the marks of its judges, and what would change it. */
import type { View } from "../api";
import { IntervalBars, type IntervalRow } from "../ui/IntervalBar";
import { fixed } from "../words/figures";
import { words } from "../words/reading";
import { argumentsOf } from "./argument";
import { useDebate } from "./open";
import type { Box } from "./tree";

const w = words.map.focus;

export function Why({ box, pull, answered }: { box: Box; pull: number | null; answered: number }) {
  const view = useDebate();
  const found = argumentsOf(view).find((row) => row.id === box.id);
  const marks = marksOf(view, box);
  const told = (found?.moved ?? []).flatMap((text, n) =>
    n && text ? [{ head: view.trace.moved_heads[n] ?? "", text }] : [],
  );
  return (
    <aside
      aria-label={w.why}
      className="space-y-4 rounded-lg border border-line bg-raised p-4 text-sm lg:col-start-2 xl:col-start-auto"
    >
      <h2 className="text-lg">{box.kind === "reply" ? w.reply : w.because[box.standing ?? "none"]}</h2>
      {box.kind === "reply" && <p>{pull === null ? w.notWeighed : w.pullSays(pull)}</p>}
      {found?.reason && (
        <p dir="auto" lang="en">
          {found.reason}
        </p>
      )}
      {found?.examined && (
        <p className="text-muted" dir="auto">
          {found.examined}
        </p>
      )}
      {marks.length > 0 && (
        <div>
          <h3 className="mb-1.5 text-note font-semibold text-muted">{w.marks}</h3>
          <IntervalBars rows={marks} ends={["", ""]} />
        </div>
      )}
      {told.map(({ head, text }) =>
        text.length > LONG ? (
          <details key={head}>
            <summary className="min-h-6 text-note font-semibold text-muted">{head}</summary>
            <p className="mt-1" dir="auto">
              {text}
            </p>
          </details>
        ) : (
          <div key={head}>
            <h3 className="text-note font-semibold text-muted">{head}</h3>
            <p dir="auto">{text}</p>
          </div>
        ),
      )}
      {box.kind === "claim" && !answered && <p className="text-muted">{words.map.unanswered}</p>}
      <p className="text-note text-muted">{w.keys}</p>
    </aside>
  );
}

/** Longer texts are a press away. */
const LONG = 300;

/** The mean of each mark, and how far its judges are apart. */
function marksOf(view: View, box: Box): IntervalRow[] {
  const grid = view.marks.find((one) => one.rows.some((row) => row.about === box.id));
  const row = grid?.rows.find((one) => one.about === box.id);
  return (grid?.dimensions ?? []).flatMap((name, n) => {
    const cell = row?.cells[n];
    const given = cell?.judges.flatMap(({ mark }) => mark ?? []) ?? [];
    if (!cell || cell.mean === null) return [];
    const interval = given.length > 1 ? ([Math.min(...given), Math.max(...given)] as const) : null;
    const told = w.mark(name, cell.shown, interval?.map((end) => fixed(end, 1)) ?? []);
    return [{ key: name, label: name, side: box.side, mean: cell.mean, interval, shown: cell.shown, told }];
  });
}
