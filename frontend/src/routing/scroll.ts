/** How far down the reader was on each page, found again by going back to it or loading it anew. */
import type { History } from "./history";

const KEPT = "hustings.scroll";
/** What a page shows comes a moment after the page. */
const LONGEST_MS = 500;

export function scrollKept({ entry }: History) {
  window.history.scrollRestoration = "manual";
  const kept = stored();
  let here = entry();
  const leave = () => {
    kept[here] = scrollY;
  };
  addEventListener("pagehide", () => {
    leave();
    store(kept);
  });
  if (!location.hash) reach(kept[here] ?? 0);
  return {
    leave,
    /** A page is open now: where the reader was on it, or at its top; `stay` leaves all as it is. */
    arrive: (way: "back" | "top" | "stay") => {
      here = entry();
      if (way === "top") scrollTo(0, 0);
      if (way === "back") reach(kept[here] ?? 0);
    },
  };
}

function reach(top: number, until = performance.now() + LONGEST_MS) {
  requestAnimationFrame(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) > 1 && performance.now() < until) reach(top, until);
  });
}

function stored(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

function store(kept: Record<string, number>) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // A reader who allows no storage begins at the top.
  }
}
