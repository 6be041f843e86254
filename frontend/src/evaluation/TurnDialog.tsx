/** One turn, opened: its words with what was quoted marked in place, and what each judge answered. */
import type { EvaluationView, MarkedQuote, TurnReading } from "../api";
import { useIndex } from "../reading/open";
import { TextTableView, To, Who } from "../reading/parts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Markdown } from "../ui/Markdown";
import { words } from "../words/evaluating";
import { Bars, Ladder, Verdict } from "./Cell";

const w = words.evaluation;

interface Props {
  found: EvaluationView;
  turn: TurnReading | undefined;
  open: (turn: string) => void;
}

export function TurnDialog({ found, turn, open }: Props) {
  const at = turn ? found.turns.indexOf(turn) : -1;
  const round = found.rounds.find(({ index }) => index === turn?.round)?.label ?? "";
  const before = found.turns[at - 1];
  const after = found.turns[at + 1];
  return (
    <Dialog
      wide
      title={turn ? w.turn(turn.seat, round) : ""}
      open={Boolean(turn)}
      close={() => {
        if (turn) open("");
      }}
    >
      {turn && (
        <div className="space-y-7">
          <Opened turn={turn} />
          <nav className="flex flex-wrap justify-between gap-2 border-t border-line pt-4">
            <Button disabled={!before} onClick={() => before && open(before.turn)}>
              {w.previous}
            </Button>
            <To
              page="transcript"
              at={turn.turn}
              className="self-center text-sm text-accent underline underline-offset-2"
            >
              {w.inTranscript}
            </To>
            <Button disabled={!after} onClick={() => after && open(after.turn)}>
              {w.next}
            </Button>
          </nav>
        </div>
      )}
    </Dialog>
  );
}

export function Opened({ turn }: { turn: TurnReading }) {
  const speech = useIndex().speeches.get(turn.turn);
  return (
    <>
      <Figures turn={turn} />
      <section aria-label={w.said}>
        <h3 className="mb-1 text-sm text-muted">
          {w.said} · <Who seat={turn.seat} full /> · {turn.cell.kind}
        </h3>
        {speech?.words ? (
          <Markdown
            shown={turn.places.map((place) => ({
              words: place.words,
              as: (
                <mark key={place.number} className={place.fault ? "quoted quoted-here" : "quoted"}>
                  {place.words}
                  <sup className="px-0.5 text-xs font-semibold no-underline">{place.number}</sup>
                </mark>
              ),
            }))}
          >
            {speech.words}
          </Markdown>
        ) : (
          <p className="text-muted italic">{w.lost}</p>
        )}
      </section>
      <Quotes quotes={turn.quotes} />
      <Answers turn={turn} />
      <TextTableView table={turn.claims} />
    </>
  );
}

function Figures({ turn }: { turn: TurnReading }) {
  const { cell } = turn;
  return (
    <section aria-label={cell.says} className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3" aria-hidden="true">
        <span className="text-3xl font-semibold tabular-nums">{cell.rho_shown}</span>
        <Bars bars={cell.bars} />
        <Verdict cell={cell} />
        <Ladder cell={cell} />
      </div>
      <dl className="grid grid-cols-[8.5rem_1fr] gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr] sm:gap-x-6">
        {[...cell.bars.map(({ name, shown }) => ({ label: name, text: shown })), ...turn.facts].map(
          ({ label, text }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd dir="auto">{text}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function Quotes({ quotes }: { quotes: readonly MarkedQuote[] }) {
  return (
    <section aria-label={w.quotes}>
      <h3 className="text-sm text-muted">{w.quotes}</h3>
      {quotes.length ? (
        <ul className="mt-1 space-y-1.5 text-sm">
          {quotes.map((quote, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two judges may quote the same words for the same reason
            <li key={n} className="flex gap-2">
              <b className="w-5 shrink-0 text-right tabular-nums">{quote.number ?? "–"}</b>
              <span>
                {quote.fault && <span className="text-xs">⚠ {w.fault}: </span>}
                {quote.label} <span className="text-muted">({quote.judge})</span>{" "}
                <q dir="auto" className="text-muted">
                  {quote.words}
                </q>
                {quote.number === null && <span className="text-muted"> · {w.elsewhere}</span>}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">{w.noQuotes}</p>
      )}
    </section>
  );
}

function Answers({ turn }: { turn: TurnReading }) {
  return (
    <section aria-label={w.answers}>
      <h3 className="mb-1 text-sm text-muted">{w.answers}</h3>
      {turn.answers.length === 0 && <p className="text-sm text-muted">{w.noAnswers}</p>}
      <div className="grid gap-3 sm:grid-cols-2">
        {turn.answers.map(({ judge, lines }) => (
          <section key={judge} aria-label={judge} className="rounded-md border border-line p-3 text-sm">
            <h4 className="font-semibold">{judge}</h4>
            <dl className="mt-1 space-y-1">
              {lines.map(({ label, text }) => (
                <div key={label}>
                  <dt className="inline text-muted">{label}: </dt>
                  <dd className="inline" dir="auto">
                    {text}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>
  );
}
