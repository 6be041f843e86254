/** Around every page of one debate: its motion, how it ended, and the ways to read it. */
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Download, Gavel, GraduationCap, Printer, Scale } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { at, client, type RunSummary, type State, useAbout, useDebateState, useRole, useView, type View } from "../api";
import { sampleNamed } from "../samples/address";
import { SHARED_VIEW } from "../share";
import { Button, buttonLook } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { useKeys } from "../ui/keys";
import { Empty, Loading, NoPage } from "../ui/Said";
import { Tabs } from "../ui/Tabs";
import { words } from "../words/reading";
import { DebateContext, JudgingContext } from "./open";
import { Fold } from "./parts";

const JudgeAgain = SHARED ? null : lazy(() => import("../start/JudgeAgain"));
const Live = SHARED ? null : lazy(() => import("../live/Live"));
const SampleNote = SHARED ? null : lazy(() => import("../samples/SampleNote"));

/** A shared file and a sample are read; there is no run behind them. */
const readOnly = (id: string) => SHARED_VIEW !== null || sampleNamed(id) !== "";

const VIEWS = ["", "transcript", "trace", "map", "scores", "evaluation", "replay", "documents"] as const;
const LABELS = {
  "": "briefing",
  transcript: "transcript",
  trace: "trace",
  map: "map",
  scores: "scores",
  evaluation: "evaluation",
  replay: "replay",
  documents: "documents",
} as const;
const GO = {
  b: "",
  t: "transcript",
  a: "trace",
  m: "map",
  s: "scores",
  e: "evaluation",
  r: "replay",
  d: "documents",
} as const;

export default function Debate({ id }: { id: string }) {
  const state = useDebateState(id);
  const view = useView(id, state.data?.viewable ?? false);
  useJudgingWatched(id, state.data);
  if (view.data) return <Pages view={view.data} state={state.data} />;
  if (state.error || view.error)
    return <NoPage error={state.error ?? view.error} again={() => void (state.error ? state : view).refetch()} />;
  if (state.data && !state.data.viewable) return <Running id={id} />;
  return <Loading />;
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
  const path = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();
  if (Live && path.replace(/\/$/, "").endsWith(encodeURIComponent(id))) return <Live id={id} />;
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
  const owner = useRole() === "owner";
  const evaluable = !readOnly(view.run_id) && owner && view.speeches.length > 0;
  const there = { documents: view.documents?.length, evaluation: view.evaluation || evaluable };
  const views = VIEWS.filter((page) => !(page in there) || there[page as keyof typeof there]);
  const follows = state?.follows.filter(underWay) ?? [];
  const judging = follows.length > 0;
  const evaluating = judging && follows.every((run) => run.protocol.startsWith("evaluation/"));
  return (
    <DebateContext value={view}>
      <title>{`${view.topic} – ${words.product}`}</title>
      {SampleNote && sampleNamed(view.run_id) && (
        <Suspense fallback={<p className="mb-3 min-h-6" />}>
          <SampleNote id={view.run_id} />
        </Suspense>
      )}
      <header className={`flex flex-wrap items-end justify-between gap-x-8 gap-y-2 ${first ? "mb-5" : "mb-1"}`}>
        <div>
          <p className={first ? "mb-2 text-sm text-muted" : "sr-only"}>
            {words.debate.protocol(view.protocol.split("/", 1)[0] ?? "")}
            {" · "}
            <time dateTime={view.created_at}>{day(view.created_at)}</time>
            {" · "}
            {words.debate.turns(view.speeches.length)}
            {view.background && ` · ${words.debate.withDocument(view.background.words)}`}
          </p>
          <h1
            className={
              first ? "line-clamp-6 max-w-[28ch] text-3xl sm:text-4xl" : "line-clamp-2 max-w-[60ch] text-lg sm:text-xl"
            }
            dir="auto"
            title={view.topic}
            lang={view.language}
          >
            {view.topic}
          </h1>
          {judging && (
            <p role="status" className="mt-3 text-sm text-muted">
              {evaluating ? words.debate.evaluating : words.debate.judging}
            </p>
          )}
        </div>
        <Doings view={view} judging={judging} />
      </header>
      <div className="mb-8">
        <Tabs
          label={words.debate.views}
          tabs={views.map((page) => ({
            to: page ? `${base}/${page}` : base,
            label: words.debate[LABELS[page]],
            deep: page === "documents",
          }))}
        />
      </div>
      <JudgingContext value={judging}>
        <Outlet />
      </JudgingContext>
      {view.background && (first || path.endsWith("/transcript")) && <Document document={view.background} />}
    </DebateContext>
  );
}

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

