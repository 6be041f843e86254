/** A plot whose places the server has computed, with its table beside it. */
import type { Plot, PlotLine } from "../api";
import { TextTableView } from "../reading/parts";
import { words } from "../words/evaluating";

const w = words.evaluation;
/** Never by colour alone: every line has its own stroke, and its name at its end. */
const STROKES = ["0", "6 4", "2 4", "10 4 2 4"];
const HUES = ["var(--accent)", "var(--ink)", "var(--judge)", "var(--muted)"];
const hue = (line: PlotLine) => HUES[line.stroke % HUES.length] ?? "var(--ink)";

export function PlotFigure({ plot }: { plot: Plot }) {
  return (
    <section aria-label={plot.title} className="grid gap-x-10 gap-y-4 border-t border-line pt-4 lg:grid-cols-2">
      <figure>
        <figcaption className="mb-2" lang="en">
          <h3 className="text-base">{plot.title}</h3>
          <span className="text-sm text-muted">{plot.says}</span>
        </figcaption>
        {plot.lines.length > 0 && <Drawing plot={plot} />}
      </figure>
      <div className="min-w-0">
        <TextTableView table={plot.table} />
      </div>
    </section>
  );
}

function Drawing({ plot }: { plot: Plot }) {
  return (
    <svg
      viewBox={`0 0 ${plot.width} ${plot.height}`}
      role="img"
      aria-label={`${plot.title}. ${w.sameFigures}`}
      className="w-full max-w-104"
    >
      {plot.heights.map(({ at, label }) => (
        <g key={label}>
          <line x1={plot.left} x2={plot.right} y1={at} y2={at} stroke="var(--line)" />
          <text x={plot.left - 7} y={at + 4} textAnchor="end" fontSize="12" fill="var(--muted)">
            {label}
          </text>
        </g>
      ))}
      {plot.columns.map(({ at, label }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat
        <text key={n} x={at} y={plot.height - 8} textAnchor="middle" fontSize="12" fill="var(--muted)">
          {label}
        </text>
      ))}
      {plot.band && (
        <path d={plot.band} fill="var(--accent)" fillOpacity="0.13" stroke="var(--accent)" strokeOpacity="0.5" />
      )}
      {plot.target && (
        <g>
          <line
            x1={plot.left}
            x2={plot.right}
            y1={plot.target.at}
            y2={plot.target.at}
            stroke="var(--judge)"
            strokeDasharray="2 3"
          />
          <text x={plot.right + 6} y={plot.target.at + 4} fontSize="12" fill="var(--judge)">
            {plot.target.label}
          </text>
        </g>
      )}
      {plot.lines.map((line) => (
        <g key={line.name}>
          <path
            d={line.path}
            fill="none"
            stroke={hue(line)}
            strokeWidth="2"
            strokeDasharray={STROKES[line.stroke % STROKES.length]}
          />
          {line.points.map(({ x, y, label }) => (
            <circle key={x} cx={x} cy={y} r="3.5" fill={hue(line)}>
              <title>{label}</title>
            </circle>
          ))}
          <text x={plot.right + 8} y={line.name_y + 4} fontSize="12" fontWeight="600" fill={hue(line)}>
            {line.name}
          </text>
        </g>
      ))}
    </svg>
  );
}
