/** A speech that was given in a form: its arguments as cards, and its replies with the claim they answer. */
import type { ReactNode } from "react";
import type { SpeechPart } from "../api";
import { ArgumentCard, namesSide } from "../ui/ArgumentCard";
import { HUES, type Side, SideTag } from "../ui/Badge";
import { Markdown, type Shown } from "../ui/Markdown";
import type { Standing } from "../ui/StandingChip";
import { words } from "../words/reading";

const w = words.parts;

/** A claim, as far as a card needs it. */
export interface Known {
  id: string;
  side: Side;
  claim: string;
  standing?: Standing | null;
  strength?: number | null;
  /** How many replies it has. */
  replied?: number;
}

/** For pages that tell claims without their standing; "PRO-1/response" is about PRO-1. */
export function knownAmong(claims: readonly Known[]): (id: string) => Known | undefined {
  const plain = new Map(claims.map(({ id, side, claim }) => [id, { id, side, claim }]));
  return (id) => plain.get(id) ?? plain.get(id.split("/", 1)[0] ?? "");
}

interface Props {
  parts: readonly SpeechPart[];
  side: Side;
  /** The claim of an id, or the one that a reply of that id speaks to. */
  known: (id: string) => Known | undefined;
  quotes?: readonly Shown[] | undefined;
  /** The id as a link, on pages that have one. */
  link?: (id: string) => ReactNode;
  /** What stands below an argument, such as a way to its replies. */
  more?: (claim: Known) => ReactNode;
  /** The part that a link has led to. */
  led?: string;
}

export function SpeechParts({ parts, led = "", ...rest }: Props) {
  return (
    <div className="grid gap-2">
      {parts.map((part, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a speech never changes, and two statements may read alike
        <div key={n} id={part.id || undefined} className={part.id && part.id === led ? "led-to" : ""}>
          {part.kind === "argument" ? (
            <Argument part={part} {...rest} />
          ) : part.kind === "statement" ? (
            <Markdown shown={rest.quotes ?? NONE}>{part.text}</Markdown>
          ) : (
            <ReplyCard part={part} {...rest} />
          )}
        </div>
      ))}
    </div>
  );
}

const NONE: readonly Shown[] = [];

type One = Omit<Props, "parts" | "led"> & { part: SpeechPart };

function Argument({ part, side, known, quotes = NONE, link, more }: One) {
  const claim = known(part.id);
  const judged = claim?.standing === undefined ? {} : { standing: claim.standing };
  return (
    <ArgumentCard
      id={part.id}
      side={side}
      claim={part.text}
      {...(link ? { link: link(part.id) } : {})}
      {...judged}
      strength={claim?.strength ?? null}
    >
      <Details details={part.details} quotes={quotes} />
      {claim && more?.(claim)}
    </ArgumentCard>
  );
}

/** Paragraphs with a label; reasoning needs none. */
export function Details({ details, quotes }: { details: SpeechPart["details"]; quotes: readonly Shown[] }) {
  return details.map(({ label, text }, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a speech never changes, and two questions may read alike
    <div key={n} className={label === "Reasoning" ? "" : "text-sm"}>
      {label !== "Reasoning" && <p className="text-xs font-semibold text-muted">{w.labels[label as Label] ?? label}</p>}
      <Markdown shown={quotes}>{text}</Markdown>
    </div>
  ));
}

type Label = keyof typeof w.labels;

const STRIPES: Record<Side, string> = {
  pro: "before:bg-pro",
  con: "before:bg-con",
  judge: "before:bg-judge",
  "": "before:bg-edge",
};

function ReplyCard({ part, side, known, quotes = NONE, link }: One) {
  const claim = known(part.target);
  const name = claim?.id ?? part.target.split("/", 1)[0] ?? "";
  const does = DOES[part.kind] ?? part.kind;
  return (
    <article
      className={`relative overflow-hidden rounded-md border border-line bg-raised py-3 pr-4 pl-5 before:absolute before:inset-y-0 before:left-0 before:w-1 ${STRIPES[side]}`}
    >
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-note">
        <b className="font-semibold">
          <span aria-hidden="true">{SUPPORTS.has(part.kind) ? "+" : "−"} </span>
          {part.extent && part.extent !== "all" ? w.partly(does, w.extent[part.extent as Extent]) : does}
        </b>
        {claim && !namesSide(name, claim.side) && <SideTag side={claim.side} />}
        <span className={`font-semibold ${claim ? HUES[claim.side] : ""}`}>{link && claim ? link(name) : name}</span>
        {claim && (
          <span className="text-muted" dir="auto">
            {claim.claim}
          </span>
        )}
      </p>
      {part.quote && (
        <p className="mt-1 text-note text-muted" dir="auto">
          {part.kind === "withdraw" ? w.takesBack : w.accepts} <q>{part.quote}</q>
        </p>
      )}
      <div className="mt-1 space-y-1.5">
        <Markdown shown={quotes}>{part.text}</Markdown>
        <Details details={part.details} quotes={quotes} />
      </div>
    </article>
  );
}

type Extent = keyof typeof w.extent;

const DOES: Record<string, string> = words.parts.does;
const SUPPORTS = new Set(["concede", "support", "agree", "answer"]);
