/** The briefing: for whoever must decide. What weakens the verdict stands first. */
import { useContext } from "react";
import type { BriefingLine, View } from "../api";
import { SIGNS, StandingBadge } from "../ui/Badge";
import { Card } from "../ui/Card";
import { Care } from "../ui/Said";
import { Table } from "../ui/Table";
import { words } from "../words/reading";
import { JudgingContext, useDebate, useIndex } from "./open";
import { ClaimLink, Fold, Lines, ReadyTable, To, Who } from "./parts";

const w = words.briefing;
/** Facts that have a place of their own on this page. */
const INSIGHT = "Key insight";
const CAVEAT = "Bear in mind";

export default function Briefing() {
  const view = useDebate();
  const { digest } = view;
  const coming = useContext(JudgingContext) && !view.judgement;
  const fact = (label: string) => digest.facts.find((told) => told.label === label)?.text;
  const [insight, caveat] = [fact(INSIGHT), fact(CAVEAT)];
  return (
    <div className="space-y-10">
      {improvised(view) && (
        <Care title={words.debate.improvised}>
          <p>{words.debate.improvisedWhy}</p>
        </Care>
      )}
      {digest.warning && !coming && (
        <Care title={digest.warning}>
          {digest.reasons.length > 1 ? <Lines lines={digest.reasons} /> : <p dir="auto">{digest.reasons[0]}</p>}
          {!digest.advice && (
            <p className="mt-2">
              <To page="transcript">{w.readIt}</To>
            </p>
          )}
        </Care>
      )}
      {digest.advice && (
        <section aria-labelledby="advice">
          <h2 id="advice" className="mb-2 text-sm font-semibold tracking-wide text-accent uppercase">
            {digest.advice.label}
          </h2>
          <p className="max-w-[52ch] text-xl leading-snug font-medium first-letter:uppercase sm:text-2xl" dir="auto">
            {digest.advice.text}
          </p>
          {insight && (
            <p className="mt-5 max-w-[70ch]" dir="auto">
              <b className="font-semibold">{w.insight}. </b>
              {insight}
            </p>
          )}
        </section>
      )}
      {view.judgement && (
        <div className="grid gap-x-10 gap-y-8 md:grid-cols-3">
          <ArgumentList title={w.survived} sign={SIGNS.upheld} lines={digest.survived} none={w.noneSurvived} />
          <ArgumentList title={w.refuted} sign={SIGNS.refuted} lines={digest.refuted} none={w.noneRefuted} />
          <ArgumentList title={w.unresolved} sign={SIGNS.uncertain} lines={digest.unresolved} none={w.noneUnresolved} />
        </div>
      )}
      <Card title={w.facts}>
        <dl className="grid max-w-[85ch] gap-x-8 gap-y-1 sm:grid-cols-[9.5rem_1fr] sm:gap-y-3">
          {digest.facts
            .filter(({ label }) => label !== INSIGHT && label !== CAVEAT)
            .map(({ label, text }) => (
              <div key={label} className="contents">
                <dt className="text-sm text-muted sm:pt-px">{label}</dt>
                <dd className="mb-2 sm:mb-0" dir="auto">
                  {text}
                </dd>
              </div>
            ))}
        </dl>
        {caveat && (
          <p className="mt-5 max-w-[75ch] border-l-2 border-edge pl-4 text-sm text-muted" dir="auto">
            {caveat}
          </p>
        )}
      </Card>
      <Rest />
    </div>
  );
}

const improvised = (view: View) =>
  [...view.seats.map((seat) => seat.model), ...(view.judgement?.panel ?? []).map((judge) => judge.family)].includes(
    "improviser",
  );

function ArgumentList({
  title,
  sign,
  lines,
  none,
}: {
  title: string;
  sign: string;
  lines: BriefingLine[];
  none: string;
}) {
  const { traced } = useIndex();
  return (
    <section aria-label={title}>
      <h2 className="mb-3 border-b border-line pb-2 text-base">
        <span aria-hidden="true" className="mr-2 inline-block w-4 text-center">
          {sign}
        </span>
        {title}
      </h2>
      {lines.length ? (
        <ul className="space-y-3 text-sm">
          {lines.map(({ id, text }) => {
            const found = traced.get(id);
            return (
              <li key={text}>
                {found && (
                  <p className="mb-0.5 flex flex-wrap items-center gap-2">
                    <ClaimLink id={id} />
                    <Who seat={found.seat} />
                    {found.standing === "partially_upheld" && <StandingBadge standing={found.standing} />}
                  </p>
                )}
                <p dir="auto">{found ? without(text, id, found.seat) : text}</p>
              </li>
            );
          })}
        </ul>
      ) : (
        <p className="text-sm text-muted">{none}</p>
      )}
    </section>
  );
}

/** The line begins with a name and a seat, which stand above it already. */
export const without = (text: string, id: string, seat: string) => {
  const lead = [`${id} (${seat}): `, `${id}: `].find((one) => text.startsWith(one));
  return lead ? text.slice(lead.length) : text;
};

/** What it rests on, for whoever asks. */
function Rest() {
  const view = useDebate();
  const { checks } = view;
  return (
    <div>
      {view.votes && (
        <Fold title={w.votes}>
          <ReadyTable table={view.votes} />
        </Fold>
      )}
      {view.issues.length > 0 && (
        <Fold title={w.issues}>
          <Table
            caption={w.issues}
            quiet
            rows={view.issues}
            name={(issue) => issue.id}
            columns={[
              { key: "issue", head: w.issue, cell: (issue) => <span dir="auto">{issue.question}</span> },
              { key: "state", head: w.state, cell: (issue) => issue.state },
            ]}
          />
        </Fold>
      )}
      {checks && (checks.control || checks.control_lines.length > 0) && (
        <Fold title={w.control}>
          <p className="mb-3 max-w-[75ch]" dir="auto">
            {checks.control}
          </p>
          <Lines lines={checks.control_lines} />
        </Fold>
      )}
      {view.hints.length > 0 && (
        <Fold title={w.hints}>
          <p className="mb-3 max-w-[75ch] text-sm text-muted">{view.hint_key}</p>
          <Lines lines={view.hints.map((hint) => hint.text)} />
        </Fold>
      )}
      {checks && (
        <Fold title={w.reliability}>
          <Lines lines={checks.reliability} />
          <div className="mt-5">
            <ReadyTable table={checks.panel} />
          </div>
        </Fold>
      )}
      {view.result_words && (
        <Fold title={w.result}>
          <p className="max-w-[75ch] text-sm whitespace-pre-wrap" dir="auto">
            {view.result_words}
          </p>
        </Fold>
      )}
      {view.told.length > 0 && (
        <Fold title={w.told}>
          <Lines lines={view.told} />
        </Fold>
      )}
      <Fold title={w.participants}>
        <Seats />
      </Fold>
      {view.bill.rows.length > 0 && (
        <Fold title={w.expenses}>
          <ReadyTable table={view.bill} quiet />
        </Fold>
      )}
      {checks && (
        <Fold title={w.origin}>
          <Lines lines={checks.origin} />
        </Fold>
      )}
    </div>
  );
}

function Seats() {
  const { seats } = useDebate();
  const [seat, role, model] = w.participantHeads;
  return (
    <Table
      caption={w.participants}
      quiet
      rows={seats}
      name={(chair) => chair.id}
      columns={[
        { key: "seat", head: seat, cell: (chair) => <Who seat={chair.id} full /> },
        { key: "role", head: role, cell: (chair) => chair.role },
        { key: "model", head: model, cell: (chair) => (chair.person ? words.debate.person : chair.model) },
      ]}
    />
  );
}
