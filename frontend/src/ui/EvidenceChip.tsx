/** What a claim rests on: the source and its page, and in words what the check found. */
import type { ReactNode } from "react";

export interface Evidence {
  /** The source, such as "DOC-1, page 4", or "own knowledge". */
  source: ReactNode;
  /** What the check found, such as "accepted"; empty if nothing was checked. */
  found?: string;
  /** Whether the check was passed. */
  passed?: boolean;
  /** The whole of it, on pointing. */
  title?: string;
}

export function EvidenceChip({ source, found = "", passed = false, title }: Evidence) {
  return (
    <span
      className="inline-flex min-h-[22px] max-w-full flex-wrap items-center gap-x-1.5 rounded-sm border border-line bg-sunken px-2 text-xs"
      title={title}
    >
      <span dir="auto">{source}</span>
      {found && (
        <span className={`font-semibold ${passed ? "text-accent" : "text-wrong"}`}>
          <span aria-hidden="true">{passed ? "✓ " : "✕ "}</span>
          {found}
        </span>
      )}
    </span>
  );
}
