/** A debate while it is held. All that is shown is folded from its events, and from how its open calls stand. */

import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type LiveRun, type OpenCall, type State, useRole } from "../api";
import { countWords } from "../people/counting";
import { RetryButtons } from "../runs/GoOn";
import { buttonLook } from "../ui/Button";
import { FailureCard } from "../ui/FailureCard";
import { useKeys } from "../ui/keys";
import { Announced, Care, Loading, NoPage } from "../ui/Said";
import { Title } from "../ui/Title";
import { words } from "../words/doing";
import { capital } from "../words/figures";
import { words as verdict } from "../words/verdict";
import { benches } from "./bench";
import { Tell } from "./Controls";
import { ahead } from "./clock";
import type { Floor } from "./events";
import { Following } from "./Following";
import { type Followed, useFloor } from "./follow";
import { Head, Steering } from "./Head";
import { Inspector } from "./Inspector";
import { useQuoted } from "./quoted";
import { Faces, SeatBench } from "./SeatBench";
import { score, type Weights } from "./score";
import { over, useWatched } from "./state";
import { Now, Turns } from "./Turns";
import { Disconnected, PeopleAwaited } from "./WaitCard";
import { seatOf } from "./Who";

/** Seats at no table: nobody can be told anything there. */
const STAFF = ["librarian"];

export default function Live({ id }: { id: string }) {
  const followed = useFloor(id);
  const watched = useWatched(id);
  const ended = followed.line === "over" || followed.floor.ending !== null;
  useEffect(() => {
    if (ended) void watched.refetch();
  }, [ended, watched.refetch]);
  const live = useLastOf(watched.data?.live ?? null);
  if (watched.error && !watched.data) return <NoPage error={watched.error} again={() => void watched.refetch()} />;
  if (!watched.data) return <Loading>{words.live.joining}</Loading>;
  const offset = ahead(watched.data.live, watched.dataUpdatedAt);
  return <Hall state={watched.data} followed={followed} live={live} offset={offset} />;
}

/** What the server told while the debate went on, also once it is over. */
function useLastOf(live: LiveRun | null): LiveRun | null {
  const last = useRef(live);
  last.current = live ?? last.current;
  return last.current;
}

const NO_CALLS: readonly OpenCall[] = [];
const NO_WEIGHTS: Weights = {};

interface HallProps {
  state: State;
  followed: Followed;
  live: LiveRun | null;
  /** Milliseconds by which the server's clock is ahead. */
  offset: number;
}

function Hall({ state, followed, live, offset }: HallProps) {
  const { floor, line } = followed;
  const { report } = state;
  const wide = useWide();
  const edge = useLiveEdge(floor, state);
  useTurnKeys();
  const isOver = over(report);
  const quotes = useQuoted(report.run_id, floor);
  const calls = isOver || floor.ending ? NO_CALLS : (live?.calls ?? NO_CALLS);
  const weights = useSteady(live?.weights ?? NO_WEIGHTS);
  const table = useMemo(() => (Object.keys(weights).length ? score(floor, weights) : null), [floor, weights]);
  const seats = useMemo(() => benches(floor, calls), [floor, calls]);
  const known = floor.seats.length > 0;
  const beside = known && (
    <Inspector floor={floor} cap={report.cap ?? null} score={table}>
      <Say state={state} floor={floor} />
    </Inspector>
  );
  return (
    <>
      <Title>{words.title(report.topic)}</Title>
      <Head state={state} floor={floor} score={table} offset={offset} wide={wide} />
      <Heard floor={floor} />
      <div className="gap-8 pt-4 lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)_16rem]">
        {wide ? (
          <aside
            aria-label={words.live.benches}
            className="sticky top-34 max-h-[calc(100dvh-9.5rem)] space-y-6 self-start overflow-y-auto p-px"
          >
            {seats.map((bench) => (
              <SeatBench key={bench.name} bench={bench} score={table} />
            ))}
          </aside>
        ) : (
          // Its room is kept until the server has told what may be done.
          <div className="mb-4">
            <Faces benches={seats} />
            <div className="min-h-[34px] pointer-coarse:min-h-11">
              <Steering state={state} floor={floor} />
            </div>
          </div>
        )}
        {/* As high as the window: what stands below is not moved while the page fills. The key keeps it when the window is turned. */}
        <div key="turns" className="min-w-0 max-lg:min-h-dvh">
          {report.state === "broken" && <Broken state={state} floor={floor} />}
          {!floor.turns.length && !floor.open.length && <p className="py-8 text-muted">{nothingYet(state, line)}</p>}
          <Turns floor={floor} quotes={quotes} weights={weights} />
          <Now floor={floor} calls={calls} offset={offset} weights={weights} />
          {report.state === "paused" && report.reason && (
            <div className="mt-6">
              <Care title={words.live.state.paused}>
                <p lang="en">{capital(report.reason)}.</p>
              </Care>
            </div>
          )}
          <PeopleAwaited id={report.run_id} floor={floor} questions={state.questions} offset={offset} />
          {isOver && line === "over" && <Following state={state} ending={floor.ending} />}
          <div ref={edge.end} className="h-px" />
        </div>
        {wide ? (
          <aside
            aria-label={words.live.inspector}
            className="sticky top-34 max-h-[calc(100dvh-9.5rem)] self-start overflow-y-auto p-px"
          >
            {beside}
          </aside>
        ) : (
          <details className="mt-10 border-t border-line pt-3">
            <summary className="min-h-10 font-medium">{words.live.inspector}</summary>
            <div className="pt-3">{beside}</div>
          </details>
        )}
      </div>
      {followed.broken && <Disconnected since={followed.broken.since} again={followed.broken.again} />}
      {edge.away && !isOver && (
        <button
          type="button"
          onClick={edge.jump}
          className={`${buttonLook("main")} fixed bottom-5 left-1/2 z-20 -translate-x-1/2 rounded-full shadow-lg`}
        >
          <ArrowDown size={16} aria-hidden="true" />
          {edge.fresh > 0 ? words.live.fresh(edge.fresh) : words.live.jump}
        </button>
      )}
    </>
  );
}

