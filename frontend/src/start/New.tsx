/** A new debate: what, how, who, judged by whom, and what it will take, before anything is asked of a model. */

import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type About, asProblem, type Begun, type ProtocolCard, post, useAbout } from "../api";
import { Button } from "../ui/Button";
import { TextArea, TextField } from "../ui/Field";
import { Loading, NoPage, Problem } from "../ui/Said";
import { capital, words } from "../words/doing";
import type { Brought } from "./brought";
import { Documents } from "./Documents";
import { asked, blank, type Draft, protocols, refused, schemaOf, settingsOf, wrong } from "./draft";
import { Forecast } from "./Forecast";
import { useKey } from "./key";
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
  const [draft, setDraft] = useState<Draft>(() => {
    const usual = blank(about);
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Partial<Draft>;
      const known = about.protocols.some((card) => card.name === kept.protocol) ? kept : {};
      return { ...usual, ...known, documents: known.documents ?? [], ...(motion ? { motion } : {}) };
    } catch {
      return usual;
    }
  });
  useEffect(() => keep(draft), [draft]);
  const change = (some: Partial<Draft> | ((was: Draft) => Partial<Draft>)) =>
    setDraft((was) => ({ ...was, ...(typeof some === "function" ? some(was) : some) }));
  return [draft, change] as const;
}

/** Long documents do not fit into what a tab may keep; all else does. */
function keep(draft: Draft) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(draft));
  } catch {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...draft, documents: [] }));
  }
}

function Form({ about }: { about: About }) {
  const [draft, change] = useDraft(about);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const card = about.protocols.find((one) => one.name === draft.protocol) ?? about.protocols[0];
  if (!card) throw new Error(words.start.noModels);
  const body = asked(draft, card);
  const key = useKey(body);
  const begin = useMutation({
    mutationFn: () => post<Begun>("/api/debates", body, { "Idempotency-Key": key }),
    onSuccess: ({ run_id: id }) => {
      sessionStorage.removeItem(KEPT);
      void navigate({ to: "/debates/$id", params: { id } });
    },
  });
  const found = wrong(draft, card);
  const told = begin.error ? asProblem(begin.error) : null;
  const faults: Faults = { ...(told ? refused(told.fields, told.why || told.title) : {}), ...(tried ? found : {}) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(found).length === 0) begin.mutate();
    else
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert] input")?.focus(),
      );
  };
  const edit = (some: Partial<Draft>) => {
    begin.reset();
    change(some);
  };
  const changeDocuments = (next: (was: readonly Brought[]) => readonly Brought[]) => {
    begin.reset();
    change((was) => ({ documents: next(was.documents) }));
  };
  const { motion: _, ...rest } = found;
  return (
    <form ref={form} onSubmit={submit} noValidate className="gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem]">
      <title>{words.title(words.start.title)}</title>
      <div className="space-y-10">
        <h1 className="text-3xl">{words.start.title}</h1>
        <TextArea
          label={<span className="text-base">{words.start.motion}</span>}
          hint={words.start.motionHint}
          problem={faults.motion}
          rows={2}
          maxLength={2_000}
          required
          placeholder={words.start.motionPlaceholder}
          value={draft.motion}
          onChange={(event) => edit({ motion: event.target.value })}
        />
        <Documents
          card={card}
          documents={draft.documents}
          change={changeDocuments}
          problem={faults.documents ?? faults.background}
        />
        <Protocols about={about} chosen={card} choose={(protocol) => edit({ protocol })} />
        <Settings card={card} draft={draft} change={edit} faults={faults} />
        <Part title={words.start.seats}>
          <Seats about={about} card={card} draft={draft} change={edit} faults={faults} />
        </Part>
        <Part title={words.start.judging}>
          <Judges about={about} draft={draft} change={edit} faults={faults} />
        </Part>
        <div className="grid gap-5 sm:grid-cols-2">
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
            onChange={(event) => edit({ budget: event.target.value })}
          />
          <TextField
            label={words.start.language}
            hint={words.start.languageHint}
            problem={faults.language}
            value={draft.language}
            onChange={(event) => edit({ language: event.target.value })}
          />
        </div>
      </div>
      <div className="mt-10 space-y-5 self-start lg:sticky lg:top-6 lg:mt-14">
        <Forecast
          from="/api/estimates"
          // Any motion gives the same figures, near enough, so that they stand there before one is written.
          asked={{ ...body, motion: body.motion || words.start.motionPlaceholder }}
          fit={Object.keys(rest).length === 0}
        />
        {tried && Object.keys(found).length > 0 && <Wrong faults={found} />}
        {begin.error && <Problem error={begin.error} />}
        <Button type="submit" look="main" className="w-full text-base" busy={begin.isPending}>
          {begin.isPending ? words.start.going : words.start.go}
        </Button>
      </div>
    </form>
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

function Protocols({ about, chosen, choose }: { about: About; chosen: ProtocolCard; choose: (name: string) => void }) {
  return (
    <fieldset>
      <legend className="mb-3 text-lg font-[650]">{words.start.protocol}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {protocols(about).map((card) => (
          <label
            key={card.name}
            className="flex cursor-pointer gap-3 rounded-lg border border-line bg-raised p-4 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="protocol"
              className="mt-1 size-4 shrink-0 accent-accent outline-none"
              checked={card === chosen}
              onChange={() => choose(card.name)}
            />
            <span>
              <span className="font-semibold">{capital(card.name)}</span>
              <span className="block text-sm">{card.about.split("\n\n")[0]}</span>
              <span className="mt-1 block text-xs text-muted">
                {words.start.seatsOf(card.seats.length)} · {words.start.calls(card.calls)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Settings({
  card,
  draft,
  change,
  faults,
}: {
  card: ProtocolCard;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  faults: Faults;
}) {
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
