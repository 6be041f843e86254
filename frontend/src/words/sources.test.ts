// @vitest-environment node
/** No page says anything that is not in the catalogue, and none reads a sentence before the language is known. */
import { parseSync } from "vite";
import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>(
  ["../**/*.{ts,tsx}", "!../**/*.test.*", "!../client/**", "!../gallery/**", "!./**"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);
const CATALOGUE = import.meta.glob<Record<string, unknown>>(["./*.ts", "!./*.test.ts"], { eager: true });

/** Attributes and properties that people read or hear. */
const READ =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|alt|caption|head|hint|label|placeholder|title)$/;
const SAYS = /\p{L}/u;
const ALLOWED = new Set(["Esc"]); // the name of a key, printed on it

interface Node {
  type: string;
  start: number;
  [part: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** Every node, what it stands in, and whether it is evaluated when its file is loaded. */
function* nodes(
  node: Node,
  above: Node[] = [],
  early = true,
): Generator<{ node: Node; above: Node[]; early: boolean }> {
  yield { node, above, early };
  const within = early && !/Function|^TS(?!As|Satisfies|NonNull)/.test(node.type);
  for (const part of Object.values(node).flat()) if (isNode(part)) yield* nodes(part, [node, ...above], within);
}

const literal = (value: unknown): string =>
  isNode(value) && value.type === "Literal" && typeof value.value === "string" ? value.value : "";

/** Words in a page that stand outside of the catalogue. */
function wordsIn({ node }: { node: Node }): string {
  if (node.type === "JSXText") return String(node.value).trim();
  if (node.type === "JSXExpressionContainer") return literal(node.expression);
  if (node.type !== "JSXAttribute") return "";
  return READ.test(String((node.name as Node).name)) ? literal(node.value) : "";
}

const program = (path: string, source: string) => parseSync(path, source).program as unknown as Node;

/** What a file takes from the catalogue, by the name that it has there. */
function taken(file: Node): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const node of file.body as Node[]) {
    const from = /\/words\/(\w+)$/.exec(literal(node.source))?.[1];
    if (node.type !== "ImportDeclaration" || !from) continue;
    for (const one of node.specifiers as Node[])
      found.set(String((one.local as Node).name), CATALOGUE[`./${from}.ts`]?.[String((one.imported as Node).name)]);
  }
  return found;
}

/** A sentence, or a copy of a part, that is read while the file is loaded. */
function readsEarly(node: Node, above: Node[], catalogue: Map<string, unknown>): boolean {
  if (node.type !== "Identifier" || !catalogue.has(String(node.name))) return false;
  let [value, around, inner] = [catalogue.get(String(node.name)), above, node];
  while (around[0]?.type === "MemberExpression" && around[0].object === inner) {
    value = (value as Record<string, unknown> | undefined)?.[String((around[0].property as Node).name)];
    inner = around[0];
    around = around.slice(1);
  }
  const outer = around[0]?.type ?? "";
  return inner !== node && (typeof value === "string" || outer === "SpreadElement" || outer === "CallExpression");
}

const told = (path: string, source: string, node: Node) =>
  `${path}:${source.slice(0, node.start).split("\n").length} ${source.slice(node.start).split("\n", 1)[0]}`;

const FILES = Object.entries(SOURCES).map(([path, source]) => ({ path, source, file: program(path, source) }));

test("every word of a page stands in the catalogue", () => {
  const strays = FILES.flatMap(({ path, source, file }) =>
    [...nodes(file)]
      .filter((one) => SAYS.test(wordsIn(one)) && !ALLOWED.has(wordsIn(one)))
      .map(({ node }) => told(path, source, node)),
  );
  expect(strays).toEqual([]);
});

test("no sentence is read while a file is loaded", () => {
  const early = FILES.flatMap(({ path, source, file }) => {
    const catalogue = taken(file);
    return [...nodes(file)]
      .filter((one) => one.early && readsEarly(one.node, one.above, catalogue))
      .map(({ node }) => told(path, source, node));
  });
  expect(early).toEqual([]);
});

test.each([
  ['<p>Hello <b title="there">{"you"}</b></p>', ["Hello", "there", "you"]],
  ['<p className="a b" title={words.x}>{n} · {"–"}</p>', []],
])("of %s the words are seen", (source, seen) => {
  const found = [...nodes(program("page.tsx", source))].map(wordsIn).filter((one) => SAYS.test(one));
  expect(found).toEqual(seen);
});

test.each([
  ["const title = words.loading;", true],
  ["const copy = { ...words.theme };", true],
  ["const w = words.theme;", false],
  ["const title = () => words.loading;", false],
])("%s reads early: %s", (line, early) => {
  const file = program("page.ts", `import { words } from "../words/reading";\n${line}`);
  const catalogue = taken(file);
  expect([...nodes(file)].some((one) => one.early && readsEarly(one.node, one.above, catalogue))).toBe(early);
});
