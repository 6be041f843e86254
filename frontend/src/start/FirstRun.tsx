/** Before the first debate: samples to watch, whether a model is there, and ways to get one. */
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { client, type Discovery, get, useAbout } from "../api";
import { Link } from "../router";
import { SampleCards } from "../samples/SampleCard";
import { firstOfEachProtocol, useSamples } from "../samples/sample";
import { Badge } from "../ui/Badge";
import { Button, buttonLook } from "../ui/Button";
import { Command } from "../ui/Command";
import { Announced, Loading, Problem } from "../ui/Said";
import { Title } from "../ui/Title";
import { words } from "../words/doing";
import { starting } from "../words/starting";

const w = starting.first;
const LINK = "text-accent underline underline-offset-2";

export function FirstRun() {
  const { data: about } = useAbout();
  return (
    <div className="space-y-10">
      <Title>{words.title(w.page)}</Title>
      <header className="max-w-[62ch] pt-4">
        <h1 className="text-3xl sm:text-4xl">{w.title}</h1>
        <p className="mt-3 text-lg text-muted">{w.why}</p>
      </header>
      <Watch />
      {about?.role === "owner" && <Models own={about.owner === "local"} />}
      {about && about.role !== "owner" && <p className="text-muted">{w.notYours}</p>}
    </div>
  );
}

function Watch() {
  const { data, error, refetch } = useSamples();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="text-lg">
          {w.watch}
        </h2>
        <Link to="/samples" className={`text-sm ${LINK}`}>
          {starting.samples.all}
        </Link>
      </div>
      {error ? (
        <Problem error={error} again={() => void refetch()} />
      ) : data ? (
        <SampleCards samples={firstOfEachProtocol(data)} />
      ) : (
        <Loading />
      )}
    </section>
  );
}

/** What the server found when it looked; `again` looks once more, and new models are on offer at once. */
function useDiscovery() {
  const found = useQuery({
    queryKey: ["discovery"],
    queryFn: ({ signal }) => get<Discovery>("/api/discovery", signal),
    staleTime: 0,
  });
  const [told, setTold] = useState("");
  const again = async () => {
    setTold("");
    const { data } = await found.refetch();
    await client.invalidateQueries({ queryKey: ["about"] });
    if (data) setTold(w.lookedAgain(data.ready));
  };
  return { ...found, again, told };
}

/** `own` is a machine of the reader, on which commands can be typed. */
function Models({ own }: { own: boolean }) {
  const { data, error, isFetching, again, told } = useDiscovery();
  const id = useId();
  if (error && !data) return <Problem error={error} again={() => void again()} />;
  if (!data) return <Loading>{w.looking}</Loading>;
  return (
    <section aria-labelledby={id} className="space-y-5 rounded-lg border border-line bg-raised p-5">
      <Announced>{told}</Announced>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Badge look={data.ready ? "accent" : "care"}>{data.ready ? w.ready : w.noModel}</Badge>
          <h2 id={id} className="text-lg">
            {data.ready ? w.otherWays : w.ways}
          </h2>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button busy={isFetching} onClick={() => void again()}>
            {isFetching ? w.looking : w.again}
          </Button>
          {data.ready && (
            <Link to="/new" className={buttonLook("main")}>
              <Plus size={16} aria-hidden="true" />
              {w.readyDo}
            </Link>
          )}
        </div>
      </div>
      {own ? <Ways found={data} /> : !data.ready && <p>{w.askOperator}</p>}
      <p className="text-sm text-muted">
        {own && <Looked found={data} />}{" "}
        <Link to="/new" className={LINK}>
          {w.rehearse}
        </Link>
        {": "}
        {w.rehearseWhy}
      </p>
    </section>
  );
}

function Ways({ found }: { found: Discovery }) {
  const bare = found.servers.some((one) => one.name === "ollama" && one.state === "no model");
  return (
    <ol className="grid gap-6 lg:grid-cols-3">
      {w.way.map((way, n) => (
        <li key={way.title} className="flex flex-col gap-2">
          <h3 className="text-base">
            {n + 1} · {way.title}
          </h3>
          <p className="text-sm text-muted">{bare && way.has ? way.has : way.why}</p>
          <Command text={way.command} />
        </li>
      ))}
    </ol>
  );
}

function Looked({ found }: { found: Discovery }) {
  const servers = found.servers.map((one) => [w.server(one.name, one.where), w.states[one.state](one.models)] as const);
  const told = [...servers, [w.keys, found.keys.join(", ") || w.noKeys] as const];
  return (
    <>
      {w.looked}{" "}
      {told.map(([where, what], n) => (
        <span key={where}>
          {n > 0 && " · "}
          {where} <b className="font-semibold text-ink">{what}</b>
        </span>
      ))}
      .
    </>
  );
}
