/** The marks a verdict rests on: what the panel gave to what, each judge's own, and the board of a competition. */
import { useState } from "react";
import type { Cell, MarkGrid, MarkRow, ScoreBoard } from "../api";
import { namesSide } from "../ui/ArgumentCard";
import { SideTag } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { Checkbox } from "../ui/Field";
import { Empty } from "../ui/Said";
import { type Column, Table } from "../ui/Table";
import { words } from "../words/reading";
import { Course } from "./Course";
import { Bars } from "./FirstScreen";
import { useDebate, useIndex, useName } from "./open";
import { ClaimLink, Lines, TextTableView, To, Who } from "./parts";
import { hasSides } from "./tree";

const w = words.scores;

export default function Scores() {
  const view = useDebate();
  const { marks, board, totals, first } = view;
  if (!marks.length && !board && !totals.length)
    return (
      <Empty title={w.none}>
        <p>{w.noneWhy}</p>
      </Empty>
    );
  return (
    <div className="space-y-12">
      {totals.length > 0 && !board && (
        <Card title={hasSides(view) ? w.totals : w.totalsEach}>
          <div className="max-w-2xl space-y-2">
            <Bars />
            <p className="text-note text-muted">{first.bars_note}</p>
          </div>
        </Card>
      )}
      {board ? <Sections board={board} marks={marks} /> : marks.map((grid) => <Grid key={grid.what} grid={grid} />)}
    </div>
  );
}

/** A competition has more than fits on a screen: one part of it at a time; on paper all of them. */
function Sections({ board, marks }: { board: ScoreBoard; marks: readonly MarkGrid[] }) {
  const [shown, show] = useState("board");
  const sections = [
    { key: "board", title: w.board, part: <Board board={board} /> },
    ...marks.map((grid) => ({ key: grid.what, title: w.gridTitle(grid.what), part: <Grid grid={grid} /> })),
  ];
  return (
    <>
      <fieldset className="no-print flex flex-wrap gap-2">
        <legend className="sr-only">{w.sections}</legend>
        {sections.map(({ key, title }) => (
          <Button
            key={key}
            aria-pressed={shown === key}
            className={shown === key ? "border-accent! bg-accent-soft!" : ""}
            onClick={() => show(key)}
          >
            {title}
          </Button>
        ))}
      </fieldset>
      {sections.map(({ key, part }) => (
        <div key={key} className={shown === key ? "" : "hidden print:block"}>
          {part}
        </div>
      ))}
    </>
  );
}

function Grid({ grid }: { grid: MarkGrid }) {
  const [each, setEach] = useState(false);
  const spread = grid.rows.some((row) => row.cells.some((cell) => cell.judges.length > 1));
  const columns: Column<MarkRow>[] = [
    {
      key: "what",
      head: grid.what,
      cell: (row) => <About row={row} grid={grid} />,
      className: "min-w-44",
      sort: (row) => row.about,
    },
    ...grid.dimensions.map((dimension, n) => ({
      key: `d${n}`,
      head: dimension,
      cell: (row: MarkRow) => <Mark cell={row.cells[n]} each={each} />,
      sort: (row: MarkRow) => row.cells[n]?.mean,
      className: "!p-0.5 min-w-20",
    })),
    {
      key: "total",
      head: w.total,
      cell: (row) => <Mark cell={row.total} each={false} strong />,
      sort: (row) => row.total.mean,
      className: "!p-0.5 min-w-16",
    },
  ];
  return (
    <Card
      title={w.gridTitle(grid.what)}
      aside={spread && <Checkbox label={w.spread} checked={each} onChange={(event) => setEach(event.target.checked)} />}
    >
      <Table
        label={w.gridTable(grid.what)}
        caption={grid.caption}
        columns={columns}
        rows={grid.rows}
        name={(row) => row.about}
      />
    </Card>
  );
}

function About({ row, grid }: { row: MarkRow; grid: MarkGrid }) {
  const { claims, seats } = useIndex();
  const name = useName()(row.seat);
  const side = seats.get(row.seat)?.side ?? "";
  const argument = grid.what === "argument";
  return (
    <span className="block font-normal">
      {argument ? (
        <ClaimLink id={row.about} standing={claims.get(row.about)?.standing ?? null} />
      ) : (
        <To page="transcript" at={row.about}>
          {row.about}
        </To>
      )}{" "}
      <span className="text-muted">
        <SideTag side={namesSide(row.about, side) ? "" : side}>
          <span dir="auto">{name}</span>
        </SideTag>
      </span>
      {row.words && (
        <span className="line-clamp-2 max-w-[44ch] text-muted" title={row.words} dir="auto">
          {row.words}
        </span>
      )}
    </span>
  );
}

const heat = (share: number) => `color-mix(in oklab, var(--accent) ${share * 4.5}%, var(--raised))`;
/** Hatched: it was not read, which is not a mark of 0. */
const UNREAD = "repeating-linear-gradient(135deg, var(--raised) 0 5px, var(--sunken) 5px 10px)";

/** The stronger the colour the higher the mark; the number says it too. */
function Mark({ cell, each, strong = false }: { cell: Cell | undefined; each: boolean; strong?: boolean }) {
  if (!cell) return null;
  return (
    <div
      className={`flex h-full min-h-11 flex-col items-center justify-center rounded-sm px-1 py-1 text-center ${strong ? "font-semibold" : ""}`}
      style={{ background: cell.mean === null ? UNREAD : heat(cell.heat) }}
      title={cell.spread || undefined}
    >
      {cell.mean === null ? <span title={w.missing}>{cell.shown}</span> : cell.shown}
      {each &&
        cell.judges.map(({ judge, shown }) => (
          <span key={judge} className="text-xs font-normal whitespace-nowrap">
            {judge} {shown}
          </span>
        ))}
    </div>
  );
}

function Board({ board }: { board: ScoreBoard }) {
  const debaters: Column<ScoreBoard["debaters"][number]>[] = [
    ...board.debater_heads.map((head, n) => ({
      key: `${n}`,
      head,
      cell: (row: ScoreBoard["debaters"][number]) => (n ? row.cells[n] : <Who seat={row.seat} />),
      numeric: n > 1,
    })),
    {
      key: "speeches",
      head: w.speechMarks,
      className: "min-w-48",
      cell: (row) => (
        <span className="flex flex-wrap gap-1.5">
          {row.speeches.map(({ label, text }) => (
            <To
              key={label}
              page="transcript"
              at={label}
              label={`${label}: ${text}`}
              className="rounded border border-line px-1.5 text-accent hover:border-accent"
            >
              {text}
            </To>
          ))}
        </span>
      ),
    },
  ];
  return (
    <Card title={w.board}>
      {board.best && <p className="mb-5 text-lg font-medium">{board.best}</p>}
      <div className="space-y-8">
        <TextTableView table={board.teams} />
        <Course board={board} />
        <Table stacked caption={w.debaters} columns={debaters} rows={board.debaters} name={(row) => row.seat} />
        <TextTableView table={board.stages} />
        {board.summaries.length > 0 && <Lines lines={board.summaries} />}
        <TextTableView table={board.penalties} />
      </div>
    </Card>
  );
}
