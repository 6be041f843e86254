/** One turn: who, what was said, what it puts forward, whom it speaks to, and what was remarked of it. */
import { Link2 } from "lucide-react";
import { useEffect, useRef } from "react";
import type { RoundHead, SpeechView, Thought } from "../api";
import { EDGES, type Side } from "../ui/Badge";
import { Markdown } from "../ui/Markdown";
import { words } from "../words/reading";
import type { Index } from "./open";
import { ClaimLink, To, Who } from "./parts";
import { type Known, SpeechParts } from "./SpeechParts";

const w = words.transcript;

export function RoundTitle({ round }: { round: RoundHead }) {
  return (
    <div className="pt-6 pb-3">
      <h2 className="text-base font-semibold text-muted first-letter:uppercase">
        {w.named(round.label)}
        {round.status && ` · ${round.status}`}
      </h2>
      {round.absent.map((line) => (
        <p key={line} className="text-sm text-muted" dir="auto" lang="en">
          {line}
        </p>
      ))}
    </div>
  );
}

interface Props {
  speech: SpeechView;
  index: Index;
  /** The turn or argument that a link has led to, if it is in here. */
  led?: string;
}

export function SpeechArticle({ speech, index, led = "" }: Props) {
  const side = index.seats.get(speech.seat)?.side ?? "";
  const name = index.seats.get(speech.seat)?.name ?? speech.seat;
  const { allowed, count, parts = [] } = speech;
  const cards = !speech.lost && parts.length > 0;
  const article = useRef<HTMLElement>(null);
  // A speech of several cards is longer than the window: a link into it leads to its card.
  useEffect(() => {
    if (cards && led && led !== speech.id)
      article.current?.querySelector(".led-to")?.scrollIntoView({ block: "center" });
  }, [cards, led, speech.id]);
  const plain = `max-w-[calc(64ch+1.5rem)] ${side === "con" ? "ml-auto" : ""}`;
  return (
    <div className={`pb-8 ${cards ? "max-w-[52rem]" : plain}`}>
      <article
        ref={article}
        id={speech.id}
        aria-label={`${words.sides[side]} ${name}, ${w.named(speech.kind || speech.label)}`}
        className={`${cards ? "" : EDGES[side]} ${led === speech.id ? "led-to" : ""}`}
      >
        <header className="mb-1.5 flex items-start justify-between gap-2 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold">
              <Who seat={speech.seat} full />
            </span>
            {speech.kind && <span className="text-muted">· {w.named(speech.kind)}</span>}
            <span className="text-muted">· {allowed ? w.of(count, allowed) : w.count(count)}</span>
          </p>
          <To
            page="transcript"
            at={speech.id}
            label={w.link(speech.id)}
            className="no-print inline-flex min-h-6 min-w-6 items-center justify-center text-muted hover:text-accent"
          >
            <Link2 size={15} aria-hidden="true" />
          </To>
        </header>
        {speech.lost ? (
          <p className="text-muted italic" dir="auto">
            {w.lost}: {speech.lost}
          </p>
        ) : cards ? (
          <Cards speech={speech} index={index} led={led} side={side} />
        ) : (
          <Markdown shown={index.quotes.get(speech.id) ?? []}>{speech.words}</Markdown>
        )}
        {!cards && <Points speech={speech} index={index} led={led} />}
        {speech.remarks.length > 0 && (
          <ul className="mt-2 space-y-0.5 text-sm text-muted">
            {speech.remarks.map((remark) => (
              <li key={remark} dir="auto" lang="en">
                <span aria-hidden="true">▸ </span>
                {remark}
              </li>
            ))}
          </ul>
        )}
        <Thoughts thoughts={index.thoughts.get(speech.id) ?? []} />
      </article>
    </div>
  );
}

function Cards({ speech, index, led, side }: Required<Props> & { side: Side }) {
  return (
    <SpeechParts
      parts={speech.parts}
      side={side}
      known={(id) => knownIn(index, id)}
      quotes={index.quotes.get(speech.id)}
      led={led}
      link={(id) => (
        <To page="map" at={id} className="text-inherit underline underline-offset-2" label={w.onMap(id)}>
          {id}
        </To>
      )}
      more={(claim) =>
        claim.replied ? (
          <p className="text-note">
            <To page="map" at={claim.id}>
              {words.parts.replies(claim.replied)}
            </To>
          </p>
        ) : null
      }
    />
  );
}

/** The claim of an id, or the one that a reply of that id speaks to. */
function knownIn(index: Index, id: string): Known | undefined {
  const claim = index.claims.get(id) ?? index.claims.get(index.replies.get(id)?.target ?? "");
  const strength = index.traced.get(claim?.id ?? "")?.strength ?? null;
  if (claim) return { ...claim, strength, replied: claim.replies.length };
  return id.includes("/") ? knownIn(index, id.split("/", 1)[0] ?? "") : undefined;
}

/** What was thought then, by whom; the others did not hear it. */
function Thoughts({ thoughts }: { thoughts: readonly Thought[] }) {
  if (!thoughts.length) return null;
  return (
    <details className="mt-2 text-sm">
      <summary className="min-h-6 text-muted hover:text-ink">{w.thoughts(thoughts.length)}</summary>
      <dl className="mt-1 space-y-2">
        {thoughts.map((thought) => (
          <div key={thought.id}>
            <dt className="text-muted">
              {thought.by} · {thought.kind}
            </dt>
            <dd className="max-w-[64ch] whitespace-pre-wrap" dir="auto">
              {thought.words}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Points({ speech, index, led }: Required<Props>) {
  const chip = (id: string) => (led === id ? "led-to" : "");
  return (
    <>
      {speech.claims.length > 0 && (
        <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-sm">
          <span className="text-muted">{w.puts}</span>
          {speech.claims.map((id) => (
            <span key={id} className={chip(id)}>
              <ClaimLink id={id} standing={index.claims.get(id)?.standing ?? null} />
            </span>
          ))}
        </p>
      )}
      {(speech.replies.length > 0 || speech.speaks_to.length > 0) && (
        <p className={`flex flex-wrap gap-x-3 gap-y-1 text-sm ${speech.claims.length ? "mt-1" : "mt-3"}`}>
          <span className="text-muted">{w.speaks}</span>
          {speech.replies.map((id) => {
            const reply = index.replies.get(id);
            return (
              reply && (
                <span key={id} className={chip(id)}>
                  <To page="transcript" at={reply.target} className="text-accent underline underline-offset-2">
                    {reply.target}
                  </To>{" "}
                  <span className="text-muted">({reply.deed})</span>
                </span>
              )
            );
          })}
          {speech.speaks_to.map((edge) =>
            edge.turn ? (
              <To key={`${edge.words} ${edge.turn}`} page="transcript" at={edge.turn}>
                {edge.words}
              </To>
            ) : (
              <span key={edge.words}>{edge.words}</span>
            ),
          )}
        </p>
      )}
    </>
  );
}
