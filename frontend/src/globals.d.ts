/** Whether this is built as one file to hand on; then pages that need a server are left out. */
declare const SHARED: boolean;

declare module "subset-font" {
  /** The letters of `text` alone, or all of them without it. */
  export default function subset(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat?: string;
      variationAxes?: Record<string, { min: number; max: number }>;
      keepFeatures?: readonly string[];
      preserveNameIds?: readonly number[];
      keepAllGlyphs?: boolean;
    },
  ): Promise<Uint8Array>;
}
