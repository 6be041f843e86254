/** Medians with their intervals on one axis from 0 to 1, a small plot for each figure. */
import type { RunGroup } from "../api";
import { Card } from "../ui/Card";
import { words } from "../words/evaluating";
import { isShare, known, named, partsOf, written } from "./parts";

const w = words.stats;
const [WIDTH, LEFT, RIGHT, ROW, TOP] = [320, 104, 12, 24, 6];
const LETTERS = 15;

export function Intervals({ groups }: { groups: readonly RunGroup[] }) {
  const names = partsOf(groups).flatMap(([, own]) => own);
  const drawn = names.filter((name) => isShare(name) && groups.some((group) => known(group.figures[name])));
  if (!drawn.length) return null;
  return (
    <Card title={w.plots}>
      <p className="mb-4 text-sm text-muted">{w.plotsWhy}</p>
      <div className="grid gap-8 sm:grid-cols-2 lg:grid-cols-3">
        {drawn.map((name) => (
          <Interval key={name} name={name} groups={groups.filter((group) => known(group.figures[name]))} />
        ))}
      </div>
    </Card>
  );
}

function Interval({ name, groups }: { name: string; groups: readonly RunGroup[] }) {
  const x = (share: number) => LEFT + Math.min(1, Math.max(0, share)) * (WIDTH - LEFT - RIGHT);
  const floor = TOP + groups.length * ROW;
  return (
    <figure>
      <figcaption className="mb-1 text-sm font-medium">{named(name)}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${floor + 20}`}
        role="img"
        aria-label={`${named(name)}. ${w.plotsWhy}`}
        className="w-full max-w-sm"
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1={x(share)} x2={x(share)} y1={TOP} y2={floor} stroke="var(--line)" />
            <text x={x(share)} y={floor + 15} textAnchor="middle" fontSize="12" fill="var(--muted)">
              {share}
            </text>
          </g>
        ))}
        {groups.map((group, n) => {
          const value = known(group.figures[name]);
          const y = TOP + n * ROW + ROW / 2;
          const label = group.value || w.all;
          return (
            value && (
              <g key={group.value}>
                <title>{`${label}: ${written(name, value.median)}, ${w.span(written(name, value.low), written(name, value.high))}`}</title>
                <text x={LEFT - 10} y={y + 4} textAnchor="end" fontSize="12" fill="var(--ink)">
                  {label.length > LETTERS ? `${label.slice(0, LETTERS - 1)}…` : label}
                </text>
                <line
                  x1={x(value.low)}
                  x2={x(value.high)}
                  y1={y}
                  y2={y}
                  stroke="var(--accent)"
                  strokeWidth="5"
                  strokeOpacity="0.45"
                />
                <path
                  d={`M${x(value.low)} ${y - 5}v10M${x(value.high)} ${y - 5}v10`}
                  stroke="var(--accent)"
                  strokeWidth="1.5"
                />
                <circle cx={x(value.median)} cy={y} r="4.5" fill="var(--accent)" />
              </g>
            )
          );
        })}
      </svg>
    </figure>
  );
}
