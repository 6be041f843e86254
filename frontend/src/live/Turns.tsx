/** What was said, turn by turn, and who speaks now. */
import { memo, useState } from "react";
import type { OpenCall } from "../api";
import { countWords } from "../people/counting";
import { EDGES } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Markdown, type Shown } from "../ui/Markdown";
import { clock, words } from "../words/doing";
import type { Breach, Floor, Marked, Said, Seat, Speaking } from "./events";
import { MarkChips, NoMarks } from "./MarkChips";
import { readable } from "./partial";
import type { Quoted } from "./quoted";
import type { Weights } from "./score";
import { roundAt } from "./stages";
import { HeldBack, ModelWait } from "./WaitCard";
import { seatOf, Who } from "./Who";

export { seatOf, Who };

const SHOWN = 150;
const NONE: readonly never[] = [];
/** Marks need words to be shown; without weights nobody marks speeches. */
const scored = (weights: Weights) => Object.keys(weights).length > 0;
/** What was said, once all of it is there; a line of a form stays a line. */
export function Words({ children, shown }: { children: string; shown?: readonly Shown[] | undefined }) {
  return (
    <Markdown className="[&_:is(p,li)]:whitespace-pre-line" {...(shown ? { shown } : {})}>
      {children}
    </Markdown>
  );
}

interface TurnsProps {
  floor: Floor;
  quotes?: Quoted;
  /** Shares of the marks that a judge at the table gives; empty if it gives none. */
  weights?: Weights;
}

export function Turns({ floor, quotes, weights = {} }: TurnsProps) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(floor.turns.length - SHOWN, 0);
  const shown = floor.turns.slice(hidden);
  const marked = new Map(floor.marked.map((one) => [one.turn, one]));
  const breaches = byTurn(floor.breaches);
  return (
    <div className="space-y-8">
      {hidden > 0 && <Button onClick={() => setAll(true)}>{words.live.earlier(hidden)}</Button>}
      {shown.map((turn, n) => {
        const seat = seatOf(floor, turn.seat);
        return (
          <div key={turn.id} className="space-y-8">
            {turn.round !== shown[n - 1]?.round && <RoundHead floor={floor} index={turn.round} />}
            <Turn
              turn={turn}
              seat={seat}
              quotes={quotes?.get(turn.id)}
              weights={scored(weights) && seat.team && !turn.lost ? weights : undefined}
              marked={marked.get(turn.id)}
              breaches={breaches.get(turn.id)}
            />
          </div>
        );
      })}
    </div>
  );
}

function byTurn(breaches: readonly Breach[]): Map<string, Breach[]> {
  const found = new Map<string, Breach[]>();
  for (const one of breaches) found.set(one.turn, [...(found.get(one.turn) ?? []), one]);
  return found;
}

export function RoundHead({ floor, index }: { floor: Floor; index: number }) {
  return (
    <h2 className="flex items-center gap-3 pt-2 text-sm font-medium text-muted">
      <span>{roundAt(floor, index)}</span>
      <span className="h-px flex-1 bg-line" aria-hidden="true" />
    </h2>
  );
}

interface TurnProps {
  turn: Said;
  seat: Seat;
  /** How its quotes from documents are shown. */
  quotes?: readonly Shown[] | undefined;
  /** Given if a judge at the table marks it. */
  weights?: Weights | undefined;
  marked?: Marked | undefined;
  breaches?: readonly Breach[] | undefined;
}

export const Turn = memo(
  function Turn({ turn, seat, quotes, weights, marked, breaches = NONE }: TurnProps) {
    const said = countWords(turn.words);
    return (
      <article
        id={turn.id}
        data-turn
        tabIndex={-1}
        aria-label={`${seat.name}, ${turn.id}`}
        className={`scroll-mt-36 ${EDGES[seat.side]}`}
      >
        <header className="mb-1.5 flex flex-wrap items-baseline gap-x-3 text-sm">
          <Who seat={seat} />
          <span className="text-muted">{words.live.named(turn.kind)}</span>
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
        <footer className="mt-1.5 flex min-h-4 flex-wrap gap-x-3 text-xs text-muted">
          {!turn.lost && <Length said={said} allowed={turn.allowed} />}
          {turn.took !== null && turn.took >= 1 && <span>{words.live.took(clock(turn.took))}</span>}
          {turn.retries > 0 && <span>{words.live.retries(turn.retries)}</span>}
        </footer>
        {weights && <MarkChips marked={marked} breaches={breaches} weights={weights} />}
      </article>
    );
  },
  (before, after) =>
    before.turn === after.turn &&
    before.quotes === after.quotes &&
    before.weights === after.weights &&
    before.marked === after.marked &&
    before.seat.id === after.seat.id &&
    before.breaches?.length === after.breaches?.length &&
    (before.breaches ?? []).every((one, n) => one === after.breaches?.[n]),
);

