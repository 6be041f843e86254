/** How a debate is held: one chip a protocol, and below them what the chosen one does. */
import type { About, ProtocolCard } from "../api";
import { capital, words } from "../words/doing";
import { protocols } from "./draft";

interface Props {
  about: About;
  chosen: ProtocolCard;
  choose: (name: string) => void;
}

export function Protocols({ about, chosen, choose }: Props) {
  return (
    <fieldset>
      <legend className="mb-1 text-lg font-[650]">{words.start.protocol}</legend>
      <div className="flex flex-wrap gap-2 pt-2">
        {protocols(about).map((card) => (
          <label
            key={card.name}
            className="relative inline-flex min-h-9 cursor-pointer items-center rounded-full border border-edge bg-raised px-3.5 text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="protocol"
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              checked={card === chosen}
              onChange={() => choose(card.name)}
            />
            {card === chosen && <span aria-hidden="true">{"✓\u00a0"}</span>}
            {capital(card.name)}
          </label>
        ))}
      </div>
      <p className="mt-3 text-sm" lang="en">
        {chosen.about.split("\n\n")[0]}
      </p>
      <p className="mt-1 text-sm text-muted">
        {words.start.seatsOf(chosen.seats.length)} · {words.start.calls(chosen.calls)}
      </p>
    </fieldset>
  );
}
