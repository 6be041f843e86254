/** Stays in sight: the motion, the stage, who speaks and for how much longer, the score, and what can be done. */
import { type State, useRole } from "../api";
import { countWords } from "../people/counting";
import { SideTag } from "../ui/Badge";
import { clock, fixed, words } from "../words/doing";
import { Controls } from "./Controls";
import { Countdown } from "./Countdown";
import { speakingTime, useNow } from "./clock";
import { Dot } from "./Dot";
import type { Floor } from "./events";
import { readable } from "./partial";
import { Here, StageStepper } from "./StageStepper";
import type { Score } from "./score";
import { over } from "./state";
import { seatOf, shortModel, Who } from "./Who";
import { WordBar } from "./WordBar";

interface Props {
  state: State;
  floor: Floor;
  score: Score | null;
  offset: number;
  wide: boolean;
}

export function Head({ state, floor, score, offset, wide }: Props) {
  const { report } = state;
  const motion = (
    <h1
      className={wide ? "line-clamp-2 text-lg leading-6" : "line-clamp-1 text-lg leading-7"}
      dir="auto"
      title={report.topic}
    >
      {report.topic}
    </h1>
  );
  return (
    <section
      aria-label={words.live.head}
      className="sticky top-0 z-10 -mx-4 border-b border-line bg-paper px-4 py-2 sm:-mx-8 sm:px-8"
    >
      {wide ? (
        <>
          <div className="flex h-12 items-baseline justify-between gap-x-8 overflow-hidden">
            <div className="flex min-w-0 items-baseline gap-3">
              <Status state={state} floor={floor} offset={offset} />
              {motion}
            </div>
            <div className="max-w-[50%] shrink-0">
              <StageStepper floor={floor} />
            </div>
          </div>
          <div className="mt-1 flex h-14 items-center gap-6">
            <Speaks floor={floor} />
            {score && <Standing score={score} reason />}
            <Steering state={state} floor={floor} />
          </div>
        </>
      ) : (
        <>
          <div className="flex h-8 items-center justify-between gap-3">
            <Status state={state} floor={floor} offset={offset} />
            <div className="min-w-0">
              <Here floor={floor} short />
            </div>
            {score && <Standing score={score} />}
          </div>
          {motion}
          <div className="flex h-14 items-center gap-3">
            <Speaks floor={floor} />
          </div>
        </>
      )}
    </section>
  );
}

/** Whether it goes on, and for how long: the time runs without events. */
function Status({ state: { report }, floor, offset }: Pick<Props, "state" | "floor" | "offset">) {
  const now = useNow(offset);
  const paused = floor.pausedBy !== null;
  const is = floor.ending ? "ended" : paused ? "paused" : report.state;
  const reason = paused && floor.pausedBy ? words.live.pausedBy(floor.pausedBy) : !floor.ending && report.reason;
  const since = Math.max(0, (now - Date.parse(report.created_at)) / 1_000);
  return (
    <p className="flex shrink-0 items-baseline gap-2 text-sm">
      <Dot live={is === "running"} />
      <b className="font-semibold">{words.live.state[is]}</b>
      {reason && (
        <span className="max-w-64 truncate text-muted max-sm:max-w-32" title={reason}>
          {reason}
        </span>
      )}
      {!floor.ending && !over(report) && (
        <span role="timer" aria-label={words.live.timer} className="text-muted tabular-nums max-sm:sr-only">
          {clock(since)}
        </span>
      )}
    </p>
  );
}

export function Steering({ state: { report }, floor }: Pick<Props, "state" | "floor">) {
  const role = useRole();
  if (role !== "owner" || over(report) || floor.ending) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2">
      <Controls report={report} paused={floor.pausedBy !== null} />
    </div>
  );
}

/** The one who speaks, with words and time; or why nobody does. */
function Speaks({ floor }: { floor: Floor }) {
  const waits = new Set(floor.awaited.map((one) => one.address));
  const open = floor.open.filter((one) => one.onRecord && !waits.has(one.address));
  const [one] = open;
  if (!one || open.length > 1 || waits.size)
    return (
      <p className="min-w-0 flex-1 text-sm">
        {open.length + waits.size > 1 ? (
          <>
            <b className="font-semibold">
              {words.live.together([...open, ...floor.awaited].map((each) => seatOf(floor, each.seat).name))}
            </b>{" "}
            <span className="max-sm:sr-only">{words.live.togetherWhy(open.length + waits.size)}</span>
          </>
        ) : floor.awaited[0] ? (
          words.live.floorOf(seatOf(floor, floor.awaited[0].seat).name)
        ) : floor.open.length ? (
          <span className="text-muted">{words.live.between}</span>
        ) : null}
      </p>
    );
  const seat = seatOf(floor, one.seat);
  const said = countWords(readable(one.text));
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
          <span className="min-w-0">
            <Who seat={seat} />{" "}
            <span className="text-muted">
              {[words.live.named(one.brief), seat.person ? words.person : shortModel(seat.model)]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </span>
          {one.words !== null && <span className="shrink-0 tabular-nums">{words.live.of(said, one.words)}</span>}
        </p>
        <WordBar said={said} allowed={one.words} side={seat.side} />
      </div>
      <Countdown time={speakingTime(said, one.words, one.seconds)} />
    </>
  );
}

function Standing({ score, reason = false }: { score: Score; reason?: boolean }) {
  const [first, second] = score.teams;
  if (!first || !second) return null;
  return (
    <div className="flex shrink-0 items-center gap-3">
      <p className="flex items-baseline gap-2 whitespace-nowrap tabular-nums">
        <span className="sr-only">{words.live.score}: </span>
        <SideTag side={first.side} />
        <b data-score={first.team} className={reason ? "text-2xl" : "text-base"}>
          {fixed(first.total, 1)}
        </b>
        <span aria-hidden="true" className="text-muted">
          :
        </span>
        <b data-score={second.team} className={reason ? "text-2xl" : "text-base"}>
          {fixed(second.total, 1)}
        </b>
        <SideTag side={second.side} />
      </p>
      {reason && <p className="w-24 text-xs leading-4 text-muted max-xl:sr-only">{words.live.scoreWhy}</p>}
    </div>
  );
}
