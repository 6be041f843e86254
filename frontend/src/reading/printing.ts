/** Paper needs all of it; the screen needs only what is in view. */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia("print").matches);
  useEffect(() => {
    const media = matchMedia("print");
    // The browser takes the page as it is when this returns.
    const before = () => flushSync(() => setPrinting(true));
    const change = () => setPrinting(media.matches);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", change);
    media.addEventListener("change", change);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", change);
      media.removeEventListener("change", change);
    };
  }, []);
  return printing;
}
