/** A turn step by step: the point that is answered, a move, a reason, a quote; ids are given, and never typed. */
import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { type Asked, SchemaForm, titleOf } from "../start/SchemaForm";
import { type Faults, kindOf, type Schema } from "../start/schema";
import { EDGES, type Side } from "../ui/Badge";
import { Button, IconButton } from "../ui/Button";
import { capital, spaced, words } from "../words/doing";
import { fieldWith, type Sources } from "./fields";
import { added, begun, faultsOf, namedIn, partAt, put, removed, type Step, valueAt } from "./guide";

const w = words.seat;

/** A point as it was made. */
export interface PointSaid {
  /** What it claims, in a sentence. */
  claim: string;
  /** All of it, in its speaker's words. */
  words: string;
  /** What was asked about it. */
  questions: string;
  side: Side;
}

interface Props {
  form: Schema;
  value: unknown;
  change: (value: unknown) => void;
  steps: readonly Step[];
  at: number;
  go: (step: number) => void;
  faults: Faults;
  own: string;
  about: NonNullable<Asked["about"]>;
  point: (id: string) => PointSaid;
  sources: Omit<Sources, "point">;
}

/** The name of a step, as it is pressed and read: an id, or what the field is called. */
export const stepName = (step: Step): string => (step.list ? step.name : capital(spaced(step.name)));

export function Guided(given: Props) {
  const box = useRef<HTMLDivElement>(null);
  // Another step is announced: the focus goes to its name.
  const go = (to: number) => {
    given.go(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>("h3")?.focus());
  };
  const props = { ...given, go };
  const { form, value, steps, at } = props;
  const step = steps[at];
  if (!step) return null;
  return (
    <div ref={box} className="gap-6 md:grid md:grid-cols-[11rem_minmax(0,1fr)]">
      <Steps {...props} />
      <div className="space-y-5">
        <OneStep key={step.paths.join()} {...props} step={step} />
        <div className="flex flex-wrap justify-between gap-2">
          <span>{at > 0 && <Button onClick={() => go(at - 1)}>{w.before(nameAt(steps, at - 1))}</Button>}</span>
          <span>
            {at < steps.length - 1 && <Button onClick={() => go(at + 1)}>{w.after(nameAt(steps, at + 1))}</Button>}
          </span>
        </div>
        <More {...props} list={step.list} lines={listed(value, step.list)} schema={partAt(form, step.list)} />
      </div>
    </div>
  );
}

const nameAt = (steps: readonly Step[], at: number) => {
  const step = steps[at];
  return step ? stepName(step) : "";
};

const listed = (value: unknown, list: string): number => {
  const lines = list ? valueAt(value, list) : [];
  return Array.isArray(lines) ? lines.length : 0;
};

const SIGNS = { done: "✓", wrong: "✕", here: "●", open: "○" } as const;

