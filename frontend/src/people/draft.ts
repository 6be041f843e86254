/** Words that are not sent yet, kept in this browser under the question they answer. */
import { useEffect } from "react";
import { useCurrent } from "../ui/current";

const place = (id: string, key: string) => `hustings.draft ${id} ${key}`;

type Kept<T> = [value: T, change: (value: T) => void, forget: () => void, current: () => T];

export function useKept<T>(id: string, key: string, usual: () => T): Kept<T> {
  const here = place(id, key);
  const [value, change, current] = useCurrent<T>(() => {
    try {
      const kept = localStorage.getItem(here);
      return kept === null ? usual() : (JSON.parse(kept) as T);
    } catch {
      return usual();
    }
  });
  useEffect(() => localStorage.setItem(here, JSON.stringify(value)), [here, value]);
  return [value, change, () => localStorage.removeItem(here), current];
}
