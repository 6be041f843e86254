/** Small things that the wings, the outline and the focus of the map share. */

import { namesSide } from "../ui/ArgumentCard";
import { HUES, type Side } from "../ui/Badge";
import { words } from "../words/reading";
import { useIndex } from "./open";

/** Whose it is, and the id beside it: an id that names its side carries the colour itself. */
export function Handle({ id, side, seat }: { id: string; side: Side; seat: string }) {
  // What stands behind a comma is a role, not a name.
  const name = (useIndex().seats.get(seat)?.name || seat).split(",", 1)[0];
  if (id && namesSide(id, side)) return <b className={`whitespace-nowrap ${HUES[side]}`}>{id}</b>;
  return (
    <span className="min-w-0 truncate">
      <b className={HUES[side]} dir="auto">
        {words.sides[side] || name}
      </b>
      {id && <span className="text-muted"> {id}</span>}
    </span>
  );
}

/** How strong a claim is left, in figures and as a bar. */
export function Strength({ value }: { value: number | null }) {
  if (value === null) return null;
  const share = Math.round(100 * Math.min(1, Math.max(0, value)));
  return (
    <span className="ml-auto inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap text-muted tabular-nums">
      <span className="sr-only">{words.map.strengthTold(value)}</span>
      <span aria-hidden="true">{share}</span>
      <span aria-hidden="true" className="inline-block h-1.5 w-8 overflow-hidden rounded-sm bg-line">
        <span className="block h-full bg-ink" style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
