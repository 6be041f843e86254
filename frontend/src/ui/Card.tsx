/** A part of a page with a heading of its own; `raised` lifts it off the paper. */
import { type ReactNode, useId } from "react";

interface Props {
  title?: ReactNode;
  aside?: ReactNode;
  raised?: boolean;
  children: ReactNode;
  className?: string;
}

export function Card({ title, aside, raised = false, children, className = "" }: Props) {
  const id = useId();
  const box = raised ? "rounded-lg border border-line bg-raised p-5" : "";
  return (
    <section {...(title ? { "aria-labelledby": id } : {})} className={`${box} ${className}`}>
      {title && (
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id={id} className="text-lg">
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
