/** All debates as a workbench: found, filtered, opened, chosen for what can be done with several. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DebateRow, get, type Page } from "../api";
import { Link, useSearch } from "../router";
import { FirstRun } from "../start/FirstRun";
import { Button, buttonLook } from "../ui/Button";
import { Empty, Loading, NoPage } from "../ui/Said";
import { Title } from "../ui/Title";
import { words } from "../words/doing";
import { Chosen } from "./Chosen";
import { type Awaited, DebateTable } from "./DebateTable";
import { Filters } from "./Filters";
import { asked, awaitedFirst, isLive, narrowed, type Sought } from "./list";

export default function Runs() {
  const sought = useSearch({ strict: false }) as Sought;
  const found = useInfiniteQuery({
    queryKey: ["debates", asked(sought, "")],
    queryFn: ({ pageParam, signal }) => get<Page>(`/api/debates?${asked(sought, pageParam)}`, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.debates.some(isLive)) ? 3_000 : 15_000),
    staleTime: 0,
  });
  const [chosen, setChosen] = useState<ReadonlyMap<string, DebateRow>>(new Map());
  const awaited = Object.assign({}, ...(found.data?.pages.map((page) => page.awaited) ?? [])) as Awaited;
  const rows = awaitedFirst(found.data?.pages.flatMap((page) => page.debates) ?? [], awaited);
  if (found.error && !found.data) return <NoPage error={found.error} again={() => void found.refetch()} />;
  if (found.data && !rows.length && !narrowed(sought)) return <FirstRun />;
  const choose = (run: DebateRow, on: boolean) =>
    setChosen((was) => new Map(on ? [...was, [run.run_id, run]] : [...was].filter(([id]) => id !== run.run_id)));
  return (
    <>
      <Title>{words.title(words.runs.title)}</Title>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6">
        <h1 className="text-2xl">{words.runs.title}</h1>
        <p className="text-sm text-muted max-md:hidden">{words.runs.keys}</p>
      </div>
      <Filters sought={sought} tags={found.data?.pages[0]?.tags ?? []} rows={rows} />
      <p role="status" className="mt-3 min-h-6 text-sm text-muted">
        {found.data && words.runs.found(rows.length, found.hasNextPage)}
      </p>
      {found.isPending && <Loading />}
      {found.data && !rows.length && <NoMatch />}
      {rows.length > 0 && (
        <DebateTable rows={rows} awaited={awaited} blind={Boolean(sought.blind)} chosen={chosen} choose={choose} />
      )}
      {found.hasNextPage && (
        <Button className="mt-6" disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {words.runs.more}
        </Button>
      )}
      <Chosen
        runs={[...chosen.values()].map((run) => rows.find((row) => row.run_id === run.run_id) ?? run)}
        clear={() => setChosen(new Map())}
      />
    </>
  );
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
