/** One motion, debated several times: how each argument stood in each run, the least stable first. */

import { useQuery } from "@tanstack/react-query";
import { get, type Repeated, type RunSummary as Report, type Stability as Row } from "../api";
import { Link } from "../router";
import { Empty, Loading, NoPage } from "../ui/Said";
import { StandingChip } from "../ui/StandingChip";
import { Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { money, percent, tail, unversioned, when, words } from "../words/doing";
import { Need } from "./Compare";
import { Part } from "./Part";

export default function Stability({ runs }: { runs: readonly string[] }) {
  const query = new URLSearchParams(runs.map((run) => ["run", run]));
  const found = useQuery({
    queryKey: ["stability", ...runs],
    queryFn: ({ signal }) => get<Repeated>(`/api/stability?${query}`, signal),
    enabled: runs.length > 1,
  });
  if (runs.length < 2) return <Need title={words.stability.need} why={words.stability.needWhy} />;
  if (found.error) return <NoPage error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  return <Repeats {...found.data} />;
}

function Repeats({ runs, claims }: Repeated) {
  const waver = claims.filter((claim) => claim.share < 1).length;
  return (
    <div className="space-y-12">
      <Title>{words.title(words.stability.title)}</Title>
      <header className="max-w-[70ch]">
        <p className="mb-2 text-sm font-medium text-muted">{words.stability.title}</p>
        <h1 className="text-2xl sm:text-3xl" dir="auto">
          {runs[0]?.topic}
        </h1>
        {claims.length > 0 && (
          <p className="mt-3">
            {waver ? words.stability.wavers(waver, claims.length) : words.stability.steady(claims.length)}
          </p>
        )}
      </header>
      {claims.length ? (
        <Claims runs={runs} claims={claims.toSorted((one, other) => one.share - other.share)} />
      ) : (
        <Empty title={words.stability.none}>{words.stability.noneWhy}</Empty>
      )}
      <Runs runs={runs} />
    </div>
  );
}

function Claims({ runs, claims }: { runs: readonly Report[]; claims: readonly Row[] }) {
  return (
    <Table<Row>
      caption={words.stability.caption}
      rows={claims}
      name={(claim, n) => `${n} ${claim.claim}`}
      columns={[
        {
          key: "claim",
          head: words.stability.argument,
          cell: (claim) => <span className="block max-w-[45ch] min-w-44 font-normal">{claim.claim}</span>,
        },
        ...runs.map((run, n) => ({
          key: run.run_id,
          head: words.stability.run(n + 1),
          cell: (claim: Row) => <Cell claim={claim} run={run.run_id} />,
        })),
        {
          key: "most",
          head: words.stability.most,
          cell: (claim) =>
            claim.split.length ? <b>{words.stability.split(claim.split)}</b> : <StandingChip standing={claim.most} />,
        },
        {
          key: "share",
          head: words.stability.share,
          numeric: true,
          sort: (claim) => claim.share,
          cell: (claim) => words.stability.shareSays(percent(claim.share), Object.keys(claim.standings).length),
        },
      ]}
    />
  );
}

function Cell({ claim, run }: { claim: Row; run: string }) {
  const standing = claim.standings[run];
  if (!standing) return <span className="text-muted">{words.stability.absent}</span>;
  return (
    <Link
      to="/debates/$id/trace"
      params={{ id: run }}
      hash={claim.ids[run] ?? ""}
      className="inline-flex flex-col items-start gap-1"
    >
      <StandingChip standing={standing} />
      <span className="text-xs text-muted underline underline-offset-2">{claim.ids[run]}</span>
    </Link>
  );
}

function Runs({ runs }: { runs: readonly Report[] }) {
  return (
    <Part title={words.stability.runs}>
      <Table<Report>
        caption={words.stability.runs}
        quiet
        rows={runs}
        name={(run) => run.run_id}
        columns={[
          {
            key: "run",
            head: words.stability.runHead,
            cell: (run) => (
              <Link to="/debates/$id" params={{ id: run.run_id }} className="underline underline-offset-2">
                {words.stability.run(runs.indexOf(run) + 1)}
              </Link>
            ),
          },
          {
            key: "name",
            head: words.stability.name,
            cell: (run) => <span title={run.run_id}>{tail(run.run_id)}</span>,
          },
          { key: "held", head: words.stability.held, cell: (run) => when(run.created_at) },
          { key: "protocol", head: words.stability.protocol, cell: (run) => unversioned(run.protocol) },
          { key: "cost", head: words.stability.cost, numeric: true, cell: (run) => money(run.spent ?? 0) },
        ]}
      />
    </Part>
  );
}
