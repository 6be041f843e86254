/** A name for what is asked of the server: asked again because no answer came, it is the same, and is done once. */
import { useMemo } from "react";

export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function useKey(body: unknown): string {
  const said = JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request has another key
  return useMemo(newKey, [said]);
}
