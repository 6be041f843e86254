/** The map drawn as two wings: boxes are links in reading order, lines are decoration that their words repeat. */

import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "../router";
import { BORDERS, type Side } from "../ui/Badge";
import { StandingChip } from "../ui/StandingChip";
import { words } from "../words/reading";
import { beside, type Direction, type Layout, LINES, type Line, laidOut, type Part, shortened } from "./layout";
import { Handle, Strength } from "./mapParts";
import { useDebate } from "./open";
import type { Wings } from "./tree";

const w = words.map;

interface Props {
  wings: Wings;
  /** The claim that was left last: it has the focus again. */
  left: string;
  open: (wing: 0 | 1) => void;
  weighed: boolean;
}

export function WingsDrawn({ wings, left, open, weighed }: Props) {
  const { topic } = useDebate();
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const layout = useMemo(() => laidOut(wings, topic, room), [wings, topic, room]);
  const canvas = useRef<HTMLElement>(null);
  const at = (key: string) => canvas.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  // Only when the map is shown again, not when it changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (left)
      (at(left) ?? canvas.current?.querySelector<HTMLElement>(`[data-key$="${CSS.escape(` ${left}`)}"]`))?.focus();
  }, []);
  const press = (event: KeyboardEvent) => {
    const from = (event.target as HTMLElement).dataset.key;
    const to = from && event.key.startsWith("Arrow") && beside(layout, from, event.key as Direction);
    if (!to) return;
    event.preventDefault();
    at(to)?.focus();
  };
  return (
    <div ref={frame} className="overflow-x-auto rounded-lg border border-line bg-sunken">
      <section
        ref={canvas}
        aria-label={w.label}
        className="relative"
        style={{ width: rem(layout.width), height: rem(layout.height) }}
        onKeyDown={press}
      >
        <Lines layout={layout} />
        <Wing layout={layout} wings={wings} open={open} weighed={weighed} />
      </section>
    </div>
  );
}

const rem = (pixels: number) => `${pixels / 16}rem`;

/** How wide the frame is; known before the first paint. */
function useRoom(frame: React.RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [frame]);
  return room;
}

// -- lines -------------------------------------------------------------------------------

const STROKES: Record<Side, string> = {
  pro: "stroke-pro",
  con: "stroke-con",
  judge: "stroke-judge",
  "": "stroke-muted",
};
const FILLS: Record<Side, string> = { pro: "fill-pro", con: "fill-con", judge: "fill-judge", "": "fill-muted" };

function Lines({ layout: { width, height, lines } }: { layout: Layout }) {
  return (
    <svg
      aria-hidden="true"
      className="absolute inset-0 size-full"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
    >
      {lines.map((line) => (
        <Drawn key={line.key} line={line} />
      ))}
    </svg>
  );
}

function Drawn({ line: { side, path, sign, width } }: { line: Line }) {
  const broken = sign && !sign.attacks ? { strokeDasharray: "6 4" } : {};
  return (
    <g className={STROKES[side]}>
      <path d={path} fill="none" strokeWidth={width} {...broken} />
      {sign && (
        <>
          <circle cx={sign.x} cy={sign.y} r={9} className="fill-raised" strokeWidth={1.5} />
          <text
            x={sign.x}
            y={sign.y + 5}
            textAnchor="middle"
            stroke="none"
            className={`text-sm font-bold ${FILLS[side]}`}
          >
            {w.signs[sign.attacks ? "attack" : "support"]}
          </text>
        </>
      )}
    </g>
  );
}

// -- boxes -------------------------------------------------------------------------------

interface WingProps extends Omit<Props, "left"> {
  layout: Layout;
}

