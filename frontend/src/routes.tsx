/** Every address of the app and the page it opens. Pages are loaded when they are opened. */

import { type ComponentType, useEffect } from "react";
import { partFor, sendFor } from "./api";
import {
  createBrowserHistory,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazy,
  useNavigate,
} from "./router";
import { SAMPLES_OUTSIDE } from "./samples/address";
import { SHARED_VIEW } from "./share";
import { Frame } from "./ui/Frame";
import { NotFound } from "./ui/NotFound";
import { NoPage } from "./ui/Said";
import { Skeleton } from "./ui/Skeleton";

const Debate = lazy(() => import("./reading/Debate"));

/** Sent for as soon as a reader goes there, while the debate itself is still on its way. */
function page(load: () => Promise<{ default: ComponentType }>) {
  return { component: lazy(load) };
}

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const debate = createRoute({
  getParentRoute: () => root,
  path: "/debates/$id",
  loader: ({ params: { id = "" }, location }) => {
    void sendFor(id, partFor(id, location));
    return Debate.preload();
  },
  component: function DebatePage() {
    return <Debate id={debate.useParams().id} />;
  },
});
/** One document; a shared file carries no texts. */
function reader() {
  const Reader = lazy(() => import("./reading/Reader"));
  const route = createRoute({
    getParentRoute: () => debate,
    path: "/documents/$document",
    component: function ReaderPage() {
      return <Reader name={route.useParams().document} />;
    },
  });
  return route;
}

const reading = debate.addChildren([
  createRoute({ getParentRoute: () => debate, path: "/", ...page(() => import("./reading/Briefing")) }),
  createRoute({ getParentRoute: () => debate, path: "/transcript", ...page(() => import("./reading/Transcript")) }),
  createRoute({ getParentRoute: () => debate, path: "/trace", ...page(() => import("./reading/Trace")) }),
  createRoute({ getParentRoute: () => debate, path: "/map", ...page(() => import("./reading/MapPage")) }),
  createRoute({ getParentRoute: () => debate, path: "/scores", ...page(() => import("./reading/Scores")) }),
  createRoute({ getParentRoute: () => debate, path: "/replay", ...page(() => import("./reading/Replay")) }),
  createRoute({ getParentRoute: () => debate, path: "/evaluation", ...page(() => import("./evaluation/Evaluation")) }),
  createRoute({ getParentRoute: () => debate, path: "/documents", ...page(() => import("./reading/Documents")) }),
  ...(SHARED ? [] : [reader()]),
]);

/** Pages that need a server; a shared file leaves them out, and its home is its debate. */
function served() {
  const Runs = lazy(() => import("./runs/Runs"));
  const New = lazy(() => import("./start/New"));
  const Samples = lazy(() => import("./samples/Samples"));
  const Enter = lazy(() => import("./people/Enter"));
  const Seat = lazy(() => import("./people/Seat"));
  const Judge = lazy(() => import("./people/Judge"));
  const Compare = lazy(() => import("./compare/Compare"));
  const Stability = lazy(() => import("./compare/Stability"));
  const Stats = lazy(() => import("./stats/Stats"));
  const Gallery = lazy(() => import("./gallery/Gallery"));
  const Costs = lazy(() => import("./own/Costs"));
  const Settings = lazy(() => import("./own/Settings"));
  const Doctor = lazy(() => import("./own/Doctor"));
  const seat = createRoute({
    getParentRoute: () => root,
    path: "/debates/$id/seat/$seat",
    component: function SeatPage() {
      return <Seat {...seat.useParams()} />;
    },
  });
  const seats = createRoute({
    getParentRoute: () => root,
    path: "/debates/$id/seats/$seat",
    component: function SeatPage() {
      return <Seat {...seats.useParams()} />;
    },
  });
  const judge = createRoute({
    getParentRoute: () => root,
    path: "/debates/$id/judge",
    component: function JudgePage() {
      return <Judge id={judge.useParams().id} />;
    },
  });
  const compare = createRoute({
    getParentRoute: () => root,
    path: "/compare",
    validateSearch: (search) => ({ first: String(search.first ?? ""), second: String(search.second ?? "") }),
    component: function ComparePage() {
      return <Compare {...compare.useSearch()} />;
    },
  });
  const stability = createRoute({
    getParentRoute: () => root,
    path: "/stability",
    validateSearch: (search) => ({ run: [search.run ?? []].flat().map(String) }),
    component: function StabilityPage() {
      return <Stability runs={stability.useSearch().run} />;
    },
  });
  const stats = createRoute({
    getParentRoute: () => root,
    path: "/stats",
    validateSearch: (search) => ({ by: String(search.by ?? ""), since: String(search.since ?? "") }),
    component: function StatsPage() {
      return <Stats {...stats.useSearch()} />;
    },
  });
  const costs = createRoute({
    getParentRoute: () => root,
    path: "/costs",
    validateSearch: (search) => ({ since: String(search.since ?? "") }),
    component: function CostsPage() {
      return <Costs {...costs.useSearch()} />;
    },
  });
  return [
    createRoute({ getParentRoute: () => root, path: "/", component: Runs }),
    createRoute({ getParentRoute: () => root, path: "/new", component: New }),
    createRoute({ getParentRoute: () => root, path: "/samples", component: Samples }),
    createRoute({ getParentRoute: () => root, path: "/enter", component: Enter }),
    createRoute({ getParentRoute: () => root, path: "/gallery", component: Gallery }),
    seat,
    seats,
    judge,
    compare,
    stability,
    stats,
    costs,
    createRoute({ getParentRoute: () => root, path: "/settings", component: Settings }),
    createRoute({ getParentRoute: () => root, path: "/doctor", component: Doctor }),
  ];
}

/** A shared file has one debate, and opens it. */
function Home() {
  const navigate = useNavigate();
  useEffect(() => {
    if (SHARED_VIEW) void navigate({ to: "/debates/$id", params: { id: SHARED_VIEW.run_id }, replace: true });
  }, [navigate]);
  return null;
}

export const router = createRouter({
  routeTree: root.addChildren([
    reading,
    ...(SHARED ? [createRoute({ getParentRoute: () => root, path: "/", component: Home })] : served()),
  ]),
  history: SHARED ? createHashHistory() : createBrowserHistory(),
  ...(SHARED ? {} : { rewrite: SAMPLES_OUTSIDE }),
  scrollRestoration: true,
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: ({ error }) => <NoPage error={error} again={() => location.reload()} />,
});
