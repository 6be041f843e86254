/** Panels under a name: choose one to fill in who sits and who judges, save what is filled in, or delete one. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import {
  type About,
  asProblem,
  call,
  client,
  get,
  type NewPanel,
  type PanelList,
  type ProtocolCard,
  post,
} from "../api";
import { Button } from "../ui/Button";
import { Select, TextField } from "../ui/Field";
import { Problem } from "../ui/Said";
import { own } from "../words/settings";
import type { Draft } from "./draft";
import { panelOf, taken } from "./panels";

const w = own.panels;
const LONGEST_NAME = 60;

interface Props {
  about: About;
  card: ProtocolCard;
  draft: Draft;
  /** The draft as it is when the panel is saved. */
  current: () => Draft;
  change: (change: Partial<Draft>) => void;
}

export function SavedPanels({ about, card, draft, current, change }: Props) {
  const { data } = useQuery({
    queryKey: ["panels"],
    queryFn: ({ signal }) => get<PanelList>("/api/panels", signal),
  });
  const [chosen, setChosen] = useState("");
  const [said, setSaid] = useState("");
  const panels = data?.panels ?? [];
  const use = (name: string) => {
    setChosen(name);
    const panel = panels.find((one) => one.name === name);
    const found = panel && taken(panel, draft, about);
    if (found) change(found.change);
    setSaid(
      !panel ? "" : !found ? w.noProtocol(panel.protocol) : found.lost.length ? w.lost(found.lost) : w.used(name),
    );
  };
  const known = (list: PanelList) => client.setQueryData(["panels"], list);
  const remove = useMutation({
    mutationFn: (name: string) => call<void>("DELETE", `/api/panels?${new URLSearchParams({ name })}`),
    onSuccess: (_, name) => {
      known({ panels: panels.filter((one) => one.name !== name) });
      setChosen("");
      setSaid(w.removed(name));
    },
  });
  return (
    <section aria-label={w.title} className="space-y-2">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        {panels.length > 0 && (
          <div className="w-72 max-w-full">
            <Select
              label={w.choose}
              value={chosen}
              choices={[["", w.none], ...panels.map((one) => [one.name, one.name] as const)]}
              onChange={(event) => use(event.target.value)}
            />
          </div>
        )}
        {chosen && (
          <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate(chosen)}>
            {w.remove(chosen)}
          </Button>
        )}
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {said}
      </p>
      {remove.error && <Problem error={remove.error} />}
      <Save
        names={panels.map((one) => one.name)}
        start={chosen}
        panel={(name) => panelOf(name, current(), card)}
        saved={(list, name) => {
          known(list);
          setChosen(name);
          setSaid(w.saved(name));
        }}
      />
    </section>
  );
}

interface SaveProps {
  names: readonly string[];
  start: string;
  panel: (name: string) => NewPanel;
  saved: (list: PanelList, name: string) => void;
}

/** Enter saves the panel here, and does not begin the debate. */
function Save({ names, start, panel, saved }: SaveProps) {
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const saving = useMutation({
    mutationFn: (given: NewPanel) => post<PanelList>("/api/panels", given),
    onSuccess: (list, given) => saved(list, given.name),
  });
  const go = () => {
    const given = box.current?.querySelector("input")?.value.trim() || start;
    setMissing(!given);
    if (given) saving.mutate(panel(given));
  };
  const fault = missing ? w.nameNeeded : saving.error ? asProblem(saving.error).title : undefined;
  return (
    <details>
      <summary className="min-h-10 py-2 text-sm font-medium">{w.save}</summary>
      <div className="flex flex-wrap items-start gap-3">
        <div ref={box} className="w-72 max-w-full">
          <TextField
            label={w.name}
            hint={w.saveHint}
            problem={fault}
            maxLength={LONGEST_NAME}
            placeholder={start}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              event.stopPropagation();
              go();
            }}
          />
        </div>
        <Button className="mt-6" busy={saving.isPending} onClick={go}>
          {names.includes(name.trim() || start) ? w.replaceDo : w.saveDo}
        </Button>
      </div>
    </details>
  );
}
