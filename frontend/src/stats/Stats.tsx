/** Figures over many debates: tables first, small plots second. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FigureOverRuns, get, type RunGroup, type Statistics } from "../api";
import { Link, useNavigate } from "../router";
import { Button, buttonLook } from "../ui/Button";
import { Card } from "../ui/Card";
import { Select } from "../ui/Field";
import { Care, Empty, Loading, NoPage } from "../ui/Said";
import { type Column, Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { words as doing, fixed } from "../words/doing";
import { words } from "../words/evaluating";
import { Intervals } from "./Intervals";
import { known, named, partsOf, written } from "./parts";

const w = words.stats;

interface Sought {
  by: string;
  since: string;
}

export default function Stats({ by, since }: Sought) {
  const asked = new URLSearchParams({ ...(by ? { by } : {}), ...(since ? { since } : {}) });
  const found = useQuery({
    queryKey: ["stats", by, since],
    queryFn: ({ signal }) => get<Statistics>(`/api/stats?${asked}`, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="space-y-10">
      <Title>{doing.title(w.title)}</Title>
      <header>
        <h1 className="mb-2 text-3xl">{w.title}</h1>
        <p className="max-w-[75ch] text-muted">{w.intro}</p>
      </header>
      <Choices by={by} since={since} />
      {found.error ? (
        <NoPage error={found.error} again={() => void found.refetch()} />
      ) : found.data ? (
        <Found found={found.data} span={since} />
      ) : (
        <Loading />
      )}
    </div>
  );
}

function Choices({ by, since }: Sought) {
  const navigate = useNavigate();
  const go = (some: Partial<Sought>) => void navigate({ to: "/stats", search: { by, since, ...some }, replace: true });
  return (
    <div className="no-print grid max-w-xl gap-4 sm:grid-cols-2">
      <Select
        label={w.by}
        value={by}
        choices={[["", w.together], ...Object.entries(w.groups)]}
        onChange={(event) => go({ by: event.target.value })}
      />
      <Select
        label={w.since}
        value={since}
        choices={Object.entries(w.spans)}
        onChange={(event) => go({ since: event.target.value })}
      />
    </div>
  );
}

export function Found({ found, span }: { found: Statistics; span: string }) {
  const { whole } = found;
  if (!whole.runs) return span ? <NoneInSpan by={found.by ?? ""} /> : <None />;
  const groups = [whole, ...found.groups];
  return (
    <div className="space-y-12">
      <p role="status" className="text-lg">
        {w.counted(whole.runs, whole.evaluated)}
        {found.ungrouped > 0 && <span className="text-sm text-muted"> · {w.ungrouped(found.ungrouped)}</span>}
        {found.left_out > 0 && <span className="text-sm text-muted"> · {w.leftOut(found.left_out)}</span>}
      </p>
      {!whole.evaluated && <Care title={w.none}>{w.unevaluated}</Care>}
      {partsOf(groups).map(([part, names]) => (
        <Card key={part} title={w.parts[part]}>
          <Figures caption={w.caption(w.parts[part])} names={names} groups={groups} />
        </Card>
      ))}
      <ByOutcome whole={whole} />
      <div className="grid gap-10 sm:grid-cols-2">
        <Card title={w.calibration}>
          <p className="text-sm">{calibration(whole)}</p>
        </Card>
        <Card title={w.threshold}>
          <p className="text-sm">{threshold(found)}</p>
        </Card>
        {whole.evaluated > 0 && (
          <Card title={w.people}>
            <p className="text-sm">{people(found)}</p>
          </Card>
        )}
      </div>
      <Targets found={found.targets} />
      <Intervals groups={groups} />
    </div>
  );
}

/** What the source document promises of debates with all seats, beside what was measured. */
function Targets({ found }: { found: Statistics["targets"] }) {
  if (!found?.length) return null;
  const shown = (name: string, value: number | null) => (value === null ? w.absent : written(name, value));
  return (
    <Card title={w.targets}>
      <Table
        quiet
        className="md:w-auto"
        caption={w.targetsCaption}
        rows={[...found]}
        name={(one) => one.figure}
        columns={[
          { key: "figure", head: w.figure, cell: (one) => named(one.figure) },
          { key: "standard", head: w.standard, cell: (one) => shown(one.figure, one.standard) },
          { key: "extended", head: w.extended, cell: (one) => shown(one.figure, one.extended) },
          { key: "target", head: w.target, cell: (one) => w.aims(written(one.figure, one.target), one.figure) },
          { key: "reached", head: w.reached, cell: (one) => w.reaches(one.reached) },
        ]}
      />
    </Card>
  );
}

