/** A person's place at the table: their turn when it comes, what they may read, and afterwards what there is to learn. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Advice, asProblem, at, get, type Question, type State, useAbout } from "../api";
import type { Floor, Said } from "../live/events";
import { useFloor } from "../live/follow";
import { useQuoted } from "../live/quoted";
import { over, useWatched } from "../live/state";
import { Now, seatOf, Turn, Who, Words } from "../live/Turns";
import { NotifyMe } from "../own/NotifyMe";
import { useBadge, useNotices } from "../own/notice";
import { Link } from "../router";
import { Button, buttonLook } from "../ui/Button";
import { Care, Empty, Loading, NoPage, Problem } from "../ui/Said";
import { Title } from "../ui/Title";
import { words } from "../words/doing";
import { Answer } from "./Answer";
import type { PointSaid } from "./Guided";
import { partOf } from "./guide";
import { Invite } from "./Invite";
import { OwnDocuments, useOwnDocuments } from "./OwnDocuments";

export default function Seat({ id, seat }: { id: string; seat: string }) {
  const { floor, line } = useFloor(id);
  const watched = useWatched(id);
  const awaited = floor.awaited.map((one) => one.key).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the server tells depends on the seat that is asked
  useEffect(() => {
    void watched.refetch();
  }, [awaited, line]);
  if (watched.error && !watched.data) return <NoPage error={watched.error} again={() => void watched.refetch()} />;
  if (!watched.data || (line === "joining" && !floor.seats.length && !over(watched.data.report))) return <Loading />;
  return (
    <>
      {watched.error && known(watched.error) && <Problem error={watched.error} />}
      {(line === "broken" || (watched.error && !known(watched.error))) && (
        <p role="status" className="mb-4 text-sm text-wrong">
          {words.live.broken}
        </p>
      )}
      <Place state={watched.data} floor={floor} seat={seat} />
    </>
  );
}

/** Whether the server said what is wrong. */
const known = (error: unknown) => asProblem(error).status > 0;

function Place({ state, floor, seat }: { state: State; floor: Floor; seat: string }) {
  const { report } = state;
  const [answered, setAnswered] = useState("");
  const [left, setLeft] = useState("");
  const question = state.questions.find((one) => one.seat === seat && one.key !== answered);
  const who = seatOf(floor, seat);
  const { data: about } = useAbout();
  // Owners are told by the frame, on every page.
  const invited = about?.role === "seat" && question ? [question] : [];
  useBadge(invited.length);
  useNotices(invited.map(({ key }) => ({ key: `${report.run_id}/${key}`, topic: report.topic, go: () => undefined })));
  if (floor.seats.length && !floor.seats.some((one) => one.id === seat && one.person))
    return (
      <Empty title={<h1 className="text-lg">{words.seat.none(who.name)}</h1>}>
        <p className="mb-4">{words.seat.noneWhy}</p>
        <Watch id={report.run_id} />
      </Empty>
    );
  return (
    <>
      <Title>{words.title(question ? words.seat.turnTitle : words.seat.title(who.name))}</Title>
      <header className="mb-5">
        <p className="mb-1 flex flex-wrap items-baseline gap-x-3 text-sm text-muted">
          <span>
            {words.seat.speaksFor} <Who seat={who} />
          </span>
          <Watch id={report.run_id} plain />
        </p>
        <h1 className="max-w-[60ch] text-xl sm:text-2xl" dir="auto">
          {report.topic}
        </h1>
        {about?.role === "owner" && !over(report) && (
          <div className="mt-4">
            {about.needs_token ? (
              <Invite id={report.run_id} seat={seat} />
            ) : (
              <p className="text-sm text-muted">{words.seat.invite.how(report.run_id, seat)}</p>
            )}
          </div>
        )}
      </header>
      {left && (
        <div className="mb-6">
          <Care title={words.seat.elsewhere}>
            <p>{words.seat.elsewhereWhy}</p>
            <pre className="mt-2 max-h-60 overflow-auto text-xs whitespace-pre-wrap">{left}</pre>
          </Care>
        </div>
      )}
      {over(report) ? (
        <Afterwards state={state} seat={seat} />
      ) : question ? (
        <YourTurn
          key={question.key}
          state={state}
          floor={floor}
          question={question}
          said={() => setAnswered(question.key)}
          left={setLeft}
        />
      ) : (
        <div className="gap-12 lg:grid lg:grid-cols-2">
          <Waiting floor={floor} just={answered !== ""} />
          <div className="mt-10 lg:mt-0">
            <OwnDocuments id={report.run_id} seat={seat} />
          </div>
        </div>
      )}
    </>
  );
}

function Watch({ id, plain = false }: { id: string; plain?: boolean }) {
  const look = plain ? "underline underline-offset-2" : buttonLook();
  return (
    <Link to="/debates/$id" params={{ id }} className={look}>
      {words.seat.follow}
    </Link>
  );
}

function YourTurn({
  state,
  floor,
  question,
  said,
  left,
}: {
  state: State;
  floor: Floor;
  question: Question;
  said: () => void;
  left: (text: string) => void;
}) {
  const id = state.report.run_id;
  const turns = question.readable.flatMap((turn) => floor.turns.find((one) => one.id === turn) ?? []);
  const { side } = seatOf(floor, question.seat);
  const own = (side || question.seat).toUpperCase();
  const documents = useOwnDocuments(id, question.seat);
  const about = (kind: string, named: string) =>
    (kind === "question" && floor.asked[named]) || floor.claims[named] || floor.issues[named] || "";
  return (
    <div className="gap-10 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-6">
        <section role="status" className="rounded-lg border-2 border-accent bg-accent-soft px-5 py-4">
          <h2 className="text-lg">
            {words.seat.yourTurn}: {words.seat.kind(question.brief)}
          </h2>
          <details className="mt-1 text-sm" open={turns.length === 0}>
            <summary className="min-h-6 font-medium">{words.seat.task}</summary>
            <Words>{question.task}</Words>
          </details>
        </section>
        <Answer
          {...{ id, question, about, own, said, left, documents }}
          point={(named) => pointSaid(floor, turns, named)}
        />
      </div>
      <div className="mt-10 lg:mt-0">
        <Beside id={id} turns={turns} floor={floor} seat={question.seat} documents={documents.length} />
      </div>
    </div>
  );
}

