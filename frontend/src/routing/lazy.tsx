/** A page whose code is sent for when it is opened, or a moment before. */
import { type ComponentType, useState, lazy as waitedFor } from "react";

export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  let sent: Promise<{ default: ComponentType<P> }> | undefined;
  let there: ComponentType<P> | undefined;
  const preload = async () => {
    sent ??= load();
    const loaded = await sent;
    there = loaded.default;
    return loaded;
  };
  const Waited = waitedFor(preload) as unknown as ComponentType<P>;
  /** What is there is shown at once, without a skeleton; a page that is open does not begin again. */
  // biome-ignore lint/correctness/noComponentHookFactories: once for each page, as React's own
  function Page(props: P) {
    const [Shown] = useState(() => there ?? Waited);
    return <Shown {...props} />;
  }
  return Object.assign(Page, { preload });
}
