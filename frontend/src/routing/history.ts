/** Where the address of the app is kept: the address bar, what follows `#` in it, or memory for tests. */

export interface History {
  read: () => string;
  write: (address: string, replace: boolean) => void;
  /** Told when the reader goes back or forth. */
  listen: (tell: () => void) => void;
  /** What a link to an address says. */
  href: (address: string) => string;
  /** The name of the entry; going back to it finds the same one. */
  entry: () => string;
}

const inWindow = (read: History["read"], href: History["href"]): History => ({
  read,
  href,
  write: (address, replace) => {
    const state = { entry: replace ? entry() : `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}` };
    history[replace ? "replaceState" : "pushState"](state, "", href(address));
  },
  listen: (tell) => addEventListener("popstate", tell),
  entry,
});

const entry = (): string => (history.state as { entry?: string } | null)?.entry ?? "";

export const createBrowserHistory = () =>
  inWindow(
    () => location.pathname + location.search + location.hash,
    (address) => address,
  );

/** For a file on disk: `#/debates/a-1#r1.t0`. */
export const createHashHistory = () =>
  inWindow(
    () => location.hash.slice(1) || "/",
    (address) => `#${address}`,
  );

export function createMemoryHistory({ initialEntries = ["/"] } = {}): History {
  let now = initialEntries[0] ?? "/";
  return {
    read: () => now,
    write: (address) => {
      now = address;
    },
    listen: () => undefined,
    href: (address) => address,
    entry: () => "",
  };
}
