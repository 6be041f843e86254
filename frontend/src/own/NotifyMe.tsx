/** The way to be notified when it is a person's turn: a press asks the browser, nothing else does. */
import { Button } from "../ui/Button";
import { needed as w } from "../words/needed";
import { useAllowed } from "./notice";

export function NotifyMe() {
  const [allowed, ask] = useAllowed();
  if (allowed === "impossible") return null;
  if (allowed !== "default")
    return <p className="text-sm text-muted">{allowed === "granted" ? w.granted : w.denied}</p>;
  return (
    <div className="max-w-prose">
      <Button onClick={() => void ask()}>{w.ask}</Button>
      <p className="mt-2 text-sm text-muted">{w.askWhy}</p>
    </div>
  );
}
