/** Judging a debate oneself: blind first, and after the vote everything beside it. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useRef, useState } from "react";
import { at, client, get, type NewVote, post, type State, type Tally, Trouble, type View } from "../api";
import { Who, Words } from "../live/Turns";
import { shownIn } from "../reading/Quote";
import { knownAmong, SpeechParts } from "../reading/SpeechParts";
import { Link } from "../router";
import { EDGES, SIGNS, type Standing } from "../ui/Badge";
import { Button, buttonLook } from "../ui/Button";
import { TextArea } from "../ui/Field";
import { Empty, Loading, NoPage, Problem } from "../ui/Said";
import { Title } from "../ui/Title";
import { spaced, words } from "../words/doing";
import { words as frame } from "../words/reading";
import { type Ballot, candidates, EMPTY, TIE, vote } from "./ballot";
import { useKept } from "./draft";
import { Reveal } from "./Reveal";

export default function Judge({ id }: { id: string }) {
  const state = useQuery({
    queryKey: ["blind state", id],
    queryFn: ({ signal }) => get<State>(`${at(id)}?blind=true`, signal),
  });
  const tally = useQuery({
    queryKey: ["tally", id],
    queryFn: ({ signal }) => (state.data?.votes ? mine(id, signal) : null),
    enabled: state.data?.viewable ?? false,
  });
  if (state.error ?? tally.error) return <NoPage error={state.error ?? tally.error} />;
  if (state.data && !state.data.viewable)
    return (
      <Empty title={<h1 className="text-lg">{words.judge.notYet}</h1>}>
        <p className="mb-5">{words.judge.notYetWhy}</p>
        <Link to="/debates/$id" params={{ id }} className={buttonLook("main")}>
          {words.judge.watch}
        </Link>
      </Empty>
    );
  if (tally.data === undefined) return <Loading />;
  return tally.data ? <Reveal id={id} tally={tally.data} /> : <Blind id={id} />;
}

/** Nothing before one has voted. */
async function mine(id: string, signal: AbortSignal): Promise<Tally | null> {
  try {
    return await get<Tally>(at(id, "votes"), signal);
  } catch (error) {
    if (error instanceof Trouble && error.problem.status === 403) return null;
    throw error;
  }
}

function Blind({ id }: { id: string }) {
  const view = useQuery({
    queryKey: ["blind", id],
    queryFn: ({ signal }) => get<View>(`${at(id, "view")}?blind=true`, signal),
  });
  if (view.error) return <NoPage error={view.error} again={() => void view.refetch()} />;
  if (!view.data) return <Loading />;
  return (
    <>
      <Title>{words.title(words.judge.title)}</Title>
      <header className="mb-8 max-w-[70ch]">
        <p className="mb-2 text-sm font-medium text-muted">{words.judge.title}</p>
        <h1 className="text-2xl sm:text-3xl" dir="auto" lang={view.data.language}>
          {view.data.topic}
        </h1>
        <p className="mt-3 text-muted">{words.judge.blind}</p>
      </header>
      <div className="gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Said view={view.data} />
        <Vote id={id} view={view.data} />
      </div>
    </>
  );
}

