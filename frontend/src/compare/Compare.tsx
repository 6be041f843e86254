/** Two debates side by side: what stands differently first, then what was set differently, and their turns in pairs. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Aligned, type Compared, type Comparison, get, type Matched, type SpeechPart } from "../api";
import { Words } from "../live/Turns";
import { type Known, knownAmong, SpeechParts } from "../reading/SpeechParts";
import { Link } from "../router";
import { ArgumentCard } from "../ui/ArgumentCard";
import type { Side } from "../ui/Badge";
import { Button, buttonLook } from "../ui/Button";
import { Care, Empty, Loading, NoPage } from "../ui/Said";
import { Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { capital, fixed, money, percent, spaced, tail, unversioned, words } from "../words/doing";
import { Part } from "./Part";

const SHOWN = 6;
type Pair<T> = readonly [T, T];

export default function Compare({ first, second }: { first: string; second: string }) {
  const found = useQuery({
    queryKey: ["comparison", first, second],
    queryFn: ({ signal }) => get<Compared>(`/api/comparisons?${new URLSearchParams({ first, second })}`, signal),
    enabled: Boolean(first && second),
  });
  if (!first || !second) return <Need title={words.compare.need} why={words.compare.needWhy} />;
  if (found.error) return <NoPage error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  return <Both {...found.data} />;
}

export function Need({ title, why }: { title: string; why: string }) {
  return (
    <Empty title={<h1 className="text-lg">{title}</h1>}>
      <p className="mb-5">{why}</p>
      <Link to="/" className={buttonLook("main")}>
        {words.back}
      </Link>
    </Empty>
  );
}

function Both({ comparison, turns }: Compared) {
  const both = comparison.matched.filter((one) => one.standings[0] && one.standings[1]);
  const differ = both.filter((one) => one.standings[0] !== one.standings[1]);
  const same = both.filter((one) => one.standings[0] === one.standings[1]);
  return (
    <div className="space-y-12">
      <Title>{words.title(words.compare.title)}</Title>
      <header>
        <h1 className="mb-5 text-3xl">{words.compare.title}</h1>
        <Heads comparison={comparison} turns={turns} />
      </header>
      {comparison.caveats.length > 0 && (
        <Care title={comparison.comparable ? words.compare.care : words.compare.notComparable}>
          <ul className="list-disc pl-5">
            {comparison.caveats.map((caveat) => (
              <li key={caveat}>{caveat}</li>
            ))}
          </ul>
        </Care>
      )}
      <Facts comparison={comparison} common={both.length} />
      <Part title={words.compare.differ}>
        {differ.length ? (
          <Standings rows={differ} caption={words.compare.differ} />
        ) : (
          <p className="text-muted">{words.compare.noDiffer}</p>
        )}
        {same.length > 0 && (
          <details className="mt-4">
            <summary className="min-h-10 py-2 text-sm font-medium">{words.compare.same(same.length)}</summary>
            <Standings rows={same} caption={words.compare.same(same.length)} />
          </details>
        )}
      </Part>
      <Settings comparison={comparison} />
      <Pairs
        title={words.compare.totals}
        head={words.compare.side}
        rows={Object.entries(comparison.totals)}
        cell={(total) => fixed(total, 1)}
      />
      <Pairs
        title={words.compare.spoke}
        head={words.compare.seatHead}
        rows={Object.entries(comparison.spoke)}
        cell={(spoke) =>
          spoke ? words.compare.spokeCell(spoke.turns, spoke.words, spoke.model) : words.compare.absent
        }
      />
      <Turns turns={turns} />
    </div>
  );
}

function Heads({ comparison, turns }: Pick<Compared, "comparison" | "turns">) {
  const lost = (n: 0 | 1) => turns.filter((pair) => pair.turns[n] !== null && !pair.words[n]).length;
  return (
    <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
      {([0, 1] as const).map((n) => (
        <section
          key={comparison.runs[n]}
          className="border-t-2 border-edge pt-3"
          aria-label={n ? words.compare.second : words.compare.first}
        >
          <p className="text-sm text-muted">
            {capital(n ? words.compare.second : words.compare.first)} · {unversioned(comparison.protocols[n])} ·{" "}
            <span title={comparison.runs[n]}>{tail(comparison.runs[n])}</span>
          </p>
          <h2 className="text-lg" dir="auto">
            <Link to="/debates/$id" params={{ id: comparison.runs[n] }} className="underline-offset-2 hover:underline">
              {comparison.topics[n]}
            </Link>
          </h2>
          <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm">
            <dt className="text-muted">{words.compare.ended}</dt>
            <dd>
              {words.ending(comparison.endings[n])}
              {lost(n) > 0 && ` · ${words.compare.lost(lost(n))}`}
            </dd>
            <dt className="text-muted">{words.compare.outcome}</dt>
            <dd>{words.outcome(comparison.outcomes[n])}</dd>
            <dt className="text-muted">{words.compare.cost}</dt>
            <dd>
              {words.compare.took(comparison.took[n].calls, comparison.took[n].tokens, money(comparison.took[n].spent))}
            </dd>
          </dl>
        </section>
      ))}
    </div>
  );
}

function Facts({ comparison, common }: { comparison: Comparison; common: number }) {
  const says = {
    true: words.compare.sameOutcome,
    false: words.compare.otherOutcome,
    null: words.compare.unknownOutcome,
  };
  const facts = [
    [words.compare.outcome, says[`${comparison.same_outcome}`], ""],
    [
      words.compare.agreement,
      comparison.agreement === null
        ? words.compare.agreementNone
        : words.compare.agreementSays(percent(comparison.agreement), common),
      words.compare.alone(...comparison.alone),
    ],
  ] as const;
  return (
    <dl className="grid gap-6 rounded-lg border border-line bg-raised p-5 sm:grid-cols-2">
      {facts.map(([label, fact, more]) => (
        <div key={label}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-semibold">{capital(fact)}</dd>
          {more && <dd className="text-sm text-muted">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** The same argument in both debates, side by side. */
