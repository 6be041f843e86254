/** A JSON Schema as a form: what kind of field each part is, what stands in it at first, and what is wrong with it. */
import { words } from "../words/doing";

export interface Schema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  "x-choice"?: string;
  /** What ids of this answer begin with. */
  "x-own"?: string;
  /** Words of another speaker, or of a document, verbatim. */
  "x-quote"?: true | "document";
}

export type Kind = "choice" | "flag" | "number" | "list" | "group" | "text";
export type Faults = Readonly<Record<string, string>>;
type Group = Record<string, unknown>;

/** The schema itself where it only names another, or may also be null. */
export function resolved(schema: Schema, root: Schema): Schema & { nullable?: true } {
  if (schema.$ref) {
    const { $ref, ...own } = schema;
    const named = root.$defs?.[$ref.split("/").at(-1) ?? ""];
    return named ? { ...resolved(named, root), ...own } : own;
  }
  const others = schema.anyOf?.filter((one) => one.type !== "null");
  if (schema.anyOf && others?.length === 1 && others[0]) {
    const { anyOf, ...own } = schema;
    return { ...resolved(others[0], root), ...own, ...(anyOf && anyOf.length > 1 ? { nullable: true as const } : {}) };
  }
  return schema;
}

export function kindOf(schema: Schema): Kind {
  if (schema.enum || schema.const !== undefined) return "choice";
  if (schema.type === "boolean") return "flag";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "array") return "list";
  return schema.type === "object" && schema.properties ? "group" : "text";
}

export const choicesOf = (schema: Schema): readonly unknown[] => schema.enum ?? [schema.const];

/** What a field holds before anybody has touched it; lists have as many lines as they need.
 *
 * `own` begins the ids that an answer gives to what it puts forward, counted from 1. A line that must name something
 * names what stands at its `place`.
 */
export function initial(schema: Schema, root: Schema = schema, own = "", place = 0): unknown {
  const known = resolved(schema, root);
  if (known.default !== undefined) return known.default;
  switch (kindOf(known)) {
    case "choice":
      return known.const ?? (known["x-choice"] && known.enum?.[place - 1]) ?? (known.nullable ? null : "");
    case "flag":
      return false;
    case "number":
      return null;
    case "list":
      return Array.from({ length: linesOf(known, root) }, (_, n) => initial(known.items ?? {}, root, own, n + 1));
    case "group":
      return Object.fromEntries(
        Object.entries(known.properties ?? {}).map(([name, one]) => [name, initial(one, root, own, place)]),
      );
    case "text": {
      const begins = known["x-own"] ?? own;
      return begins && known["x-choice"] === "own" ? `${begins}-${place || 1}` : "";
    }
  }
}

/** One for each thing to be answered, where the list may not be empty or its lines answer questions. */
function linesOf(list: Schema, root: Schema): number {
  const least = list.minItems ?? 0;
  const fields = Object.values(resolved(list.items ?? {}, root).properties ?? {}).map((one) => resolved(one, root));
  const names = fields.find((one) => one["x-choice"] && one.enum);
  if (!names || !(least || names["x-choice"] === "question")) return least;
  return Math.max(least, Math.min(names.enum?.length ?? 0, list.maxItems ?? 100));
}

/** By path, `arguments.0.claim`; what the server will say no to anyhow is said here, beside its field. */
export function faults(schema: Schema, value: unknown, root: Schema = schema, path = "", needed = true): Faults {
  const known = resolved(schema, root);
  const empty = value === null || value === undefined || value === "";
  if (empty)
    return needed && !known.nullable && !(known.type === "string" && !known.minLength && !known.enum)
      ? { [path]: words.start.faults.needed }
      : {};
  switch (kindOf(known)) {
    case "number":
      return ofNumber(known, value, path);
    case "text":
      return ofText(known, String(value), path);
    case "list":
      return ofList(known, value as unknown[], root, path);
    case "group": {
      const found = Object.entries(known.properties ?? {}).map(([name, one]) =>
        faults(
          one,
          (value as Group)[name],
          root,
          path ? `${path}.${name}` : name,
          known.required?.includes(name) ?? true,
        ),
      );
      return Object.assign({}, ...found);
    }
    default:
      return {};
  }
}

function ofNumber(schema: Schema, value: unknown, path: string): Faults {
  const say = words.start.faults;
  if (typeof value !== "number" || Number.isNaN(value)) return { [path]: say.number };
  if (schema.type === "integer" && !Number.isInteger(value)) return { [path]: say.whole };
  if (schema.minimum !== undefined && value < schema.minimum) return { [path]: say.least(schema.minimum) };
  if (schema.maximum !== undefined && value > schema.maximum) return { [path]: say.most(schema.maximum) };
  return {};
}

function ofText(schema: Schema, value: string, path: string): Faults {
  const say = words.start.faults;
  const long = value.trim().length;
  if (schema.minLength && long < schema.minLength) return { [path]: long ? say.short(schema.minLength) : say.needed };
  if (schema.maxLength !== undefined && long > schema.maxLength) return { [path]: say.long(schema.maxLength) };
  return {};
}

function ofList(schema: Schema, value: unknown[], root: Schema, path: string): Faults {
  const say = words.start.faults;
  if (schema.minItems && value.length < schema.minItems) return { [path]: say.few(schema.minItems) };
  if (schema.maxItems !== undefined && value.length > schema.maxItems) return { [path]: say.many(schema.maxItems) };
  return Object.assign({}, ...value.map((one, n) => faults(schema.items ?? {}, one, root, `${path}.${n}`)));
}

/** What differs from the usual: only that is sent. */
export function changed(schema: Schema, value: Group): Group {
  const usual = initial(schema) as Group;
  return Object.fromEntries(
    Object.entries(value).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(usual[name])),
  );
}
