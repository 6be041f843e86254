/** How a debate was argued: what weakens the figures first, then the table of turns, plots, metrics, and how to repeat it. */

import { useContext } from "react";
import { at, type EvaluationMetric, type EvaluationView } from "../api";
import { decoded, useHash } from "../reading/links";
import { JudgingContext, useDebate } from "../reading/open";
import { Fold, Lines, TextTableView } from "../reading/parts";
import { useNavigate } from "../router";
import { Card } from "../ui/Card";
import { Care } from "../ui/Said";
import { Table } from "../ui/Table";
import { words } from "../words/evaluating";
import { EvaluateButton, useMayEvaluate } from "./EvaluateButton";
import { NotEvaluated } from "./NotEvaluated";
import { PlotFigure } from "./PlotFigure";
import { SeatTable } from "./SeatTable";
import { TurnDialog } from "./TurnDialog";

const w = words.evaluation;

export default function Evaluation() {
  const evaluation = useDebate().sections?.evaluation;
  return evaluation ? <Figures found={evaluation} /> : <NotEvaluated />;
}

function Figures({ found }: { found: EvaluationView }) {
  const led = decoded(useHash());
  const navigate = useNavigate();
  const turn = found.turns.find((one) => one.turn === led);
  const open = (id: string) =>
    void navigate({ to: "/debates/$id/evaluation", params: { id: found.run_id }, hash: id, resetScroll: false });
  return (
    <div className="space-y-12">
      <div className="space-y-3">
        {found.badges.map((badge) => (
          <div key={badge.text} lang="en">
            <Care title={badge.text}>{badge.why}</Care>
          </div>
        ))}
        <Summary found={found} />
      </div>
      <Card title={w.table}>
        <SeatTable found={found} />
        <p className="mt-3 max-w-[90ch] text-sm text-muted" lang="en">
          {found.key}
        </p>
      </Card>
      <Card title={w.plots}>
        <div className="space-y-8">
          {found.plots.map((plot) => (
            <PlotFigure key={plot.id} plot={plot} />
          ))}
        </div>
        <div className="mt-6 space-y-6">
          <Lines lines={found.movement} />
          <TextTableView table={found.speakers} />
          <TextTableView table={found.syntheses} />
        </div>
      </Card>
      <Card title={w.metrics}>
        <Metrics metrics={found.metrics} />
      </Card>
      <Care title={w.cannot}>
        <span lang="en">{found.cannot}</span>
      </Care>
      <div>
        <Fold title={w.judges}>
          <TextTableView table={found.judges} />
        </Fold>
        <Fold title={w.repeat}>
          <Lines lines={found.repeat} />
          {!SHARED && (
            <a
              href={at(found.run_id, "evaluation")}
              download={`${found.run_id}.evaluation.json`}
              className="mt-3 inline-block text-sm text-accent underline underline-offset-2"
            >
              {w.download}
            </a>
          )}
        </Fold>
      </div>
      <TurnDialog found={found} turn={turn} open={open} />
    </div>
  );
}

function Summary({ found }: { found: EvaluationView }) {
  const waiting = useContext(JudgingContext);
  const may = useMayEvaluate();
  return (
    <section aria-label={w.summary} className="rounded-lg border border-line bg-raised p-4 sm:p-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-sm text-muted" lang="en">
          {found.panel}
        </p>
        {may && !waiting && <EvaluateButton label={w.again} />}
      </div>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2" lang="en">
        {found.facts.map(({ label, text }) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Metrics({ metrics }: { metrics: readonly EvaluationMetric[] }) {
  return (
    <Table<EvaluationMetric>
      stacked
      quiet
      caption={w.metricsCaption}
      rows={metrics}
      name={(metric) => metric.name}
      columns={[
        { key: "name", head: w.metricHeads.name, cell: (metric) => <span lang="en">{metric.name}</span> },
        { key: "value", head: w.metricHeads.value, cell: (metric) => <b>{metric.shown}</b>, className: "tabular-nums" },
        { key: "range", head: w.metricHeads.range, cell: (metric) => metric.range, className: "md:whitespace-nowrap" },
        { key: "means", head: w.metricHeads.means, cell: (metric) => <span lang="en">{metric.means}</span> },
        { key: "not", head: w.metricHeads.not, cell: (metric) => <span lang="en">{metric.not_means}</span> },
      ]}
    />
  );
}
