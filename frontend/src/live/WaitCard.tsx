/** What is waited for: who, since when, which try, and when it is given up. Nothing waits silently. */

import { lazy, Suspense } from "react";
import type { OpenCall, Question } from "../api";
import { Link } from "../router";
import { buttonLook } from "../ui/Button";
import { Announced } from "../ui/Said";
import { clock, words } from "../words/doing";
import { capital } from "../words/figures";
import { leftOf, rests, thenOf, useNow, type Wait, waitOf } from "./clock";
import type { Awaited, Delay, Floor, Seat } from "./events";
import { lookAgain } from "./state";
import { seatOf, Who } from "./Who";
import { Bar } from "./WordBar";

const Instead = SHARED ? null : lazy(() => import("./Instead"));
/** Seconds after which a wait can be ended otherwise; the room for it is kept before. */
const LONG_WAIT = 10;
/** Seconds after which a person is told what to do. */
const WAITED_ENOUGH = 120;
const CARD = "rounded-lg border bg-sunken px-4 py-3 text-sm";

function Line({ time, says }: { time: number; says: string }) {
  return (
    <span className="ml-auto tabular-nums">
      <b className="font-semibold">{clock(time)}</b> {says}
    </span>
  );
}

interface ModelProps {
  call: OpenCall | undefined;
  delay?: Delay | undefined;
  offset: number;
  heard: boolean;
  /** Who is waited for. */
  seat: Pick<Seat, "id" | "name">;
  /** No model is asked until the debate goes on. */
  paused?: boolean;
}

/** A model that was asked and has not said a word, or does not come to its end. */
export function ModelWait({ call, delay: last, offset, heard, seat, paused = false }: ModelProps) {
  const now = useNow(offset);
  const resting = last !== undefined && rests(last, call);
  const delay = resting || last?.reason !== "limit" ? last : undefined;
  const wait = resting ? null : waitOf(call, now, heard);
  if (!delay && !wait) return null;
  const gone = (now - (Date.parse(call?.asked_at ?? "") || delay?.at || now)) / 1_000;
  return (
    <div data-wait className={`${CARD} space-y-2 border-dashed border-edge`}>
      {delay && paused ? null : delay ? (
        <Delayed delay={delay} now={now} gone={gone} resting={resting} who={seat.name} />
      ) : (
        <p className="flex flex-wrap gap-x-3">
          <span className="text-muted">{words.live.wait.model}</span>
          <Line time={wait?.since ?? 0} says={heard ? words.live.wait.sinceAsked : words.live.wait.noWord} />
        </p>
      )}
      {wait && !paused && <Try wait={wait} counted={delay !== undefined} />}
      {Instead && (
        <div className="min-h-[34px] pointer-coarse:min-h-11">
          <Suspense>
            <Instead
              seat={seat.id}
              until={wait?.until ?? null}
              shown={paused || gone >= LONG_WAIT}
              enough={!paused && gone >= WAITED_ENOUGH}
            />
          </Suspense>
        </div>
      )}
    </div>
  );
}

interface DelayedProps {
  delay: Delay;
  now: number;
  /** Seconds since the question. */
  gone: number;
  resting: boolean;
  who: string;
}

/** How long a seat has not answered, and what becomes of it; those who listen are told when that changes. */
function Delayed({ delay, now, gone, resting, who }: DelayedProps) {
  const left = resting ? leftOf(delay, now) : null;
  if (delay.reason === "limit" && resting)
    return (
      <p>
        <span role="status">{words.live.wait.limited}</span>
        {left !== null && left >= 1 && ` ${capital(thenOf(delay, left))}.`}
      </p>
    );
  return (
    <p>
      {words.live.wait.unanswered(who, gone, delay)};{" "}
      <span role={left ? undefined : "status"}>{thenOf(delay, left)}</span>.
    </p>
  );
}

/** The try under way; `counted` if its number is told already. */
function Try({ wait: { since, until, attempt, attempts, before }, counted }: { wait: Wait; counted: boolean }) {
  return (
    <>
      <Bar value={since} most={until} look="wait" label={words.live.wait.until(clock(until))} />
      <p>
        {!counted && (
          <span {...(attempt > 1 ? { role: "status" } : {})}>{words.live.wait.tryOf(attempt, attempts)} </span>
        )}
        {counted && <span className="text-muted">{words.live.wait.thisTry(clock(since))} </span>}
        {since > until ? words.live.wait.past : words.live.wait.until(clock(until))}{" "}
        {before && !counted && (
          <span className="text-muted">{words.live.wait.before(before.fault, before.seconds)}</span>
        )}
      </p>
    </>
  );
}

/** An answer that is there, and waits for those of others. */
export function HeldBack({ who, others }: { who: string; others: readonly string[] }) {
  const { heldBack, heldAlone } = words.live.wait;
  return <p className={`${CARD} border-edge`}>{others.length ? heldBack(who, others) : heldAlone(who)}</p>;
}

interface PersonProps {
  id: string;
  floor: Floor;
  questions: readonly Question[];
  offset: number;
}

/** People whose answer is waited for. */
export function PeopleAwaited({ id, floor, questions, offset }: PersonProps) {
  return floor.awaited.map((one) => (
    <PersonAwaited
      key={one.address}
      id={id}
      one={one}
      floor={floor}
      since={questions.find((each) => each.seat === one.seat)?.since}
      offset={offset}
    />
  ));
}

function PersonAwaited({
  id,
  one,
  floor,
  since,
  offset,
}: {
  id: string;
  one: Awaited;
  floor: Floor;
  since: string | undefined;
  offset: number;
}) {
  const now = useNow(offset);
  const seat = seatOf(floor, one.seat);
  const waited = since ? Math.max(0, (now - Date.parse(since)) / 1_000) : null;
  return (
    <section className="mt-8 rounded-lg border-2 border-accent bg-accent-soft p-5">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Who seat={seat} />
        <b className="font-semibold">{words.live.awaits(seat.name)}</b>
        {waited !== null && (
          <span className="text-sm">
            <Line time={waited} says={words.live.wait.sinceAsked} />
          </span>
        )}
      </p>
      <p className="mt-1 max-w-[70ch] text-sm">{one.task}</p>
      <Link
        to="/debates/$id/seat/$seat"
        params={{ id, seat: one.seat }}
        className={`${buttonLook("main")} mt-3`}
        onClick={() => void lookAgain(id)}
      >
        {words.live.speakFor(seat.name)}
      </Link>
    </section>
  );
}

/** The line to the server is cut: since when, and when it is tried again. Stands above the page and moves nothing. */
export function Disconnected({ since, again }: { since: number; again: number | null }) {
  const now = useNow(0);
  const wait = again === null ? 0 : Math.ceil((again - now) / 1_000);
  return (
    <div className="fixed bottom-20 left-1/2 z-20 w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 rounded-lg border border-care-edge bg-care px-4 py-3 text-sm shadow-lg">
      {/* Those who listen are told once, not every second. */}
      <Announced>{words.live.offlineSays}</Announced>
      <p className="font-semibold">{words.live.offline(clock(Math.max(0, (now - since) / 1_000)))}</p>
      <p>{words.live.offlineWhy(wait)}</p>
    </div>
  );
}
