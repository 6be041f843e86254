/** The board turn by turn: points of each team and what penalties took of them, as lines and as a table. */
import type { ScoreBoard, ScoreStep } from "../api";
import { useNarrow } from "../ui/narrow";
import { Table } from "../ui/Table";
import { words } from "../words/reading";
import { path, scaled, ticks } from "./chart";
import { To } from "./parts";

const w = words.scores;
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [190, 36, 56, 12, 26];
const [WIDE, NARROW] = [440, 280];
/** Never by colour alone: every line has its own stroke, and its name at its end. */
const STROKES = ["0", "7 4", "2 4", "10 4 2 4"];
const HUES: Record<string, string> = { pro: "var(--pro)", con: "var(--con)" };

export function Course({ board }: { board: ScoreBoard }) {
  const { course } = board;
  const teams = Object.keys(course[0]?.totals ?? {});
  if (course.length < 2) return null;
  return (
    <div>
      <div className="grid gap-6 lg:grid-cols-2">
        <Chart title={w.pointsOverTime} steps={course} teams={teams} of={(step, team) => step.totals[team] ?? 0} />
        {course.some((step) => step.penalties.length) && (
          <Chart title={w.overTime} steps={course} teams={teams} of={(step, team) => step.penalty_totals[team] ?? 0} />
        )}
      </div>
      <details className="mt-3">
        <summary className="min-h-8 text-sm text-muted hover:text-ink">{w.asTable}</summary>
        <Table
          caption={w.asTable}
          quiet
          rows={course}
          name={(_, n) => `${n}`}
          columns={board.course_heads.map((head, n) => ({
            key: `${n}`,
            head,
            numeric: n > 1,
            cell: (step: ScoreStep) =>
              n === 0 && step.turn ? (
                <To page="transcript" at={step.turn}>
                  {step.cells[0]}
                </To>
              ) : (
                step.cells[n]
              ),
          }))}
        />
      </details>
    </div>
  );
}

interface Props {
  title: string;
  steps: readonly ScoreStep[];
  teams: readonly string[];
  of: (step: ScoreStep, team: string) => number;
}

function Chart({ title, steps, teams, of }: Props) {
  // Drawn as wide as it is shown: a drawing made smaller would make its words too small to read.
  const width = useNarrow() ? NARROW : WIDE;
  const values = steps.flatMap((step) => teams.map((team) => of(step, team)));
  const marks = ticks(Math.min(0, ...values), Math.max(0, ...values));
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  const x = scaled([0, steps.length - 1], [LEFT, width - RIGHT]);
  const y = scaled([low, high], [HEIGHT - BOTTOM, TOP]);
  const last = steps.at(-1);
  return (
    <figure>
      <figcaption className="mb-1 text-sm text-muted">{title}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. ${w.sameFigures}`}
        className="w-full max-w-xl"
      >
        {marks.map((mark) => (
          <g key={mark}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(mark)} y2={y(mark)} stroke="var(--line)" />
            <text x={LEFT - 8} y={y(mark) + 4} textAnchor="end" fontSize="12.5" fill="var(--muted)">
              {mark}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 6} fontSize="12.5" fill="var(--muted)">
          {steps[0]?.turn}
        </text>
        <text x={width - RIGHT} y={HEIGHT - 6} textAnchor="end" fontSize="12.5" fill="var(--muted)">
          {last?.turn}
        </text>
        {teams.map((team, n) => (
          <g key={team}>
            <path
              d={path(steps.map((step, at) => [x(at), y(of(step, team))]))}
              fill="none"
              stroke={HUES[team.toLowerCase()] ?? "var(--ink)"}
              strokeWidth="2"
              strokeDasharray={STROKES[n % STROKES.length]}
            />
            <text
              x={width - RIGHT + 8}
              y={y(last ? of(last, team) : 0) + 4 + nudge(last, teams, of, n, y)}
              fontSize="13"
              fontWeight="600"
              fill={HUES[team.toLowerCase()] ?? "var(--ink)"}
            >
              {team}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** Names at the ends of lines that meet stand below each other. */
function nudge(
  last: ScoreStep | undefined,
  teams: readonly string[],
  of: Props["of"],
  n: number,
  y: (value: number) => number,
) {
  if (!last) return 0;
  const mine = y(of(last, teams[n] ?? ""));
  return 15 * teams.slice(0, n).filter((team) => Math.abs(y(of(last, team)) - mine) < 14).length;
}
