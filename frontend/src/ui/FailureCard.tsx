/** A fault as a page of its own: what, why, and the fix, with the buttons that do it. */
import { type ReactNode, useId } from "react";
import { words } from "../words/verdict";

interface Props {
  /** In two or three words, such as "Stopped by a fault". */
  chip: ReactNode;
  /** One sentence. */
  title: ReactNode;
  why?: ReactNode;
  fix?: ReactNode;
  /** What was kept. */
  kept?: ReactNode;
  /** Buttons; the first one is the fix. */
  children?: ReactNode;
}

export function FailureCard({ chip, title, why, fix, kept, children }: Props) {
  const id = useId();
  const told: [string, ReactNode][] = [
    [words.failure.why, why],
    [words.failure.fix, fix],
    [words.failure.kept, kept],
  ];
  return (
    <section
      aria-labelledby={id}
      className="space-y-3 rounded-lg border-2 border-wrong bg-wrong-soft px-4 py-4 sm:px-6"
    >
      <p>
        <span className="inline-flex min-h-7 items-center gap-2 rounded-full border border-wrong bg-raised px-3 text-sm font-semibold text-wrong">
          <span aria-hidden="true">✕</span>
          {chip}
        </span>
      </p>
      <h2 id={id} className="text-xl" dir="auto" lang="en">
        {title}
      </h2>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[max-content_minmax(0,72ch)] sm:gap-y-2">
        {told.map(
          ([name, text]) =>
            text && (
              <div key={name} className="contents">
                <dt className="font-semibold">{name}</dt>
                <dd className="whitespace-pre-wrap max-sm:mb-2" dir="auto" lang="en">
                  {text}
                </dd>
              </div>
            ),
        )}
      </dl>
      {children && <div className="no-print flex flex-wrap gap-2 pt-1">{children}</div>}
    </section>
  );
}
