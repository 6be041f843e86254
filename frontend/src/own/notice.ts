/** Notifications of this browser for a person whose turn it is. They come from an open tab; no service is asked. */
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { needed as w } from "../words/needed";

const possible = () => "Notification" in globalThis;

export type Allowed = NotificationPermission | "impossible";

const listeners = new Set<() => void>();
const told = (): Allowed => (possible() ? Notification.permission : "impossible");

/** Whether notifications may be shown, and the way to ask; the browser is asked on a press alone. */
export function useAllowed(): [Allowed, () => Promise<void>] {
  const allowed = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    told,
    told,
  );
  const ask = async () => {
    await Notification.requestPermission();
    for (const changed of listeners) changed();
  };
  return [allowed, ask];
}

/** A question that waits for a person. */
export interface Waiting {
  /** The same question has the same key in every tab. */
  key: string;
  topic: string;
  go: () => void;
}

/** Notifies once of each question, and only a person who looks elsewhere. Tabs share the tag, so that one is shown. */
export function useNotices(waiting: readonly Waiting[]) {
  const seen = useRef(new Set<string>());
  const keys = waiting.map((one) => one.key).join(" ");
  const tell = useEffectEvent(() => {
    for (const { key, topic, go } of waiting) {
      if (seen.current.has(key)) continue;
      seen.current.add(key);
      if (told() !== "granted" || document.hasFocus()) continue;
      const notice = new Notification(w.title, { body: topic, tag: key });
      notice.onclick = () => {
        window.focus();
        notice.close();
        go();
      };
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another question
  useEffect(() => tell(), [keys]);
}

/** `(1) …` before the title of every page, as long as a debate waits. */
export function useBadge(many: number) {
  useEffect(() => {
    if (!many) return;
    const mark = () => {
      const wanted = w.badge(many) + document.title.replace(/^\(\d+\) /, "");
      if (document.title !== wanted) document.title = wanted;
    };
    mark();
    const watch = new MutationObserver(mark);
    watch.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      watch.disconnect();
      document.title = document.title.replace(/^\(\d+\) /, "");
    };
  }, [many]);
}
