/** A name for what is asked of the server: asked again because no answer came, it is the same, and is done once. */
import { useRef } from "react";

export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function useKeys(): (asked: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return (asked) => {
    const said = JSON.stringify(asked);
    const key = keys.current.get(said) ?? newKey();
    keys.current.set(said, key);
    return key;
  };
}
