/** Above every page of a sample: that it is one, and who wrote what is said in it. */

import { useRole } from "../api";
import { Link } from "../router";
import { Badge } from "../ui/Badge";
import { starting } from "../words/starting";
import { sampleNamed } from "./address";
import { useSamples } from "./sample";

const w = starting.samples;
const LINK = "inline-flex min-h-6 shrink-0 items-center text-accent underline underline-offset-2";

export default function SampleNote({ id }: { id: string }) {
  const owner = useRole() === "owner";
  const sample = useSamples().data?.find((one) => one.name === sampleNamed(id));
  return (
    <p className="mb-3 flex min-h-6 max-sm:-mt-2 items-center gap-x-3 gap-y-1 text-sm sm:flex-wrap">
      <Badge look="accent">{w.label}</Badge>
      <span className="max-sm:hidden">{sample && (sample.written ? w.written : w.recorded(sample.models))}</span>
      <span className="min-w-0 truncate sm:hidden" title={sample?.models.join(", ")}>
        {sample && (sample.written ? w.writtenShort : w.recordedShort(sample.models))}
      </span>
      <Link to="/samples" className={LINK}>
        {w.all}
      </Link>
      {owner && (
        <Link to="/new" className={`${LINK} max-sm:sr-only`}>
          {w.own}
        </Link>
      )}
    </p>
  );
}