/** What can be done with a debate, besides reading it. */
function Doings({ view, judging }: { view: View; judging: boolean }) {
  const { data: about } = useAbout();
  const role = useRole();
  const [asking, setAsking] = useState(false);
  const id = view.run_id;
  const fixed = readOnly(id);
  const judged = Boolean(view.judgement);
  const panel = judged ? words.debate.panelAgain : words.debate.panel;
  const people = view.seats.filter((seat) => seat.person);
  return (
    <div className="no-print -mx-3 flex flex-wrap items-center text-sm sm:mx-0">
      {!fixed &&
        judged &&
        people.map((seat) => (
          <Link
            key={seat.id}
            to="/debates/$id/seat/$seat"
            params={{ id, seat: seat.id }}
            className={buttonLook("quiet")}
          >
            <GraduationCap size={16} aria-hidden="true" />
            {words.debate.feedback(seat.name)}
          </Link>
        ))}
      {!fixed && (role === "owner" || role === "judge") && view.speeches.length > 0 && (
        <a href={`/debates/${encodeURIComponent(id)}/judge`} className={buttonLook("quiet")}>
          <Scale size={16} aria-hidden="true" />
          {words.debate.judge}
        </a>
      )}
      {JudgeAgain && !fixed && role === "owner" && about && view.speeches.length > 0 && (
        <>
          <Button look="quiet" disabled={judging} onClick={() => setAsking(true)}>
            <Gavel size={16} aria-hidden="true" />
            {panel}
          </Button>
          <Dialog title={panel} open={asking} close={() => setAsking(false)}>
            <Suspense fallback={<Loading />}>
              <JudgeAgain id={id} about={about} close={() => setAsking(false)} />
            </Suspense>
          </Dialog>
        </>
      )}
      {about && !fixed && (role === "owner" || role === "viewer") && (
        <details className="relative" onBlur={closeWhenLeft}>
          <summary className={`${buttonLook("quiet")} list-none [&::-webkit-details-marker]:hidden`}>
            <Download size={16} aria-hidden="true" />
            {words.debate.export}
          </summary>
          <ul
            aria-label={words.debate.exportAs}
            className="absolute left-3 z-10 mt-1 w-max min-w-40 sm:right-0 sm:left-auto rounded-md border border-line bg-raised py-1 shadow-lg"
          >
            {inOrder(about.formats).map((format) => (
              <li key={format}>
                <a
                  href={`${at(id, "export")}?format=${encodeURIComponent(format)}`}
                  download
                  className="block px-4 py-2 hover:bg-sunken"
                >
                  {words.formats[format as keyof typeof words.formats] ?? format}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Button look="quiet" className="max-sm:hidden" onClick={() => print()}>
        <Printer size={16} aria-hidden="true" />
        {words.debate.print}
      </Button>
    </div>
  );
}

/** As they are named here: what most people want first. */
function inOrder(formats: readonly string[]): readonly string[] {
  const known = Object.keys(words.formats);
  const place = (format: string) => (known.includes(format) ? known.indexOf(format) : known.length);
  return formats.toSorted((one, other) => place(one) - place(other));
}

function closeWhenLeft(event: React.FocusEvent<HTMLDetailsElement>) {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

const day = (instant: string) => {
  const when = new Date(instant);
  return Number.isNaN(when.getTime()) ? instant : when.toLocaleDateString("en", { dateStyle: "long" });
};
