/** Small things that several pages of a debate show. */

import type { ReactNode } from "react";
import type { TextTable } from "../api";
import { Link } from "../router";
import { SIGNS, SideTag, type Standing } from "../ui/Badge";
import { Table } from "../ui/Table";
import { words } from "../words/reading";
import { useDebate, useIndex } from "./open";

type Page = "" | "transcript" | "trace" | "map" | "scores" | "replay" | "documents" | "evaluation";

/** A link to a page of this debate, and to a turn or argument on it. */
export function To({
  page,
  at,
  className = "text-accent underline underline-offset-2",
  children,
  label,
}: {
  page: Page;
  at?: string;
  className?: string;
  children: ReactNode;
  label?: string;
}) {
  const { run_id: id } = useDebate();
  return (
    <Link
      to={page ? `/debates/$id/${page}` : "/debates/$id"}
      params={{ id }}
      {...(at ? { hash: at } : {})}
      className={className}
      aria-label={label}
    >
      {children}
    </Link>
  );
}

/** Who speaks: the word of the side in its colour, and the speaker's name; in `full` with the id, where that is another word. */
export function Who({ seat, full = false }: { seat: string; full?: boolean }) {
  const chair = useIndex().seats.get(seat);
  const name = chair?.name || seat;
  const other = full && written(name) !== written(seat);
  // "PRO Pro" would say it twice.
  const known = chair?.side && chair.side === written(name);
  return (
    <SideTag side={chair?.side ?? ""}>
      {!known && <span dir="auto">{name}</span>}
      {other && <span className="font-normal text-muted">{seat}</span>}
    </SideTag>
  );
}

const written = (name: string) => name.toLowerCase().replaceAll(" ", "_");

/** An argument by its name, with the sign of its standing for those who see and the word for those who listen. */
export function ClaimLink({
  id,
  standing,
  page = "trace",
  plain = false,
}: {
  id: string;
  standing?: Standing | null;
  page?: Page;
  /** In the colour of what stands around it. */
  plain?: boolean;
}) {
  return (
    <To
      page={page}
      at={id}
      className={`font-medium whitespace-nowrap underline underline-offset-2 ${plain ? "" : "text-accent"}`}
    >
      {standing && (
        <>
          <span aria-hidden="true">{SIGNS[standing]} </span>
          <span className="sr-only">{words.standing[standing]} </span>
        </>
      )}
      {id}
    </To>
  );
}

const FIGURE = /^[−+-]?[\d,.]+(\s?%)?$|^(–|not scored|not known|unknown|)$/;

/** A table that came ready from the server. */
/** `full` takes all the room there is. */
export function TextTableView({ table, quiet, full }: { table: TextTable; quiet?: boolean; full?: boolean }) {
  if (!table.rows.length) return null;
  const columns = table.heads.map((head, n) => ({
    key: `${n}`,
    head,
    cell: (row: string[]) => <span dir="auto">{row[n]}</span>,
    numeric: n > 0 && table.rows.every((row) => FIGURE.test(row[n] ?? "")),
  }));
  return (
    <Table
      caption={table.caption}
      lang="en"
      className={full ? "" : "max-w-4xl"}
      stacked={table.heads.length > 3}
      {...(quiet ? { quiet } : {})}
      columns={columns}
      rows={table.rows}
      name={(row, n) => `${n} ${row[0]}`}
    />
  );
}

/** What most readers do not need is one press away; on paper it is open. */
export function Fold({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details className="group border-t border-line">
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 font-medium [&::-webkit-details-marker]:hidden">
        <h2 className="text-base font-medium">{title}</h2>
        <span aria-hidden="true" className="text-muted transition-transform group-open:rotate-90">
          ›
        </span>
      </summary>
      <div className="pt-1 pb-6">{children}</div>
    </details>
  );
}

export function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="max-w-[75ch] list-disc space-y-1 pl-5 text-sm">
      {lines.map((line) => (
        <li key={line} dir="auto" lang="en">
          {line}
        </li>
      ))}
    </ul>
  );
}
