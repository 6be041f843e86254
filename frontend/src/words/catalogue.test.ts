/** Both languages say the same things: the same keys, and the same values in every sentence. */
import { afterEach, expect, test } from "vitest";
import { words as doingDe } from "./de/doing";
import { words as evaluatingDe } from "./de/evaluating";
import { translate } from "./de/index";
import { needed as neededDe } from "./de/needed";
import { words as readingDe } from "./de/reading";
import { goOn as goOnDe, palette as paletteDe } from "./de/runs";
import { own as ownDe } from "./de/settings";
import { starting as startingDe } from "./de/starting";
import { words as verdictDe } from "./de/verdict";
import { words as doing } from "./doing";
import { words as evaluating } from "./evaluating";
import { fixed, money, percent, signed, when } from "./figures";
import { language, speak, wanted } from "./language";
import { needed } from "./needed";
import { words as reading } from "./reading";
import { goOn, palette } from "./runs";
import { own } from "./settings";
import { starting } from "./starting";
import { words as verdict } from "./verdict";

const ENGLISH = { doing, evaluating, reading, goOn, needed, own, palette, starting, verdict };
const GERMAN: typeof ENGLISH = {
  doing: doingDe,
  evaluating: evaluatingDe,
  reading: readingDe,
  goOn: goOnDe,
  needed: neededDe,
  own: ownDe,
  palette: paletteDe,
  starting: startingDe,
  verdict: verdictDe,
} as typeof ENGLISH;

type Sentence = string | ((...values: unknown[]) => string);

function* sentences(of: object, path = ""): Generator<[string, Sentence]> {
  for (const [key, value] of Object.entries(of)) {
    const here = path ? `${path}.${key}` : key;
    if (value && typeof value === "object") yield* sentences(value, here);
    else if (typeof value === "string" || typeof value === "function") yield [here, value as Sentence];
  }
}

const TOLD = [...sentences(ENGLISH)];
const TOLD_DE = new Map(sentences(GERMAN));

/** Values of each kind that a sentence may take; of those that it does not, it makes nothing that is compared. */
const VALUES: ((n: number) => unknown)[] = [
  (n) => `«${n}»`,
  (n) => 2 + n,
  () => 1,
  (n) => [`«${n}»`, `«${n}b»`],
  (n) => ({ [`«${n}»`]: n + 2 }),
];
const MARKS = /«\d+b?»|(?<!\d[.,]?)[2-6](?![.,]?\d)/g;

/** The values that are found in what it says; null if it does not take such. */
function marksIn(sentence: Sentence, value: (n: number) => unknown): string | null {
  if (typeof sentence === "string") return "";
  try {
    const said = sentence(...Array.from({ length: 5 }, (_, n) => value(n)));
    return [...new Set(said.match(MARKS) ?? [])].toSorted().join(" ");
  } catch {
    return null;
  }
}

afterEach(() => {
  localStorage.clear();
});

test("both languages have the same sentences", () => {
  expect([...TOLD_DE.keys()].toSorted()).toEqual(TOLD.map(([key]) => key).toSorted());
});

test("every sentence holds the same values in both languages", () => {
  const differ = TOLD.flatMap(([key, english]) =>
    VALUES.map((value) => [key, marksIn(english, value), marksIn(TOLD_DE.get(key) ?? "", value)]).filter(
      ([, one, other]) => one !== null && other !== null && one !== other,
    ),
  );
  expect(differ).toEqual([]);
});

test.each([
  [["de-AT", "en"], "de"],
  [["fr-FR", "de", "en"], "de"],
  [["en-GB", "de"], "en"],
  [["fr"], "en"],
  [[], "en"],
])("of the languages %j the pages speak %s", (asked, spoken) => {
  Object.defineProperty(navigator, "languages", { value: asked, configurable: true });
  expect(wanted()).toBe(spoken);
});

test("a choice that is kept comes before what the browser asks for", () => {
  Object.defineProperty(navigator, "languages", { value: ["en"], configurable: true });
  localStorage.setItem("hustings.language", "de");
  expect(wanted()).toBe("de");
});

// The last two leave the catalogue in German.
test("parts that a page took before read German afterwards", () => {
  const { heads } = reading.trace;
  translate();
  expect(heads.claim).toBe("These");
});

test.each([
  [104.55, "104.5"],
  [104.55000000000001, "104.5"],
  [4.25, "4.2"],
  [4.75, "4.8"],
  [-4.25, "-4.2"],
  [33.05, "33.0"],
  [7, "7.0"],
])("%d is rounded as the server rounds it", async (value, told) => {
  await speak("en");
  expect(fixed(value, 1)).toBe(told);
});

test("figures and dates are written as the language does", async () => {
  await speak("de");
  expect(language()).toBe("de");
  const plain = [money(0.5), money(0.0123), percent(0.74), fixed(4.25, 1), fixed(null, 1), signed(-2.5)];
  expect(plain.map((told) => told.replace(/\s/g, " "))).toEqual(["0,50 $", "0,0123 $", "74 %", "4,2", "–", "−2,5"]);
  expect(when("2026-11-18T01:00:00")).toContain("18.11.2026");
});
