/** Fields of a guided turn that have a way of their own: a move, a quote, and words that may cite a document. */
import { type ReactNode, useId } from "react";
import type { DocumentEntry } from "../api";
import { type Asked, titleOf, told } from "../start/SchemaForm";
import { choicesOf, kindOf } from "../start/schema";
import { TextArea } from "../ui/Field";
import { capital, spaced, words } from "../words/doing";
import { meanings } from "./guide";
import { MarkInDocument, MarkInText } from "./MarkWords";

const MOST_CARDS = 5;

/** From what words may be taken. */
export interface Sources {
  /** The debate. */
  id: string;
  documents: readonly DocumentEntry[];
  /** The point that is answered, in its speaker's words; empty without one. */
  point: { id: string; words: string };
}

export function fieldWith(sources: Sources): (asked: Asked) => ReactNode | undefined {
  return (asked) => {
    const { schema } = asked;
    const kind = kindOf(schema);
    if (kind === "choice" && !schema["x-choice"] && choicesOf(schema).length <= MOST_CARDS) return <Move {...asked} />;
    if (schema["x-quote"]) return <QuoteField {...asked} sources={sources} />;
    if (kind === "text" && !schema["x-choice"] && sources.documents.length)
      return <CitingText {...asked} documents={sources.documents} id={sources.id} />;
    return undefined;
  };
}

function Move({ schema, value, change, path, faults }: Asked) {
  const id = useId();
  const means = meanings(schema);
  const explained = Object.keys(means).length > 0;
  const fault = faults[path];
  return (
    <fieldset {...(fault ? { "aria-describedby": `${id}-fault` } : {})}>
      <legend className="mb-1 text-sm font-medium">{titleOf(path)}</legend>
      {!explained && told(schema) && <p className="mb-2 text-sm text-muted">{told(schema)}</p>}
      <div className={explained ? "grid gap-2 sm:grid-cols-2" : "flex flex-wrap gap-2"}>
        {choicesOf(schema).map((one) => {
          const name = String(one);
          return (
            <label
              key={name}
              className="flex cursor-pointer items-start gap-2 rounded-md border border-line bg-raised px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={`${id}-${path}`}
                className="mt-0.5 size-4 shrink-0 accent-accent"
                aria-labelledby={`${id}-${name}`}
                {...(explained ? { "aria-describedby": `${id}-${name}-means` } : {})}
                checked={value === one}
                onChange={() => change(one)}
              />
              <span className="text-sm">
                <span id={`${id}-${name}`} className="font-medium">
                  {words.seat.signs[name] && <span aria-hidden="true">{words.seat.signs[name]} </span>}
                  {capital(spaced(name))}
                </span>
                {explained && (
                  <span id={`${id}-${name}-means`} className="block text-muted">
                    {capital(means[name] ?? "")}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
      {fault && (
        <p id={`${id}-fault`} role="alert" className="mt-1 text-sm text-wrong">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function QuoteField({ schema, value, change, path, faults, sources }: Asked & { sources: Sources }) {
  const { id, documents, point } = sources;
  const most = schema.maxLength;
  return (
    <div className="space-y-2">
      <TextArea
        label={titleOf(path)}
        hint={told(schema)}
        problem={faults[path]}
        rows={2}
        dir="auto"
        value={String(value ?? "")}
        onChange={(event) => change(event.target.value)}
      />
      {schema["x-quote"] === "document"
        ? documents.length > 0 && (
            <MarkInDocument title={words.seat.mark.document} id={id} documents={documents} most={most} use={change} />
          )
        : point.words && (
            <MarkInText title={words.seat.mark.speaker(point.id)} text={point.words} most={most} use={change} />
          )}
    </div>
  );
}

/** What is cited stands in the words, as everywhere in the record. */
function CitingText({
  schema,
  value,
  change,
  path,
  faults,
  id,
  documents,
}: Asked & { id: string; documents: readonly DocumentEntry[] }) {
  const text = String(value ?? "");
  const cite = (marked: string, document: string) =>
    change(`${text}${text && !/\s$/.test(text) ? " " : ""}[${document}: "${marked}"]`);
  return (
    <div className="space-y-2">
      <TextArea
        label={titleOf(path)}
        hint={told(schema)}
        problem={faults[path]}
        rows={3}
        dir="auto"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <MarkInDocument title={words.seat.mark.cite} id={id} documents={documents} use={cite} />
    </div>
  );
}