function Standings({ rows, caption }: { rows: readonly Matched[]; caption: string }) {
  return (
    <ul aria-label={caption} className="space-y-3">
      {rows.map((one) => (
        <li key={one.ids.join(" ")} className="grid gap-2 md:grid-cols-2">
          {([0, 1] as const).map((n) => (
            <ArgumentCard
              key={n}
              id={one.ids[n]}
              side={sideOf(one.ids[n])}
              claim={one.claim}
              note={n ? words.compare.second : words.compare.first}
              standing={one.standings[n]}
              strength={one.strengths[n]}
            />
          ))}
        </li>
      ))}
    </ul>
  );
}

/** "PRO-1" says whose it is; other names do not. */
const sideOf = (id: string): Side => (id.startsWith("PRO-") ? "pro" : id.startsWith("CON-") ? "con" : "");

interface PairsProps<T> {
  title: string;
  head: string;
  rows: readonly (readonly [string, Pair<T>])[];
  cell: (value: T) => ReactNode;
}

function Pairs<T>({ title, head, rows, cell }: PairsProps<T>) {
  if (!rows.length) return null;
  return (
    <Part title={title}>
      <Table
        caption={title}
        quiet
        rows={rows}
        name={([name]) => name}
        columns={[
          { key: "name", head, cell: ([name]) => spaced(name) },
          { key: "first", head: words.compare.first, cell: ([, [first]]) => cell(first) },
          { key: "second", head: words.compare.second, cell: ([, [, second]]) => cell(second) },
        ]}
      />
    </Part>
  );
}

function Settings({ comparison }: { comparison: Comparison }) {
  const rows = Object.entries(comparison.settings);
  if (!rows.length)
    return (
      <Part title={words.compare.settings}>
        <p className="text-muted">{words.compare.noSettings}</p>
      </Part>
    );
  return <Pairs title={words.compare.settings} head={words.compare.setting} rows={rows} cell={inWords} />;
}

export function inWords(value: unknown): string {
  if (value === null || value === undefined) return words.compare.absent;
  if (Array.isArray(value)) return value.map(inWords).join(", ") || words.none;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function Turns({ turns }: { turns: readonly Aligned[] }) {
  const [all, setAll] = useState(false);
  if (!turns.length) return null;
  const shown = all ? turns : turns.slice(0, SHOWN);
  const claims = ([0, 1] as const).map((n) => turns.flatMap((pair) => claimsIn(pair.parts[n])));
  return (
    <Part title={words.compare.turns} aside={<span className="text-sm text-muted">{words.compare.turnsWhy}</span>}>
      <div className="space-y-8">
        {shown.map((pair) => (
          <section key={`${pair.label} ${pair.seat} ${pair.turns.join()}`} className="border-t border-line pt-3">
            <h3 className="mb-2 text-sm font-medium text-muted">
              {pair.label} · {pair.seat}
            </h3>
            <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
              {([0, 1] as const).map((n) => (
                <Said
                  key={n}
                  seat={pair.seat}
                  of={n ? words.compare.second : words.compare.first}
                  turn={pair.turns[n]}
                  said={pair.words[n]}
                  parts={pair.parts[n]}
                  claims={claims[n]}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
      {shown.length < turns.length && (
        <Button className="mt-6" onClick={() => setAll(true)}>
          {words.compare.more(turns.length - shown.length)}
        </Button>
      )}
    </Part>
  );
}

const claimsIn = (parts: readonly SpeechPart[]): Known[] =>
  parts.flatMap(({ kind, id, text }) => (kind === "argument" ? [{ id, side: sideOf(id), claim: text }] : []));

interface SaidProps {
  of: string;
  turn: string | null;
  said: string;
  parts: readonly SpeechPart[];
  claims: readonly Known[] | undefined;
  seat: string;
}

function Said({ of, turn, said, parts, claims = [], seat }: SaidProps) {
  return (
    <div>
      <p className="mb-1 text-xs text-muted">
        {of}
        {turn && ` · ${turn}`}
      </p>
      {turn === null ? (
        <p className="text-muted italic">{words.compare.missing}</p>
      ) : parts.length ? (
        <SpeechParts parts={parts} side={sideOf(`${seat.toUpperCase()}-`)} known={knownAmong(claims)} />
      ) : said ? (
        <Words>{said}</Words>
      ) : (
        <p className="text-muted italic">{words.compare.silent}</p>
      )}
    </div>
  );
}
