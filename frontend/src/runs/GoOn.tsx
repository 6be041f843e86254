/** What can follow a debate: a further question, the same again, another course from a turn on, or a new try. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { at, type Begun, post, useAbout, useRole, type View } from "../api";
import { useNavigate } from "../router";
import { useKeys } from "../start/key";
import { Button } from "../ui/Button";
import { typed } from "../ui/current";
import { Select, TextField } from "../ui/Field";
import { Problem } from "../ui/Said";
import { goOn as words } from "../words/runs";

const LONGER = 600;

/** Asks the server to go on, and leads to the debate that begins. */
export function useGoOn(id: string) {
  const navigate = useNavigate();
  const keyOf = useKeys();
  return useMutation({
    mutationFn: ({ what, body }: { what: string; body: object }) =>
      post<Begun>(at(id, what), body, { "Idempotency-Key": keyOf([what, body]) }),
    onSuccess: ({ run_id }) => navigate({ to: "/debates/$id", params: { id: run_id } }),
  });
}

type Going = ReturnType<typeof useGoOn>;

/** Only owners can begin a debate, and a shared file has no server. */
export function GoOn({ view }: { view: View }) {
  const going = useGoOn(view.run_id);
  if (useRole() !== "owner" || SHARED) return null;
  const sides = new Set(view.seats.map((seat) => seat.side).filter((side) => side === "pro" || side === "con"));
  const go = (what: string, body: object) => () => going.mutate({ what, body });
  const failed = view.ending.kind !== "played";
  return (
    <section aria-labelledby="go-on" className="no-print">
      <h2 id="go-on" className="mb-4 text-lg">
        {words.title}
      </h2>
      {going.error && <Problem error={going.error} />}
      <div className="grid gap-6 lg:grid-cols-2">
        {!failed && <Further going={going} />}
        <Course view={view} going={going} />
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <Button busy={going.isPending} onClick={go("repeats", { swapped: false })}>
          {words.repeat}
        </Button>
        {sides.size === 2 && (
          <Button busy={going.isPending} title={words.swapHint} onClick={go("repeats", { swapped: true })}>
            {words.swap}
          </Button>
        )}
      </div>
    </section>
  );
}

function Further({ going }: { going: Going }) {
  const [question, setQuestion] = useState("");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = typed(event.currentTarget, "question");
    if (asked) going.mutate({ what: "questions", body: { question: asked } });
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label={words.question}
        hint={words.questionHint}
        name="question"
        maxLength={2_000}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
      />
      <Button type="submit" className="mt-3" busy={going.isPending}>
        {words.questionDo}
      </Button>
    </form>
  );
}

/** From a turn on, perhaps with another model in one seat. */
function Course({ view, going }: { view: View; going: Going }) {
  const models = useAbout().data?.models ?? [];
  const speakers = view.seats.filter((seat) => view.speeches.some((speech) => speech.seat === seat.id));
  const [turn, setTurn] = useState(view.speeches.at(-1)?.id ?? "");
  const [seat, setSeat] = useState(speakers[0]?.id ?? "");
  const [model, setModel] = useState("");
  if (!view.speeches.length) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [turn, seat, model] = ["turn", "seat", "model"].map((name) => typed(event.currentTarget, name));
    going.mutate({ what: "forks", body: { turn, seats: seat && model ? { [seat]: model } : {} } });
  };
  const named = (id: string) => view.seats.find((one) => one.id === id)?.name || id;
  return (
    <form onSubmit={submit}>
      <div className="grid gap-3 sm:grid-cols-3">
        <Select
          label={words.forkTurn}
          name="turn"
          choices={view.speeches.map((one) => [one.id, words.turn(one.id, named(one.seat))] as const)}
          value={turn}
          onChange={(event) => setTurn(event.target.value)}
        />
        <Select
          label={words.forkSeat}
          name="seat"
          choices={speakers.map((one) => [one.id, one.name || one.id] as const)}
          value={seat}
          onChange={(event) => setSeat(event.target.value)}
        />
        <Select
          label={words.forkModel}
          name="model"
          choices={[["", words.forkSame], ...models.map((one) => [one.name, one.label] as const)]}
          value={model}
          onChange={(event) => setModel(event.target.value)}
        />
      </div>
      <p className="mt-1 text-sm text-muted">{words.forkHint}</p>
      <Button type="submit" className="mt-3" busy={going.isPending}>
        {words.forkDo}
      </Button>
    </form>
  );
}

/** For a debate that stopped: from the answer that is missing on. */
export function TryAgain({ view }: { view: View }) {
  if (useRole() !== "owner" || SHARED || view.ending.kind === "played") return null;
  return (
    <section aria-labelledby="try-again" className="no-print rounded-lg border border-line bg-raised px-4 py-4 sm:px-6">
      <h2 id="try-again" className="text-lg">
        {words.failed}
      </h2>
      <p className="mt-1 text-sm">{words.failedWhy}</p>
      <div className="mt-4">
        <RetryButtons id={view.run_id} seats={view.seats.filter((seat) => !seat.person).map((seat) => seat.id)} />
      </div>
    </section>
  );
}

/** The buttons for it, first the one that needs no choice; `seats` are those of models. */
export function RetryButtons({ id, seats }: { id: string; seats: readonly string[] }) {
  const going = useGoOn(id);
  const models = useAbout().data?.models ?? [];
  const [model, setModel] = useState("");
  if (useRole() !== "owner" || SHARED) return null;
  const others = model ? Object.fromEntries(seats.map((seat) => [seat, model])) : {};
  const go = (more: object) => () => going.mutate({ what: "retry", body: { seats: others, ...more } });
  return (
    <div>
      {going.error && <Problem error={going.error} />}
      <div className="flex flex-wrap items-end gap-3">
        <Button look="main" busy={going.isPending} onClick={go({})}>
          {words.retry}
        </Button>
        <Button busy={going.isPending} onClick={go({ seconds: LONGER })}>
          {words.retryTime}
        </Button>
        <div className="min-w-56">
          <Select
            label={words.retryModel}
            choices={[["", words.forkSame], ...models.map((one) => [one.name, one.label] as const)]}
            value={model}
            onChange={(event) => setModel(event.target.value)}
          />
        </div>
      </div>
    </div>
  );
}
