/** An answer that is still coming, as readable text: plain words as they are, unfinished JSON in lines. */
import { Allow, parse } from "partial-json";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Characters of JSON that are read; the rest is shown once the turn is entered. */
const LONGEST = 40_000;
/** JSON that shows no words within this many characters is shown as it came. */
const HEAD = 200;
const DEEPEST = 8;
/** Lists in lists as no form has them: to read many of them takes seconds. */
const TOO_DEEP = /(?:\[\s*){20}/;

/** More of an answer only adds to what was shown. What cannot be read as JSON is shown as it came. */
export function readable(text: string): string {
  const start = text.trimStart();
  if (!"```".startsWith(start.slice(0, 3))) return /^[{[]/.test(start) ? inLines(start) : start;
  const newline = start.indexOf("\n");
  const inside = newline < 0 ? "" : start.slice(newline).trimStart();
  return /^[{[]/.test(inside) ? inLines(inside) : inside && start;
}

function inLines(text: string): string {
  if (TOO_DEEP.test(text)) return text;
  try {
    const shown = lines(parsed(text.slice(0, LONGEST)), 0);
    return shown || text.length < HEAD ? shown : text;
  } catch {
    return text;
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text.replace(/[`\s]+$/, "")) as Json;
  } catch {
    const value = parse(text, Allow.OBJ | Allow.ARR | Allow.STR) as Json;
    dropUnfinished(value);
    return value;
  }
}

/** Drops an empty list or group at the end, where more may follow; says whether nothing is left. */
function dropUnfinished(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) {
    if (dropUnfinished(value.at(-1))) value.pop();
    return value.length === 0;
  }
  const last = Object.keys(value).at(-1);
  if (last !== undefined && dropUnfinished(value[last])) delete value[last];
  return Object.keys(value).length === 0;
}

function lines(value: Json, depth: number): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return String(value);
  const indent = "  ".repeat(Math.min(depth, DEEPEST));
  const rows = Array.isArray(value)
    ? value.map((item) => `- ${beside(item, depth).trim()}`)
    : Object.entries(value).map(([name, item]) => `${name.replaceAll("_", " ")}:${beside(item, depth)}`);
  return rows.map((row) => indent + row).join("\n");
}

/** After a name: one value on the same line, several below it. */
function beside(value: Json, depth: number): string {
  if (typeof value !== "object" || value === null) return ` ${lines(value, 0)}`;
  return Object.keys(value).length ? `\n${lines(value, depth + 1)}` : " none";
}
