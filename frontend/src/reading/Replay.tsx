/** The debate again, turn by turn, at any speed: what was known at every moment of it. */

import { ChevronFirst, ChevronLast, Pause, Play, StepBack, StepForward } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useSearch } from "../router";
import { Button, IconButton } from "../ui/Button";
import { useKeys } from "../ui/keys";
import { Announced } from "../ui/Said";
import { number } from "../words/figures";
import { words } from "../words/reading";
import { decoded, useHash } from "./links";
import { type Moment, momentOf, pause } from "./moments";
import { useDebate, useIndex } from "./open";
import { ClaimLink, Who } from "./parts";
import { SpeechArticle } from "./Speech";

const w = words.replay;
const SPEEDS = [1, 2, 4, 8, 16, 32, 64];

export default function Replay() {
  const view = useDebate();
  const { at, go } = usePosition();
  // A link may ask for it to play at once.
  const { play } = useSearch({ strict: false }) as { play?: string };
  const [playing, setPlaying] = useState(Boolean(play));
  const [speed, setSpeed] = useState(1);
  const all = view.speeches.length;
  const forward = () => go(at + 1);
  const back = () => go(at - 1);
  const toggle = () => {
    if (!playing && at === all) go(0);
    setPlaying(!playing);
  };
  const next = useEffectEvent(() => (at < all ? forward() : setPlaying(false)));
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(next, pause(view, at, speed));
    return () => clearTimeout(timer);
  }, [playing, at, speed, view]);
  useKeys({
    " ": toggle,
    ArrowRight: forward,
    ArrowLeft: back,
    j: forward,
    k: back,
  });

  const moment = momentOf(view, at);
  const told = moment.speech ? `${w.of(at, all)}: ${moment.speech.label}` : w.begun;
  return (
    <div>
      <div className="no-print sticky top-0 z-10 -mx-4 mb-6 border-b border-line bg-paper px-4 py-3 sm:mx-0 sm:px-0">
        <div className="flex flex-wrap items-center gap-1">
          <IconButton label={w.start} onClick={() => go(0)} disabled={at === 0}>
            <ChevronFirst size={18} aria-hidden="true" />
          </IconButton>
          <IconButton label={w.back} onClick={back} disabled={at === 0}>
            <StepBack size={18} aria-hidden="true" />
          </IconButton>
          <Button look="main" onClick={toggle} className="min-w-24">
            {playing ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
            {playing ? w.pause : w.play}
          </Button>
          <IconButton label={w.forward} onClick={forward} disabled={at === all}>
            <StepForward size={18} aria-hidden="true" />
          </IconButton>
          <IconButton label={w.end} onClick={() => go(all)} disabled={at === all}>
            <ChevronLast size={18} aria-hidden="true" />
          </IconButton>
          <label className="ml-auto flex items-center gap-2 text-sm">
            <span className="max-sm:sr-only">{w.speed}</span>
            <select
              className="min-h-10 rounded-md border border-edge bg-raised px-2"
              value={speed}
              onChange={(event) => setSpeed(Number(event.target.value))}
            >
              {SPEEDS.map((one) => (
                <option key={one} value={one}>
                  {w.times(one)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <input
          type="range"
          aria-label={w.at}
          aria-valuetext={told}
          className="mt-2 h-6 w-full accent-accent"
          min={0}
          max={all}
          value={at}
          onChange={(event) => go(Number(event.target.value))}
        />
        <p className="truncate text-sm text-muted">{told}</p>
        {playing && <Announced>{told}</Announced>}
      </div>
      <Shown moment={moment} />
    </div>
  );
}

/** The moment stands in the address, as the turn that has just been heard. */
function usePosition() {
  const { speeches } = useDebate();
  const hash = decoded(useHash());
  const navigate = useNavigate();
  const at = speeches.findIndex((speech) => speech.id === hash) + 1;
  const go = (to: number) => {
    const within = Math.max(0, Math.min(speeches.length, to));
    const { id = "" } = speeches[within - 1] ?? {};
    void navigate({ to: ".", hash: id, replace: true, resetScroll: false });
  };
  return { at, go };
}

function Shown({ moment }: { moment: Moment }) {
  const index = useIndex();
  return (
    <div className="gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_18rem]">
      <section aria-label={w.latest} className="min-h-64">
        {moment.speech ? (
          <SpeechArticle key={moment.speech.id} speech={moment.speech} index={index} />
        ) : (
          <p className="text-muted">{w.press}</p>
        )}
      </section>
      <aside className="space-y-7 text-sm">
        <Rail moment={moment} />
        <Points title={w.points} points={moment.points} />
        <Points title={w.penalties} points={moment.penalties} />
        {moment.claims.length > 0 && (
          <section aria-label={w.arguments}>
            <h2 className="mb-2 text-sm text-muted">
              {w.arguments} · {moment.claims.length}
            </h2>
            <ul className="max-h-80 space-y-2 overflow-y-auto">
              {moment.claims.toReversed().map((claim) => (
                <li key={claim.id}>
                  <ClaimLink id={claim.id} />
                  <span className="line-clamp-2 text-muted" dir="auto">
                    {claim.claim}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section aria-label={w.seats}>
          <h2 className="mb-2 text-sm text-muted">{w.seats}</h2>
          <ul className="space-y-1">
            {[...index.seats.values()].map((seat) => (
              <li key={seat.id} className="flex justify-between gap-4">
                <Who seat={seat.id} />
                <span className="whitespace-nowrap text-muted">{w.spoken(moment.spoken.get(seat.id) ?? 0)}</span>
              </li>
            ))}
          </ul>
        </section>
      </aside>
    </div>
  );
}

const SIGN = { done: "✓", now: "●", next: "○" };

/** The rounds around this one. */
function Rail({ moment }: { moment: Moment }) {
  const now = Math.max(
    0,
    moment.rounds.findLastIndex(({ state }) => state !== "next"),
  );
  const near = moment.rounds.slice(Math.max(0, now - 3), Math.max(0, now - 3) + 7);
  return (
    <section aria-label={words.transcript.rounds}>
      <h2 className="mb-2 text-sm text-muted">{words.transcript.rounds}</h2>
      <ol className="space-y-1">
        {near.map(({ round, done, state }) => (
          <li
            key={round.index}
            className={`flex gap-2 ${state === "next" ? "text-muted" : ""} ${state === "now" ? "font-semibold" : ""}`}
          >
            <span aria-hidden="true" className="w-4 text-center">
              {SIGN[state]}
            </span>
            <span className="sr-only">{w.states[state]}: </span>
            {words.transcript.named(round.label)}
            {state === "now" && round.speeches.length > 1 && (
              <span className="font-normal text-muted">
                {done}/{round.speeches.length}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Points({ title, points }: { title: string; points: Readonly<Record<string, number>> }) {
  const teams = Object.entries(points);
  if (!teams.length) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-sm text-muted">{title}</h2>
      <dl className="flex gap-8">
        {teams.map(([team, value]) => (
          <div key={team}>
            <dt className="text-muted">{team}</dt>
            <dd className="text-lg font-semibold">{number(value, 1)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
