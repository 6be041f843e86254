/** Reasons for care, in one strip: one a page. Reasons that do not fit on two lines are one press away. */
import { words } from "../words/verdict";

export function CareStrip({ reasons }: { reasons: readonly string[] }) {
  if (!reasons.length) return null;
  return (
    <details className="group rounded-md border border-care-edge bg-care text-sm">
      <summary className="flex list-none flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2 [&::-webkit-details-marker]:hidden">
        <b className="font-semibold whitespace-nowrap">
          <span aria-hidden="true">⚠ </span>
          {words.care}
        </b>
        <span className="line-clamp-2 min-w-0 flex-1 basis-60 group-open:hidden" dir="auto">
          {reasons.join(" · ")}
        </span>
        <span className="ml-auto whitespace-nowrap text-accent underline underline-offset-2 group-open:hidden">
          {words.careMore(reasons.length)}
        </span>
      </summary>
      <ul className="max-w-[75ch] list-disc space-y-1 px-4 pb-3 pl-9">
        {reasons.map((one) => (
          <li key={one} dir="auto">
            {one}
          </li>
        ))}
      </ul>
    </details>
  );
}
