/** What the tab of the browser says while a page is open. */
import { useLayoutEffect } from "react";
import { words } from "../words/reading";

export function Title({ children }: { children: string }) {
  useLayoutEffect(() => {
    document.title = children;
    return () => {
      document.title = words.product;
    };
  }, [children]);
  return null;
}
