import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { precompress } from "./precompress.ts";

/** Entities by a table: the one for browsers asks the page to read them as HTML, which its policy forbids. */
export const ENTITIES = {
  "decode-named-character-reference": fileURLToPath(
    new URL("node_modules/decode-named-character-reference/index.js", import.meta.url),
  ),
};

/** The pages that `hustings serve` sends. Git ignores the bundle; the wheel carries it. */
export default defineConfig({
  plugins: [react(), tailwind(), precompress()],
  resolve: { alias: ENTITIES },
  define: { SHARED: "false" },
  build: {
    outDir: "../src/hustings/web/_dist",
    emptyOutDir: true,
    // What the first page of a debate says comes in one file: each further one costs a request.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "words", test: /src\/words\/(figures|language|reading|verdict)\.ts$/ }] },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8642" } },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
