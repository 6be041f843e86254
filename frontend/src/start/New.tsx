/** A new debate: what, how, who, judged by whom, and what it will take, before anything is asked of a model. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type About, asProblem, type Begun, type NewDebate, type ProtocolCard, post, useAbout } from "../api";
import { useNavigate, useSearch } from "../router";
import { Button } from "../ui/Button";
import { useCurrent } from "../ui/current";
import { Checkbox, TextArea, TextField } from "../ui/Field";
import { Loading, NoPage, Problem } from "../ui/Said";
import { Title } from "../ui/Title";
import { capital, words } from "../words/doing";
import type { Brought } from "./brought";
import { Documents } from "./Documents";
import { asked, blank, type Draft, refused, schemaOf, seatsOf, settingsOf, wrong } from "./draft";
import { costInShort, ForecastCard, useForecast } from "./Forecast";
import { useKeys } from "./key";
import { debatesOf, hasSides, MOST_REPEATS, sidesDiffer } from "./many";
import { Protocols } from "./Protocols";
import { Purposes } from "./Purposes";
import { SavedPanels } from "./SavedPanels";
import { SchemaForm } from "./SchemaForm";
import { Judges, Seats } from "./Seats";
import { changed, type Faults } from "./schema";

const KEPT = "hustings.new";

export default function New() {
  const about = useAbout();
  if (about.error) return <NoPage error={about.error} again={() => void about.refetch()} />;
  if (!about.data) return <Loading />;
  return <Form about={about.data} />;
}

/** What was filled in stays in this tab until the debate is begun. */
function useDraft(about: About) {
  const { motion } = useSearch({ strict: false }) as { motion?: string };
  const [kept] = useState(() => restored(about));
  const [draft, setDraft, current] = useCurrent<Draft>({
    ...blank(about),
    ...kept,
    ...(motion ? { question: motion } : {}),
  });
  useEffect(() => keep(draft), [draft]);
  const change = (some: Partial<Draft> | ((was: Draft) => Partial<Draft>)) =>
    setDraft((was) => ({ ...was, ...(typeof some === "function" ? some(was) : some) }));
  return { draft, current, change, back: Boolean(!motion && (kept.question || kept.documents?.length)) };
}

/** The draft that this tab kept, if this server can hold it. */
function restored(about: About): Partial<Draft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Partial<Draft>;
    const known = about.protocols.some((card) => card.name === kept.protocol);
    return known ? kept : {};
  } catch {
    return {};
  }
}

/** Long documents do not fit into what a tab may keep; all else does. */
function keep(draft: Draft) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(draft));
  } catch {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...draft, documents: [] }));
  }
}

/** Begins every debate that is asked for, one after the other. Begun again after a fault, none is held twice. */
function useBegin() {
  const navigate = useNavigate();
  const keyOf = useKeys();
  return useMutation({
    mutationFn: async (debates: readonly NewDebate[]) => {
      const key = keyOf(debates);
      let last = "";
      for (const [n, body] of debates.entries())
        last = (await post<Begun>("/api/debates", body, { "Idempotency-Key": n ? `${key}-${n}` : key })).run_id;
      return last;
    },
    onSuccess: (id, debates) => {
      sessionStorage.removeItem(KEPT);
      void (debates.length > 1 ? navigate({ to: "/" }) : navigate({ to: "/debates/$id", params: { id } }));
    },
  });
}

/** What a draft asks for, and what is wrong with it. */
function planned(about: About, draft: Draft) {
  const card = about.protocols.find((one) => one.name === draft.protocol) ?? about.protocols[0];
  if (!card) throw new Error(words.start.noModels);
  const body = asked(draft, card);
  const found = wrong(draft, card);
  return {
    card,
    body,
    found,
    debates: debatesOf(body, card, found.repeats ? 1 : Number(draft.repeats), draft.swapped),
  };
}

