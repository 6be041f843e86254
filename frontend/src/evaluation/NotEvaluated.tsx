/** No figures yet: what an evaluation would show, and for the owner the way to one. */
import { useContext } from "react";
import { JudgingContext } from "../reading/open";
import { Empty } from "../ui/Said";
import { words } from "../words/evaluating";
import { EvaluateButton, useMayEvaluate } from "./EvaluateButton";

const w = words.evaluation;

export function NotEvaluated() {
  const waiting = useContext(JudgingContext);
  const may = useMayEvaluate();
  if (waiting) return <Empty title={w.none}>{w.underWay}</Empty>;
  return (
    <Empty title={w.none}>
      <p className="mb-5">{w.noneWhy}</p>
      {may ? <EvaluateButton label={w.start} main /> : <p>{w.noneViewer}</p>}
    </Empty>
  );
}
