/** Pause, go on, stop; and what was asked for until it has happened. */
import { useMutation } from "@tanstack/react-query";
import { Pause, Play, Square } from "lucide-react";
import { type FormEvent, useState } from "react";
import { at, post, type RunSummary } from "../api";
import { Button } from "../ui/Button";
import { typed } from "../ui/current";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { Problem } from "../ui/Said";
import { words } from "../words/doing";
import type { Seat } from "./events";
import { lookAgain } from "./state";

type Order = "pause" | "resume" | "cancel";

/** Words from outside to the speakers, with their next question. The record keeps them. */
export function Tell({ id, speakers }: { id: string; speakers: readonly Seat[] }) {
  const [text, setText] = useState("");
  const [seat, setSeat] = useState("");
  const tell = useMutation({
    mutationFn: (told: { text: string; seat: string }) => post(at(id, "instructions"), told),
    onSuccess: () => setText(""),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const told = { text: typed(event.currentTarget, "text"), seat: typed(event.currentTarget, "seat") };
    if (told.text) tell.mutate(told);
  };
  return (
    <form onSubmit={submit} className="max-w-[75ch] border-y border-line py-4">
      <TextField
        label={words.live.tell}
        hint={words.live.tellHint}
        name="text"
        maxLength={2_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        label={words.live.tellWhom}
        name="seat"
        choices={[["", words.live.tellAll], ...speakers.map((one) => [one.id, one.name] as const)]}
        value={seat}
        onChange={(event) => setSeat(event.target.value)}
      />
      <div className="mt-3 flex items-center gap-3">
        <Button type="submit" busy={tell.isPending}>
          {words.live.tellDo}
        </Button>
        {tell.isSuccess && (
          <span role="status" className="text-sm text-muted">
            {words.live.tellDone}
          </span>
        )}
      </div>
      {tell.error && <Problem error={tell.error} />}
    </form>
  );
}

export function Controls({ report, paused }: { report: RunSummary; paused: boolean }) {
  const [sure, setSure] = useState(false);
  const order = useMutation({
    mutationFn: (what: Order) => post(at(report.run_id, what)),
    onSuccess: () => lookAgain(report.run_id),
  });
  const rests = paused || report.state === "paused";
  const asked = order.isSuccess ? order.variables : undefined;
  const pending = (asked === "pause" && !rests) || asked === "cancel" || (asked === "resume" && rests);
  const told = { pause: words.live.pausing, resume: words.live.resuming, cancel: words.live.stopping };
  const leave = () => {
    setSure(false);
    if (order.isError) order.reset();
  };
  const stop = () => {
    setSure(false);
    order.mutate("cancel");
  };
  return (
    <>
      {pending && asked && (
        <span role="status" className="text-sm text-muted">
          {told[asked]}
        </span>
      )}
      {rests ? (
        <Button busy={order.isPending || pending} onClick={() => order.mutate("resume")}>
          <Play size={16} aria-hidden="true" />
          {words.live.resume}
        </Button>
      ) : (
        <Button busy={order.isPending || pending} onClick={() => order.mutate("pause")}>
          <Pause size={16} aria-hidden="true" />
          {words.live.pause}
        </Button>
      )}
      <Button look="danger" busy={order.isPending || asked === "cancel"} onClick={() => setSure(true)}>
        <Square size={14} aria-hidden="true" />
        {words.live.stop}
      </Button>
      <Dialog title={words.live.stopTitle} open={sure || order.isError} close={leave}>
        {order.error ? (
          <Problem error={order.error} />
        ) : (
          <>
            <p>{words.live.stopWhy}</p>
            <div className="mt-5 flex justify-end gap-2">
              <Button onClick={() => setSure(false)}>{words.cancel}</Button>
              <Button look="danger" onClick={stop}>
                {words.live.stopDo}
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </>
  );
}
