/** All debates, newest first: found, opened, chosen for comparison, deleted. */

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { GitCompareArrows, Layers, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { at, call, client, get, type Page, type RunSummary as Report, useRole } from "../api";
import { Dot } from "../live/Dot";
import { over } from "../live/state";
import { FirstRun } from "../start/FirstRun";
import { Button, buttonLook, IconButton } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Checkbox, Select, TextField } from "../ui/Field";
import { useKeys } from "../ui/keys";
import { Announced, Empty, Loading, NoPage, Problem } from "../ui/Said";
import { outcome, tail, unversioned, when, words } from "../words/doing";
import { doable, isLive } from "./list";

interface Sought {
  q?: string;
  state?: string;
  /** Outcomes are hidden, and a debate opens as a ballot. */
  blind?: string;
}

/** Seats whose person is waited for, by debate. */
type Awaited = Readonly<Record<string, readonly string[]>>;

const PAUSE_MS = 250;

export default function Runs() {
  const sought = useSearch({ strict: false }) as Sought;
  const found = useInfiniteQuery({
    queryKey: ["debates", sought.q ?? "", sought.state ?? ""],
    queryFn: ({ pageParam, signal }) => get<Page>(`/api/debates?${asked(sought, pageParam)}`, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.debates.some(isLive)) ? 3_000 : 15_000),
    staleTime: 0,
  });
  const rows = found.data?.pages.flatMap((page) => page.debates) ?? [];
  const awaited = Object.assign({}, ...(found.data?.pages.map((page) => page.awaited) ?? [])) as Awaited;
  const seeking = Boolean(sought.q || sought.state);
  if (found.error && !found.data) return <NoPage error={found.error} again={() => void found.refetch()} />;
  if (found.data && !rows.length && !seeking) return <FirstRun />;
  return (
    <>
      <title>{words.title(words.runs.title)}</title>
      <h1 className="mb-5 text-3xl">{words.runs.title}</h1>
      <Search sought={sought} />
      <p role="status" className="mt-4 min-h-6 text-sm text-muted">
        {found.data && words.runs.found(rows.length, found.hasNextPage)}
      </p>
      {found.isPending && <Loading />}
      {found.data && !rows.length && <NoMatch />}
      <List rows={rows} awaited={awaited} blind={Boolean(sought.blind)} />
      {found.hasNextPage && (
        <Button className="mt-6" disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {words.runs.more}
        </Button>
      )}
    </>
  );
}

function asked(sought: Sought, cursor: string): string {
  const query = new URLSearchParams({ limit: "30" });
  if (cursor) query.set("cursor", cursor);
  if (sought.q) query.set("q", sought.q);
  if (sought.state) query.set("state", sought.state);
  return query.toString();
}

function NoMatch() {
  return (
    <Empty title={words.runs.noMatch}>
      <Link to="/" className={buttonLook()}>
        {words.runs.noMatchDo}
      </Link>
    </Empty>
  );
}

