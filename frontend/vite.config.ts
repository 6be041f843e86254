import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import type { LogLevel, LogOrStringHandler, RolldownLog } from "rolldown";
import { defineConfig } from "vitest/config";
import { fonts } from "./fonts.ts";
import { precompress } from "./precompress.ts";

/** Entities by a table: the one for browsers asks the page to read them as HTML, which its policy forbids. */
export const ENTITIES = {
  "decode-named-character-reference": fileURLToPath(
    new URL("node_modules/decode-named-character-reference/index.js", import.meta.url),
  ),
};

/** Libraries mark what runs in browsers for servers that draw pages; all of ours runs there. */
export const QUIET = {
  onLog: (level: LogLevel, log: RolldownLog, tell: LogOrStringHandler) =>
    log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : tell(level, log),
};

/** What every page needs, and what the first page of a debate adds to it, as one file each: every file has its own head. */
const TOGETHER = [
  { name: "base", test: /src[\\/]main\.tsx$/, priority: 2 },
  { name: "verdict", test: /src[\\/](reading[\\/](Debate|Briefing)|runs[\\/]GoOn)\.tsx$/, priority: 1 },
];

/** The pages that `hustings serve` sends. Git ignores the bundle; the wheel carries it. */
export default defineConfig({
  plugins: [fonts(), tailwind(), precompress()],
  resolve: { alias: ENTITIES },
  define: { SHARED: "false" },
  build: {
    outDir: "../src/hustings/web/_dist",
    emptyOutDir: true,
    rolldownOptions: { ...QUIET, output: { codeSplitting: { groups: TOGETHER } } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8642" } },
  test: {
    environment: "happy-dom",
    // Files share threads, and each has a context of its own: half the computing of a process for each.
    pool: "vmThreads",
    include: ["src/**/*.test.{ts,tsx}"],
    // Their other form asks for a part of React that Preact has under another name.
    alias: {
      "@testing-library/react": "@testing-library/react/dist/@testing-library/react.esm.js",
      "react-dom/test-utils": "preact/test-utils",
    },
    server: { deps: { inline: ["@testing-library/react"] } },
  },
});
