/** Documents for a new debate: dropped, chosen or pasted; a list of those that were read, and why others were not. */
import { FileText, Upload, X } from "lucide-react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { asProblem, type ProtocolCard, readFile } from "../api";
import { Button, IconButton } from "../ui/Button";
import { Select, TextArea } from "../ui/Field";
import { Announced } from "../ui/Said";
import { capital, words } from "../words/doing";
import { type Brought, firstForAll, idsOf, MOST_DOCUMENTS, readersOf } from "./brought";

const w = words.start.documents;
const LONGEST_NAME = 200;

interface Props {
  card: ProtocolCard;
  documents: readonly Brought[];
  change: (next: (was: readonly Brought[]) => readonly Brought[]) => void;
  problem?: string | undefined;
}

interface Failure {
  key: string;
  name: string;
  why: string;
}

let counted = 0;
const fresh = () => `${Date.now()}-${counted++}`;

/** Files are read one after the other; each that could be read is handed on. */
function useReading(change: Props["change"]) {
  const [reading, setReading] = useState("");
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [told, setTold] = useState("");
  const line = useRef(Promise.resolve());
  const one = async (file: Blob, name: string): Promise<boolean> => {
    setReading(name);
    try {
      const found = await readFile(file, name.slice(-LONGEST_NAME));
      change((was) => [...was, { ...found, key: fresh(), reader: "" }]);
      return true;
    } catch (error) {
      const { title, why, fix } = asProblem(error);
      const said = [title, why, fix].filter(Boolean).map((part) => capital(/[.!?]$/.test(part) ? part : `${part}.`));
      setFailures((was) => [...was, { key: fresh(), name, why: said.join(" ") }]);
      return false;
    }
  };
  const read = (files: readonly (readonly [Blob, string])[]) => {
    line.current = line.current.then(async () => {
      let added = 0;
      for (const [file, name] of files) added += Number(await one(file, name));
      setReading("");
      setTold(w.told(added, files.length - added));
    });
  };
  const dismiss = (key: string) => setFailures((was) => was.filter((failure) => failure.key !== key));
  const left = (name: string) => setFailures((was) => [...was, { key: fresh(), name, why: w.tooMany(MOST_DOCUMENTS) }]);
  return { reading, failures, told, read, dismiss, left };
}

export function Documents({ card, documents, change, problem }: Props) {
  const { reading, failures, told, read, dismiss, left } = useReading(change);
  const id = useId();
  const take = (files: readonly File[]) => {
    const room = Math.max(0, MOST_DOCUMENTS - documents.length);
    read(files.slice(0, room).map((file) => [file, file.name] as const));
    if (files.length > room) left(files[room]?.name ?? "");
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1 text-lg">
        {w.title}
      </h2>
      <p className="mb-3 text-sm text-muted">{w.hint}</p>
      <DropZone take={take} />
      <Paste add={(text) => read([[new Blob([text]), "pasted.md"]])} />
      <Announced>{reading ? "" : told}</Announced>
      {reading && (
        <p className="mt-3 text-sm text-muted motion-safe:animate-pulse">
          <bdi>{w.reading(reading)}</bdi>
        </p>
      )}
      <Listed card={card} documents={documents} change={change} />
      {problem && (
        <p role="alert" className="mt-2 text-sm text-wrong">
          {problem}
        </p>
      )}
      {failures.length > 0 && (
        <ul className="mt-3 space-y-2">
          {failures.map((failure) => (
            <li
              key={failure.key}
              className="flex items-start gap-3 rounded-md border border-wrong bg-raised py-2 pr-1 pl-3 text-sm"
            >
              <div role="alert" className="min-w-0 flex-1 py-1">
                <p className="font-medium wrap-anywhere">
                  <span aria-hidden="true">✕ </span>
                  {w.failed(failure.name)}
                </p>
                <p>{failure.why}</p>
              </div>
              <IconButton label={w.dismiss(failure.name)} onClick={() => dismiss(failure.key)}>
                <X size={16} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Files may be dropped anywhere on the page: one that misses the zone would else replace the page. */
function DropZone({ take }: { take: (files: readonly File[]) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const dropped = useEffectEvent((event: globalThis.DragEvent) => {
    setOver(false);
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
  useEffect(() => {
    const drag = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: globalThis.DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: globalThis.DragEvent) => dropped(event);
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return (
    <div
      data-drop
      className={`flex flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-lg border-2 border-dashed p-5 text-sm ${over ? "border-accent bg-accent-soft" : "border-edge bg-raised"}`}
    >
      <Upload size={18} aria-hidden="true" className="text-muted max-sm:hidden" />
      <span className="max-sm:hidden">
        {w.drop} <span className="text-muted">{w.or}</span>
      </span>
      <Button onClick={() => input.current?.click()}>{w.choose}</Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={w.choose}
        onChange={(event) => {
          take([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </div>
  );
}

function Paste({ add }: { add: (text: string) => void }) {
  const [text, setText] = useState("");
  const details = useRef<HTMLDetailsElement>(null);
  const put = () => {
    add(text);
    setText("");
    if (details.current) details.current.open = false;
  };
  return (
    <details ref={details} className="mt-2">
      <summary className="min-h-10 py-2 text-sm font-medium">{w.paste}</summary>
      <TextArea
        label={w.pasted}
        quiet
        rows={6}
        dir="auto"
        maxLength={400_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button className="mt-2" disabled={!text.trim()} onClick={put}>
        {w.add}
      </Button>
    </details>
  );
}

function Listed({ card, documents, change }: Pick<Props, "card" | "documents" | "change">) {
  if (!documents.length) return null;
  const ids = idsOf(documents);
  const first = firstForAll(documents);
  const give = (key: string, reader: string) =>
    change((was) => was.map((one) => (one.key === key ? { ...one, reader } : one)));
  return (
    <ul aria-label={w.list} className="mt-3 divide-y divide-line rounded-lg border border-line bg-raised">
      {documents.map((one, n) => (
        <li
          key={one.key}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 py-2 pr-1 pl-3 sm:grid-cols-[minmax(0,1fr)_13rem_auto]"
        >
          <div className="flex min-w-0 gap-2.5">
            <FileText size={18} aria-hidden="true" className="mt-1 shrink-0 text-muted" />
            <p className="min-w-0">
              <span className="line-clamp-2 font-medium wrap-anywhere" dir="auto">
                {one.title}
              </span>
              <span className="block text-sm text-muted">
                {[ids[n], w.words(one.words), one.pages === null ? "" : w.pages(one.pages)].filter(Boolean).join(" · ")}
              </span>
            </p>
          </div>
          <div className="max-sm:order-1 max-sm:col-span-2 max-sm:pr-2">
            <Select
              label={w.reads(one.title)}
              quiet
              choices={[["", n === first ? w.allAndJudges : w.all], ...known(card, one.reader)]}
              value={one.reader}
              onChange={(event) => give(one.key, event.target.value)}
            />
          </div>
          <IconButton
            label={w.remove(one.title)}
            onClick={() => change((was) => was.filter((other) => other.key !== one.key))}
          >
            <X size={18} aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Who may be chosen; one who was chosen stays in the list, even if another protocol has no such speaker. */
function known(card: ProtocolCard, chosen: string) {
  const all = readersOf(card);
  return !chosen || all.some(([name]) => name === chosen) ? all : [...all, [chosen, w.seat(chosen)] as const];
}
