/** What can be done about a model that keeps everyone waiting: more time, or another model in its seat. */

import { useState } from "react";
import { useAbout } from "../api";
import { useParams } from "../router";
import { useGoOn } from "../runs/GoOn";
import { Button } from "../ui/Button";
import { Problem } from "../ui/Said";
import { words } from "../words/doing";

const MORE_SECONDS = 120;
const MOST_SECONDS = 3_600;
const w = words.live.wait;

interface Props {
  seat: string;
  /** Seconds after which the try is given up, if one is under way. */
  until: number | null;
  shown: boolean;
  /** Whether it has gone on for so long that a person should do something. */
  enough: boolean;
}

/** The debate goes on as a new one from the missing answer, and the old one is stopped: both are on record. */
export default function Instead({ seat, until, shown, enough }: Props) {
  const { data: about } = useAbout();
  const { id = "" } = useParams({ strict: false });
  const going = useGoOn(id);
  const [model, setModel] = useState("");
  if (!shown || about?.role !== "owner" || !id) return null;
  const go = (body: object) => () => going.mutate({ what: "retry", body: { ...body, instead: true } });
  const seconds = Math.min(Math.ceil(until ?? 0) + MORE_SECONDS, MOST_SECONDS);
  return (
    <>
      {enough && (
        <p role="status" className="mb-2 font-semibold">
          {w.enough}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {until !== null && (
          <Button busy={going.isPending} title={w.moreHint} onClick={go({ seconds })}>
            {w.more}
          </Button>
        )}
        <select
          aria-label={w.anotherModel}
          className="min-h-[34px] max-w-48 rounded-md border border-edge bg-raised px-3 pointer-coarse:min-h-11"
          value={model}
          onChange={(event) => setModel(event.target.value)}
        >
          <option value="">{w.anotherModel}</option>
          {about.models.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
        <Button busy={going.isPending} disabled={!model} title={w.moreHint} onClick={go({ seats: { [seat]: model } })}>
          {w.another}
        </Button>
      </div>
      {going.error && <Problem error={going.error} />}
    </>
  );
}
