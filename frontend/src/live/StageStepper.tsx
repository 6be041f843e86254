/** The stages of a debate: those that are over, the one that goes on, and those known to come. */
import { Check, Circle, CircleDot } from "lucide-react";
import { capital, words } from "../words/doing";
import type { Floor } from "./events";
import { roundName, type Stage, stages } from "./stages";

const SIGNS = { done: Check, now: CircleDot, next: Circle };
const LOOKS = { done: "text-muted", now: "font-semibold text-ink", next: "text-muted" };
/** More stages than these do not fit into one line. */
const FITTING = 5;

export function StageStepper({ floor }: { floor: Floor }) {
  const found = stages(floor);
  if (!found.length) return null;
  if (found.length > FITTING) return <Here floor={floor} />;
  return (
    <nav aria-label={words.live.parts}>
      <ol className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        {found.map((stage) => (
          <Step key={stage.label} stage={stage} floor={floor} />
        ))}
        {floor.planned !== null && !floor.ending && <li className="text-muted">{words.live.planned(floor.planned)}</li>}
      </ol>
    </nav>
  );
}

/** Only the round that goes on; `short`, as the protocol labels it. */
export function Here({ floor, short = false }: { floor: Floor; short?: boolean }) {
  const last = floor.rounds.at(-1);
  if (!last) return null;
  return (
    <p className="truncate text-sm font-semibold">
      {short ? capital(words.live.named(last.label)) : roundName(floor, last)}
    </p>
  );
}

function Step({ stage, floor }: { stage: Stage; floor: Floor }) {
  const Sign = SIGNS[stage.state];
  const last = floor.rounds.at(-1);
  const now = stage.state === "now" && last;
  return (
    <li {...(now ? { "aria-current": "step" } : {})} className={`flex items-baseline gap-1.5 ${LOOKS[stage.state]}`}>
      <Sign size={14} className="shrink-0 translate-y-0.5" aria-hidden="true" />
      <span>
        {now ? roundName(floor, last) : capital(words.live.named(stage.label))}
        <span className="sr-only">, {words.live.part[stage.state]}</span>
      </span>
    </li>
  );
}
