/** The map as a file of its own: SVG by our own hand, in the colours of paper, and a PNG made of it. */
import { SIGNS, type Standing } from "../ui/Badge";
import { words } from "../words/reading";
import { laidOut, type Placed, wrapped } from "./layout";
import type { Arrow, Box, Tree } from "./tree";

const INK = "#1f1e1b";
const SIDES = { pro: "#1d4fd7", con: "#b4232a", judge: "#85600a", "": "#5f5c55" };
const BORDERS: Record<Standing | "none", string> = {
  upheld: 'stroke="#0b6654" stroke-width="3"',
  partially_upheld: 'stroke="#0b6654" stroke-width="1.2"',
  refuted: 'stroke="#5f5c55" stroke-width="2" stroke-dasharray="8 5"',
  withdrawn: 'stroke="#5f5c55" stroke-width="1.6" stroke-dasharray="12 3"',
  uncertain: 'stroke="#5f5c55" stroke-width="2.4" stroke-dasharray="0.1 5" stroke-linecap="round"',
  none: 'stroke="#b9b4a8" stroke-width="1"',
};

export function drawn(tree: Tree): string {
  const { at, width, height } = laidOut(tree);
  const boxes = tree.boxes.map((box) => boxed(box, at.get(box.id)));
  const lines = tree.arrows.map((one) => lined(one, at.get(one.from), at.get(one.to)));
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="Inter, system-ui, sans-serif">`,
    `<title>${safe(words.map.label)}</title><rect width="100%" height="100%" fill="#ffffff"/>`,
    TIPS,
    ...lines,
    ...boxes,
    "</svg>",
  ].join("\n");
}

/** The head of a box: how it stands, its name, and whose it is. */
export function headOf(box: Box): string {
  if (box.kind === "motion") return words.map.motion;
  if (box.kind === "reply") return [box.deed, box.seat].join(" · ");
  const standing = box.standing ? `${SIGNS[box.standing]} ${words.standing[box.standing]}` : words.standing.none;
  return [standing, box.id, box.seat].join(" · ");
}

/** A box in a word or two, a line each, for those who look from afar. */
export function farOf(box: Box): string[] {
  if (box.kind === "motion") return [words.map.motion];
  if (box.kind === "reply") return box.deed.split(" ");
  return [box.standing ? `${SIGNS[box.standing]} ${box.id}` : box.id];
}

function boxed(box: Box, place: Placed | undefined): string {
  if (!place) return "";
  const { x, y, width, height } = place;
  const border = BORDERS[box.standing ?? "none"];
  const lines = wrapped(box.text).map(
    (line, n) => `<text x="${x + 14}" y="${y + 46 + 17 * n}" font-size="13" fill="${INK}">${safe(line)}</text>`,
  );
  const word = words.sides[box.side];
  const head = wrapped([word, headOf(box)].filter(Boolean).join(" · "), 40, 1)[0] ?? "";
  return [
    `<g><title>${safe(`${headOf(box)}: ${box.text}`)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="#ffffff" ${border}/>`,
    box.side &&
      `<rect x="${box.side === "con" ? x + width - 5 : x + 1}" y="${y + 6}" width="4" height="${height - 12}" fill="${SIDES[box.side]}"/>`,
    `<text x="${x + 14}" y="${y + 24}" font-size="10.5" font-weight="600" fill="${SIDES[box.side]}">${safe(head)}</text>`,
    ...lines,
    "</g>",
  ].join("");
}

function lined(one: Arrow, from: Placed | undefined, to: Placed | undefined): string {
  if (!from || !to) return "";
  const [x1, y1, x2, y2] = [from.x, from.y + from.height / 2, to.x + to.width, to.y + to.height / 2].map(
    Math.round,
  ) as [number, number, number, number];
  const bend = Math.max(30, Math.abs(x1 - x2) / 2);
  const broken = one.attacks === false ? ' stroke-dasharray="6 4"' : "";
  const tip = one.attacks === false ? "support" : "attack";
  const told = one.label
    ? `<text x="${(x1 + x2) / 2}" y="${(y1 + y2) / 2 - 4}" font-size="10.5" text-anchor="middle" fill="#5f5c55">${safe(one.label)}</text>`
    : "";
  return `<path d="M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2 + 2} ${y2}" fill="none" stroke="#5f5c55"${broken} marker-end="url(#${tip})"/>${told}`;
}

const TIPS =
  '<defs><marker id="attack" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L10 5L0 10Z" fill="#5f5c55"/></marker>' +
  '<marker id="support" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 1L9 5L0 9" fill="none" stroke="#5f5c55"/></marker></defs>';

const SPELLED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
/** Letters that XML has no place for are left out. */
const UNFIT = /[^\t\n\r\P{Cc}]|\p{Cs}|[\ufffe\uffff]/gu;

export const safe = (text: string) => text.replace(UNFIT, "").replace(/[&<>"']/g, (sign) => SPELLED[sign] ?? "");

// -- to a file ---------------------------------------------------------------------------

export function saved(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const asSvg = (svg: string) => new Blob([svg], { type: "image/svg+xml" });

/** Twice as large, so that it can be printed; less where a canvas could not hold it. */
export async function asPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, MOST_PIXELS / Math.max(image.width, image.height));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(image.width * scale),
    height: Math.round(image.height * scale),
  });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error(words.map.tooLarge))), "image/png"),
  );
}

const MOST_PIXELS = 16_000;
