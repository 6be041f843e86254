/** What bears on what, as boxes and arrows: the motion, the arguments, and what was said to them. Pure, and drawn by two. */
import type { View } from "../api";
import type { Side, Standing } from "../ui/Badge";
import { words } from "../words/reading";

export const MOTION = "motion";

export interface Box {
  id: string;
  kind: "motion" | "claim" | "reply";
  /** What kind of reply it is, in a word. */
  deed: string;
  seat: string;
  side: Side;
  standing: Standing | null;
  text: string;
  turn: string;
  /** How many boxes bear on it, at any remove. */
  under: number;
}

export interface Arrow {
  id: string;
  from: string;
  to: string;
  attacks: boolean | null;
  label: string;
}

export interface Tree {
  boxes: Box[];
  arrows: Arrow[];
}

export function treeOf(view: View): Tree {
  const said = view.replies.filter((reply) => !reply.source);
  const arrows = [...made(view), ...said.map((r) => arrow(r.id, r.id, r.target, r.attacks, ""))];
  const boxes: Omit<Box, "under">[] = [
    { id: MOTION, kind: "motion", deed: "", seat: "", side: "", standing: null, text: view.topic, turn: "" },
    ...view.claims.map((c) => ({ ...c, kind: "claim" as const, deed: "", text: c.claim })),
    ...said.map((r) => ({ ...r, kind: "reply" as const, standing: null, text: r.words })),
  ];
  const known = new Set(boxes.map((box) => box.id));
  const sound = arrows.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const under = counted(sound);
  return { boxes: boxes.map((box) => ({ ...box, under: under(box.id) })), arrows: sound };
}

/** What one argument does to another; an argument that does nothing to another speaks to the motion. */
function* made(view: View): Generator<Arrow> {
  const order = new Map(view.claims.map((claim, n) => [claim.id, n]));
  const busy = new Set<string>();
  for (const reply of view.replies) {
    if (!reply.source) continue;
    if ((order.get(reply.target) ?? 0) < (order.get(reply.source) ?? 0)) busy.add(reply.source);
    yield arrow(reply.id, reply.source, reply.target, reply.attacks, reply.deed);
  }
  for (const claim of view.claims)
    if (!busy.has(claim.id)) yield arrow(`${claim.id} motion`, claim.id, MOTION, FOR_OR_AGAINST[claim.side], "");
}

const FOR_OR_AGAINST: Record<Side, boolean | null> = { pro: false, con: true, judge: null, "": null };

const arrow = (id: string, from: string, to: string, attacks: boolean | null, label: string): Arrow => {
  const told = attacks === null ? "" : attacks ? words.map.attacks : words.map.supports;
  return { id, from, to, attacks, label: label || told };
};

/** Boxes that bear on one, once each, even where arguments go round in a circle. */
export function bearing(arrows: readonly Arrow[]): (id: string) => Set<string> {
  const sources = Map.groupBy(arrows, (one) => one.to);
  return (id) => {
    const found = new Set<string>();
    const ahead = [id];
    for (let at = ahead.pop(); at !== undefined; at = ahead.pop())
      for (const { from } of sources.get(at) ?? [])
        if (from !== id && !found.has(from)) {
          found.add(from);
          ahead.push(from);
        }
    return found;
  };
}

const counted = (arrows: readonly Arrow[]) => {
  const under = bearing(arrows);
  return (id: string) => under(id).size;
};

/** Without what bears only on boxes that were folded. */
export function folded(tree: Tree, closed: ReadonlySet<string>): Tree {
  if (!closed.size) return tree;
  const open = tree.arrows.filter((one) => !closed.has(one.to));
  const seen = bearing(open)(MOTION).add(MOTION);
  // What never reached the motion stays, unless something folded holds it.
  const under = bearing(tree.arrows);
  const reached = under(MOTION);
  const hidden = new Set([...closed].flatMap((id) => [...under(id)]));
  const kept = (id: string) =>
    seen.has(id) || (closed.has(id) && !hidden.has(id)) || (!reached.has(id) && !hidden.has(id));
  return {
    boxes: tree.boxes.filter((box) => kept(box.id)),
    arrows: open.filter(({ from, to }) => kept(from) && kept(to)),
  };
}
