/** One claim or reply of the map in focus: what bears on it above, its words, what it bears on below, and why it stands. */

import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import { Link, useNavigate } from "../router";
import { BORDERS, SIGNS } from "../ui/Badge";
import { Button } from "../ui/Button";
import { useKeys } from "../ui/keys";
import { StandingChip } from "../ui/StandingChip";
import { words } from "../words/reading";
import { shortened } from "./layout";
import { Handle, Strength } from "./mapParts";
import { useDebate, useIndex } from "./open";
import { To } from "./parts";
import { Details } from "./SpeechParts";
import { type Box, onto, outOf, type Reply, repliesTo, type Tree } from "./tree";
import { Why } from "./Why";

const w = words.map.focus;

interface Props {
  box: Box;
  tree: Tree;
  /** Every claim, as the wings have them from top to bottom. */
  claims: readonly Box[];
}

export function Focus({ box, tree, claims }: Props) {
  const go = useOpen();
  const replies = useMemo(() => repliesTo(tree, box.id), [tree, box]);
  const [attacks, supports] = [replies.filter((one) => one.attacks), replies.filter((one) => !one.attacks)];
  const below = outOf(tree, box.id);
  const back = () => go("");
  useKeys({ Escape: back });
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each box that comes into focus
  useEffect(() => {
    main.current?.focus({ preventScroll: true });
    const top = main.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight - SEEN) main.current?.scrollIntoView({ block: "center" });
  }, [box.id]);
  const next = (by: 1 | -1) => go(claims[claims.findIndex((one) => one.id === box.id) + by]?.id ?? box.id);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[17rem_minmax(0,1fr)_20rem]">
      <All claims={claims} here={box.id} back={back} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between its links */}
      <div className="min-w-0 space-y-3" onKeyDown={(event) => moved(event, next)}>
        {replies.length > 0 ? (
          <div className="grid gap-4 sm:grid-cols-2">
            <Side title={w.attacks} replies={attacks} none={w.noAttacks} />
            <Side title={w.supports} replies={supports} none={w.noSupports} />
          </div>
        ) : (
          <p className="text-note text-muted">{words.map.unanswered}</p>
        )}
        <Joins attacks={attacks.length > 0} supports={supports.length > 0} />
        <Whole box={box} main={main} />
        {below.map((arrow) => {
          const target = tree.boxes.get(arrow.to);
          return target && <Below key={arrow.id} box={target} attacks={arrow.attacks} does={arrow.does} />;
        })}
      </div>
      <Why box={box} pull={tree.pulls.get(box.id) ?? null} answered={onto(tree, box.id).length} />
    </div>
  );
}

/** So much of a card must be in view, or the page moves. */
const SEEN = 160;

function useOpen(): (id: string) => void {
  const navigate = useNavigate();
  return (id) => void navigate({ to: ".", hash: id, resetScroll: false });
}

/** A link that brings another box into focus. */
function Opens({ id, className, children }: { id: string; className: string; children: ReactNode }) {
  const { run_id: run } = useDebate();
  return (
    <Link
      to="/debates/$id/map"
      params={{ id: run }}
      hash={id}
      resetScroll={false}
      data-card=""
      className={`block no-underline ${className}`}
    >
      {children}
    </Link>
  );
}

// -- the parts ---------------------------------------------------------------------------

