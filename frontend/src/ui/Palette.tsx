/** One field that finds words in all debates and jumps to pages: Ctrl K. */
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { type ExcerptPart, get, type SearchResult, useAbout, useRole, type View } from "../api";
import { useNavigate, useParams, useRouterState } from "../router";
import { sampleNamed } from "../samples/address";
import { words as reading } from "../words/reading";
import { palette as words } from "../words/runs";

type Kind = keyof typeof words.kinds;

interface Entry {
  kind: Kind;
  key: string;
  /** Whose words they are, before them. */
  mark?: string;
  parts: readonly ExcerptPart[];
  /** Where they stand, behind them. */
  where?: string;
  go: () => void;
}

interface Props {
  open: boolean;
  close: () => void;
  changeColours: () => void;
  showHelp: () => void;
}

const PAUSE_MS = 150;
const NOTHING: SearchResult = { debates: [], speeches: [] };

export function Palette(props: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (props.open) element.current?.showModal();
    else element.current?.close();
  }, [props.open]);
  return (
    <dialog
      ref={element}
      aria-label={words.title}
      onClose={props.close}
      className="mt-[12dvh] mb-auto max-h-[76dvh] w-[min(40rem,calc(100vw-2rem))] overflow-hidden rounded-xl border border-edge bg-raised p-0 text-ink shadow-2xl backdrop:bg-black/50"
    >
      {props.open && <Finder {...props} />}
    </dialog>
  );
}

function Finder(props: Props) {
  const [text, setText] = useState("");
  const [only, setOnly] = useState<Kind | "">("");
  const [at, setAt] = useState(0);
  const id = useId();
  const found = useFound(text);
  const actions = useActions(text.trim(), props);
  const documents = useDocumentEntries(text.trim(), props.close);
  const entries = [...documents, ...useEntries(found, props.close), ...actions].filter(
    ({ kind }) => !only || kind === only,
  );
  const here = Math.min(at, entries.length - 1);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && entries.length) setAt((here + step + entries.length) % entries.length);
    else if (event.key === "Enter") entries[here]?.go();
    else if (event.key === "Tab" && !event.shiftKey) {
      setOnly(only ? "" : (entries[here]?.kind ?? ""));
      setAt(0);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="flex max-h-[76dvh] flex-col">
      <input
        // biome-ignore lint/a11y/noAutofocus: a dialog that was asked for, with one field
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries[here] ? `${id}-${here}` : undefined}
        aria-label={words.title}
        placeholder={words.open}
        className="min-h-14 w-full border-b border-line bg-transparent px-5 text-lg outline-none placeholder:text-muted"
        value={text}
        maxLength={200}
        onKeyDown={press}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
      />
      <p role="status" className="sr-only">
        {only && words.only(words.kinds[only])} {words.found(entries.length)}
      </p>
      <Entries id={id} entries={entries} here={here} />
      <p
        aria-hidden="true"
        className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-5 py-2.5 text-xs text-muted"
      >
        {words.hints.map(([key, does]) => (
          <span key={key}>
            <kbd className="rounded border border-line bg-sunken px-1 font-mono">{key}</kbd> {does}
          </span>
        ))}
      </p>
    </div>
  );
}

function Entries({ id, entries, here }: { id: string; entries: readonly Entry[]; here: number }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${here}"]`)?.scrollIntoView({ block: "nearest" });
  }, [here]);
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label={words.title} className="flex-1 overflow-y-auto pb-2">
      {kinds.map((kind) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div key={kind} role="group" aria-label={words.kinds[kind]}>
          <p aria-hidden="true" className="px-5 pt-3 pb-1 text-xs font-semibold text-muted">
            {words.kinds[kind]}
          </p>
          {entries.map(
            (entry, n) => entry.kind === kind && <Line key={entry.key} id={id} n={n} entry={entry} here={here} />,
          )}
        </div>
      ))}
    </div>
  );
}

