/** The first screen of a debate: what came out, how far to trust it, and the best claim of either side. */
import { lazy, Suspense } from "react";
import type { FirstScreen as Told } from "../api";
import { useRole } from "../api";
import { ArgumentCard, namesSide } from "../ui/ArgumentCard";
import { Badge, type Side, SideTag } from "../ui/Badge";
import { buttonLook } from "../ui/Button";
import { CareStrip } from "../ui/CareStrip";
import { IntervalBars } from "../ui/IntervalBar";
import { VerdictCard } from "../ui/VerdictCard";
import { words } from "../words/verdict";
import { Failure } from "./Failure";
import { useDebate, useIndex } from "./open";
import { ClaimLink, To } from "./parts";
import { readOnly } from "./readOnly";

const TryAgain = SHARED ? null : lazy(async () => ({ default: (await import("../runs/GoOn")).TryAgain }));

export function FirstScreen() {
  const view = useDebate();
  const { first, digest } = view;
  return (
    <div className="space-y-4">
      {first.failure ? <Failure told={first.failure} /> : <Verdict told={first} change={digest.would_change} />}
      {!first.failure && view.ending.kind !== "played" && TryAgain && !readOnly(view.run_id) && (
        <Suspense>
          <TryAgain view={view} />
        </Suspense>
      )}
      <Strongest />
      <CareStrip reasons={first.care} />
      {first.facts.length > 0 && <Facts facts={first.facts} />}
    </div>
  );
}

function Verdict({ told, change }: { told: Told; change: string }) {
  const view = useDebate();
  const scored = told.bars.length > 0;
  const kind = view.judgement?.outcome.kind ?? view.ending.kind;
  return (
    <VerdictCard
      chip={told.chip && <Badge look={told.weak ? "plain" : "accent"}>{words.chip(told.chip, kind)}</Badge>}
      sentence={told.sentence}
      more={told.more}
      weak={told.weak}
      bars={scored && <Bars most={MOST_BARS} />}
      note={scored && told.bars_note}
      trust={told.trust ?? undefined}
      change={change}
      help={told.weak && view.turns > 0 && <Help id={view.run_id} />}
    />
  );
}

/** Of many speakers the scores are a page of their own. */
const MOST_BARS = 6;

/** How well each argued, on one axis. */
export function Bars({ most = Number.POSITIVE_INFINITY }: { most?: number }) {
  const { first } = useDebate();
  const hue = useHue();
  const rows = first.bars.slice(0, most).map((bar) => ({
    key: bar.side,
    side: hue(bar.side),
    label: <BarLabel name={bar.name} ended={bar.ended} side={hue(bar.side)} />,
    mean: bar.mean,
    interval: bar.interval,
    shown: bar.shown,
    within: bar.within,
    told: bar.told,
  }));
  return <IntervalBars rows={rows} ends={words.axis} />;
}

function BarLabel({ name, ended, side }: { name: string; ended: string; side: Side }) {
  const plain = name.toLowerCase() === side;
  return (
    <SideTag side={side}>
      {!plain && <span className={side ? "text-muted" : ""}>{name}</span>}
      {ended && <span className="max-w-24 truncate text-muted" title={ended}>{` · ${ended}`}</span>}
    </SideTag>
  );
}

/** The side of a team or seat. */
function useHue(): (name: string) => Side {
  const { seats } = useIndex();
  return (name) => (name === "pro" || name === "con" ? name : (seats.get(name)?.side ?? ""));
}

/** What a reader can do about a verdict that does not carry a decision. */
function Help({ id }: { id: string }) {
  const role = useRole();
  const judge = !readOnly(id) && (role === "owner" || role === "judge");
  return (
    <p className="no-print flex flex-wrap gap-2 pt-1">
      {judge && (
        <a href={`/debates/${encodeURIComponent(id)}/judge`} className={buttonLook()}>
          {words.judgeIt}
        </a>
      )}
      <To page="transcript" className={buttonLook()}>
        {words.readIt}
      </To>
    </p>
  );
}

function Strongest() {
  const { digest } = useDebate();
  const { traced } = useIndex();
  const hue = useHue();
  if (!digest.strongest.length) return null;
  return (
    <section aria-label={words.strongest} className="grid gap-4 md:grid-cols-2">
      {digest.strongest.slice(0, MOST_CLAIMS).map((one) => {
        const found = traced.get(one.id);
        const side = hue(found?.seat ?? "");
        return (
          <ArgumentCard
            key={`${one.side} ${one.id}`}
            id={one.id}
            side={side}
            link={<ClaimLink id={one.id} plain={namesSide(one.id, side)} />}
            seat={one.side.toLowerCase() === side ? undefined : <span dir="auto">{one.side}</span>}
            note={words.strongestLeft}
            standing={one.standing}
            claim={one.claim}
            reason={one.happened && `${one.happened}.`}
            large
          />
        );
      })}
    </section>
  );
}

const MOST_CLAIMS = 4;

function Facts({ facts }: { facts: Told["facts"] }) {
  return (
    <dl
      lang="en"
      className="grid grid-cols-2 rounded-lg border border-line bg-raised text-sm lg:grid-cols-4 lg:divide-x lg:divide-line"
    >
      {facts.map(({ label, text }) => (
        <div key={label} className="px-4 py-2.5">
          <dt className="text-xs font-medium text-muted">{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
