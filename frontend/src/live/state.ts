/** A debate as the server tells it, looked at again and again while something goes on. */
import { useQuery } from "@tanstack/react-query";
import { at, client, get, type RunSummary, type State } from "../api";

export const over = (run: RunSummary) => run.state === "ended" || run.state === "broken";

const SOON_MS = 15_000;

/** Whether nothing more is to be expected: what follows a run is begun a moment after its end. */
export function settled({ report, follows }: State, now = Date.now()): boolean {
  const runs = [report, ...follows];
  const last = Math.max(...runs.map((run) => Date.parse(run.ended_at ?? "") || 0));
  const judged = follows.some((run) => run.protocol.startsWith("judging/"));
  const nothing = report.state === "ended" && report.ending !== "played";
  return runs.every(over) && (judged || nothing || now - last > SOON_MS);
}

/** Its own copy, so that the page does not change under its reader. */
export function useWatched(id: string, every = 1_500) {
  return useQuery({
    queryKey: ["watch", id],
    queryFn: ({ signal }) => get<State>(at(id), signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && settled(state.data) ? every * 10 : every),
  });
}

export const lookAgain = (id: string) => client.invalidateQueries({ predicate: ({ queryKey: [, of] }) => of === id });
