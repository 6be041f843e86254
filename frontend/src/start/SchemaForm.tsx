/** Fields made from a JSON Schema: numbers, choices, flags, words, lists and groups of these. */
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../ui/Button";
import { Checkbox, Select, TextArea, TextField } from "../ui/Field";
import { capital, spaced, words } from "../words/doing";
import { choicesOf, type Faults, initial, kindOf, resolved, type Schema } from "./schema";

export interface Asked {
  schema: Schema;
  root: Schema;
  value: unknown;
  change: (value: unknown) => void;
  /** Where it stands: `arguments.0.claim`. */
  path: string;
  faults: Faults;
  /** What stands behind an id, by the kind of id. */
  about?: (kind: string, id: string) => string;
  /** What ids begin with that the answer itself gives. */
  own?: string;
  /** Another way to fill in some fields; undefined for the usual one. */
  instead?: (asked: Asked) => ReactNode | undefined;
}

export const titleOf = (path: string) => {
  const steps = path.split(".");
  const last = steps.at(-1) ?? "";
  if (!/^\d+$/.test(last)) return capital(spaced(last));
  return words.start.item(capital(spaced(steps.at(-2) ?? "")), Number(last) + 1);
};

export const told = (schema: Schema) => schema.description && capital(schema.description);

/** All fields of an object, without a frame of their own. */
export function SchemaForm(props: Asked) {
  const schema = resolved(props.schema, props.root);
  const value = (props.value ?? {}) as Record<string, unknown>;
  return Object.entries(schema.properties ?? {}).map(([name, one]) => (
    <Part
      key={name}
      {...props}
      schema={one}
      value={value[name]}
      change={(next) => props.change({ ...value, [name]: next })}
      path={props.path ? `${props.path}.${name}` : name}
    />
  ));
}

/** Found again by its path, where a fault is told. */
function Part(props: Asked) {
  const schema = resolved(props.schema, props.root);
  return (
    <div data-field={props.path}>{props.instead?.({ ...props, schema }) ?? <Usual {...props} schema={schema} />}</div>
  );
}

function Usual(props: Asked) {
  const { schema } = props;
  switch (kindOf(schema)) {
    case "choice":
      return <Choice {...props} schema={schema} />;
    case "flag":
      return (
        <Checkbox
          label={titleOf(props.path)}
          hint={told(schema)}
          checked={props.value === true}
          onChange={(event) => props.change(event.target.checked)}
        />
      );
    case "number":
      return <Figure {...props} schema={schema} />;
    case "list":
      return <List {...props} schema={schema} />;
    case "group":
      return (
        <Group title={titleOf(props.path)} hint={schema.description}>
          <SchemaForm {...props} schema={schema} />
        </Group>
      );
    case "text":
      return <Text {...props} schema={schema} />;
  }
}

interface GroupProps {
  title: string;
  hint?: string | undefined;
  /** What holds all the rest needs no frame. */
  bare?: boolean;
  children: ReactNode;
}

function Group({ title, hint, bare = false, children }: GroupProps) {
  return (
    <fieldset className={`space-y-4 ${bare ? "" : "rounded-md border border-line p-4 pt-2"}`}>
      <legend className="mb-0! px-1 text-sm font-medium" lang="en">
        {title}
      </legend>
      {hint && (
        <p className="text-sm text-muted" lang="en">
          {capital(hint)}
        </p>
      )}
      {children}
    </fieldset>
  );
}

function Choice({ schema, value, change, path, faults, about }: Asked) {
  const options = choicesOf(schema).map((one) => [String(one), spaced(String(one))] as const);
  const open = value === "" || value === null || value === undefined;
  const kind = schema["x-choice"];
  return (
    <Select
      label={titleOf(path)}
      hint={(kind && !open && about?.(kind, String(value))) || told(schema)}
      problem={faults[path]}
      value={open ? "" : String(value)}
      choices={open ? [["", "–"], ...options] : options}
      onChange={(event) => change(choicesOf(schema).find((one) => String(one) === event.target.value) ?? "")}
    />
  );
}

function Figure({ schema, value, change, path, faults }: Asked) {
  const { minimum, maximum, default: usual } = schema;
  const bounds = minimum !== undefined && maximum !== undefined && words.start.between(minimum, maximum);
  const about = [usual !== undefined && words.start.usual(String(usual)), bounds].filter(Boolean).join(", ");
  return (
    <TextField
      type="number"
      inputMode={schema.type === "integer" ? "numeric" : "decimal"}
      step={schema.type === "integer" ? 1 : "any"}
      min={minimum}
      max={maximum}
      label={titleOf(path)}
      hint={[told(schema), about && capital(`${about}.`)].filter(Boolean).join(" ")}
      problem={faults[path]}
      value={typeof value === "number" ? value : ""}
      onChange={(event) => change(event.target.value === "" ? null : event.target.valueAsNumber)}
    />
  );
}

function Text({ schema, value, change, path, faults }: Asked) {
  const field = { label: titleOf(path), hint: told(schema), problem: faults[path], value: String(value ?? "") };
  const short = schema["x-choice"] !== undefined || (schema.maxLength !== undefined && schema.maxLength <= 200);
  if (!short) return <TextArea {...field} rows={3} onChange={(event) => change(event.target.value)} />;
  return <TextField {...field} autoComplete="off" onChange={(event) => change(event.target.value)} />;
}

function List(props: Asked) {
  const { schema, root, change, path, faults } = props;
  const lines = Array.isArray(props.value) ? (props.value as unknown[]) : [];
  const item = schema.items ?? {};
  const title = titleOf(path);
  const least = schema.minItems ?? 0;
  const room = lines.length < (schema.maxItems ?? 100);
  return (
    <Group title={title} hint={schema.description} bare={!path.includes(".")}>
      {lines.map((line, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <div key={n} className="flex items-start gap-2">
          <div className="min-w-0 flex-1 space-y-4">
            <Part
              {...props}
              schema={item}
              value={line}
              path={`${path}.${n}`}
              change={(next) => change(lines.map((one, place) => (place === n ? next : one)))}
            />
          </div>
          {lines.length > least && (
            <IconButton
              label={words.start.takeAway(titleOf(`${path}.${n}`))}
              onClick={() => change(lines.filter((_, place) => place !== n))}
            >
              <Trash2 size={16} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {faults[path] && (
        <p role="alert" className="text-sm text-wrong">
          {faults[path]}
        </p>
      )}
      {room && (
        <Button
          onClick={() => change([...lines, initial(item, root, props.own, lines.length + 1)])}
          aria-label={words.start.add(title)}
        >
          <Plus size={16} aria-hidden="true" />
          {words.start.addPlain}
        </Button>
      )}
    </Group>
  );
}
