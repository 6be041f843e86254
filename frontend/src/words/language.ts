/** Which language the pages speak, and how a catalogue in another language takes the place of the English one. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const LOAD: Record<Exclude<Language, "en">, () => Promise<{ translate: () => void }>> = { de: () => import("./de") };
const KEPT = "hustings.language";

/** A catalogue with the same keys; sentences with values take the same values. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer V) => infer R
    ? (...values: V) => Translated<R>
    : T extends object
      ? { [K in keyof T]: Translated<T[K]> }
      : T;

/** The language of the page as it is now. */
export const language = (): string => document.documentElement.lang || "en";

/** The choice kept in this browser, else the first language of the browser that we have, else English. */
export function wanted(): Language {
  for (const code of [kept(), ...navigator.languages]) {
    const plain = code.toLowerCase().split("-")[0] ?? "";
    if (plain in LANGUAGES) return plain as Language;
  }
  return "en";
}

/** Before the first page is drawn: pages read their words while they are drawn, never while they are loaded. */
export async function speak(chosen = wanted()): Promise<void> {
  if (chosen !== "en") {
    try {
      (await LOAD[chosen]()).translate();
    } catch {
      return; // The server has gone: English is here already.
    }
  }
  document.documentElement.lang = chosen;
}

export function choose(chosen: Language): void {
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // A page from disk may have no storage.
  }
  location.reload();
}

/** Puts every sentence in the place of the English one, so that all who hold a part of the catalogue read it. */
export function replace<T extends object>(english: T, by: Translated<T>): void {
  for (const [key, value] of Object.entries(by)) {
    const before: unknown = Reflect.get(english, key);
    if (typeof value === "object" && value && typeof before === "object" && before) replace(before, value);
    else Reflect.set(english, key, value);
  }
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
