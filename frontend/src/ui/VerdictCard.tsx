/** What came out and how sure it is: the sentence and its bars on the left, how sure and what would change it on the right. */
import { type ReactNode, useId } from "react";
import { words } from "../words/verdict";
import { type Sure, TrustChip } from "./TrustChip";

interface Props {
  /** The outcome in two or three words. */
  chip: ReactNode;
  /** At most 90 characters. */
  sentence: ReactNode;
  /** What else belongs to it, in reading size. */
  more?: ReactNode;
  /** Not to be relied on, or too close: set in a light weight. */
  weak: boolean;
  bars?: ReactNode;
  /** What the bars measure. */
  note?: ReactNode;
  trust?: { word: Sure; reason: ReactNode } | undefined;
  /** What would change it. */
  change?: ReactNode;
  /** Below what would change it: a button that helps. */
  help?: ReactNode;
}

export function VerdictCard({ chip, sentence, more, weak, bars, note, trust, change, help }: Props) {
  const id = useId();
  const aside = trust || change || help;
  return (
    <section
      aria-labelledby={id}
      className={`grid rounded-lg border border-line bg-raised ${aside ? "md:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]" : ""}`}
    >
      <div className="space-y-3 px-4 py-4 sm:px-6">
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-xs font-semibold text-muted">{words.verdict}</span>
          {chip}
        </p>
        <h2
          id={id}
          className={`text-2xl tracking-[-0.02em] ${weak ? "font-[430]" : "font-[680]"}`}
          dir="auto"
          lang="en"
          data-weak={weak || undefined}
        >
          {sentence}
        </h2>
        {more && (
          <p dir="auto" lang="en">
            {more}
          </p>
        )}
        {bars}
        {note && (
          <p className="text-note text-muted" lang="en">
            {note}
          </p>
        )}
      </div>
      {aside && (
        <div className="space-y-3 border-line px-4 py-4 max-md:border-t sm:px-6 md:border-l">
          {trust && (
            <div className="space-y-1.5">
              <h3 className="text-xs font-semibold text-muted">{words.howSure}</h3>
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm">
                <TrustChip sure={trust.word} />
                <span dir="auto" lang="en">
                  {trust.reason}
                </span>
              </p>
            </div>
          )}
          {change && (
            <div className="space-y-1.5">
              <h3 className="text-xs font-semibold text-muted">{words.wouldChange}</h3>
              <div className="text-sm" dir="auto" lang="en">
                {change}
              </div>
            </div>
          )}
          {help}
        </div>
      )}
    </section>
  );
}
