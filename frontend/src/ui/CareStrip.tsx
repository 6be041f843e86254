/** Reasons for care, in one strip: one a page. Reasons that do not fit on two lines are one press away. */
import { words } from "../words/verdict";

export function CareStrip({ reasons }: { reasons: readonly string[] }) {
  const [only, ...others] = reasons;
  if (!only) return null;
  if (!others.length)
    return (
      <p className={`${LOOK} flex flex-wrap gap-x-4 px-4 py-2`}>
        <Title />
        <span className="min-w-0 flex-1 basis-60" dir="auto" lang="en">
          {only}
        </span>
      </p>
    );
  return (
    <details className={`${LOOK} group`}>
      <summary className="flex list-none flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2 [&::-webkit-details-marker]:hidden">
        <Title />
        <span className="line-clamp-2 min-w-0 flex-1 basis-60 group-open:hidden" dir="auto" lang="en">
          {reasons.join(" · ")}
        </span>
        <span className="ml-auto whitespace-nowrap text-accent underline underline-offset-2 group-open:hidden">
          {words.careMore(reasons.length)}
        </span>
      </summary>
      <ul className="max-w-[75ch] list-disc space-y-1 px-4 pb-3 pl-9">
        {reasons.map((one) => (
          <li key={one} dir="auto" lang="en">
            {one}
          </li>
        ))}
      </ul>
    </details>
  );
}

const LOOK = "rounded-md border border-care-edge bg-care text-sm";

function Title() {
  return (
    <b className="font-semibold whitespace-nowrap">
      <span aria-hidden="true">⚠ </span>
      {words.care}
    </b>
  );
}
