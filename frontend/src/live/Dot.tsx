/** Filled while something goes on; a word always stands beside it. */
export function Dot({ live }: { live: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block size-2.5 rounded-full ${live ? "bg-accent motion-safe:animate-pulse" : "border border-edge"}`}
    />
  );
}
