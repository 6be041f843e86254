import { mkdir, readFile, writeFile } from "node:fs/promises";
import subset from "subset-font";
import type { Plugin } from "vite";

const WHOLE = new URL("node_modules/@fontsource-variable/inter/files/", import.meta.url);
const MADE = new URL("node_modules/.fonts/", import.meta.url);
/** As `unicode-range` in src/app.css says: English, German, French, Spanish and their neighbours; all else is in latin-ext. */
const LATIN = ["\u0020-\u007e", "\u00a0-\u00ff", "\u2000-\u206f", ..."ıŒœʻʼˆ˚˜\u0304\u0308\u0329€™↑↓−∕\ufeff\ufffd"];
const OPTIONS = {
  targetFormat: "woff2",
  /** The lightest and the heaviest weight of the pages. */
  variationAxes: { wght: { min: 400, max: 700 } },
  /** Kerning, figures of one width, signs on letters, and what depends on neighbours; no other shapes of letters. */
  keepFeatures: ["kern", "tnum", "calt", "ccmp", "locl", "mark", "mkmk"],
  /** Whose font it is, and its licence. */
  preserveNameIds: [0, 13, 14],
};

/** Writes Inter as far as the pages use it, before the style sheet asks for it: half the bytes of the whole. */
export function fonts(): Plugin {
  return {
    name: "fonts",
    async buildStart() {
      await mkdir(MADE, { recursive: true });
      const whole = (part: string) => readFile(new URL(`inter-${part}-wght-normal.woff2`, WHOLE));
      const latin = await subset(await whole("latin"), LATIN.map(letters).join(""), OPTIONS);
      const others = await subset(await whole("latin-ext"), "", { ...OPTIONS, keepAllGlyphs: true });
      await writeFile(new URL("inter-latin.woff2", MADE), latin);
      await writeFile(new URL("inter-latin-ext.woff2", MADE), others);
    },
  };
}

/** `a-c` is a, b and c; a letter alone is itself. */
function letters(range: string): string {
  const [first = 0, , last = first] = [...range].map((letter) => letter.codePointAt(0) ?? 0);
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, n) => first + n));
}
