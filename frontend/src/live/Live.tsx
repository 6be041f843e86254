/** A debate while it is held. All that is shown is folded from its events; nothing here could not be rebuilt from them. */

import { Link } from "@tanstack/react-router";
import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type State, useRole } from "../api";
import { countWords } from "../people/counting";
import { buttonLook } from "../ui/Button";
import { useKeys } from "../ui/keys";
import { Announced, Care, Loading, NoPage } from "../ui/Said";
import { unversioned, words } from "../words/doing";
import { words as frame } from "../words/reading";
import { Controls, Dial, Tell } from "./Controls";
import { Dot } from "./Dot";
import type { Floor } from "./events";
import { Following } from "./Following";
import { type Followed, useFloor } from "./follow";
import { Inspector } from "./Inspector";
import { useQuoted } from "./quoted";
import { Here, Rail } from "./Rail";
import { lookAgain, over, useWatched } from "./state";
import { Now, seatOf, Turns } from "./Turns";

const CONTROLLER = "controller";
/** Seats at no table: nobody can be told anything there. */
const STAFF = [CONTROLLER, "librarian"];

export default function Live({ id }: { id: string }) {
  const followed = useFloor(id);
  const watched = useWatched(id);
  const ended = followed.line === "over" || followed.floor.ending !== null;
  useEffect(() => {
    if (ended) void watched.refetch();
  }, [ended, watched.refetch]);
  if (watched.error && !watched.data) return <NoPage error={watched.error} again={() => void watched.refetch()} />;
  if (!watched.data) return <Loading>{words.live.joining}</Loading>;
  return <Hall state={watched.data} followed={followed} />;
}

function Hall({ state, followed }: { state: State; followed: Followed }) {
  const { floor, line } = followed;
  const { report } = state;
  const wide = useWide();
  const edge = useLiveEdge(floor, state);
  useTurnKeys();
  const isOver = over(report);
  const role = useRole();
  const quotes = useQuoted(report.run_id, floor);
  return (
    <>
      <title>{words.title(report.topic)}</title>
      <header className="mb-2">
        <p className="mb-2 text-sm text-muted">{frame.debate.protocol(unversioned(report.protocol))}</p>
        <h1 className="max-w-[40ch] text-2xl sm:text-3xl" dir="auto">
          {report.topic}
        </h1>
      </header>
      <Bar state={state} followed={followed} across={!wide} />
      <Heard floor={floor} />
      <div className="gap-10 pt-4 lg:grid lg:grid-cols-[11rem_minmax(0,1fr)_17rem]">
        {wide && (
          <div className="sticky top-24 self-start">
            <Rail floor={floor} />
          </div>
        )}
        <div className="min-w-0">
          {report.state === "broken" && <Care title={words.live.state.broken}>{report.reason}</Care>}
          {!floor.turns.length && !floor.open.length && <p className="py-8 text-muted">{nothingYet(state, line)}</p>}
          <Turns floor={floor} quotes={quotes} />
          <Now floor={floor} />
          <Awaited id={report.run_id} floor={floor} />
          {role === "owner" && !isOver && !report.judged && (
            <>
              <Tell id={report.run_id} speakers={floor.seats.filter((seat) => !STAFF.includes(seat.id))} />
              {floor.seats.some((seat) => seat.id === CONTROLLER) && <Dial id={report.run_id} />}
            </>
          )}
          {isOver && line === "over" && <Following state={state} ending={floor.ending} />}
          <div ref={edge.end} className="h-px" />
        </div>
        {wide ? (
          <aside
            aria-label={words.live.inspector}
            className="sticky top-24 max-h-[calc(100dvh-7rem)] self-start overflow-y-auto"
          >
            <Inspector floor={floor} cap={report.cap ?? null} />
          </aside>
        ) : (
          <details className="mt-10 border-t border-line pt-3">
            <summary className="min-h-10 font-medium">{words.live.inspector}</summary>
            <div className="pt-3">
              <Inspector floor={floor} cap={report.cap ?? null} />
            </div>
          </details>
        )}
      </div>
      {edge.away && !isOver && (
        <button
          type="button"
          onClick={edge.jump}
          className={`${buttonLook("main")} fixed bottom-5 left-1/2 z-20 -translate-x-1/2 rounded-full shadow-lg`}
        >
          <ArrowDown size={16} aria-hidden="true" />
          {words.live.jump}
        </button>
      )}
    </>
  );
}

function nothingYet(state: State, line: Followed["line"]): string {
  if (state.report.state === "waiting") return words.live.waiting;
  return line === "joining" ? words.live.joining : words.live.noWords;
}

/** Stays in sight: how it stands, and what can be done about it. */
function Bar({ state, followed, across }: { state: State; followed: Followed; across: boolean }) {
  const { report } = state;
  const role = useRole();
  const { floor, line } = followed;
  const paused = floor.pausedBy !== null;
  const now = floor.ending ? "ended" : paused ? "paused" : report.state;
  return (
    <div className="sticky top-0 z-10 -mx-4 border-b border-line bg-paper px-4 py-2 sm:-mx-8 sm:px-8">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1">
        <p className="mr-auto flex items-baseline gap-2 text-sm">
          <Dot live={now === "running"} />
          <b className="font-semibold">{words.live.state[now]}</b>
          <span className="text-muted">
            {paused && floor.pausedBy ? words.live.pausedBy(floor.pausedBy) : !floor.ending && report.reason}
          </span>
        </p>
        {line === "broken" && (
          <span role="status" className="text-sm text-wrong">
            {words.live.broken}
          </span>
        )}
        {role === "owner" && !over(report) && !floor.ending && <Controls report={report} paused={paused} />}
      </div>
      {across && <Here floor={floor} />}
    </div>
  );
}

/** Finished turns are told to those who listen; words as they come are not. */
function Heard({ floor }: { floor: Floor }) {
  const last = floor.turns.at(-1);
  if (!last) return <Announced>{""}</Announced>;
  const who = seatOf(floor, last.seat).name;
  return <Announced>{last.lost ? words.live.silent(who) : words.live.spoken(who, countWords(last.words))}</Announced>;
}

function Awaited({ id, floor }: { id: string; floor: Floor }) {
  return floor.awaited.map((one) => {
    const seat = seatOf(floor, one.seat);
    return (
      <section key={one.address} className="mt-8 rounded-lg border-2 border-accent bg-accent-soft p-5">
        <p className="font-semibold">{words.live.awaits(seat.name)}</p>
        <p className="mt-1 line-clamp-3 max-w-[70ch] text-sm">{one.task}</p>
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
  });
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

/** Whoever is at the end of the page stays there while it grows; whoever reads further up is left alone. */
function useLiveEdge(floor: Floor, state: State) {
  const end = useRef<HTMLDivElement>(null);
  const atEnd = useRef(!location.hash);
  const [away, setAway] = useState(false);
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
  return { end, away, jump };
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
