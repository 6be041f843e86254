/** What a person says when it is their turn: plain words with their count, or the form that is asked for. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { asProblem, at, post, type Question } from "../api";
import { lookAgain } from "../live/state";
import { SchemaForm, titleOf } from "../start/SchemaForm";
import { type Faults, faults, initial, type Schema } from "../start/schema";
import { Button } from "../ui/Button";
import { TextArea } from "../ui/Field";
import { Problem } from "../ui/Said";
import { clock, when, words } from "../words/doing";
import { countWords } from "./counting";
import { useKept } from "./draft";
import { FaultSummary, type FoundFault } from "./FaultSummary";
import type { Sources } from "./fields";
import { Guided, type PointSaid, ReadOver, stepName } from "./Guided";
import { type Step, stepAt, stepsOf, written } from "./guide";

/** Times the words that are asked for; more are not sent without a question. */
const FAR_TOO_MANY = 2;

interface Props {
  id: string;
  question: Question;
  /** What stands behind an id, by the kind of id. */
  about: (kind: string, id: string) => string;
  point: (id: string) => PointSaid;
  documents: Sources["documents"];
  /** What ids begin with that the answer itself gives. */
  own: string;
  said: () => void;
  /** It was answered by another person, who may be the same person in another tab: here is what was written. */
  left: (text: string) => void;
}

/** What is written so far, and what is wrong with it. */
function useAnswer({ id, question, own, said, left }: Props) {
  const form = question.form as Schema | null;
  const [value, setValue, forget, current] = useKept<unknown>(id, question.key, () =>
    form ? initial(form, form, own) : "",
  );
  const read = (given: unknown) => {
    const text = form ? JSON.stringify(given) : String(given ?? "");
    const found: Faults = form ? faults(form, given) : text.trim() ? {} : { "": words.seat.empty };
    return { text, found, steps: form ? stepsOf(form, given) : [] };
  };
  const unsaid = useRef("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: when this question is gone
  useEffect(() => () => left(unsaid.current), []);
  const send = useMutation({
    mutationFn: (text: string) => post(at(id, "speeches"), { seat: question.seat, text, key: question.key }),
    onSuccess: () => {
      unsaid.current = "";
      forget();
      said();
      void lookAgain(id);
    },
  });
  const change = (next: unknown) => {
    send.reset();
    unsaid.current = form ? written(form, next) : String(next);
    setValue(next);
  };
  const { text, found, steps } = read(value);
  return {
    form,
    value,
    change,
    mine: form ? written(form, value) : text,
    send,
    found,
    steps,
    now: () => read(current()),
  };
}

export function Answer(props: Props) {
  const { id, question, about, own, point, documents } = props;
  const { form, value, change: put, mine, send, found, steps, now } = useAnswer(props);
  const [asked, setAsked] = useState(false);
  const change = (next: unknown) => {
    setAsked(false);
    put(next);
  };
  const tooLong = (text: string) => !form && countWords(text) > FAR_TOO_MANY * (question.asked_words ?? Infinity);
  const [tried, setTried] = useState(0);
  const [step, setStep] = useState(0);
  const [reading, setReading] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (send.isPending) return;
    setTried(tried + 1);
    const given = now();
    if (Object.keys(given.found).length) setReading(false);
    else if (given.steps.length && !reading) setReading(true);
    else if (tooLong(given.text) && !asked) setAsked(true);
    else send.mutate(given.text, { onError: () => setReading(false) });
  };
  const press = (event: KeyboardEvent) => {
    const inDialog = event.target instanceof Element && event.target.closest("dialog");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !inDialog) submit();
  };
  const lead = (path: string) => {
    if (steps.length) setStep(Math.max(0, stepAt(steps, path)));
    requestAnimationFrame(() => fieldAt(box.current, path)?.focus());
  };
  const shown = tried ? summary(found, steps, send.error, lead) : [];
  return (
    <form ref={box} onSubmit={submit} onKeyDown={press} noValidate className="space-y-5">
      {shown.length > 0 && <FaultSummary faults={shown} at={tried} />}
      {send.error && !unfit(send.error) && <Problem error={send.error} />}
      {reading && form ? (
        <Review edit={() => setReading(false)}>
          <ReadOver form={form} value={value} steps={steps} />
        </Review>
      ) : form && steps.length ? (
        <Guided
          {...{ form, value, change, steps, own, about, point }}
          at={Math.min(step, steps.length - 1)}
          go={setStep}
          faults={tried ? found : {}}
          sources={{ id, documents }}
        />
      ) : (
        <Whole {...{ form, value, change, own, about }} faults={tried ? found : {}} />
      )}
      <Measure question={question} said={mine} />
      {asked && <p role="alert">{words.seat.long(countWords(mine), question.asked_words ?? 0)}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
        <Button type="submit" look="main" busy={send.isPending}>
          {send.isPending ? words.seat.sending : sends(steps.length > 0, reading, asked)}
        </Button>
        <p className="text-sm text-muted">
          {steps.length && !reading ? "" : `${words.seat.sendHint} `}
          {words.seat.draft}
        </p>
      </div>
    </form>
  );
}

const sends = (guided: boolean, reading: boolean, asked: boolean) =>
  asked ? words.seat.sendLong : reading ? words.seat.speak : guided ? words.seat.readOver : words.seat.send;

/** The first control of a field; the field stands on the page once its step does. */
const fieldAt = (form: HTMLFormElement | null, path: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(path ? `[data-field="${path}"] :is(input, textarea, select, button)` : "textarea") ??
  null;

const unfit = (error: unknown) => asProblem(error).status === 422;

/** What the form lacks; if it lacks nothing, what the server says of it. */
function summary(
  found: Faults,
  steps: readonly Step[],
  error: unknown,
  lead: (path: string) => void,
): readonly FoundFault[] {
  const own = Object.entries(found).map(([path, fault]) => {
    const at = steps[stepAt(steps, path)];
    const text = path ? words.seat.faultAt(at ? stepName(at) : "", titleOf(path), fault) : fault;
    return { text, go: () => lead(path) };
  });
  if (own.length || !error || !unfit(error)) return own;
  const { title, why, fix } = asProblem(error);
  return [...title.split("; "), why, fix].filter(Boolean).map((text) => {
    const about = steps.find((step) => step.list && text.includes(step.name));
    return { text, go: about ? () => lead(about.paths[0] ?? "") : undefined };
  });
}

function Review({ edit, children }: { edit: () => void; children: React.ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h3 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {words.seat.review}
        </h3>
        <Button onClick={edit}>{words.seat.edit}</Button>
      </div>
      <p className="text-sm text-muted">{words.seat.reviewWhy}</p>
      {children}
    </section>
  );
}

interface WholeProps {
  form: Schema | null;
  value: unknown;
  change: (value: unknown) => void;
  own: string;
  about: Props["about"];
  faults: Faults;
}

/** Plain words, or a form whose shape asks for no steps. */
function Whole({ form, value, change, own, about, faults: shown }: WholeProps) {
  if (form)
    return (
      <fieldset className="space-y-5">
        <legend className="mb-2 text-lg font-[650]">{words.seat.form}</legend>
        <SchemaForm schema={form} root={form} value={value} path="" faults={shown} {...{ change, about, own }} />
      </fieldset>
    );
  return (
    <TextArea
      label={<span className="text-lg font-[650]">{words.seat.yours}</span>}
      rows={12}
      dir="auto"
      maxLength={100_000}
      problem={shown[""]}
      value={String(value ?? "")}
      onChange={(event) => change(event.target.value)}
    />
  );
}

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
