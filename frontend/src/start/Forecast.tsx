/** What a debate or a judging will take, before it is begun; computed by the server, no model is asked. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type EstimateRow, type Forecast as Found, post } from "../api";
import { Card } from "../ui/Card";
import { Care, Problem } from "../ui/Said";
import { Table } from "../ui/Table";
import { money, words } from "../words/doing";

const PAUSE_MS = 400;

/** The same value, once it has not changed for a moment. */
function useSettled<T>(value: T, key: string): T {
  const [settled, setSettled] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it says is what it is
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}

/** `from` is where it is computed, of what is `asked`. */
export function Forecast({ from, asked, fit }: { from: string; asked: object; fit: boolean }) {
  const settled = useSettled(asked, JSON.stringify(asked));
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["forecast", from, JSON.stringify(settled)],
    queryFn: () => post<Found>(from, settled),
    placeholderData: keepPreviousData,
    enabled: fit,
    retry: false,
  });
  return (
    <Card
      raised
      title={words.start.forecast}
      aside={
        <span role="status" className="text-xs text-muted">
          {isFetching ? words.start.estimating : ""}
        </span>
      }
    >
      {error && !isFetching ? (
        <Problem error={error} />
      ) : data ? (
        <Figures found={data} old={isPlaceholderData} />
      ) : (
        <p className="min-h-40" />
      )}
    </Card>
  );
}

/** `old` figures are of what was asked before. */
function Figures({ found, old }: { found: Found; old: boolean }) {
  const rows = found.rows.length > 1 ? [...found.rows, { ...found.total, what: words.start.total }] : found.rows;
  return (
    <div className={`space-y-3 ${old ? "opacity-50" : ""}`} aria-busy={old}>
      <Table<EstimateRow>
        caption={words.start.forecastCaption}
        rows={rows}
        name={(row, n) => `${n} ${row.what}`}
        className="[&_tbody_tr:last-child]:font-semibold"
        columns={[
          { key: "what", head: words.start.forecastHeads.what, cell: (row) => row.what },
          {
            key: "calls",
            head: words.start.forecastHeads.calls,
            numeric: true,
            cell: (row) => range(row.calls, figure),
          },
          {
            key: "tokens",
            head: words.start.forecastHeads.tokens,
            numeric: true,
            cell: (row) => range(row.tokens, short),
          },
          { key: "dollars", head: words.start.forecastHeads.dollars, numeric: true, cell: cost },
        ]}
      />
      <Fits found={found} />
      {found.remarks.length > 0 && (
        <ul className="space-y-1 text-sm text-muted">
          {found.remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Fits({ found }: { found: Found }) {
  if (found.budget === null) return <p className="text-sm">{words.start.noBudget}</p>;
  if (found.within) return <p className="text-sm">✓ {words.start.within(money(found.budget))}</p>;
  return <Care title={words.start.beyond(money(found.budget))}>{null}</Care>;
}

const figure = (value: number) => value.toLocaleString("en");
const short = (value: number) => value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
const range = ([usual, worst]: readonly [number, number], as: (value: number) => string) =>
  words.start.range(as(usual), as(worst));
const cost = ({ dollars }: EstimateRow) =>
  dollars === null ? words.start.unknown : dollars[1] === 0 ? words.start.free : range(dollars, money);
