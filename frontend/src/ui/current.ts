/** State that an event reads as it is: what a component closed over is what was painted last. */
import { useRef, useState } from "react";

type Change<T> = (next: T | ((was: T) => T)) => void;

export function useCurrent<T>(initial: T | (() => T)): [value: T, change: Change<T>, current: () => T] {
  const [value, setValue] = useState(initial);
  const kept = useRef(value);
  const change: Change<T> = (next) => {
    kept.current = typeof next === "function" ? (next as (was: T) => T)(kept.current) : next;
    setValue(() => kept.current);
  };
  return [value, change, () => kept.current];
}

/** What stands in a field of a form at this moment. */
export const typed = (form: HTMLFormElement, field: string): string =>
  String(new FormData(form).get(field) ?? "").trim();
