/** What a person says when it is their turn: plain words with their count, or the form that is asked for. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { asProblem, at, post, type Question } from "../api";
import { lookAgain } from "../live/state";
import { SchemaForm } from "../start/SchemaForm";
import { faults, initial, type Schema } from "../start/schema";
import { Button } from "../ui/Button";
import { TextArea } from "../ui/Field";
import { Problem } from "../ui/Said";
import { clock, when, words } from "../words/doing";
import { countWords } from "./counting";
import { useKept } from "./draft";

interface Props {
  id: string;
  question: Question;
  /** What stands behind an id, by the kind of id. */
  about: (kind: string, id: string) => string;
  /** What ids begin with that the answer itself gives. */
  own: string;
  said: () => void;
  /** It was answered by somebody else, who may be the same person in another tab: here is what was written. */
  left: (text: string) => void;
}

export function Answer({ id, question, about, own, said, left }: Props) {
  const form = question.form as Schema | null;
  const [value, setValue, forget] = useKept<unknown>(id, question.key, () => (form ? initial(form, form, own) : ""));
  const [tried, setTried] = useState(false);
  const text = form ? JSON.stringify(value) : String(value ?? "");
  const found = form ? faults(form, value) : {};
  const unsaid = useRef("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: when this question is gone
  useEffect(() => () => left(unsaid.current), []);
  const send = useMutation({
    mutationFn: () => post(at(id, "speeches"), { seat: question.seat, text, key: question.key }),
    onSuccess: () => {
      unsaid.current = "";
      forget();
      said();
      void lookAgain(id);
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    if (text.trim() && Object.keys(found).length === 0 && !send.isPending) send.mutate();
  };
  const change = (next: unknown) => {
    send.reset();
    unsaid.current = typeof next === "string" ? next : inForm(next);
    setValue(next);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  };
  return (
    <form onSubmit={submit} onKeyDown={press} noValidate className="space-y-4">
      {form ? (
        <fieldset className="space-y-5">
          <legend className="mb-2 text-lg font-[650]">{words.seat.form}</legend>
          <SchemaForm
            schema={form}
            root={form}
            value={value}
            change={change}
            path=""
            faults={tried ? found : {}}
            about={about}
            own={own}
          />
        </fieldset>
      ) : (
        <TextArea
          label={<span className="text-lg font-[650]">{words.seat.yours}</span>}
          rows={12}
          dir="auto"
          maxLength={100_000}
          value={String(value ?? "")}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <Measure question={question} said={form ? inForm(value) : text} />
      {send.error && (unfit(send.error) ? <Refusal error={send.error} /> : <Problem error={send.error} />)}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="main" disabled={!text.trim()} busy={send.isPending}>
          {send.isPending ? words.seat.sending : words.seat.send}
        </Button>
        <p className="text-sm text-muted">
          {words.seat.sendHint} {words.seat.draft}
        </p>
      </div>
    </form>
  );
}

/** All words that stand in a form. */
const inForm = (value: unknown): string =>
  value && typeof value === "object"
    ? Object.values(value).map(inForm).join(" ")
    : typeof value === "string"
      ? value
      : "";

function Measure({ question, said }: { question: Question; said: string }) {
  const many = countWords(said);
  const allowed = question.words;
  const over = allowed !== null && many > allowed;
  return (
    <div className="space-y-1.5">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className={over ? "font-medium text-wrong" : ""}>
          {allowed === null ? words.seat.said(many) : words.seat.allowed(many, allowed)}
          {over && ` · ${words.seat.over(many - allowed)}`}
        </span>
        <Clock question={question} />
      </p>
      {allowed !== null && (
        <meter
          className="h-2 w-full"
          min={0}
          max={allowed}
          high={allowed * 0.9}
          value={Math.min(many, allowed)}
          aria-label={words.seat.allowed(many, allowed)}
        />
      )}
    </div>
  );
}

function Clock({ question }: { question: Question }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const gone = (now - Date.parse(question.since)) / 1_000;
  return (
    <span className="text-muted">
      {gone >= 0 &&
        (question.seconds
          ? words.seat.clock(clock(gone), clock(question.seconds))
          : words.seat.clockPlain(clock(gone)))}
      {question.until && ` · ${words.seat.until(when(question.until))}`}
    </span>
  );
}

const unfit = (error: unknown) => asProblem(error).status === 422;

/** The complaints, one by one; the draft stays as it is. */
function Refusal({ error }: { error: unknown }) {
  const { title, why, fix } = asProblem(error);
  const lines = [...title.split("; "), why, fix].filter(Boolean);
  return (
    <div role="alert" className="rounded-md border border-wrong bg-raised p-4 text-sm">
      <p className="font-semibold">{words.seat.refused}</p>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
