/** What is configured on this machine and from where. It is shown here and changed elsewhere: in a file or by a command. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { get, type KeyInUse, type ProtocolCard, type SeatModel, type SettingsView, useAbout } from "../api";
import { Link } from "../router";
import { Card } from "../ui/Card";
import { Command } from "../ui/Command";
import { Loading, NoPage } from "../ui/Said";
import { Table } from "../ui/Table";
import { Title } from "../ui/Title";
import { capital, spaced, when, words } from "../words/doing";
import { needed } from "../words/needed";
import { own } from "../words/settings";
import { NotifyMe } from "./NotifyMe";

const w = own.settings;

export default function Settings() {
  const found = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => get<SettingsView>("/api/settings", signal),
    staleTime: 0,
  });
  return (
    <div className="space-y-10">
      <Title>{words.title(w.title)}</Title>
      <header>
        <h1 className="mb-2 text-3xl">{w.title}</h1>
        <p className="max-w-[75ch] text-muted">
          {w.why}{" "}
          <Link to="/doctor" className="text-accent underline underline-offset-2">
            {w.doctor}
          </Link>
        </p>
      </header>
      {found.error ? (
        <NoPage error={found.error} again={() => void found.refetch()} />
      ) : found.data ? (
        <Found found={found.data} />
      ) : (
        <Loading />
      )}
      <Card title={needed.heading}>
        <NotifyMe />
      </Card>
    </div>
  );
}

export function Found({ found }: { found: SettingsView }) {
  return (
    <div className="space-y-12">
      <Part title={w.models} why={modelsWhy(found.models)}>
        <Models models={found.models} />
      </Part>
      <Part title={w.keys} why={w.keysWhy}>
        <Keys keys={found.keys} />
        <div className="mt-4 max-w-md">
          <Command text={w.setKey} />
        </div>
      </Part>
      <Part title={w.defaults} why={w.defaultsWhy}>
        <Table
          quiet
          stacked
          className="md:w-auto"
          caption={w.defaultsCaption}
          rows={found.options}
          name={(row) => row.name}
          columns={[
            { key: "option", head: w.option, cell: (row) => w.optionOf(row.name) },
            {
              key: "value",
              head: w.value,
              cell: (row) => <Value text={row.value} none={w.unset(row.name)} />,
              className: "wrap-anywhere",
            },
            { key: "origin", head: w.origin, cell: (row) => row.origin || "–", className: "text-muted" },
          ]}
        />
      </Part>
      <Protocols />
      <Part title={w.files} why={w.filesWhy}>
        <Table
          quiet
          stacked
          className="md:w-auto"
          caption={w.filesCaption}
          rows={found.files}
          name={(row) => row.name}
          columns={[
            { key: "file", head: w.file, cell: (row) => row.name },
            {
              key: "path",
              head: w.path,
              cell: (row) => <Value text={row.there ? row.path : null} none={w.absent} />,
              className: "wrap-anywhere",
            },
          ]}
        />
      </Part>
      <Part title={w.change}>
        <ul className="grid gap-5 lg:grid-cols-3">
          {[w.init, w.origins, w.cap].map(([why, command]) => (
            <li key={command} className="flex flex-col gap-2">
              <p className="text-sm">{why}</p>
              <Command text={command} />
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

function modelsWhy(models: readonly SeatModel[]): string {
  if (models.some((one) => one.configured)) return w.modelsWhy;
  return models.some((one) => one.model) ? w.found : w.noModel;
}

function Part({ title, why, children }: { title: string; why?: string; children: ReactNode }) {
  return (
    <Card title={title}>
      {why && <p className="mb-3 max-w-[75ch] text-sm text-muted">{why}</p>}
      {children}
    </Card>
  );
}

function Value({ text, none }: { text: string | null; none: string }) {
  return text === null || text === "" ? <span className="text-muted">{none}</span> : <span dir="auto">{text}</span>;
}

function Models({ models }: { models: readonly SeatModel[] }) {
  return (
    <Table
      quiet
      stacked
      className="md:w-auto"
      caption={w.modelsCaption}
      rows={models}
      name={(row) => row.name}
      columns={[
        { key: "seat", head: w.seat, cell: (row) => (row.name === "llm" ? w.everyone : row.name) },
        {
          key: "model",
          head: w.model,
          cell: (row) => row.model || <span className="text-wrong">{row.problem}</span>,
          className: "wrap-anywhere max-w-[50ch]",
        },
        { key: "where", head: w.where, cell: (row) => row.model && <Value text={row.where} none={w.usual} /> },
        {
          key: "key",
          head: w.key,
          cell: (row) => row.model && <Value text={row.key} none={w.noKey} />,
          className: "wrap-anywhere",
        },
        {
          key: "price",
          head: w.price,
          cell: (row) => row.model && (row.price ? w.prices(row.price.input, row.price.output) : w.unknown),
        },
      ]}
    />
  );
}

function Keys({ keys }: { keys: readonly KeyInUse[] }) {
  return (
    <Table
      quiet
      stacked
      className="md:w-auto"
      caption={w.keysCaption}
      rows={keys}
      name={(row) => row.name}
      columns={[
        { key: "provider", head: w.provider, cell: (row) => row.provider || w.ofSeat },
        {
          key: "name",
          head: w.name,
          cell: (row) => <code className="text-xs">{row.name}</code>,
          className: "wrap-anywhere",
        },
        {
          key: "place",
          head: w.place,
          cell: (row) => (
            <>
              <Value text={row.place && w.placeOf(row.place)} none={w.missing} />
              {row.place && row.install && (
                <span className="block text-xs text-muted wrap-anywhere">{w.needs(row.install)}</span>
              )}
            </>
          ),
        },
        { key: "checked", head: w.checked, cell: checked },
      ]}
    />
  );
}

function checked({ place, works, checked: at }: KeyInUse): ReactNode {
  if (!place) return <span className="text-muted">–</span>;
  if (works == null) return <span className="text-muted">{w.unchecked}</span>;
  return works ? w.works(when(at ?? "")) : <span className="text-wrong">{w.fails(when(at ?? ""))}</span>;
}

/** Values with which each protocol begins, as its card tells them. */
function Protocols() {
  const { data: about } = useAbout();
  return (
    <Part title={w.protocols} why={w.protocolsWhy}>
      {about?.protocols.map((card) => (
        <details key={card.name}>
          <summary className="min-h-10 py-2 text-sm font-medium">{capital(card.name)}</summary>
          <Defaults card={card} />
        </details>
      ))}
    </Part>
  );
}

function Defaults({ card }: { card: ProtocolCard }) {
  const fields = Object.entries((card.settings.properties ?? {}) as Record<string, { default?: unknown }>);
  if (!fields.length) return <p className="pb-2 text-sm text-muted">{w.noDefaults}</p>;
  return (
    <Table
      quiet
      className="mb-4 md:w-auto"
      caption={w.protocolCaption(card.name)}
      rows={fields}
      name={([name]) => name}
      columns={[
        { key: "name", head: w.option, cell: ([name]) => capital(spaced(name)) },
        { key: "value", head: w.value, cell: ([, field]) => written(field.default), className: "wrap-anywhere" },
      ]}
    />
  );
}

const written = (value: unknown) =>
  value === undefined || value === null ? "–" : typeof value === "string" ? value || "–" : JSON.stringify(value);
