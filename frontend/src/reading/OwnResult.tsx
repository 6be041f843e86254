/** The protocol's own result: where the speakers ended, who moved, the score board, issues and findings. */
import type { Movement, ResultSection, Votes } from "../api";
import { Card } from "../ui/Card";
import { words } from "../words/verdict";
import { useDebate, useName } from "./open";
import { Lines, TextTableView, To } from "./parts";

export function OwnResult() {
  const { result_sections: sections, judgement, board } = useDebate();
  const votes = judgement?.votes;
  const told = sections.some((section) => section.table?.caption === POSITIONS);
  const moves = told || !judgement?.movements?.some(changed) ? [] : judgement.movements;
  if (!sections.length && !votes && !board) return null;
  const wide = sections.filter(isWide);
  const [answer, ...others] = sections.filter((section) => !isWide(section));
  return (
    <section aria-labelledby="own-result" className="space-y-4">
      <h2 id="own-result" className="text-lg">
        {words.result}
      </h2>
      <div className="gap-4 space-y-4 lg:columns-2">
        {answer && <Section section={answer} />}
        {board && <Board />}
        {votes && <Ended votes={votes} />}
        {moves.length > 0 && <Moves moves={moves} />}
      </div>
      {wide.map((section) => (
        <Section key={section.title} section={section} />
      ))}
      <div className="gap-4 space-y-4 lg:columns-2">
        {others.map((section) => (
          <Section key={section.title} section={section} />
        ))}
      </div>
    </section>
  );
}

/** A table of several columns takes the whole width. */
const isWide = (section: ResultSection) => (section.table?.heads.length ?? 0) > 3;
const changed = (one: Movement) => Boolean(one.began) && one.began !== one.ended;
const WHOLE = "break-inside-avoid";

/** The table of a protocol that tells itself who moved. */
const POSITIONS = "Positions";

function Section({ section: { title, table, lines } }: { section: ResultSection }) {
  return (
    <Card title={<span lang="en">{title}</span>} level={3} raised className={WHOLE}>
      <div className="space-y-3">
        {table && <TextTableView table={table} quiet full />}
        {lines.length === 1 ? (
          <p className="max-w-[68ch] whitespace-pre-wrap" dir="auto" lang="en">
            {lines[0]}
          </p>
        ) : (
          lines.length > 0 && <Lines lines={lines} />
        )}
      </div>
    </Card>
  );
}

function Board() {
  const { board } = useDebate();
  if (!board) return null;
  return (
    <Card
      title={words.board}
      level={3}
      raised
      className={WHOLE}
      aside={
        <span className="text-sm">
          <To page="scores">{words.allScores}</To>
        </span>
      }
    >
      {board.best && (
        <p className="mb-3 font-semibold" lang="en">
          {board.best}
        </p>
      )}
      <TextTableView table={board.teams} quiet full />
    </Card>
  );
}

/** Stands above it already. */
const ENDED = "Where the speakers ended. ";

/** How many speakers ended at each answer. */
function Ended({ votes }: { votes: Votes }) {
  const { votes: told } = useDebate();
  const most = Math.max(...Object.values(votes.options), 1);
  return (
    <Card title={words.ended} level={3} raised className={WHOLE}>
      <ul className="space-y-2 text-sm">
        {Object.entries(votes.options).map(([option, count]) => (
          <li key={option} className="grid grid-cols-[minmax(4rem,1fr)_2fr_2rem] items-center gap-3">
            <span dir="auto">{option}</span>
            <span aria-hidden="true" className="h-1.5 overflow-hidden rounded-sm bg-line">
              <span
                className={`block h-full ${count === most ? "bg-accent" : "bg-ink"}`}
                style={{ width: `${(100 * count) / votes.seats}%` }}
              />
            </span>
            <b className="text-right tabular-nums">{count}</b>
          </li>
        ))}
      </ul>
      {told && (
        <p className="mt-3 text-note text-muted" lang="en">
          {told.caption.replace(ENDED, "")}
        </p>
      )}
    </Card>
  );
}

/** Each speaker's way from the first answer to the last; those who changed it come first. */
function Moves({ moves }: { moves: readonly Movement[] }) {
  const name = useName();
  const sorted = moves.toSorted((one, other) => Number(changed(other)) - Number(changed(one)));
  return (
    <Card title={words.moves} level={3} raised className={WHOLE}>
      <ul className="space-y-2 text-sm">
        {sorted.map((one) => (
          <li key={one.seat} className="grid grid-cols-[minmax(5rem,1fr)_2fr] gap-x-3">
            <span className={changed(one) ? "font-semibold" : ""} dir="auto">
              {name(one.seat)}
            </span>
            <span dir="auto">
              {words.move(one.began, one.ended, changed(one))}
              {changed(one) && one.moved_by && <span className="text-muted"> {words.movedBy(one.moved_by)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
