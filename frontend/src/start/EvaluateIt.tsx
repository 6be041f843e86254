/** A debate that is over, evaluated: how thoroughly, and what that takes, before anything is spent. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type About, at, type Begun, client, post } from "../api";
import { Button } from "../ui/Button";
import { typed } from "../ui/current";
import { Select } from "../ui/Field";
import { Problem } from "../ui/Said";
import { money, words } from "../words/doing";
import { words as evaluating } from "../words/evaluating";
import { Forecast } from "./Forecast";
import { useKeys } from "./key";

const w = evaluating.evaluateIt;

interface Props {
  id: string;
  about: About;
  close: () => void;
}

export default function EvaluateIt({ id, about, close }: Props) {
  const [tier, setTier] = useState("quick");
  const keyOf = useKeys();
  const begin = useMutation({
    mutationFn: (body: { tier: string }) =>
      post<Begun>(at(id, "evaluations"), body, { "Idempotency-Key": keyOf(body) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["state", id] });
      close();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    begin.mutate({ tier: typed(event.currentTarget, "tier") });
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      <p className="text-sm text-muted">{w.why(money(about.usual_budget))}</p>
      <Select
        label={w.tier}
        name="tier"
        choices={Object.entries(w.tiers)}
        value={tier}
        onChange={(event) => {
          begin.reset();
          setTier(event.target.value);
        }}
      />
      <Forecast from={`${at(id, "evaluations")}/estimates`} asked={{ tier }} fit />
      {begin.error && <Problem error={begin.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={close}>{words.cancel}</Button>
        <Button type="submit" look="main" busy={begin.isPending}>
          {w.go}
        </Button>
      </div>
    </form>
  );
}