/** What is sought stands in the address. */
function Search({ sought }: { sought: Sought }) {
  const navigate = useNavigate();
  const [text, setText] = useState(sought.q ?? "");
  const box = useRef<HTMLDivElement>(null);
  useKeys({ "/": () => box.current?.querySelector("input")?.focus() });
  const seek = (change: Sought) => void navigate({ to: "/", search: { ...sought, ...change }, replace: true });
  useEffect(() => setText(sought.q ?? ""), [sought.q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing seeks
  useEffect(() => {
    if (text === (sought.q ?? "")) return;
    const timer = setTimeout(() => seek({ q: text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const states = Object.entries(words.runs.states);
  return (
    <search className="grid gap-x-4 gap-y-2 sm:grid-cols-[minmax(0,1fr)_12rem]" ref={box}>
      <TextField
        type="search"
        label={words.runs.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        label={words.runs.state}
        choices={[["", words.runs.all], ...states]}
        value={sought.state ?? ""}
        onChange={(event) => seek({ state: event.target.value })}
      />
      <div className="pt-1 sm:col-span-2">
        <Checkbox
          label={words.runs.blind}
          checked={Boolean(sought.blind)}
          onChange={(event) => seek({ blind: event.target.checked ? "yes" : "" })}
        />
      </div>
    </search>
  );
}

function List({ rows, awaited, blind }: { rows: readonly Report[]; awaited: Awaited; blind: boolean }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [leaving, setLeaving] = useState<Report | null>(null);
  const choose = (id: string, on: boolean) => setChosen((was) => (on ? [...was, id] : was.filter((one) => one !== id)));
  return (
    <>
      <ul aria-label={words.runs.list} className="mt-2 divide-y divide-line border-y border-line empty:border-0">
        {rows.map((run) => (
          <Row
            key={run.run_id}
            run={run}
            awaited={awaited[run.run_id] ?? []}
            blind={blind}
            chosen={chosen.includes(run.run_id)}
            choose={(on) => choose(run.run_id, on)}
            remove={() => setLeaving(run)}
          />
        ))}
      </ul>
      {chosen.length > 0 && (
        <Chosen
          runs={chosen.flatMap((id) => rows.find((run) => run.run_id === id) ?? [])}
          clear={() => setChosen([])}
        />
      )}
      <Remove run={leaving} close={() => setLeaving(null)} gone={(id) => choose(id, false)} />
    </>
  );
}

interface RowProps {
  run: Report;
  awaited: readonly string[];
  blind: boolean;
  chosen: boolean;
  choose: (on: boolean) => void;
  remove: () => void;
}

function Row({ run, awaited, blind, chosen, choose, remove }: RowProps) {
  const role = useRole();
  return (
    <li className="flex items-start gap-3 py-4">
      <label className="-m-2 p-2">
        <input
          type="checkbox"
          className="mt-1 size-5 accent-accent"
          aria-label={words.runs.select(run.topic)}
          checked={chosen}
          onChange={(event) => choose(event.target.checked)}
        />
      </label>
      <div className="min-w-0 flex-1">
        <Link
          to={(blind || role === "judge") && over(run) ? "/debates/$id/judge" : "/debates/$id"}
          params={{ id: run.run_id }}
          className="line-clamp-3 font-semibold text-pretty hover:underline"
          dir="auto"
        >
          {run.topic}
        </Link>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-sm text-muted">
          <Standing run={run} />
          {awaited.map((seat) => (
            <Link
              key={seat}
              to="/debates/$id/seat/$seat"
              params={{ id: run.run_id, seat }}
              className="font-semibold text-accent underline"
            >
              {words.live.awaits(seat)}
            </Link>
          ))}
          {run.outcome && !blind && <span className="text-ink">{outcome(run.outcome)}</span>}
          <span>{unversioned(run.protocol)}</span>
          <time dateTime={run.created_at}>{when(run.created_at)}</time>
          <span title={run.run_id}>{tail(run.run_id)}</span>
          <span>
            {words.runs.cost(run.spent ?? 0, run.cap)} · {words.runs.calls(run.calls ?? 0)}
          </span>
        </p>
        {run.reason && <p className="mt-1 text-sm text-muted">{run.reason}</p>}
      </div>
      {role === "owner" && over(run) && (
        <IconButton label={words.runs.remove(run.topic)} onClick={remove}>
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}

/** How it stands, or how it ended; a dot never says it alone. */
function Standing({ run }: { run: Report }) {
  if (run.state === "running")
    return (
      <b className="inline-flex items-baseline gap-1.5 font-semibold text-accent">
        <Dot live /> {words.runs.live}
      </b>
    );
  const ended = run.state === "ended" && run.ending ? words.ending(run.ending) : words.states[run.state];
  const badly = run.state === "broken" || run.ending === "failed";
  return <span className={badly ? "text-wrong" : "text-ink"}>{ended}</span>;
}

function Chosen({ runs, clear }: { runs: readonly Report[]; clear: () => void }) {
  const can = doable(runs);
  const [first, second] = runs;
  return (
    <div
      role="toolbar"
      aria-label={words.runs.chosen(runs.length)}
      className="sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-2 rounded-lg border border-edge bg-raised px-4 py-2.5 shadow-lg"
    >
      <span className="text-sm font-medium">{words.runs.chosen(runs.length)}</span>
      {can.why && <span className="text-sm text-muted">{can.why}</span>}
      <span className="ml-auto flex flex-wrap gap-2">
        {can.compare && first && second && (
          <Link to="/compare" search={{ first: first.run_id, second: second.run_id }} className={buttonLook("main")}>
            <GitCompareArrows size={16} aria-hidden="true" />
            {words.runs.compare}
          </Link>
        )}
        {can.stability && (
          <Link to="/stability" search={{ run: runs.map((run) => run.run_id) }} className={buttonLook()}>
            <Layers size={16} aria-hidden="true" />
            {words.runs.stability(runs.length)}
          </Link>
        )}
        <Button look="quiet" onClick={clear}>
          {words.runs.clear}
        </Button>
      </span>
    </div>
  );
}

function Remove({ run, close, gone }: { run: Report | null; close: () => void; gone: (id: string) => void }) {
  const remove = useMutation({
    mutationFn: (id: string) => call<void>("DELETE", at(id)),
    onSuccess: async (_, id) => {
      gone(id);
      await client.invalidateQueries({ queryKey: ["debates"] });
      close();
    },
  });
  const leave = () => {
    remove.reset();
    close();
  };
  return (
    <>
      <Announced>{remove.isSuccess ? words.runs.removed : ""}</Announced>
      <Dialog title={words.runs.removeTitle} open={run !== null} close={leave}>
        <p className="font-medium">{run?.topic}</p>
        <p className="mt-2 text-sm">{words.runs.removeWhy}</p>
        {remove.error && <Problem error={remove.error} />}
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={leave}>{words.cancel}</Button>
          <Button look="danger" disabled={remove.isPending} onClick={() => run && remove.mutate(run.run_id)}>
            {words.runs.removeDo}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
