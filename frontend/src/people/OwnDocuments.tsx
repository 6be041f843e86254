/** The documents of a person at the table: a list, and beside the answer the text of the one that is open. */
import { ArrowLeft } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { type DocumentEntry, useDocument, useDocuments } from "../api";
import { DocumentText } from "../reading/DocumentText";
import { cut } from "../reading/passages";
import { Card } from "../ui/Card";
import { Loading, Problem } from "../ui/Said";
import { words } from "../words/doing";
import { words as reading } from "../words/reading";

/** What a seat may read; the owner may read all of them, and sits here at this seat. */
export function useOwnDocuments(id: string, seat: string): readonly DocumentEntry[] {
  const { data } = useDocuments(id);
  return (data?.documents ?? []).filter(({ seats }) => !seats.length || seats.includes(seat));
}

export function OwnDocuments({ id, seat }: { id: string; seat: string }) {
  const own = useOwnDocuments(id, seat);
  const [open, setOpen] = useState("");
  const last = useRef("");
  const list = useRef<HTMLUListElement>(null);
  const show = (name: string) => {
    last.current = open;
    setOpen(name);
  };
  // A reader who comes back by keyboard is where they were.
  useEffect(() => {
    if (!open && last.current) list.current?.querySelector<HTMLElement>(`[data-document="${last.current}"]`)?.focus();
  }, [open]);
  const newest = own.at(-1);
  if (!newest) return null;
  return (
    <Card title={words.seat.documents}>
      {open ? (
        <Open id={id} name={open} close={() => show("")} />
      ) : (
        <>
          <p className="mb-3 text-sm text-muted">{words.seat.documentsHint(newest.id)}</p>
          <ul ref={list} className="divide-y divide-line rounded-lg border border-line bg-raised">
            {own.map((one) => (
              <li key={one.id}>
                <Row one={one} open={() => show(one.id)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Row({ one, open }: { one: DocumentEntry; open: () => void }) {
  const told = [one.id, reading.documents.length(one.words, one.pages), one.seats.length ? words.seat.onlyYours : ""];
  return (
    <button
      type="button"
      data-document={one.id}
      onClick={open}
      className="flex min-h-12 w-full items-center justify-between gap-4 px-3 py-2 text-left hover:bg-sunken"
    >
      <span className="min-w-0">
        <span className="line-clamp-2 font-medium wrap-anywhere" dir="auto">
          {one.title}
        </span>
        <span className="block text-sm text-muted">{told.filter(Boolean).join(" · ")}</span>
      </span>
      <span className="shrink-0 text-sm text-accent underline underline-offset-2">{words.seat.openDocument}</span>
    </button>
  );
}

function Open({ id, name, close }: { id: string; name: string; close: () => void }) {
  const found = useDocument(id, name);
  const passages = useMemo(() => (found.data ? cut(found.data) : []), [found.data]);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <button
        ref={back}
        type="button"
        onClick={close}
        className="mb-3 inline-flex min-h-10 items-center gap-1.5 text-sm text-accent underline underline-offset-2"
      >
        <ArrowLeft size={16} aria-hidden="true" />
        {words.seat.closeDocument}
      </button>
      {found.error ? (
        <Problem error={found.error} again={() => void found.refetch()} />
      ) : found.data ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label={found.data.document.title}
          className="max-h-[70dvh] overflow-y-auto rounded-lg border border-line bg-raised p-4 sm:p-6"
        >
          <h3 className="mb-3 text-base" dir="auto">
            {found.data.document.title}
          </h3>
          <DocumentText passages={passages} />
        </section>
      ) : (
        <Loading />
      )}
    </>
  );
}
