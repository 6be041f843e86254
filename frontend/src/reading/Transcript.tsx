/** Every word that was said. Only what is in view is in the page, except on paper; so it has a search of its own. */

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { View } from "../api";
import { useNavigate } from "../router";
import { TextField } from "../ui/Field";
import { useKeys } from "../ui/keys";
import { Announced } from "../ui/Said";
import { Skeleton } from "../ui/Skeleton";
import { words } from "../words/reading";
import { placed, useHash } from "./links";
import { useDebate, useIndex } from "./open";
import { usePrinting } from "./printing";
import { laid, type Row, roomFor } from "./rows";
import { RoundTitle, SpeechArticle } from "./Speech";

const w = words.transcript;

export default function Transcript() {
  const view = useDebate();
  const [search, setSearch] = useState("");
  const asked = useDeferredValue(search);
  const rows = useMemo(() => laid(view, asked), [view, asked]);
  const found = useMemo(() => rows.filter((row) => row.speech).length, [rows]);
  const box = useRef<HTMLDivElement>(null);
  useKeys({ "/": () => box.current?.querySelector("input")?.focus() });
  // Of a long debate the first turns come first; what a search finds in them is not all.
  const told = !view.part ? w.found(found, view.turns) : asked ? "" : w.found(view.turns, view.turns);
  const [round, setRound] = useState(view.rounds[0]?.index ?? 0);
  return (
    <div className="gap-12 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <aside className="no-print mb-6 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto lg:p-1">
        <search ref={box}>
          <TextField
            label={w.search}
            quiet
            type="search"
            placeholder={w.searchHint}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          />
        </search>
        <p className="mt-2 text-sm text-muted">{told}</p>
        {asked && <Announced>{told}</Announced>}
        <Rounds view={view} here={round} />
      </aside>
      <div aria-busy={Boolean(view.part)}>
        <Turns rows={rows} searched={asked} reach={setRound} />
        {view.part && <Skeleton shape="rows" />}
      </div>
    </div>
  );
}

/** Where one can go, and where one is: it follows the scroll. */
function Rounds({ view, here }: { view: View; here: number }) {
  const navigate = useNavigate();
  if (view.rounds.length < 2) return null;
  const listed = view.rounds.length <= ROUNDS_LISTED;
  const jump = (hash: string | undefined) => hash && void navigate({ to: ".", hash });
  return (
    <nav aria-label={w.rounds} className="mt-5">
      <select
        aria-label={w.rounds}
        className={`min-h-10 w-full rounded-md border border-edge bg-raised px-3 ${listed ? "lg:hidden" : ""}`}
        value={view.rounds.find((round) => round.index === here)?.speeches[0] ?? ""}
        onChange={(event) => jump(event.target.value)}
      >
        {view.rounds.map((round) => (
          <option key={round.index} value={round.speeches[0] ?? ""}>
            {w.named(round.label)}
          </option>
        ))}
      </select>
      {listed && (
        <ol className="hidden space-y-0.5 border-l border-line text-sm lg:block">
          {view.rounds.map((round) => (
            <li key={round.index}>
              <button
                type="button"
                {...(round.index === here ? { "aria-current": "step" as const } : {})}
                className={`-ml-px min-h-7 w-full border-l-2 py-0.5 pl-3 text-left hover:text-ink ${round.index === here ? "border-accent font-semibold text-ink" : "border-transparent text-muted"}`}
                onClick={() => jump(round.speeches[0])}
              >
                {w.named(round.label)}
              </button>
            </li>
          ))}
        </ol>
      )}
    </nav>
  );
}

/** So far below the upper edge stands what is read. */
const READ_AT = 120;

/** A longer list helps nobody; then they are chosen from a menu. */
const ROUNDS_LISTED = 40;

interface TurnsProps {
  rows: readonly Row[];
  searched: string;
  /** Told the round that is read, whenever it changes. */
  reach: (round: number) => void;
}

function Turns({ rows, searched, reach }: TurnsProps) {
  const printing = usePrinting();
  const index = useIndex();
  const hash = useHash();
  const led = placed(index, hash);
  const list = useRef<HTMLElement>(null);
  const [width, margin] = useExtent(list);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (n) => roomFor(rows[n], width),
    getItemKey: (n) => rows[n]?.key ?? n,
    overscan: 6,
    scrollMargin: margin,
    scrollPaddingStart: 24,
  });
  const line = (virtual.scrollOffset ?? 0) + READ_AT;
  const read = virtual.getVirtualItems().findLast((item) => item.start <= line)?.index ?? 0;
  const round = rows[read]?.round.index;
  useEffect(() => {
    if (round !== undefined) reach(round);
  }, [round, reach]);
  const rowOf = (turn: string) => rows.findIndex((row) => row.speech?.id === turn);

  const lead = useEffectEvent((turn: string) => {
    const row = rowOf(turn);
    if (row >= 0) virtual.scrollToIndex(row, { align: "start" });
  });
  const turn = led?.turn;
  // `hash` too: following the same link again leads there again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (turn && width) lead(turn);
  }, [turn, hash, width > 0]);

  const toFirst = useEffectEvent(() => scrollTo({ top: Math.min(scrollY, margin - 24) }));
  useEffect(() => {
    if (searched) toFirst();
  }, [searched]);

  const navigate = useNavigate();
  const step = (by: 1 | -1) => {
    const from = turn ? rowOf(turn) : by === 1 ? -1 : rows.length;
    let to = from + by;
    while (rows[to] && !rows[to]?.speech) to += by;
    const next = rows[to]?.speech?.id;
    if (next) void navigate({ to: ".", hash: next, replace: true });
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  useMarked(list, searched, virtual.range?.startIndex);

  if (!rows.length) return <p className="py-10 text-muted">{w.nothing}</p>;
  const shown = (row: Row) =>
    row.speech ? (
      <SpeechArticle speech={row.speech} led={led?.turn === row.speech.id ? led.id : ""} index={index} />
    ) : (
      <RoundTitle round={row.round} />
    );
  if (printing)
    return (
      <section ref={list} aria-label={w.list}>
        {rows.map((row) => (
          <div key={row.key}>{shown(row)}</div>
        ))}
      </section>
    );
  return (
    <section ref={list} aria-label={w.list} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return (
          row && (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start - margin}px)` }}
            >
              {shown(row)}
            </div>
          )
        );
      })}
    </section>
  );
}

/** How wide the list is, and how far down the page it begins. */
function useExtent(list: React.RefObject<HTMLElement | null>): [width: number, top: number] {
  const [extent, setExtent] = useState<[number, number]>([0, 0]);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      setExtent((was) => (was[0] === width && was[1] === top + scrollY ? was : [width, top + scrollY]));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    watch.observe(document.body);
    measure();
    return () => watch.disconnect();
  }, [list]);
  return extent;
}

/** Marks what was searched for in what is on the page, where the browser can. */
function useMarked(list: React.RefObject<HTMLElement | null>, searched: string, moved: number | undefined) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are on the page once it has moved
  useEffect(() => {
    if (!list.current || !("highlights" in CSS)) return;
    CSS.highlights.set("found", new Highlight(...rangesOf(list.current, searched.trim().toLowerCase())));
    return () => void CSS.highlights.delete("found");
  }, [list, searched, moved]);
}

function rangesOf(root: HTMLElement, asked: string): Range[] {
  const found: Range[] = [];
  if (!asked) return found;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (let at = text.indexOf(asked); at >= 0; at = text.indexOf(asked, at + asked.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + asked.length);
      found.push(range);
    }
  }
  return found;
}
