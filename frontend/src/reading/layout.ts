/** Where the boxes of a map stand: the motion on the left, what bears on it to the right, nothing over anything. */
import dagre from "@dagrejs/dagre";
import type { Box, Tree } from "./tree";

export const BOX_WIDTH = 248;
const HEAD = 24;
const LINE = 17;
const PAD = 26;
export const LINES = 4;
const LETTERS = 31;

export interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  at: ReadonlyMap<string, Placed>;
  width: number;
  height: number;
}

export function laidOut(tree: Tree): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph
    .setGraph({ rankdir: "RL", nodesep: 18, ranksep: 110, marginx: 12, marginy: 12 })
    .setDefaultEdgeLabel(() => ({}));
  // Under names of our own: the library keeps them in plain objects, where `constructor` is not free.
  const names = new Map(tree.boxes.map((box, n) => [box.id, `${n}`]));
  const named = (id: string) => names.get(id) ?? id;
  for (const box of tree.boxes) graph.setNode(named(box.id), { width: BOX_WIDTH, height: heightOf(box) });
  for (const one of tree.arrows) graph.setEdge(named(one.from), named(one.to), {}, one.id);
  dagre.layout(graph);
  const at = new Map(
    tree.boxes.map((box) => {
      const { x, y, width, height } = graph.node(named(box.id)) as Placed;
      return [box.id, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );
  const all = [...at.values()];
  return {
    at,
    width: Math.max(0, ...all.map((box) => box.x + box.width)) + 12,
    height: Math.max(0, ...all.map((box) => box.y + box.height)) + 12,
  };
}

const heightOf = (box: Box) => PAD + HEAD + LINE * wrapped(box.text).length;

/** In a few lines; an ellipsis says that it goes on. */
export function wrapped(text: string, letters = LETTERS, most = LINES): string[] {
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
