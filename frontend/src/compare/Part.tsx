/** A heading and what belongs to it. The table below is the landmark, not this. */
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
