/** One turn: who, what was said, what it puts forward, whom it speaks to, and what was remarked of it. */
import { Link2 } from "lucide-react";
import type { RoundHead, SpeechView, Thought } from "../api";
import { EDGES } from "../ui/Badge";
import { Markdown } from "../ui/Markdown";
import { words } from "../words/reading";
import type { Index } from "./open";
import { ClaimLink, To, Who } from "./parts";

const w = words.transcript;

export function RoundTitle({ round }: { round: RoundHead }) {
  return (
    <div className="pt-6 pb-3">
      <h2 className="text-sm font-semibold tracking-wide text-muted uppercase">
        {round.label}
        {round.status && ` · ${round.status}`}
      </h2>
      {round.absent.map((line) => (
        <p key={line} className="text-sm text-muted" dir="auto">
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
  const { allowed, count } = speech;
  return (
    <div className={`max-w-[calc(64ch+1.5rem)] pb-8 ${side === "con" ? "ml-auto" : ""}`}>
      <article
        id={speech.id}
        aria-label={`${words.sides[side]} ${name}, ${speech.kind || speech.label}`}
        className={`${EDGES[side]} ${led === speech.id ? "led-to" : ""}`}
      >
        <header className="mb-1.5 flex items-start justify-between gap-2 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold">
              <Who seat={speech.seat} full />
            </span>
            {speech.kind && <span className="text-muted">· {speech.kind}</span>}
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
        ) : (
          <Markdown shown={index.quotes.get(speech.id) ?? []}>{speech.words}</Markdown>
        )}
        <Points speech={speech} index={index} led={led} />
        {speech.remarks.length > 0 && (
          <ul className="mt-2 space-y-0.5 text-sm text-muted">
            {speech.remarks.map((remark) => (
              <li key={remark} dir="auto">
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
