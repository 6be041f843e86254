/** What a debate or a judging will take, before it is begun; computed by the server, no model is asked. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type EstimateRow, type Forecast as Found, post } from "../api";
import { Card } from "../ui/Card";
import { Care, Problem } from "../ui/Said";
import { Table } from "../ui/Table";
import { money, number, short, words } from "../words/doing";

const PAUSE_MS = 300;

/** The same value, once it has not changed for a moment. */
function useSettled<T>(value: T, key: string): readonly [T, boolean] {
  const [settled, setSettled] = useState({ value, key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it says is what it is
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return [settled.value, settled.key === key];
}

export interface Foreseen {
  found: Found | undefined;
  error: unknown;
  /** Figures are on their way. */
  busy: boolean;
  /** The figures are of what was asked before. */
  old: boolean;
}

/** `from` is where it is computed, of what is `asked`. */
export function useForecast(from: string, asked: object, fit: boolean): Foreseen {
  const [settled, still] = useSettled(asked, JSON.stringify(asked));
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["forecast", from, JSON.stringify(settled)],
    queryFn: () => post<Found>(from, settled),
    placeholderData: keepPreviousData,
    enabled: fit,
    retry: false,
  });
  return { found: data, error: isFetching ? null : error, busy: isFetching, old: isPlaceholderData || !still };
}

export function Forecast({ from, asked, fit }: { from: string; asked: object; fit: boolean }) {
  return <ForecastCard foreseen={useForecast(from, asked, fit)} />;
}

/** `times` is how many such debates are to be held. */
export function ForecastCard({ foreseen, times = 1 }: { foreseen: Foreseen; times?: number }) {
  const { found, error, busy, old } = foreseen;
  return (
    <Card
      raised
      title={words.start.forecast}
      aside={
        <span role="status" className="text-xs text-muted">
          {busy ? words.start.estimating : ""}
        </span>
      }
    >
      {error ? (
        <Problem error={error} />
      ) : found ? (
        <Figures found={found} old={old} times={times} />
      ) : (
        <p className="min-h-40" />
      )}
    </Card>
  );
}

function Figures({ found, old, times }: { found: Found; old: boolean; times: number }) {
  const rows = found.rows.length > 1 ? [...found.rows, { ...found.total, what: words.start.total }] : found.rows;
  return (
    <div className={`space-y-3 ${old ? "opacity-50" : ""}`} aria-busy={old}>
      <Dollars found={found} times={times} />
      <Table<EstimateRow>
        caption={times > 1 ? words.start.forecastEach : words.start.forecastCaption}
        rows={rows}
        name={(row, n) => `${n} ${row.what}`}
        className="[&_tbody_tr:last-child]:font-semibold"
        columns={[
          { key: "what", head: words.start.forecastHeads.what, cell: (row) => row.what },
          {
            key: "calls",
            head: words.start.forecastHeads.calls,
            numeric: true,
            cell: (row) => range(row.calls, number),
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
            <li key={remark} lang="en">
              {remark}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The two figures that most people look for, of all debates together. */
function Dollars({ found, times }: { found: Found; times: number }) {
  const { dollars } = found.total;
  if (!dollars || dollars[1] === 0) return null;
  const [usual, worst] = dollars;
  return (
    <dl className="flex gap-8">
      {(
        [
          [words.start.expected(times), usual],
          [words.start.atWorst, worst],
        ] as const
      ).map(([label, sum], n) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className={`text-2xl tabular-nums ${n ? "" : "font-semibold"}`}>{money(sum * times)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Fits({ found }: { found: Found }) {
  if (found.budget === null) return <p className="text-sm">{words.start.noBudget}</p>;
  if (found.within) return <p className="text-sm">✓ {words.start.within(money(found.budget))}</p>;
  return <Care title={words.start.beyond(money(found.budget))}>{null}</Care>;
}

/** In a few words, for a bar that is always seen. */
export function costInShort({ found, old }: Foreseen, times: number): string {
  if (!found || old) return words.start.estimating;
  const { dollars } = found.total;
  if (!dollars) return words.start.costUnknown;
  return dollars[1] === 0
    ? words.start.noBudget
    : words.start.costBar(money(dollars[0] * times), money(dollars[1] * times));
}

const range = ([usual, worst]: readonly [number, number], as: (value: number) => string) =>
  words.start.range(as(usual), as(worst));
const cost = ({ dollars }: EstimateRow) =>
  dollars === null ? words.start.unknown : dollars[1] === 0 ? words.start.free : range(dollars, money);
