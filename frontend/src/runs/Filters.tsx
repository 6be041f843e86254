/** What is sought in the list. It stands in the address, so that it can be kept and sent. */

import { useEffect, useRef, useState } from "react";
import { type DebateRow, useAbout } from "../api";
import { Link, useNavigate } from "../router";
import { buttonLook } from "../ui/Button";
import { Checkbox, Select, TextField } from "../ui/Field";
import { useKeys } from "../ui/keys";
import { useNarrow } from "../ui/narrow";
import { words } from "../words/doing";
import { narrowed, type Sought } from "./list";

const PAUSE_MS = 250;

interface Props {
  sought: Sought;
  tags: readonly string[];
  rows: readonly DebateRow[];
}

export function Filters({ sought, tags, rows }: Props) {
  const navigate = useNavigate();
  const about = useAbout().data;
  const seek = (change: Sought) => void navigate({ to: "/", search: { ...sought, ...change }, replace: true });
  const named = (values: readonly string[]) => [...new Set(values)].sort().map((name) => [name, name] as const);
  const choices = {
    state: Object.entries(words.runs.states),
    protocol: named(about?.protocols.map((one) => one.name) ?? []),
    outcome: Object.entries(words.runs.outcomes),
    model: named([...(about?.models.map((one) => one.name) ?? []), ...rows.flatMap((row) => row.models)]),
    tag: named([...tags, ...(sought.tag ? [sought.tag] : [])]),
  };
  const narrow = useNarrow();
  const set = [...Object.keys(choices), "order", "blind"].filter((name) => sought[name as keyof Sought]).length;
  const fields = (
    <>
      {Object.entries(choices).map(([name, offered]) => (
        <Select
          key={name}
          label={words.runs[name as keyof typeof choices]}
          choices={[["", words.runs.any], ...offered]}
          value={sought[name as keyof typeof choices] ?? ""}
          disabled={!offered.length}
          onChange={(event) => seek({ [name]: event.target.value })}
        />
      ))}
      <Select
        label={words.runs.order}
        choices={Object.entries(words.runs.orders)}
        value={sought.order || "open_first"}
        onChange={(event) => seek({ order: event.target.value === "open_first" ? "" : event.target.value })}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 pt-1 col-span-2 lg:col-span-7">
        <Checkbox
          label={words.runs.blind}
          checked={Boolean(sought.blind)}
          onChange={(event) => seek({ blind: event.target.checked ? "yes" : "" })}
        />
        {sought.batch && <span className="text-sm">{words.runs.inBatch(sought.batch)}</span>}
        {narrowed(sought) && (
          <Link to="/" className={buttonLook("quiet")}>
            {words.runs.clearFilters}
          </Link>
        )}
      </div>
    </>
  );
  return (
    <search className="grid gap-x-3 gap-y-2 sm:grid-cols-2 lg:grid-cols-[minmax(14rem,1.6fr)_repeat(6,minmax(0,1fr))]">
      <SearchBox sought={sought} seek={seek} />
      {narrow ? (
        <details className="sm:col-span-2">
          <summary className="min-h-10 py-2 text-sm font-medium">{words.runs.filters(set)}</summary>
          <div className="grid grid-cols-2 gap-x-3 gap-y-2">{fields}</div>
        </details>
      ) : (
        fields
      )}
    </search>
  );
}

function SearchBox({ sought, seek }: { sought: Sought; seek: (change: Sought) => void }) {
  const [text, setText] = useState(sought.q ?? "");
  const box = useRef<HTMLDivElement>(null);
  useKeys({ "/": () => box.current?.querySelector("input")?.focus() });
  useEffect(() => setText(sought.q ?? ""), [sought.q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing seeks
  useEffect(() => {
    if (text === (sought.q ?? "")) return;
    const timer = setTimeout(() => seek({ q: text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div ref={box} className="sm:col-span-2 lg:col-span-1">
      <TextField
        type="search"
        label={words.runs.search}
        placeholder={words.runs.searchHint}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
