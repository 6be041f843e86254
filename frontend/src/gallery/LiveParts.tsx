/** Parts of a debate that goes on, in each of their states, with invented words. */
import type { OpenCall } from "../api";
import type { Bench, SeatState } from "../live/bench";
import { Countdown } from "../live/Countdown";
import { EMPTY, type Floor, type Marked, type Seat } from "../live/events";
import { MarkChips } from "../live/MarkChips";
import { MomentumLine } from "../live/MomentumLine";
import { Faces, SeatBench } from "../live/SeatBench";
import { StageStepper } from "../live/StageStepper";
import type { Score } from "../live/score";
import { HeldBack, ModelWait } from "../live/WaitCard";
import { WordBar } from "../live/WordBar";
import { gallery as w } from "../words/gallery";
import { Shelf } from "./Gallery";

const STATES: readonly SeatState[] = ["waits", "next", "asked", "speaking", "held back", "spoke", "missed"];

const chair = (n: number, side: "pro" | "con"): Seat => ({
  id: `${side}_${n}`,
  name: n ? w.seat : w[side],
  team: side,
  side,
  model: w.model,
  person: n === 3,
});

const bench = (side: "pro" | "con"): Bench => ({
  name: side,
  side,
  seats: STATES.map((state, n) => ({ seat: chair(n, side), face: String(n + 1), state, times: n })),
});
const BENCHES = [bench("pro"), bench("con")];

const LEADS = [1.2, 3.4, 2.1, -0.8, -2.6, 0.4].map((lead, n) => ({
  turn: `r1.t${n}`,
  seat: n % 2 ? "con_0" : "pro_0",
  round: 1,
  mark: 7,
  lead,
}));

const SCORE: Score = {
  teams: (["pro", "con"] as const).map((team) => ({
    team,
    side: team,
    marks: 42.4,
    penalties: -2,
    total: 40.4,
    perSpeech: 7.1,
  })),
  seats: BENCHES.flatMap(({ seats }) =>
    seats.map(({ seat }) => ({ seat: seat.id, team: seat.team, marks: [7.1], penalties: 0, total: 7.1 })),
  ),
  leads: LEADS,
};

const round = (index: number, label: string) => ({ index, label, status: "open" as const });
const FLOOR: Floor = {
  ...EMPTY,
  protocol: "competition/1",
  seats: BENCHES.flatMap(({ seats }) => seats.map(({ seat }) => seat)),
  rounds: [round(1, "opening"), round(2, "free debate 3")],
};

const MARKED: Marked = {
  turn: "r1.t0",
  seat: "pro_0",
  by: "judge",
  marks: { content: 7, delivery: 6, strategy: null },
  line: w.judge,
};
const fault = (rule: string, provisional: boolean) => ({
  rule,
  seat: "pro_0",
  turn: "r1.t0",
  words: 240,
  allowed: 200,
  provisional,
  points: [-1, -1] as const,
});

/** A call that was sent seconds ago, so that its time runs here too. */
const call = (ago: number): OpenCall => {
  const at = (seconds: number) => new Date(Date.now() + 1_000 * (seconds - ago)).toISOString();
  return {
    address: "r1.t0",
    answered_at: null,
    asked_at: at(0),
    attempt: 2,
    attempts: 3,
    first_word_by: at(60),
    gives_up_at: at(600),
    lost: [],
    sent_at: at(0),
    state: "sent",
  };
};
const CALL = call(38);
const SLOW_TRY: OpenCall["lost"][number] = {
  answered_at: "2026-01-01T00:01:00.000Z",
  beyond: 0,
  booked: 0,
  ended: "timed_out",
  misreport: "",
  price: null,
  reported_in: null,
  reported_out: null,
  sent_at: "2026-01-01T00:00:00.000Z",
  tokens: 0,
  tokens_cached: null,
  tokens_in: null,
  tokens_out: null,
  unproven: 0,
};

export function LiveParts() {
  return (
    <>
      <Shelf title={w.parts.bench}>
        <div className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-3">
          {BENCHES.map((one) => (
            <SeatBench key={one.name} bench={one} score={one.side === "pro" ? SCORE : null} />
          ))}
        </div>
        <Faces benches={[{ ...bench("pro"), seats: bench("pro").seats.slice(0, 4) }]} />
      </Shelf>
      <Shelf title={w.parts.stepper}>
        <StageStepper floor={FLOOR} />
      </Shelf>
      <Shelf title={w.parts.time}>
        <div className="grid max-w-md gap-3">
          {[80, 200, 260].map((said) => (
            <div key={said} className="flex items-center gap-4">
              <WordBar said={said} allowed={200} side={said > 200 ? "con" : "pro"} />
              <Countdown time={{ allowed: 90, left: 90 - Math.round(said * 0.45) }} />
            </div>
          ))}
        </div>
      </Shelf>
      <Shelf title={w.parts.marks}>
        <MarkChips marked={undefined} breaches={[]} weights={{}} />
        <MarkChips
          marked={MARKED}
          breaches={[fault("too_long", false), fault("off_topic", true)]}
          weights={{ content: 0.5, delivery: 0.5 }}
        />
      </Shelf>
      <Shelf title={w.parts.momentum}>
        <div className="max-w-64 pt-6">
          <MomentumLine floor={FLOOR} score={SCORE} />
        </div>
      </Shelf>
      <Shelf title={w.parts.wait}>
        <ModelWait seat={chair(0, "pro")} call={CALL} offset={0} heard={false} />
        <ModelWait seat={chair(0, "pro")} call={{ ...CALL, lost: [SLOW_TRY] }} offset={0} heard />
        <ModelWait seat={chair(0, "pro")} call={{ ...CALL, state: "waiting" }} offset={0} heard={false} />
        <HeldBack who={w.pro} others={[w.con]} />
      </Shelf>
    </>
  );
}
