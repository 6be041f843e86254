import tailwind from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { fonts } from "./fonts.ts";
import { ENTITIES, QUIET } from "./vite.config.ts";

/** The reading pages as one HTML file, with an empty island for one debate: it opens from disk and calls nobody. */
export default defineConfig({
  plugins: [fonts(), tailwind(), viteSingleFile()],
  resolve: { alias: ENTITIES },
  define: { SHARED: "true" },
  build: { outDir: "../src/hustings/web/_share", emptyOutDir: true, rolldownOptions: QUIET },
});
