/** Where the boxes of the map stand: the motion in the middle, a wing on either side, rows from top to bottom. Pure. */
import type { Side } from "../ui/Badge";
import type { Box, Entry, Reply, Wing, Wings } from "./tree";

export interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whatever has a place of its own on the map. */
export type Part = Placed & { key: string; column: number } & (
    | { kind: "motion" }
    | { kind: "title"; title: string }
    | { kind: "claim"; box: Box }
    | { kind: "reply"; reply: Reply; row: string }
    | { kind: "rest"; row: string; count: number }
    | { kind: "unanswered"; row: string }
    | { kind: "more"; wing: 0 | 1; count: number }
  );

export interface Line {
  key: string;
  side: Side;
  path: string;
  /** None for the line from a claim to the motion. */
  sign: { x: number; y: number; attacks: boolean } | null;
  width: number;
}

export interface Layout {
  parts: readonly Part[];
  lines: readonly Line[];
  width: number;
  height: number;
}

/** Narrower than this, the map is scrolled sideways in its frame. */
export const NARROWEST = 960;
/** Replies that a row shows; the rest is a press away. */
export const REPLIES = 2;

const PAD = 16;
const ROW_GAP = 18;
const REPLY_GAP = 8;
const SIGN_LANE = 36;
const MOTION_LANE = 36;
const CLAIM = { letter: 7.8, line: 20, lines: 9, around: 52, beside: 36 };
const REPLY = { letter: 6.7, line: 18, lines: 3, around: 34, beside: 26 };
const MOTION = { letter: 7.6, line: 20, lines: 12, around: 60, beside: 28 };
const TITLE = 24;
const REST = 26;
const MORE = 40;
/** The motion stays in the first screen, however long the wings are. */
const MOTION_FROM_TOP = 340;

interface Columns {
  x: readonly [number, number, number, number, number];
  reply: number;
  claim: number;
  motion: number;
}

export function columnsOf(width: number): Columns {
  const free = width - 2 * PAD - 2 * SIGN_LANE - 2 * MOTION_LANE;
  const [reply, claim] = [Math.floor(free * 0.19), Math.floor(free * 0.25)];
  const motion = free - 2 * (reply + claim);
  const second = PAD + reply + SIGN_LANE;
  const middle = second + claim + MOTION_LANE;
  const fourth = middle + motion + MOTION_LANE;
  return { x: [PAD, second, middle, fourth, fourth + claim + SIGN_LANE], reply, claim, motion };
}

export function laidOut(wings: Wings, topic: string, room: number): Layout {
  const width = Math.max(NARROWEST, Math.floor(room));
  const columns = columnsOf(width);
  const [left, right] = [stacked(wings[0], 0, columns), stacked(wings[1], 1, columns)];
  const motion = boxHeight(topic, columns.motion, MOTION);
  const height = Math.max(left.bottom, right.bottom, motion + PAD) + PAD;
  const y = Math.max(PAD, Math.min(height / 2, MOTION_FROM_TOP) - motion / 2);
  const middle: Part = {
    kind: "motion",
    key: "motion",
    column: 2,
    x: columns.x[2],
    y,
    width: columns.motion,
    height: motion,
  };
  const parts = [middle, ...left.parts, ...right.parts];
  return { parts, lines: linesOf(parts, middle), width, height };
}

/** One wing from top to bottom, in one pass. */
function stacked(wing: Wing, at: 0 | 1, columns: Columns): { parts: Part[]; bottom: number } {
  const [claimColumn, replyColumn] = at ? [3, 4] : [1, 0];
  const [x, outer] = [columns.x[claimColumn] ?? 0, columns.x[replyColumn] ?? 0];
  const parts: Part[] = [];
  let y = PAD;
  for (const group of wing.groups) {
    if (group.title) {
      const place = { column: claimColumn, x, y, width: columns.claim, height: TITLE };
      parts.push({ kind: "title", key: `title ${at} ${group.title}`, title: group.title, ...place });
      y += TITLE + REPLY_GAP;
    }
    for (const entry of group.entries) {
      const row = rowOf(entry, { x, column: claimColumn }, { x: outer, column: replyColumn }, y, columns);
      parts.push(...row.parts);
      y += row.height + ROW_GAP;
    }
  }
  if (wing.hidden) {
    const place = { column: claimColumn, x, y, width: columns.claim, height: MORE };
    parts.push({ kind: "more", key: `more ${at}`, wing: at, count: wing.hidden, ...place });
    y += MORE + ROW_GAP;
  }
  return { parts, bottom: Math.max(PAD, y - ROW_GAP) };
}

interface Column {
  x: number;
  column: number;
}

/** A claim, and beside it what was said to it; the lower of the two stands in the middle of the other. */
function rowOf({ claim, replies }: Entry, inner: Column, outer: Column, y: number, columns: Columns) {
  const own = boxHeight(claim.text, columns.claim, CLAIM);
  const shown = replies.length <= REPLIES ? replies : replies.slice(0, REPLIES);
  const rest = replies.length - shown.length;
  const heights = shown.map((reply) => boxHeight(shortened(reply.box.text), columns.reply, REPLY));
  const beside = heights.reduce((sum, one) => sum + one + REPLY_GAP, 0) + (rest || !shown.length ? REST : -REPLY_GAP);
  const height = Math.max(own, beside);
  const parts: Part[] = [
    {
      kind: "claim",
      key: claim.id,
      box: claim,
      ...inner,
      y: y + (height - own) / 2,
      width: columns.claim,
      height: own,
    },
  ];
  let down = y + (height - beside) / 2;
  for (const [n, reply] of shown.entries()) {
    const place = { ...outer, y: down, width: columns.reply, height: heights[n] ?? 0 };
    parts.push({ kind: "reply", key: reply.key, reply, row: claim.id, ...place });
    down += place.height + REPLY_GAP;
  }
  const last = { ...outer, y: down, width: columns.reply, height: REST };
  if (rest) parts.push({ kind: "rest", key: `${claim.id} rest`, row: claim.id, count: rest, ...last });
  else if (!shown.length) parts.push({ kind: "unanswered", key: `${claim.id} unanswered`, row: claim.id, ...last });
  return { parts, height };
}

