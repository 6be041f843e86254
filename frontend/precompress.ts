import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const WORTH_IT = 1_024;

/** Compresses scripts and styles once, when the pages are built, at the highest level: no request has to wait for it. */
export function precompress(): Plugin {
  return {
    name: "precompress",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (!/\.(js|css)$/.test(fileName) || bytes.length < WORTH_IT) continue;
          const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(bytes, best) });
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
        }
      },
    },
  };
}
