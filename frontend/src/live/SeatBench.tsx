/** The seats of one side: who sits there, with which model and points, and what each does now. */
import { SideTag } from "../ui/Badge";
import { fixed, words } from "../words/doing";
import type { Bench, BenchSeat } from "./bench";
import type { Side } from "./events";
import type { Score, SeatScore, TeamScore } from "./score";
import { shortModel } from "./Who";

const FACES: Record<Side, string> = {
  pro: "border-pro text-pro",
  con: "border-con text-con",
  judge: "border-judge text-judge",
  "": "border-edge text-muted",
};
const ACTIVE = ["asked", "speaking"];

const frame = ({ state }: BenchSeat) =>
  ACTIVE.includes(state) ? "border-accent outline outline-1 outline-accent" : "border-line";

export const doing = ({ state, times }: BenchSeat): string =>
  state === "spoke" ? words.live.times(times) : (words.live.seat[state] ?? state);

export function SeatBench({ bench, score }: { bench: Bench; score: Score | null }) {
  const team = score?.teams.find((one) => one.team === bench.name);
  return (
    <section aria-label={bench.name || words.live.benches}>
      {bench.side && (
        <p
          className={`mb-2 flex flex-wrap content-end items-baseline justify-between gap-x-2 text-sm leading-5 ${team ? "min-h-10" : ""}`}
        >
          <SideTag side={bench.side}>
            <span className="text-muted">{words.live.bench[bench.side]}</span>
          </SideTag>
          {team && <TeamFigures team={team} />}
        </p>
      )}
      <ul className="space-y-1.5">
        {bench.seats.map((one) => (
          <Chair key={one.seat.id} one={one} points={score?.seats.find((each) => each.seat === one.seat.id)} />
        ))}
      </ul>
    </section>
  );
}

function TeamFigures({ team }: { team: TeamScore }) {
  return (
    <span className="tabular-nums">
      <b>{fixed(team.total, 1)}</b>{" "}
      {team.perSpeech !== null && <span className="text-muted">{words.live.perSpeech(fixed(team.perSpeech, 1))}</span>}
    </span>
  );
}

function Chair({ one, points }: { one: BenchSeat; points: SeatScore | undefined }) {
  const { seat, face, state } = one;
  return (
    <li
      data-seat={seat.id}
      data-state={state}
      className={`flex items-center gap-2.5 rounded-lg border bg-raised px-2.5 py-1.5 text-sm leading-5 ${frame(one)}`}
    >
      <Face side={seat.side}>{face}</Face>
      <span className="min-w-0 flex-1">
        <b className="block truncate font-semibold" title={seat.name}>
          {seat.name}
        </b>
        <span className="block truncate text-xs text-muted" title={seat.model}>
          {seat.person ? words.person : shortModel(seat.model)}
        </span>
      </span>
      <span className="shrink-0 text-right text-xs text-muted tabular-nums">
        <span className="block min-h-4">{points && points.marks.length > 0 && fixed(points.total, 1)}</span>
        <span className={`block ${ACTIVE.includes(state) ? "font-semibold text-ink" : ""}`}>{doing(one)}</span>
      </span>
    </li>
  );
}

function Face({ side, children }: { side: Side; children: string }) {
  return (
    <span
      aria-hidden="true"
      className={`grid size-8 shrink-0 place-items-center rounded-full border text-sm font-semibold ${FACES[side]}`}
    >
      {children}
    </span>
  );
}

/** On a narrow page: faces alone, each with its words for those who listen. */
export function Faces({ benches }: { benches: readonly Bench[] }) {
  return (
    <ul aria-label={words.live.benches} className="flex flex-wrap justify-between gap-1.5 py-2">
      {benches.map((bench) => (
        <li key={bench.name}>
          <ul className="flex gap-1.5">
            {bench.seats.map((one) => (
              <li
                key={one.seat.id}
                data-seat={one.seat.id}
                data-state={one.state}
                title={`${one.seat.name}: ${doing(one)}`}
                className={`rounded-lg border bg-raised p-0.5 ${frame(one)}`}
              >
                <Face side={one.seat.side}>{one.face}</Face>
                <span className="sr-only">{`${one.seat.name}: ${doing(one)}`}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