function All({ claims, here, back }: { claims: readonly Box[]; here: string; back: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  // The claim in focus stays in view in the list; the page itself does not move.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each claim that comes into focus
  useEffect(() => {
    const [all, one] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")];
    if (all && one) all.scrollTop = one.offsetTop - all.clientHeight / 2;
  }, [here]);
  return (
    <nav aria-label={w.all} className="lg:sticky lg:top-4">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-note font-semibold text-muted max-lg:sr-only">{w.all}</h2>
        <Button onClick={back}>
          {w.back} <kbd className="text-xs text-muted">Esc</kbd>
        </Button>
      </div>
      <ul ref={list} className="relative space-y-0.5 max-lg:hidden lg:max-h-[75dvh] lg:overflow-y-auto lg:p-1">
        {claims.map((box) => (
          <li key={box.id}>
            <Listed box={box} here={box.id === here} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Listed({ box, here }: { box: Box; here: boolean }) {
  const { run_id: run } = useDebate();
  return (
    <Link
      to="/debates/$id/map"
      params={{ id: run }}
      hash={box.id}
      resetScroll={false}
      {...(here ? { "aria-current": "true" as const } : {})}
      className={`flex items-start gap-2 rounded-sm p-2 text-note text-ink no-underline hover:bg-sunken ${here ? "bg-accent-soft" : ""}`}
    >
      <span className="max-w-20 min-w-12 shrink-0 text-xs leading-[1.6]">
        <Handle id={box.id} side={box.side} seat={box.seat} />
      </span>{" "}
      <span className="line-clamp-3 flex-1" dir="auto">
        {box.text}
      </span>{" "}
      {box.standing && (
        <span>
          <span aria-hidden="true" className="font-bold">
            {SIGNS[box.standing]}
          </span>
          <span className="sr-only">{words.standing[box.standing]}</span>
        </span>
      )}
    </Link>
  );
}

function Side({ title, replies, none }: { title: string; replies: readonly Reply[]; none: string }) {
  return (
    <section aria-label={title} className="space-y-2">
      <h3 className="text-note font-semibold text-muted">{title}</h3>
      {replies.length === 0 && <p className="text-note text-muted">{none}</p>}
      {replies.map((reply) => (
        <Opens
          key={reply.key}
          id={reply.box.id}
          className={`rounded-md border border-line bg-raised px-3 py-2 text-ink hover:border-edge ${EDGE[reply.box.side]}`}
        >
          <span className="flex flex-wrap items-center gap-x-2 text-xs">
            <Handle id={reply.box.kind === "claim" ? reply.box.id : ""} side={reply.box.side} seat={reply.box.seat} />{" "}
            <span className="text-muted">{reply.does}</span>{" "}
            {reply.box.kind === "claim" && <StandingChip standing={reply.box.standing} />}
          </span>{" "}
          <span className="mt-1 line-clamp-4 text-sm" dir="auto">
            {shortened(reply.box.text)}
          </span>{" "}
          {reply.pull !== null && <span className="mt-1 block text-note text-muted">{w.pull(reply.pull)}</span>}
        </Opens>
      ))}
    </section>
  );
}

const EDGE = {
  pro: "border-l-4 border-l-pro",
  con: "border-l-4 border-l-con",
  judge: "border-l-4 border-l-judge",
  "": "border-l-4 border-l-edge",
};

/** From what bears on it down to the claim: solid attacks, dashed supports. */
function Joins({ attacks, supports }: { attacks: boolean; supports: boolean }) {
  if (!attacks && !supports) return null;
  return (
    <svg aria-hidden="true" viewBox="0 0 400 24" preserveAspectRatio="none" className="h-6 w-full stroke-edge">
      {attacks && (
        <path d="M100 0C100 16 200 8 200 24" fill="none" strokeWidth={1.75} vectorEffect="non-scaling-stroke" />
      )}
      {supports && (
        <path
          d="M300 0C300 16 200 8 200 24"
          fill="none"
          strokeWidth={1.75}
          strokeDasharray="6 4"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

function Whole({ box, main }: { box: Box; main: React.RefObject<HTMLElement | null> }) {
  const index = useIndex();
  const part = index.speeches.get(box.turn)?.parts?.find((one) => one.id === box.id);
  const quote = index.traced.get(box.id)?.quote;
  const text = part?.text ?? box.text;
  return (
    <article
      ref={main}
      tabIndex={-1}
      data-main=""
      aria-labelledby="in-focus"
      className={`rounded-md bg-raised px-5 py-4 outline-2 outline-offset-2 outline-accent ${BORDERS[box.standing ?? "none"]} ${EDGE[box.side]}`}
    >
      <p className="flex flex-wrap items-center gap-2 text-xs">
        <Handle id={box.kind === "claim" ? box.id : ""} side={box.side} seat={box.seat} />
        {box.kind === "claim" ? (
          <StandingChip standing={box.standing} />
        ) : (
          <span className="text-muted">{box.does}</span>
        )}
        <Strength value={box.strength} />
      </p>
      <h2 id="in-focus" className={`mt-2 ${text.length > 240 ? "text-base font-medium" : "text-lg"}`} dir="auto">
        {part ? text : shortened(text)}
      </h2>
      {part && (
        <div className="mt-2 space-y-2">
          <Details details={part.details} quotes={index.quotes.get(box.turn) ?? []} />
        </div>
      )}
      {quote && (
        <blockquote className="mt-2 border-l-2 border-line pl-3 text-sm text-muted" dir="auto">
          {quote}
        </blockquote>
      )}
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <To page="transcript" at={box.id}>
          {words.map.toTurn}
        </To>
        {box.kind === "claim" && (
          <To page="trace" at={box.id}>
            {words.map.toTrace}
          </To>
        )}
      </p>
    </article>
  );
}

function Below({ box, attacks, does }: { box: Box; attacks: boolean; does: string }) {
  return (
    <div>
      <svg aria-hidden="true" width="100%" height="24" className="stroke-edge">
        <line x1="50%" y1="0" x2="50%" y2="24" strokeWidth={1.75} {...(attacks ? {} : { strokeDasharray: "6 4" })} />
      </svg>
      <Opens
        id={box.id}
        className={`rounded-md border border-line bg-raised px-4 py-3 text-ink hover:border-edge ${EDGE[box.side]}`}
      >
        <span className="flex flex-wrap items-center gap-2 text-xs">
          <span className="text-muted">{w.it(words.map.signs[attacks ? "attack" : "support"], does)}</span>{" "}
          <Handle id={box.kind === "claim" ? box.id : ""} side={box.side} seat={box.seat} />{" "}
          {box.kind === "claim" && <StandingChip standing={box.standing} />}
        </span>{" "}
        <span className="mt-1 line-clamp-4 text-sm font-semibold" dir="auto">
          {shortened(box.text)}
        </span>
      </Opens>
    </div>
  );
}

// -- keys --------------------------------------------------------------------------------

/** Up and down lead from what bears on it to the claim and on; left and right along a row, or to the next claim. */
function moved(event: KeyboardEvent<HTMLElement>, next: (by: 1 | -1) => void) {
  const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined;
  if (!step) return;
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-card], [data-main]")];
  const at = cards.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const level = (event.key === "ArrowLeft" || event.key === "ArrowRight") && cards[at]?.hasAttribute("data-main");
  const to = cards[at + step];
  if (!level && !to) return;
  event.preventDefault();
  if (level) next(step);
  else to?.focus();
}
