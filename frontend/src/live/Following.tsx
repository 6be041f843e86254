/** What follows a debate: its control and its judging, as they go on, and then the way to the briefing. */

import type { RunSummary, State } from "../api";
import { Link } from "../router";
import { buttonLook } from "../ui/Button";
import { unversioned, words } from "../words/doing";
import type { Ending } from "./events";
import { useFloor } from "./follow";
import { lookAgain, over, settled } from "./state";

const named = (run: RunSummary): string => {
  const name = unversioned(run.protocol);
  if (name === "judging") return words.live.follows.judging;
  return name === "control" ? words.live.follows.control : words.live.follows.other(name);
};

export function Following({ state, ending }: { state: State; ending: Ending | null }) {
  const { report, follows } = state;
  const how = words.ending(ending?.kind ?? report.ending ?? "");
  const going = follows.find((run) => !over(run));
  const done = settled(state);
  return (
    <section className="mt-10 rounded-lg border border-line bg-raised p-5">
      <p role="status" className="font-semibold">
        {words.live.ended(how)}
      </p>
      <ul className="mt-3 space-y-2 text-sm">
        {follows.map((run) => (
          <li key={run.run_id}>{run === going ? <Going run={run} /> : <Over run={run} />}</li>
        ))}
      </ul>
      {!going && (!done || follows.length === 0) && (
        <p className="mt-2 text-sm text-muted">{done ? report.reason || words.live.notJudged : words.live.soon}</p>
      )}
      <p className="mt-4 flex flex-wrap gap-2">
        <Link
          to="/debates/$id"
          params={{ id: report.run_id }}
          className={buttonLook(done ? "main" : "plain")}
          onClick={() => void lookAgain(report.run_id)}
        >
          {words.live.briefing}
        </Link>
        <Link to="/debates/$id/judge" params={{ id: report.run_id }} className={buttonLook("quiet")}>
          {words.live.judgeIt}
        </Link>
      </p>
    </section>
  );
}

function Over({ run }: { run: RunSummary }) {
  const how = run.state === "broken" ? run.reason || words.states.broken : words.live.followOver;
  return (
    <span className="text-muted">
      {named(run)}: {run.ending && run.ending !== "played" ? words.ending(run.ending) : how}
    </span>
  );
}

/** The debate's own line is closed by now, so this one is the tab's only one. */
function Going({ run }: { run: RunSummary }) {
  const { floor } = useFloor(run.run_id);
  const found = [
    floor.drawn > 0 && words.live.drawn(floor.drawn),
    floor.sheets > 0 && words.live.sheets(floor.sheets),
    floor.spending.calls > 0 && words.live.calls(floor.spending.calls),
    floor.outcome && words.live.verdict(words.outcome(floor.outcome)),
  ].filter(Boolean);
  return (
    <span>
      <span className="font-medium">{named(run)}</span>
      <span className="text-muted">
        {" … "}
        {found.length ? found.join(" · ") : run.state === "waiting" ? words.live.followWaits : words.states[run.state]}
      </span>
    </span>
  );
}
