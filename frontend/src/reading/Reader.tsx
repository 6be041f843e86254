/** One document: its text with the quoted words marked, and beside it who quoted them. */

import { useMemo } from "react";
import { type DocumentReading, type QuoteView, useDocument, useDocuments } from "../api";
import { Link, useNavigate } from "../router";
import { Select } from "../ui/Field";
import { Loading, Problem } from "../ui/Said";
import { words } from "../words/reading";
import { DocumentText } from "./DocumentText";
import { decoded, useHash } from "./links";
import { useDebate } from "./open";
import { To, Who } from "./parts";
import { cut, type Piece } from "./passages";
import { Check } from "./Quote";

const w = words.documents;

export default function Reader({ name }: { name: string }) {
  const { run_id: id } = useDebate();
  const found = useDocument(id, name);
  return (
    <>
      <p className="mb-4 text-sm">
        <To page="documents">{w.all}</To>
      </p>
      {found.error ? (
        <Problem error={found.error} again={() => void found.refetch()} />
      ) : found.data ? (
        <Open reading={found.data} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Open({ reading }: { reading: DocumentReading }) {
  const led = decoded(useHash());
  const passages = useMemo(() => cut(reading), [reading]);
  const { document, quotes } = reading;
  return (
    <div className="gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem]">
      <article aria-labelledby="document">
        <header className="mb-5">
          <h2 id="document" className="text-2xl" dir="auto">
            {document.title}
          </h2>
          <p className="mt-1 text-sm text-muted">
            {document.id} · {w.length(document.words, document.pages)} ·{" "}
            {w.readers(document.seats, document.background)}
          </p>
        </header>
        <div className="rounded-lg border border-line bg-raised p-5 sm:p-8">
          <DocumentText passages={passages} led={led} after={(piece) => <Cited piece={piece} />} />
        </div>
      </article>
      <aside
        aria-label={w.quotesOf}
        className="mt-10 lg:sticky lg:top-6 lg:mt-0 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto lg:p-1"
      >
        <Others name={document.id} />
        <Quotes title={w.quotesOf} quotes={quotes.filter((quote) => quote.accepted)} led={led} none={w.notQuoted} />
        <Quotes title={w.failedOf} quotes={quotes.filter((quote) => !quote.accepted)} led={led} />
      </aside>
    </div>
  );
}

/** Who quoted the words before it, as links to the turns. */
function Cited({ piece }: { piece: Piece }) {
  return (
    <sup className="ml-1 text-xs leading-none whitespace-nowrap select-none">
      {firstOfEach(piece.quotes).map((quote) => (
        <span key={quote.id} className="mr-1">
          <To
            page="transcript"
            at={quote.turn}
            label={w.quotedBy(quote.seat, quote.turn)}
            className="text-accent underline underline-offset-2"
          >
            {quote.seat}
          </To>
        </span>
      ))}
    </sup>
  );
}

/** One quote of each speaker; the list beside the text has all of them. */
const firstOfEach = (quotes: readonly QuoteView[]) =>
  quotes.filter((quote, n) => quotes.findIndex(({ seat }) => seat === quote.seat) === n);

function Others({ name }: { name: string }) {
  const { run_id: id } = useDebate();
  const navigate = useNavigate();
  const all = useDocuments(id).data?.documents ?? [];
  if (all.length < 2) return null;
  return (
    <div className="mb-6">
      <Select
        label={w.choose}
        choices={all.map((one) => [one.id, `${one.id}: ${one.title}`] as const)}
        value={name}
        onChange={(event) =>
          void navigate({ to: "/debates/$id/documents/$document", params: { id, document: event.target.value } })
        }
      />
    </div>
  );
}

function Quotes({
  title,
  quotes,
  led,
  none = "",
}: {
  title: string;
  quotes: readonly QuoteView[];
  led: string;
  none?: string;
}) {
  const { run_id: id } = useDebate();
  if (!quotes.length && !none) return null;
  return (
    <section className="mb-6">
      <h3 className="mb-2 text-base">{title}</h3>
      {quotes.length ? (
        <ul className="space-y-3">
          {quotes.map((quote) => (
            <li
              key={quote.id}
              className={`rounded-md border bg-raised p-3 text-sm ${led === quote.id ? "border-accent" : "border-line"}`}
            >
              <p className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
                <span>
                  <Who seat={quote.seat} />{" "}
                  <To page="transcript" at={quote.turn}>
                    {quote.turn}
                  </To>
                </span>
                {quote.start >= 0 && (
                  <Link
                    to="/debates/$id/documents/$document"
                    params={{ id, document: quote.document }}
                    hash={quote.id}
                    className="text-accent underline underline-offset-2"
                  >
                    {w.where(quote.passage, quote.page)}
                  </Link>
                )}
              </p>
              <q dir="auto">{quote.quote}</q>
              {!quote.accepted && (
                <p className="mt-1">
                  <Check quote={quote} />
                </p>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">{none}</p>
      )}
    </section>
  );
}
