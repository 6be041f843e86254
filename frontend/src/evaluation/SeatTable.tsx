/** Seats and rounds, with a cell for each turn that opens it. On a phone each seat is a card, its rounds below each other. */

import type { EvaluationView, SeatLine, TurnCell } from "../api";
import { Who } from "../reading/parts";
import { Link } from "../router";
import { type Column, Table } from "../ui/Table";
import { words } from "../words/evaluating";
import { CellContent } from "./Cell";

const w = words.evaluation;
/** More rounds than that, and most of their columns would be empty: turns then follow each other. */
const MOST_COLUMNS = 6;

export function SeatTable({ found }: { found: EvaluationView }) {
  const packed = found.rounds.length > MOST_COLUMNS;
  const columns: Column<SeatLine>[] = [
    { key: "seat", head: w.seat, className: "min-w-24", cell: (line) => <Seat line={line} /> },
    ...(packed ? [inOneColumn(found)] : byRound(found)),
  ];
  return (
    <Table
      stacked
      className={packed ? "" : "md:w-auto"}
      caption={w.tableCaption}
      columns={columns}
      rows={found.seats}
      name={(line) => line.seat}
    />
  );
}

function Seat({ line }: { line: SeatLine }) {
  return (
    <span className="block">
      <Who seat={line.seat} />
      <span className="block text-xs font-normal text-muted">
        {w.mean} {line.rho}
      </span>
    </span>
  );
}

function byRound(found: EvaluationView): Column<SeatLine>[] {
  return found.rounds.map((round, n) => ({
    key: `${round.index}`,
    head: round.label,
    className: "md:min-w-56 !px-1",
    cell: (line: SeatLine) => {
      const cells = line.cells[n] ?? [];
      if (!cells.length) return <span className="silent text-muted">{w.silent}</span>;
      return (
        <span className="block space-y-1.5 max-md:mt-1">
          {cells.map((cell) => (
            <Cell key={cell.turn} id={found.run_id} cell={cell} />
          ))}
        </span>
      );
    },
  }));
}

function inOneColumn(found: EvaluationView): Column<SeatLine> {
  return {
    key: "turns",
    head: w.turns,
    bare: true,
    cell: (line) => (
      <span className="flex flex-wrap gap-2">
        {line.cells.flatMap((cells, n) =>
          cells.map((cell) => (
            <span key={cell.turn} className="block w-52 max-md:w-full">
              <span className="block truncate text-xs text-muted" dir="auto">
                {found.rounds[n]?.label}
              </span>
              <Cell id={found.run_id} cell={cell} />
            </span>
          )),
        )}
      </span>
    ),
  };
}

/** The link holds what is heard but not seen: out of its place that would make the page wider than it is. */
function Cell({ id, cell }: { id: string; cell: TurnCell }) {
  return (
    <Link
      to="/debates/$id/evaluation"
      params={{ id }}
      hash={cell.turn}
      className="relative block max-w-72 rounded-md border border-line bg-raised p-2 hover:border-accent"
    >
      <span className="sr-only">{w.open(cell.says)}</span>
      <CellContent cell={cell} />
    </Link>
  );
}
