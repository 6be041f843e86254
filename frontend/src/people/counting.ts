/** Words as the server counts them: `don't`, `well-known` and `3.5` are one each, punctuation counts as none. */

const INSIDE = /[\p{L}\p{N}]/u;
const MARK = /\p{M}|\u00ad|\u200c|\u200d|\u2060/u;
const DIGIT = /\p{Nd}/u;
const JOINS_LETTERS = "'’-‐‑_·";
const JOINS_DIGITS = ".,:";

/** First and last sign of scripts without spaces, and how many of their letters make a word. */
const UNSPACED: readonly (readonly [number, number, number])[] = [
  [0x0e00, 0x0e7f, 4],
  [0x0e80, 0x0eff, 4],
  [0x1000, 0x109f, 4],
  [0x1780, 0x17ff, 4],
  [0x3005, 0x3007, 1],
  [0x3040, 0x30ff, 2],
  [0x31f0, 0x31ff, 2],
  [0x3400, 0x4dbf, 1],
  [0x4e00, 0x9fff, 1],
  [0xa9e0, 0xa9ff, 4],
  [0xaa60, 0xaa7f, 4],
  [0xf900, 0xfaff, 1],
  [0xff66, 0xff9f, 2],
  [0x20000, 0x3ffff, 1],
];

export function countWords(text: string): number {
  const signs = [...text];
  let run: number | null = null;
  let letters = 0;
  let found = 0;
  signs.forEach((sign, place) => {
    if (!INSIDE.test(sign)) {
      if (!MARK.test(sign) && !joins(signs, place)) run = null;
      return;
    }
    const perWord = lettersPerWord(sign.codePointAt(0) ?? 0);
    if (perWord !== run) {
      run = perWord;
      letters = 0;
    }
    if (letters % perWord === 0) found += 1;
    letters += 1;
  });
  return found;
}

function joins(signs: readonly string[], place: number): boolean {
  const sign = signs[place] ?? "";
  const around = [signs[place - 1] ?? "", signs[place + 1] ?? ""];
  if (JOINS_DIGITS.includes(sign)) return around.every((one) => DIGIT.test(one));
  return JOINS_LETTERS.includes(sign) && around.every((one) => INSIDE.test(one) || MARK.test(one));
}

function lettersPerWord(code: number): number {
  return UNSPACED.find(([first, last]) => first <= code && code <= last)?.[2] ?? Number.POSITIVE_INFINITY;
}
