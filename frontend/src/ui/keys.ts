/** Single keys for reading without a mouse; off while a person types. */
import { useEffect, useEffectEvent, useRef } from "react";

export type Keys = Record<string, (event: KeyboardEvent) => void>;

export function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Space and Enter belong to what has the focus. */
const pressing = ({ key, target }: KeyboardEvent) =>
  (key === " " || key === "Enter") && target instanceof Element && target.closest("button, a, summary") !== null;

/** `{ j: next, k: previous, "g t": transcript }`; two keys are pressed one after the other. */
export function useKeys(keys: Keys): void {
  const before = useRef("");
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (pressing(event) || typing(event.target) || document.querySelector("dialog[open]")) return;
    const does = keys[`${before.current} ${event.key}`] ?? keys[event.key];
    before.current = event.key;
    if (!does) return;
    event.preventDefault();
    does(event);
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