function Steps({ form, value, steps, at, go, faults, about }: Props) {
  const state = (step: Step, n: number): keyof typeof SIGNS =>
    faultsOf(step, faults).length ? "wrong" : n === at ? "here" : begun(form, value, step) ? "done" : "open";
  return (
    <nav aria-label={w.steps} className="mb-5 md:mb-0">
      <p className="mb-2 text-sm font-medium text-muted">{w.stepOf(at + 1, steps.length)}</p>
      {/* Positioned, so that what only those who listen are told does not widen the page. */}
      <ol className="relative flex gap-1 max-md:-mx-1 max-md:overflow-x-auto max-md:px-1 max-md:pb-1 md:flex-col">
        {steps.map((step, n) => {
          const how = state(step, n);
          return (
            <li key={step.paths.join()} className="max-md:shrink-0">
              <button
                type="button"
                onClick={() => go(n)}
                {...(n === at ? { "aria-current": "step" as const } : {})}
                className={`flex min-h-11 w-full items-start gap-2 rounded-md px-2.5 py-2 text-left text-sm hover:bg-sunken ${n === at ? "bg-accent-soft font-semibold" : ""}`}
              >
                <span aria-hidden="true" className={`w-4 shrink-0 text-center ${how === "wrong" ? "text-wrong" : ""}`}>
                  {SIGNS[how]}
                </span>
                <span className="min-w-0">
                  {stepName(step)} <span className="sr-only">({w.step[how]})</span>
                  <span className="line-clamp-2 font-normal text-muted max-md:hidden" dir="auto">
                    {step.kind === "own" ? claimOf(value, step) : step.list ? about(step.kind, step.name) : ""}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The first words of an argument that is being made. */
const claimOf = (value: unknown, step: Step): string => {
  const claim = valueAt(value, `${step.paths[0]}.claim`);
  return typeof claim === "string" ? claim : "";
};

function OneStep(props: Props & { step: Step }) {
  const { form, value, change, step, faults, own, about } = props;
  const said = step.list && step.kind !== "own" ? props.point(step.name) : null;
  const sources = { ...props.sources, point: { id: step.name, words: said?.words ?? "" } };
  return (
    <section aria-label={stepName(step)} className="space-y-5">
      <div className="flex items-start justify-between gap-2">
        <h3 tabIndex={-1} className="text-base outline-none">
          {said ? `${w.answering[step.kind as "claim"] ?? w.answering.other} · ${step.name}` : stepName(step)}
        </h3>
        <Drop {...props} />
      </div>
      {said && <Point said={said} />}
      {step.paths.map((path) => (
        <SchemaForm
          key={path}
          schema={shown(form, step, path)}
          root={form}
          value={step.list || kindOf(partAt(form, path)) === "group" ? valueAt(value, path) : value}
          change={(next) => change(step.list || kindOf(partAt(form, path)) === "group" ? put(value, path, next) : next)}
          path={step.list || kindOf(partAt(form, path)) === "group" ? path : ""}
          faults={faults}
          about={about}
          own={own}
          instead={fieldWith(sources)}
        />
      ))}
    </section>
  );
}

/** The fields of a step: a line or group without the id that is given; else the one field of the form. */
function shown(form: Schema, step: Step, path: string): Schema {
  const part = partAt(form, path);
  if (kindOf(part) !== "group") return { type: "object", properties: { [path]: part } };
  const [named = ""] = step.list ? (namedIn(partAt(form, step.list), form) ?? []) : [];
  const { [named]: _, ...rest } = part.properties ?? {};
  return { ...part, properties: rest };
}

function Point({ said }: { said: PointSaid }) {
  return (
    <div className={`rounded-md border border-line bg-raised px-4 py-3 ${EDGES[said.side]}`}>
      <p className="font-semibold" dir="auto">
        {said.claim}
      </p>
      {said.words && said.words !== said.claim && (
        <p className="mt-1 max-h-60 overflow-y-auto text-sm whitespace-pre-line text-muted" dir="auto">
          {rest(said)}
        </p>
      )}
      {said.questions && (
        <p className="mt-2 text-sm whitespace-pre-line" dir="auto">
          <b className="font-semibold">{w.asked}:</b> {said.questions}
        </p>
      )}
    </div>
  );
}

/** The words of a point without its first line, which is its claim. */
const rest = ({ words: all, claim }: PointSaid): string =>
  all.includes(claim) ? all.slice(all.indexOf(claim) + claim.length).trim() : all;

function Drop({ form, value, change, step, own, go }: Props & { step: Step }) {
  const least = step.list ? (partAt(form, step.list).minItems ?? 0) : 0;
  if (step.kind !== "own" || listed(value, step.list) <= least) return null;
  return (
    <IconButton
      label={w.dropStep(step.name)}
      onClick={() => {
        change(removed(form, value, step, own));
        go(0);
      }}
    >
      <Trash2 size={16} aria-hidden="true" />
    </IconButton>
  );
}

interface MoreProps extends Props {
  list: string;
  lines: number;
  schema: Schema;
}

function More({ form, value, change, own, steps, go, list, lines, schema }: MoreProps) {
  const step = steps.find((one) => one.list === list);
  if (!list || step?.kind !== "own" || lines >= (schema.maxItems ?? 100)) return null;
  return (
    <Button
      look="quiet"
      onClick={() => {
        change(added(form, value, list, own));
        go(steps.findLastIndex((one) => one.list === list) + 1);
      }}
    >
      <Plus size={16} aria-hidden="true" />
      {w.addStep(spaced(list))}
    </Button>
  );
}

/** All of it, before it is sent. */
export function ReadOver({ form, value, steps }: Pick<Props, "form" | "value" | "steps">) {
  return (
    <div className="space-y-5">
      {steps.map((step) => (
        <section key={step.paths.join()} className="rounded-md border border-line bg-raised px-4 py-3">
          <h4 className="mb-1 text-base">{stepName(step)}</h4>
          <dl className="space-y-1.5 text-sm">
            {step.paths
              .flatMap((path) => told(form, step, path, valueAt(value, path)))
              .map(([label, said]) => (
                <div key={label}>
                  <dt className="text-muted">{label}</dt>
                  <dd className="whitespace-pre-line" dir="auto">
                    {said || w.unsaid}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Every field of a step with its words; the id stands in the heading. */
function told(form: Schema, step: Step, path: string, value: unknown): (readonly [string, string])[] {
  const fields = shown(form, step, path).properties ?? {};
  const inside = kindOf(partAt(form, path)) === "group";
  return Object.keys(fields).map((name) => {
    const one = inside ? (value as Record<string, unknown> | null)?.[name] : value;
    return [titleOf(name), flat(one)] as const;
  });
}

const flat = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(flat).join("\n");
  if (value && typeof value === "object") return Object.values(value).map(flat).filter(Boolean).join(" · ");
  return value === null || value === undefined ? "" : String(value);
};