function Form({ about }: { about: About }) {
  const { draft, current, change, back } = useDraft(about);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { card, body, found, debates } = planned(about, draft);
  const begin = useBegin();
  const told = begin.error ? asProblem(begin.error) : null;
  const faults: Faults = { ...(told ? refused(told.fields, told.why || told.title) : {}), ...(tried ? found : {}) };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    const now = planned(about, current());
    if (Object.keys(now.found).length === 0) begin.mutate(now.debates);
    else
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert] input")?.focus(),
      );
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !begin.isPending) submit();
  };
  const edit = (some: Partial<Draft>) => {
    begin.reset();
    change(some);
  };
  const { question: _, ...rest } = found;
  // Any question gives the same figures, near enough, so that they stand there before one is written.
  const sample = { ...body, question: body.question || words.start.motionPlaceholder };
  const foreseen = useForecast("/api/estimates", sample, Object.keys(rest).length === 0);
  const go = <Go many={debates.length} busy={begin.isPending} />;
  return (
    <form
      ref={form}
      onSubmit={submit}
      onKeyDown={press}
      noValidate
      className="gap-12 max-lg:pb-20 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem]"
    >
      <Title>{words.title(words.start.title)}</Title>
      <div className="space-y-8">
        <Head back={back} startOver={() => change(blank(about))} />
        <div className="space-y-3">
          <Purposes about={about} draft={draft} change={edit} />
          <SavedPanels about={about} card={card} draft={draft} current={current} change={edit} />
        </div>
        <Asked
          about={about}
          card={card}
          draft={draft}
          change={edit}
          faults={faults}
          changeDocuments={(next) => {
            begin.reset();
            change((was) => ({ documents: next(was.documents) }));
          }}
        />
        <Part title={words.start.seats}>
          <Seats about={about} card={card} draft={draft} change={edit} faults={faults} />
        </Part>
        <Part title={words.start.judging}>
          <Judges about={about} draft={draft} change={edit} faults={faults} />
        </Part>
        <Limits card={card} draft={draft} change={edit} faults={faults} />
      </div>
      <div className="mt-10 space-y-5 self-start lg:sticky lg:top-6 lg:mt-14">
        <ForecastCard foreseen={foreseen} times={debates.length} />
        {tried && Object.keys(found).length > 0 && <Wrong faults={found} />}
        {begin.error && <Problem error={begin.error} />}
        <div className="max-lg:hidden">
          {go}
          <p className="mt-2 text-center text-sm text-muted">{words.start.goKeys}</p>
        </div>
      </div>
      <div className="fixed inset-x-0 bottom-0 z-20 flex items-center justify-between gap-3 border-t border-line bg-raised px-4 py-2.5 lg:hidden">
        <span className={`min-w-0 text-sm ${foreseen.old ? "text-muted" : "font-medium"}`}>
          {costInShort(foreseen, debates.length)}
        </span>
        <span className="shrink-0">{go}</span>
      </div>
    </form>
  );
}

function Go({ many, busy }: { many: number; busy: boolean }) {
  return (
    <Button type="submit" look="main" className="w-full text-base" busy={busy}>
      {busy ? words.start.going : many > 1 ? words.start.goMany(many) : words.start.go}
    </Button>
  );
}

function Head({ back, startOver }: { back: boolean; startOver: () => void }) {
  const [told, setTold] = useState(back);
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <h1 className="text-3xl">{words.start.title}</h1>
      {told && (
        <p role="status" className="text-sm text-muted">
          {words.start.restored}{" "}
          <button
            type="button"
            className="min-h-6 text-accent underline underline-offset-2"
            onClick={() => {
              setTold(false);
              startOver();
            }}
          >
            {words.start.startOver}
          </button>
        </p>
      )}
    </div>
  );
}

interface PartProps {
  card: ProtocolCard;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  faults: Faults;
}

