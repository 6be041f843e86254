/** What the judge at the table gave a speech, and what broken rules cost it. Its rows are kept free until then. */
import { fixed, signed, spaced, words } from "../words/doing";
import type { Breach, Marked } from "./events";
import { markOf, type Weights } from "./score";

export interface Landed {
  marked: Marked | undefined;
  breaches: readonly Breach[];
  weights: Weights;
}

/** As much room as marks take, so that nothing moves when they land. */
const ROOM = "mt-2 min-h-[8.5rem] space-y-1.5 sm:min-h-[5.5rem]";
const CHIP = "rounded-2xl border px-2 py-px";

export const NoMarks = () => <div aria-hidden="true" className={ROOM} />;

export function MarkChips({ marked, breaches, weights }: Landed) {
  const mark = marked ? markOf(marked, weights) : null;
  return (
    <div className={ROOM}>
      <ul
        aria-label={words.live.marks}
        className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs leading-5 tabular-nums"
      >
        {marked ? (
          <>
            <li className={`${CHIP} border-edge bg-raised`}>
              {words.live.mark} <b>{fixed(mark, 1)}</b>
            </li>
            {Object.entries(marked.marks).map(([name, points]) => (
              <li key={name} className="whitespace-nowrap text-muted">
                {spaced(name)} <b className="text-ink">{points ?? "–"}</b>
              </li>
            ))}
          </>
        ) : (
          <li className="py-px text-muted">{words.live.notMarked}</li>
        )}
      </ul>
      {breaches.length > 0 && (
        <ul aria-label={words.live.breaches} className="flex flex-wrap gap-1.5 text-xs leading-5 tabular-nums">
          {breaches.map((one) => (
            <li key={one.rule} className={`${CHIP} ${one.provisional ? FLAGGED : BROKEN}`}>
              {foul(one)}
            </li>
          ))}
        </ul>
      )}
      {marked?.line && (
        <p className="line-clamp-2 max-w-[70ch] text-sm text-muted sm:line-clamp-1" dir="auto" title={marked.line}>
          {words.live.judgeSays(marked.line)}
        </p>
      )}
    </div>
  );
}

const FLAGGED = "border-care-edge bg-care";
const BROKEN = "border-wrong bg-raised text-wrong";

function foul({ rule, words: said, allowed, points, provisional }: Breach): string {
  const what =
    said !== null && allowed !== null
      ? words.live.of(said, allowed)
      : (words.live.rules[rule] ?? words.live.broke(rule));
  const cost = points[0] + points[1];
  return provisional ? words.live.flagged(what) : words.live.foul(cost ? signed(cost) : "", what);
}
