/** Whether the installation works: the checks of `hustings doctor`, each with what was found and what to do. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { type Checkup, client, type Finding, get, post } from "../api";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { Announced, Loading, NoPage, Problem } from "../ui/Said";
import { Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { when, words } from "../words/doing";
import { own } from "../words/settings";

const w = own.doctor;
/** What failed comes first. */
const ORDER = { FAIL: 0, warn: 1, ok: 2 } as const;

export default function Doctor() {
  const found = useQuery({
    queryKey: ["checkup"],
    queryFn: ({ signal }) => get<Checkup>("/api/checkup", signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const calls = useMutation({
    // biome-ignore lint/plugin/mutations: checking reads no state
    mutationFn: () => post<Checkup>("/api/checkup/calls"),
    onSuccess: () => client.invalidateQueries({ queryKey: ["settings"] }),
  });
  if (found.error && !found.data) return <NoPage error={found.error} again={() => void found.refetch()} />;
  return (
    <div className="space-y-8">
      <Title>{words.title(w.title)}</Title>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="mb-2 text-3xl">{w.title}</h1>
          <p className="max-w-[75ch] text-muted">{w.why}</p>
        </div>
        <Button busy={found.isFetching} onClick={() => void found.refetch()}>
          {found.isFetching ? w.looking : w.again}
        </Button>
      </header>
      {found.data ? <Findings found={found.data} /> : <Loading>{w.looking}</Loading>}
      <Card title={w.called}>
        <p className="mb-3 text-sm text-muted">{w.callWhy}</p>
        <Button busy={calls.isPending} onClick={() => calls.mutate()}>
          {calls.isPending ? w.calling : w.call}
        </Button>
        {calls.error && <Problem error={calls.error} />}
        {calls.data && (
          <div className="mt-5">
            <Findings found={calls.data} caption={w.calledCaption} />
          </div>
        )}
      </Card>
    </div>
  );
}

export function Findings({ found, caption = w.caption }: { found: Checkup; caption?: string }) {
  const many = (state: Finding["state"]) => found.findings.filter((one) => one.state === state).length;
  const told = w.summary(many("FAIL"), many("warn"));
  return (
    <>
      <Announced>{told}</Announced>
      <p className="mb-3 font-semibold">
        {told} <span className="text-sm font-normal text-muted">{w.at(when(found.at))}</span>
      </p>
      <Table
        quiet
        stacked
        caption={caption}
        rows={found.findings.toSorted((one, other) => ORDER[one.state] - ORDER[other.state])}
        name={(row, index) => `${index} ${row.about}`}
        columns={[
          { key: "about", head: w.about, cell: (row) => row.about, className: "whitespace-nowrap" },
          { key: "state", head: w.state, cell: (row) => <State state={row.state} /> },
          { key: "said", head: w.said, cell: (row) => <span dir="auto">{row.said}</span>, className: "wrap-anywhere" },
          {
            key: "fix",
            head: w.fix,
            cell: (row) => <span className="whitespace-pre-wrap">{row.fix || "–"}</span>,
            className: "wrap-anywhere",
          },
        ]}
      />
    </>
  );
}

function State({ state }: { state: Finding["state"] }) {
  if (state === "FAIL") return <b className="whitespace-nowrap text-wrong">{w.states.FAIL}</b>;
  return <Badge look={state === "warn" ? "care" : "plain"}>{w.states[state]}</Badge>;
}
