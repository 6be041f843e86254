/** After the vote: who it was, what the panel found, what other people say, and how far they agree. */

import { type Tally, useView, type View } from "../api";
import { Part } from "../compare/Part";
import { Who } from "../live/Turns";
import { Link } from "../router";
import { buttonLook } from "../ui/Button";
import { Loading, NoPage } from "../ui/Said";
import { type Standing, StandingChip } from "../ui/StandingChip";
import { Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { fixed, percent, words } from "../words/doing";
import { candidates, most } from "./ballot";

export function Reveal({ id, tally }: { id: string; tally: Tally }) {
  const view = useView(id, true);
  if (view.error) return <NoPage error={view.error} again={() => void view.refetch()} />;
  if (!view.data) return <Loading />;
  return (
    <div className="space-y-12">
      <Title>{words.title(words.judge.reveal)}</Title>
      <header className="max-w-[70ch]">
        <p className="mb-2 text-sm font-medium text-muted">{words.judge.reveal}</p>
        <h1 className="text-2xl sm:text-3xl" dir="auto" lang={view.data.language}>
          {view.data.topic}
        </h1>
      </header>
      <Verdicts view={view.data} tally={tally} />
      <div className="grid gap-12 lg:grid-cols-2">
        <Winners view={view.data} tally={tally} />
        <Seats view={view.data} />
      </div>
      <Claims view={view.data} tally={tally} />
      <Link to="/debates/$id" params={{ id }} className={buttonLook("main")}>
        {words.judge.toBriefing}
      </Link>
    </div>
  );
}

const nameOf = (view: View, id: string | null) => {
  if (id === null) return words.judge.tie;
  const one = candidates(view).find((candidate) => candidate.id === id);
  return one ? <Who seat={one} /> : id;
};

function Verdicts({ view, tally }: { view: View; tally: Tally }) {
  const facts = [
    [
      words.judge.youSaid,
      nameOf(view, tally.mine.winner),
      tally.mine.winner && words.judge.youSure(tally.mine.sure ?? 50),
    ],
    [
      words.judge.panelSaid,
      view.judgement ? (tally.panel === null ? words.judge.nobody : nameOf(view, tally.panel)) : words.judge.notJudged,
      "",
    ],
    [words.judge.agreeWinner, share(tally.agree_on_winner), words.judge.peopleSay(tally.votes)],
    [words.judge.agreeStandings, share(tally.agree_on_standings), ""],
  ] as const;
  return (
    <dl className="grid gap-6 rounded-lg border border-line bg-raised p-5 sm:grid-cols-2 lg:grid-cols-4">
      {facts.map(([label, fact, more]) => (
        <div key={label}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-lg font-semibold">{fact}</dd>
          {more && <dd className="text-sm text-muted">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}

const share = (found: number | null) => (found === null ? words.judge.unknown : percent(found));

function Winners({ view, tally }: { view: View; tally: Tally }) {
  const known = candidates(view).map((one) => one.id);
  const others = Object.keys(tally.winners).filter((id) => !known.includes(id));
  const scores = new Map(view.judgement?.totals.map((total) => [total.side, total.score]));
  return (
    <Part title={words.judge.winners}>
      <Table<string>
        caption={words.judge.peopleSay(tally.votes)}
        rows={[...known, ...others]}
        name={(id) => id}
        columns={[
          {
            key: "side",
            head: words.judge.side,
            cell: (id) => (known.includes(id) ? nameOf(view, id) : words.judge.tie),
          },
          { key: "votes", head: words.judge.votes, numeric: true, cell: (id) => tally.winners[id] ?? 0 },
          {
            key: "panel",
            head: words.judge.panelScore,
            numeric: true,
            cell: (id) => fixed(scores.get(id), 1),
          },
        ]}
      />
    </Part>
  );
}

function Seats({ view }: { view: View }) {
  return (
    <Part title={words.judge.who}>
      <Table
        caption={words.judge.who}
        quiet
        rows={view.seats}
        name={(seat) => seat.id}
        columns={[
          { key: "seat", head: words.judge.seat, cell: (seat) => <Who seat={seat} /> },
          { key: "model", head: words.judge.model, cell: (seat) => (seat.person ? words.person : seat.model) },
        ]}
      />
    </Part>
  );
}

function Claims({ view, tally }: { view: View; tally: Tally }) {
  if (!view.claims.length) return null;
  const mine = (tally.mine.standings ?? {}) as Record<string, Standing>;
  const badge = (standing: Standing | null | undefined) => (standing ? <StandingChip standing={standing} /> : "–");
  return (
    <Part title={words.judge.arguments}>
      <Table
        caption={words.judge.arguments}
        quiet
        rows={view.claims}
        name={(claim) => claim.id}
        columns={[
          {
            key: "id",
            head: words.judge.argument,
            cell: (claim) => (
              <>
                {claim.id} <span className="block max-w-[50ch] min-w-40 font-normal">{claim.claim}</span>
              </>
            ),
          },
          { key: "mine", head: words.judge.mine, cell: (claim) => badge(mine[claim.id]) },
          { key: "people", head: words.judge.people, cell: (claim) => badge(most(tally.standings[claim.id])) },
          { key: "panel", head: words.judge.panel, cell: (claim) => badge(claim.standing) },
        ]}
      />
    </Part>
  );
}