interface Type {
  letter: number;
  line: number;
  lines: number;
  around: number;
  beside: number;
}

/** As many lines as the text needs, up to the most that the box shows. */
function boxHeight(text: string, width: number, type: Type): number {
  const letters = Math.max(8, Math.floor((width - type.beside) / type.letter));
  return type.around + type.line * wrapped(text, letters, type.lines).length;
}

export const LINES = { claim: CLAIM.lines, reply: REPLY.lines, motion: MOTION.lines };

// -- lines -------------------------------------------------------------------------------

function linesOf(parts: readonly Part[], motion: Placed): Line[] {
  const claims = new Map(parts.flatMap((part) => (part.kind === "claim" ? [[part.key, part]] : [])));
  return parts.flatMap((part): Line[] => {
    const outward = part.column > 2;
    if (part.kind === "claim") {
      const from = { x: outward ? part.x : part.x + part.width, y: part.y + part.height / 2 };
      const to = { x: outward ? motion.x + motion.width : motion.x, y: motion.y + motion.height / 2 };
      return [
        { key: part.key, side: part.box.side, path: curve(from, to), sign: null, width: thickness(part.box.strength) },
      ];
    }
    const claim = part.kind === "reply" ? claims.get(part.row) : undefined;
    if (part.kind !== "reply" || !claim) return [];
    const from = { x: outward ? part.x : part.x + part.width, y: part.y + part.height / 2 };
    const to = { x: outward ? claim.x + claim.width : claim.x, y: claim.y + claim.height / 2 };
    const sign = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, attacks: part.reply.attacks };
    return [{ key: part.key, side: part.reply.box.side, path: curve(from, to), sign, width: 1.75 }];
  });
}

interface Spot {
  x: number;
  y: number;
}

function curve(from: Spot, to: Spot): string {
  const half = (from.x + to.x) / 2;
  return `M${tenth(from.x)} ${tenth(from.y)}C${tenth(half)} ${tenth(from.y)} ${tenth(half)} ${tenth(to.y)} ${tenth(to.x)} ${tenth(to.y)}`;
}

const tenth = (value: number) => Math.round(10 * value) / 10;

/** The better a claim stands, the thicker its line. */
export const thickness = (strength: number | null): number =>
  strength === null ? 1.5 : tenth(1 + 3 * Math.min(1, Math.max(0, strength)));

// -- keys --------------------------------------------------------------------------------

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** The part that an arrow key leads to: along a line where one is drawn, else the nearest in that column. */
export function beside(layout: Layout, key: string, direction: Direction): string | null {
  const parts = layout.parts.filter((part) => part.kind !== "title" && part.kind !== "unanswered");
  const here = parts.find((part) => part.key === key);
  if (!here) return null;
  if (direction === "ArrowUp" || direction === "ArrowDown") {
    const column = parts.filter((part) => part.column === here.column).toSorted((one, other) => one.y - other.y);
    return column[column.indexOf(here) + (direction === "ArrowDown" ? 1 : -1)]?.key ?? null;
  }
  const step = direction === "ArrowRight" ? 1 : -1;
  const column = parts.filter((part) => part.column === here.column + step);
  const row = "row" in here ? here.row : here.key;
  const joined = column.filter((part) => part.key === row || ("row" in part && part.row === row));
  if (here.kind === "claim" && here.column + step !== 2) return joined[0]?.key ?? null;
  return (joined[0] ?? nearest(column, here))?.key ?? null;
}

function nearest(parts: readonly Part[], to: Placed): Part | undefined {
  const far = (part: Placed) => Math.abs(part.y + part.height / 2 - (to.y + to.height / 2));
  return parts.toSorted((one, other) => far(one) - far(other))[0];
}

// -- text --------------------------------------------------------------------------------

/** A reply without the questions it asks and the brackets of its quotes: what fits in a small box. */
export const shortened = (text: string): string =>
  text
    .split(/\n(?:Question|Change): /, 1)
    .join("")
    .replace(/\[[\w.-]{1,40}: (“[^”]*”)\]/g, "$1")
    .replace(/\s+/g, " ")
    .trim();

/** In a few lines; an ellipsis says that it goes on. */
export function wrapped(text: string, letters = 31, most = 4): string[] {
  const lines: string[] = [];
  let rest = [...text.replace(/\s+/g, " ").trim()];
  while (rest.length && lines.length < most) {
    let cut = fitting(rest, letters);
    if (cut < rest.length) {
      const space = rest.lastIndexOf(" ", cut);
      if (space > cut / 2) cut = space;
    }
    lines.push(rest.slice(0, cut).join("").trim());
    rest = rest.slice(rest[cut] === " " ? cut + 1 : cut);
  }
  const last = lines.at(-1);
  if (rest.length && last !== undefined) lines[lines.length - 1] = `${[...last].slice(0, letters - 1).join("")}…`;
  return lines.length ? lines : [""];
}

/** How many letters fit in a line; wide ones take the room of two. */
function fitting(letters: readonly string[], room: number): number {
  let used = 0;
  for (const [n, letter] of letters.entries()) {
    used += WIDE.test(letter) ? 2 : 1;
    if (used > room) return Math.max(1, n);
  }
  return letters.length;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
