/** The shape of a page to come, after a moment; those who listen hear that it loads. */
import { words } from "../words/reading";

const BLOCK = "rounded-md bg-line/70 motion-safe:animate-pulse";
const SHAPES = {
  /** A verdict: a card, two claims, a line of facts. */
  verdict: ["h-64", "h-32", "h-12", "h-16"],
  /** Rows of a list or table. */
  rows: ["h-9", "h-9", "h-9", "h-9", "h-9", "h-9"],
  /** Reading text. */
  text: ["h-6 w-1/2", "h-24", "h-24", "h-24"],
};

export function Skeleton({ shape = "text" }: { shape?: keyof typeof SHAPES }) {
  return (
    <div role="status" className="skeleton space-y-4 py-4">
      <span className="sr-only">{words.loading}</span>
      {SHAPES[shape].map((look, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are alike
        <div key={n} className={`${BLOCK} ${look}`} />
      ))}
    </div>
  );
}
