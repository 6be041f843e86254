/** Whether the window is as narrow as a phone, now and when it changes. */
import { useSyncExternalStore } from "react";

const phone = () => matchMedia("(max-width: 47.99rem)");

function watch(tell: () => void) {
  const found = phone();
  found.addEventListener("change", tell);
  return () => found.removeEventListener("change", tell);
}

export const useNarrow = () => useSyncExternalStore(watch, () => phone().matches);
