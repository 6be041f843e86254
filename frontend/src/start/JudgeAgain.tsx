/** A debate that is over, judged once more: by whom, beside a control or not, and for how much at most. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type About, at, type Begun, client, post } from "../api";
import { Button } from "../ui/Button";
import { useCurrent } from "../ui/current";
import { Problem } from "../ui/Said";
import { money, words } from "../words/doing";
import type { Panel } from "./draft";
import { Forecast } from "./Forecast";
import { useKeys } from "./key";
import { Judges } from "./Seats";

interface Props {
  id: string;
  about: About;
  close: () => void;
}

const nobody = ({ panel, judges }: Panel) => panel === "own" && !judges.length;
const asked = ({ panel, judges, control }: Panel) => ({ judges: panel === "own" ? judges : "auto", control });

export default function JudgeAgain({ id, about, close }: Props) {
  const [panel, setPanel, current] = useCurrent<Panel>({ panel: "auto", judges: [], control: false });
  const [tried, setTried] = useState(false);
  const keyOf = useKeys();
  const begin = useMutation({
    mutationFn: (body: ReturnType<typeof asked>) =>
      post<Begun>(at(id, "verdicts"), body, { "Idempotency-Key": keyOf(body) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["state", id] });
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!nobody(current())) begin.mutate(asked(current()));
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      <p className="text-sm text-muted">{words.judgeAgain.why(money(about.usual_budget))}</p>
      <Judges
        about={about}
        draft={panel}
        panels={["auto", "own"]}
        faults={tried && nobody(panel) ? { judges: words.start.judgesNeeded } : {}}
        change={(some) => {
          begin.reset();
          setPanel({ ...current(), ...some });
        }}
      />
      <Forecast from={at(id, "estimates")} asked={asked(panel)} fit={!nobody(panel)} />
      {begin.error && <Problem error={begin.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={close}>{words.cancel}</Button>
        <Button type="submit" look="main" busy={begin.isPending}>
          {words.judgeAgain.go}
        </Button>
      </div>
    </form>
  );
}
