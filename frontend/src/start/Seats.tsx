/** Who speaks: one model for every seat, and another for single seats, a person included. */
import type { About, ModelChoice, ProtocolCard, SeatChoice } from "../api";
import { sideOf } from "../live/events";
import { SideTag } from "../ui/Badge";
import { Checkbox, Select } from "../ui/Field";
import { words } from "../words/doing";
import { type Draft, type Panel, seatsOf } from "./draft";
import type { Faults } from "./schema";

interface Props {
  about: About;
  card: ProtocolCard;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  faults: Faults;
}

const named = (model: ModelChoice) =>
  model.free ? words.start.modelFree(model.label, model.where) : words.start.modelPaid(model.label, model.where);
const offers = (models: readonly ModelChoice[]) => models.map((model) => [model.name, named(model)] as const);

export function Seats({ about, card, draft, change, faults }: Props) {
  const own = seatsOf(draft);
  const set = Object.values(own).filter(Boolean).length;
  const put = (seat: string, model: string) =>
    change({ seats: { ...draft.seats, [card.name]: { ...own, [seat]: model } } });
  return (
    <div className="space-y-4">
      <Select
        label={words.start.everyone}
        choices={about.models.length ? offers(about.models) : [["", words.start.noModels]]}
        value={draft.model}
        problem={faults.model}
        onChange={(event) => change({ model: event.target.value })}
      />
      <details {...(set ? { open: true } : {})}>
        <summary className="min-h-10 py-2 text-sm font-medium">
          {words.start.own} <span className="font-normal text-muted">{set ? words.start.ownChanged(set) : ""}</span>
        </summary>
        <p className="mb-3 text-sm text-muted">
          {words.start.ownHint} {card.by_settings && words.start.bySettings}
        </p>
        <ul className="grid gap-3 sm:grid-cols-2">
          {card.seats.map((seat) => (
            <li key={seat.id}>
              <Select
                label={<SeatName seat={seat} />}
                choices={[
                  ["", words.start.asEveryone],
                  ...(about.people === false ? [] : [[words.PERSON, words.person] as const]),
                  ...offers(about.models),
                ]}
                value={own[seat.id] ?? ""}
                problem={faults[`seats.${seat.id}`]}
                onChange={(event) => put(seat.id, event.target.value)}
              />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function SeatName({ seat }: { seat: SeatChoice }) {
  const side = sideOf(seat.team || seat.role || seat.id);
  const same = seat.name.toLowerCase() === side;
  return side ? <SideTag side={side}>{!same && seat.name}</SideTag> : seat.name;
}

interface JudgesProps {
  about: About;
  draft: Panel;
  change: (change: Partial<Panel>) => void;
  faults: Faults;
  /** Ways to choose them that make sense here. */
  panels?: readonly Panel["panel"][];
}

export function Judges({ about, draft, change, faults, panels = ["auto", "none", "own"] }: JudgesProps) {
  const pick = (name: string, chosen: boolean) =>
    change({ judges: chosen ? [...draft.judges, name] : draft.judges.filter((one) => one !== name) });
  return (
    <fieldset className="space-y-2">
      <legend className="sr-only">{words.start.judging}</legend>
      {panels.map((panel) => (
        <label key={panel} className="flex min-h-8 items-center gap-2.5 text-sm">
          <input
            type="radio"
            name="panel"
            className="size-5 accent-accent"
            checked={draft.panel === panel}
            onChange={() => change({ panel })}
          />
          {words.start.judges[panel]}
        </label>
      ))}
      {draft.panel === "own" && (
        <div className="space-y-2 pl-7.5">
          {about.models.map((model) => (
            <Checkbox
              key={model.name}
              label={named(model)}
              checked={draft.judges.includes(model.name)}
              onChange={(event) => pick(model.name, event.target.checked)}
            />
          ))}
        </div>
      )}
      {faults.judges && (
        <p role="alert" className="pl-7.5 text-sm text-wrong">
          {faults.judges}
        </p>
      )}
      {draft.panel !== "none" && (
        <div className="pt-2">
          <Checkbox
            label={words.start.control}
            hint={words.start.controlHint}
            checked={draft.control}
            onChange={(event) => change({ control: event.target.checked })}
          />
        </div>
      )}
    </fieldset>
  );
}
