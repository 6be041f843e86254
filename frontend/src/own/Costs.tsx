/** What debates have cost: the sum first, then by day, model, protocol and kind, and how much of a limit is used. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type CapRow, type CostRow, type Costs as Found, get, useAbout } from "../api";
import { useNavigate } from "../router";
import { Card } from "../ui/Card";
import { Command } from "../ui/Command";
import { Select } from "../ui/Field";
import { Care, Empty, Loading, NoPage } from "../ui/Said";
import { type Column, Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { capital, money, words } from "../words/doing";
import { words as evaluating } from "../words/evaluating";
import { own } from "../words/settings";

const w = own.costs;

export default function Costs({ since }: { since: string }) {
  const navigate = useNavigate();
  const found = useQuery({
    queryKey: ["costs", since],
    queryFn: ({ signal }) => get<Found>(`/api/costs?${new URLSearchParams({ since })}`, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <div className="space-y-8">
      <Title>{words.title(w.title)}</Title>
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="mb-2 text-3xl">{w.title}</h1>
          <p className="max-w-[75ch] text-muted">{w.why}</p>
        </div>
        <div className="no-print w-56">
          <Select
            label={w.since}
            value={since}
            choices={Object.entries(evaluating.stats.spans)}
            onChange={(event) => void navigate({ to: "/costs", search: { since: event.target.value }, replace: true })}
          />
        </div>
      </header>
      {found.error ? (
        <NoPage error={found.error} again={() => void found.refetch()} />
      ) : found.data ? (
        <Sums found={found.data} span={since} />
      ) : (
        <Loading />
      )}
    </div>
  );
}

export function Sums({ found, span }: { found: Found; span: string }) {
  const { total } = found;
  const { data: about } = useAbout();
  return (
    <div className="space-y-10">
      {total.runs ? <Total total={total} /> : <Empty title={span ? w.noneInSpan : w.none}>{w.noneWhy}</Empty>}
      <Limits caps={found.caps} owner={about?.owner ?? ""} />
      {total.runs > 0 && (
        <>
          <By title={w.days} head={w.day} rows={found.days} bars />
          <By title={w.models} head={w.model} rows={found.models} named={(name) => name || w.noModel} />
          <div className="grid grid-cols-1 gap-10 xl:grid-cols-2">
            <By title={w.kinds} head={w.kind} rows={found.kinds} named={(name) => capital(w.kindOf(name))} />
            <By title={w.protocols} head={w.protocol} rows={found.protocols} />
          </div>
        </>
      )}
      {(found.owners?.length ?? 0) > 1 && (
        <By title={w.owners} why={w.ownersWhy} head={w.owner} rows={found.owners ?? []} />
      )}
    </div>
  );
}

function Total({ total }: { total: CostRow }) {
  return (
    <div className="space-y-4">
      <p role="status">
        <span className="text-3xl font-bold tabular-nums">{money(total.spent)}</span>{" "}
        <span className="text-muted">{w.of(total.runs, total.calls)}</span>
      </p>
      {total.presumed > 0 && <Care title={w.presumed(total.presumed)}>{w.presumedWhy}</Care>}
      {total.unknown > 0 && <Care title={w.unknown(total.unknown)}>{w.unknownWhy}</Care>}
    </div>
  );
}

function Limits({ caps, owner }: { caps: readonly CapRow[]; owner: string }) {
  return (
    <Card title={w.caps}>
      <dl className="grid max-w-xl gap-3 sm:grid-cols-2">
        {caps.map((one) => (
          <div key={one.what}>
            <dt className="text-sm text-muted">{w.capOf[one.what]}</dt>
            <dd>{one.cap === null ? w.noCap : <Used {...one} cap={one.cap} />}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 mb-2 max-w-[75ch] text-sm text-muted">{w.capsWhy}</p>
      <div className="max-w-lg">
        <Command text={w.capCommand.replace("OWNER", owner || "local")} />
      </div>
    </Card>
  );
}

function Used({ spent, held, cap }: CapRow & { cap: number }) {
  return (
    <>
      <span className="tabular-nums">{w.capUsed(spent, held, cap)}</span>
      <Bar share={cap ? Math.min(1, (spent + held) / cap) : 1} />
    </>
  );
}

/** Only an aid to the figure beside it. */
function Bar({ share }: { share: number }) {
  return (
    <span aria-hidden="true" className="mt-1 block h-2 w-full rounded-sm bg-sunken">
      <span className="block h-2 rounded-sm bg-accent" style={{ width: `${100 * share}%` }} />
    </span>
  );
}

interface ByProps {
  title: string;
  head: string;
  rows: readonly CostRow[];
  why?: string;
  named?: (name: string) => string;
  bars?: boolean;
}

function By({ title, head, rows, why, named = (name) => name, bars = false }: ByProps) {
  const most = Math.max(...rows.map((row) => row.spent), 0);
  const presumed = rows.some((row) => row.presumed > 0);
  const figure = (key: "runs" | "calls" | "tokens"): Column<CostRow> => ({
    key,
    head: w[key],
    cell: (row) => row[key].toLocaleString("en"),
    sort: (row) => row[key],
    numeric: true,
  });
  const sum = (key: "spent" | "presumed", told: ReactNode): Column<CostRow> => ({
    key,
    head: told,
    cell: (row) => money(row[key]),
    sort: (row) => row[key],
    numeric: true,
  });
  const columns: Column<CostRow>[] = [
    {
      key: "name",
      head,
      cell: (row) => <span dir="auto">{named(row.name)}</span>,
      sort: (row) => row.name,
      className: "wrap-anywhere",
    },
    figure("runs"),
    figure("calls"),
    figure("tokens"),
    sum("spent", w.spent),
    ...(presumed ? [sum("presumed", w.ofWhich)] : []),
    ...(bars && most > 0
      ? [
          {
            key: "bar",
            head: <span className="sr-only">{w.share}</span>,
            cell: (row: CostRow) => <Bar share={row.spent / most} />,
            className: "w-1/4",
          },
        ]
      : []),
  ];
  return (
    <Card title={title}>
      {why && <p className="mb-2 text-sm text-muted">{why}</p>}
      <Table quiet stacked caption={w.caption(title)} rows={rows} name={(row) => row.name} columns={columns} />
    </Card>
  );
}
