/** Leads to what a hash names, once it is on the page; by keyboard one goes on from there. */
import { useEffect } from "react";

export function useLed(name: string, ready: boolean) {
  useEffect(() => {
    const found = ready && name ? document.getElementById(name) : null;
    found?.scrollIntoView({ block: "center" });
    if (found?.tabIndex === -1) found.focus({ preventScroll: true });
  }, [name, ready]);
}