function Said({ view }: { view: View }) {
  const quotes = useMemo(() => shownIn(view.quotes ?? []), [view]);
  const seats = new Map(view.seats.map((seat) => [seat.id, seat]));
  const known = knownAmong(view.claims);
  return (
    <section aria-labelledby="said">
      <h2 id="said" className="mb-5 text-lg">
        {words.judge.transcript}
      </h2>
      <div className="space-y-8">
        {view.speeches.map((speech, n) => {
          const seat = seats.get(speech.seat);
          return (
            <div key={speech.id} className="space-y-8">
              {speech.round !== view.speeches[n - 1]?.round && (
                <h3 className="flex items-center gap-3 text-sm font-medium text-muted">
                  <span>{speech.label}</span>
                  <span className="h-px flex-1 bg-line" aria-hidden="true" />
                </h3>
              )}
              <article id={speech.id} className={speech.parts?.length ? "" : EDGES[seat?.side ?? ""]}>
                <p className="mb-1.5 text-sm">
                  <Who seat={seat ?? { name: speech.seat, side: "" }} />
                </p>
                {speech.lost ? (
                  <p className="text-muted italic">{words.live.lost(speech.lost)}</p>
                ) : speech.parts?.length ? (
                  <SpeechParts
                    parts={speech.parts}
                    side={seat?.side ?? ""}
                    known={known}
                    quotes={quotes.get(speech.id)}
                  />
                ) : (
                  <Words shown={quotes.get(speech.id)}>{speech.words}</Words>
                )}
              </article>
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Vote({ id, view }: { id: string; view: View }) {
  const [ballot, setBallot, forget, current] = useKept<Ballot>(id, "vote", () => EMPTY);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const give = useMutation({
    mutationFn: (given: NewVote) => post<Tally>(at(id, "votes"), given),
    onSuccess: (tally) => {
      forget();
      client.setQueryData(["tally", id], tally);
      scrollTo({ top: 0 });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const given = vote(current());
    if (given) give.mutate(given);
    else form.current?.querySelector("input")?.focus();
  };
  const change = (some: Partial<Ballot>) => setBallot({ ...current(), ...some });
  return (
    <form
      ref={form}
      onSubmit={submit}
      className="mt-12 space-y-7 self-start rounded-lg border border-line bg-raised p-5 lg:sticky lg:top-6 lg:mt-0 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
    >
      <h2 className="text-lg">{words.judge.vote}</h2>
      <Winner view={view} ballot={ballot} change={change} problem={tried && !vote(ballot)} />
      <Standings view={view} ballot={ballot} change={change} />
      <TextArea
        label={words.judge.remark}
        hint={words.judge.remarkHint}
        rows={2}
        maxLength={2_000}
        value={ballot.remark}
        onChange={(event) => change({ remark: event.target.value })}
      />
      {give.error && <Problem error={give.error} />}
      <Button type="submit" look="main" className="w-full" busy={give.isPending}>
        {give.isPending ? words.judge.giving : words.judge.give}
      </Button>
      <p className="text-sm text-muted">{words.judge.once}</p>
    </form>
  );
}

interface Filling {
  view: View;
  ballot: Ballot;
  change: (some: Partial<Ballot>) => void;
}

function Winner({ view, ballot, change, problem }: Filling & { problem: boolean }) {
  const choices = [...candidates(view), { id: TIE, name: words.judge.tie, side: "" as const }];
  const pick = (id: string) => change({ winner: id });
  return (
    <div className="space-y-4">
      <fieldset {...(problem ? { "aria-describedby": "winner-problem" } : {})}>
        <legend className="mb-2 text-sm font-medium">{words.judge.winner}</legend>
        <div className="flex flex-wrap gap-2">
          {choices.map((one) => (
            <label
              key={one.id}
              className="flex min-h-10 cursor-pointer items-center gap-2 rounded-md border border-edge px-3 has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="winner"
                className="size-4 accent-accent"
                checked={ballot.winner === one.id}
                onChange={() => pick(one.id)}
              />
              <Who seat={one} />
            </label>
          ))}
        </div>
        {problem && (
          <p id="winner-problem" role="alert" className="mt-1 text-sm text-wrong">
            {words.judge.winnerNeeded}
          </p>
        )}
      </fieldset>
      {ballot.winner !== TIE && (
        <label className="block text-sm">
          <span className="flex justify-between font-medium">
            {words.judge.sure} <output>{ballot.sure} %</output>
          </span>
          <input
            type="range"
            min={50}
            max={100}
            step={5}
            className="mt-2 w-full accent-accent"
            value={ballot.sure}
            onChange={(event) => change({ sure: event.target.valueAsNumber })}
          />
          <span className="text-muted">{words.judge.sureHint}</span>
        </label>
      )}
    </div>
  );
}

const STANDINGS = Object.keys(SIGNS) as Standing[];

function Standings({ view, ballot, change }: Filling) {
  if (!view.claims.length) return <p className="text-sm text-muted">{words.judge.noClaims}</p>;
  const put = (claim: string, standing: string) => {
    const { [claim]: _, ...others } = ballot.standings;
    change({ standings: standing ? { ...others, [claim]: standing as Standing } : others });
  };
  return (
    <fieldset>
      <legend className="text-sm font-medium">{words.judge.standings}</legend>
      <p className="mb-3 text-sm text-muted">{words.judge.standingsHint}</p>
      <ul className="space-y-4">
        {view.claims.map((claim) => (
          <li key={claim.id} className="text-sm">
            <p dir="auto">
              <a href={`#${claim.turn}`} className="font-medium underline underline-offset-2">
                {claim.id}
              </a>{" "}
              {claim.claim}
            </p>
            <select
              aria-label={words.judge.of(claim.id)}
              className="mt-1.5 min-h-10 w-full rounded-md border border-edge bg-raised px-2"
              value={ballot.standings[claim.id] ?? ""}
              onChange={(event) => put(claim.id, event.target.value)}
            >
              <option value="">{words.judge.noOpinion}</option>
              {STANDINGS.map((standing) => (
                <option key={standing} value={standing}>
                  {SIGNS[standing]} {spaced(frame.standing[standing])}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
