/** The map as a list: claims by side, strongest first, and under each what was said to it. */

import type { KeyboardEvent } from "react";
import { Link } from "../router";
import { ArgumentCard } from "../ui/ArgumentCard";
import { SideTag } from "../ui/Badge";
import { Button } from "../ui/Button";
import { words } from "../words/reading";
import { shortened } from "./layout";
import { Handle } from "./mapParts";
import { useDebate } from "./open";
import type { Entry, Reply, Wing, Wings } from "./tree";

const w = words.map;

interface Props {
  wings: Wings;
  open: (wing: 0 | 1) => void;
  weighed: boolean;
  /** Whether replies are shown at once. */
  unfolded: boolean;
}

export function Outline({ wings, open, weighed, unfolded }: Props) {
  return (
    <section aria-label={w.label} className="space-y-8" onKeyDown={step}>
      {wings.map((wing, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there is a first one and a second one
        <div key={n} className="space-y-3">
          {wing.side && (
            <h2 className="flex items-baseline gap-2 border-b-2 border-ink pb-1 text-base">
              <SideTag side={wing.side} /> {w.sides[wing.side]}{" "}
              <span className="font-normal text-muted">{w.claims(wing.count)}</span>
            </h2>
          )}
          <Groups wing={wing} unfolded={unfolded} />
          {wing.hidden > 0 && <Button onClick={() => open(n as 0 | 1)}>{w.more(wing.hidden, weighed)}</Button>}
        </div>
      ))}
    </section>
  );
}

function Groups({ wing, unfolded }: { wing: Wing; unfolded: boolean }) {
  // A wing with a side has a heading of its own above its groups.
  const Heading = wing.side ? "h3" : "h2";
  return wing.groups.map((group) => (
    <div key={group.title} className="space-y-2">
      {group.title && (
        <Heading className="pt-2 text-sm font-semibold text-muted" dir="auto">
          {group.title}
        </Heading>
      )}
      {group.entries.map((entry) => (
        <Claim key={entry.claim.id} entry={entry} unfolded={unfolded} />
      ))}
    </div>
  ));
}

function Claim({ entry: { claim, replies }, unfolded }: { entry: Entry; unfolded: boolean }) {
  return (
    <ArgumentCard
      id={claim.id}
      side={claim.side}
      claim={claim.text}
      link={
        <Opens id={claim.id} className="underline underline-offset-2" label={w.named(claim.id, claim.text)}>
          {claim.id}
        </Opens>
      }
      standing={claim.standing}
      strength={claim.strength}
    >
      {replies.length === 0 ? (
        <p className="text-note text-muted">{w.unanswered}</p>
      ) : (
        <details open={unfolded}>
          <summary className="min-h-6 text-note text-muted hover:text-ink">
            {w.replies(replies.length)}
            <span className="sr-only"> ({claim.id})</span>
          </summary>
          <ul className="mt-1 space-y-2">
            {replies.map((reply) => (
              <Said key={reply.key} reply={reply} />
            ))}
          </ul>
        </details>
      )}
    </ArgumentCard>
  );
}

const EDGE = { pro: "border-pro", con: "border-con", judge: "border-judge", "": "border-edge" };

function Said({ reply: { box, does, attacks } }: { reply: Reply }) {
  return (
    <li className={`ml-1 border-l-2 pl-3 ${EDGE[box.side]}`}>
      <p className="flex items-baseline gap-1.5 text-xs">
        <Handle id={box.kind === "claim" ? box.id : ""} side={box.side} seat={box.seat} />{" "}
        <span className="text-muted">
          <b aria-hidden="true">{w.signs[attacks ? "attack" : "support"]}</b> {does}
        </span>
      </p>
      <Opens id={box.id} className="line-clamp-3 text-sm text-ink hover:underline">
        <span dir="auto">{shortened(box.text)}</span>
      </Opens>
    </li>
  );
}

interface OpensProps {
  id: string;
  className: string;
  label?: string;
  children: React.ReactNode;
}

function Opens({ id, className, label, children }: OpensProps) {
  const { run_id: run } = useDebate();
  return (
    <Link
      to="/debates/$id/map"
      params={{ id: run }}
      hash={id}
      resetScroll={false}
      data-key={id}
      className={className}
      aria-label={label}
    >
      {children}
    </Link>
  );
}

/** Up and down: the link before and the one after, as far as they are shown. */
function step(event: KeyboardEvent<HTMLElement>) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[data-key]")].filter((link) =>
    link.checkVisibility(),
  );
  const at = links.indexOf(event.target as HTMLElement);
  const next = by && at >= 0 ? links[at + by] : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}
