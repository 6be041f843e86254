/** A debate that is over, evaluated: how thoroughly, and what that takes, before anything is spent. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type About, at, type Begun, client, post } from "../api";
import { Button } from "../ui/Button";
import { Select } from "../ui/Field";
import { Problem } from "../ui/Said";
import { money, words } from "../words/doing";
import { words as evaluating } from "../words/evaluating";
import { Forecast } from "./Forecast";
import { useKey } from "./key";

const w = evaluating.evaluateIt;

interface Props {
  id: string;
  about: About;
  close: () => void;
}

export default function EvaluateIt({ id, about, close }: Props) {
  const [tier, setTier] = useState("quick");
  const body = { tier };
  const key = useKey(body);
  const begin = useMutation({
    mutationFn: () => post<Begun>(at(id, "evaluations"), body, { "Idempotency-Key": key }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["state", id] });
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      <p className="text-sm text-muted">{w.why(money(about.usual_budget))}</p>
      <Select
        label={w.tier}
        choices={Object.entries(w.tiers)}
        value={tier}
        onChange={(event) => {
          begin.reset();
          setTier(event.target.value);
        }}
      />
      <Forecast from={`${at(id, "evaluations")}/estimates`} asked={body} fit />
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
