/** What the judge at the table gave a speech, and what broken rules cost it. Its rows are kept free until then. */
import { signed, spaced, words } from "../words/doing";
import type { Breach, Marked } from "./events";
import { markOf, type Weights } from "./score";

export interface Landed {
  marked: Marked | undefined;
  breaches: readonly Breach[];
  weights: Weights;
}

/** As much room as marks take, so that nothing moves when they land. */
const ROOM = "mt-2 min-h-[7.5rem] sm:min-h-[5.25rem] lg:min-h-[4.75rem]";
const CHIP = "inline-block rounded-full border px-2 py-px text-xs leading-5 whitespace-nowrap tabular-nums";

export const NoMarks = () => <div aria-hidden="true" className={ROOM} />;

export function MarkChips({ marked, breaches, weights }: Landed) {
  const mark = marked ? markOf(marked, weights) : null;
  return (
    <div className={ROOM}>
      <ul aria-label={words.live.marks} className="flex flex-wrap gap-1.5">
        {marked && (
          <li className={`${CHIP} border-edge bg-raised`}>
            {words.live.mark} <b>{mark?.toFixed(1) ?? "–"}</b>
          </li>
        )}
        {marked &&
          Object.entries(marked.marks).map(([name, points]) => (
            <li key={name} className={`${CHIP} border-line bg-raised`}>
              {spaced(name)} <b>{points ?? "–"}</b>
            </li>
          ))}
        {breaches.map((one) => (
          <li
            key={one.rule}
            className={`${CHIP} ${one.provisional ? "border-care-edge bg-care" : "border-wrong bg-raised text-wrong"}`}
          >
            {foul(one)}
          </li>
        ))}
        {!marked && !breaches.length && <li className="text-xs leading-5 text-muted">{words.live.notMarked}</li>}
      </ul>
      {marked?.line && (
        <p
          className="mt-1.5 line-clamp-2 max-w-[70ch] text-sm text-muted lg:line-clamp-1"
          dir="auto"
          title={marked.line}
        >
          {words.live.judgeSays(marked.line)}
        </p>
      )}
    </div>
  );
}

function foul({ rule, words: said, allowed, points, provisional }: Breach): string {
  const what =
    said !== null && allowed !== null
      ? words.live.of(said, allowed)
      : (words.live.rules[rule] ?? words.live.broke(rule));
  const cost = points[0] + points[1];
  return provisional ? words.live.flagged(what) : words.live.foul(cost ? signed(cost) : "", what);
}
