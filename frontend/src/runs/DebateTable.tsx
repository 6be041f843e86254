/** The debates of the list as a table; on a phone each is a card. A batch is one row that opens. */
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, useRef, useState } from "react";
import { type DebateRow, get, type Page, useRole } from "../api";
import { over } from "../live/state";
import { Link } from "../router";
import { useKeys } from "../ui/keys";
import { Loading, Problem } from "../ui/Said";
import { HowSure, type Sure } from "../ui/TrustChip";
import { unversioned, when, words } from "../words/doing";
import { asked, type Chip, chipOf } from "./list";

/** Seats whose person is waited for, by debate. */
export type Awaited = Readonly<Record<string, readonly string[]>>;

interface Props {
  rows: readonly DebateRow[];
  awaited: Awaited;
  blind: boolean;
  chosen: ReadonlyMap<string, DebateRow>;
  choose: (run: DebateRow, on: boolean) => void;
}

const HEADS = ["choose", "motion", "outcome", "sure", "protocol", "models", "ended", "cost"] as const;
const MOST_NAMED = 2;

export function DebateTable(props: Props) {
  const frame = useRef<HTMLTableElement>(null);
  const move = (step: number) => () => {
    const links = [...(frame.current?.querySelectorAll<HTMLElement>("[data-debate]") ?? [])];
    const here = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    links[Math.max(0, Math.min(links.length - 1, here < 0 ? 0 : here + step))]?.focus();
  };
  useKeys({
    j: move(1),
    k: move(-1),
    x: () => document.activeElement?.closest("tr")?.querySelector<HTMLElement>("input[type=checkbox]")?.click(),
  });
  return (
    <table ref={frame} className="debates w-full border-collapse text-sm">
      <caption className="sr-only">{words.runs.list}</caption>
      <thead>
        <tr className="border-b border-edge text-left text-muted">
          {HEADS.map((head) => (
            <th
              key={head}
              scope="col"
              className={`px-2 pb-1.5 font-medium whitespace-nowrap ${head === "cost" ? "text-right" : ""}`}
            >
              {head === "choose" ? <span className="sr-only">{words.runs.heads.choose}</span> : words.runs.heads[head]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((run) => (
          <Row key={run.run_id} run={run} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ run, ...props }: Props & { run: DebateRow }) {
  const [open, setOpen] = useState(false);
  return (
    <Fragment>
      <DebateLine run={run} {...props} open={open} turn={() => setOpen(!open)} />
      {open && run.group && <Members name={run.group.name} {...props} />}
    </Fragment>
  );
}

/** The debates of an opened batch. */
function Members({ name, ...props }: Omit<Props, "rows"> & { name: string }) {
  const found = useQuery({
    queryKey: ["debates", "batch", name],
    queryFn: ({ signal }) => get<Page>(`/api/debates?${asked({ batch: name, order: "newest" }, "", 100)}`, signal),
  });
  const told = found.error ? <Problem error={found.error} /> : <Loading />;
  if (!found.data)
    return (
      <tr>
        <td colSpan={HEADS.length}>{told}</td>
      </tr>
    );
  return (
    <>
      {found.data.debates.map((run) => (
        <DebateLine key={run.run_id} run={run} {...props} inside />
      ))}
      {found.data.next && (
        <tr className="border-b border-line">
          <td colSpan={HEADS.length} className="py-2 pl-14">
            <Link to="/" search={{ batch: name }} className="text-accent underline">
              {words.runs.groupMore(name)}
            </Link>
          </td>
        </tr>
      )}
    </>
  );
}

interface LineProps extends Omit<Props, "rows"> {
  run: DebateRow;
  /** One of an opened batch. */
  inside?: boolean;
  open?: boolean;
  turn?: () => void;
}

function DebateLine({ run, awaited, blind, chosen, choose, inside = false, open = false, turn }: LineProps) {
  const role = useRole();
  const hidden = blind || role === "judge";
  const group = inside ? null : run.group;
  const ticked = chosen.has(run.run_id);
  return (
    <tr data-run={run.run_id} className={`border-b border-line align-top ${ticked ? "bg-accent-soft" : ""}`}>
      <td className="w-10 px-2 py-2.5">
        <label className="-m-2 block p-2">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            aria-label={words.runs.select(run.topic)}
            checked={ticked}
            onChange={(event) => choose(run, event.target.checked)}
          />
        </label>
      </td>
      <th scope="row" className={`px-2 py-2.5 text-left font-normal ${inside ? "md:pl-8" : ""}`}>
        <Link
          data-debate
          to={hidden && over(run) ? "/debates/$id/judge" : "/debates/$id"}
          params={{ id: run.run_id }}
          className="line-clamp-2 font-semibold text-pretty hover:underline"
          dir="auto"
        >
          {run.topic}
        </Link>
        {run.tags.length > 0 && (
          <span className="mt-1 flex flex-wrap gap-1.5">
            {run.tags.map((tag) => (
              <Link
                key={tag}
                to="/"
                search={{ tag }}
                className="rounded-full border border-line bg-sunken px-2 py-px text-xs hover:border-edge"
              >
                {tag}
              </Link>
            ))}
          </span>
        )}
        {group && turn && (
          <button
            type="button"
            aria-expanded={open}
            className="mt-1 flex min-h-6 items-center gap-1 text-left text-muted hover:text-ink"
            onClick={turn}
          >
            {open ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
            <span>
              {group.name} · {words.runs.group(group.debates, group.open)}
              {!hidden && Object.keys(group.outcomes).length > 0 && ` · ${words.runs.outcomeCounts(group.outcomes)}`}
            </span>
          </button>
        )}
        {run.reason && <p className="mt-1 wrap-anywhere text-muted">{run.reason}</p>}
      </th>
      <td className="px-2 py-2.5">
        <Standing run={run} awaited={awaited[run.run_id] ?? []} blind={hidden} />
      </td>
      <td className="px-2 py-2.5 whitespace-nowrap">{!hidden && run.sure && <HowSure sure={run.sure as Sure} />}</td>
      <td className="px-2 py-2.5">{unversioned(run.protocol)}</td>
      <td className="px-2 py-2.5 text-muted" title={run.models.join(", ")}>
        {run.models.length > MOST_NAMED
          ? words.runs.models(run.models.length)
          : run.models.map((name) => name.split("/").at(-1)).join(" · ")}
      </td>
      <td className="px-2 py-2.5 whitespace-nowrap text-muted">
        {over(run) ? (
          <time dateTime={run.ended_at ?? run.created_at}>{when(run.ended_at ?? run.created_at)}</time>
        ) : (
          words.runs.now
        )}
      </td>
      <td className="figures px-2 py-2.5">{words.runs.cost(run.spent, null)}</td>
    </tr>
  );
}

const LOOKS: Record<Chip["look"], string> = {
  live: "border-accent text-accent font-semibold",
  care: "border-care-edge bg-care",
  pro: "border-pro text-pro font-semibold",
  con: "border-con text-con font-semibold",
  decided: "border-accent bg-accent-soft font-semibold",
  close: "border-dotted border-edge",
  stuck: "border-dashed border-edge",
  wrong: "border-wrong text-wrong font-semibold",
  plain: "border-line",
};
const CHIP = "inline-flex max-w-[16rem] items-baseline gap-1.5 rounded-full border bg-raised px-2 py-px text-xs";

/** How it stands, or what came of it; a colour never says it alone. */
function Standing({ run, awaited, blind }: { run: DebateRow; awaited: readonly string[]; blind: boolean }) {
  const chip = chipOf(run, blind);
  if (awaited.length)
    return awaited.map((seat) => (
      <Link
        key={seat}
        to="/debates/$id/seat/$seat"
        params={{ id: run.run_id, seat }}
        className={`${CHIP} ${LOOKS.care} font-semibold underline`}
      >
        {words.live.awaits(seat)}
      </Link>
    ));
  return (
    <span className={`${CHIP} ${LOOKS[chip.look]}`}>
      {chip.sign && <span aria-hidden="true">{chip.sign}</span>}
      <span className="line-clamp-2" title={chip.text}>
        {chip.text}
      </span>
    </span>
  );
}
