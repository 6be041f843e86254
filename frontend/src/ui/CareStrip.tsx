/** Reasons for care, in one strip: one a page. What does not fit is one press away. */
import { words } from "../words/verdict";

/** `short` is shown at once; `full` are the whole sentences behind it. */
export function CareStrip({ short, full }: { short: readonly string[]; full: readonly string[] }) {
  if (!full.length) return null;
  return (
    <details className="group rounded-md border border-care-edge bg-care text-sm">
      <summary className="flex list-none flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 [&::-webkit-details-marker]:hidden">
        <b className="font-semibold whitespace-nowrap">
          <span aria-hidden="true">⚠ </span>
          {words.care(full.length)}
        </b>
        <span className="min-w-0 flex-1 basis-60 group-open:invisible" dir="auto">
          {short.join(" · ")}
        </span>
        <span className="ml-auto whitespace-nowrap text-accent underline underline-offset-2">{words.careMore}</span>
      </summary>
      <ul className="max-w-[75ch] list-disc space-y-1 px-4 pb-3 pl-9">
        {full.map((one) => (
          <li key={one} dir="auto">
            {one}
          </li>
        ))}
      </ul>
    </details>
  );
}