/** A run that no worker can go on with: what was answered is kept, and a new try begins there. */
function Broken({ state: { report }, floor }: { state: State; floor: Floor }) {
  const models = floor.seats.filter((seat) => !seat.person && !STAFF.includes(seat.id)).map((seat) => seat.id);
  return (
    <FailureCard
      chip={verdict.failure.chip(true)}
      title={words.live.cannotGoOn}
      why={report.reason}
      kept={words.live.kept}
    >
      {!report.judged && <RetryButtons id={report.run_id} seats={models} />}
    </FailureCard>
  );
}

/** The same object as long as it says the same. */
function useSteady(weights: Weights): Weights {
  const kept = useRef(weights);
  if (JSON.stringify(kept.current) !== JSON.stringify(weights)) kept.current = weights;
  return kept.current;
}

function nothingYet(state: State, line: Followed["line"]): string {
  if (state.report.state === "waiting") return words.live.waiting;
  return line === "joining" ? words.live.joining : words.live.noWords;
}

/** A note to the table. */
function Say({ state: { report }, floor }: { state: State; floor: Floor }) {
  const role = useRole();
  if (role !== "owner" || over(report) || report.judged) return null;
  return <Tell id={report.run_id} speakers={floor.seats.filter((seat) => !STAFF.includes(seat.id))} />;
}

/** Finished turns are told to those who listen; words as they come are not. */
function Heard({ floor }: { floor: Floor }) {
  const last = floor.turns.at(-1);
  if (!last) return <Announced>{""}</Announced>;
  const who = seatOf(floor, last.seat).name;
  return <Announced>{last.lost ? words.live.silent(who) : words.live.spoken(who, countWords(last.words))}</Announced>;
}

// -- the window ------------------------------------------------------------------------------

const WIDE = "(min-width: 64rem)";

function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const look = () => setWide(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return wide;
}

/** A reader at the end of the page stays there while it grows. One who reads further up is told how much is new. */
function useLiveEdge(floor: Floor, state: State) {
  const end = useRef<HTMLDivElement>(null);
  const atEnd = useRef(!location.hash);
  const [away, setAway] = useState(false);
  const known = useRef(0);
  if (!away) known.current = floor.turns.length;
  useEffect(() => {
    if (!end.current) return;
    const look = ([entry]: IntersectionObserverEntry[]) => {
      atEnd.current = entry?.isIntersecting ?? true;
      setAway(!atEnd.current);
    };
    const observer = new IntersectionObserver(look, { rootMargin: "0px 0px 160px 0px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page grows with these
  useLayoutEffect(() => {
    if (atEnd.current) end.current?.scrollIntoView({ block: "end" });
  }, [floor, state]);
  const jump = () => {
    atEnd.current = true;
    end.current?.scrollIntoView({ block: "end" });
  };
  return { end, away, jump, fresh: floor.turns.length - known.current };
}

/** j and k go from turn to turn. */
function useTurnKeys() {
  const step = (by: 1 | -1) => () => {
    const turns = [...document.querySelectorAll<HTMLElement>("[data-turn]")];
    const here = turns.findIndex((turn) => turn.getBoundingClientRect().bottom > 120);
    const from = turns.indexOf(document.activeElement as HTMLElement);
    const next = turns[from >= 0 ? from + by : by > 0 ? here : here - 1];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "start" });
  };
  useKeys({ j: step(1), k: step(-1) });
}
