// @vitest-environment node
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

/** Whether our linter refuses a file with this mutation. */
function refused(mutation: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "lint-"));
  const plugins = [resolve("lint/mutations.grit")];
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins }));
  writeFileSync(join(folder, "some.ts"), `export const use = () => useMutation({ ${mutation} });\n`);
  const lint = spawnSync(resolve("node_modules/.bin/biome"), ["lint", "some.ts"], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return lint.status === 1 && lint.stderr.includes("Give it what the event has");
}

it.each([
  "mutationFn: () => send(text)",
  "mutationFn: async () => send(text)",
  "mutationFn: send",
  "mutationFn: (_: Event) => send(text)",
  "mutationFn: async (_event) => send(text)",
])("refuses a mutation that takes nothing of the event: %s", (mutation) => expect(refused(mutation)).toBe(true));

it.each(["mutationFn: (text: string) => send(text)", "mutationFn: async ({ text }: Said) => send(text)"])(
  "takes one that is given what it sends: %s",
  (mutation) => expect(refused(mutation)).toBe(false),
);
