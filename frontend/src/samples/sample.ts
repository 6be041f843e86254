/** Samples: recorded debates that come with the program. They are read on the pages of a debate, under `/samples/NAME`. */
import { useQuery } from "@tanstack/react-query";
import { get, type RecordingCard } from "../api";

/** Of the three that a first page shows, no two have the same protocol. */
export function firstOfEachProtocol(all: readonly RecordingCard[], most = 3): readonly RecordingCard[] {
  return all
    .filter((one) => one.written)
    .filter((one, n, written) => written.findIndex(({ protocol }) => protocol === one.protocol) === n)
    .slice(0, most);
}

export const useSamples = () =>
  useQuery({
    queryKey: ["recordings"],
    queryFn: ({ signal }) => get<RecordingCard[]>("/api/recordings", signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
