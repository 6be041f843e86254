/** Words that are not sent yet, kept in this browser under the question they answer. */
import { useEffect, useState } from "react";

const place = (id: string, key: string) => `hustings.draft ${id} ${key}`;

export function useKept<T>(id: string, key: string, usual: () => T): [T, (value: T) => void, () => void] {
  const here = place(id, key);
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = localStorage.getItem(here);
      return kept === null ? usual() : (JSON.parse(kept) as T);
    } catch {
      return usual();
    }
  });
  useEffect(() => localStorage.setItem(here, JSON.stringify(value)), [here, value]);
  return [value, setValue, () => localStorage.removeItem(here)];
}
