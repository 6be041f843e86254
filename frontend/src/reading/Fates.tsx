/** What became of each argument, as cards: what held up, what was refuted, and what to check before deciding. */
import { type ReactNode, useState } from "react";
import type { View } from "../api";
import { ArgumentCard, namesSide } from "../ui/ArgumentCard";
import { Button } from "../ui/Button";
import type { Evidence } from "../ui/EvidenceChip";
import { SIGNS, type Standing } from "../ui/StandingChip";
import { words } from "../words/verdict";
import { type Argument, argumentsOf } from "./argument";
import { useDebate, useName } from "./open";
import { ClaimLink, To } from "./parts";

export function Fates() {
  const view = useDebate();
  const all = argumentsOf(view).toSorted((one, other) => (other.strength ?? 0) - (one.strength ?? 0));
  const of = (...standings: Standing[]) =>
    standings.flatMap((standing) => all.filter((row) => row.standing === standing));
  const held = cards(of("upheld", "partially_upheld"), view);
  const refuted = cards(of("refuted", "withdrawn"), view);
  const toCheck = [...cards(of("uncertain"), view), ...questionsOf(view)];
  const wide = held.length ? 0 : refuted.length > toCheck.length ? 1 : 2;
  return (
    <section aria-labelledby="fates" className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="fates" className="text-lg">
          {words.fates}
        </h2>
        <p className="text-sm">
          <To page="trace">{words.asTable}</To>
        </p>
      </div>
      <div className={`grid items-start gap-6 ${ROOM[wide]}`}>
        <Column title={words.heldUp} sign={SIGNS.upheld} none={words.noneHeldUp} wide={wide === 0}>
          {held}
        </Column>
        <Column title={words.refuted} sign={SIGNS.refuted} none={words.noneRefuted} wide={wide === 1}>
          {refuted}
        </Column>
        <Column title={words.toCheck} sign={SIGNS.uncertain} none={words.noneToCheck} wide={wide === 2}>
          {toCheck}
        </Column>
      </div>
    </section>
  );
}

/** What held up has the most room; where nothing did, what there is instead. */
const ROOM = ["lg:grid-cols-[2fr_1fr_1fr]", "lg:grid-cols-[1fr_2fr_1fr]", "lg:grid-cols-[1fr_1fr_2fr]"] as const;

/** Questions that stayed open, without those about an argument that has a card of its own. */
const questionsOf = (view: View) =>
  view.digest.unresolved
    .filter((line) => !isArgument(line.text, line.id))
    .map((line) => (
      <article key={line.text} className="rounded-md border border-dashed border-edge bg-raised px-4 py-3 text-sm">
        <p dir="auto" lang="en">
          {line.text}
        </p>
      </article>
    ));

/** A line about an argument that has a card of its own begins with its id. */
const isArgument = (text: string, id: string) => Boolean(id) && text.startsWith(id);

/** As many as most readers look at; the others are one press away. */
const AT_FIRST = 6;

function Column({
  title,
  sign,
  none,
  wide = false,
  children,
}: {
  title: string;
  sign: string;
  none: string;
  wide?: boolean;
  children: ReactNode[];
}) {
  const [all, setAll] = useState(false);
  // A button takes as much room as one more.
  const shown = all || children.length === AT_FIRST + 1 ? children : children.slice(0, AT_FIRST);
  return (
    <section aria-label={title} className="min-w-0 space-y-3">
      <h3 className="flex items-baseline gap-2 border-b-2 border-ink pb-1.5 text-base">
        <span aria-hidden="true">{sign}</span>
        {title}
        <span className="font-normal text-muted">{children.length}</span>
      </h3>
      {children.length ? (
        <div className={`grid items-start gap-3 ${wide ? "sm:grid-cols-2" : "sm:max-lg:grid-cols-2"}`}>{shown}</div>
      ) : (
        <p className="text-sm text-muted">{none}</p>
      )}
      {shown.length < children.length && <Button onClick={() => setAll(true)}>{words.showAll(children.length)}</Button>}
    </section>
  );
}

function cards(rows: readonly Argument[], view: View) {
  return rows.map((row) => <Card key={row.id} row={row} evidence={evidenceOf(view, row.id)} />);
}

function Card({ row, evidence }: { row: Argument; evidence: readonly Evidence[] }) {
  const named = namesSide(row.id, row.side);
  const name = useName()(row.seat);
  return (
    <ArgumentCard
      id={row.id}
      side={row.side}
      link={<ClaimLink id={row.id} plain={named} />}
      seat={name.toLowerCase() === row.side ? undefined : <span dir="auto">{name}</span>}
      standing={row.standing}
      // One that was withdrawn has none: its cell has words.
      strength={/^\d+$/.test(row.strengthWords) ? row.strength : null}
      claim={row.claim}
      reason={row.reason}
      evidence={evidence}
    />
  );
}

/** What an argument rests on, where there were documents to quote. */
function evidenceOf(view: View, id: string): readonly Evidence[] {
  const basis = view.judgement?.support?.bases?.[id];
  return basis ? [words.rests[basis]] : [];
}
