/** A quote from a document: its words, and a chip with what the check found, which opens the document there. */

import type { QuoteView } from "../api";
import { Link } from "../router";
import type { Shown } from "../ui/Markdown";
import { words } from "../words/reading";

const w = words.documents;

/** How the quotes of each turn are shown in it. */
export type Quoted = ReadonlyMap<string, readonly Shown[]>;

/**
 * Only what was checked is here, so a bracket that merely looks like a quote stays as it was written.
 * With the `id` of a debate that is over, chips open its documents.
 */
export function shownIn(quotes: readonly QuoteView[], id = ""): Quoted {
  const written = quotes.filter((quote) => quote.written);
  const shown = Map.groupBy(written, (quote) => quote.turn);
  return new Map(
    [...shown].map(([turn, own]) => [
      turn,
      own.map((quote) => ({ words: quote.written, as: <Quote key={quote.id} quote={quote} id={id} /> })),
    ]),
  );
}

function Quote({ quote, id }: { quote: QuoteView; id: string }) {
  return (
    <span data-quote={quote.id}>
      <q>{quote.quote}</q> <EvidenceChip quote={quote} id={id} />
    </span>
  );
}

/** Sign, place and word; the colour only repeats them. */
export function EvidenceChip({ quote, id }: { quote: QuoteView; id: string }) {
  const look = quote.accepted ? "border-accent bg-accent-soft" : "border-dashed border-wrong bg-raised text-wrong";
  const told = (
    <>
      <span aria-hidden="true">{quote.accepted ? "✓" : "✕"} </span>
      {quote.passage || quote.named}
      {quote.accepted ? <span className="sr-only"> {w.accepted}</span> : ` ${w.failed}`}
    </>
  );
  const chip = `inline-block rounded border px-1.5 text-xs leading-5 whitespace-nowrap ${look}`;
  const title = quote.accepted ? w.open(quote.document) : checked(quote);
  if (!id)
    return (
      <span className={chip} {...(quote.accepted ? {} : { title })}>
        {told}
      </span>
    );
  return (
    <Link
      to={placeOf(quote)}
      params={{ id, document: quote.document }}
      hash={quote.id}
      className={`${chip} no-underline! ${quote.accepted ? "text-ink!" : "text-wrong!"} hover:underline!`}
      title={title}
    >
      {told}
    </Link>
  );
}

/** Where the words stand; a quote that stands nowhere, or whose text is not here, leads to the table. */
const placeOf = (quote: QuoteView): string =>
  !SHARED && quote.start >= 0 ? "/debates/$id/documents/$document" : "/debates/$id/documents";

/** What the check found, in words. */
export function checked(quote: QuoteView): string {
  if (quote.accepted) return quote.document === quote.named ? w.accepted : w.elsewhere(quote.named);
  const found = w.verdicts[quote.verdict as keyof typeof w.verdicts] ?? quote.verdict;
  return `${w.failed}: ${found}${quote.why ? ` (${quote.why})` : ""}`;
}

/** The check by sign and word. */
export function Check({ quote }: { quote: QuoteView }) {
  return (
    <span className={quote.accepted ? "" : "text-wrong"} dir="auto">
      <span aria-hidden="true">{quote.accepted ? "✓" : "✕"} </span>
      {checked(quote)}
    </span>
  );
}

/** The sentence in which the words stand. */
export function Sentence({ quote }: { quote: QuoteView }) {
  if (!quote.excerpt) return null;
  const { before, words: quoted, after } = quote.excerpt;
  return (
    <span dir="auto">
      {before}
      <mark className="quoted">{quoted}</mark>
      {after}
    </span>
  );
}
