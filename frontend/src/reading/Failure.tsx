/** A debate that broke off: what, why, the fix, and a button that goes on from what was kept. */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { at, type Begun, type FailureTold, post, useRole } from "../api";
import { SHARED_VIEW } from "../share";
import { useKey } from "../start/key";
import { Button, buttonLook } from "../ui/Button";
import { FailureCard } from "../ui/FailureCard";
import { Problem } from "../ui/Said";
import { words } from "../words/verdict";
import { useDebate } from "./open";
import { To } from "./parts";

export function Failure({ told }: { told: FailureTold }) {
  const view = useDebate();
  const role = useRole();
  const forks = !SHARED_VIEW && role === "owner" && view.ending.kind === "failed";
  return (
    <FailureCard
      chip={words.failure.chip(view.ending.kind === "failed")}
      title={told.what}
      why={told.why}
      fix={told.fix}
      kept={told.kept}
    >
      {forks && <GoOn id={view.run_id} />}
      {view.speeches.length > 0 && (
        <To page="transcript" className={buttonLook()}>
          {words.readIt}
        </To>
      )}
    </FailureCard>
  );
}

/** A fork takes over what was said and paid for, and asks again where the debate broke off. */
function GoOn({ id }: { id: string }) {
  const navigate = useNavigate();
  const key = useKey(id);
  const fork = useMutation({
    mutationFn: () => post<Begun>(at(id, "forks"), {}, { "Idempotency-Key": key }),
    onSuccess: ({ run_id }) => navigate({ to: "/debates/$id", params: { id: run_id } }),
  });
  return (
    <>
      <Button look="main" busy={fork.isPending} onClick={() => fork.mutate()}>
        {words.failure.goOn}
      </Button>
      {fork.error && (
        <div className="basis-full">
          <Problem error={fork.error} />
        </div>
      )}
    </>
  );
}