/** The question, what comes with it, and how it is argued. */
function Asked({
  about,
  card,
  draft,
  change,
  faults,
  changeDocuments,
}: PartProps & {
  about: About;
  changeDocuments: (next: (was: readonly Brought[]) => readonly Brought[]) => void;
}) {
  return (
    <>
      <TextArea
        label={<span className="text-base">{words.start.motion}</span>}
        hint={words.start.motionHint}
        problem={faults.question}
        rows={2}
        maxLength={2_000}
        required
        placeholder={words.start.motionPlaceholder}
        value={draft.question}
        onChange={(event) => change({ question: event.target.value })}
      />
      <div className="grid gap-8 xl:grid-cols-2">
        <Documents
          card={card}
          documents={draft.documents}
          change={changeDocuments}
          problem={faults.documents ?? faults.background}
        />
        <div className="space-y-3">
          <Protocols about={about} chosen={card} choose={(protocol) => change({ protocol })} />
          <Settings card={card} draft={draft} change={change} faults={faults} />
        </div>
      </div>
    </>
  );
}

/** How often, how much, and in which language. */
function Limits({ card, draft, change, faults }: PartProps) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        type="number"
        inputMode="numeric"
        min={1}
        max={MOST_REPEATS}
        label={words.start.repeats}
        hint={words.start.repeatsHint}
        problem={faults.repeats}
        value={draft.repeats}
        onChange={(event) => change({ repeats: event.target.value })}
      />
      {hasSides(card) && (
        <div className="sm:pt-6">
          <Checkbox
            label={words.start.swapped}
            hint={sidesDiffer(card, seatsOf(draft)) ? words.start.swappedHint : words.start.swappedSame}
            checked={draft.swapped}
            onChange={(event) => change({ swapped: event.target.checked })}
          />
        </div>
      )}
      <TextField
        type="number"
        inputMode="decimal"
        min={0}
        max={1_000}
        step="any"
        label={words.start.budget}
        hint={words.start.budgetHint}
        problem={faults.budget}
        value={draft.budget}
        onChange={(event) => change({ budget: event.target.value })}
      />
      <TextField
        label={words.start.language}
        hint={words.start.languageHint}
        problem={faults.language}
        value={draft.language}
        onChange={(event) => change({ language: event.target.value })}
      />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-lg">{title}</h2>
      {children}
    </section>
  );
}

function Wrong({ faults }: { faults: Faults }) {
  return (
    <div role="alert" className="text-sm text-wrong">
      <p className="font-medium">{words.start.fix}</p>
      <ul className="mt-1 list-disc pl-5">
        {Object.entries(faults).map(([field, fault]) => (
          <li key={field}>
            {capital(field.replace(/^settings\./, "").replaceAll("_", " "))}: {fault}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Settings({ card, draft, change, faults }: PartProps) {
  const schema = schemaOf(card);
  const value = settingsOf(draft, card);
  const differ = Object.keys(changed(schema, value)).length;
  const here = Object.entries(faults).flatMap(([path, fault]) =>
    path.startsWith("settings.") ? [[path.slice(9), fault]] : [],
  );
  if (!Object.keys(schema.properties ?? {}).length) return null;
  return (
    <details {...(here.length ? { open: true } : {})} key={card.name}>
      <summary className="min-h-10 py-2">
        <h2 className="inline text-lg">{words.start.settings}</h2>{" "}
        <span className="text-sm text-muted">
          {differ ? words.start.settingsChanged(differ) : words.start.settingsUsual}
        </span>
      </summary>
      <div className="grid gap-5 pt-2 sm:grid-cols-2">
        <SchemaForm
          schema={schema}
          root={schema}
          value={value}
          path=""
          faults={Object.fromEntries(here)}
          change={(next) => change({ settings: { ...draft.settings, [card.name]: next as Record<string, unknown> } })}
        />
      </div>
      {differ > 0 && (
        <Button
          className="mt-4"
          onClick={() => change({ settings: { ...draft.settings, [card.name]: undefined as never } })}
        >
          {words.start.reset}
        </Button>
      )}
    </details>
  );
}
