/** A table with a caption and scopes. A wide one moves inside its frame, not the page; heads may sort. */
import { type ReactNode, useState } from "react";
import { language } from "../words/language";
import { words } from "../words/reading";

export interface Column<Row> {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Its value, if the column can be sorted by. */
  sort?: (row: Row) => string | number | null | undefined;
  numeric?: boolean;
  /** Needs no head beside it where rows are stacked. */
  bare?: boolean;
  className?: string;
}

interface Props<Row> {
  caption: string;
  /** Names its frame, where the caption alone does not tell it from others. */
  label?: string;
  /** Whether the caption is only for those who do not see the page. */
  quiet?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Names a row; it is also its anchor where `anchors` is set. */
  name: (row: Row, index: number) => string;
  anchors?: boolean;
  led?: string;
  /** On a narrow screen every row becomes a small card. */
  stacked?: boolean;
  className?: string;
  /** Where its words are not in the language of the page. */
  lang?: string;
}

interface Order {
  key: string;
  up: boolean;
}

export function Table<Row>({
  caption,
  label = caption,
  quiet,
  columns,
  rows,
  name,
  anchors,
  led,
  stacked,
  className = "",
  lang,
}: Props<Row>) {
  const [order, setOrder] = useState<Order | null>(null);
  const turn = (key: string) => setOrder((was) => ({ key, up: was?.key === key ? !was.up : true }));
  return (
    // A frame that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="frame overflow-x-auto" aria-label={label} tabIndex={0} lang={lang}>
      <table className={`w-full border-collapse text-sm ${stacked ? "stacked" : ""} ${className}`}>
        <caption className={quiet ? "sr-only" : "pb-2 text-left text-sm text-muted"}>
          {/* A table wider than its frame moves; its caption stays in sight. */}
          <span className="sticky left-0 block w-fit max-w-[calc(100vw-3.25rem)] print:static print:max-w-none">
            {caption}
          </span>
        </caption>
        <thead>
          <tr className="border-b border-edge">
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} turn={turn} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, order).map((row, index) => {
            const id = name(row, index);
            return (
              <tr
                key={id}
                id={anchors ? id : undefined}
                className={`border-b border-line align-top ${led === id ? "led-to" : ""}`}
              >
                {columns.map((column, n) => {
                  const look = `px-2 py-2 first:pl-0 last:pr-0 ${column.numeric ? "figures" : "text-left"} ${column.className ?? ""}`;
                  const told = typeof column.head === "string" && !column.bare ? column.head : undefined;
                  return n ? (
                    <td key={column.key} className={look} data-label={told}>
                      {column.cell(row)}
                    </td>
                  ) : (
                    <th key={column.key} scope="row" className={`font-medium ${look}`}>
                      {column.cell(row)}
                    </th>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Head<Row>({ column, order, turn }: { column: Column<Row>; order: Order | null; turn: (key: string) => void }) {
  const now = order?.key === column.key ? (order.up ? "ascending" : "descending") : undefined;
  const look = `px-2 pb-1.5 align-bottom font-medium text-muted first:pl-0 last:pr-0 ${column.numeric ? "text-right" : "text-left"}`;
  return (
    <th scope="col" className={look} {...(now ? { "aria-sort": now } : {})}>
      {column.sort ? (
        <button
          type="button"
          className={`inline-flex min-h-6 items-baseline gap-1 font-medium hover:text-ink ${column.numeric ? "flex-row-reverse" : ""}`}
          onClick={() => turn(column.key)}
          title={typeof column.head === "string" ? words.sortBy(column.head) : undefined}
        >
          {column.head}
          <span aria-hidden="true" className="no-print w-3 text-xs">
            {now === "ascending" ? "↑" : now === "descending" ? "↓" : "↕"}
          </span>
        </button>
      ) : (
        <span className="inline-block min-h-6">{column.head}</span>
      )}
    </th>
  );
}

/** What has no value comes last, whichever way it is turned. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | null,
): readonly Row[] {
  const value = order && columns.find((column) => column.key === order.key)?.sort;
  if (!order || !value) return rows;
  const way = order.up ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a == null || b == null) return Number(a == null) - Number(b == null);
    if (typeof a === "number" && typeof b === "number") return way * (a - b);
    return way * String(a).localeCompare(String(b), language(), { numeric: true });
  });
}
