/** What became of every argument, and why. It holds the same facts as the map, for readers of tables. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { View } from "../api";
import { Button } from "../ui/Button";
import { Select, TextField } from "../ui/Field";
import { useKeys } from "../ui/keys";
import { Announced, Empty } from "../ui/Said";
import { StandingChip } from "../ui/StandingChip";
import { type Column, Table } from "../ui/Table";
import { words } from "../words/reading";
import { type Argument, argumentsOf, fitting, NO_FILTER } from "./argument";
import { decoded, useHash } from "./links";
import { useDebate } from "./open";
import { To, Who } from "./parts";

const w = words.trace;

export default function Trace() {
  const view = useDebate();
  const all = useMemo(() => argumentsOf(view), [view]);
  const [filter, setFilter] = useState(NO_FILTER);
  const shown = fitting(all, filter);
  const led = useLed();
  const box = useRef<HTMLDivElement>(null);
  useKeys({ "/": () => box.current?.querySelector("input")?.focus() });
  if (!all.length)
    return (
      <Empty title={w.nothing}>
        <p>{view.trace.key || w.nothingWhy}</p>
      </Empty>
    );
  const set = (part: Partial<typeof filter>) => setFilter((was) => ({ ...was, ...part }));
  const told = w.shown(shown.length, all.length);
  return (
    <div className="space-y-5">
      <search
        ref={box}
        className="no-print grid max-w-3xl grid-cols-2 gap-3 *:first:col-span-2 sm:grid-cols-[1fr_11rem_9rem] sm:*:first:col-span-1"
      >
        <TextField
          label={w.filter}
          quiet
          type="search"
          placeholder={w.filterHint}
          value={filter.text}
          onChange={(event) => set({ text: event.target.value })}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <Select
          label={w.standing}
          quiet
          value={filter.standing}
          onChange={(event) => set({ standing: event.target.value })}
          choices={[["", `${w.standing}: ${w.all}`], ...choices(all, "standing", words.standing)]}
        />
        <Select
          label={w.side}
          quiet
          value={filter.side}
          onChange={(event) => set({ side: event.target.value })}
          choices={[["", `${w.side}: ${w.all}`], ...choices(all, "side", words.sides)]}
        />
      </search>
      <p className="text-sm text-muted">{told}</p>
      {filter !== NO_FILTER && <Announced>{told}</Announced>}
      {shown.length ? (
        <Table
          caption={view.trace.rows.length ? w.caption : w.captionUnjudged}
          quiet
          stacked
          anchors
          led={led}
          rows={shown}
          name={(row) => row.id}
          columns={columnsFor(view)}
        />
      ) : (
        <Empty title={w.noMatch}>
          <Button onClick={() => setFilter(NO_FILTER)}>{w.clear}</Button>
        </Empty>
      )}
      <p className="max-w-[75ch] text-sm text-muted">{view.trace.key}</p>
    </div>
  );
}

function choices(all: readonly Argument[], of: "standing" | "side", labels: Record<string, string>) {
  const found = [...new Set(all.map((row) => row[of]))].filter(Boolean) as string[];
  return found.map((value) => [value, labels[value] ?? value] as const);
}

const ORDER = { upheld: 0, partially_upheld: 1, uncertain: 2, refuted: 3, withdrawn: 4 };

function columnsFor(view: View): Column<Argument>[] {
  const h = w.heads;
  const judged: Column<Argument>[] = [
    { key: "strength", head: h.strength, cell: (row) => row.strengthWords, sort: (row) => row.strength, numeric: true },
    {
      key: "certainty",
      head: h.certainty,
      cell: (row) => row.certaintyWords,
      sort: (row) => row.certainty,
      numeric: true,
    },
    {
      key: "reason",
      head: h.reason,
      cell: (row) => (
        <span dir="auto" lang="en">
          {row.reason}
        </span>
      ),
      className: "md:min-w-56",
    },
  ];
  return [
    {
      key: "id",
      head: h.id,
      sort: (row) => row.id,
      cell: (row) => (
        <To
          page="transcript"
          at={row.id}
          label={w.said(row.id)}
          className="whitespace-nowrap text-accent underline underline-offset-2"
        >
          {row.id}
        </To>
      ),
    },
    {
      key: "by",
      head: h.by,
      sort: (row) => row.seat,
      cell: (row) => <Who seat={row.seat} />,
      bare: true,
      className: "whitespace-nowrap",
    },
    {
      key: "claim",
      head: h.claim,
      cell: (row) => <ClaimCell row={row} heads={view.trace.moved_heads} />,
      bare: true,
      className: "md:min-w-72 print:w-2/5",
    },
    {
      key: "standing",
      head: h.standing,
      sort: (row) => row.standing && ORDER[row.standing],
      cell: (row) => <StandingChip standing={row.standing} />,
      bare: true,
    },
    ...(view.trace.rows.length ? judged : []),
  ];
}

function ClaimCell({ row, heads }: { row: Argument; heads: readonly string[] }) {
  return (
    <>
      <p className="max-w-[60ch]" dir="auto">
        {row.claim}
      </p>
      {row.examined && (
        <p className="mt-1 text-muted" dir="auto">
          {row.examined}
        </p>
      )}
      {row.moved.length > 0 && (
        <details className="mt-1">
          <summary className="min-h-6 text-muted hover:text-ink">
            {w.moved}
            <span className="sr-only"> ({row.id})</span>
          </summary>
          <dl className="mt-1 space-y-1">
            {row.moved.slice(1).map((text, n) =>
              text ? (
                <div key={heads[n + 1]}>
                  <dt className="inline text-muted">{heads[n + 1]}: </dt>
                  <dd className="inline" dir="auto">
                    {text}
                  </dd>
                </div>
              ) : null,
            )}
          </dl>
          {row.quote && (
            <blockquote className="mt-1 border-l-2 border-line pl-3 text-muted" dir="auto">
              {row.quote}
            </blockquote>
          )}
          <p className="mt-1">
            <To page="map" at={row.id}>
              {w.onMap}
            </To>
          </p>
        </details>
      )}
    </>
  );
}

/** Brings the row that the hash names into view, now and when the hash changes. */
function useLed(): string {
  const hash = useHash();
  const led = decoded(hash);
  useEffect(() => {
    if (led) document.getElementById(led)?.scrollIntoView({ block: "center" });
  }, [led]);
  return led;
}
