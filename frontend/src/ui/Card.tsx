/** A part of a page with a heading of its own; `raised` lifts it off the paper. */
import { type ReactNode, useId } from "react";

interface Props {
  title?: ReactNode;
  aside?: ReactNode;
  raised?: boolean;
  /** Of its heading; below another part it is 3, and then it is no landmark of its own. */
  level?: 2 | 3;
  children: ReactNode;
  className?: string;
}

export function Card({ title, aside, raised = false, level = 2, children, className = "" }: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  const box = raised ? "rounded-lg border border-line bg-raised p-4 sm:px-5" : "";
  return (
    <section {...(title && level === 2 ? { "aria-labelledby": id } : {})} className={`${box} ${className}`}>
      {title && (
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <Heading id={id} className={level === 2 ? "text-lg" : "text-base"}>
            {title}
          </Heading>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