/** The motion, then wing by wing each claim with what was said to it: as it is read, so it is tabbed through. */
function Wing({ layout, wings, open, weighed }: WingProps) {
  const motion = layout.parts.filter((part) => part.kind === "motion");
  const sides = [layout.parts.filter(({ column }) => column < 2), layout.parts.filter(({ column }) => column > 2)];
  return (
    <>
      {motion.map((part) => (
        <Motion key={part.key} part={part} />
      ))}
      {sides.map((parts, n) => {
        const wing = wings[n as 0 | 1];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: there is a left one and a right one
          <ul key={n} aria-label={w.wing(w.sides[wing.side], wing.count)}>
            {inRows(parts).map(([first, ...others]) => (
              <li key={first.key}>
                <Shown part={first} open={open} weighed={weighed} />
                {others.length > 0 && (
                  <ul>
                    {others.map((part) => (
                      <li key={part.key}>
                        <Shown part={part} open={open} weighed={weighed} />
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        );
      })}
    </>
  );
}

/** A claim and what stands in its row; whatever else has a row of its own. */
function inRows(parts: readonly Part[]): [Part, ...Part[]][] {
  const rows: [Part, ...Part[]][] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    if ("row" in part && last) last.push(part);
    else rows.push([part]);
  }
  return rows;
}

const place = ({ x, y, width, height }: Part) => ({
  left: rem(x),
  top: rem(y),
  width: rem(width),
  height: rem(height),
});

function Shown({ part, open, weighed }: { part: Part; open: Props["open"]; weighed: boolean }) {
  switch (part.kind) {
    case "claim":
      return <ClaimBox part={part} />;
    case "reply":
      return <ReplyBox part={part} />;
    case "rest":
      return (
        <Opens part={part} id={part.row} className="text-note text-accent underline underline-offset-2">
          {w.rest(part.count)}
        </Opens>
      );
    case "more":
      return (
        <button
          type="button"
          data-key={part.key}
          className="absolute rounded-md border border-dashed border-edge bg-raised text-sm font-medium"
          style={place(part)}
          onClick={() => open(part.wing)}
        >
          {w.more(part.count, weighed)}
        </button>
      );
    case "title":
      return (
        <h2 className="absolute truncate text-note text-muted" style={place(part)} dir="auto">
          {part.title}
        </h2>
      );
    case "unanswered":
      return (
        <p className="absolute text-note text-muted" style={place(part)}>
          {w.unanswered}
        </p>
      );
    default:
      return null;
  }
}

function Motion({ part }: { part: Part }) {
  const { topic, language } = useDebate();
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys lead through it from one wing to the other
      tabIndex={0}
      data-key={part.key}
      data-box=""
      className="absolute overflow-hidden rounded-md bg-ink px-3.5 py-3 text-paper"
      style={place(part)}
    >
      <p className="text-xs">{w.motion}</p>
      <p
        className="mt-1 line-clamp-(--lines) text-sm leading-5 font-semibold"
        style={{ "--lines": LINES.motion } as React.CSSProperties}
        dir="auto"
        lang={language}
        title={topic}
      >
        {topic}
      </p>
    </div>
  );
}

interface OpensProps {
  part: Part;
  id: string;
  className: string;
  /** The whole of what may be shortened. */
  title?: string;
  children: ReactNode;
}

/** A part that opens a claim. */
function Opens({ part, id, className, title, children }: OpensProps) {
  const { run_id: run } = useDebate();
  const box = part.kind === "claim" || part.kind === "reply" ? { "data-box": "" } : {};
  return (
    <Link
      to="/debates/$id/map"
      params={{ id: run }}
      hash={id}
      resetScroll={false}
      data-key={part.key}
      title={title}
      {...box}
      className={`absolute overflow-hidden no-underline ${className}`}
      style={place(part)}
    >
      {children}
    </Link>
  );
}

const EDGE: Record<Side, string> = { pro: "bg-pro", con: "bg-con", judge: "bg-judge", "": "bg-edge" };

/** The stripe of a side: on the left of what Pro says, on the right of what Con says. */
const Stripe = ({ side }: { side: Side }) => (
  <span
    aria-hidden="true"
    className={`absolute inset-y-0 w-1 ${side === "con" ? "right-0" : "left-0"} ${EDGE[side]}`}
  />
);

const LOST = new Set(["refuted", "withdrawn"]);

function ClaimBox({ part }: { part: Part & { kind: "claim" } }) {
  const { box } = part;
  // Without sides the head of its group names the speaker.
  const grouped = box.side ? null : <span className="truncate text-muted">{box.id}</span>;
  return (
    <Opens
      part={part}
      id={box.id}
      title={box.text}
      className={`block rounded-md bg-raised px-4 py-2.5 text-ink hover:bg-paper ${BORDERS[box.standing ?? "none"]}`}
    >
      <Stripe side={box.side} />
      <span className="flex h-6 items-center gap-2 text-xs">
        {grouped ?? <Handle id={box.id} side={box.side} seat={box.seat} />} <StandingChip standing={box.standing} />{" "}
        <Strength value={box.strength} />
      </span>{" "}
      <span
        className={`mt-1 line-clamp-(--lines) text-sm leading-5 ${LOST.has(box.standing ?? "") ? "" : "font-semibold"}`}
        style={{ "--lines": LINES.claim } as React.CSSProperties}
        dir="auto"
      >
        {box.text}
      </span>
    </Opens>
  );
}

function ReplyBox({ part }: { part: Part & { kind: "reply" } }) {
  const { box, does, attacks } = part.reply;
  return (
    <Opens
      part={part}
      id={box.id}
      title={shortened(box.text)}
      className="block rounded-sm border border-line bg-raised px-3 py-1.5 text-ink hover:border-edge"
    >
      <Stripe side={box.side} />
      <span className="flex h-5 items-center gap-1.5 text-xs">
        <Handle id={box.kind === "claim" ? box.id : ""} side={box.side} seat={box.seat} />{" "}
        <span className="truncate text-muted">
          <b aria-hidden="true">{w.signs[attacks ? "attack" : "support"]}</b> {does}
        </span>
      </span>{" "}
      <span
        className="line-clamp-(--lines) text-note leading-[18px]"
        style={{ "--lines": LINES.reply } as React.CSSProperties}
        dir="auto"
      >
        {shortened(box.text)}
      </span>
    </Opens>
  );
}