function None() {
  return (
    <Empty title={w.none}>
      <p className="mb-5">{w.noneWhy}</p>
      <Link to="/new" className={buttonLook("main")}>
        {w.noneDo}
      </Link>
    </Empty>
  );
}

function NoneInSpan({ by }: { by: string }) {
  const navigate = useNavigate();
  return (
    <Empty title={w.noneInSpan}>
      <Button onClick={() => void navigate({ to: "/stats", search: { by, since: "" } })}>{w.noneInSpanDo}</Button>
    </Empty>
  );
}

function Figures({ caption, names, groups }: { caption: string; names: string[]; groups: readonly RunGroup[] }) {
  const columns: Column<string>[] = [
    { key: "figure", head: w.figure, cell: named, className: "min-w-36" },
    ...groups.map((group, n) => ({
      key: `${n}`,
      head: group.value || w.all,
      cell: (name: string) => <Median name={name} found={group.figures[name]} />,
    })),
  ];
  return (
    <Table stacked quiet className="md:w-auto" caption={caption} columns={columns} rows={names} name={(name) => name} />
  );
}

/** Below ten debates their number alone; where no debate has the figure, that it is not known. */
function Median({ name, found }: { name: string; found: FigureOverRuns | undefined }) {
  const value = known(found);
  if (!found) return <span className="text-muted">{w.absent}</span>;
  if (!value) return <span className="text-muted">{w.fewer(found.runs)}</span>;
  return (
    <span className="md:block md:min-w-36">
      <b className="tabular-nums">{written(name, value.median)}</b>{" "}
      <span className="text-xs text-muted tabular-nums md:block">
        {w.span(written(name, value.low), written(name, value.high))} · {w.of(found.runs)}
      </span>
    </span>
  );
}

function ByOutcome({ whole }: { whole: RunGroup }) {
  const rows = Object.entries(whole.dollars_by_outcome);
  if (!rows.length) return null;
  return (
    <Card title={w.byOutcome}>
      <Table
        quiet
        className="md:w-auto"
        caption={w.byOutcomeCaption}
        rows={rows}
        name={([outcome]) => outcome}
        columns={[
          { key: "outcome", head: w.outcome, cell: ([outcome]) => <span dir="auto">{outcome}</span> },
          { key: "cost", head: named("dollars"), cell: ([, cost]) => <Median name="dollars" found={cost} /> },
        ]}
      />
    </Card>
  );
}

function calibration({ calibration: found }: RunGroup): string {
  if (found.brier === null || found.error === null || found.right === null)
    return w.calibrationNone(found.outcomes, found.needed);
  const share = `${Math.round(found.right * 100)}%`;
  return w.calibrationSays(share, fixed(found.brier, 2), fixed(found.error, 2), found.outcomes);
}

function threshold({ threshold: found }: Statistics): string {
  if (found.complexity === null) return w.thresholdNone(found.pairs, found.needed);
  return found.complexity > 1
    ? w.thresholdNever(found.pairs)
    : w.thresholdSays(fixed(found.complexity, 2), found.pairs);
}

function people({ people: found }: Statistics): string {
  if (found.remark) return w.peopleNone(found.labels, found.needed);
  return (["verdicts", "rungs"] as const)
    .map((what) => w.peopleAgree(w.peopleOn[what], found[what].same, found[what].pairs, found[what].kappa?.toFixed(2)))
    .join(" ");
}
