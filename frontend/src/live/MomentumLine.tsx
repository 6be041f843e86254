/** The lead after each speech, drawn as a line; the figures stand behind it. */
import { scaled } from "../reading/chart";
import { Table } from "../ui/Table";
import { capital, fixed, signed, words } from "../words/doing";
import type { Floor } from "./events";
import type { Lead, Score } from "./score";
import { roundAt } from "./stages";
import { seatOf } from "./Who";

const [WIDTH, HEIGHT, LEFT, FEWEST] = [240, 112, 34, 8];

const rounded = (points: number) => signed(Number(points.toFixed(1)));

export function MomentumLine({ floor, score }: { floor: Floor; score: Score }) {
  const [first, second] = score.teams;
  if (!first || !second) return null;
  const { leads } = score;
  const lead = leads.at(-1)?.lead ?? 0;
  const by = fixed(Math.abs(lead), 1);
  const leader = Math.abs(lead) < 0.05 ? "" : capital((lead > 0 ? first : second).team);
  return (
    <>
      <p className="-mt-6 text-right text-sm tabular-nums">
        {leader ? words.live.leads(leader, by) : words.live.level}
      </p>
      <Chart
        leads={leads}
        names={[capital(first.team), capital(second.team)]}
        label={words.live.momentumSays(leader, by, leads.length)}
      />
      <p className="text-xs text-muted">{leads.length ? words.live.momentumWhy : words.live.noMarks}</p>
      <details className="mt-1 text-sm">
        <summary className="text-xs text-muted">{words.live.momentumTable}</summary>
        <Table<Lead>
          caption={words.live.momentumWhy}
          quiet
          rows={leads.toReversed()}
          name={(row) => row.turn}
          columns={[
            {
              key: "turn",
              head: words.live.momentumHeads.turn,
              cell: (row) => (
                <a href={`#${row.turn}`} title={roundAt(floor, row.round)} className="underline underline-offset-2">
                  {row.turn}
                </a>
              ),
            },
            { key: "speaker", head: words.live.momentumHeads.speaker, cell: (row) => seatOf(floor, row.seat).name },
            {
              key: "mark",
              head: words.live.momentumHeads.mark,
              numeric: true,
              cell: (row) => fixed(row.mark, 1),
            },
            { key: "lead", head: words.live.momentumHeads.lead, numeric: true, cell: (row) => rounded(row.lead) },
          ]}
        />
      </details>
    </>
  );
}

function Chart({ leads, names, label }: { leads: readonly Lead[]; names: readonly [string, string]; label: string }) {
  const most = Math.max(1, ...leads.map((one) => Math.abs(one.lead)));
  const x = scaled([0, Math.max(FEWEST, leads.length)], [LEFT, WIDTH - 6]);
  const y = scaled([most, -most], [10, HEIGHT - 10]);
  const points = [[x(0), y(0)], ...leads.map((one, n) => [x(n + 1), y(one.lead)])] as [number, number][];
  const last = points.at(-1) ?? [LEFT, y(0)];
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="my-1 block w-full text-xs">
      <line x1={LEFT} x2={WIDTH - 6} y1={y(0)} y2={y(0)} className="stroke-edge" />
      <polyline
        points={points.map((one) => one.join(",")).join(" ")}
        className="fill-none stroke-ink"
        strokeWidth="1.8"
      />
      <circle cx={last[0]} cy={last[1]} r="3.5" className="fill-ink" />
      <text x="0" y="14" className="fill-pro font-semibold">
        {names[0]}
      </text>
      <text x="0" y={HEIGHT - 4} className="fill-con font-semibold">
        {names[1]}
      </text>
    </svg>
  );
}
