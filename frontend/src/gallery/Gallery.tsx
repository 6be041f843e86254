/** Every shared part of the pages in each of its states, with invented words. No menu leads here. */

import type { ReactNode } from "react";
import { ArgumentCard } from "../ui/ArgumentCard";
import { Badge, SideTag } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { CareStrip } from "../ui/CareStrip";
import { EvidenceChip } from "../ui/EvidenceChip";
import { FailureCard } from "../ui/FailureCard";
import { Checkbox, Select, TextField } from "../ui/Field";
import { IntervalBars, type IntervalRow } from "../ui/IntervalBar";
import { Care, Empty, Problem } from "../ui/Said";
import { Skeleton } from "../ui/Skeleton";
import { SIGNS, type Standing, StandingChip } from "../ui/StandingChip";
import { Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { type Sure, TrustChip } from "../ui/TrustChip";
import { VerdictCard } from "../ui/VerdictCard";
import { gallery as w } from "../words/gallery";
import { LiveParts } from "./LiveParts";

export default function Gallery() {
  return (
    <div className="space-y-10">
      <Title>{w.title}</Title>
      <header>
        <h1 className="text-2xl">{w.title}</h1>
        <p className="text-muted">{w.why}</p>
      </header>
      <Verdicts />
      <Chips />
      <Arguments />
      <LiveParts />
      <Faults />
      <Tables />
      <Controls />
      <Waits />
    </div>
  );
}

/** One kind of part: its name, and its states below each other. */
export function Shelf({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="space-y-4">{children}</div>
    </Card>
  );
}

const SURE: readonly Sure[] = ["High", "Medium", "Low", "Not reliable", "Not measured"];
const STANDINGS = Object.keys(SIGNS) as Standing[];

const bar = (side: "pro" | "con", mean: number, interval: IntervalRow["interval"]): IntervalRow => ({
  key: side,
  label: w[side],
  side,
  mean,
  interval,
  shown: mean.toFixed(1),
  within: interval ? interval.map((end) => end.toFixed(1)).join("–") : "",
  told: w.told(mean),
});
const BARS = [bar("pro", 6.9, [6.1, 7.6]), bar("con", 5.2, [4.4, 6.4])];

function Verdicts() {
  return (
    <>
      <Shelf title={w.parts.verdict}>
        {([false, true] as const).map((weak) => (
          <VerdictCard
            key={String(weak)}
            chip={<Badge look={weak ? "care" : "accent"}>{w.chip}</Badge>}
            sentence={weak ? w.weak : w.sentence}
            more={w.more}
            weak={weak}
            bars={<IntervalBars rows={BARS} ends={w.ends} />}
            note={w.note}
            trust={{ word: weak ? "Not reliable" : "High", reason: w.more }}
            change={w.change}
            help={<Button>{w.press}</Button>}
          />
        ))}
        <VerdictCard chip={<Badge>{w.chip}</Badge>} sentence={w.more} weak={false} />
      </Shelf>
      <Shelf title={w.parts.bars}>
        <IntervalBars rows={[bar("pro", 0, [0, 0.4]), bar("con", 10, [9, 10])]} ends={w.ends} />
        <IntervalBars rows={[bar("pro", 5, null)]} ends={w.ends} />
      </Shelf>
    </>
  );
}

const Row = ({ children }: { children: ReactNode }) => <p className="flex flex-wrap items-center gap-2">{children}</p>;

function Chips() {
  return (
    <>
      <Shelf title={w.parts.trust}>
        <Row>
          {SURE.map((one) => (
            <TrustChip key={one} sure={one} />
          ))}
        </Row>
      </Shelf>
      <Shelf title={w.parts.standing}>
        <Row>
          {[...STANDINGS, null].map((one) => (
            <StandingChip key={one} standing={one} />
          ))}
        </Row>
      </Shelf>
      <Shelf title={w.parts.evidence}>
        <Row>
          <EvidenceChip source={w.source} found={w.accepted} passed />
          <EvidenceChip source={w.own} found={w.unsupported} />
          <EvidenceChip source={w.source} />
        </Row>
      </Shelf>
      <Shelf title={w.parts.care}>
        <CareStrip reasons={w.reasons.slice(0, 1)} />
        <CareStrip reasons={w.reasons} />
        <Care title={w.chip}>{w.more}</Care>
      </Shelf>
    </>
  );
}

function Arguments() {
  const evidence = [{ source: w.source, found: w.accepted, passed: true }, { source: w.own }];
  return (
    <Shelf title={w.parts.argument}>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
        {[...STANDINGS, null].map((standing, n) => (
          <ArgumentCard
            key={standing}
            id={n % 2 ? `CON-${n}` : `PRO-${n}`}
            side={n % 2 ? "con" : "pro"}
            claim={w.claim}
            standing={standing}
            strength={standing ? 1 - n / 6 : null}
            reason={w.reason}
            evidence={evidence.slice(0, n % 3)}
            large={n === 0}
          />
        ))}
        <ArgumentCard id="r1.t0-1" side="con" claim={w.claim} seat={w.seat} note={w.note} />
        <ArgumentCard id="r1.t0-2" side="" claim={w.claim} />
      </div>
    </Shelf>
  );
}

function Faults() {
  return (
    <Shelf title={w.parts.failure}>
      <FailureCard chip={w.chip} title={w.failure} why={w.reason} fix={w.fix} kept={w.kept}>
        <Button look="main">{w.press}</Button>
        <Button>{w.press}</Button>
      </FailureCard>
      <FailureCard chip={w.chip} title={w.problem} />
    </Shelf>
  );
}

const ROWS = [1, 2, 3];
const COLUMNS = [
  { key: "row", head: w.column, cell: (n: number) => w.row(n), sort: (n: number) => n },
  { key: "figure", head: w.note, numeric: true, cell: (n: number) => (n / 3).toFixed(2), sort: (n: number) => -n },
];

function Tables() {
  return (
    <>
      <Shelf title={w.parts.table}>
        <Table label={w.row(1)} caption={w.more} rows={ROWS} columns={COLUMNS} name={w.row} />
        <Table label={w.row(2)} caption={w.more} stacked rows={ROWS} columns={COLUMNS} name={w.row} />
      </Shelf>
      <Shelf title={w.parts.heat}>
        <Row>
          {[0, 3, 6, 10].map((heat) => (
            <span
              key={heat}
              className="grid min-h-11 min-w-16 place-items-center rounded-sm text-sm"
              style={{ background: `color-mix(in oklab, var(--accent) ${heat * 4.5}%, var(--raised))` }}
            >
              {heat.toFixed(1)}
            </span>
          ))}
        </Row>
      </Shelf>
    </>
  );
}

function Controls() {
  return (
    <Shelf title={w.parts.buttons}>
      <Row>
        {(["main", "plain", "quiet", "danger"] as const).map((look) => (
          <Button key={look} look={look}>
            {w.press}
          </Button>
        ))}
        <Button disabled>{w.press}</Button>
        <Button busy>{w.press}</Button>
      </Row>
      <Row>
        {(["plain", "care", "accent"] as const).map((look) => (
          <Badge key={look} look={look}>
            {w.chip}
          </Badge>
        ))}
        {(["pro", "con", "judge", ""] as const).map((side) => (
          <SideTag key={side} side={side}>
            {w.seat}
          </SideTag>
        ))}
      </Row>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField label={w.label} hint={w.note} placeholder={w.more} />
        <TextField label={w.label} problem={w.problem} defaultValue={w.model} />
        <Select label={w.label} choices={ROWS.map((n) => [w.row(n), w.row(n)])} />
        <Checkbox label={w.label} hint={w.note} />
      </div>
    </Shelf>
  );
}

function Waits() {
  return (
    <>
      <Shelf title={w.parts.skeleton}>
        {(["verdict", "rows", "text"] as const).map((shape) => (
          <Skeleton key={shape} shape={shape} />
        ))}
      </Shelf>
      <Shelf title={w.parts.said}>
        <Empty title={w.chip}>{w.more}</Empty>
        <Problem error={new Error(w.problem)} />
      </Shelf>
    </>
  );
}