function Length({ said, allowed }: { said: number; allowed: number | null }) {
  const over = allowed !== null && said > allowed;
  return (
    <span>
      {allowed === null ? words.live.words(said) : words.live.of(said, allowed)}
      {over && <b className="font-medium text-wrong"> · {words.live.over}</b>}
    </span>
  );
}

interface NowProps {
  floor: Floor;
  /** How the open calls stand, by the server. */
  calls?: readonly OpenCall[];
  /** Milliseconds by which the server's clock is ahead. */
  offset?: number;
  weights?: Weights;
}

/** Whose words come now: plain text until the turn is entered. */
export function Now({ floor, calls = NONE, offset = 0, weights = {} }: NowProps) {
  const waits = new Set(floor.awaited.map((one) => one.address));
  const speakers = floor.open.filter((one) => one.onRecord && !waits.has(one.address));
  const thinkers = floor.open.filter((one) => !one.onRecord && !waits.has(one.address));
  const callAt = (address: string) => calls.find((call) => call.address === address);
  const answered = (one: Speaking) => one.whole || callAt(one.address)?.state === "answered";
  const others = [...floor.open.filter((one) => one.onRecord && !answered(one)), ...floor.awaited].map(
    (one) => one.seat,
  );
  const names = [...new Set(others)].map((seat) => seatOf(floor, seat).name);
  const here = floor.rounds.at(-1);
  const begun = here && floor.turns.at(-1)?.round !== here.index && (speakers.length > 0 || floor.awaited.length > 0);
  return (
    // Of its own for each wave: what was said stays in its place as a turn, and nothing is moved down.
    <div key={Number.parseInt(floor.open[0]?.address ?? "", 10)} className="mt-8 space-y-8">
      {begun && <RoundHead floor={floor} index={here.index} />}
      {speakers.map((one) => {
        const seat = seatOf(floor, one.seat);
        return (
          <Speaker
            key={one.address}
            one={{ ...one, whole: answered(one) }}
            seat={seat}
            call={callAt(one.address)}
            others={names}
            offset={offset}
            complaint={one.attempt > 0 ? complaintTo(floor, one.seat) : ""}
            paused={floor.pausedBy !== null}
            marks={scored(weights) && seat.team !== ""}
          />
        );
      })}
      <p className="flex min-h-6 flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-muted">
        {thinkers.length > 0 && <span>{words.live.thinking}:</span>}
        {thinkers.map((one) => (
          <span key={one.address}>
            <Who seat={seatOf(floor, one.seat)} /> <span>({words.live.named(one.brief)})</span>
          </span>
        ))}
      </p>
      {thinkers.map(
        (one) =>
          one.delay && (
            <ModelWait
              key={one.address}
              call={callAt(one.address)}
              delay={one.delay}
              offset={offset}
              heard={false}
              seat={seatOf(floor, one.seat)}
              paused={floor.pausedBy !== null}
            />
          ),
      )}
    </div>
  );
}

const complaintTo = (floor: Floor, seat: string): string =>
  floor.asides.findLast((one) => one.kind === "sent back" && one.seat === seat)?.text ?? "";

interface SpeakerProps {
  one: Speaking;
  seat: Seat;
  call: OpenCall | undefined;
  /** Names of those who have not answered yet. */
  others: readonly string[];
  offset: number;
  /** Why its last answer was sent back. */
  complaint: string;
  paused: boolean;
  /** Whether marks will follow. */
  marks: boolean;
}

function Speaker({ one, seat, call, others, offset, complaint, paused, marks }: SpeakerProps) {
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
        <span className="text-muted">{words.live.named(one.brief)}</span>
        {one.attempt > 0 && <span className="text-muted">{words.live.tryAgain(one.attempt)}</span>}
      </header>
      {complaint && <p className="mb-2 max-w-[70ch] text-sm">{words.live.wait.sentBack(complaint)}</p>}
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
      {!text && one.whole && <HeldBack who={seat.name} others={others} />}
      {(!text || one.delay) && !one.whole && (
        <ModelWait call={call} delay={one.delay} {...{ offset, seat, paused }} heard={false} />
      )}
      {text && marks && <NoMarks />}
    </section>
  );
}

const Dots = () => (
  <span aria-hidden="true" className="motion-safe:animate-pulse">
    {" "}
    …
  </span>
);
