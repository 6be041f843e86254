/** The sources of a debate: what was brought, who quoted what from it, and whether the words stand there. */

import type { QuoteView, View } from "../api";
import { useDocuments } from "../api";
import { Link } from "../router";
import { sampleNamed } from "../samples/address";
import { Empty } from "../ui/Said";
import { Table } from "../ui/Table";
import { words } from "../words/reading";
import { decoded, useHash } from "./links";
import { useDebate } from "./open";
import { To, Who } from "./parts";
import { Check, Sentence } from "./Quote";
import { useLed } from "./useLed";

const w = words.documents;

interface Source {
  id: string;
  title: string;
  words: number;
  seats: readonly string[];
  background: boolean;
  accepted: number;
  failed: number;
}

export default function Documents() {
  const view = useDebate();
  const led = decoded(useHash());
  useLed(led, true);
  const sources = sourcesOf(view);
  const quotes = view.quotes ?? [];
  if (!sources.length) return <Empty title={w.none}>{w.noneWhy}</Empty>;
  return (
    <div className="space-y-12">
      <Sources sources={sources} id={view.run_id} />
      <section aria-labelledby="quotes">
        <h2 id="quotes" className="mb-2 text-lg">
          {w.quotes}
        </h2>
        {quotes.length ? (
          <Quotes quotes={quotes} id={view.run_id} led={led} />
        ) : (
          <p className="text-muted">{w.noQuotes}</p>
        )}
      </section>
    </div>
  );
}

export function sourcesOf(view: View): Source[] {
  const quotes = view.quotes ?? [];
  return (view.documents ?? []).map((one) => {
    const own = quotes.filter((quote) => quote.document === one.id);
    const accepted = own.filter((quote) => quote.accepted).length;
    return {
      id: one.id,
      title: one.title,
      words: one.words,
      seats: one.seats,
      background: one.id === FIRST && Boolean(view.background),
      accepted,
      failed: own.length - accepted,
    };
  });
}

/** The document that came with the question. */
const FIRST = "DOC-1";

function Sources({ sources, id }: { sources: readonly Source[]; id: string }) {
  const pages = new Map((useDocuments(id).data?.documents ?? []).map((one) => [one.id, one.pages]));
  return (
    <Table<Source>
      caption={w.caption}
      stacked
      rows={sources}
      name={(source) => source.id}
      columns={[
        {
          key: "title",
          head: w.heads.document,
          cell: (source) => (
            <>
              <span className="mr-2 font-normal text-muted">{source.id}</span>
              {SHARED || sampleNamed(id) ? (
                <bdi>{source.title}</bdi>
              ) : (
                <Link
                  to="/debates/$id/documents/$document"
                  params={{ id, document: source.id }}
                  className="text-accent underline underline-offset-2"
                >
                  <bdi>{source.title}</bdi>
                </Link>
              )}
            </>
          ),
        },
        { key: "readers", head: w.heads.readers, cell: (source) => w.readers(source.seats, source.background) },
        { key: "length", head: w.heads.length, cell: (source) => w.length(source.words, pages.get(source.id) ?? null) },
        { key: "accepted", head: w.heads.accepted, numeric: true, cell: (source) => source.accepted },
        {
          key: "failed",
          head: w.heads.failed,
          numeric: true,
          cell: (source) => <span className={source.failed ? "font-semibold text-wrong" : ""}>{source.failed}</span>,
        },
      ]}
    />
  );
}

function Quotes({ quotes, id, led }: { quotes: readonly QuoteView[]; id: string; led: string }) {
  return (
    <Table<QuoteView>
      caption={w.quotesWhy}
      stacked
      anchors
      led={led}
      rows={quotes}
      name={(quote) => quote.id}
      columns={[
        {
          key: "quote",
          head: w.heads.quote,
          className: "md:w-1/2",
          cell: (quote) => (
            <>
              {!wordForWord(quote) && (
                <q dir="auto" className="mb-1 block max-w-[60ch] font-normal">
                  {quote.quote}
                </q>
              )}
              {quote.excerpt && (
                <p className="max-w-[60ch] font-normal text-muted">
                  <Sentence quote={quote} />
                </p>
              )}
            </>
          ),
        },
        {
          key: "who",
          head: w.heads.who,
          className: "whitespace-nowrap",
          sort: (quote) => quote.seat,
          cell: (quote) => (
            <>
              <Who seat={quote.seat} />{" "}
              <To page="transcript" at={quote.turn}>
                {quote.turn}
              </To>
            </>
          ),
        },
        {
          key: "where",
          head: w.heads.where,
          sort: (quote) => quote.document,
          cell: (quote) => <Where quote={quote} id={id} />,
        },
        { key: "check", head: w.heads.check, sort: (quote) => quote.verdict, cell: (quote) => <Check quote={quote} /> },
      ]}
    />
  );
}

/** Whether its sentence shows the quote as it was given. */
const wordForWord = (quote: QuoteView) => quote.verdict === "verbatim" && quote.excerpt !== null;

function Where({ quote, id }: { quote: QuoteView; id: string }) {
  const named = w.where(quote.passage || quote.document, quote.page);
  if (SHARED || quote.start < 0) return named;
  return (
    <Link
      to="/debates/$id/documents/$document"
      params={{ id, document: quote.document }}
      hash={quote.id}
      className="text-accent underline underline-offset-2"
    >
      {named}
    </Link>
  );
}
