/** The map as a file of its own: SVG by our own hand, in the colours of paper, and a PNG made of it. */
import { SIGNS, type Side, type Standing } from "../ui/Badge";
import { words } from "../words/reading";
import { type Layout, type Line, type Part, shortened, wrapped } from "./layout";
import type { Box } from "./tree";

const [INK, MUTED] = ["#1f1e1b", "#5f5c55"];
const SIDES: Record<Side, string> = { pro: "#1d4fd7", con: "#b4232a", judge: "#7d5a08", "": MUTED };
const BORDERS: Record<Standing | "none", string> = {
  upheld: 'stroke="#0b6654" stroke-width="2"',
  partially_upheld: 'stroke="#0b6654" stroke-width="1.2"',
  refuted: `stroke="${MUTED}" stroke-width="1.5" stroke-dasharray="8 5"`,
  withdrawn: `stroke="${MUTED}" stroke-width="1.2" stroke-dasharray="12 3"`,
  uncertain: `stroke="${MUTED}" stroke-width="2" stroke-dasharray="0.1 5" stroke-linecap="round"`,
  none: 'stroke="#b9b4a8" stroke-width="1"',
};

export function drawn({ parts, lines, width, height }: Layout, topic: string): string {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="Inter, system-ui, sans-serif">`,
    `<title>${safe(words.map.label)}</title><rect width="100%" height="100%" fill="#ffffff"/>`,
    ...lines.map(lined),
    ...parts.map((part) => boxed(part, topic)),
    "</svg>",
  ].join("\n");
}

/** The head of a claim: its name, how it stands, and how strong it is. */
export function headOf(box: Box): string {
  const standing = box.standing ? `${SIGNS[box.standing]} ${words.standing[box.standing]}` : words.standing.none;
  const strength = box.strength === null ? "" : words.map.strength(box.strength);
  return [box.id, standing, strength].filter(Boolean).join(" · ");
}

function boxed(part: Part, topic: string): string {
  if (part.kind === "motion")
    return box(part, [words.map.motion, topic], { fill: INK, ink: "#ffffff", head: "#ffffff", border: "" });
  if (part.kind === "claim") {
    const look = {
      fill: "#ffffff",
      ink: INK,
      head: SIDES[part.box.side],
      border: BORDERS[part.box.standing ?? "none"],
    };
    return box(part, [headOf(part.box), part.box.text], look, part.box.side);
  }
  if (part.kind === "reply") {
    const { side, text } = part.reply.box;
    const head = `${words.sides[side] || part.reply.box.seat} ${words.map.signs[part.reply.attacks ? "attack" : "support"]} ${part.reply.does}`;
    return box(
      part,
      [head, shortened(text)],
      { fill: "#ffffff", ink: INK, head: SIDES[side], border: BORDERS.none },
      side,
    );
  }
  const told = part.kind === "title" ? part.title : part.kind === "unanswered" ? words.map.unanswered : restOf(part);
  return `<text x="${part.x}" y="${part.y + 17}" font-size="13" fill="${MUTED}">${safe(told)}</text>`;
}

const restOf = (part: Part) =>
  part.kind === "rest" ? words.map.rest(part.count) : part.kind === "more" ? words.map.more(part.count, true) : "";

interface Look {
  fill: string;
  ink: string;
  head: string;
  border: string;
}

function box(part: Part, [head, text]: readonly [string, string], look: Look, side: Side = ""): string {
  const { x, y, width, height } = part;
  const [size, leading] = part.kind === "reply" ? [13, 18] : [14, 20];
  const letters = Math.floor((width - 30) / (size * 0.53));
  const lines = wrapped(text, letters, Math.max(1, Math.floor((height - 32) / leading)));
  const edge = part.column > 2 ? x + width - 5 : x + 1;
  return [
    `<g><title>${safe(`${head}: ${text}`)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${look.fill}" ${look.border}/>`,
    side && `<rect x="${edge}" y="${y + 4}" width="4" height="${height - 8}" fill="${SIDES[side]}"/>`,
    `<text x="${x + 14}" y="${y + 20}" font-size="12" font-weight="600" fill="${look.head}">${safe(wrapped(head, letters + 4, 1)[0] ?? "")}</text>`,
    ...lines.map(
      (line, n) =>
        `<text x="${x + 14}" y="${y + 40 + leading * n}" font-size="${size}" fill="${look.ink}">${safe(line)}</text>`,
    ),
    "</g>",
  ].join("");
}

function lined({ side, path, sign, width }: Line): string {
  const broken = sign && !sign.attacks ? ' stroke-dasharray="6 4"' : "";
  const line = `<path d="${path}" fill="none" stroke="${SIDES[side]}" stroke-width="${width}"${broken}/>`;
  if (!sign) return line;
  const told = words.map.signs[sign.attacks ? "attack" : "support"];
  return `${line}<circle cx="${sign.x}" cy="${sign.y}" r="9" fill="#ffffff" stroke="${SIDES[side]}" stroke-width="1.5"/><text x="${sign.x}" y="${sign.y + 5}" font-size="14" font-weight="700" text-anchor="middle" fill="${SIDES[side]}">${told}</text>`;
}

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
