/** A heading and what belongs to it; the table below it is the landmark, so this is none. */
import type { ReactNode } from "react";

export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-base">{title}</h2>
        {aside}
      </div>
      {children}
    </div>
  );
}
