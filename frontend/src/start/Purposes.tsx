/** What a new debate is for, as four cards of which one may be chosen. */
import { useId } from "react";
import type { About, ProtocolCard } from "../api";
import { capital, words } from "../words/doing";
import { starting } from "../words/starting";
import type { Draft } from "./draft";
import { type Purpose, preset, purposeOf, purposes } from "./presets";

const w = starting.purposes;

interface Props {
  about: About;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
}

export function Purposes({ about, draft, change }: Props) {
  const chosen = purposeOf(draft);
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{w.title}</legend>
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        {purposes(about).map(([purpose, card]) => (
          <One
            key={purpose}
            purpose={purpose}
            card={card}
            chosen={purpose === chosen}
            choose={() => change(preset(draft, purpose))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface OneProps {
  purpose: Purpose;
  card: ProtocolCard;
  chosen: boolean;
  choose: () => void;
}

/** Its name alone is read out; what it sets follows as a description. */
function One({ purpose, card, chosen, choose }: OneProps) {
  const id = useId();
  const [title, why, sets] = w.of[purpose];
  return (
    <label className="relative block cursor-pointer rounded-lg border border-line bg-raised p-3.5 has-checked:border-accent has-checked:bg-accent-soft has-checked:outline has-checked:outline-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="purpose"
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-why`}
        checked={chosen}
        onChange={choose}
      />
      <span id={`${id}-title`} className="block font-semibold">
        {title}
      </span>
      <span id={`${id}-why`}>
        <span className="block text-sm">{why}</span>{" "}
        <span className="mt-1 block text-xs text-muted">
          {sets || `${capital(card.name)}, ${words.start.calls(card.calls)}`}
        </span>
      </span>
    </label>
  );
}
