/** What happens beside the words: cost, marks so far, broken rules, the docket. All of it folded from the events. */
import type { ReactNode } from "react";
import { SideTag } from "../ui/Badge";
import { Table } from "../ui/Table";
import { capital, money, signed, spaced, words } from "../words/doing";
import type { Breach, Floor } from "./events";
import { type TeamSoFar, teams } from "./figures";
import { seatOf, Who } from "./Turns";

const SHOWN = 6;

export function Inspector({ floor, cap }: { floor: Floor; cap: number | null }) {
  return (
    <div className="space-y-7 text-sm">
      <Cost floor={floor} cap={cap} />
      <Marks floor={floor} />
      <Breaches floor={floor} />
      <Docket floor={floor} />
      <Asides floor={floor} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1.5 text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Cost({ floor, cap }: { floor: Floor; cap: number | null }) {
  const { calls, spent, unpriced } = floor.spending;
  return (
    <Part title={words.live.cost}>
      <p>
        <b className="text-base">{money(spent)}</b>
        {cap ? ` ${words.live.ofCap(cap)}` : ""}
        <span className="text-muted"> · {words.live.calls(calls)}</span>
      </p>
      {cap ? (
        <meter
          className="mt-1 h-2 w-full"
          min={0}
          max={cap}
          value={spent}
          high={cap * 0.85}
          aria-label={words.live.meter(spent, cap)}
        />
      ) : null}
      {unpriced && <p className="text-muted">{words.live.costUnknown}</p>}
    </Part>
  );
}

function Marks({ floor }: { floor: Floor }) {
  const last = floor.marked.at(-1);
  if (!last) return null;
  return (
    <Part title={words.live.scores}>
      <Table<TeamSoFar>
        caption={words.live.scoresWhy}
        rows={teams(floor)}
        name={(team) => team.team}
        columns={[
          {
            key: "team",
            head: words.live.team,
            cell: (team) => (team.side ? <SideTag side={team.side} /> : team.team),
          },
          { key: "mean", head: words.live.mean, numeric: true, cell: (team) => team.mean?.toFixed(1) ?? "–" },
          { key: "speeches", head: words.live.speeches, numeric: true, cell: (team) => team.speeches },
          { key: "penalties", head: words.live.penalties, numeric: true, cell: (team) => signed(team.penalties) },
        ]}
      />
      <p className="mt-2 text-muted">
        {words.live.lastMarks(seatOf(floor, last.seat).name)} (
        <a href={`#${last.turn}`} className="underline underline-offset-2">
          {last.turn}
        </a>
        ):{" "}
        {Object.entries(last.marks)
          .map(([name, mark]) => `${spaced(name)} ${mark ?? "–"}`)
          .join(" · ")}
      </p>
    </Part>
  );
}

function Breaches({ floor }: { floor: Floor }) {
  if (!floor.breaches.length) return null;
  const latest = floor.breaches.toReversed();
  return (
    <Part title={words.live.breaches}>
      <Short
        items={latest.map((one) => <BreachLine key={`${one.turn} ${one.rule} ${one.seat}`} one={one} floor={floor} />)}
      />
    </Part>
  );
}

function BreachLine({ one, floor }: { one: Breach; floor: Floor }) {
  const facts = [
    one.words !== null && one.allowed !== null && words.live.facts(one.words, one.allowed),
    words.live.points(...one.points),
    one.provisional && words.live.breachSays,
  ].filter(Boolean);
  return (
    <li>
      <Who seat={seatOf(floor, one.seat)} /> {words.live.rules[one.rule] ?? words.live.broke(one.rule)}{" "}
      <span className="text-muted">
        (
        <a href={`#${one.turn}`} className="underline underline-offset-2">
          {one.turn}
        </a>
        {facts.length > 0 && `, ${facts.join(", ")}`})
      </span>
    </li>
  );
}

function Docket({ floor }: { floor: Floor }) {
  const issues = Object.entries(floor.docket);
  if (!issues.length) return null;
  return (
    <Part title={words.live.docket}>
      <dl className="space-y-2">
        {issues.map(([id, state]) => (
          <div key={id}>
            <dt className="font-medium">
              {id} <span className="font-normal text-muted">{spaced(state)}</span>
            </dt>
            {floor.issues[id] && <dd className="text-muted">{floor.issues[id]}</dd>}
          </div>
        ))}
      </dl>
    </Part>
  );
}

function Asides({ floor }: { floor: Floor }) {
  if (!floor.asides.length) return null;
  return (
    <Part title={words.live.asides}>
      <Short
        items={floor.asides.toReversed().map((one) => (
          <li key={one.seq} className="text-muted">
            {capital(words.live.aside[one.kind](one.seat && seatOf(floor, one.seat).name, one.text))}
          </li>
        ))}
      />
    </Part>
  );
}

/** The latest; the rest on demand. */
function Short({ items }: { items: ReactNode[] }) {
  const rest = items.slice(SHOWN);
  return (
    <>
      <ul className="space-y-2">{items.slice(0, SHOWN)}</ul>
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="text-muted">{words.live.rest(rest.length)}</summary>
          <ul className="mt-2 space-y-2">{rest}</ul>
        </details>
      )}
    </>
  );
}
