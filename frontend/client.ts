/** The page's types, from the server's OpenAPI document: `node client.ts` writes `src/client/index.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  description?: string;
}
export interface OpenApi {
  components: { schemas: Record<string, Schema> };
}

export function typed(document: OpenApi): string {
  const all = Object.entries(document.components.schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = all.map(
    ([name, schema]) => `${comment(schema)}export type ${identifier(name)} = ${written(schema)};\n`,
  );
  return [HEAD, ...parts].join("\n");
}

function written(schema: Schema): string {
  if (schema.$ref) return identifier(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return union(any.map(written));
  if (schema.allOf) return schema.allOf.map(written).join(" & ");
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => written({ ...schema, type })));
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return schema.prefixItems ? `[${schema.prefixItems.map(written).join(", ")}]` : `Array<${inner(schema.items)}>`;
    case "object":
      return object(schema);
    default:
      return "unknown";
  }
}

function object(schema: Schema): string {
  const { properties, additionalProperties: more, required = [] } = schema;
  // What is asked refuses what it does not know, and its usual values may be left out; what is answered is always whole.
  const sent = (name: string) => more !== false || required.includes(name);
  const named = Object.values(schema.patternProperties ?? {});
  if (!properties)
    return `Record<string, ${union((typeof more === "object" ? [more] : named).map(written)) || "unknown"}>`;
  const lines = Object.entries(properties).map(
    ([name, property]) =>
      `${comment(property, "  ")}  ${JSON.stringify(name)}${sent(name) ? "" : "?"}: ${written(property)};`,
  );
  return `{\n${lines.join("\n")}\n}`;
}

const inner = (schema?: Schema) => (schema ? written(schema) : "unknown");
const union = (parts: string[]) => [...new Set(parts)].join(" | ");
const identifier = (name: string) => name.replace(/[^A-Za-z0-9_]/g, "");
const comment = (schema: Schema, indent = "") =>
  schema.description
    ? `${indent}/** ${schema.description.replaceAll("*/", "* /").replaceAll("\n", `\n${indent} * `)} */\n`
    : "";

const HEAD = "// Made by client.ts from openapi.json; do not edit.\n";
export const read = (path: string) => JSON.parse(readFileSync(path, "utf-8")) as OpenApi;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const here = import.meta.dirname;
  writeFileSync(resolve(here, "src/client/index.ts"), typed(read(process.argv[2] ?? resolve(here, "openapi.json"))));
}
