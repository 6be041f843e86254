/** Where the debate stands: parts that are over, the one that goes on, and those known to come. */
import { Check, Circle, CircleDot } from "lucide-react";
import { capital, words } from "../words/doing";
import type { Floor } from "./events";
import { type Part, parts } from "./figures";

const SIGNS = { done: Check, now: CircleDot, next: Circle };
const LOOKS = { done: "text-muted", now: "font-semibold text-ink", next: "text-muted" };

export function Rail({ floor }: { floor: Floor }) {
  const found = parts(floor);
  if (!found.length) return null;
  return (
    <nav aria-label={words.live.parts}>
      <ol className="space-y-2.5 text-sm">
        {found.map((part) => (
          <Step key={part.label} part={part} />
        ))}
      </ol>
      {floor.planned !== null && !floor.ending && (
        <p className="mt-2 text-xs text-muted">{words.live.planned(floor.planned)}</p>
      )}
    </nav>
  );
}

/** For a narrow page: only the part that goes on. */
export function Here({ floor }: { floor: Floor }) {
  const found = parts(floor);
  const at = found.findLastIndex((part) => part.state !== "next");
  const part = found[at];
  if (!part) return null;
  const known = found.some((one) => one.state === "next") || floor.ending !== null;
  return (
    <p className="text-sm text-muted">
      <b className="font-medium text-ink">{capital(part.label)}</b>
      {known && ` · ${words.live.partOf(at + 1, found.length)}`}
      {part.rounds > 1 && ` · ${words.live.rounds(part.rounds)}`}
    </p>
  );
}

function Step({ part }: { part: Part }) {
  const Sign = SIGNS[part.state];
  return (
    <li
      {...(part.state === "now" ? { "aria-current": "step" } : {})}
      className={`flex items-baseline gap-2 ${LOOKS[part.state]}`}
    >
      <Sign size={14} className="shrink-0 translate-y-0.5" aria-hidden="true" />
      <span>
        {capital(part.label)}
        <span className="sr-only">, {words.live.part[part.state]}</span>
        {part.rounds > 1 && (
          <span className="block text-xs font-normal text-muted">{words.live.rounds(part.rounds)}</span>
        )}
      </span>
    </li>
  );
}
