/** A debate or a judging that broke off: what, why, the fix with its button, and what was kept. */
import { lazy, Suspense, useState } from "react";
import { type FailureTold, useAbout } from "../api";
import { Button, buttonLook } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { FailureCard } from "../ui/FailureCard";
import { Skeleton } from "../ui/Skeleton";
import { words as reading } from "../words/reading";
import { words } from "../words/verdict";
import { useDebate } from "./open";
import { To } from "./parts";
import { readOnly } from "./readOnly";

const RetryButtons = SHARED ? null : lazy(async () => ({ default: (await import("../runs/GoOn")).RetryButtons }));
const JudgeAgain = SHARED ? null : lazy(() => import("../start/JudgeAgain"));

export function Failure({ told }: { told: FailureTold }) {
  const view = useDebate();
  const failed = view.ending.kind === "failed";
  const fixed = readOnly(view.run_id);
  const models = view.seats.filter((seat) => !seat.person).map((seat) => seat.id);
  return (
    <FailureCard chip={words.failure.chip(failed)} title={told.what} why={told.why} fix={told.fix} kept={told.kept}>
      {failed && RetryButtons && !fixed && (
        <Suspense>
          <RetryButtons id={view.run_id} seats={models} />
        </Suspense>
      )}
      {!failed && !fixed && <Rejudge id={view.run_id} />}
      {view.turns > 0 && (
        <To page="transcript" className={`${buttonLook()} self-end`}>
          {words.readIt}
        </To>
      )}
    </FailureCard>
  );
}

/** Have it judged again, by the same judges or others. */
function Rejudge({ id }: { id: string }) {
  const { data: about } = useAbout();
  const [asking, setAsking] = useState(false);
  if (!JudgeAgain || about?.role !== "owner") return null;
  return (
    <>
      <Button look="main" onClick={() => setAsking(true)}>
        {reading.debate.panelAgain}
      </Button>
      <Dialog title={reading.debate.panelAgain} open={asking} close={() => setAsking(false)}>
        <Suspense fallback={<Skeleton shape="rows" />}>
          <JudgeAgain id={id} about={about} close={() => setAsking(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
