/** Around every page of one debate: its motion, how it ended, and the ways to read it. */

import { lazy, Suspense, useEffect } from "react";
import {
  client,
  partFor,
  type RunSummary,
  type State,
  useAbout,
  useDebateState,
  usePart,
  useView,
  type View,
} from "../api";
import { Outlet, useNavigate, useRouterState } from "../router";
import { sampleNamed } from "../samples/address";
import { Button } from "../ui/Button";
import { useKeys } from "../ui/keys";
import { Empty, NoPage } from "../ui/Said";
import { Skeleton } from "../ui/Skeleton";
import { Spoken } from "../ui/spoken";
import { Tabs } from "../ui/Tabs";
import { Title } from "../ui/Title";
import { day } from "../words/figures";
import { words } from "../words/reading";
import { Doings } from "./Doings";
import { DebateContext, JudgingContext } from "./open";
import { Fold } from "./parts";
import { readOnly } from "./readOnly";

const Live = SHARED ? null : lazy(() => import("../live/Live"));
const SampleNote = SHARED ? null : lazy(() => import("../samples/SampleNote"));

const VIEWS = ["", "map", "trace", "transcript", "documents", "scores", "replay", "evaluation"] as const;
const LABELS = {
  "": "verdict",
  map: "map",
  trace: "trace",
  transcript: "transcript",
  documents: "documents",
  scores: "scores",
  replay: "replay",
  evaluation: "evaluation",
} as const;
const GO = {
  v: "",
  m: "map",
  a: "trace",
  t: "transcript",
  d: "documents",
  s: "scores",
  r: "replay",
  e: "evaluation",
} as const;

export default function Debate({ id }: { id: string }) {
  const state = useDebateState(id);
  const { viewable = false, large = false } = state.data ?? {};
  const part = useRouterState({ select: ({ location }) => partFor(id, location) });
  const first = usePart(id, viewable && large ? part : null);
  // One after the other: both at once would take the same time for each.
  const view = useView(id, viewable && !first.isLoading);
  useJudgingWatched(id, state.data);
  const shown = view.data ?? first.data;
  if (shown) return <Pages view={shown} state={state.data} />;
  if (state.error || view.error)
    return <NoPage error={state.error ?? view.error} again={() => void (state.error ? state : view).refetch()} />;
  if (state.data && !state.data.viewable) return <Running id={id} />;
  return <Skeleton shape="verdict" />;
}

/** While what follows a debate is under way, look again: the view will have more in it. */
function useJudgingWatched(id: string, state: State | undefined) {
  const waiting = state?.viewable && state.follows.some(underWay);
  useEffect(() => {
    if (!waiting) return;
    const look = () =>
      void client.invalidateQueries({
        predicate: ({ queryKey: [what, of] }) => (what === "state" || what === "view") && of === id,
      });
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [id, waiting]);
}

const LOOK_AGAIN = 3_000;
const underWay = (run: RunSummary) => run.state === "waiting" || run.state === "running";

function Running({ id }: { id: string }) {
  const navigate = useNavigate();
  const first = useRouterState({ select: ({ location }) => partFor(id, location) === "verdict" });
  if (Live && first) return <Live id={id} />;
  return (
    <Empty title={<h1 className="text-lg">{words.debate.stillRunning}</h1>}>
      <p className="mb-5">{words.debate.stillWhy}</p>
      <Button look="main" onClick={() => void navigate({ to: "/debates/$id", params: { id } })}>
        {words.debate.watch}
      </Button>
    </Empty>
  );
}

function Pages({ view, state }: { view: View; state: State | undefined }) {
  const navigate = useNavigate();
  const base = `/debates/${encodeURIComponent(view.run_id)}`;
  const go = (page: string) => () => void navigate({ to: page ? `${base}/${page}` : base });
  useKeys(Object.fromEntries(Object.entries(GO).map(([key, page]) => [`g ${key}`, go(page)])));
  const path = useRouterState({ select: (router) => router.location.pathname });
  const first = !VIEWS.some((page) => page && (path.endsWith(`/${page}`) || path.includes(`/${page}/`)));
  // Until the role is known, room is kept for what an owner has.
  const role = useAbout().data?.role ?? "owner";
  const evaluable = !readOnly(view.run_id) && role === "owner" && view.turns > 0;
  const there = { documents: view.documents?.length, evaluation: view.sections?.evaluation || evaluable };
  const views = VIEWS.filter((page) => !(page in there) || there[page as keyof typeof there]);
  const follows = state?.follows.filter(underWay) ?? [];
  const judging = follows.length > 0;
  const evaluating = judging && follows.every((run) => run.protocol.startsWith("evaluation/"));
  return (
    <DebateContext value={view}>
      <Title>{`${view.topic} – ${words.product}`}</Title>
      {SampleNote && sampleNamed(view.run_id) && (
        <Suspense fallback={<p className="mb-3 min-h-6 max-sm:-mt-2" />}>
          <SampleNote id={view.run_id} />
        </Suspense>
      )}
      <header className="-mt-3 mb-3 sm:mb-4">
        <div className="flex min-h-11 items-center justify-between gap-x-6">
          <h1
            className={`line-clamp-3 min-w-0 leading-snug sm:line-clamp-2 ${view.topic.length > LONG ? "text-sm sm:text-lg sm:leading-6" : "text-lg sm:text-xl"}`}
            dir="auto"
            title={view.topic}
            lang={view.language}
          >
            {view.topic}
          </h1>
          <Doings view={view} judging={judging} />
        </div>
        <Tabs
          label={words.debate.views}
          tabs={views.map((page) => ({
            to: page ? `${base}/${page}` : base,
            label: words.debate[LABELS[page]],
            deep: page === "documents",
          }))}
          aside={
            <p className="truncate text-note text-muted">
              {words.debate.protocol(view.protocol.split("/", 1)[0] ?? "")}
              {" · "}
              <time dateTime={view.created_at}>{day(view.created_at)}</time>
              {" · "}
              {words.debate.turns(view.turns)}
            </p>
          }
        />
        {words.debate.english && (first || /\/(trace|scores|evaluation)$/.test(path)) && (
          <p className="no-print mt-2 text-note text-muted">{words.debate.english}</p>
        )}
        {judging && (
          <p role="status" className="mt-3 text-sm text-muted">
            {evaluating ? words.debate.evaluating : words.debate.judging}
          </p>
        )}
      </header>
      <JudgingContext value={judging}>
        <Spoken value={view.language}>
          <Outlet />
        </Spoken>
      </JudgingContext>
      {view.background && (first || path.endsWith("/transcript")) && <Document document={view.background} />}
    </DebateContext>
  );
}

/** Characters; a longer question is set smaller, and a longer one still is whole at the end of the page. */
const LONG = 55;

/** What came with the question; folded, since it may be as long as a chapter. */
function Document({ document }: { document: NonNullable<View["background"]> }) {
  return (
    <div className="mt-10">
      <Fold title={words.debate.document(document.title, document.words)}>
        <div className="max-w-[75ch] text-sm whitespace-pre-wrap" dir="auto">
          {document.text}
        </div>
      </Fold>
    </div>
  );
}
