/** A debate that broke off: what, why, the fix, and what was kept. */
import type { FailureTold } from "../api";
import { buttonLook } from "../ui/Button";
import { FailureCard } from "../ui/FailureCard";
import { words } from "../words/verdict";
import { useDebate } from "./open";
import { To } from "./parts";

export function Failure({ told }: { told: FailureTold }) {
  const view = useDebate();
  return (
    <FailureCard
      chip={words.failure.chip(view.ending.kind === "failed")}
      title={told.what}
      why={told.why}
      fix={told.fix}
      kept={told.kept}
    >
      {view.speeches.length > 0 && (
        <To page="transcript" className={buttonLook()}>
          {words.readIt}
        </To>
      )}
    </FailureCard>
  );
}
