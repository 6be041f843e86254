/** A sample in a list: what it is about, how it is held, and two ways into it. */

import { Play } from "lucide-react";
import { type RecordingCard, useAbout } from "../api";
import { Link } from "../router";
import { Badge } from "../ui/Badge";
import { buttonLook } from "../ui/Button";
import { capital } from "../words/figures";
import { starting } from "../words/starting";
import { sampleId } from "./address";

const w = starting.samples;

/** `heading` fits the headings above it. */
type Heading = "h2" | "h3";

function SampleCard({ sample, heading: Name }: { sample: RecordingCard; heading: Heading }) {
  const { data: about } = useAbout();
  const protocol = about?.protocols.find((one) => one.name === sample.protocol);
  const id = sampleId(sample.name);
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-raised p-5">
      <p className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted">
        <Badge>{capital(sample.protocol)}</Badge>
        <span>{sample.written ? w.writtenShort : w.recordedShort(sample.models)}</span>
      </p>
      <Name className="text-base text-pretty" dir="auto" lang={sample.language}>
        {sample.topic}
      </Name>
      <p className="text-sm text-muted" lang="en">
        {protocol?.about.split("\n\n")[0]}
      </p>
      <p className="text-sm text-muted">
        {w.seats(sample.seats)} · {w.length(sample.seconds)}
      </p>
      <p className="mt-auto flex flex-wrap gap-1 pt-2">
        <Link
          to="/debates/$id/replay"
          params={{ id }}
          search={{ play: "yes" }}
          aria-label={w.watchOf(sample.topic)}
          className={buttonLook("main")}
        >
          <Play size={16} aria-hidden="true" />
          {w.watch}
        </Link>
        {sample.judged && (
          <Link to="/debates/$id" params={{ id }} aria-label={w.readOf(sample.topic)} className={buttonLook("quiet")}>
            {w.read}
          </Link>
        )}
      </p>
    </li>
  );
}

export function SampleCards({ samples, heading = "h3" }: { samples: readonly RecordingCard[]; heading?: Heading }) {
  return (
    <ul aria-label={w.title} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {samples.map((sample) => (
        <SampleCard key={sample.name} sample={sample} heading={heading} />
      ))}
    </ul>
  );
}
