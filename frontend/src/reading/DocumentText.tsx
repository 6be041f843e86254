/** The text of a document in its passages, each under its id, with the quoted words marked. */
import { type ReactNode, useState } from "react";
import { Button } from "../ui/Button";
import { words } from "../words/reading";
import { indexOf, type Passage, type Piece } from "./passages";
import { useLed } from "./useLed";

const w = words.documents;
/** Passages on the page at once, at first; a book has thousands. */
const SHOWN = 200;

interface Props {
  passages: readonly Passage[];
  /** The quote or passage that a link has led to. */
  led?: string;
  /** What stands behind quoted words: who quoted them. */
  after?: (piece: Piece) => ReactNode;
}

export function DocumentText({ passages, led = "", after }: Props) {
  const to = Math.max(indexOf(passages, led), 0);
  const [more, setMore] = useState({ led, before: 0, behind: 0 });
  const { before, behind } = more.led === led ? more : { before: 0, behind: 0 };
  const first = Math.max(0, to - SHOWN / 2 - before);
  const last = Math.min(passages.length, Math.max(to + SHOWN / 2, SHOWN) + behind);
  useLed(led, passages.length > 0);
  return (
    <div className="max-w-[72ch]">
      {first > 0 && (
        <Button className="mb-4" onClick={() => setMore({ led, before: before + SHOWN, behind })}>
          {w.earlier(first)}
        </Button>
      )}
      {passages.slice(first, last).map((passage) => (
        <Section key={passage.id} passage={passage} led={led} after={after} />
      ))}
      {last < passages.length && (
        <Button className="mt-4" onClick={() => setMore({ led, before, behind: behind + SHOWN })}>
          {w.later(passages.length - last)}
        </Button>
      )}
    </div>
  );
}

interface SectionProps {
  passage: Passage;
  led: string;
  after: Props["after"];
}

function Section({ passage, led, after }: SectionProps) {
  return (
    <>
      {passage.turned && passage.page !== null && (
        <p className="mt-6 mb-2 flex items-center gap-3 text-xs text-muted first:mt-0">
          <span>{w.page(passage.page)}</span>
          <span aria-hidden="true" className="h-px flex-1 bg-line" />
        </p>
      )}
      <div id={passage.id} tabIndex={-1} className={`scroll-mt-6 pb-5 ${led === passage.id ? "led-to" : ""}`}>
        <a href={`#${passage.id}`} className="text-xs text-muted hover:text-ink hover:underline">
          {passage.id}
        </a>
        <p className="whitespace-pre-wrap" dir="auto">
          {passage.pieces.map((piece, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change their places
            <Words key={n} piece={piece} led={led} after={after} last={ends(passage.pieces, n)} />
          ))}
        </p>
      </div>
    </>
  );
}

/** Whether a quote ends with this piece. */
function ends(pieces: readonly Piece[], n: number): boolean {
  const next = pieces[n + 1]?.quotes ?? [];
  return pieces[n]?.quotes.some((quote) => !next.includes(quote)) ?? false;
}

interface WordsProps {
  piece: Piece;
  led: string;
  after: Props["after"];
  last: boolean;
}

function Words({ piece, led, after, last }: WordsProps) {
  if (!piece.quotes.length) return piece.text;
  const here = piece.quotes.some((quote) => quote.id === led);
  return (
    <>
      {piece.begins.map((quote) => (
        <span key={quote.id} id={quote.id} tabIndex={-1} className="scroll-mt-24 outline-none" />
      ))}
      <mark className={`quoted ${here ? "quoted-here" : ""}`}>{piece.text}</mark>
      {last && after?.(piece)}
    </>
  );
}
