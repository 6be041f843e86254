/** Which page an address opens, and the links between pages. */
import {
  type AnchorHTMLAttributes,
  Component,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useContext,
  useSyncExternalStore,
} from "react";
import { addressOf, decoded, type Place, placeOf, type Rewrite, type Search, type Target } from "./routing/address";
import type { History } from "./routing/history";
import { scrollKept } from "./routing/scroll";

export { createBrowserHistory, createHashHistory, createMemoryHistory } from "./routing/history";
export { lazy } from "./routing/lazy";

type Params = Record<string, string>;
type Page = ComponentType & { preload?: () => Promise<unknown> };

interface Options {
  component?: Page;
  /** Sends for what the page needs. */
  loader?: (here: Omit<Here, "chain">) => unknown;
  notFoundComponent?: ComponentType;
}

interface Below<S> extends Options {
  getParentRoute: () => AnyRoute;
  path: string;
  validateSearch?: (search: Search) => S;
}

// biome-ignore lint/suspicious/noExplicitAny: a parent takes children of every path and search
type AnyRoute = Route<any, any>;

/** What stands after `$` in a path. */
type Named<P extends string> = P extends `${infer First}/${infer Rest}`
  ? Named<First> & Named<Rest>
  : P extends `$${infer Name}`
    ? { [key in Name]: string }
    : unknown;

class Route<P extends string, S> {
  readonly options: Options & Partial<Below<S>>;
  children: readonly AnyRoute[] = [];
  constructor(options: Options & Partial<Below<S>>) {
    this.options = options;
  }
  addChildren(children: readonly AnyRoute[]): this {
    this.children = children;
    return this;
  }
  useParams = () => useRouting().here.params as Named<P>;
  useSearch = (): S => {
    const { search } = useRouting().here.location;
    return this.options.validateSearch ? this.options.validateSearch(search) : (search as S);
  };
}

export const createRootRoute = (options: Options = {}) => new Route<"/", Search>(options);
export const createRoute = <const P extends string, S = Search>(options: Below<S> & { path: P }) =>
  new Route<P, S>(options);

const split = (path: string) => path.split("/").filter(Boolean);

/** The first route that fits: its parents and itself, and what its path names. */
function matched(routes: readonly AnyRoute[], parts: readonly string[]): Omit<Here, "location"> | null {
  for (const route of routes) {
    const path = split(route.options.path ?? "");
    const fits = path.every((name, n) => (name.startsWith("$") ? parts[n] : name === parts[n]));
    const rest = parts.slice(path.length);
    const below = route.children.length ? matched(route.children, rest) : { chain: [], params: {} };
    if (!fits || !below || (!route.children.length && rest.length)) continue;
    const named = path.flatMap((name, n) => (name.startsWith("$") ? [[name.slice(1), decoded(parts[n] ?? "")]] : []));
    return { chain: [route, ...below.chain], params: { ...Object.fromEntries(named), ...below.params } };
  }
  return null;
}

interface Here {
  location: Place;
  params: Params;
  /** From the root to the page; the root alone where there is no page. */
  chain: readonly AnyRoute[];
}

interface RouterOptions {
  routeTree: AnyRoute;
  history: History;
  rewrite?: Rewrite;
  scrollRestoration?: boolean;
  defaultErrorComponent?: ComponentType<{ error: unknown }>;
  defaultPendingComponent?: ComponentType;
}

/** How long the page before stays while the next one is on its way. */
const PATIENCE_MS = 1_000;

