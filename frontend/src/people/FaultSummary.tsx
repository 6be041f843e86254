/** After a send that failed: how many faults there are, and a way to each. It takes the focus. */
import { useEffect, useId, useRef } from "react";
import { words } from "../words/doing";

export interface FoundFault {
  text: string;
  /** Leads to where it is put right, if that is known. */
  go?: (() => void) | undefined;
}

/** `at` is the send it is about: another send takes the focus again. */
export function FaultSummary({ faults, at }: { faults: readonly FoundFault[]; at: number }) {
  const box = useRef<HTMLElement>(null);
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every send
  useEffect(() => {
    box.current?.focus();
    box.current?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby={id}
      className="scroll-mt-4 rounded-md border border-wrong bg-raised px-4 py-3 text-sm"
    >
      <p id={id} className="font-semibold text-wrong">
        <span aria-hidden="true">✕ </span>
        {words.seat.faults(faults.length)}
      </p>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {faults.map(({ text, go }) => (
          <li key={text}>
            {go ? (
              <button type="button" onClick={go} className="text-left text-accent underline underline-offset-2">
                {text}
              </button>
            ) : (
              text
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