function Line({ id, n, entry, here }: { id: string; n: number; entry: Entry; here: number }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
    <div
      id={`${id}-${n}`}
      role="option"
      aria-selected={n === here}
      data-at={n}
      className={`flex cursor-pointer items-baseline gap-3 px-5 py-2 text-sm ${n === here ? "bg-accent-soft" : "hover:bg-sunken"}`}
      onClick={entry.go}
    >
      {entry.mark && <b className="shrink-0 text-xs font-bold uppercase">{entry.mark}</b>}
      <span className="line-clamp-2 min-w-0 flex-1" dir="auto">
        {entry.parts.map((part, place) =>
          part.found ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing else, and never move
            <mark key={place} className="rounded-sm border border-care-edge bg-care px-0.5 text-ink">
              {part.text}
            </mark>
          ) : (
            part.text
          ),
        )}
      </span>
      {entry.where && (
        <span className="line-clamp-1 max-w-[40%] shrink-0 text-xs text-muted" dir="auto">
          {entry.where}
        </span>
      )}
    </div>
  );
}

/** What the server finds, a moment after the last key. */
function useFound(text: string): SearchResult {
  const [sought, setSought] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSought(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const role = useRole();
  const found = useQuery({
    queryKey: ["search", sought],
    queryFn: ({ signal }) => get<SearchResult>(`/api/search?${new URLSearchParams({ words: sought })}`, signal),
    enabled: Boolean(sought) && (role === "owner" || role === "viewer"),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return (sought && found.data) || NOTHING;
}

function useEntries(found: SearchResult, close: () => void): Entry[] {
  const navigate = useNavigate();
  const led =
    (to: string, hash = "") =>
    () => {
      close();
      void navigate({ to, ...(hash ? { hash } : {}) });
    };
  const page = (id: string) => `/debates/${encodeURIComponent(id)}`;
  return [
    ...found.speeches.map((one) => ({
      kind: "speeches" as const,
      key: `${one.run_id} ${one.turn_id}`,
      mark: one.seat,
      parts: one.excerpt,
      where: one.topic,
      go: led(`${page(one.run_id)}/transcript`, one.turn_id),
    })),
    ...found.debates.map((one) => ({
      kind: "debates" as const,
      key: one.debate.run_id,
      parts: one.excerpt,
      go: led(page(one.debate.run_id)),
    })),
  ];
}

function useActions(text: string, { close, changeColours, showHelp }: Props): Entry[] {
  const navigate = useNavigate();
  const role = useRole();
  const base = useDebatePage();
  const led =
    (to: string, search: Record<string, string> = {}) =>
    () => {
      close();
      void navigate({ to, search });
    };
  const done = (action: () => void) => () => {
    close();
    action();
  };
  const reader = role === "owner" || role === "viewer";
  const operator = useAbout().data?.owner === "local" && role === "owner";
  const views = ["map", "trace", "transcript", "scores", "replay"] as const;
  const all: [string, () => void, boolean][] = [
    [words.newOn(text), led("/new", text ? { motion: text } : {}), role === "owner"],
    [words.listOf(text), led("/", text ? { q: text } : {}), true],
    ...views.map((view): [string, () => void, boolean] => [
      words.go(reading.debate[view].toLowerCase()),
      led(`${base}/${view}`),
      Boolean(base),
    ]),
    [words.stats, led("/stats"), reader],
    [reading.nav.costs, led("/costs"), reader],
    [reading.nav.settings, led("/settings"), operator],
    [reading.nav.doctor, led("/doctor"), operator],
    [words.colours, done(changeColours), true],
    [words.help, done(showHelp), true],
  ];
  const sought = text.toLowerCase();
  const fits = (label: string, n: number) => n < 2 || label.toLowerCase().includes(sought);
  return all
    .filter(([label, , allowed], n) => allowed && fits(label, n))
    .map(([label, go]) => ({ kind: "actions", key: label, parts: [{ text: label, found: false }], go }));
}

/** Documents of the debate that is open, once its pages have loaded. A sample has no texts of them. */
function useDocumentEntries(text: string, close: () => void): Entry[] {
  const navigate = useNavigate();
  const page = useDebatePage();
  const { id = "" } = useParams({ strict: false });
  const listed = useQueryClient().getQueryData<View>(["view", id])?.documents ?? [];
  const sought = text.toLowerCase();
  return listed
    .filter(({ title }) => title.toLowerCase().includes(sought))
    .map(({ id: document, title }) => ({
      kind: "documents",
      key: document,
      mark: document,
      parts: [{ text: title, found: false }],
      go: () => {
        close();
        const text = sampleNamed(id) ? "" : `/${encodeURIComponent(document)}`;
        void navigate({ to: `${page}/documents${text}` });
      },
    }));
}

/** The address of the debate that is open, if one is. */
export function useDebatePage(): string {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return /^\/debates\/[^/]+/.exec(path)?.[0] ?? "";
}
