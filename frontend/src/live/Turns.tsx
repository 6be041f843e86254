/** What was said, turn by turn, and who speaks now. */
import { memo, useState } from "react";
import { countWords } from "../people/counting";
import { EDGES, SideTag } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Markdown, type Shown } from "../ui/Markdown";
import { spaced, words } from "../words/doing";
import type { Floor, Said, Seat, Speaking } from "./events";
import { readable } from "./partial";
import type { Quoted } from "./quoted";

const SHOWN = 150;
const HERE: Seat = { id: "", name: "", team: "", side: "", model: "", person: false };

export const seatOf = (floor: Floor, id: string): Seat =>
  floor.seats.find((seat) => seat.id === id) ?? { ...HERE, id, name: id };

/** The word of the side, and the name where that says more. */
export function Who({ seat }: { seat: Pick<Seat, "name" | "side"> }) {
  const more = seat.name.toLowerCase() !== seat.side;
  return <SideTag side={seat.side}>{more && <b className="font-semibold">{seat.name}</b>}</SideTag>;
}

/** What was said, once all of it is there; a line of a form stays a line. */
export function Words({ children, shown }: { children: string; shown?: readonly Shown[] | undefined }) {
  return (
    <Markdown className="[&_:is(p,li)]:whitespace-pre-line" {...(shown ? { shown } : {})}>
      {children}
    </Markdown>
  );
}

export function Turns({ floor, quotes }: { floor: Floor; quotes?: Quoted }) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(floor.turns.length - SHOWN, 0);
  const shown = floor.turns.slice(hidden);
  return (
    <div className="space-y-8">
      {hidden > 0 && <Button onClick={() => setAll(true)}>{words.live.earlier(hidden)}</Button>}
      {shown.map((turn, n) => (
        <div key={turn.id} className="space-y-8">
          {turn.round !== shown[n - 1]?.round && <RoundHead floor={floor} index={turn.round} />}
          <Turn turn={turn} seat={seatOf(floor, turn.seat)} quotes={quotes?.get(turn.id)} />
        </div>
      ))}
    </div>
  );
}

export function RoundHead({ floor, index }: { floor: Floor; index: number }) {
  const label = floor.rounds.find((round) => round.index === index)?.label ?? "";
  return (
    <h2 className="flex items-center gap-3 pt-2 text-sm font-medium text-muted">
      <span>{label}</span>
      <span className="h-px flex-1 bg-line" aria-hidden="true" />
    </h2>
  );
}

interface TurnProps {
  turn: Said;
  seat: Seat;
  /** How its quotes from documents are shown. */
  quotes?: readonly Shown[] | undefined;
}

export const Turn = memo(function Turn({ turn, seat, quotes }: TurnProps) {
  const said = countWords(turn.words);
  return (
    <article
      id={turn.id}
      data-turn
      tabIndex={-1}
      aria-label={`${seat.name}, ${turn.id}`}
      className={`scroll-mt-28 ${EDGES[seat.side]}`}
    >
      <header className="mb-1.5 flex flex-wrap items-baseline gap-x-3 text-sm">
        <Who seat={seat} />
        <span className="text-muted">{spaced(turn.kind)}</span>
        <a
          href={`#${turn.id}`}
          aria-label={words.live.turn(turn.id)}
          className="ml-auto text-xs text-muted underline-offset-2 hover:underline"
        >
          {turn.id}
        </a>
      </header>
      {turn.lost ? (
        <p className="text-muted italic">{words.live.lost(turn.lost)}</p>
      ) : (
        <Words shown={quotes}>{turn.words}</Words>
      )}
      <footer className="mt-1.5 flex flex-wrap gap-x-3 text-xs text-muted">
        {!turn.lost && <Length said={said} allowed={turn.allowed} />}
        {turn.retries > 0 && <span>{words.live.retries(turn.retries)}</span>}
      </footer>
    </article>
  );
});

function Length({ said, allowed }: { said: number; allowed: number | null }) {
  const over = allowed !== null && said > allowed;
  return (
    <span>
      {allowed === null ? words.live.words(said) : words.live.of(said, allowed)}
      {over && <b className="font-medium text-wrong"> · {words.live.over}</b>}
    </span>
  );
}

/** Whose words come now: plain text until the turn is entered. */
export function Now({ floor }: { floor: Floor }) {
  const waits = new Set(floor.awaited.map((one) => one.address));
  const speakers = floor.open.filter((one) => one.onRecord && !waits.has(one.address));
  const thinkers = floor.open.filter((one) => !one.onRecord && !waits.has(one.address));
  return (
    <div className="mt-8 space-y-8">
      {speakers.map((one) => (
        <Speaker key={one.address} one={one} seat={seatOf(floor, one.seat)} />
      ))}
      {thinkers.length > 0 && (
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-muted">
          <span>{words.live.thinking}:</span>
          {thinkers.map((one) => (
            <span key={one.address}>
              <Who seat={seatOf(floor, one.seat)} /> <span>({spaced(one.brief)})</span>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function Speaker({ one, seat }: { one: Speaking; seat: Seat }) {
  const text = readable(one.text);
  const does = one.whole ? words.live.whole : text ? words.live.speaks : words.live.asked;
  return (
    <section aria-label={`${seat.name} ${does}`} aria-busy={!one.whole} className={EDGES[seat.side]}>
      <header className="mb-1.5 flex flex-wrap items-baseline gap-x-3 text-sm">
        <Who seat={seat} />
        <span className="text-muted">
          {does}
          {!one.whole && <Dots />}
        </span>
        <span className="text-muted">{spaced(one.brief)}</span>
        {one.attempt > 0 && <span className="text-muted">{words.live.tryAgain(one.attempt)}</span>}
      </header>
      {text && (
        <p className="max-w-[70ch] whitespace-pre-wrap" dir="auto">
          {text}
        </p>
      )}
      {text && (
        <p className="mt-1.5 text-xs text-muted">
          <Length said={countWords(text)} allowed={one.words} />
        </p>
      )}
    </section>
  );
}

const Dots = () => (
  <span aria-hidden="true" className="motion-safe:animate-pulse">
    {" "}
    …
  </span>
);
