/** What happens beside the words: momentum, cost, broken rules, the docket. All of it folded from the events. */
import type { ReactNode } from "react";
import { capital, money, spaced, words } from "../words/doing";
import type { Breach, Floor } from "./events";
import { MomentumLine } from "./MomentumLine";
import type { Score } from "./score";
import { seatOf, Who } from "./Who";

const SHOWN = 6;

interface Props {
  floor: Floor;
  cap: number | null;
  score: Score | null;
  /** Of a fixed height. */
  children?: ReactNode;
}

/** What grows stands last, so that nothing below it moves. */
export function Inspector({ floor, cap, score, children }: Props) {
  return (
    <div className="space-y-7 text-sm">
      {score && (
        <Part title={words.live.momentum}>
          <MomentumLine floor={floor} score={score} />
        </Part>
      )}
      <Cost floor={floor} cap={cap} />
      {children}
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
  const back = floor.asides.filter((one) => one.kind === "sent back").length;
  return (
    <Part title={words.live.cost}>
      <p>
        <b className="text-base">{money(spent)}</b>
        {cap ? ` ${words.live.ofCap(cap)}` : ""}
        <span className="text-muted">
          {" · "}
          {words.live.calls(calls)}
          {back > 0 && ` · ${words.live.sentBack(back)}`}
        </span>
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
