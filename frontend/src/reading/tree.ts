/** What bears on what: the arguments of a debate, what was said to them, and who speaks for which wing. Pure. */
import type { View } from "../api";
import type { Side, Standing } from "../ui/Badge";
import { words } from "../words/reading";

export interface Box {
  id: string;
  kind: "claim" | "reply";
  /** What a reply does, such as "grants". */
  does: string;
  seat: string;
  side: Side;
  standing: Standing | null;
  /** From 0 to 1; none if it was not weighed. */
  strength: number | null;
  text: string;
  turn: string;
}

export interface Arrow {
  /** The id of the reply. */
  id: string;
  from: string;
  to: string;
  attacks: boolean;
  does: string;
}

export interface Tree {
  /** In the order of the record. */
  boxes: ReadonlyMap<string, Box>;
  arrows: readonly Arrow[];
  /** How far each reply moved its claim, up or down, by the id of the reply. */
  pulls: ReadonlyMap<string, number>;
}

export function treeOf(view: View): Tree {
  const strengths = new Map(view.trace.rows.map((row) => [row.id, row.strength]));
  const said = view.replies.filter((reply) => !reply.source);
  const boxes = new Map<string, Box>();
  for (const one of view.claims)
    boxes.set(one.id, { ...one, kind: "claim", does: "", strength: strengths.get(one.id) ?? null, text: one.claim });
  for (const one of said)
    boxes.set(one.id, { ...one, kind: "reply", does: doing(one), standing: null, strength: null, text: one.words });
  const arrows = view.replies.map((one) => ({
    id: one.id,
    from: one.source || one.id,
    to: one.target,
    attacks: one.attacks,
    does: doing(one),
  }));
  const moved = view.judgement?.trace.flatMap((result) => result.contributions) ?? [];
  return {
    boxes,
    arrows: arrows.filter(({ from, to }) => boxes.has(from) && boxes.has(to) && from !== to),
    pulls: new Map(moved.map((one) => [one.response, one.share])),
  };
}

const DOES: Record<string, string> = words.map.does;
const doing = ({ kind, deed }: { kind: string; deed: string }) => (Object.hasOwn(DOES, kind) && DOES[kind]) || deed;

/** What a claim meets in its row of the map: a reply, or another claim that bears on it. */
export interface Reply {
  /** No two on a map have the same. */
  key: string;
  box: Box;
  does: string;
  /** Whether it weakens the claim of its row. An answer to an attack strengthens it. */
  attacks: boolean;
  /** The reply that it answers, if it does not speak to the claim itself. */
  to: string;
  /** How far it moved the claim, from −1 to 1; none if that was not weighed. */
  pull: number | null;
}

/** Replies to a claim, and answers to those, each after what it answers. */
export function repliesTo(tree: Tree, claim: string): Reply[] {
  const onto = into(tree);
  const seen = new Set([claim]);
  const found: Reply[] = [];
  const follow = (target: string, weakens: boolean, answered: string) => {
    for (const arrow of onto.get(target) ?? []) {
      const box = tree.boxes.get(arrow.from);
      if (!box || seen.has(arrow.from)) continue;
      seen.add(arrow.from);
      const attacks = arrow.attacks ? !weakens : weakens;
      const pull = tree.pulls.get(arrow.id) ?? null;
      found.push({ key: `${claim} ${arrow.id}`, box, does: arrow.does, attacks, to: answered, pull });
      // What was said to a claim stands in that claim's own row.
      if (box.kind === "reply") follow(box.id, attacks, box.id);
    }
  };
  follow(claim, false, "");
  return found;
}

/** Arrows by the box they point at; made once for a tree. */
function into(tree: Tree): ReadonlyMap<string, readonly Arrow[]> {
  const made = INTO.get(tree) ?? Map.groupBy(tree.arrows, (arrow) => arrow.to);
  INTO.set(tree, made);
  return made;
}

const INTO = new WeakMap<Tree, ReadonlyMap<string, readonly Arrow[]>>();

/** What bears on a box directly, and what it bears on itself. */
export const onto = (tree: Tree, id: string): readonly Arrow[] => into(tree).get(id) ?? [];
export const outOf = (tree: Tree, id: string): readonly Arrow[] => tree.arrows.filter((arrow) => arrow.from === id);

// -- wings -------------------------------------------------------------------------------

