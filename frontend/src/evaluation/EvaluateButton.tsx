/** For the owner of a debate: begins an evaluation, once its price has been shown. */
import { lazy, Suspense, useState } from "react";
import { useAbout, useRole } from "../api";
import { useDebate } from "../reading/open";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Loading } from "../ui/Said";

const EvaluateIt = SHARED ? null : lazy(() => import("../start/EvaluateIt"));

/** Whether this reader could begin one here. */
export function useMayEvaluate(): boolean {
  const owner = useRole() === "owner";
  const { speeches } = useDebate();
  const { data: about } = useAbout();
  return Boolean(EvaluateIt && owner && about && speeches.length);
}

export function EvaluateButton({ label, main = false }: { label: string; main?: boolean }) {
  const { run_id: id } = useDebate();
  const { data: about } = useAbout();
  const [asking, setAsking] = useState(false);
  if (!EvaluateIt || !about) return null;
  return (
    <>
      <Button look={main ? "main" : "plain"} className="no-print" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Dialog title={label} open={asking} close={() => setAsking(false)}>
        <Suspense fallback={<Loading />}>
          <EvaluateIt id={id} about={about} close={() => setAsking(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
