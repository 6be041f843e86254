/** The mark in the frame that a debate waits for a person; with it the badge in the title, and notifications. */
import { useQuery } from "@tanstack/react-query";
import { type AwaitedDebate, type AwaitedList, get } from "../api";
import { Link, useNavigate } from "../router";
import { needed } from "../words/needed";
import { useBadge, useNotices } from "./notice";

const EVERY_MS = 10_000;
const LOOK =
  "inline-flex min-h-[34px] items-center gap-2 rounded-full border border-care-edge bg-care px-3 text-sm font-medium whitespace-nowrap pointer-coarse:min-h-11";

export default function NeedsYou() {
  const { data } = useQuery({
    queryKey: ["awaited"],
    queryFn: ({ signal }) => get<AwaitedList>("/api/awaited", signal),
    refetchInterval: EVERY_MS,
    // A tab in the background is the one whose person has to be called.
    refetchIntervalInBackground: true,
    retry: false,
  });
  const navigate = useNavigate();
  const waiting = data?.debates ?? [];
  useBadge(waiting.length);
  useNotices(
    waiting.flatMap((one) =>
      one.seats.map((seat, n) => ({
        key: `${one.run_id}/${one.keys[n] ?? seat}`,
        topic: one.topic,
        go: () => void navigate({ to: "/debates/$id/seat/$seat", params: { id: one.run_id, seat } }),
      })),
    ),
  );
  return <span role="status">{waiting.length > 0 && <Way waiting={waiting} />}</span>;
}

/** To the one place where a person is awaited, or to the list, which has them first. */
function Way({ waiting }: { waiting: readonly AwaitedDebate[] }) {
  const [only, ...others] = waiting;
  const seat = only?.seats[0];
  const face = (
    <>
      <span aria-hidden="true">●</span>
      <span className="max-[40rem]:sr-only">{needed.mark}</span> {waiting.length}
    </>
  );
  return only && seat && !others.length ? (
    <Link
      to="/debates/$id/seat/$seat"
      params={{ id: only.run_id, seat }}
      className={LOOK}
      title={only.topic}
      data-needed
    >
      {face}
    </Link>
  ) : (
    <Link to="/" className={LOOK} data-needed>
      {face}
    </Link>
  );
}