/** A point that may be answered: its first speaker made it. */
function pointSaid(floor: Floor, turns: readonly Said[], id: string): PointSaid {
  const made = turns.find((turn) => partOf(turn.words, id));
  return {
    claim: floor.claims[id] ?? floor.issues[id] ?? id,
    words: made ? partOf(made.words, id) : (floor.claims[id] ?? ""),
    questions: floor.asked[id] ?? "",
    side: made ? seatOf(floor, made.seat).side : "",
  };
}

type Shelf = keyof typeof words.seat.shelves;

/** What a speaker may read beside the answer: one kind at a time. */
function Beside({
  id,
  turns,
  floor,
  seat,
  documents,
}: {
  id: string;
  turns: readonly Said[];
  floor: Floor;
  seat: string;
  documents: number;
}) {
  const [chosen, setOpen] = useState<Shelf | null>(null);
  const open = chosen ?? (turns.length || !documents ? "theirs" : "documents");
  const mine = turns.filter((turn) => turn.seat === seat);
  const theirs = turns.filter((turn) => turn.seat !== seat);
  const shelves = (["theirs", "mine", "documents"] as const).filter((one) => one !== "documents" || documents);
  return (
    <section
      aria-label={words.seat.read}
      className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto lg:p-1"
    >
      <fieldset className="mb-4 flex flex-wrap gap-2">
        <legend className="sr-only">{words.seat.read}</legend>
        {shelves.map((one) => (
          <Button
            key={one}
            aria-pressed={open === one}
            onClick={() => setOpen(one)}
            className={open === one ? "border-accent! bg-accent-soft!" : ""}
          >
            {words.seat.shelves[one]}
          </Button>
        ))}
      </fieldset>
      {open === "documents" ? (
        <OwnDocuments id={id} seat={seat} />
      ) : (
        <Readable
          id={id}
          turns={open === "mine" ? mine : theirs}
          floor={floor}
          none={open === "mine" ? words.seat.nothingOfYours : words.seat.nothingOfTheirs}
        />
      )}
    </section>
  );
}

function Readable({ id, turns, floor, none }: { id: string; turns: readonly Said[]; floor: Floor; none: string }) {
  const quotes = useQuoted(id, floor);
  if (!turns.length) return <p className="text-muted">{none}</p>;
  return (
    <div className="space-y-8">
      {turns.length > 1 && <p className="text-sm text-muted">{words.seat.newest}</p>}
      {turns.toReversed().map((turn) => (
        <Turn key={turn.id} turn={turn} seat={seatOf(floor, turn.seat)} quotes={quotes.get(turn.id)} />
      ))}
    </div>
  );
}

function Waiting({ floor, just }: { floor: Floor; just: boolean }) {
  return (
    <div className="max-w-prose">
      <p role="status" className="text-lg font-semibold">
        {just ? words.seat.said_ : words.seat.waiting}
      </p>
      <p className="mt-1 text-muted">{words.seat.waitingWhy}</p>
      <Now floor={floor} />
      <div className="mt-6">
        <NotifyMe />
      </div>
    </div>
  );
}

function Afterwards({ state, seat }: { state: State; seat: string }) {
  const judged = state.follows.some((run) => run.protocol.startsWith("judging/") && run.state === "ended");
  const id = state.report.run_id;
  const found = useQuery({
    queryKey: ["advice", id, seat],
    queryFn: ({ signal }) => get<Advice>(at(id, "advice", seat), signal),
    enabled: judged && state.viewable,
  });
  return (
    <div className="max-w-prose space-y-8">
      <p role="status" className="text-lg font-semibold">
        {words.seat.over_}
      </p>
      {!judged && state.report.ending === "played" && <p className="text-muted">{words.seat.adviceLater}</p>}
      {found.error && <Problem error={found.error} again={() => void found.refetch()} />}
      {found.isLoading && <Loading>{words.seat.adviceComes}</Loading>}
      {found.data && <LookingBack advice={found.data} />}
      <Link to="/debates/$id" params={{ id }} className={buttonLook("main")}>
        {words.live.briefing}
      </Link>
    </div>
  );
}

function LookingBack({ advice }: { advice: Advice }) {
  const parts = [
    [words.seat.strengths, advice.strengths, words.seat.noStrengths],
    [words.seat.unanswered, advice.unanswered, words.seat.noUnanswered],
    [words.seat.missed, advice.missed, words.seat.noMissed],
  ] as const;
  return (
    <section>
      <h2 className="text-xl">{words.seat.advice}</h2>
      <p className="text-sm text-muted">{words.seat.adviceWhy}</p>
      {parts.map(([title, lines, none]) => (
        <div key={title} className="mt-6">
          <h3 className="mb-1.5 text-base">{title}</h3>
          {lines.length ? (
            <ul className="list-disc space-y-1.5 pl-5">
              {lines.map((line) => (
                <li key={line} dir="auto">
                  {line}
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-muted">{none}</p>
          )}
        </div>
      ))}
    </section>
  );
}