export interface Entry {
  claim: Box;
  replies: readonly Reply[];
}

export interface Group {
  /** Empty if the wing has one group alone. */
  title: string;
  entries: readonly Entry[];
}

export interface Wing {
  side: Side;
  /** All claims of the wing, shown or not. */
  count: number;
  groups: readonly Group[];
  /** Claims that are not shown until asked for. */
  hidden: number;
}

export type Wings = readonly [left: Wing, right: Wing];

/** A wing shows this many claims before more are asked for. */
export const FIRST = 6;

/** Whether there is a side for and a side against; else wings are made of seats. */
export const hasSides = (view: View): boolean =>
  view.claims.length > 0 && view.claims.every(({ side }) => side === "pro" || side === "con");

export interface Choice {
  /** Standings to show; all if empty. */
  standings: ReadonlySet<string>;
  /** Whether each wing shows all of its claims. */
  all: readonly [left: boolean, right: boolean];
}

export function wingsOf(view: View, tree: Tree, { standings, all }: Choice): Wings {
  const claims = strongestFirst([...tree.boxes.values()].filter((box) => box.kind === "claim"));
  const kept = claims.filter((box) => !standings.size || standings.has(box.standing ?? "none"));
  const sides = hasSides(view);
  const titled = grouping(view, sides);
  // Groups stand in the order of the record; in a group the strongest comes first.
  const titles = [...new Set(view.claims.map(titled))];
  const [left, right] = sides ? [["pro"], ["con"]] : halves(view, claims);
  const wing = (names: readonly string[], open: boolean): Wing => {
    const own = kept.filter((box) => names.includes(sides ? box.side : box.seat));
    // One more is no reason to ask.
    const shown = open || own.length <= FIRST + 1 ? own : own.slice(0, FIRST);
    const grouped = Map.groupBy(shown, titled);
    const groups = titles.flatMap((title) => {
      const entries = grouped.get(title)?.map((claim) => ({ claim, replies: weightiest(repliesTo(tree, claim.id)) }));
      return entries ? [{ title, entries }] : [];
    });
    return { side: sides ? (names[0] as Side) : "", count: own.length, groups, hidden: own.length - shown.length };
  };
  return [wing(left ?? [], all[0]), wing(right ?? [], all[1])];
}

/** Every claim, wing by wing, as the map has them from top to bottom. */
export const claimsOf = (wings: Wings): Box[] =>
  wings.flatMap((wing) => wing.groups.flatMap((group) => group.entries.map((entry) => entry.claim)));

export const strongestFirst = (boxes: readonly Box[]): Box[] =>
  boxes.toSorted((one, other) => (other.strength ?? -1) - (one.strength ?? -1));

/** What moved the claim most comes first. */
const weightiest = (replies: readonly Reply[]): Reply[] =>
  replies.toSorted((one, other) => Math.abs(other.pull ?? 0) - Math.abs(one.pull ?? 0));

/** Seats in two halves that hold about as many claims, in the order in which they first spoke. */
function halves(view: View, claims: readonly Box[]): [string[], string[]] {
  const seats = [...new Set(view.claims.map((claim) => claim.seat))];
  const left: string[] = [];
  let held = 0;
  for (const seat of seats) {
    if (left.length && held >= claims.length / 2) break;
    left.push(seat);
    held += claims.filter((box) => box.seat === seat).length;
  }
  const rest = seats.filter((seat) => !left.includes(seat));
  return rest.length || left.length < 2 ? [left, rest] : [left.slice(0, -1), left.slice(-1)];
}

/** Teams speak in stages, a debate without sides has seats, and any other wing is one group. */
function grouping(view: View, sides: boolean): (box: Pick<Box, "seat" | "turn">) => string {
  if (!sides) {
    const names = new Map(view.seats.map((seat) => [seat.id, seat.name]));
    return ({ seat }) => names.get(seat) || seat;
  }
  if (!view.seats.some((seat) => seat.team && seat.team !== seat.id)) return () => "";
  const labels = new Map(view.speeches.map((speech) => [speech.id, speech.label]));
  return ({ turn }) => stageOf(labels.get(turn) ?? "");
}

/** "free debate 3" is of the stage "free debate". */
export const stageOf = (label: string): string => label.replace(/ (\d+|by .*|summaries)$/, "");