export function createRouter({ routeTree, history, rewrite, scrollRestoration, ...looks }: RouterOptions) {
  const scroll = scrollRestoration ? scrollKept(history) : null;
  const listeners = new Set<() => void>();
  const look = (): Here => {
    const location = placeOf(history.read(), rewrite);
    return { location, ...(matched([routeTree], split(location.pathname)) ?? { chain: [routeTree], params: {} }) };
  };
  let here = look();
  const load = async (at: Here = here) => {
    const sent = at.chain.map(({ options }) => (options.loader ?? options.component?.preload)?.(at));
    await Promise.race([Promise.allSettled(sent), new Promise((late) => setTimeout(late, PATIENCE_MS))]);
  };
  void load();
  let latest = here;
  const arrive = async (way: "back" | "top" | "stay") => {
    const next = look();
    latest = next;
    if (next.location.pathname !== here.location.pathname) await load(next);
    if (latest !== next) return;
    here = next;
    for (const tell of listeners) tell();
    // The pages lead to turns and arguments themselves: what a hash names may not be drawn yet.
    scroll?.arrive(next.location.hash ? "stay" : way);
  };
  history.listen(() => {
    scroll?.leave();
    void arrive("back");
  });
  const aim = (target: Target) => addressOf(target, here.location, rewrite);
  return {
    ...looks,
    notFound: routeTree.options.notFoundComponent,
    load,
    matches: (pathname: string) => matched([routeTree], split(pathname)) !== null,
    href: (target: Target) => history.href(aim(target)),
    /** Where a target leads, as seen from inside. */
    place: (target: Target) => placeOf(aim(target), rewrite),
    navigate: ({ replace = false, resetScroll = true, ...target }: Going) => {
      const address = aim(target);
      scroll?.leave();
      history.write(address, replace || address === history.read());
      return arrive(resetScroll ? "top" : "stay");
    },
    state: () => here,
    subscribe: (tell: () => void) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
}

type Router = ReturnType<typeof createRouter>;

interface Going extends Target {
  replace?: boolean;
  resetScroll?: boolean;
}

/** A path with names comes with all of them. */
type Aimed<P extends string> = Going & { to?: P } & (unknown extends Named<P> ? unknown : { params: Named<P> });

const Routing = createContext<{ router: Router; here: Here } | null>(null);
const Depth = createContext(0);

function useRouting() {
  const routing = useContext(Routing);
  if (!routing) throw new Error("A link or page stands outside of RouterProvider.");
  return routing;
}

export function RouterProvider({ router }: { router: Router }) {
  const here = useSyncExternalStore(router.subscribe, router.state);
  return (
    <Routing value={{ router, here }}>
      <Outlet />
    </Routing>
  );
}

/** Where the page of the next part of the address stands. */
export function Outlet() {
  const { router, here } = useRouting();
  const depth = useContext(Depth);
  const route = here.chain[depth];
  const Page = route ? (route.options.component ?? Outlet) : depth === 1 ? router.notFound : undefined;
  const Pending = router.defaultPendingComponent;
  if (!Page) return null;
  return (
    <Depth value={depth + 1}>
      <Caught at={here.location.pathname} Failed={router.defaultErrorComponent}>
        <Suspense fallback={Pending && <Pending />}>
          <Page />
        </Suspense>
      </Caught>
    </Depth>
  );
}

interface Watched {
  /** A fault is over when the reader goes somewhere else. */
  at: string;
  Failed: RouterOptions["defaultErrorComponent"];
  children: ReactNode;
}

class Caught extends Component<Watched, { at: string; fault: { error: unknown } | null }> {
  override state = { at: this.props.at, fault: null as { error: unknown } | null };
  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } };
  }
  static getDerivedStateFromProps({ at }: Watched, state: { at: string }) {
    return at === state.at ? null : { at, fault: null };
  }
  override render() {
    const { Failed, children } = this.props;
    if (!this.state.fault) return children;
    if (!Failed) throw this.state.fault.error;
    return <Failed error={this.state.fault.error} />;
  }
}

export const useNavigate = (): (<const P extends string>(going: Aimed<P>) => Promise<void>) =>
  useRouting().router.navigate;
export const useLocation = (): Place => useRouting().here.location;
export const useParams = (_: { strict: false }): Partial<Params> => useRouting().here.params;
export const useSearch = (_: { strict: false }): Search => useLocation().search;
export const useRouterState = <T,>({ select }: { select: (state: Here) => T }): T => select(useRouting().here);

type LinkProps<P extends string> = Aimed<P> & {
  /** Whether pages under it are not it. */
  activeOptions?: { exact?: boolean };
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">;

/** The link to where the reader is has the class `active`. */
export function Link<const P extends string>(props: LinkProps<P>) {
  const { to, params, search, hash, replace, resetScroll, activeOptions, className, onClick, ...rest } =
    props as LinkProps<string>;
  const { router, here } = useRouting();
  const target = { to, params, search, hash } as Target;
  const active = isOpen(router.place(target), here.location, activeOptions?.exact ?? true);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button || rest.target;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    void router.navigate({ ...target, replace, resetScroll } as Going);
  };
  return (
    <a
      {...(active ? { "aria-current": "page" } : {})}
      {...rest}
      className={[className, active && "active"].filter(Boolean).join(" ") || undefined}
      href={router.href(target)}
      onClick={follow}
    />
  );
}

function isOpen(target: Place, here: Place, exact: boolean): boolean {
  if (target.hash && target.hash !== here.hash) return false;
  if (Object.entries(target.search).some(([name, value]) => String(value) !== String(here.search[name]))) return false;
  return here.pathname === target.pathname || (!exact && here.pathname.startsWith(`${target.pathname}/`));
}
