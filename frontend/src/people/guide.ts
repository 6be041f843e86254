/** A form as steps, one thing at a time: a claim to answer, an argument to make, and what else is asked. */
import { choicesOf, type Faults, initial, kindOf, resolved, type Schema } from "../start/schema";

type Group = Readonly<Record<string, unknown>>;

export interface Step {
  /** Where it stands in the form: `responses.0`; several fields where they belong to no group. */
  paths: readonly string[];
  /** The id that is answered or given; else the name of the field. */
  name: string;
  /** What kind of id it is; empty for a step without one. */
  kind: string;
  /** The list to which its line belongs, and its place there. */
  list: string;
  place: number;
}

const NO_LINE = { kind: "", list: "", place: -1 };

const fieldsOf = (schema: Schema, root: Schema): readonly (readonly [string, Schema])[] =>
  Object.entries(resolved(schema, root).properties ?? {}).map(([name, one]) => [name, resolved(one, root)] as const);

/** The field of a line that names what the line is about. */
export const namedIn = (list: Schema, root: Schema): readonly [string, Schema] | null =>
  fieldsOf(list.items ?? {}, root).find(([, field]) => field["x-choice"]) ?? null;

type Way = "makes" | "answers" | "names nothing" | "other";

/** Whether each line makes a point, answers one that is given, or cannot be about anything. */
function wayOf(list: Schema, root: Schema): Way {
  const [, named] = namedIn(list, root) ?? [];
  if (!named || kindOf(list) !== "list") return "other";
  if (named["x-choice"] === "own") return "makes";
  if (!named.enum?.length) return "names nothing";
  return list.minItems || named["x-choice"] === "question" ? "answers" : "other";
}

const linesIn = (value: unknown): readonly Group[] => (Array.isArray(value) ? (value as Group[]) : []);

/** Empty for a form in which no line makes or answers a point: it is filled in as it stands. */
export function stepsOf(form: Schema, value: unknown): readonly Step[] {
  const steps: Step[] = [];
  for (const [name, field] of fieldsOf(form, form)) {
    const way = wayOf(field, form);
    const kind = kindOf(field);
    if (way === "names nothing") continue;
    if (way === "makes" || way === "answers") {
      const [key = "", named = {}] = namedIn(field, form) ?? [];
      for (const [place, line] of linesIn((value as Group)[name]).entries())
        steps.push({
          paths: [`${name}.${place}`],
          name: String(line[key] ?? ""),
          kind: named["x-choice"] ?? "",
          list: name,
          place,
        });
      continue;
    }
    const last = steps.at(-1);
    if (kind === "list" || kind === "group" || !last || last.list || last.kind || !isLoose(last, form))
      steps.push({ paths: [name], name, ...NO_LINE });
    else steps[steps.length - 1] = { ...last, paths: [...last.paths, name] };
  }
  return steps.some((step) => step.list) ? steps : [];
}

const isLoose = (step: Step, form: Schema): boolean =>
  step.paths.every((path) => !["list", "group"].includes(kindOf(partAt(form, path))));

/** The schema of what stands at a path. */
export function partAt(form: Schema, path: string): Schema {
  return path.split(".").reduce<Schema>((schema, name) => {
    const known = resolved(schema, form);
    return resolved((/^\d+$/.test(name) ? known.items : known.properties?.[name]) ?? {}, form);
  }, form);
}

const below = (path: string, step: Step) => step.paths.some((own) => path === own || path.startsWith(`${own}.`));

/** The step at which a fault is put right; for a list as a whole, its last line. */
export function stepAt(steps: readonly Step[], path: string): number {
  const here = steps.findIndex((step) => below(path, step));
  return here >= 0 ? here : steps.findLastIndex((step) => step.list === path);
}

export const faultsOf = (step: Step, faults: Faults): readonly string[] =>
  Object.keys(faults).filter((path) => below(path, step));

/** Words that were written: no ids, no choices, and no words of others. */
export function written(schema: Schema, value: unknown, root: Schema = schema): string {
  const known = resolved(schema, root);
  if (Array.isArray(value)) return value.map((one) => written(known.items ?? {}, one, root)).join(" ");
  if (value && typeof value === "object")
    return Object.entries(value)
      .map(([name, one]) => written(known.properties?.[name] ?? {}, one, root))
      .join(" ");
  const own = kindOf(known) === "text" && !known["x-choice"] && !known["x-quote"];
  return own && typeof value === "string" ? value : "";
}

/** Whether anything was written or chosen at a step, besides what was given. */
export function begun(form: Schema, value: unknown, step: Step): boolean {
  return step.paths.some((path) => {
    const part = partAt(form, path);
    return JSON.stringify(blanked(part, valueAt(value, path))) !== JSON.stringify(blanked(part, initial(part, form)));
  });
}

function blanked(schema: Schema, value: unknown): unknown {
  if (!value || typeof value !== "object" || Array.isArray(value)) return value;
  const given = Object.keys(value).filter((name) => schema.properties?.[name]?.["x-choice"]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !given.includes(name)));
}

export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => (at as Group | undefined)?.[name], value);

/** The form with another value at a path. */
export function put(value: unknown, path: string, next: unknown): unknown {
  const [name = "", ...rest] = path.split(".");
  const inner = rest.length ? put((value as Group | undefined)?.[name], rest.join("."), next) : next;
  if (Array.isArray(value)) return value.map((one, n) => (String(n) === name ? inner : one));
  return { ...(value as Group), [name]: inner };
}

const prefixOf = (named: Schema, own: string) => named["x-own"] ?? own;

/** One more line at the end of a list whose lines make points. */
export function added(form: Schema, value: unknown, list: string, own: string): unknown {
  const lines = linesIn(valueAt(value, list));
  return put(value, list, [...lines, initial(partAt(form, list).items ?? {}, form, own, lines.length + 1)]);
}

/** Without a line; those after it are numbered anew. */
export function removed(form: Schema, value: unknown, step: Step, own: string): unknown {
  const [key = "", named = {}] = namedIn(partAt(form, step.list), form) ?? [];
  const left = linesIn(valueAt(value, step.list)).filter((_, place) => place !== step.place);
  return put(
    value,
    step.list,
    left.map((line, n) => ({ ...line, [key]: `${prefixOf(named, own)}-${n + 1}` })),
  );
}

/** What each choice means, if the description says it of all: `refute: it is wrong; concede: it holds`. */
export function meanings(schema: Schema): Readonly<Record<string, string>> {
  const told = choicesOf(schema).map((one) => {
    const word = String(one).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const found = new RegExp(`(?:^|[;.] *)${word}: ([^;]+)`).exec(schema.description ?? "");
    return [String(one), found?.[1]?.trim() ?? ""] as const;
  });
  return told.every(([, meaning]) => meaning) ? Object.fromEntries(told) : {};
}

/** What was said about the point with this id: from behind its bracket to the next one. */
export function partOf(text: string, id: string): string {
  const start = text.split("\n").findIndex((line) => line.startsWith(`[${id}]`));
  if (start < 0) return "";
  const lines = text.split("\n").slice(start);
  const end = lines.findIndex((line, n) => n > 0 && /^\[[A-Z][\w-]*-\d+\]/.test(line));
  const said = lines.slice(0, end < 0 ? undefined : end).join("\n");
  return said.slice(id.length + 2).trim();
}
