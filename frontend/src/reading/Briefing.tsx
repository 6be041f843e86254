/** The verdict: what came out and how far to trust it, then what it rests on. */
import { lazy, Suspense, useContext } from "react";
import type { Chair } from "../client";
import { Card } from "../ui/Card";
import { Skeleton } from "../ui/Skeleton";
import { Table } from "../ui/Table";
import { words } from "../words/reading";
import { words as own } from "../words/verdict";
import { Fates } from "./Fates";
import { FirstScreen } from "./FirstScreen";
import { OwnResult } from "./OwnResult";
import { JudgingContext, useDebate } from "./open";
import { ClaimLink, Fold, Lines, TextTableView, Who } from "./parts";
import { readOnly } from "./readOnly";

const w = words.briefing;
const GoOn = SHARED ? null : lazy(async () => ({ default: (await import("../runs/GoOn")).GoOn }));

export default function Briefing() {
  const view = useDebate();
  const coming = useContext(JudgingContext) && !view.digest.judged;
  const first = coming ? <Skeleton shape="verdict" /> : <FirstScreen />;
  return (
    <div className="space-y-12">
      {first}
      {view.part ? <Skeleton /> : <Further />}
    </div>
  );
}

/** Below the first screen; of a long debate it comes later. */
function Further() {
  const view = useDebate();
  return (
    <>
      <Summary />
      <OwnResult />
      {view.judgement && view.trace.rows.length > 0 && <Fates />}
      {GoOn && !readOnly(view.run_id) && view.turns > 0 && (
        <Suspense>
          <GoOn view={view} />
        </Suspense>
      )}
      <Rest />
    </>
  );
}

/** What a model wrote, with the arguments that each sentence cites. */
function Summary() {
  const { model_summary: summary, language } = useDebate();
  if (!summary) return null;
  return (
    <Card title={summary.title}>
      <ul className="max-w-[75ch] space-y-3">
        {summary.sentences.map((one) => (
          <li key={one.text} dir="auto" lang={language}>
            {one.text}{" "}
            <span className="text-sm text-muted">
              {one.ids.map((id) => (
                <ClaimLink key={id} id={id} />
              ))}{" "}
              “{one.quote}”
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted" lang="en">
        {summary.key}
      </p>
    </Card>
  );
}

/** What it rests on. */
function Rest() {
  const view = useDebate();
  const { checks } = view;
  return (
    <div>
      {view.topic.length > WHOLE && (
        <Fold title={own.question}>
          <p className="max-w-[68ch] whitespace-pre-wrap" dir="auto" lang={view.language}>
            {view.topic}
          </p>
        </Fold>
      )}
      {checks && (checks.control || checks.control_lines.length > 0) && (
        <Fold title={w.control}>
          <p className="mb-3 max-w-[75ch]" dir="auto" lang="en">
            {checks.control}
          </p>
          <Lines lines={checks.control_lines} />
        </Fold>
      )}
      {view.hints.length > 0 && (
        <Fold title={w.hints}>
          <p className="mb-3 max-w-[75ch] text-sm text-muted" lang="en">
            {view.hint_key}
          </p>
          <Lines lines={view.hints.map((hint) => hint.text)} />
        </Fold>
      )}
      {checks && (
        <Fold title={w.reliability}>
          <Lines lines={checks.reliability} />
          <div className="mt-5">
            <TextTableView table={checks.panel} />
          </div>
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
          <TextTableView table={view.bill} quiet />
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

/** Characters of a question that always fit into the head of the page. */
const WHOLE = 100;

function Seats() {
  const { seats } = useDebate();
  const [seat, role, model, lens] = w.participantHeads;
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
        ...(seats.some((chair) => chair.lens) ? [{ key: "lens", head: lens, cell: (chair: Chair) => chair.lens }] : []),
      ]}
    />
  );
}
